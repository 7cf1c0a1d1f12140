//! The states of examples in a game of whole votes of [`os`](super::os), and what a vote for each class makes of them.
//!
//! Many rows are in the same state, and the order of the wrong classes does not matter. So potentials are computed once
//! for each distinct state, given by the leads of the own class over the others in ascending order.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use manyboost_data::Result;
use rayon::prelude::*;

use crate::spec::booster::RoundState;
use crate::theory::minimal::worst_excess;
use crate::theory::{GameLoss, Layers, LeadWalk, Walk};

/// The layers of the game, computed once for a number of classes.
#[derive(Debug, Default)]
pub(super) struct LayersOf(Mutex<Option<(usize, Arc<Layers>)>>);

/// A game that layers are of: its classes, the edge of each round, and its loss.
pub(super) type GameOf<'a> = (usize, &'a [f64], GameLoss);

impl LayersOf {
    /// Whether there are layers for a game; they are kept.
    pub(super) fn check(&self, (classes, edges, loss): GameOf<'_>) -> Result<()> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|(k, _)| *k != classes) {
            *kept = Some((classes, Arc::new(Layers::all(classes, edges, loss)?)));
        }
        Ok(())
    }

    /// The layers of a game, if they are not too many.
    pub(super) fn get(&self, game: GameOf<'_>) -> Option<Arc<Layers>> {
        self.check(game).ok()?;
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().map(|(_, layers)| layers.clone())
    }
}

/// The potentials of the rounds to go after the next vote.
pub(super) enum Ahead {
    /// Of the zero-one loss under the uniform condition.
    Walk(Walk),
    /// Of the hinge loss under the uniform condition.
    Lead(LeadWalk),
    /// Under the minimal condition.
    Layers {
        /// All layers.
        layers: Arc<Layers>,
        /// The round under way, from 1.
        round: usize,
    },
    /// There is no next vote: what the end costs.
    Over(GameLoss),
}

impl Ahead {
    /// A lead as states keep it, where the smallest of the row is `least`: what the rounds to go cannot change is all the
    /// same.
    fn clipped(&self, lead: i32, least: i32) -> i32 {
        match self {
            Self::Walk(walk) => {
                let lost = -(walk.rounds() as i32) - 1;
                if least <= lost { lost } else { lead.min(1 - lost) }
            }
            Self::Lead(_) | Self::Layers { .. } | Self::Over(_) => lead,
        }
    }

    /// The potentials after a vote for the own class, then for each of the others, whose leads these are; none of them are
    /// numbers if `stop` is set meanwhile.
    fn potentials(&self, leads: &[i32], out: &mut [f64], stop: &AtomicBool) {
        let mut next: Vec<i64> = leads.iter().map(|&lead| i64::from(lead)).collect();
        match self {
            Self::Walk(walk) => {
                for lead in &mut next {
                    *lead += 1;
                }
                let potential = |next: &[i64]| walk.zero_one_until(next, stop).unwrap_or(f64::NAN);
                out[0] = potential(&next);
                for lead in &mut next {
                    *lead -= 1;
                }
                for l in 0..next.len() {
                    out[l + 1] = if l > 0 && leads[l] == leads[l - 1] {
                        out[l]
                    } else {
                        next[l] -= 1;
                        let value = potential(&next);
                        next[l] += 1;
                        value
                    };
                }
            }
            Self::Lead(walk) => {
                let each: Vec<[f64; 2]> =
                    next.iter().map(|&lead| [walk.hinge(lead), walk.hinge(lead - 1)]).collect();
                let now: f64 = each.iter().map(|[now, _]| now).sum();
                out[0] = next.iter().map(|&lead| walk.hinge(lead + 1)).sum();
                out[1..].iter_mut().zip(&each).for_each(|(out, [same, less])| *out = now - same + less);
            }
            Self::Layers { layers, round } => {
                // The votes before this round add up to round − 1.
                let own = (*round as i64 - 1 + next.iter().sum::<i64>()) / (next.len() as i64 + 1);
                let mut votes: Vec<usize> = next.iter().map(|lead| (own - lead).max(0) as usize).collect();
                layers.neighbours(*round, &mut votes, out);
            }
            Self::Over(loss) => out.fill(loss.of(next.into_iter())),
        }
    }
}

