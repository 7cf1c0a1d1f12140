//! Numbers become bins: the code of `x` is the number of cuts below `x`, so `x ≤ cuts[b]` ⇔ code ≤ `b`.

use manyboost_kernel::bins::{Codes, Feature, Order};
use serde::{Deserialize, Serialize};

use super::cuts;
use super::pack;
use crate::table::Numbers;

/// A value by its key, and what all rows with it weigh.
pub(super) type Run = (u64, u64);

/// Neighbouring values with a cut between them.
pub(super) type Gaps = Vec<(f64, f64)>;

/// The cuts of a numeric feature, strictly ascending. They are for training only: trees compare the numbers
/// themselves, so a model file keeps nothing of this.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NumberCodec {
    #[serde(skip)]
    cuts: Vec<f64>,
    /// The values on either side of each cut.
    #[serde(skip)]
    gaps: Vec<(f64, f64)>,
}

impl NumberCodec {
    /// Without any cut.
    pub(super) const NONE: Self = Self { cuts: Vec::new(), gaps: Vec::new() };

    /// Chooses the cuts for a dense column of weighted rows; also says whether there is any value at all.
    pub(super) fn fit(numbers: &Numbers, units: &[u32], uniform: bool, bins: u32) -> (Self, bool) {
        let gaps = match numbers {
            Numbers::I8(v) => counted::<_, 128>(v, units, bins),
            Numbers::I16(v) => counted::<_, 32_768>(v, units, bins),
            Numbers::I32(v) => sorted(v, units, uniform, bins, |&v| (v != i32::MIN).then_some(v), f64::from),
            Numbers::F32(v) => sorted(v, units, uniform, bins, |&v| key32(v), |k| f64::from(value32(k))),
            Numbers::F64(v) => sorted(v, units, uniform, bins, |&v| key64(v), value64),
        };
        Self::new(gaps)
    }

    /// Cuts halfway between neighbouring values; also says whether there is any value at all.
    pub(super) fn new(gaps: Option<Gaps>) -> (Self, bool) {
        let any = gaps.is_some();
        let gaps = gaps.unwrap_or_default();
        (Self { cuts: gaps.iter().map(|&(a, b)| cuts::midpoint(a, b)).collect(), gaps }, any)
    }

    /// Chooses the cuts for a column that is zero wherever it is not listed; `total` is the sum of all `units`.
    pub(super) fn fit_sparse(entries: &[(u32, f64)], units: &[u32], total: u64, bins: u32) -> (Self, bool) {
        if entries.is_empty() {
            // Most of millions of columns: nothing but zeros.
            return Self::new((total > 0).then(Vec::new));
        }
        let unit = |row: u32| u64::from(units[row as usize]);
        let mut listed: Vec<(u64, u64)> =
            entries.iter().filter_map(|&(row, value)| Some((key64(value)?, unit(row)))).collect();
        let zeros = total - entries.iter().map(|&(row, _)| unit(row)).sum::<u64>();
        if zeros > 0 {
            listed.extend(key64(0.0).map(|key| (key, zeros)));
        }
        Self::new(gaps_of(listed, value64, bins))
    }

    /// The distinct values of a dense column, ascending.
    pub(super) fn runs(numbers: &Numbers, units: &[u32]) -> Vec<Run> {
        let keys = units.iter().enumerate();
        runs(keys.filter_map(|(row, &unit)| Some((key64(numbers.get(row))?, u64::from(unit)))).collect())
    }

    /// The distinct values of a column that is zero wherever it is not listed, ascending.
    pub(super) fn runs_sparse(entries: &[(u32, f64)], units: &[u32]) -> Vec<Run> {
        let unit = |row: u32| u64::from(units[row as usize]);
        let mut zeros = units.iter().map(|&u| u64::from(u)).sum::<u64>();
        let mut listed = Vec::with_capacity(entries.len() + 1);
        for &(row, value) in entries {
            zeros -= unit(row);
            listed.extend(key64(value).map(|key| (key, unit(row))));
        }
        listed.extend(key64(0.0).filter(|_| zeros > 0).map(|key| (key, zeros)));
        runs(listed)
    }

    /// The gaps between values that are in any order, and some of them there more than once; `None` if there are none.
    pub(super) fn gaps_of_runs(runs: Vec<Run>, bins: u32) -> Option<Gaps> {
        gaps_of(runs, value64, bins)
    }

    /// The cuts.
    pub fn cuts(&self) -> &[f64] {
        &self.cuts
    }

    /// A number halfway between the largest value with code `low` and the smallest with code `high`, or any larger code
    /// if there is no `high`.
    pub fn between(&self, low: u32, high: Option<u32>) -> f64 {
        let Some(high) = high else { return f64::MAX };
        let below = self.gaps.get(low as usize);
        let above = (high as usize).checked_sub(1).and_then(|gap| self.gaps.get(gap));
        match (below, above) {
            (Some(&(a, _)), Some(&(_, b))) => cuts::midpoint(a, b),
            _ => f64::MAX,
        }
    }

    /// How many codes stand for training values up to a threshold.
    pub fn codes_up_to(&self, threshold: f64) -> u32 {
        self.gaps.partition_point(|&(below, _)| below <= threshold) as u32
            + u32::from(self.gaps.last().is_none_or(|&(_, above)| above <= threshold))
    }

    /// A threshold that parts no bin: the given one, or the upper cut of the bins below it if training values of one bin lie on both
    /// of its sides. Codes then say of every training value on which side of it it is.
    pub fn beside_bins(&self, threshold: f64) -> f64 {
        let below = self.codes_up_to(threshold) as usize;
        match below.checked_sub(1).and_then(|last| self.gaps.get(last)) {
            Some(&(_, above)) if above <= threshold => self.cuts[below - 1],
            _ => threshold,
        }
    }

