//! The rows of all workers in an order that follows from what is in them, equal ones together.

use std::borrow::Cow;

use manyboost_data::agree::gather;
use manyboost_data::dataset::TextValues;
use manyboost_data::text::SparseRows;
use manyboost_data::{Dataset, Weights, Words};
use manyboost_kernel::{Exchange, Seed};
use rayon::prelude::*;

/// Parts of the rows: a machine that has seen all others says what those of a part begin with.
pub(super) const FOLDS: usize = 3;

/// The texts, answers and weights of the rows of all workers.
pub(super) struct AllRows<'a> {
    pub(super) columns: Vec<Cow<'a, Words>>,
    pub(super) units: Cow<'a, [u32]>,
    pub(super) labels: Vec<Vec<u32>>,
    /// Where the rows of this worker begin.
    pub(super) first: usize,
}

/// What a worker says of its rows: the texts and their codes, column by column, weights, labels.
type Told = (Vec<(Vec<Box<str>>, Vec<u32>)>, Vec<u32>, Vec<Vec<u32>>);

impl<'a> AllRows<'a> {
    pub(super) fn new(data: &'a Dataset, weights: &'a Weights, exchange: &dyn Exchange) -> Self {
        let labels: Vec<Vec<u32>> = (0..data.rows()).map(|row| data.labels.labels(row).to_vec()).collect();
        let texts = &data.texts;
        if exchange.alone() {
            let columns = texts.iter().map(|TextValues { words, .. }| Cow::Borrowed(words)).collect();
            return Self { columns, units: Cow::Borrowed(weights.units()), labels, first: 0 };
        }
        let told =
            texts.iter().map(|TextValues { words, .. }| (words.dictionary.clone(), words.codes.clone()));
        let own: Told = (told.collect(), weights.units().to_vec(), labels);
        let mut columns: Vec<Words> = texts.iter().map(|_| Words::default()).collect();
        let (mut units, mut labels, mut first) = (Vec::new(), Vec::new(), 0);
        for (rank, (texts, more, answers)) in gather(exchange, &own).into_iter().enumerate() {
            if rank == exchange.rank() {
                first = units.len();
            }
            for (column, (dictionary, codes)) in columns.iter_mut().zip(texts) {
                let before = column.dictionary.len() as u32;
                let code = |code: u32| if code == Words::MISSING { code } else { before + code };
                column.codes.extend(codes.into_iter().map(code));
                column.dictionary.extend(dictionary);
            }
            units.extend(more);
            labels.extend(answers);
        }
        Self {
            columns: columns.into_iter().map(Cow::Owned).collect(),
            units: Cow::Owned(units),
            labels,
            first,
        }
    }
}

/// Rows of which no two are equal, in an order of their own.
pub(super) struct Canonical {
    pub(super) rows: SparseRows,
    pub(super) labels: Vec<Vec<u32>>,
    /// What each weighs, in rows.
    pub(super) weights: Vec<f64>,
    /// The part that each belongs to: rows of one text belong to the same.
    pub(super) folds: Vec<usize>,
    /// Where each of all rows is among them.
    pub(super) places: Vec<u32>,
}

impl Canonical {
    /// Of rows as they are, whose weights are in units of which a row has so many.
    pub(super) fn new(rows: &SparseRows, labels: &[Vec<u32>], units: &[u32], one: u64) -> Self {
        let content = |row: usize| {
            let (columns, values) = rows.row(row);
            let start = Seed::new(columns.len() as u64);
            let entries = columns.iter().zip(values);
            entries.fold(start, |seed, (&c, v)| seed.part(u64::from(c) << 32 | u64::from(v.to_bits()))).bits()
        };
        let answer = |row: usize| {
            labels[row].iter().fold(Seed::new(1), |seed, &label| seed.part(u64::from(label))).bits()
        };
        let mut order: Vec<(u64, u64, u32)> =
            (0..rows.rows()).into_par_iter().map(|row| (content(row), answer(row), row as u32)).collect();
        order.par_sort_unstable();
        let mut places = vec![0; rows.rows()];
        let (mut chosen, mut weights, mut folds) = (Vec::new(), Vec::new(), Vec::new());
        for equal in order.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            for &(_, _, row) in equal {
                places[row as usize] = chosen.len() as u32;
            }
            let weight: u64 = equal.iter().map(|&(_, _, row)| u64::from(units[row as usize])).sum();
            chosen.push(equal[0].2);
            weights.push(weight as f64 / one as f64);
            folds.push(Seed::new(equal[0].0).below(FOLDS as u64) as usize);
        }
        let labels = chosen.iter().map(|&row| labels[row as usize].clone()).collect();
        let rows = SparseRows::side_by_side(chosen.len(), &[(rows, 0)], |_, row| Some(chosen[row] as usize));
        Self { rows, labels, weights, folds, places }
    }
}