/// The distinct states of all rows.
pub(super) struct States {
    /// The state of each row.
    of_row: Vec<u32>,
    /// For each state, the potential after a vote for the own class and the excess of guessing without an edge over it.
    figures: Vec<[f64; 2]>,
}

impl States {
    /// Finds the states of all rows, and writes what votes cost: the potential that a vote for a class leads to, less that
    /// for the own class.
    pub(super) fn new(now: &RoundState<'_>, ahead: &Ahead, channels: &mut Vec<f64>) -> Self {
        let (y, k, rows) = (now.classes(), now.labels.classes(), now.scores.rows());
        let others = k - 1;
        channels.clear();
        channels.resize(rows * k, 0.0);
        if others == 0 {
            return Self { of_row: vec![0; rows], figures: vec![[0.0; 2]] };
        }
        let lead = |row: usize, l: usize| {
            let f = now.scores.row(row);
            (f[y[row] as usize] - f[l]).round() as i32
        };
        let mut leads = vec![0i32; rows * others];
        leads.par_chunks_mut(others).enumerate().with_min_len(1024).for_each(|(row, leads)| {
            let wrong = (0..k).filter(|&l| l != y[row] as usize);
            leads.iter_mut().zip(wrong).for_each(|(slot, l)| *slot = lead(row, l));
            leads.sort_unstable();
            let least = leads[0];
            for lead in leads.iter_mut() {
                *lead = ahead.clipped(*lead, least);
            }
        });
        let key = |row: u32| &leads[row as usize * others..][..others];
        let mut order: Vec<u32> = (0..rows as u32).collect();
        order.par_sort_unstable_by(|&a, &b| key(a).cmp(key(b)));
        let groups: Vec<&[u32]> = order.chunk_by(|&a, &b| key(a) == key(b)).collect();
        let mut potentials = vec![0.0; groups.len() * k];
        potentials.par_chunks_mut(k).zip(&groups).with_max_len(16).for_each(|(out, group)| {
            ahead.potentials(key(group[0]), out, now.stop);
        });
        let mut of_row = vec![0u32; rows];
        for (state, group) in groups.iter().enumerate() {
            group.iter().for_each(|&row| of_row[row as usize] = state as u32);
        }
        let figure = |values: &[f64]| [values[0], excess(ahead, values)];
        let figures = potentials.par_chunks(k).map(figure).collect();
        channels.par_chunks_mut(k).enumerate().with_min_len(256).for_each(|(row, costs)| {
            let values = &potentials[of_row[row] as usize * k..][..k];
            let own = y[row] as usize;
            for (l, cost) in costs.iter_mut().enumerate().filter(|&(l, _)| l != own) {
                let leads = key(row as u32);
                let place = leads.partition_point(|&x| x < ahead.clipped(lead(row, l), leads[0]));
                *cost = values[place + 1] - values[0];
            }
        });
        Self { of_row, figures }
    }

    /// Whether all potentials are there: an end that was asked for may have come first.
    pub(super) fn whole(&self) -> bool {
        self.figures.iter().flatten().all(|figure| !figure.is_nan())
    }

    /// The potential of a row before the vote, and how much more guessing without an edge costs than the own class.
    pub(super) fn of(&self, row: usize, gamma: f64) -> [f64; 2] {
        let [own, excess] = self.figures[self.of_row[row] as usize];
        [own + (1.0 - gamma) * excess, excess]
    }
}

/// How much more guessing without an edge costs than a vote for the own class.
fn excess(ahead: &Ahead, values: &[f64]) -> f64 {
    match ahead {
        Ahead::Walk(_) | Ahead::Lead(_) => {
            values[1..].iter().map(|value| value - values[0]).sum::<f64>() / values.len() as f64
        }
        Ahead::Layers { .. } => worst_excess(values),
        Ahead::Over(_) => 0.0,
    }
}
