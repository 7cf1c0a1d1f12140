//! Text becomes one presence feature for each n-gram of words that enough rows contain.
//!
//! Words are numbered once; an n-gram is a step in a trie from the (n−1)-gram before its last word. An n-gram can only be
//! frequent if that prefix is, so each length is counted among the survivors of the one before, and no text of an
//! n-gram is made before it has survived.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;
use manyboost_kernel::Exchange;
use manyboost_kernel::bins::{Codes, Feature, Order};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::words::words;
use crate::agree::{ALONE, gather};
use crate::table::Words;

type Map<K, V> = HashMap<K, V, FixedState>;

/// No word, no n-gram.
const NONE: u32 = u32::MAX;

/// The n-grams of a text feature: words joined by one space, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextCodec {
    grams: Vec<String>,
}

/// The words of all texts by number.
struct Corpus {
    words: Vec<Box<str>>,
    /// The word numbers of each text of the dictionary.
    texts: Vec<Vec<u32>>,
}

impl Corpus {
    /// Numbers the words of the texts that weigh anything.
    fn read(dictionary: &[Box<str>], weights: &[u64]) -> Self {
        let size = dictionary.len().div_ceil(4 * rayon::current_num_threads()).max(64);
        let parts: Vec<Self> = dictionary
            .par_chunks(size)
            .zip(weights.par_chunks(size))
            .map(|(d, w)| Self::read_part(d, w))
            .collect();
        let mut all = Self { words: Vec::new(), texts: Vec::with_capacity(dictionary.len()) };
        let mut numbers: Map<Box<str>, u32> = Map::default();
        for part in parts {
            let renumbered: Vec<u32> =
                part.words.into_iter().map(|w| intern(&mut numbers, &mut all.words, &w)).collect();
            all.texts.extend(part.texts.into_iter().map(|mut text| {
                for word in &mut text {
                    *word = renumbered[*word as usize];
                }
                text
            }));
        }
        all
    }

    fn read_part(dictionary: &[Box<str>], weights: &[u64]) -> Self {
        let (mut numbers, mut list, mut buffer) = (Map::default(), Vec::new(), String::new());
        let texts = dictionary.iter().zip(weights).map(|(text, &weight)| {
            let mut found = Vec::new();
            if weight > 0 {
                words(text, &mut buffer, |word| found.push(intern(&mut numbers, &mut list, word)));
            }
            found
        });
        let texts = texts.collect();
        Self { words: list, texts }
    }

    /// Keeps the words that weigh enough, numbered in the order of their text; the others become [`NONE`].
    fn keep_frequent(&mut self, weights: &[u64], least: u64, exchange: &dyn Exchange) {
        let mut totals = vec![0u64; self.words.len()];
        let mut last = vec![NONE; self.words.len()];
        for ((at, text), &weight) in (0u32..).zip(&self.texts).zip(weights) {
            for &word in text {
                if last[word as usize] != at {
                    last[word as usize] = at;
                    totals[word as usize] += weight;
                }
            }
        }
        if !exchange.alone() {
            return self.keep(frequent(&self.words, totals, least, exchange));
        }
        let mut kept: Vec<u32> = (0..totals.len() as u32).filter(|&w| totals[w as usize] >= least).collect();
        kept.sort_unstable_by(|&a, &b| self.words[a as usize].cmp(&self.words[b as usize]));
        let mut renumbered = vec![NONE; self.words.len()];
        for (new, &old) in kept.iter().enumerate() {
            renumbered[old as usize] = new as u32;
        }
        self.words = kept.iter().map(|&old| std::mem::take(&mut self.words[old as usize])).collect();
        self.texts.par_iter_mut().flatten().for_each(|word| *word = renumbered[*word as usize]);
    }

    /// Keeps these words, which are numbered in their order; the others become [`NONE`].
    fn keep(&mut self, kept: Vec<Box<str>>) {
        let numbers: Map<&str, u32> = (0..).zip(&kept).map(|(number, word)| (&**word, number)).collect();
        let renumbered: Vec<u32> =
            self.words.iter().map(|word| numbers.get(&**word).copied().unwrap_or(NONE)).collect();
        self.texts.par_iter_mut().flatten().for_each(|word| *word = renumbered[*word as usize]);
        self.words = kept;
    }
}

