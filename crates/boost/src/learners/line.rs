//! Straight lines as weak learners: the regression of answers on one feature, "regression" in tables 5 and 8 of Saberian & Vasconcelos 2019.
//!
//! The feature is the one whose line explains most. A line is kept as stairs: a tree on one feature, whose leaves answer
//! what the line has at the mean of their values. So models of lines are explained, exported and gone on with as all
//! others are; a missing value counts as the mean, and beyond the training values a line goes on level.

use manyboost_data::{Dataset, Encoder, Result};
use manyboost_kernel::numbers::math::{floor_log2, pow2};
use manyboost_kernel::sums::channels::largest;
use manyboost_kernel::{Axes, Bins, Moments, Statistics, Totals};
use rayon::prelude::*;

use super::columns::{Columns, values};
use super::replay::leaves_of;
use super::{Task, WeakLearner, check_subsample};
use crate::engine::draws::Draws;
use crate::model::answers::Answers;
use crate::model::hypothesis::{Cells, Hypothesis};
use crate::model::tree::{Child, Node, Test, Tree};
use crate::spec::booster::FittedHypothesis;
use crate::votes::{MeanWeights, Means};

/// Most steps of a line.
const STEPS: usize = 64;
/// More features are refused.
const MOST_FEATURES: usize = 65_536;
/// Values farther from the mean than about so many standard deviations, up to twice as many, count as that far.
const FARTHEST: f64 = 8.0;
/// A feature has no line where less than this share of its squared distances is not in its mean.
const LEVEL: f64 = 1e-4;
/// What a line explains must be larger by this part to be more.
const MORE: f64 = 1e-12;

/// How lines are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineParameters {
    /// Share of the rows that each line sees.
    pub subsample: f64,
}

impl LineParameters {
    /// Refuses what cannot be meant.
    pub fn validate(&self) -> Result<()> {
        check_subsample(self.subsample)
    }
}

/// Fits lines on one data set, round after round.
pub struct LineLearner<'a> {
    parameters: LineParameters,
    bins: &'a Bins,
    encoder: &'a Encoder,
    axes: Axes,
    /// Those of each feature.
    stairs: Vec<Stairs>,
    /// How the weight of all rows is spread, once it is known.
    whole: Option<Spread>,
    draws: Option<Draws<'a>>,
}

/// The steps of a feature.
#[derive(Debug)]
struct Stairs {
    /// The step of each code.
    step_of: Vec<u32>,
    /// The step of a missing value.
    home: u32,
    /// Where steps are on the axis.
    places: Vec<f64>,
}

impl<'a> LineLearner<'a> {
    /// For a data set; refuses columns that are not numbers.
    pub fn new(
        parameters: LineParameters,
        data: &'a Dataset,
        encoder: &'a Encoder,
        totals: &Totals<'_>,
    ) -> Result<Self> {
        let values = values(data, encoder, "line", MOST_FEATURES)?;
        let (bins, count) = (&data.bins, encoder.features());
        let columns = Columns::new(values, count, totals);
        let scales: Vec<f64> = (0..count).map(|j| scale(&columns, j, totals)).collect();
        let mut places = columns.into_values();
        places.par_chunks_mut(count.max(1)).for_each(|row| {
            row.iter_mut().zip(&scales).for_each(|(z, scale)| *z = (*z * scale).clamp(-1.0, 1.0));
        });
        let stairs = |feature: usize| Stairs::new(bins, feature, |row| places[row * count + feature], totals);
        let stairs = (0..count).map(stairs).collect();
        let draws = (parameters.subsample < 1.0).then(|| Draws::new(data, totals));
        Ok(Self { parameters, bins, encoder, axes: Axes::new(count, &places), stairs, whole: None, draws })
    }

