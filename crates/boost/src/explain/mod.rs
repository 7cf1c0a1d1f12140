//! Why this answer: what each column of a row adds to the scores of all classes.
//!
//! Nearly all models are sums of trees with a vector in each leaf. For these, Shapley values are exact and quick: they are a sum over leaves of
//! a coefficient, which depends on the path and the row only, times the leaf's vector, whatever the number of classes
//! (`docs/decisions/0022-explanations.md`). An [`Explainer`] lays a
//! model out for that; what it gives for a row sums up to the row's scores, less what is expected of any row.
//!
//! A feature that is left out of a coalition either takes both sides of its tests with the shares of the training rows (`conditional.rs`),
//! or the values of background rows that are given (`background.rs`).
//!
//! ```
//! use manyboost::explain::{Explainer, Grain};
//! use manyboost::prelude::*;
//!
//! # fn main() -> manyboost::data::Result<()> {
//! let table = Table::from_rows(&[[0.0, 5.0], [1.0, 6.0], [2.0, 5.0], [3.0, 6.0]], &["low", "low", "high", "high"])?;
//! let model = Boost::named("samme").rounds(5).option("learner", "stump").fit(&table)?;
//! let explainer = Explainer::new(&model, Grain::Columns)?;
//! let why = explainer.explain(&table)?;
//! // What is expected of any row, and what its two columns add: the scores of both classes.
//! let sum = |class: usize| explainer.expected()[class] + why.part(3, 0)[class] + why.part(3, 1)[class];
//! assert!((sum(0) - model.scores(&table)?.row(3)[0]).abs() < 1e-9);
//! assert_eq!(why.part(3, 1), [0.0, 0.0], "the second column says nothing of the classes");
//! # Ok(())
//! # }
//! ```

mod access;
mod background;
mod conditional;
pub mod effects;
mod leaf_sums;
mod paths;
mod patterns;
pub mod permutation;
mod quadrature;
pub mod similar;
mod tables;
mod texts;
pub mod why_not;

use std::collections::BTreeSet;

use manyboost_data::encode::{Codec, ColumnEncoder};
use manyboost_data::memory::claim;
use manyboost_data::{Error, ErrorKind, Frame, Result, Table};
use rayon::prelude::*;

pub use access::{RowCells, TreeTerm};

use crate::model::Model;
use crate::model::answers::ScoreUpdate;
use crate::model::reading::Decode;
use access::refused;
use background::{Beside, Fitting, Weights};
use conditional::{Conditional, Pairs};
use paths::{PathFeature, Paths};
use tables::{Room, Rule, Tables};
use texts::Texts;

/// Most trees whose leaves are summed together, and most coefficients of their leaves: those of a few rows should fit into a cache.
const TREES: usize = 16;
const COEFFICIENTS: usize = 1 << 11;

/// Rows that go through these trees together.
const ROWS: usize = 64;

/// What is said to add something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Each column; words of a text are summed up.
    Columns,
    /// Each feature that the model looks at: columns, and words of texts.
    Words,
}

/// A column, or a word of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The column.
    pub column: String,
    /// Its word, where the column is text and words are told apart.
    pub word: Option<String>,
    /// The number of its feature, unless it is a text as a whole.
    pub feature: Option<u32>,
}

/// What the parts of rows add to scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Number of rows.
    pub rows: usize,
    /// Number of parts.
    pub parts: usize,
    /// Number of scores: classes, or labels.
    pub classes: usize,
    /// Row after row, part after part, class after class.
    pub values: Vec<f64>,
}

impl Explanation {
    /// What each part of a row adds to each score, part after part.
    pub fn row(&self, row: usize) -> &[f64] {
        let width = self.parts * self.classes;
        &self.values[row * width..(row + 1) * width]
    }

    /// What a part of a row adds to each score.
    pub fn part(&self, row: usize, part: usize) -> &[f64] {
        &self.row(row)[part * self.classes..(part + 1) * self.classes]
    }
}

/// A tree, laid out.
struct Laid<'a> {
    paths: Paths<'a>,
    /// What its leaves add to scores.
    updates: ScoreUpdate,
    /// How background rows fit its paths, if there are some.
    beside: Option<Fitting>,
}

