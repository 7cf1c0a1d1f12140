//! Random tables, and the naive twin of the split search: plain loops over rows, every cut tried.
#![allow(dead_code, reason = "each test file uses a part")]

use manyboost_kernel::search::score::{Entropy, Gini, LeastCost, LeastSquares, Newton};
use manyboost_kernel::{
    Alone, Bins, BinsBuilder, Channels, Codes, Criterion, Cut, Exchange, Feature, Order, Precision,
    RowWeights, Rules, Search, Searchable, Seed, Sides, Statistics, Sum,
};
use proptest::prelude::*;

/// A column and how it is handed over.
#[derive(Clone, Debug)]
pub struct Column {
    pub feature: Feature,
    pub codes: Vec<u32>,
    pub layout: Layout,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layout {
    Bytes,
    U32,
    Sparse(u32),
}

impl Column {
    pub fn given(&self) -> Codes {
        match self.layout {
            Layout::Bytes => Codes::Bytes(self.codes.iter().map(|&c| c as u8).collect()),
            Layout::U32 => Codes::U32(self.codes.clone()),
            Layout::Sparse(default) => {
                let others = self.codes.iter().enumerate().filter(|&(_, &c)| c != default);
                Codes::Sparse { default, entries: others.map(|(r, &c)| (r as u32, c)).collect() }
            }
        }
    }
}

/// What a random table looks like.
#[derive(Clone, Debug)]
pub struct Shape {
    pub seed: u64,
    pub rows: usize,
    pub kinds: Vec<u8>,
    pub bins: u32,
    pub channels: usize,
    pub one_hot: bool,
    pub most_weight: u32,
}

/// Shapes of small tables; `kinds` names columns as in [`column`].
pub fn shapes(kinds: std::ops::Range<u8>) -> impl Strategy<Value = Shape> {
    (
        any::<u64>(),
        1..160usize,
        prop::collection::vec(kinds, 1..6),
        prop_oneof![1..4u32, 2..30u32, 100..256u32],
        prop_oneof![1..10usize, 26..32usize],
        any::<bool>(),
        prop_oneof![Just(1u32), 2..9u32],
    )
        .prop_map(|(seed, rows, kinds, bins, channels, one_hot, most_weight)| Shape {
            seed,
            rows,
            kinds,
            bins,
            channels,
            one_hot,
            most_weight,
        })
}

/// Kinds 0..5 are ordered, 5..8 nominal: bytes, bytes with missing, `u32`, sparse, mostly one code.
fn column(kind: u8, bins: u32, rows: usize, seed: Seed) -> Column {
    let order = if kind < 5 { Order::Ordered } else { Order::Nominal };
    let missing = matches!(kind, 1 | 3 | 6 | 7);
    let bins = match kind {
        2 => bins * 3,
        _ => bins.min(255),
    };
    let feature = Feature { order, bins, missing };
    let default = seed.part(1).below(u64::from(feature.codes())) as u32;
    let mostly = match kind {
        3 | 7 => 0.7,
        4 => 0.9,
        _ => 0.0,
    };
    let code = |row: usize| {
        let draw = seed.part(2).part(row as u64);
        match draw.unit() {
            u if u < mostly => default,
            u if u > 0.85 && missing => bins,
            _ => draw.part(3).below(u64::from(feature.codes())) as u32,
        }
    };
    let layout = match kind {
        2 => Layout::U32,
        3 | 7 => Layout::Sparse(default),
        _ => Layout::Bytes,
    };
    Column { feature, codes: (0..rows).map(code).collect(), layout }
}

#[derive(Clone, Debug)]
pub struct Table {
    pub rows: usize,
    pub columns: Vec<Column>,
    pub values: Vec<f64>,
    pub labels: Option<Vec<u32>>,
    pub channels: usize,
    pub units: Vec<u32>,
}

impl Table {
    pub fn new(shape: &Shape) -> Self {
        let seed = Seed::new(shape.seed);
        let columns = shape.kinds.iter().enumerate();
        let columns: Vec<Column> =
            columns.map(|(i, &kind)| column(kind, shape.bins, shape.rows, seed.part(i as u64))).collect();
        let label = |row: usize| seed.part(101).part(row as u64).below(shape.channels as u64) as u32;
        let labels = shape.one_hot.then(|| (0..shape.rows).map(label).collect());
        let numbers = if shape.one_hot { shape.rows } else { shape.rows * shape.channels };
        // Some values in common with the first column, so that cuts differ in worth; few digits, so that some tie.
        let value = |i: usize| {
            let noise = (seed.part(102).part(i as u64).unit() * 16.0).floor() / 8.0 - 1.0;
            let row = if shape.one_hot { i } else { i / shape.channels };
            noise + f64::from(columns[0].codes[row] % 5) * 0.25
        };
        let unit =
            |row: usize| 1 + seed.part(103).part(row as u64).below(u64::from(shape.most_weight)) as u32;
        let values = (0..numbers).map(value).collect();
        let units = (0..shape.rows).map(unit).collect();
        Self { rows: shape.rows, values, labels, channels: shape.channels, units, columns }
    }