    /// The feature whose line explains most of some rows, if any explains anything.
    fn feature(
        &mut self,
        weights: MeanWeights,
        drawn: &Drawn,
        statistics: &Statistics<'_>,
        totals: &Totals<'_>,
    ) -> Option<usize> {
        let Statistics::Dense { values, width } = *statistics else { return None };
        let bounds = largest(statistics, totals.exchange());
        let weighted = weights != MeanWeights::Rows;
        let found = self.axes.moments(totals, &drawn.rows, &bounds, weighted, |row, out| {
            out.copy_from_slice(&values[row * width..(row + 1) * width]);
        });
        let of_rows = || Spread::of_rows(&self.axes, &drawn.rows, totals);
        let spread = if weighted {
            Spread::new(&found)
        } else if drawn.all {
            self.whole.get_or_insert_with(of_rows).clone()
        } else {
            of_rows()
        };
        let (count, first) = (self.stairs.len(), usize::from(weighted));
        let explained = |feature: usize| {
            let along = |channel: usize| {
                found.first[channel * count + feature] - spread.means[feature] * found.sums[channel]
            };
            (first..width).map(|channel| along(channel).powi(2)).sum::<f64>() / spread.widths[feature]
        };
        let mut best = (0.0, None);
        for feature in (0..count).filter(|&feature| spread.widths[feature] > 0.0) {
            let explained = explained(feature);
            if explained > best.0 * (1.0 + MORE) {
                best = (explained, Some(feature));
            }
        }
        best.1
    }
}

/// The rows that a line sees.
struct Drawn {
    rows: Vec<u32>,
    /// Whether they are those of every round.
    all: bool,
}

/// How weight is spread along each axis.
#[derive(Clone, Debug)]
struct Spread {
    means: Vec<f64>,
    /// The sums of squared distances from the mean; 0 where there are none to speak of.
    widths: Vec<f64>,
}

impl Spread {
    /// Where the first channel is the weight.
    fn new(found: &Moments) -> Self {
        let means: Vec<f64> = found.first[..found.second.len()].iter().map(|x| x / found.sums[0]).collect();
        let width = |((mean, first), &second): ((&f64, &f64), &f64)| {
            let width = second - first * mean;
            if width > LEVEL * second { width } else { 0.0 }
        };
        let widths = means.iter().zip(&found.first).zip(&found.second).map(width).collect();
        Self { means, widths }
    }

    /// Of rows with their own weights.
    fn of_rows(axes: &Axes, rows: &[u32], totals: &Totals<'_>) -> Self {
        Self::new(&axes.moments(totals, rows, &[1.0], true, |_, out| out[0] = 1.0))
    }
}

/// What distances from the mean of a column are multiplied by: a power of two that makes their standard deviation ¹⁄₁₆ to ⅛.
fn scale(columns: &Columns, column: usize, totals: &Totals<'_>) -> f64 {
    let [squares] = totals.sums_within([1.0], |row| [columns.row(row)[column].powi(2)]);
    let deviation = (squares / totals.weight()).sqrt();
    if deviation > 0.0 { pow2(-floor_log2(FARTHEST * deviation) - 1) } else { 1.0 }
}

impl Stairs {
    /// Of a feature whose rows have these places.
    fn new(bins: &Bins, feature: usize, place: impl Fn(usize) -> f64 + Sync, totals: &Totals<'_>) -> Self {
        let codes = bins.features()[feature].bins as usize;
        let count = codes.min(STEPS);
        let step_of: Vec<u32> = (0..codes).map(|code| (code * count / codes) as u32).collect();
        let rows: Vec<u32> = (0..bins.rows() as u32)
            .filter(|&row| (bins.code(row as usize, feature) as usize) < codes)
            .collect();
        let groups = by_step(&rows, count, |row| step_of[bins.code(row, feature) as usize]);
        let sums = totals.by_group_of(&slices(&groups), &[1.0], |row, out| out[0] = place(row));
        let mut places: Vec<f64> = Vec::with_capacity(count);
        for sums in sums.chunks_exact(2) {
            // Rows without weight are nowhere: with the step before.
            let before = places.last().copied().unwrap_or(0.0);
            places.push(if sums[0] > 0.0 { sums[1] / sums[0] } else { before });
        }
        let home = (0..count).min_by(|&a, &b| places[a].abs().total_cmp(&places[b].abs()));
        Self { step_of, home: home.unwrap_or(0) as u32, places }
    }

