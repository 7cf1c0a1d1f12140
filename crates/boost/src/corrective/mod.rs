//! Totally corrective boosting: after every round the coefficients of *all* hypotheses are found anew.
//!
//! Hypotheses that name classes see rows only through what they say of them. Rows of one class of which all hypotheses say the same are one
//! pattern; how much such rows weigh is a sum of whole numbers, and patterns have an order of their own. So whatever is computed from them
//! depends neither on the order of rows nor on who has which of them, and takes no longer for rows that are there twice.
//!
//! The coefficients are a function of the hypotheses, not of the coefficients before: to resume a run, or to end it earlier, is to find
//! them again.

pub(crate) mod newton;
pub(crate) mod soft_margin;
mod symmetric;

use std::collections::BTreeMap;

use crate::model::answers::Answers;
use crate::model::ensemble::Term;
use crate::spec::booster::{RoundState, Target};

/// Bytes of a row in a hypothesis so far, where no two rows are alike: its cell, its place in a pattern, and what is gained on one wrong answer, twice.
pub(crate) const ROUND_BYTES: usize = 4 + 4 + 2 * 8;

/// A booster whose rounds change all coefficients.
pub trait Corrective {
    /// The coefficients of all hypotheses so far, of which each row is in a cell; and the next question, with its channels, where it does not
    /// follow from the scores.
    fn correct(
        &self,
        now: &RoundState<'_>,
        cells: &[Vec<u32>],
        channels: &mut Vec<f64>,
    ) -> (Vec<f64>, Option<Target>);

    /// What is proved once that is done, given the next question.
    fn proved(&self, next: &Target) -> Option<f64>;
}

/// The class of a row, and what each hypothesis says of it.
pub(crate) type Pattern = Vec<u32>;

/// Some wrong answers to the rows of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// Which pattern.
    pub pattern: usize,
    /// A class that some hypothesis says; `None` stands for all classes that none says.
    pub class: Option<u32>,
    /// How many classes these are.
    pub times: usize,
}

/// Rows as hypotheses see them.
pub(crate) struct Patterns {
    /// Each with the weight of its rows, ascending.
    pub seen: Vec<(Pattern, f64)>,
    /// What may be answered wrongly, pattern by pattern.
    pub wrongs: Vec<Wrong>,
    /// What each hypothesis gains on each of them: 1 if it says the own class, −1 if it says the wrong one (one class of them).
    pub gains: Vec<Vec<f64>>,
}

/// What each hypothesis says of a row, after the row's class.
fn pattern(now: &RoundState<'_>, cells: &[Vec<u32>], row: usize) -> Pattern {
    let says =
        |(terms, cells): (&Vec<Term>, &Vec<u32>)| match terms.first().map(|term| &term.hypothesis.answers) {
            Some(Answers::Labels(labels)) => labels[cells[row] as usize],
            _ => u32::MAX,
        };
    std::iter::once(now.classes()[row]).chain(now.past.iter().zip(cells).map(says)).collect()
}

impl Patterns {
    /// Of all rows with weight, wherever they are.
    pub(crate) fn new(now: &RoundState<'_>, cells: &[Vec<u32>]) -> Self {
        let mut units: BTreeMap<Pattern, u64> = BTreeMap::new();
        // Rows without weight are kept aside: they are not there.
        for (row, &unit) in now.totals.weights().units.iter().enumerate().filter(|(_, unit)| **unit > 0) {
            *units.entry(pattern(now, cells, row)).or_default() += u64::from(unit);
        }
        let exchange = now.totals.exchange();
        if !exchange.alone() {
            let own: Vec<u8> = units.iter().flat_map(|(pattern, units)| to_bytes(pattern, *units)).collect();
            let length = 8 + 4 * (1 + cells.len());
            units.clear();
            for bytes in exchange.gather(&own).iter().flat_map(|all| all.chunks_exact(length)) {
                let (pattern, unit) = from_bytes(bytes);
                *units.entry(pattern).or_default() += unit;
            }
        }
        let one = now.totals.weight() / now.totals.units() as f64;
        let seen: Vec<(Pattern, f64)> =
            units.into_iter().map(|(pattern, units)| (pattern, units as f64 * one)).collect();
        let wrongs = wrongs(&seen, now.labels.classes());
        let gain = |wrong: &Wrong, of: usize| {
            let pattern = &seen[wrong.pattern].0;
            let says = pattern[of + 1];
            f64::from(says == pattern[0]) - f64::from(wrong.class == Some(says))
        };
        let gains = (0..cells.len()).map(|of| wrongs.iter().map(|wrong| gain(wrong, of)).collect()).collect();
        Self { seen, wrongs, gains }
    }

    /// Writes into the channels of each row what it costs to say each class, if the wrong answers have these weights.
    pub(crate) fn costs(
        &self,
        now: &RoundState<'_>,
        cells: &[Vec<u32>],
        weights: &[f64],
        channels: &mut Vec<f64>,
    ) {
        let k = now.labels.classes();
        let mut costs = vec![0.0; self.seen.len() * k];
        for (wrong, weight) in self.wrongs.iter().zip(weights) {
            let (pattern, rows) = &self.seen[wrong.pattern];
            let each = weight / (rows * wrong.times as f64);
            let out = &mut costs[wrong.pattern * k..][..k];
            let own = pattern[0] as usize;
            let meant = |l: usize| match wrong.class {
                Some(class) => l == class as usize,
                None => l != own && !pattern.contains(&(l as u32)),
            };
            (0..k).filter(|&l| meant(l)).for_each(|l| out[l] += each);
            out[own] -= weight / rows;
        }
        channels.clear();
        channels.resize(now.scores.rows() * k, 0.0);
        for (row, out) in channels.chunks_exact_mut(k).enumerate() {
            let own = pattern(now, cells, row);
            if let Ok(at) = self.seen.binary_search_by(|(pattern, _)| pattern.cmp(&own)) {
                out.copy_from_slice(&costs[at * k..][..k]);
            }
        }
    }
}

/// The wrong classes that hypotheses say of each pattern, and those that none says.
fn wrongs(seen: &[(Pattern, f64)], k: usize) -> Vec<Wrong> {
    let mut all = Vec::new();
    for (pattern, (says, _)) in seen.iter().enumerate() {
        let mut named: Vec<u32> = says[1..].iter().copied().filter(|&l| l != says[0]).collect();
        named.sort_unstable();
        named.dedup();
        let others = (k - 1).saturating_sub(named.len());
        all.extend(named.into_iter().map(|l| Wrong { pattern, class: Some(l), times: 1 }));
        if others > 0 {
            all.push(Wrong { pattern, class: None, times: others });
        }
    }
    all
}

fn to_bytes(pattern: &[u32], units: u64) -> Vec<u8> {
    units.to_le_bytes().into_iter().chain(pattern.iter().flat_map(|l| l.to_le_bytes())).collect()
}

fn from_bytes(bytes: &[u8]) -> (Pattern, u64) {
    let (units, pattern) = bytes.split_at(8);
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
    (pattern.chunks_exact(4).map(|bytes| number(bytes) as u32).collect(), number(units))
}
