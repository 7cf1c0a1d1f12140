//! Votes in epochs, each of which takes classes off the list of every row (AdaBoost.Iter).
//!
//! A row of scores has 2k numbers: the votes F(x, a) of the epoch under way, and the standing of each class. A class that is
//! still on the row's list stands at the number c of epochs in which it had more than its share of the votes; one that was
//! taken off stands at −1 − c. What a hypothesis says of a row depends on that list, and the last hypothesis of an epoch
//! ends it: so terms do not commute, and are always applied in the order in which they were found.

use serde::{Deserialize, Serialize};

use crate::engine::scores::applied;

/// What the cells of a hypothesis say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ballot {
    /// A weight for each class: the vote is for the heaviest class on the row's list.
    Weights {
        /// Number of classes.
        classes: u32,
        /// Cell after cell.
        values: Vec<f64>,
    },
    /// A place on the row's list, from 0: the vote is for the class in this place.
    Places(Vec<u32>),
}

/// Which classes the end of an epoch takes off a row's list. Ψ(x, a) = n F(x, a) − Σ F(x, ·) over the n classes on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Eliminate {
    /// The class of the least Ψ; the last of equals.
    #[default]
    Argmin,
    /// The last class whose Ψ is negative; where there is none, as `Argmin`.
    LastNegative,
}

/// The end of an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Close {
    /// How many classes are taken off each list, as long as one is left.
    pub drop: u32,
    /// Which.
    pub eliminate: Eliminate,
}

/// One hypothesis's part in an epoch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Election {
    /// What the cells say.
    pub ballot: Ballot,
    /// Whether the votes of the epoch so far are forgotten first.
    pub alone: bool,
    /// Whether the epoch ends with it.
    pub close: Option<Close>,
}

impl From<Ballot> for Election {
    fn from(ballot: Ballot) -> Self {
        Self { ballot, alone: false, close: None }
    }
}

