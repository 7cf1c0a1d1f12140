//! Stumps collapse: all tests of a feature together are one step function of its value.
//!
//! The cost of a prediction then depends on the number of features, no longer on the number of rounds, and each
//! feature's part of the score can be printed or drawn.

use std::collections::BTreeMap;

use crate::model::answers::{Answers, ScoreUpdate};
use crate::model::ensemble::Term;
use crate::model::hypothesis::Cells;
use crate::model::tree::{Child, Node, Test};

/// Sums of scores below this are exact, in any order.
const EXACT: f64 = 65_536.0;

/// Tables of more numbers are no quicker than stumps, and would be far larger: a stump for one of many classes is a few bytes.
const LARGEST: usize = 1 << 23;

/// The step functions of all features that stumps look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Additive {
    width: usize,
    /// What constant hypotheses (trees without a test) add.
    constant: Vec<f64>,
    /// The functions, by ascending feature.
    pub functions: Vec<StepFunction>,
}

/// One feature's part of the scores.
#[derive(Clone, Debug, PartialEq)]
pub struct StepFunction {
    /// The feature.
    pub feature: u32,
    /// Where it steps.
    pub steps: Steps,
    /// The scores of each piece, piece by piece; the last one is for missing values.
    pub scores: Vec<f64>,
}

/// Where a step function steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Steps {
    /// At these numbers, ascending: piece i holds the values above threshold i − 1, up to threshold i.
    Thresholds(Vec<f64>),
    /// One piece for each level below this number, and one for all others.
    Levels(u32),
}

impl Steps {
    /// Number of pieces, without the one for missing values.
    fn pieces(&self) -> usize {
        match self {
            Self::Thresholds(thresholds) => thresholds.len() + 1,
            Self::Levels(levels) => *levels as usize + 1,
        }
    }

    /// The piece of a value.
    #[inline]
    fn piece(&self, value: f64) -> usize {
        match self {
            _ if value.is_nan() => self.pieces(),
            Self::Thresholds(thresholds) => thresholds.partition_point(|&t| t < value),
            Self::Levels(levels) => (value as u32).min(*levels) as usize,
        }
    }
}

impl StepFunction {
    /// The scores of a value.
    #[inline]
    pub fn at(&self, value: f64) -> &[f64] {
        let width = self.scores.len() / (self.steps.pieces() + 1);
        let piece = self.steps.piece(value);
        &self.scores[piece * width..(piece + 1) * width]
    }
}

/// Hypotheses with at most one test each, whose order does not matter.
pub struct Stumps<'a> {
    width: usize,
    /// Those without a test.
    constant: Vec<ScoreUpdate>,
    /// The others by the feature that they look at.
    by_feature: BTreeMap<u32, Vec<(&'a Node, ScoreUpdate)>>,
    /// Sums of their scores are no farther from 0 than this.
    most: f64,
}

impl<'a> Stumps<'a> {
    /// Of terms that add to so many scores, if they are all of this kind.
    pub fn new(terms: impl IntoIterator<Item = &'a Term>, width: usize) -> Option<Self> {
        let mut stumps = Self { width, constant: Vec::new(), by_feature: BTreeMap::new(), most: 0.0 };
        for Term { alpha, hypothesis } in terms {
            let (Cells::Tree(tree), false) =
                (&hypothesis.cells, matches!(hypothesis.answers, Answers::Election(_)))
            else {
                return None;
            };
            let applied = hypothesis.answers.applied(*alpha, width);
            stumps.most += alpha.abs() * hypothesis.answers.most();
            match tree.nodes.as_slice() {
                [] => stumps.constant.push(applied),
                [node] => stumps.by_feature.entry(node.feature).or_default().push((node, applied)),
                _ => return None,
            }
        }
        Some(stumps)
    }

    /// The sum of all stumps on a feature; `None` if there is none, or they are not all of one kind.
    pub fn function(&self, feature: u32) -> Option<StepFunction> {
        collapse(feature, self.by_feature.get(&feature)?, self.width)
    }
}

impl Additive {
    /// Collapses rounds, if each has at most one test, their order does not matter and their sum is exact.
    pub fn new(terms: &[&Term], width: usize) -> Option<Self> {
        let stumps = Stumps::new(terms.iter().copied(), width)?;
        // At most a piece a test, one beyond the last and one for missing values.
        let pieces = terms.len() + 2 * stumps.by_feature.len();
        if stumps.most >= EXACT || terms.is_empty() || pieces.saturating_mul(width) > LARGEST {
            return None;
        }
        let mut constant = vec![0.0; width];
        stumps.constant.iter().for_each(|applied| applied.add(0, &mut constant));
        let functions: Option<Vec<StepFunction>> =
            stumps.by_feature.keys().map(|&feature| stumps.function(feature)).collect();
        Some(Self { width, constant, functions: functions? })
    }

    /// Adds the scores of a block of rows, which have one value for each function.
    pub(super) fn add(&self, values: &[f64], scores: &mut [f64]) {
        let used = self.functions.len();
        for (row, scores) in scores.chunks_exact_mut(self.width).enumerate() {
            scores.iter_mut().zip(&self.constant).for_each(|(score, x)| *score += x);
            for (function, &value) in self.functions.iter().zip(&values[row * used..(row + 1) * used]) {
                scores.iter_mut().zip(function.at(value)).for_each(|(score, x)| *score += x);
            }
        }
    }
}

/// The sum of all stumps on a feature; `None` if they are not all of one kind.
fn collapse(feature: u32, stumps: &[(&Node, ScoreUpdate)], width: usize) -> Option<StepFunction> {
    let thresholds: Option<Vec<f64>> = stumps
        .iter()
        .map(|(node, _)| match node.test {
            Test::AtMost(threshold) => Some(threshold),
            Test::Levels(_) => None,
        })
        .collect();
    let (steps, inside): (Steps, Vec<f64>) = if let Some(mut thresholds) = thresholds {
        thresholds.sort_by(f64::total_cmp);
        thresholds.dedup();
        // A value of each piece: its upper end, and anything larger for the last.
        let inside = thresholds.iter().copied().chain([f64::INFINITY]).collect();
        (Steps::Thresholds(thresholds), inside)
    } else {
        let most = stumps.iter().filter_map(|(node, _)| match &node.test {
            Test::Levels(levels) => Some(levels.last().map_or(0, |l| l + 1)),
            Test::AtMost(_) => None,
        });
        let levels = most.max()?;
        (Steps::Levels(levels), (0..=levels).map(f64::from).collect())
    };
    let mut scores = Vec::with_capacity((steps.pieces() + 1) * width);
    for value in inside.into_iter().chain([f64::NAN]) {
        let mut sum = vec![0.0; width];
        for (node, applied) in stumps {
            let child = if node.goes_left(value) { node.left } else { node.right };
            let Child::Leaf(leaf) = child else { return None };
            applied.add(leaf as usize, &mut sum);
        }
        scores.extend(sum);
    }
    Some(StepFunction { feature, steps, scores })
}
