//! What is counted in texts, and how much it counts: found in the texts of training rows, kept by models.

use hashbrown::HashTable;
use manyboost_kernel::numbers::math::ln;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::count::{Counted, counts};
use super::grams::GramReader;
use super::sparse::SparseRows;
use super::{Grams, Recipe, Weighting};
use crate::table::Words;

/// Grams in the order of their text, each with what one of it counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vocabulary {
    kind: Grams,
    weighting: Weighting,
    grams: Vec<Box<str>>,
    factors: Vec<f32>,
}

/// Texts weigh this much together, and so much is a row.
#[derive(Clone, Copy)]
struct Mass {
    total: u64,
    one: u64,
}

impl Vocabulary {
    /// What the texts of weighted rows have, `most` grams if there are more: those of most rows. Also the rows of the texts.
    pub fn fit(column: &Words, units: &[u32], one: u64, recipe: &Recipe, most: usize) -> (Self, SparseRows) {
        let mut weights = vec![0u64; column.dictionary.len()];
        for (&code, &unit) in column.codes.iter().zip(units) {
            if let Some(weight) = weights.get_mut(code as usize) {
                *weight += u64::from(unit);
            }
        }
        let mass = Mass { total: units.iter().map(|&unit| u64::from(unit)).sum(), one: one.max(1) };
        let mut counted = Counted::new(&column.dictionary, &weights, recipe.grams);
        let rows = document_weights(&counted, &weights);
        let kept = kept(&counted.grams, &rows, mass, recipe, most);
        let mut numbers = vec![None; counted.grams.len()];
        (0u32..).zip(&kept).for_each(|(number, &gram)| numbers[gram as usize] = Some(number));
        let factor = |&gram: &u32| match recipe.weighting {
            Weighting::TfIdf => inverse_frequency(rows[gram as usize], mass),
            Weighting::Counts | Weighting::Presence => 1.0,
        };
        let factors = kept.iter().map(factor).collect();
        let grams = kept.iter().map(|&gram| std::mem::take(&mut counted.grams[gram as usize])).collect();
        let vocabulary = Self { kind: recipe.grams, weighting: recipe.weighting, grams, factors };
        let vector = |text: &Vec<(u32, u32)>| {
            let known = |&(gram, count): &(u32, u32)| Some((numbers[gram as usize]?, count));
            let mut found: Vec<(u32, u32)> = text.iter().filter_map(known).collect();
            found.sort_unstable();
            vocabulary.vector(&found)
        };
        let vectors: Vec<Vec<(u32, f32)>> = counted.texts.par_iter().map(vector).collect();
        (vocabulary, SparseRows::new(&vectors))
    }

    /// The grams.
    pub fn grams(&self) -> &[Box<str>] {
        &self.grams
    }

    /// What is counted.
    pub fn kind(&self) -> Grams {
        self.kind
    }

    /// The row of a text in which grams occur so often: of length 1, unless none does.
    fn vector(&self, found: &[(u32, u32)]) -> Vec<(u32, f32)> {
        let value = |&(gram, count): &(u32, u32)| {
            let times = match self.weighting {
                Weighting::TfIdf => 1.0 + ln(f64::from(count)),
                Weighting::Counts => f64::from(count),
                Weighting::Presence => 1.0,
            };
            times * f64::from(self.factors[gram as usize])
        };
        let values: Vec<f64> = found.iter().map(value).collect();
        let length = values.iter().map(|value| value * value).sum::<f64>().sqrt();
        found.iter().zip(values).map(|(&(gram, _), value)| (gram, (value / length) as f32)).collect()
    }

    /// Whether it is what training writes: sorted, with factors that are some.
    pub fn is_valid(&self) -> bool {
        let factor = |factor: &f32| (1e-6..=1e6).contains(factor);
        self.kind.is_valid()
            && self.grams.len() == self.factors.len()
            && self.grams.len() < u32::MAX as usize
            && self.grams.windows(2).all(|pair| pair[0] < pair[1])
            && self.factors.iter().all(factor)
    }

    /// Ready to look texts up.
    pub fn lookup(&self) -> Lookup {
        let mut places = HashTable::with_capacity(self.grams.len());
        for (at, gram) in (0u32..).zip(&self.grams) {
            let again = |&at: &u32| hash(&self.grams[at as usize]);
            places.insert_unique(hash(gram), at, again);
        }
        Lookup(places)
    }
}

/// Where the grams of a vocabulary are in it.
#[derive(Clone, Debug)]
pub struct Lookup(HashTable<u32>);

impl Lookup {
    /// The row of a text, by ascending gram.
    pub fn vector(&self, of: &Vocabulary, text: &str) -> Vec<(u32, f32)> {
        let mut found = Vec::new();
        GramReader::default().read(text, of.kind, |gram| {
            let same = |&at: &u32| *of.grams[at as usize] == *gram;
            found.extend(self.0.find(hash(gram), same));
        });
        of.vector(&counts(&mut found))
    }
}

fn hash(gram: &str) -> u64 {
    use std::hash::BuildHasher;
    foldhash::fast::FixedState::default().hash_one(gram)
}

/// What the rows weigh that have each gram.
fn document_weights(counted: &Counted, weights: &[u64]) -> Vec<u64> {
    let mut rows = vec![0u64; counted.grams.len()];
    for (text, &weight) in counted.texts.iter().zip(weights) {
        for &(gram, _) in text {
            rows[gram as usize] += weight;
        }
    }
    rows
}

/// The grams that count, in the order of their text.
fn kept(grams: &[Box<str>], rows: &[u64], mass: Mass, recipe: &Recipe, most: usize) -> Vec<u32> {
    let least = u64::from(recipe.min_docs.max(1)).saturating_mul(mass.one);
    let highest = recipe.max_share * mass.total as f64;
    let fits = |&gram: &u32| {
        let rows = rows[gram as usize];
        rows >= least && rows as f64 <= highest
    };
    let mut kept: Vec<u32> = (0..grams.len() as u32).filter(fits).collect();
    kept.par_sort_unstable_by(|&a, &b| grams[a as usize].cmp(&grams[b as usize]));
    if kept.len() > most {
        // Those of more rows first; of equals, the first by their text.
        let mut common = kept.clone();
        common.sort_by_key(|&gram| std::cmp::Reverse(rows[gram as usize]));
        let mut chosen = vec![false; grams.len()];
        common[..most].iter().for_each(|&gram| chosen[gram as usize] = true);
        kept.retain(|&gram| chosen[gram as usize]);
    }
    kept
}

/// ln((1 + rows) / (1 + rows that have it)) + 1.
fn inverse_frequency(rows: u64, mass: Mass) -> f32 {
    let one = mass.one as f64;
    (ln((one + mass.total as f64) / (one + rows as f64)) + 1.0) as f32
}