impl Election {
    /// Number of cells.
    pub fn len(&self) -> usize {
        match &self.ballot {
            Ballot::Weights { classes, values } => values.len() / (*classes).max(1) as usize,
            Ballot::Places(places) => places.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a cell says, as votes for classes (or for places).
    pub fn write(&self, cell: usize, votes: &mut [f64]) {
        match &self.ballot {
            Ballot::Weights { classes, values } => {
                let classes = *classes as usize;
                votes[..classes].copy_from_slice(&values[cell * classes..][..classes]);
            }
            Ballot::Places(places) => votes[places[cell] as usize] = 1.0,
        }
    }

    /// With a step, ready to be applied to rows of `width` scores.
    pub fn applied(&self, alpha: f64, width: usize) -> AppliedElection {
        let classes = width / 2;
        let (ranked, places) = match &self.ballot {
            Ballot::Weights { values, .. } => {
                let ranks = |weights: &[f64]| {
                    let mut ranks: Vec<u32> = (0..classes as u32).collect();
                    // Stable: the first of equals comes first.
                    ranks.sort_by(|&a, &b| weights[b as usize].total_cmp(&weights[a as usize]));
                    ranks
                };
                (true, values.chunks_exact(classes.max(1)).flat_map(ranks).collect())
            }
            Ballot::Places(places) => (false, places.clone()),
        };
        let value = applied(alpha, 1.0);
        AppliedElection { classes, ranked, places, value, alone: self.alone, close: self.close }
    }
}

/// One hypothesis's part in an epoch, the step included.
#[derive(Clone, Debug, PartialEq)]
pub struct AppliedElection {
    classes: usize,
    /// Whether `places` has the classes of each cell, heaviest first; else it has one place a cell.
    ranked: bool,
    places: Vec<u32>,
    value: f64,
    alone: bool,
    close: Option<Close>,
}

impl AppliedElection {
    /// The class that a cell votes for in a row of scores.
    #[inline]
    pub fn choice(&self, cell: usize, scores: &[f64]) -> Option<usize> {
        let standing = &scores[self.classes..];
        let listed = |&class: &usize| standing[class] >= 0.0;
        if self.ranked {
            let ranks = &self.places[cell * self.classes..(cell + 1) * self.classes];
            ranks.iter().map(|&class| class as usize).find(listed)
        } else {
            (0..self.classes).filter(listed).nth(self.places[cell] as usize)
        }
    }

    /// Adds a cell's vote to a row of scores, and ends the epoch if it is the last one.
    #[inline]
    pub fn add(&self, cell: usize, scores: &mut [f64]) {
        if self.alone {
            scores[..self.classes].fill(0.0);
        }
        if let Some(class) = self.choice(cell, scores) {
            scores[class] += self.value;
        }
        if let Some(close) = self.close {
            close.end_epoch(scores);
        }
    }
}

impl Close {
    /// Counts the epoch, takes classes off the list and clears the votes.
    pub(crate) fn end_epoch(self, scores: &mut [f64]) {
        let (votes, standing) = scores.split_at_mut(scores.len() / 2);
        let (n, sum) = tally(votes, standing);
        for (&vote, c) in votes.iter().zip(standing.iter_mut()) {
            *c += f64::from(u8::from(*c >= 0.0 && n * vote > sum));
        }
        for _ in 0..(n as usize).saturating_sub(1).min(self.drop as usize) {
            let (mut least, mut negative): (Option<usize>, Option<usize>) = (None, None);
            for (class, &vote) in votes.iter().enumerate() {
                if standing[class] >= 0.0 {
                    if least.is_none_or(|least| vote <= votes[least]) {
                        least = Some(class);
                    }
                    if n * vote < sum {
                        negative = Some(class);
                    }
                }
            }
            let out = match self.eliminate {
                Eliminate::Argmin => least,
                Eliminate::LastNegative => negative.or(least),
            };
            if let Some(out) = out {
                standing[out] = -1.0 - standing[out];
            }
        }
        votes.fill(0.0);
    }
}

/// The number of classes on a row's list, and the sum of their votes. Both are exact, in whatever order they are added: votes are multiples
/// of one small number, and so is n F, so equal votes give equal Ψ.
#[inline]
pub(crate) fn tally(votes: &[f64], standing: &[f64]) -> (f64, f64) {
    const LANES: usize = 4;
    let (mut n, mut sum) = ([0.0; LANES], [0.0; LANES]);
    for (votes, standing) in votes.chunks(LANES).zip(standing.chunks(LANES)) {
        for (lane, (&vote, &c)) in votes.iter().zip(standing).enumerate() {
            n[lane] += if c >= 0.0 { 1.0 } else { 0.0 };
            sum[lane] += if c >= 0.0 { vote } else { 0.0 };
        }
    }
    (n.iter().sum(), sum.iter().sum())
}

/// The epochs in which each class had more than its share of the votes (section 5.4), the one under way included.
pub(crate) fn counts(scores: &[f64], out: &mut Vec<f64>) {
    let (votes, standing) = scores.split_at(scores.len() / 2);
    let (n, sum) = tally(votes, standing);
    let count = |(&vote, &c): (&f64, &f64)| {
        if c >= 0.0 { c + f64::from(u8::from(n * vote > sum)) } else { -1.0 - c }
    };
    out.clear();
    out.extend(votes.iter().zip(standing).map(count));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(votes: [f64; 4], standing: [f64; 4]) -> Vec<f64> {
        [votes, standing].concat()
    }

    fn closed(close: Close, votes: [f64; 4], standing: [f64; 4]) -> Vec<f64> {
        let mut row = row(votes, standing);
        close.end_epoch(&mut row);
        assert!(row[..4].iter().all(|&vote| vote == 0.0));
        row.split_off(4)
    }

    #[test]
    fn an_epoch_takes_off_what_its_rule_says() {
        let argmin = Close { drop: 1, eliminate: Eliminate::Argmin };
        let last = Close { drop: 1, eliminate: Eliminate::LastNegative };
        // The last of equals; those above the mean of 1 are counted.
        assert_eq!(closed(argmin, [3.0, 0.0, 0.0, 1.0], [0.0; 4]), [1.0, 0.0, -1.0, 0.0]);
        assert_eq!(closed(last, [3.0, 0.0, 0.5, 0.5], [0.0; 4]), [1.0, 0.0, 0.0, -1.0]);
        // Without votes nothing is negative, and the last class goes.
        assert_eq!(closed(last, [0.0; 4], [2.0, 1.0, 0.0, -1.0]), [2.0, 1.0, -1.0, -1.0]);
        // Classes that are off the list stay as they are.
        assert_eq!(closed(argmin, [1.0, 2.0, 0.0, 0.0], [1.0, 0.0, -3.0, -1.0]), [-2.0, 1.0, -3.0, -1.0]);
    }

    #[test]
    fn one_class_always_stays() {
        for eliminate in [Eliminate::Argmin, Eliminate::LastNegative] {
            let close = Close { drop: 9, eliminate };
            assert_eq!(closed(close, [0.5, 2.0, 1.0, 0.0], [0.0; 4]), [-1.0, 1.0, -2.0, -1.0]);
            assert_eq!(closed(close, [0.0; 4], [-1.0, 4.0, -1.0, -1.0]), [-1.0, 4.0, -1.0, -1.0]);
        }
    }

    #[test]
    fn an_open_epoch_counts_as_if_it_were_over() {
        let mut out = Vec::new();
        counts(&row([3.0, 1.0, 0.0, 0.0], [1.0, 2.0, -3.0, 0.0]), &mut out);
        assert_eq!(out, [2.0, 2.0, 2.0, 0.0]);
    }

    #[test]
    fn votes_go_to_classes_on_the_list() {
        let weights = Ballot::Weights { classes: 4, values: vec![0.1, 0.4, 0.4, 0.0] };
        let ranked = Election::from(weights).applied(1.0, 8);
        assert_eq!(ranked.choice(0, &row([0.0; 4], [0.0; 4])), Some(1));
        assert_eq!(ranked.choice(0, &row([0.0; 4], [0.0, -1.0, -1.0, 0.0])), Some(0));
        assert_eq!(ranked.choice(0, &row([0.0; 4], [-1.0; 4])), None);
        let placed = Election::from(Ballot::Places(vec![1])).applied(1.0, 8);
        assert_eq!(placed.choice(0, &row([0.0; 4], [0.0, -1.0, 0.0, 0.0])), Some(2));
        assert_eq!(placed.choice(0, &row([0.0; 4], [-1.0, -1.0, -1.0, 0.0])), None);
        let mut scores = row([7.0; 4], [0.0, -1.0, 0.0, 0.0]);
        AppliedElection { alone: true, ..placed }.add(0, &mut scores);
        assert_eq!(scores[..4], [0.0, 0.0, 1.0, 0.0]);
    }
}
