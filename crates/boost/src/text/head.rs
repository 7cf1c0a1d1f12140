//! The linear function of texts, and the scores with which rows begin.

use std::sync::Arc;

use manyboost_data::agree::all_or_none;
use manyboost_data::memory::claim;
use manyboost_data::text::{Recipe, SparseRows, Vocabulary, mean_length};
use manyboost_data::{Dataset, Result, Weights, Words};
use manyboost_kernel::Exchange;
use rayon::prelude::*;

use super::TextPlan;
use super::calibrate::Seen;
use super::fit::{Examples, Machines, TOGETHER};
use super::rows::{AllRows, Canonical, FOLDS};
use crate::engine::scores::{Scores, applied};
use crate::model::text::{TextBlock, TextPart};

/// Texts of fewer words in the mean are short: runs of words and of letters say more than they cost.
const SHORT: f64 = 32.0;

/// Coefficients of a recipe: of more grams, the rarest are left out.
const MOST_COEFFICIENTS: usize = 1 << 26;

/// Fewer rows, by weight, say nothing.
const LEAST_ROWS: f64 = 20.0;

/// The linear function, and where it leaves rows.
#[derive(Debug)]
pub(crate) struct Head {
    /// What a model keeps of it.
    pub(crate) part: Arc<TextPart>,
    /// The scores of a row without text.
    pub(crate) start: Vec<f64>,
    /// The scores with which the rows of this worker begin.
    pub(crate) scores: Scores,
}

/// What there is to count in the texts of a column, and the rows of its texts.
struct Block {
    /// The place of the column among those of text.
    at: usize,
    vocabulary: Vocabulary,
    rows: SparseRows,
}

/// The machines of all classes, and what those say that were fitted to other rows.
struct Fitted {
    coefficients: Vec<f32>,
    scores: Vec<f64>,
}

impl Head {
    /// Of rows that begin with such scores where there is no text; none if texts say nothing.
    pub(crate) fn fit(
        plan: &TextPlan,
        data: &Dataset,
        weights: &Weights,
        start: &[f64],
        exchange: &dyn Exchange,
    ) -> Result<Option<Self>> {
        let (width, sets, one) = (start.len(), data.labels.is_sets(), weights.one());
        let all = AllRows::new(data, weights, exchange);
        let weight: u64 = all.units.iter().map(|&unit| u64::from(unit)).sum();
        if data.texts.is_empty() || (weight as f64) < LEAST_ROWS * one as f64 {
            return Ok(None);
        }
        all_or_none(exchange, claim_texts(&all))?;
        let most = MOST_COEFFICIENTS / width.max(1);
        let blocks = blocks(plan, &all, one, most);
        let (rows, columns) = side_by_side(&all, &blocks);
        if columns == 0 {
            return Ok(None);
        }
        let canonical = Canonical::new(&rows, &all.labels, &all.units, one);
        drop(rows);
        all_or_none(exchange, claim_fits(&canonical, columns, width))?;
        let fitted = Fitted::new(&canonical, columns, width, plan.cost(sets));
        let seen =
            Seen { scores: &fitted.scores, labels: &canonical.labels, weights: &canonical.weights, sets };
        let Some((begin, factor)) = begin(&seen, start) else { return Ok(None) };
        let places = &canonical.places[all.first..all.first + data.rows()];
        let mut scores = Scores::new(data.rows(), &begin);
        let rows = scores.values_mut().par_chunks_mut(width).zip(places);
        rows.for_each(|(scores, &place)| {
            let own = &fitted.scores[place as usize * width..][..width];
            scores.iter_mut().zip(own).for_each(|(score, own)| *score = applied(1.0, *score + factor * own));
        });
        let offsets = &fitted.coefficients[columns * width..];
        let first = begin.iter().zip(offsets);
        let first = first.map(|(begin, &offset)| applied(1.0, begin + factor * f64::from(offset))).collect();
        let first: Vec<f64> = first;
        let coefficients: Vec<f32> =
            fitted.coefficients.iter().map(|&x| (factor * f64::from(x)) as f32).collect();
        let loss = loss(&canonical, &coefficients, &first, sets);
        let blocks = kept(data, blocks, &coefficients, &canonical, width);
        Ok(Some(Self { part: Arc::new(TextPart { blocks, loss }), start: first, scores }))
    }
}