    /// The step of a row.
    #[inline]
    fn step(&self, bins: &Bins, feature: usize, row: usize) -> u32 {
        self.step_of.get(bins.code(row, feature) as usize).copied().unwrap_or(self.home)
    }

    /// A tree with a leaf for each step.
    fn tree(&self, feature: usize, encoder: &Encoder) -> Tree {
        let mut tree = Tree::default();
        let mut open = vec![(0..self.places.len() as u32, None)];
        while let Some((steps, hook)) = open.pop() {
            let child = if steps.len() > 1 {
                let middle = steps.start + steps.len() as u32 / 2;
                let above = self.step_of.partition_point(|&step| step < middle) as u32;
                let threshold = encoder.threshold(feature, above - 1, Some(above));
                let number = tree.nodes.len();
                tree.nodes.push(Node {
                    feature: feature as u32,
                    test: Test::AtMost(threshold),
                    missing_left: self.home < middle,
                    left: Child::Leaf(0),
                    right: Child::Leaf(0),
                });
                open.push((middle..steps.end, Some((number, 1))));
                open.push((steps.start..middle, Some((number, 0))));
                Child::Node(number as u32)
            } else {
                Child::Leaf(steps.start)
            };
            match hook {
                Some((parent, 0)) => tree.nodes[parent].left = child,
                Some((parent, _)) => tree.nodes[parent].right = child,
                None => (),
            }
        }
        tree
    }
}

/// The rows of each step, in their order.
fn by_step(rows: &[u32], count: usize, step: impl Fn(usize) -> u32) -> Vec<Vec<u32>> {
    let mut groups = vec![Vec::new(); count];
    for &row in rows {
        groups[step(row as usize) as usize].push(row);
    }
    groups
}

fn slices(groups: &[Vec<u32>]) -> Vec<&[u32]> {
    groups.iter().map(Vec::as_slice).collect()
}

impl WeakLearner for LineLearner<'_> {
    fn fit(&mut self, task: &Task<'_>) -> FittedHypothesis {
        let Task { query, statistics, totals, seed } = *task;
        let (share, counted) = (self.parameters.subsample, query.rows.as_deref());
        let some = self.draws.as_ref().map(|draws| draws.share(counted, share, totals, seed.part(1)));
        let totals = &some.as_ref().map_or(*totals, |some| totals.partly(&some.units));
        let all = some.is_none() && query.rows.is_none();
        let every = || (0..self.bins.rows() as u32).collect();
        let rows =
            some.as_ref().map(|some| some.rows.clone()).or_else(|| query.rows.clone()).unwrap_or_else(every);
        let drawn = Drawn { rows, all };
        let found = query.vote.for_line().and_then(|means| {
            let feature = self.feature(means.weights, &drawn, statistics, totals)?;
            Some((means, feature))
        });
        let rows = &drawn.rows;
        let Some((means, feature)) = found else {
            let sums = query.vote.leaf_sums(totals, statistics, &[rows]);
            let (answers, cost) = query.vote.answers(&sums, sums.len());
            let cells = Cells::Tree(Tree::default());
            let hypothesis = Hypothesis { cells, answers: query.lift.lift(answers) };
            return FittedHypothesis { hypothesis, cell_of: vec![0; self.bins.rows()], cost };
        };
        let stairs = &self.stairs[feature];
        let step = |row: usize| stairs.step(self.bins, feature, row);
        let groups = by_step(rows, stairs.places.len(), step);
        let sums = query.vote.leaf_sums(totals, statistics, &slices(&groups));
        let stride = sums.len() / groups.len();
        let (own, _) = query.vote.answers(&sums, stride);
        let (answers, cost) = straightened(own, means, &sums, stride, &stairs.places);
        let cell_of = (0..self.bins.rows()).into_par_iter().with_min_len(1024).map(step).collect();
        let cells = Cells::Tree(stairs.tree(feature, self.encoder));
        let hypothesis = Hypothesis { cells, answers: query.lift.lift(answers) };
        let mut found = FittedHypothesis { hypothesis, cell_of, cost };
        found.count_cover(task.totals);
        found
    }

    fn cells_of(&self, cells: &Cells) -> Vec<u32> {
        leaves_of(cells, self.bins, self.encoder)
    }
}