    /// Number of bins.
    pub fn bins(&self) -> u32 {
        self.cuts.len() as u32 + 1
    }

    /// The code of a number; NaN is missing.
    pub fn code(&self, x: f64) -> u32 {
        if x.is_nan() { self.bins() } else { self.cuts.partition_point(|&cut| cut < x) as u32 }
    }

    /// The codes of a dense column.
    pub(super) fn encode(&self, numbers: &Numbers) -> (Feature, Codes) {
        let bins = self.bins();
        match numbers {
            Numbers::I8(v) => pack(Order::Ordered, bins, self.looked_up::<_, 128>(v)),
            Numbers::I16(v) => pack(Order::Ordered, bins, self.looked_up::<_, 32_768>(v)),
            _ => pack(Order::Ordered, bins, (0..numbers.len()).map(|row| self.code(numbers.get(row)))),
        }
    }

    /// The codes of a column that is zero wherever it is not listed.
    pub(super) fn encode_sparse(&self, entries: &[(u32, f64)]) -> (Feature, Codes) {
        let (bins, default) = (self.bins(), self.code(0.0));
        let entries: Vec<(u32, u32)> = entries
            .iter()
            .map(|&(row, x)| (row, self.code(x)))
            .filter(|&(_, code)| code != default)
            .collect();
        let missing = entries.iter().any(|&(_, code)| code == bins);
        (Feature { order: Order::Ordered, bins, missing }, Codes::Sparse { default, entries })
    }

    /// Codes of small integers by a table of all of them; the smallest one is missing.
    fn looked_up<'a, T: Copy + Into<i32>, const HALF: i32>(
        &self,
        values: &'a [T],
    ) -> impl Iterator<Item = u32> + 'a {
        let code = |v: i32| if v == -HALF { self.bins() } else { self.code(f64::from(v)) };
        let table: Vec<u32> = (-HALF..HALF).map(code).collect();
        values.iter().map(move |&v| table[(v.into() + HALF) as usize])
    }
}

/// Gaps between small integers, by counting each of them; `None` if all are missing.
fn counted<T: Copy + Into<i32>, const HALF: i32>(values: &[T], units: &[u32], bins: u32) -> Option<Gaps> {
    let mut weights = vec![0u64; 2 * HALF as usize];
    for (&value, &unit) in values.iter().zip(units) {
        weights[(value.into() + HALF) as usize] += u64::from(unit);
    }
    weights[0] = 0;
    let runs = weights.iter().zip(-HALF..).filter(|&(&w, _)| w > 0).map(|(&w, v)| (f64::from(v), w));
    runs.clone().next()?;
    Some(cuts::gaps(runs, bins))
}

/// Gaps between any numbers, by sorting their keys; `None` if all are missing.
fn sorted<T, K: Copy + Ord>(
    values: &[T],
    units: &[u32],
    uniform: bool,
    bins: u32,
    key: impl Fn(&T) -> Option<K>,
    value: impl Fn(K) -> f64 + Copy,
) -> Option<Gaps> {
    if uniform {
        let keys = values.iter().filter_map(|v| Some((key(v)?, ()))).collect();
        gaps_of(keys, value, bins)
    } else {
        let keys = values.iter().zip(units).filter_map(|(v, &u)| Some((key(v)?, u))).collect();
        gaps_of(keys, value, bins)
    }
}

/// Gaps between keys with their weights; `None` if there are none.
fn gaps_of<K: Copy + Ord, U: Units>(
    mut keys: Vec<(K, U)>,
    value: impl Fn(K) -> f64 + Copy,
    bins: u32,
) -> Option<Gaps> {
    keys.sort_unstable_by_key(|&(key, _)| key);
    keys.first()?;
    Some(cuts::gaps(Sorted { rest: &keys, value }, bins))
}

/// Values in their order, each once.
fn runs(mut keys: Vec<Run>) -> Vec<Run> {
    keys.sort_unstable_by_key(|&(key, _)| key);
    keys.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    keys
}

/// A weight beside a key; nothing means 1 and takes no room.
trait Units: Copy {
    fn units(self) -> u64;
}

impl Units for () {
    fn units(self) -> u64 {
        1
    }
}

impl Units for u32 {
    fn units(self) -> u64 {
        self.into()
    }
}

impl Units for u64 {
    fn units(self) -> u64 {
        self
    }
}

/// The runs of equal keys of a sorted list.
#[derive(Clone)]
struct Sorted<'a, K, U, F> {
    rest: &'a [(K, U)],
    value: F,
}

impl<K: Copy + Ord, U: Units, F: Fn(K) -> f64> Iterator for Sorted<'_, K, U, F> {
    type Item = (f64, u64);

    fn next(&mut self) -> Option<(f64, u64)> {
        let key = self.rest.first()?.0;
        let end = self.rest.iter().position(|item| item.0 != key).unwrap_or(self.rest.len());
        let (run, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(((self.value)(key), run.iter().map(|item| item.1.units()).sum()))
    }
}

/// An integer in the order of the floats; −0 and 0 have the same, NaN has none.
fn key32(x: f32) -> Option<u32> {
    let bits = (x + 0.0).to_bits();
    (!x.is_nan()).then_some(if bits >> 31 == 0 { bits | 1 << 31 } else { !bits })
}

fn value32(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key & !(1 << 31) } else { !key })
}

fn key64(x: f64) -> Option<u64> {
    let bits = (x + 0.0).to_bits();
    (!x.is_nan()).then_some(if bits >> 63 == 0 { bits | 1 << 63 } else { !bits })
}

fn value64(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

#[cfg(test)]
#[path = "numeric_tests.rs"]
mod tests;
