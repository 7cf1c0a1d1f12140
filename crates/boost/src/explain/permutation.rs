//! Permutation importance (Breiman 2001): what a column is worth to a model is what is lost when its values change places between rows.
//!
//! Every column is shuffled several times. The rise of a row's loss is averaged over the shuffles first; the mean over the rows has an interval by how
//! much rows differ, so that it says how sure the figure is for other rows of the same kind. Shuffles depend on the seed and on what is
//! in rows, not on their order.

use std::borrow::Cow;

use manyboost_data::encode::Codec;
use manyboost_data::memory::claim;
use manyboost_data::{Applied, Error, ErrorKind, Labels, Result};
use manyboost_kernel::Seed;
use manyboost_kernel::numbers::math::ln;
use manyboost_kernel::numbers::seed::mix;

use crate::engine::scores::{Scores, argmax};
use crate::model::Model;

/// The part of the seed that shuffles are drawn with.
const SHUFFLES: u64 = 0x7065_726d;

/// Probabilities below this count as this much in a log loss.
const LEAST: f64 = 1e-15;

/// Standard errors on either side of a figure, for an interval that has the true one in 95 of 100 cases.
const ERRORS: f64 = 1.96;

/// How much a loss rises.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rise {
    /// On average over rows and shuffles.
    pub mean: f64,
    /// Half the width of the interval that has the rise over other rows of the same kind, 95 times of 100.
    pub margin: f64,
}

/// What a column is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnWorth {
    /// The column.
    pub column: String,
    /// The rise of the error; of label sets, of the share of wrong labels.
    pub error: Rise,
    /// The rise of the log loss.
    pub log_loss: Rise,
    /// The rises of error and log loss among the rows of each class; of label sets, of each label. Zero where there are no rows.
    pub classes: Vec<[Rise; 2]>,
}

/// Shuffles the values of each column so many times, and gives what each of them is worth, in the order of the columns.
pub fn permutation_importance(
    model: &Model,
    rows: &mut Applied,
    repeats: usize,
    seed: u64,
) -> Result<Vec<ColumnWorth>> {
    let count = rows.frame.rows();
    if count == 0 || repeats == 0 {
        let what = "there is nothing to shuffle: no rows, or no repeats";
        return Err(Error::new(ErrorKind::Parameter, what, "give rows with answers, and one repeat or more"));
    }
    let judge = Judge::new(model, rows)?;
    let canonical = canonical(model, rows, &judge.before);
    let columns = model.encoder.column_encoders();
    let used = used_columns(model);
    let worth = |(at, name): (usize, &String)| {
        let mut sums = Scores::new(count, &vec![0.0; 2 * judge.tasks]);
        for repeat in 0..repeats as u64 {
            if !used[at] {
                break;
            }
            let seed = Seed::new(seed).part(SHUFFLES).part(repeat).part(at as u64);
            let mut other = rows.frame.reordered(at, &shuffled(&canonical, seed));
            rows.frame.swap_column(at, &mut other);
            let after = judge.losses(rows);
            rows.frame.swap_column(at, &mut other);
            let rises = after.values().iter().zip(judge.before.values());
            sums.values_mut()
                .iter_mut()
                .zip(rises)
                .for_each(|(sum, (a, b))| *sum += (a - b) / repeats as f64);
        }
        judge.worth(name, rows, &sums)
    };
    Ok(columns.iter().map(|column| &column.name).enumerate().map(worth).collect())
}

/// A model, and how it errs on rows as they are.
struct Judge<'a> {
    model: &'a Model,
    predictor: crate::predict::Predictor,
    /// Errors and log losses are told apart by label (label sets), or are one of each for a row.
    tasks: usize,
    before: Scores,
}

impl<'a> Judge<'a> {
    fn new(model: &'a Model, rows: &Applied) -> Result<Self> {
        let tasks = if rows.labels.is_sets() { rows.labels.classes() } else { 1 };
        model.ensemble.claim(rows.frame.rows())?;
        let bytes = (rows.frame.rows() as u64).saturating_mul(48 * tasks as u64);
        claim(bytes, "the losses of all rows", "give fewer rows")?;
        let mut judge = Self { model, predictor: model.predictor(), tasks, before: Scores::new(0, &[0.0]) };
        judge.before = judge.losses(rows);
        Ok(judge)
    }