    pub fn bins(&self) -> Bins {
        self.bins_among(&Alone)
    }

    pub fn bins_among(&self, exchange: &dyn Exchange) -> Bins {
        let mut builder = BinsBuilder::new(self.rows);
        builder.push_among(self.columns.iter().map(|c| (c.feature, c.given())).collect(), exchange);
        builder.finish_among(exchange)
    }

    pub fn statistics(&self) -> Statistics<'_> {
        let (values, width) = (self.values.as_slice(), self.channels);
        match &self.labels {
            Some(labels) => Statistics::OneHot { values, labels, width },
            None => Statistics::Dense { values, width },
        }
    }

    pub fn channels(&self, precision: Precision) -> Channels {
        let mut channels = Channels::default();
        let weights = RowWeights { units: &self.units, step: 0.5 };
        channels.quantise(&self.statistics(), weights, precision, 7, &Alone);
        channels
    }

    /// The rows of this table in another order, or some of them, or some repeatedly.
    pub fn select(&self, rows: &[usize]) -> Self {
        let per_row = if self.labels.is_some() { 1 } else { self.channels };
        let mut other = self.clone();
        other.rows = rows.len();
        other.columns.iter_mut().zip(&self.columns).for_each(|(to, from)| {
            to.codes = rows.iter().map(|&r| from.codes[r]).collect();
        });
        other.values =
            rows.iter().flat_map(|&r| &self.values[r * per_row..(r + 1) * per_row]).copied().collect();
        other.labels = self.labels.as_ref().map(|labels| rows.iter().map(|&r| labels[r]).collect());
        other.units = rows.iter().map(|&r| self.units[r]).collect();
        other
    }

    pub fn all_rows(&self) -> Vec<u32> {
        (0..self.rows as u32).collect()
    }
}

pub fn criteria() -> Vec<Box<dyn Criterion>> {
    vec![
        Box::new(LeastCost),
        Box::new(Gini),
        Box::new(Entropy),
        Box::new(Newton { ridge: 1.0 }),
        Box::new(LeastSquares),
    ]
}

pub const ALL: Rules = Rules { min_weight: 1, equality: true, min_level: 1, features: 1.0, cuts: 0 };

/// The integer sums of each row, by themselves.
pub fn units_of<S: Searchable>(search: &Search<'_, S>, rows: usize) -> Vec<Vec<i64>> {
    (0..rows as u32).map(|row| search.total(&[row]).into_iter().map(Sum::to_i64).collect()).collect()
}

/// Whether a code goes left: the definition.
pub fn goes_left(cut: &Cut, feature: Feature, code: u32) -> bool {
    if code == feature.bins {
        return cut.missing_left;
    }
    match &cut.sides {
        Sides::AtMost { low, .. } => code <= *low,
        Sides::Levels(levels) => levels.contains(&code),
    }
}

/// The naive twin.
pub struct Twin<'a> {
    pub table: &'a Table,
    pub units: Vec<Vec<i64>>,
    pub steps: &'a [f64],
    pub criterion: &'a dyn Criterion,
    pub rules: Rules,
}

fn beats(score: f64, best: f64) -> bool {
    score < best - 1e-12 * best.abs().max(score.abs())
}