/// The words that weigh enough with the rows of all workers, in the order of their text.
fn frequent(words: &[Box<str>], totals: Vec<u64>, least: u64, exchange: &dyn Exchange) -> Vec<Box<str>> {
    let own: Vec<(Box<str>, u64)> = words.iter().cloned().zip(totals).collect();
    let mut all: BTreeMap<Box<str>, u64> = BTreeMap::new();
    for (word, weight) in gather(exchange, &own).into_iter().flatten() {
        *all.entry(word).or_default() += weight;
    }
    all.into_iter().filter(|&(_, weight)| weight >= least).map(|(word, _)| word).collect()
}

fn intern(numbers: &mut Map<Box<str>, u32>, list: &mut Vec<Box<str>>, word: &str) -> u32 {
    if let Some(&number) = numbers.get(word) {
        return number;
    }
    let number = list.len() as u32;
    list.push(word.into());
    numbers.insert(word.into(), number);
    number
}

impl TextCodec {
    /// The n-grams of up to `longest` words that the texts of rows weighing at least `least` units contain.
    pub(super) fn fit(column: &Words, units: &[u32], longest: u32, least: u64) -> Self {
        Self::fit_among(column, units, longest, least, ALONE)
    }

    /// The same, of rows of which other workers have some too: words and n-grams have the same numbers everywhere.
    pub(super) fn fit_among(
        column: &Words,
        units: &[u32],
        longest: u32,
        least: u64,
        exchange: &dyn Exchange,
    ) -> Self {
        let least = least.max(1);
        let mut weights = vec![0u64; column.dictionary.len()];
        for (&code, &unit) in column.codes.iter().zip(units) {
            if let Some(weight) = weights.get_mut(code as usize) {
                *weight += u64::from(unit);
            }
        }
        let mut corpus = Corpus::read(&column.dictionary, &weights);
        corpus.keep_frequent(&weights, least, exchange);
        let mut grams: Vec<String> = corpus.words.iter().map(ToString::to_string).collect();
        let mut level = 0..grams.len();
        let mut at: Vec<Vec<u32>> = if longest > 1 { corpus.texts.clone() } else { Vec::new() };
        for n in 2..=longest as usize {
            let found = longer(&corpus.texts, &at, &weights, n, least, exchange);
            let first = grams.len() as u32;
            let steps: Map<(u32, u32), u32> = (first..).zip(&found).map(|(id, &step)| (step, id)).collect();
            for &(prefix, word) in &found {
                let text = format!("{} {}", grams[prefix as usize], corpus.words[word as usize]);
                grams.push(text);
            }
            level = level.end..grams.len();
            if level.is_empty() {
                break;
            }
            at.par_iter_mut().zip(&corpus.texts).for_each(|(at, text)| advance(&steps, at, text, n));
        }
        grams.sort_unstable();
        Self { grams }
    }

    /// The n-grams.
    pub fn grams(&self) -> &[String] {
        &self.grams
    }

    /// Number of features.
    pub fn width(&self) -> usize {
        self.grams.len()
    }

    /// The n-grams of each text, ascending.
    pub(crate) fn find(&self, texts: &[Box<str>]) -> Vec<Vec<u32>> {
        let trie = Trie::new(&self.grams);
        texts.par_iter().map(|text| trie.grams(text)).collect()
    }

    /// The presence features of a column, in the order of the n-grams.
    pub(super) fn encode(&self, column: &Words) -> Vec<(Feature, Codes)> {
        let present = self.find(&column.dictionary);
        let mut counts = vec![0usize; self.grams.len()];
        let grams_of = |code: u32| present.get(code as usize).map_or(&[][..], Vec::as_slice);
        for gram in column.codes.iter().flat_map(|&code| grams_of(code)) {
            counts[*gram as usize] += 1;
        }
        let mut rows: Vec<Vec<(u32, u32)>> = counts.into_iter().map(Vec::with_capacity).collect();
        for (row, &code) in (0u32..).zip(&column.codes) {
            for &gram in grams_of(code) {
                rows[gram as usize].push((row, 1));
            }
        }
        let feature = Feature { order: Order::Ordered, bins: 2, missing: false };
        rows.into_iter().map(|entries| (feature, Codes::Sparse { default: 0, entries })).collect()
    }