/// The slots that the coefficients of a leaf are summed in.
type SlotsOf<'s> = dyn Fn(&Paths<'_>, usize) -> Vec<usize> + Sync + 's;

/// A model, ready to be explained.
pub struct Explainer<'a> {
    model: &'a Model,
    width: usize,
    /// The features that any tree looks at, ascending, and the part that each belongs to.
    features: Vec<u32>,
    parts_of: Vec<u32>,
    parts: Vec<Part>,
    trees: Vec<Laid<'a>>,
    weights: Weights,
    /// What a linear function of texts adds, if the model has one.
    texts: Option<Texts>,
    expected: Vec<f64>,
}

impl<'a> Explainer<'a> {
    /// Of a model that knows what its leaves weigh: features that are left out take both sides of their tests, with the shares of the
    /// training rows. Refused where scores are no sum of trees.
    pub fn new(model: &'a Model, grain: Grain) -> Result<Self> {
        let mut explainer = Self::laid_out(model, grain)?;
        let mut values = vec![0.0; explainer.width];
        for Laid { paths, updates, .. } in &explainer.trees {
            for (leaf, share) in paths.leaf_shares().into_iter().enumerate() {
                values.fill(0.0);
                updates.add(leaf, &mut values);
                explainer.expected.iter_mut().zip(&values).for_each(|(sum, value)| *sum += share * value);
            }
        }
        if let Some(texts) = &explainer.texts {
            texts.add_expected(&mut explainer.expected);
        }
        let weighed = |term: &TreeTerm<'_>| term.tree.nodes.is_empty() || !term.tree.cover.is_empty();
        if model.trees()?.iter().all(weighed) {
            return Ok(explainer);
        }
        let what = "this model does not know how many training rows are in its leaves: it is of an earlier version, or of a learner of your own";
        Err(Error::new(ErrorKind::Model, what, "give `background` rows, or train the model again"))
    }

    /// Of any model whose scores are a sum of trees: features that are left out have their values in background rows, each in its turn.
    pub fn with_background(model: &'a Model, grain: Grain, background: &Frame) -> Result<Self> {
        let rows = background.rows();
        if rows == 0 {
            let what = "there are no background rows";
            return Err(Error::new(ErrorKind::Parameter, what, "give some that are like those of training"));
        }
        let mut explainer = Self::laid_out(model, grain)?;
        let used = explainer.features.len();
        let leaves: usize = explainer.trees.iter().map(|tree| tree.paths.leaves()).sum();
        let bytes =
            (rows * used).saturating_mul(8).saturating_add(rows.saturating_mul(leaves).saturating_mul(16));
        claim(bytes as u64, &format!("{rows} background rows"), "give fewer background rows")?;
        let (mut values, mut columns) = (Vec::new(), Vec::new());
        background.fill(0..rows, &explainer.features, &mut values);
        by_columns(&values, used, &mut columns);
        explainer.trees.par_iter_mut().for_each(|tree| {
            tree.beside = Some(Fitting::new(&tree.paths, &columns, rows));
        });
        let scores = model.predictor().raw_scores(background);
        if let Some(texts) = &mut explainer.texts {
            texts.compare_with(background);
        }
        explainer.expected.fill(0.0);
        for row in 0..rows {
            explainer.expected.iter_mut().zip(scores.row(row)).for_each(|(sum, score)| *sum += score);
        }
        explainer.expected.iter_mut().for_each(|sum| *sum /= rows as f64);
        Ok(explainer)
    }