/// The first scores that are best with some of the linear function, and how much of it; none if nothing of it is best.
fn begin(seen: &Seen<'_>, start: &[f64]) -> Option<(Vec<f64>, f64)> {
    let zeros = vec![0.0; start.len()];
    let (own, with) = (seen.scale(start), seen.scale(&zeros));
    let (begin, (scale, loss)) = if with.1 < own.1 { (&zeros[..], with) } else { (start, own) };
    let begin = begin.iter().map(|begin| begin + scale.offset).collect();
    (scale.factor > 0.0 && loss < seen.loss(start, 0.0)).then_some((begin, scale.factor))
}

/// What there is to count in all columns.
fn blocks(plan: &TextPlan, all: &AllRows<'_>, one: u64, most: usize) -> Vec<Block> {
    let of = |(at, column): (usize, &std::borrow::Cow<'_, Words>)| {
        let short = mean_length(column, &all.units) < SHORT;
        let block = |recipe: Recipe| {
            let (vocabulary, rows) = Vocabulary::fit(column, &all.units, one, &recipe, most);
            Block { at, vocabulary, rows }
        };
        plan.recipes(short).into_iter().map(block).collect::<Vec<_>>()
    };
    all.columns.iter().enumerate().flat_map(of).collect()
}

/// The rows of all blocks side by side, and their columns.
fn side_by_side(all: &AllRows<'_>, blocks: &[Block]) -> (SparseRows, usize) {
    let mut columns = 0;
    let mut tables = Vec::new();
    for block in blocks {
        tables.push((&block.rows, columns as u32));
        columns += block.vocabulary.grams().len();
    }
    let of = |block: usize, row: usize| {
        let words: &Words = &all.columns[blocks[block].at];
        let code = words.codes[row] as usize;
        (code < words.dictionary.len()).then_some(code)
    };
    (SparseRows::side_by_side(all.units.len(), &tables, of), columns)
}

impl Fitted {
    /// Fits machines to all rows, and to those outside each part.
    fn new(canonical: &Canonical, columns: usize, width: usize, cost: f64) -> Self {
        let Canonical { rows, labels, weights, folds, .. } = canonical;
        // Beyond these a cost is as good as nothing, or as everything.
        let costs = weights.iter().map(|weight| (cost * weight).clamp(1e-20, 1e20) as f32);
        let costs: Vec<f32> = costs.collect();
        let examples = Examples { rows, labels, costs: &costs, columns };
        let others = |fold: usize| {
            (0..rows.rows() as u32).filter(|&row| folds[row as usize] != fold).collect::<Vec<u32>>()
        };
        let of: Vec<Vec<u32>> = (0..=FOLDS).map(others).collect();
        // The largest first: no thread is left with one at the end.
        let firsts = (0..width).step_by(TOGETHER);
        let tasks: Vec<(usize, usize)> =
            (0..=FOLDS).rev().flat_map(|fold| firsts.clone().map(move |first| (fold, first))).collect();
        let fitted: Vec<(usize, usize, Vec<f32>)> = tasks
            .into_par_iter()
            .with_max_len(1)
            .map(|(fold, first)| {
                let classes = TOGETHER.min(width - first);
                let machines = Machines::fit(&examples, &of[fold], first as u32, classes);
                let table = if fold == FOLDS { machines.table } else { held_out(&machines, canonical, fold) };
                (fold, first, table)
            })
            .collect();
        let mut all =
            Self { coefficients: vec![0.0; (columns + 1) * width], scores: vec![0.0; rows.rows() * width] };
        for (fold, first, table) in fitted {
            let classes = TOGETHER.min(width - first);
            let parts = table.chunks_exact(classes);
            if fold == FOLDS {
                let rows = all.coefficients.chunks_exact_mut(width).zip(parts);
                rows.for_each(|(row, part)| row[first..first + classes].copy_from_slice(part));
            } else {
                let of = (0..rows.rows()).filter(|&row| folds[row] == fold);
                for (row, part) in of.zip(parts) {
                    let own = &mut all.scores[row * width + first..][..classes];
                    own.iter_mut().zip(part).for_each(|(score, &x)| *score = f64::from(x));
                }
            }
        }
        all
    }
}