    /// Whether the n-grams are what training writes: sorted, each with its prefix, made of words.
    pub(super) fn valid(&self) -> bool {
        let known = |gram: &str| self.grams.binary_search_by(|g| g.as_str().cmp(gram)).is_ok();
        let whole = |gram: &str| gram.split(' ').all(|word| !word.is_empty());
        self.grams.windows(2).all(|w| w[0] < w[1])
            && self.grams.len() < NONE as usize
            && self
                .grams
                .iter()
                .all(|g| whole(g) && g.rsplit_once(' ').is_none_or(|(p, w)| known(p) && known(w)))
    }
}

/// The frequent steps from (n−1)-grams to n-grams, sorted; `at` has the (n−1)-gram that begins at each word.
fn longer(
    texts: &[Vec<u32>],
    at: &[Vec<u32>],
    weights: &[u64],
    n: usize,
    least: u64,
    exchange: &dyn Exchange,
) -> Vec<(u32, u32)> {
    let mut totals: Map<(u32, u32), (u64, u32)> = Map::default();
    for ((number, (text, at)), &weight) in (0u32..).zip(texts.iter().zip(at)).zip(weights) {
        for (&prefix, &word) in at.iter().zip(text.iter().skip(n - 1)) {
            if prefix != NONE && word != NONE {
                let (total, last) = totals.entry((prefix, word)).or_insert((0, NONE));
                if *last != number {
                    *last = number;
                    *total += weight;
                }
            }
        }
    }
    if !exchange.alone() {
        let own: Vec<(u32, u32, u64)> = totals.drain().map(|((a, b), (total, _))| (a, b, total)).collect();
        for (prefix, word, weight) in gather(exchange, &own).into_iter().flatten() {
            totals.entry((prefix, word)).or_insert((0, NONE)).0 += weight;
        }
    }
    let frequent = totals.into_iter().filter(|&(_, (total, _))| total >= least);
    let mut steps: Vec<(u32, u32)> = frequent.map(|(step, _)| step).collect();
    steps.sort_unstable();
    steps
}

/// Turns the (n−1)-grams that begin at each word into n-grams.
fn advance(steps: &Map<(u32, u32), u32>, at: &mut [u32], text: &[u32], n: usize) {
    for (place, gram) in at.iter_mut().enumerate() {
        *gram = text.get(place + n - 1).and_then(|&word| steps.get(&(*gram, word))).copied().unwrap_or(NONE);
    }
}

/// Finds the n-grams of a text.
struct Trie<'a> {
    words: Map<&'a str, u32>,
    steps: Map<(u32, u32), u32>,
    longest: usize,
}

impl<'a> Trie<'a> {
    /// From sorted n-grams; numbers are their places, and a word's number is that of its 1-gram.
    fn new(grams: &'a [String]) -> Self {
        let place =
            |gram: &str| grams.binary_search_by(|g| g.as_str().cmp(gram)).map_or(NONE, |at| at as u32);
        let mut trie = Self { words: Map::default(), steps: Map::default(), longest: 1 };
        for (number, gram) in (0u32..).zip(grams) {
            match gram.rsplit_once(' ') {
                None => {
                    trie.words.insert(gram, number);
                }
                Some((prefix, word)) => {
                    trie.steps.insert((place(prefix), place(word)), number);
                    trie.longest = trie.longest.max(gram.split(' ').count());
                }
            }
        }
        trie
    }

    /// The n-grams of a text, ascending, each once.
    fn grams(&self, text: &str) -> Vec<u32> {
        let mut numbers = Vec::new();
        words(text, &mut String::new(), |word| numbers.push(self.words.get(word).copied().unwrap_or(NONE)));
        let mut at = numbers.clone();
        let mut found = numbers.clone();
        for n in 2..=self.longest {
            advance(&self.steps, &mut at, &numbers, n);
            found.extend(&at);
        }
        found.retain(|&gram| gram != NONE);
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
