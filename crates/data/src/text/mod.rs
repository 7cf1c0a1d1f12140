//! Texts as sparse rows of numbers: how often words, runs of words and runs of letters occur in them.
//!
//! A [`Recipe`] says what is counted and how; [`Vocabulary::fit`] finds out what there is in the texts of training rows, and
//! gives other texts their rows by the same rules. Unlike the presence of words, which are features that trees can cut at one by one
//! ([`TextCodec`](crate::encode::TextCodec)), such rows are for learners that look at all of them at once.

mod count;
mod grams;
mod sparse;
mod stop;
mod vocabulary;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::table::Words;

pub use sparse::SparseRows;
pub use vocabulary::{Lookup, Vocabulary};

/// What is counted in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Grams {
    /// Words, and runs of up to so many of them.
    Words {
        /// Most words of a run.
        longest: u32,
        /// Whether common English words are left out.
        stop_words: bool,
    },
    /// Runs of letters within words; the beginning and the end of a word count as letters.
    Letters {
        /// Fewest letters of a run.
        shortest: u32,
        /// Most letters of a run.
        longest: u32,
    },
}

/// What a text has for a gram that occurs in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Weighting {
    /// 1 + ln(count), times the inverse document frequency.
    TfIdf,
    /// How often it occurs.
    Counts,
    /// 1.
    Presence,
}

/// What is counted, and how; a row has length 1 in the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// What is counted.
    pub grams: Grams,
    /// What a gram that occurs counts.
    pub weighting: Weighting,
    /// Rows (by weight) that must contain a gram.
    pub min_docs: u32,
    /// The largest share of rows that may contain it.
    pub max_share: f64,
}

/// Most words of a run, and most letters.
pub const LONGEST: u32 = 8;

impl Grams {
    /// Whether it is what training writes.
    pub fn is_valid(self) -> bool {
        match self {
            Self::Words { longest, .. } => (1..=LONGEST).contains(&longest),
            Self::Letters { shortest, longest } => {
                (1..=longest).contains(&shortest) && (1..=LONGEST).contains(&longest)
            }
        }
    }
}

/// How many words the texts of a column have, by weight, in the mean.
pub fn mean_length(column: &Words, units: &[u32]) -> f64 {
    let kind = Grams::Words { longest: 1, stop_words: false };
    let count = |reader: &mut grams::GramReader, text: &str| {
        let mut words = 0u64;
        reader.read(text, kind, |_| words += 1);
        words
    };
    let texts = column.dictionary.par_iter().map(|text| &**text);
    let lengths: Vec<u64> = texts.map_init(grams::GramReader::default, count).collect();
    let rows = column.codes.iter().zip(units);
    let (words, weight) = rows.fold((0u64, 0u64), |(words, weight), (&code, &unit)| {
        let own = lengths.get(code as usize).copied().unwrap_or(0);
        (words + own * u64::from(unit), weight + u64::from(unit))
    });
    words as f64 / weight.max(1) as f64
}