impl Twin<'_> {
    pub fn sums(&self, rows: impl Iterator<Item = u32>) -> Vec<i64> {
        let mut sums = vec![0i128; self.steps.len()];
        for row in rows {
            sums.iter_mut().zip(&self.units[row as usize]).for_each(|(sum, &x)| *sum += i128::from(x));
        }
        sums.into_iter().map(|sum| i64::try_from(sum).expect("sums fit")).collect()
    }

    pub fn score(&self, sums: &[i64]) -> f64 {
        let floats: Vec<f64> = sums.iter().zip(self.steps).map(|(&s, step)| s as f64 * step).collect();
        self.criterion.of(&floats)
    }

    /// The score of a cut, if both sides are heavy enough.
    pub fn value(&self, rows: &[u32], cut: &Cut) -> Option<f64> {
        let column = &self.table.columns[cut.feature as usize];
        let left = |row: &u32| goes_left(cut, column.feature, column.codes[*row as usize]);
        let low = self.sums(rows.iter().copied().filter(left));
        let high = self.sums(rows.iter().copied().filter(|row| !left(row)));
        let least = self.rules.min_weight.max(1);
        (low[0] >= least && high[0] >= least).then(|| self.score(&low) + self.score(&high))
    }

    /// The best of some cuts of a feature, of which the sides are given without the missing values.
    fn best_of(&self, rows: &[u32], feature: u32, sides: impl Iterator<Item = Sides>) -> Option<Cut> {
        let column = &self.table.columns[feature as usize];
        let (gone, present): (Vec<u32>, Vec<u32>) =
            rows.iter().partition(|&&r| column.codes[r as usize] == column.feature.bins);
        let mut best: Option<Cut> = None;
        for sides in sides {
            let mut cut = Cut { feature, sides, missing_left: false, left: Vec::new(), score: 0.0 };
            let left = |row: &u32| goes_left(&cut, column.feature, column.codes[*row as usize]);
            let low = self.sums(present.iter().copied().filter(left))[0];
            let high = self.sums(present.iter().copied())[0] - low;
            let heavier = low > high;
            let ways = if gone.is_empty() { vec![heavier] } else { vec![heavier, !heavier] };
            for missing_left in ways {
                cut.missing_left = missing_left;
                let Some(score) = self.value(rows, &cut) else { continue };
                if best.as_ref().is_none_or(|b| beats(score, b.score)) {
                    let goes = |row: &u32| goes_left(&cut, column.feature, column.codes[*row as usize]);
                    let left = self.sums(rows.iter().copied().filter(goes));
                    best = Some(Cut { score, left, ..cut.clone() });
                }
            }
        }
        best
    }

    /// The best cut of a feature, every boundary (or level) tried.
    pub fn best_of_all(&self, rows: &[u32], feature: u32) -> Option<Cut> {
        let column = &self.table.columns[feature as usize];
        let mut codes: Vec<u32> = rows.iter().map(|&r| column.codes[r as usize]).collect();
        codes.sort_unstable();
        codes.dedup();
        codes.retain(|&c| c != column.feature.bins);
        let sides: Vec<Sides> = match column.feature.order {
            Order::Nominal => codes.iter().map(|&c| Sides::Levels(vec![c])).collect(),
            Order::Ordered => {
                let high = |i: usize| codes.get(i + 1).copied();
                codes.iter().enumerate().map(|(i, &low)| Sides::AtMost { low, high: high(i) }).collect()
            }
        };
        self.best_of(rows, feature, sides.into_iter())
    }

    /// The best of these boundaries of an ordered feature.
    pub fn best_of_lows(&self, rows: &[u32], feature: u32, lows: &[u32]) -> Option<Cut> {
        let sides = lows.iter().map(|&low| Sides::AtMost { low, high: Some(low + 1) });
        self.best_of(rows, feature, sides)
    }

    /// The best cut of all features.
    pub fn best(&self, rows: &[u32]) -> Option<Cut> {
        (0..self.table.columns.len() as u32)
            .filter_map(|feature| self.best_of_all(rows, feature))
            .reduce(|best, next| if beats(next.score, best.score) { next } else { best })
    }
}
