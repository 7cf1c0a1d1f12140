//! The test of a node, by gain ratio.
//!
//! ```text
//! gain  = known/W (info(T) − Σ Wᵥ/known info(Tᵥ)),   less log₂(thresholds that were tried)/W for numbers
//! ratio = gain / split info,   split info = −Σ Wᵥ/W log₂ Wᵥ/W over branches, and over the rows with a missing value
//! ```
//!
//! The best ratio wins among the tests whose gain is not below the average.

use manyboost_kernel::Order;
use manyboost_kernel::numbers::math::ln;

/// What counts as nothing.
const EPSILON: f64 = 1e-3;

/// A test of one feature.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// Codes up to `low` go to the first branch; `high` is the next one that occurs.
    AtMost { low: u32, high: u32 },
    /// A branch for each of these levels, ascending.
    Levels(Vec<u32>),
}

/// A test with what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub gain: f64,
    pub split_info: f64,
    pub test: Test,
}

/// The weights of classes in a node, code by code of one feature; the last code is that of missing values.
pub(super) struct Counts<'a> {
    pub order: Order,
    pub cells: &'a [i64],
    pub classes: usize,
}

fn log2(x: f64) -> f64 {
    ln(x) / std::f64::consts::LN_2
}

/// W log₂ W − Σ wᵢ log₂ wᵢ: what it takes to say which part a row is in, for all rows together.
fn info(parts: impl Iterator<Item = f64>) -> f64 {
    let (mut all, mut sum) = (0.0, 0.0);
    for part in parts.filter(|&part| part > 0.0) {
        all += part;
        sum += part * log2(part);
    }
    if all > 0.0 { all * log2(all) - sum } else { 0.0 }
}

impl Counts<'_> {
    /// The best test, each unit of weight being worth `unit` rows; `None` if there is none that gains anything.
    pub(super) fn best(&self, unit: f64, min_rows: f64) -> Option<Candidate> {
        let (known, missing) = self.cells.split_at(self.cells.len() - self.classes);
        let rows = |sums: &[i64]| sums.iter().sum::<i64>() as f64 * unit;
        let info_of = |sums: &[i64]| info(sums.iter().map(|&w| w as f64 * unit));
        let mut total = vec![0i64; self.classes];
        known.chunks_exact(self.classes).for_each(|cell| add(&mut total, cell));
        let (items, gone) = (rows(&total), rows(missing));
        let all = items + gone;
        let codes: Vec<u32> = (0..)
            .zip(known.chunks_exact(self.classes))
            .filter(|(_, cell)| occurs(cell))
            .map(|(code, _)| code)
            .collect();
        if items <= 0.0 || codes.len() < 2 {
            return None;
        }
        let base = info_of(&total);
        match self.order {
            Order::Nominal => {
                let branches = || codes.iter().map(|&code| self.cell(code));
                if branches().filter(|cell| rows(cell) >= min_rows).count() < 2 {
                    return None;
                }
                let gain = (base - branches().map(info_of).sum::<f64>()) / all;
                let split_info = info(branches().map(rows).chain([gone])) / all;
                Some(Candidate { gain, split_info, test: Test::Levels(codes) })
            }
            Order::Ordered => {
                let classes = self.classes as f64;
                let least = (0.1 * items / classes).min(25.0).max(min_rows);
                let mut left = vec![0i64; self.classes];
                let (mut best, mut tries): (Option<Candidate>, u32) = (None, 0);
                for pair in codes.windows(2) {
                    add(&mut left, self.cell(pair[0]));
                    let low = rows(&left);
                    if low < least || items - low < least {
                        continue;
                    }
                    tries += 1;
                    let right: Vec<i64> = total.iter().zip(&left).map(|(all, left)| all - left).collect();
                    let gain = (base - info_of(&left) - info_of(&right)) / all;
                    if best.as_ref().is_none_or(|best| gain > best.gain) {
                        let split_info = info([low, items - low, gone].into_iter()) / all;
                        best = Some(Candidate {
                            gain,
                            split_info,
                            test: Test::AtMost { low: pair[0], high: pair[1] },
                        });
                    }
                }
                let mut best = best?;
                best.gain -= log2(f64::from(tries)) / all;
                (best.gain > 0.0).then_some(best)
            }
        }
    }

    fn cell(&self, code: u32) -> &[i64] {
        &self.cells[code as usize * self.classes..][..self.classes]
    }
}

fn occurs(cell: &[i64]) -> bool {
    cell.iter().any(|&w| w > 0)
}

fn add(sums: &mut [i64], cell: &[i64]) {
    sums.iter_mut().zip(cell).for_each(|(sum, x)| *sum += x);
}

/// The feature to test, given the best test of each. A category with nearly as many levels as rows says nothing of others: it does not count
/// for the average (`many` says of which features this is so), unless all are such.
pub(super) fn choose(candidates: &[Option<Candidate>], many: impl Fn(usize) -> bool) -> Option<usize> {
    let there =
        || candidates.iter().enumerate().filter_map(|(feature, found)| Some((feature, found.as_ref()?)));
    let only_many = there().all(|(feature, _)| many(feature));
    let gains: Vec<f64> =
        there().filter(|&(feature, _)| only_many || !many(feature)).map(|(_, found)| found.gain).collect();
    let average = gains.iter().sum::<f64>() / gains.len() as f64;
    let mut best: Option<(usize, f64)> = None;
    for (feature, found) in there() {
        if found.gain >= average - EPSILON && found.split_info > EPSILON {
            let ratio = found.gain / found.split_info;
            if best.is_none_or(|(_, most)| ratio > most) {
                best = Some((feature, ratio));
            }
        }
    }
    best.map(|(feature, _)| feature)
}