    /// Paths, and where the sums of leaves go.
    fn laid_out(model: &'a Model, grain: Grain) -> Result<Self> {
        check_reading(model)?;
        let trees = model.trees()?;
        let used: BTreeSet<u32> =
            trees.iter().flat_map(|term| &term.tree.nodes).map(|node| node.feature).collect();
        let features: Vec<u32> = used.into_iter().collect();
        let (mut parts, parts_of) = parts(model, grain, &features);
        let texts = Texts::new(model, grain, &mut parts);
        let place = |feature: u32| features.binary_search(&feature).unwrap_or(0);
        let lay_out = |term: &TreeTerm<'a>| Laid {
            paths: Paths::new(term.tree, place),
            updates: term.updates(),
            beside: None,
        };
        let trees = trees.par_iter().map(lay_out).collect();
        let (width, expected) = (model.ensemble.start.len(), model.ensemble.start.clone());
        Ok(Self { model, width, features, parts_of, parts, trees, weights: Weights::new(), texts, expected })
    }

    /// What is said to add something.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The scores that are expected of any row: with what the parts of a row add they are the row's scores.
    pub fn expected(&self) -> &[f64] {
        &self.expected
    }

    /// What each part of each row of a table adds to each score.
    pub fn explain(&self, table: &Table) -> Result<Explanation> {
        self.values(&self.model.frame(table)?)
    }

    /// The same for rows as the model looks at them.
    pub fn values(&self, frame: &Frame) -> Result<Explanation> {
        let slots = |paths: &Paths<'_>, leaf: usize| {
            paths.features(leaf).iter().map(|feature| self.part_of(feature)).collect()
        };
        let values = if self.has_background() {
            let weights = &self.weights;
            self.by_blocks(frame, self.parts.len(), &slots, |tree| {
                Some(Beside { paths: &tree.paths, fitting: tree.beside.as_ref()?, weights })
            })
        } else {
            self.by_blocks(frame, self.parts.len(), &slots, |tree| Some(Conditional::new(&tree.paths)))
        };
        let mut values = values?;
        self.add_texts(frame, &mut values, self.parts.len(), |part| part);
        Ok(Explanation { rows: frame.rows(), parts: self.parts.len(), classes: self.width, values })
    }

    /// Adds what texts add to slots of so many, each of a part.
    fn add_texts(
        &self,
        frame: &Frame,
        values: &mut [f64],
        slots: usize,
        slot: impl Fn(usize) -> usize + Sync,
    ) {
        let (Some(texts), stride) = (&self.texts, slots * self.width) else { return };
        let rows = values.par_chunks_mut(stride.max(1)).enumerate();
        rows.for_each(|(row, values)| {
            texts.add_row(frame, row, |part, sums| {
                let own = &mut values[slot(part) * self.width..][..self.width];
                own.iter_mut().zip(sums).for_each(|(value, sum)| *value += sum);
            });
        });
    }

    /// What pairs of parts add together, of each row: a matrix of parts × parts for each score, whose sum over the second is what the first
    /// part [adds](Self::values). Half of what two parts do together is on either side of the diagonal. Not with background rows.
    pub fn interactions(&self, frame: &Frame) -> Result<Explanation> {
        if self.has_background() {
            let what = "interactions are not computed with `background` rows";
            return Err(Error::new(ErrorKind::Parameter, what, "leave `background` out"));
        }
        let parts = self.parts.len();
        let slots = |paths: &Paths<'_>, leaf: usize| {
            let own = paths.features(leaf);
            let pair = |a, b| self.part_of(a) * parts + self.part_of(b);
            own.iter().flat_map(|a| own.iter().map(move |b| pair(a, b))).collect()
        };
        let mut values =
            self.by_blocks(frame, parts * parts, &slots, |tree| Some(Pairs(Conditional::new(&tree.paths))))?;
        self.add_texts(frame, &mut values, parts * parts, |part| part * (parts + 1));
        Ok(Explanation { rows: frame.rows(), parts: parts * parts, classes: self.width, values })
    }

    fn has_background(&self) -> bool {
        self.trees.iter().any(|tree| tree.beside.is_some())
    }

    /// The part that a feature of a path belongs to.
    fn part_of(&self, feature: &PathFeature) -> usize {
        self.parts_of[feature.place] as usize
    }

    /// Scores for each of so many slots of each row: the sums of what trees add, some trees after the other. `rule` is nothing for trees
    /// that add nothing.
    fn by_blocks<'s, R: Rule + Send>(
        &'s self,
        frame: &Frame,
        slots: usize,
        slots_of: &SlotsOf<'_>,
        rule: impl Fn(&'s Laid<'a>) -> Option<R> + Sync,
    ) -> Result<Vec<f64>> {
        let (rows, stride) = (frame.rows(), slots * self.width);
        let bytes = (rows as u64).saturating_mul(stride as u64).saturating_mul(16);
        claim(bytes, &format!("explaining {rows} rows"), "explain fewer rows at a time")?;
        let mut values = vec![0.0; rows * stride];
        if self.features.is_empty() || stride == 0 {
            return Ok(values);
        }
        let block = ROWS.min(rows.div_ceil(rayon::current_num_threads())).max(1);
        for trees in self.bands(slots_of) {
            let ready = trees.par_iter().filter_map(|tree| Some((tree, rule(tree)?)));
            let tables = Tables::new(ready.collect(), slots_of, self.width, rows);
            let blocks = values.par_chunks_mut(block * stride).enumerate();
            let room = || (Vec::new(), Vec::new(), Room::new());
            blocks.for_each_init(room, |(values, columns, room), (number, out)| {
                let (first, rows) = (number * block, out.len() / stride);
                frame.fill(first..first + rows, &self.features, values);
                by_columns(values, self.features.len(), columns);
                tables.add(columns, rows, room, out);
            });
        }
        Ok(values)
    }

    /// The trees, as many at a time as are summed together.
    fn bands(&self, slots_of: &SlotsOf<'_>) -> Vec<&[Laid<'a>]> {
        let (mut bands, mut first, mut coefficients) = (Vec::new(), 0, 0);
        for (at, Laid { paths, .. }) in self.trees.iter().enumerate() {
            let own: usize = (0..paths.leaves()).map(|leaf| slots_of(paths, leaf).len()).sum();
            coefficients += own;
            if at > first && (at - first == TREES || coefficients > COEFFICIENTS) {
                bands.push(&self.trees[first..at]);
                (first, coefficients) = (at, own);
            }
        }
        bands.push(&self.trees[first..]);
        bands
    }
}

