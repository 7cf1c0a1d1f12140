//! Columns of text, each distinct text kept once.
//!
//! The index holds codes only and compares through the dictionary, so no text is stored twice; codes follow the
//! order of first appearance, which appending block after block preserves.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::table::Words;

/// Words that can still grow.
#[derive(Default)]
pub(crate) struct Growing {
    words: Words,
    index: HashTable<u32>,
    state: RandomState,
}

impl Growing {
    /// Adds a text.
    pub(crate) fn push(&mut self, text: &str) {
        let code = self.code(text);
        self.words.codes.push(code);
    }

    /// Adds a missing text.
    pub(crate) fn push_missing(&mut self) {
        self.words.codes.push(Words::MISSING);
    }

    /// Adds the texts of another column behind the ones of this.
    pub(crate) fn append(&mut self, other: &Words) {
        let codes: Vec<u32> = other.dictionary.iter().map(|text| self.code(text)).collect();
        let translated =
            other.codes.iter().map(|c| codes.get(*c as usize).copied().unwrap_or(Words::MISSING));
        self.words.codes.extend(translated);
    }

    /// The words, without the index.
    pub(crate) fn finish(mut self) -> Words {
        self.words.codes.shrink_to_fit();
        self.words.dictionary.shrink_to_fit();
        self.words
    }

    fn code(&mut self, text: &str) -> u32 {
        let Self { words, index, state } = self;
        let dictionary = &mut words.dictionary;
        let text_of = |code: u32| dictionary.get(code as usize).map_or("", AsRef::as_ref);
        let hash = state.hash_one(text);
        if let Some(code) = index.find(hash, |code| text_of(*code) == text) {
            return *code;
        }
        // Rows are limited below `Words::MISSING`, so codes are too.
        let code = dictionary.len() as u32;
        index.insert_unique(hash, code, |code| state.hash_one(text_of(*code)));
        dictionary.push(text.into());
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grown(texts: &[&str]) -> Growing {
        let mut words = Growing::default();
        for t in texts {
            if t.is_empty() { words.push_missing() } else { words.push(t) }
        }
        words
    }

    #[test]
    fn codes_follow_first_appearance_across_blocks() {
        let texts = ["b", "a", "", "b", "c", "a", "d"];
        let whole = grown(&texts).finish();
        assert_eq!(whole.codes, [0, 1, Words::MISSING, 0, 2, 1, 3]);
        for cut in 0..texts.len() {
            let mut head = grown(&texts[..cut]);
            head.append(&grown(&texts[cut..]).finish());
            let parts = head.finish();
            assert_eq!((parts.codes, parts.dictionary), (whole.codes.clone(), whole.dictionary.clone()));
        }
    }
}
