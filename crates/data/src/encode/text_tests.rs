//! Text features against a plain twin.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use proptest::prelude::*;

fn column(texts: &[&str]) -> Words {
    let dictionary: BTreeSet<&str> = texts.iter().copied().filter(|t| *t != "?").collect();
    let dictionary: Vec<&str> = dictionary.into_iter().rev().collect();
    let code = |t: &&str| dictionary.iter().position(|d| d == t).map_or(Words::MISSING, |c| c as u32);
    Words {
        codes: texts.iter().map(code).collect(),
        dictionary: dictionary.iter().map(|&d| d.into()).collect(),
    }
}

/// All n-grams of a text, the plain way.
fn plain(text: &str, longest: usize) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(' ').filter(|w| !w.is_empty()).collect();
    (1..=longest).flat_map(|n| words.windows(n).map(|w| w.join(" ")).collect::<Vec<_>>()).collect()
}

fn rows(codec: &TextCodec, column: &Words) -> Vec<BTreeSet<String>> {
    let mut rows = vec![BTreeSet::new(); column.codes.len()];
    for (gram, (_, codes)) in codec.grams().iter().zip(codec.encode(column)) {
        let Codes::Sparse { default: 0, entries } = codes else { panic!("sparse") };
        assert!(entries.windows(2).all(|w| w[0].0 < w[1].0));
        for (row, _) in entries {
            rows[row as usize].insert(gram.clone());
        }
    }
    rows
}

#[test]
fn words_in_enough_rows_are_features() {
    let column = column(&["The cat", "the dog", "?", "THE cat sat", ""]);
    let codec = TextCodec::fit(&column, &[1; 5], 2, 2);
    assert_eq!(codec.grams(), ["cat", "the", "the cat"]);
    assert!(codec.valid());
    let found = rows(&codec, &column);
    assert_eq!(found[1].len(), 1);
    assert!(found[2].is_empty() && found[4].is_empty());
    assert_eq!(found[3].len(), 3);
}

#[test]
fn hostile_vocabularies_are_seen() {
    for grams in
        [vec!["b", "a"], vec!["a", "a"], vec!["a", "a b"], vec![""], vec!["a", "a "], vec!["a a", "b"]]
    {
        let codec = TextCodec { grams: grams.iter().map(ToString::to_string).collect() };
        assert!(!codec.valid(), "{grams:?}");
        let _ = codec.encode(&column(&["a b", "a"]));
    }
}

proptest! {
    #[test]
    fn the_trie_finds_what_the_plain_way_finds(
        texts in prop::collection::vec(("([A-Ca-c] ?){0,6}", 1u32..3), 1..12), longest in 1u32..4, least in 1u64..4
    ) {
        let (texts, units): (Vec<String>, Vec<u32>) = texts.into_iter().unzip();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let words = column(&texts);
        let mut totals = BTreeMap::new();
        for (text, &unit) in texts.iter().zip(&units) {
            for gram in plain(text, longest as usize) {
                *totals.entry(gram).or_insert(0) += u64::from(unit);
            }
        }
        let expected: BTreeSet<String> = totals.into_iter().filter(|&(_, n)| n >= least).map(|(g, _)| g).collect();
        let codec = TextCodec::fit(&words, &units, longest, least);
        prop_assert!(codec.valid());
        prop_assert_eq!(codec.grams().iter().cloned().collect::<BTreeSet<_>>(), expected.clone());
        for (text, found) in texts.iter().zip(rows(&codec, &words)) {
            let there: BTreeSet<String> = plain(text, longest as usize).intersection(&expected).cloned().collect();
            prop_assert_eq!(found, there);
        }
    }
}
