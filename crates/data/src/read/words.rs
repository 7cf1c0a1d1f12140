//! Columns of text, each distinct text kept once.
//!
//! The index holds codes only and compares through the dictionary, so no text is stored twice; codes follow the
//! order of first appearance, which appending block after block preserves. Hashes are kept beside the dictionary:
//! neither a growing index nor appending has to look at the texts again.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::table::Words;

/// One state for all columns, so that hashes can move between them; another in each process.
static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// Words that can still grow.
#[derive(Default)]
pub(crate) struct Growing {
    words: Words,
    hashes: Vec<u64>,
    index: HashTable<u32>,
    /// Bytes of the distinct texts.
    spelt: u64,
}

/// Bytes that a distinct text takes beside itself: its place, its hash and its entry in the index.
const BESIDE: u64 = 32;

impl Growing {
    /// Adds a text.
    pub(crate) fn push(&mut self, text: &str) {
        let hash = STATE.hash_one(text);
        let code = self.find(hash, text).unwrap_or_else(|| self.add(hash, text.into()));
        self.words.codes.push(code);
    }

    /// Adds a missing text.
    pub(crate) fn push_missing(&mut self) {
        self.words.codes.push(Words::MISSING);
    }

    /// Adds the texts of another column behind the ones of this.
    pub(crate) fn append(&mut self, other: Self) {
        let texts = other.words.dictionary.into_iter().zip(other.hashes);
        let codes: Vec<u32> = texts
            .map(|(text, hash)| self.find(hash, &text).unwrap_or_else(|| self.add(hash, text)))
            .collect();
        let translated =
            other.words.codes.iter().map(|c| codes.get(*c as usize).copied().unwrap_or(Words::MISSING));
        self.words.codes.extend(translated);
    }

    /// About how many bytes all this takes.
    pub(crate) fn bytes(&self) -> u64 {
        4 * self.words.codes.len() as u64 + BESIDE * self.hashes.len() as u64 + self.spelt
    }

    /// The words, without the index.
    pub(crate) fn finish(mut self) -> Words {
        self.words.codes.shrink_to_fit();
        self.words.dictionary.shrink_to_fit();
        self.words
    }

    fn find(&self, hash: u64, text: &str) -> Option<u32> {
        let same = |code: &u32| {
            let code = *code as usize;
            self.hashes.get(code) == Some(&hash)
                && self.words.dictionary.get(code).is_some_and(|t| **t == *text)
        };
        self.index.find(hash, same).copied()
    }

    fn add(&mut self, hash: u64, text: Box<str>) -> u32 {
        // Rows are limited below `Words::MISSING`, so codes are too.
        let code = self.hashes.len() as u32;
        self.spelt += text.len() as u64;
        self.words.dictionary.push(text);
        self.hashes.push(hash);
        let hashes = &self.hashes;
        self.index.insert_unique(hash, code, |code| hashes.get(*code as usize).copied().unwrap_or_default());
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
            head.append(grown(&texts[cut..]));
            let parts = head.finish();
            assert_eq!((parts.codes, parts.dictionary), (whole.codes.clone(), whole.dictionary.clone()));
        }
    }
}
