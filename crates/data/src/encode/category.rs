//! Categories become levels: the code is the place of the text among the levels, which are sorted.
//!
//! A level with too little weight to learn from gets no code: rare is the same as missing, and so is a text that was never
//! seen. So a tree decides once where "none of the known" goes, and has seen rows like that in training.

use manyboost_kernel::bins::{Codes, Feature, Order};
use serde::{Deserialize, Serialize};

use super::pack;
use crate::table::Words;

/// The levels of a categorical feature, sorted by text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CategoryCodec {
    levels: Vec<String>,
}

impl CategoryCodec {
    /// The texts that weigh at least `least` units together.
    pub(super) fn fit(words: &Words, units: &[u32], least: u64) -> Self {
        let mut weights = vec![0u64; words.dictionary.len()];
        for (&code, &unit) in words.codes.iter().zip(units) {
            if let Some(weight) = weights.get_mut(code as usize) {
                *weight += u64::from(unit);
            }
        }
        let frequent = words.dictionary.iter().zip(weights).filter(|&(_, w)| w >= least.max(1));
        let mut levels: Vec<String> = frequent.map(|(text, _)| text.to_string()).collect();
        levels.sort_unstable();
        levels.dedup();
        Self { levels }
    }

    /// The levels.
    pub fn levels(&self) -> &[String] {
        &self.levels
    }

    /// Number of levels.
    pub fn bins(&self) -> u32 {
        self.levels.len() as u32
    }

    /// The code of a text; what is no level is missing.
    pub fn code(&self, text: &str) -> u32 {
        self.levels.binary_search_by(|level| level.as_str().cmp(text)).map_or(self.bins(), |at| at as u32)
    }

    /// The codes of a column.
    pub(super) fn encode(&self, words: &Words) -> (Feature, Codes) {
        let codes: Vec<u32> = words.dictionary.iter().map(|text| self.code(text)).collect();
        let code = |&word: &u32| codes.get(word as usize).copied().unwrap_or(self.bins());
        pack(Order::Nominal, self.bins(), words.codes.iter().map(code))
    }

    /// Number of rows whose text is there but no level.
    pub(super) fn unseen(&self, words: &Words) -> usize {
        let unseen: Vec<bool> = words.dictionary.iter().map(|text| self.code(text) == self.bins()).collect();
        words.codes.iter().filter(|&&word| unseen.get(word as usize).copied().unwrap_or(false)).count()
    }

    /// Whether the levels are what training writes.
    pub(super) fn valid(&self) -> bool {
        self.levels.windows(2).all(|w| w[0] < w[1]) && self.levels.len() < u32::MAX as usize - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(cells: &[u32]) -> Words {
        let dictionary = ["pear", "apple", "fig", "kiwi"].map(Into::into).to_vec();
        Words { codes: cells.to_vec(), dictionary }
    }

    #[test]
    fn rare_and_unseen_are_missing() {
        let codec = CategoryCodec::fit(&words(&[0, 1, 1, 2, Words::MISSING, 0]), &[1; 6], 2);
        assert_eq!(codec.levels(), ["apple", "pear"]);
        let (feature, codes) = codec.encode(&words(&[0, 3, Words::MISSING, 2, 1]));
        assert!(feature.missing && feature.bins == 2 && feature.order == Order::Nominal);
        let Codes::Bytes(codes) = codes else { panic!("bytes") };
        assert_eq!(codes, [1, 2, 2, 2, 0]);
        assert_eq!(codec.unseen(&words(&[0, 3, Words::MISSING, 2, 1])), 2);
    }

    #[test]
    fn weights_count_as_repetitions() {
        let weighted = CategoryCodec::fit(&words(&[0, 1, 2]), &[3, 2, 1], 2);
        assert_eq!(weighted, CategoryCodec::fit(&words(&[2, 1, 0, 0, 1, 0]), &[1; 6], 2));
    }

    #[test]
    fn seventy_thousand_levels() {
        let dictionary: Vec<Box<str>> = (0..70_000).map(|i| format!("level {i}").into()).collect();
        let words = Words { codes: (0..70_000).collect(), dictionary };
        let codec = CategoryCodec::fit(&words, &vec![1; 70_000], 1);
        assert!(codec.valid());
        let (feature, Codes::U32(codes)) = codec.encode(&words) else { panic!("u32") };
        assert_eq!(feature.bins, 70_000);
        assert!(
            codes
                .iter()
                .enumerate()
                .all(|(row, &code)| codec.levels()[code as usize] == words.dictionary[row].as_ref())
        );
    }
}