/// Values that are given row by row, column by column.
fn by_columns(values: &[f64], width: usize, columns: &mut Vec<f64>) {
    columns.clear();
    columns.extend((0..width).flat_map(|at| values.iter().skip(at).step_by(width.max(1))));
}

/// The parts of rows, and for each of some features the part that it belongs to.
fn parts(model: &Model, grain: Grain, features: &[u32]) -> (Vec<Part>, Vec<u32>) {
    match grain {
        Grain::Columns => {
            let mut first = 0;
            let part = |column: &ColumnEncoder| {
                let own = first as u32;
                first += column.codec.width();
                let feature = (!matches!(column.codec, Codec::Text(_))).then_some(own);
                Part { column: column.name.clone(), word: None, feature }
            };
            let parts = model.encoder.column_encoders().iter().map(part).collect();
            let columns = model.encoder.columns();
            (parts, features.iter().map(|&feature| columns[feature as usize].0 as u32).collect())
        }
        Grain::Words => {
            let columns = model.encoder.columns();
            let (mut parts, mut of): (Vec<Part>, Vec<u32>) = (Vec::new(), Vec::new());
            let mut last = None;
            for &feature in features {
                let (at, word) = columns[feature as usize];
                // The parts of a time are one.
                if word.is_some() || last != Some(at) {
                    let column = model.encoder.column_encoders()[at].name.clone();
                    let first = model.encoder.first_features()[at] as u32;
                    let feature = if word.is_some() { feature } else { first };
                    parts.push(Part { column, word: word.map(String::from), feature: Some(feature) });
                }
                last = Some(at);
                of.push(parts.len() as u32 - 1);
            }
            (parts, of)
        }
    }
}

/// Refuses models whose scores of classes are no sum of what trees add.
fn check_reading(model: &Model) -> Result<()> {
    let (why, what) = match &model.ensemble.reading.decode {
        Decode::Plain => return Ok(()),
        Decode::Epochs => return model.trees().map(|_| ()),
        Decode::Hamming(_) => {
            ("the score of a class counts the signs of bits that are its own", "another booster than mo")
        }
        Decode::Loss(_) => {
            ("the score of a class is the logarithm of a sum over bits", "another booster than mo")
        }
        Decode::Margins(_) => (
            "scores are logarithms of probabilities under costs",
            "costs at prediction only, not in training",
        ),
        Decode::Own(_) => {
            ("scores are logarithms of probabilities under formulas", "another loss than `own`")
        }
    };
    Err(refused(why, what))
}