    /// The error of each task, then the log loss of each, row by row.
    fn losses(&self, rows: &Applied) -> Scores {
        let scores = self.predictor.scores(&rows.frame);
        let likely = self.model.ensemble.reading.link.apply_rows(scores.clone());
        let mut losses = Scores::new(rows.frame.rows(), &vec![0.0; 2 * self.tasks]);
        for (row, out) in losses.values_mut().chunks_exact_mut(2 * self.tasks).enumerate() {
            let (errors, surprises) = out.split_at_mut(self.tasks);
            let (f, p) = (scores.row(row), likely.row(row));
            let surprise = |p: f64| -ln(p.max(LEAST));
            match &rows.labels {
                Labels::Classes { of, .. } => {
                    errors[0] = f64::from(u8::from(argmax(f) as u32 != of[row]));
                    surprises[0] = surprise(p.get(of[row] as usize).copied().unwrap_or(0.0));
                }
                Labels::Sets { .. } => {
                    let has = rows.labels.labels(row);
                    for label in 0..self.tasks {
                        let own = has.contains(&(label as u32));
                        errors[label] = f64::from(u8::from((f[label] > 0.0) != own));
                        surprises[label] = surprise(if own { p[label] } else { 1.0 - p[label] });
                    }
                }
            }
        }
        losses
    }

    /// Means and intervals of the rises of all rows.
    fn worth(&self, column: &str, rows: &Applied, rises: &Scores) -> ColumnWorth {
        let (units, tasks) = (rows.weights.units(), self.tasks);
        let over = |wanted: &dyn Fn(usize) -> bool, value: &dyn Fn(&[f64]) -> f64| {
            let chosen = units.iter().enumerate().filter(|(row, _)| wanted(*row));
            rise(chosen.map(|(row, &units)| (f64::from(units), value(rises.row(row)))))
        };
        let error = over(&|_| true, &|row| row[..tasks].iter().sum::<f64>() / tasks as f64);
        let log_loss = over(&|_| true, &|row| row[tasks..].iter().sum());
        let class = |class: usize| match &rows.labels {
            Labels::Classes { of, .. } => {
                [0, 1].map(|which| over(&|row| of[row] as usize == class, &|row| row[which]))
            }
            Labels::Sets { .. } => [class, tasks + class].map(|at| over(&|_| true, &|row| row[at])),
        };
        let classes = (0..self.model.schema.target.names().len()).map(class).collect();
        ColumnWorth { column: column.to_string(), error, log_loss, classes }
    }
}

/// The mean of weighted values, with its interval.
fn rise(values: impl Iterator<Item = (f64, f64)> + Clone) -> Rise {
    let (mut all, mut squares, mut sum) = (0.0, 0.0, 0.0);
    for (weight, value) in values.clone() {
        (all, squares, sum) = (all + weight, squares + weight * weight, sum + weight * value);
    }
    if all <= 0.0 {
        return Rise::default();
    }
    let mean: f64 = sum / all;
    let spread: f64 = values.map(|(weight, value)| weight * (value - mean) * (value - mean)).sum();
    Rise { mean, margin: ERRORS * (spread / all * squares / (all * all)).sqrt() }
}

/// Which columns any hypothesis looks at: the others are worth nothing.
fn used_columns(model: &Model) -> Vec<bool> {
    let columns = model.encoder.columns();
    let mut used = vec![false; model.encoder.column_encoders().len()];
    for feature in model.ensemble.terms().flat_map(|term| term.hypothesis.cells.features()) {
        used[columns[feature as usize].0] = true;
    }
    for block in model.ensemble.text.iter().flat_map(|text| &text.blocks) {
        used[block.column as usize] = true;
    }
    used
}

/// The rows in an order that depends on what is in them.
fn canonical(model: &Model, rows: &Applied, losses: &Scores) -> Vec<u32> {
    let (mut features, mut first) = (Vec::new(), 0);
    for column in model.encoder.column_encoders() {
        if !matches!(column.codec, Codec::Text(_)) {
            features.push(first);
        }
        first += column.codec.width();
    }
    let content = |row: usize| {
        let answers: Cow<'_, [u32]> = match &rows.labels {
            Labels::Classes { of, .. } => Cow::Owned(vec![of[row]]),
            Labels::Sets { .. } => Cow::Borrowed(rows.labels.labels(row)),
        };
        let values = features.iter().map(|&feature| rows.frame.value(row, feature).to_bits());
        let values = values.chain(losses.row(row).iter().map(|x| x.to_bits()));
        values.chain(answers.iter().map(|&answer| u64::from(answer))).fold(0, |hash, x| mix(hash ^ mix(x)))
    };
    let contents: Vec<u64> = (0..rows.frame.rows()).map(content).collect();
    let mut order: Vec<u32> = (0..contents.len() as u32).collect();
    order.sort_by_key(|&row| contents[row as usize]);
    order
}

/// For each row another one, whose value it gets.
fn shuffled(canonical: &[u32], seed: Seed) -> Vec<u32> {
    let mut places: Vec<u32> = (0..canonical.len() as u32).collect();
    places.sort_by_key(|&place| (seed.part(u64::from(place)).bits(), place));
    let mut order = vec![0; canonical.len()];
    for (&row, &place) in canonical.iter().zip(&places) {
        order[row as usize] = canonical[place as usize];
    }
    order
}
