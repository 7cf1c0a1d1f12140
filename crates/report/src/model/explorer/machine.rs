//! A model as the page runs it: trees in arrays, and what their leaves add in whole numbers.

use std::collections::BTreeMap;

use manyboost::explain::{Explainer, Grain, TreeTerm};
use manyboost::model::Model;
use manyboost::model::reading::Link;
use manyboost::model::tree::{Child, Test};
use serde_json::{Value, json};

use crate::words;

/// The grid of scores.
const GRID: f64 = (1u64 << 36) as f64;
/// Whole numbers that a double holds.
const EXACT: f64 = (1u64 << 53) as f64;
/// Numbers of leaves, at most, and characters of all trees.
const NUMBERS: usize = 200_000;
const CHARACTERS: usize = 800_000;

/// The model and the features that it looks at, ascending; or why no page can run it.
pub fn of(model: &Model) -> Result<(Value, Vec<u32>), String> {
    // Refused are also models that cannot be explained.
    Explainer::new(model, Grain::Columns).map_err(|error| error.what().into_owned())?;
    let ensemble = &model.ensemble;
    if ensemble.text.is_some() {
        return Err("pages do not look at all words of a text".into());
    }
    let trees = model.trees().map_err(|error| error.what().into_owned())?;
    let leaves: usize = trees.iter().map(|term| term.tree.leaves()).sum();
    let large = || {
        let [leaves, trees] =
            [(leaves, "leaf"), (trees.len(), "tree")].map(|(n, word)| words::count(n, word));
        format!("with {leaves} in {trees} the model is too large to run in a page")
    };
    if leaves.saturating_mul(ensemble.start.len()) > NUMBERS {
        return Err(large());
    }
    let mut cuts: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for node in trees.iter().flat_map(|term| &term.tree.nodes) {
        let own = cuts.entry(node.feature).or_default();
        if let Test::AtMost(threshold) = node.test {
            own.push(threshold);
        }
    }
    for own in cuts.values_mut() {
        own.sort_by(f64::total_cmp);
        own.dedup();
    }
    let features: Vec<u32> = cuts.keys().copied().collect();
    if features.is_empty() {
        return Err("the model does not look at its rows".into());
    }
    let unit = trees.iter().flat_map(|term| &term.tree.cover).fold(0, |a, &b| divisor(a, b)).max(1);
    let coarse = || "its scores have more digits than a page can add".to_string();
    let drawn: Option<Vec<Value>> = trees.iter().map(|term| tree(term, &features, &cuts, unit)).collect();
    let start: Option<Vec<i64>> = ensemble.start.iter().map(|&score| whole(score)).collect();
    let (drawn, start) = (drawn.ok_or_else(coarse)?, start.ok_or_else(coarse)?);
    let (kind, scale) = match ensemble.reading.link {
        Link::Softmax(scale) => ("softmax", scale),
        Link::Sigmoid(scale) => ("sigmoid", scale),
        Link::Odds(scale) => ("odds", scale),
        Link::Savage => ("savage", 1.0),
    };
    let cuts: Vec<&Vec<f64>> = cuts.values().collect();
    let value = json!({"start": start, "link": kind, "scale": scale, "cuts": cuts, "trees": drawn});
    if value.to_string().len() > CHARACTERS { Err(large()) } else { Ok((value, features)) }
}

/// One tree: the place of each test's feature, its threshold's place or its levels, where missing values go, children (leaves from −1
/// downwards), and of the leaves what they add and what they weigh, in units of training weight. `None` if a score is off the grid.
fn tree(term: &TreeTerm<'_>, features: &[u32], cuts: &BTreeMap<u32, Vec<f64>>, unit: u64) -> Option<Value> {
    let nodes = &term.tree.nodes;
    let child = |child: Child| match child {
        Child::Node(node) => i64::from(node),
        Child::Leaf(leaf) => -1 - i64::from(leaf),
    };
    let mut tests: Vec<Value> = Vec::new();
    for node in nodes {
        tests.push(match &node.test {
            Test::AtMost(threshold) => {
                json!(cuts[&node.feature].partition_point(|cut| cut < threshold))
            }
            Test::Levels(levels) => json!(levels),
        });
    }
    let mut numbers = String::new();
    for leaf in 0..term.tree.leaves() {
        for value in term.values(leaf) {
            numbers.push_str(&base_36(whole(value)?));
            numbers.push(' ');
        }
    }
    Some(json!({
        "f": nodes.iter().map(|node| features.binary_search(&node.feature).ok()).collect::<Vec<_>>(),
        "t": tests,
        "m": nodes.iter().map(|node| if node.missing_left { '1' } else { '0' }).collect::<String>(),
        "l": nodes.iter().map(|node| child(node.left)).collect::<Vec<_>>(),
        "r": nodes.iter().map(|node| child(node.right)).collect::<Vec<_>>(),
        "v": numbers.trim_end(),
        "c": term.tree.cover.iter().map(|cover| cover / unit).collect::<Vec<_>>(),
    }))
}

/// A score as a number of steps of the grid, if it is on it.
fn whole(score: f64) -> Option<i64> {
    let steps = score * GRID;
    (steps.fract() == 0.0 && steps.abs() < EXACT).then_some(steps as i64)
}

/// The greatest common divisor.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// A whole number in digits and letters.
fn base_36(number: i64) -> String {
    let (mut rest, mut digits) = (number.unsigned_abs(), Vec::new());
    while rest > 0 || digits.is_empty() {
        digits.push(char::from(b"0123456789abcdefghijklmnopqrstuvwxyz"[(rest % 36) as usize]));
        rest /= 36;
    }
    if number < 0 {
        digits.push('-');
    }
    digits.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_are_the_greatest() {
        assert_eq!([(0, 6), (6, 0), (12, 18), (7, 5)].map(|(a, b)| divisor(a, b)), [6, 6, 6, 1]);
    }

    #[test]
    fn numbers_are_whole_or_refused() {
        assert_eq!((whole(0.5), whole(0.1), whole(1e9)), (Some(1 << 35), None, None));
        for number in [0, 35, 36, -1, -1_234_567_890_123, (1 << 53) - 1] {
            assert_eq!(i64::from_str_radix(&base_36(number), 36), Ok(number));
        }
    }
}