/// The answers on straight lines over these places that are nearest to those that steps would give of themselves, and what they
/// cost.
fn straightened(own: Answers, means: Means, sums: &[f64], stride: usize, places: &[f64]) -> (Answers, f64) {
    let Answers::Vectors { width, mut values } = own else { return (own, 0.0) };
    let numbers = width as usize;
    // Newton steps have half of what they explain back as curvature.
    let part = if matches!(means.weights, MeanWeights::Curvatures { .. }) { 0.5 } else { 1.0 };
    let mut cost = 0.0;
    for number in 0..numbers {
        let steps = || {
            let weights = sums.chunks_exact(stride).map(|sums| means.weights.of(sums, numbers, number));
            weights.zip(places.iter().copied())
        };
        let own: Vec<f64> = values.iter().skip(number).step_by(numbers).copied().collect();
        let total: f64 = steps().map(|(w, _)| w).sum();
        if total <= 0.0 {
            continue;
        }
        let middle = steps().map(|(w, z)| w * z).sum::<f64>() / total;
        let level = steps().zip(&own).map(|((w, _), a)| w * a).sum::<f64>() / total;
        let spread: f64 = steps().map(|(w, z)| w * (z - middle).powi(2)).sum();
        let along: f64 = steps().zip(&own).map(|((w, z), a)| w * (z - middle) * a).sum();
        let slope = if spread > 0.0 { along / spread } else { 0.0 };
        let answers = values.iter_mut().skip(number).step_by(numbers);
        for ((answer, (weight, place)), own) in answers.zip(steps()).zip(&own) {
            *answer = (level + slope * (place - middle)).clamp(-means.most, means.most);
            cost -= part * weight * own * *answer;
        }
    }
    (Answers::Vectors { width, values }, cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Means = Means { weights: MeanWeights::Rows, most: f64::INFINITY };

    #[test]
    fn steps_on_a_line_stay_where_they_are() {
        let places = [-0.5, 0.0, 0.25, 1.0];
        let values: Vec<f64> = places.iter().flat_map(|z| [2.0 * z + 1.0, -z]).collect();
        let sums: Vec<f64> = values.chunks(2).flat_map(|a| [3.0, 3.0 * a[0], 3.0 * a[1]]).collect();
        let own = Answers::Vectors { width: 2, values: values.clone() };
        let (Answers::Vectors { values: found, .. }, cost) = straightened(own, PLAIN, &sums, 3, &places)
        else {
            panic!("vectors")
        };
        assert!(found.iter().zip(&values).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        assert!((cost + 3.0 * values.iter().map(|a| a * a).sum::<f64>()).abs() < 1e-12);
    }

    #[test]
    fn a_line_is_that_of_least_squares_and_ends_where_answers_do() {
        // Weights 1, 2, 1 at −1, 0, 1: slope (4 − 0)/2, level (0 + 2 · 1 + 4)/4.
        let sums = [1.0, 0.0, 2.0, 2.0, 1.0, 4.0];
        let own = Answers::Vectors { width: 1, values: vec![0.0, 1.0, 4.0] };
        let (found, cost) = straightened(own.clone(), PLAIN, &sums, 2, &[-1.0, 0.0, 1.0]);
        assert_eq!(found, Answers::Vectors { width: 1, values: vec![-0.5, 1.5, 3.5] });
        assert_eq!(cost, -(2.0 * 1.5 + 4.0 * 3.5));
        let short = Means { most: 2.0, ..PLAIN };
        let (found, _) = straightened(own, short, &sums, 2, &[-1.0, 0.0, 1.0]);
        assert_eq!(found, Answers::Vectors { width: 1, values: vec![-0.5, 1.5, 2.0] });
    }
}
