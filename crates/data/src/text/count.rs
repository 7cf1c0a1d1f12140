//! How often what occurs in which text.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::Grams;
use super::grams::GramReader;

/// The grams of some texts.
#[derive(Default)]
pub(super) struct Counted {
    /// Each once, in the order in which they were found.
    pub(super) grams: Vec<Box<str>>,
    /// The grams of each text, ascending, with how often they occur in it.
    pub(super) texts: Vec<Vec<(u32, u32)>>,
}

/// Grams by number.
#[derive(Default)]
struct Numbers {
    numbers: HashMap<Box<str>, u32, FixedState>,
    grams: Vec<Box<str>>,
}

impl Numbers {
    fn of(&mut self, gram: &str) -> u32 {
        if let Some(&number) = self.numbers.get(gram) {
            return number;
        }
        let number = self.grams.len() as u32;
        self.grams.push(gram.into());
        self.numbers.insert(gram.into(), number);
        number
    }
}

impl Counted {
    /// Counts in the texts that weigh anything.
    pub(super) fn new(texts: &[Box<str>], weights: &[u64], grams: Grams) -> Self {
        let size = texts.len().div_ceil(4 * rayon::current_num_threads()).max(64);
        let parts = texts.par_chunks(size).zip(weights.par_chunks(size));
        let parts: Vec<Self> = parts.map(|(texts, weights)| Self::part(texts, weights, grams)).collect();
        let (mut numbers, mut all) = (Numbers::default(), Vec::with_capacity(texts.len()));
        for part in parts {
            let renumbered: Vec<u32> = part.grams.iter().map(|gram| numbers.of(gram)).collect();
            all.extend(part.texts.into_iter().map(|mut text| {
                for (gram, _) in &mut text {
                    *gram = renumbered[*gram as usize];
                }
                text
            }));
        }
        Self { grams: numbers.grams, texts: all }
    }

    fn part(texts: &[Box<str>], weights: &[u64], grams: Grams) -> Self {
        let (mut numbers, mut reader, mut found) = (Numbers::default(), GramReader::default(), Vec::new());
        let count = |(text, &weight): (&str, &u64)| {
            found.clear();
            if weight > 0 {
                reader.read(text, grams, |gram| found.push(numbers.of(gram)));
            }
            counts(&mut found)
        };
        let texts = texts.iter().map(|text| &**text).zip(weights).map(count).collect();
        Self { grams: numbers.grams, texts }
    }
}

/// How often each number is there, by ascending number.
pub(super) fn counts(found: &mut [u32]) -> Vec<(u32, u32)> {
    found.sort_unstable();
    found.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)).collect()
}