/// What machines say of the rows of the part that they have not seen.
fn held_out(machines: &Machines, canonical: &Canonical, fold: usize) -> Vec<f32> {
    let rows: Vec<usize> = (0..canonical.rows.rows()).filter(|&row| canonical.folds[row] == fold).collect();
    let mut scores = vec![0.0; rows.len() * machines.width];
    for (&row, out) in rows.iter().zip(scores.chunks_exact_mut(machines.width)) {
        machines.scores(&canonical.rows, row, out);
    }
    scores
}

/// The log loss of the training rows with such coefficients.
fn loss(canonical: &Canonical, coefficients: &[f32], first: &[f64], sets: bool) -> f64 {
    let width = first.len();
    let mut scores = vec![0.0; canonical.rows.rows() * width];
    scores.par_chunks_mut(width).enumerate().for_each(|(row, scores)| {
        let (columns, values) = canonical.rows.row(row);
        for (&column, &value) in columns.iter().zip(values) {
            let own = &coefficients[column as usize * width..][..width];
            let add = |(score, &x): (&mut f64, &f32)| *score += f64::from(value) * f64::from(x);
            scores.iter_mut().zip(own).for_each(add);
        }
    });
    let Canonical { labels, weights, .. } = canonical;
    Seen { scores: &scores, labels, weights, sets }.loss(first, 1.0)
}

/// What a model keeps.
fn kept(
    data: &Dataset,
    blocks: Vec<Block>,
    coefficients: &[f32],
    canonical: &Canonical,
    width: usize,
) -> Vec<TextBlock> {
    let means = means(canonical, coefficients.len() / width);
    let mut first = 0;
    let block = |Block { at, vocabulary, .. }: Block| {
        let of = first..first + vocabulary.grams().len();
        first = of.end;
        let own = coefficients[of.start * width..of.end * width].to_vec();
        let mut expected = vec![0.0; width];
        for (row, mean) in own.chunks_exact(width).zip(&means[of]) {
            expected.iter_mut().zip(row).for_each(|(sum, &x)| *sum += mean * f64::from(x));
        }
        TextBlock { column: data.texts[at].column, vocabulary, coefficients: own, expected }
    };
    blocks.into_iter().map(block).collect()
}

/// The mean of each column over the rows, by weight.
fn means(canonical: &Canonical, columns: usize) -> Vec<f64> {
    let mut sums = vec![0.0; columns];
    for (row, weight) in canonical.weights.iter().enumerate() {
        let (columns, values) = canonical.rows.row(row);
        columns.iter().zip(values).for_each(|(&column, &x)| sums[column as usize] += weight * f64::from(x));
    }
    let total: f64 = canonical.weights.iter().sum();
    for sum in &mut sums {
        *sum /= total;
    }
    sums
}

const REMEDY: &str = "train on fewer rows, with `text-as=words`, or where there is more memory";

/// Refuses texts of which there is no room for what is in them.
fn claim_texts(all: &AllRows<'_>) -> Result<()> {
    let letters: usize = all.columns.iter().flat_map(|words| &words.dictionary).map(|text| text.len()).sum();
    claim(4 * letters as u64, "counting the words of texts", REMEDY)
}

/// Refuses fits for which there is no memory: coefficients, the variables of rows, and scores.
fn claim_fits(canonical: &Canonical, columns: usize, width: usize) -> Result<()> {
    let (rows, fits) = (canonical.rows.rows() as u64, FOLDS as u64 + 1);
    let numbers = (columns as u64 + rows).saturating_mul(width as u64);
    let bytes = numbers.saturating_mul(4 * fits).saturating_add(rows.saturating_mul(8 * width as u64));
    claim(bytes, &format!("a linear function of texts for {width} classes"), REMEDY)
}
