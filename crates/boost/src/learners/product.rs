//! Products of stumps as weak learners.
//!
//! Kégl & Busa-Fekete (2009), "Boosting products of base classifiers": h(x) = v ∏ⱼ φⱼ(x) with φⱼ(x) = ±1 for the sides of stump j and
//! a vector of signs v. Stumps are found one after the other, each as if it stood alone, but on channels times the product of all
//! others: whatever the others are, the edge of the product is then the edge of that stump. A stump that gains nothing is
//! left as it was, so the edge never falls; it is over when no stump gains.

use manyboost_data::{Dataset, Encoder, Error, ErrorKind, Result};
use manyboost_kernel::sums::channels::BLOCK;
use manyboost_kernel::{Statistics, Totals};
use rayon::prelude::*;

use super::{Task, TreeLearner, TreeParameters, WeakLearner};
use crate::engine::draws::Draws;
use crate::model::answers::{Answers, Lift};
use crate::model::hypothesis::{Cells, Hypothesis};
use crate::model::tree::Tree;
use crate::spec::booster::{FittedHypothesis, Query};
use crate::votes::FactoredVote;

/// More factors are refused.
pub(crate) const MOST_FACTORS: usize = 64;

/// How often each stump is looked for anew, at most: hardly ever more than a few times.
const MOST_PASSES: usize = 100;

/// Seeds of stumps after the first.
const AGAIN: u64 = 1 << 34;

/// An edge must grow by this part to be better.
const GAIN: f64 = 1e-12;

/// How products of stumps are made.
#[derive(Clone, Debug, PartialEq)]
pub struct ProductParameters {
    /// Most factors.
    pub factors: usize,
    /// How each of them is found.
    pub stump: TreeParameters,
}

impl ProductParameters {
    /// Refuses what cannot be meant.
    pub fn validate(&self) -> Result<()> {
        let wrong = |what: String, remedy: &str| Err(Error::new(ErrorKind::Parameter, what, remedy));
        if !(1..=MOST_FACTORS).contains(&self.factors) {
            let allowed = "a whole number from 1 to 64";
            return Err(Error::parameter("factors", &self.factors.to_string(), allowed));
        }
        if self.stump.leaves != 2 {
            return wrong(format!("a factor with {} leaves", self.stump.leaves), "factors are stumps");
        }
        self.stump.validate()
    }
}

/// Finds products of stumps on one data set, round after round.
pub struct ProductLearner<'a> {
    factors: usize,
    /// Share of the rows that each product sees.
    subsample: f64,
    draws: Option<Draws<'a>>,
    stump: TreeLearner<'a>,
    /// Channels times the factors that are not looked for.
    turned: Vec<f64>,
}

/// A stump and the side of each row.
#[derive(Clone, Debug)]
struct Factor {
    stump: Tree,
    side_of: Vec<u32>,
}

impl<'a> ProductLearner<'a> {
    /// For the rows of a data set.
    pub fn new(
        parameters: ProductParameters,
        data: &'a Dataset,
        encoder: &'a Encoder,
        totals: &Totals<'_>,
    ) -> Self {
        let ProductParameters { factors, stump } = parameters;
        let subsample = stump.subsample;
        // Factors of one product see the same rows.
        let stump = TreeParameters { subsample: 1.0, ..stump };
        let stump = TreeLearner::new(stump, data, encoder, totals);
        let draws = (subsample < 1.0).then(|| Draws::new(data, totals));
        Self { factors, subsample, draws, stump, turned: Vec::new() }
    }
}

impl WeakLearner for ProductLearner<'_> {
    fn fit(&mut self, task: &Task<'_>) -> FittedHypothesis {
        let Task { query, statistics, totals, seed } = *task;
        let counted = query.rows.as_deref();
        let drawn =
            self.draws.as_ref().map(|draws| draws.share(counted, self.subsample, totals, seed.part(1)));
        let totals = &drawn.as_ref().map_or(*totals, |drawn| totals.partly(&drawn.units));
        let rows = drawn.as_ref().map_or_else(|| query.rows.clone(), |drawn| Some(drawn.rows.clone()));
        let asked =
            Query { bounds: query.bounds.clone(), rows, ..Query::new(query.shape, FactoredVote, query.norm) };
        let mut product =
            Product::new(self.factors, self.stump.fit(&Task { query: &asked, statistics, totals, seed }));
        let mut vain = 0;
        for at in (0..self.factors).cycle().skip(1).take(MOST_PASSES * self.factors) {
            if vain + 1 == self.factors {
                break;
            }
            let turned = turn(statistics, &product.without(at), &mut self.turned);
            let seed = seed.part(AGAIN + product.tries);
            let task = Task { query: &asked, statistics: &turned, totals, seed };
            let better = product.try_factor(at, self.stump.fit(&task));
            vain = if better { 0 } else { vain + 1 };
        }
        product.finish(&query.lift)
    }

    fn cells_of(&self, cells: &Cells) -> Vec<u32> {
        self.stump.cells_of(cells)
    }
}

/// A product under way.
struct Product {
    /// The factors; those that are not there are +1 everywhere.
    factors: Vec<Option<Factor>>,
    /// The cell of each row: 0 if its product is +1, 1 if it is −1.
    cell_of: Vec<u32>,
    /// The signs of cell 0.
    v: Vec<f64>,
    cost: f64,
    tries: u64,
}

impl Product {
    /// One stump.
    fn new(factors: usize, first: FittedHypothesis) -> Self {
        let cell_of = vec![0; first.cell_of.len()];
        let mut product =
            Self { factors: vec![None; factors], cell_of, v: Vec::new(), cost: f64::INFINITY, tries: 0 };
        product.try_factor(0, first);
        product
    }

    /// The cell of each row in the product of the other factors.
    fn without(&self, at: usize) -> Vec<u32> {
        match &self.factors[at] {
            Some(factor) => {
                self.cell_of.iter().zip(&factor.side_of).map(|(cell, side)| cell ^ side).collect()
            }
            None => self.cell_of.clone(),
        }
    }

    /// Takes a stump for a factor if the product is better with it.
    fn try_factor(&mut self, at: usize, fit: FittedHypothesis) -> bool {
        self.tries += 1;
        let better = self.cost - fit.cost > GAIN * fit.cost.abs();
        if better {
            self.cell_of = self.without(at);
            self.cell_of.iter_mut().zip(&fit.cell_of).for_each(|(cell, side)| *cell ^= side);
            self.cost = fit.cost;
            let width = fit.numbers().len() / fit.hypothesis.answers.len();
            self.v = fit.numbers()[..width].to_vec();
            self.factors[at] = match fit.hypothesis.cells {
                Cells::Tree(stump) if !stump.nodes.is_empty() => Some(Factor { stump, side_of: fit.cell_of }),
                _ => None,
            };
        }
        better
    }

    /// The product with its answers where they belong.
    fn finish(self, lift: &Lift) -> FittedHypothesis {
        let Self { factors, cell_of, v, cost, .. } = self;
        let mut stumps: Vec<Tree> = factors.into_iter().flatten().map(|factor| factor.stump).collect();
        let width = v.len() as u32;
        let mut values = v;
        if !stumps.is_empty() {
            values.extend_from_within(..);
            values[width as usize..].iter_mut().for_each(|v| *v = -*v);
        }
        let cells = if stumps.len() > 1 {
            Cells::Product(stumps)
        } else {
            Cells::Tree(stumps.pop().unwrap_or_default())
        };
        let answers = lift.lift(Answers::Vectors { width, values });
        FittedHypothesis { hypothesis: Hypothesis { cells, answers }, cell_of, cost }
    }
}

/// Channels, turned in the rows of cell 1.
fn turn<'a>(statistics: &Statistics<'a>, cell_of: &[u32], turned: &'a mut Vec<f64>) -> Statistics<'a> {
    let (values, width) = match *statistics {
        Statistics::Dense { values, width } => (values, width),
        Statistics::OneHot { values, .. } => (values, 1),
    };
    turned.resize(values.len(), 0.0);
    let blocks = turned.par_chunks_mut(BLOCK * width).zip(values.par_chunks(BLOCK * width));
    blocks.zip(cell_of.par_chunks(BLOCK)).for_each(|((turned, values), cells)| {
        let rows = turned.chunks_exact_mut(width).zip(values.chunks_exact(width));
        for ((turned, values), &cell) in rows.zip(cells) {
            let sign = if cell == 0 { 1.0 } else { -1.0 };
            turned.iter_mut().zip(values).for_each(|(t, x)| *t = sign * x);
        }
    });
    match *statistics {
        Statistics::Dense { width, .. } => Statistics::Dense { values: turned, width },
        Statistics::OneHot { labels, width, .. } => Statistics::OneHot { values: turned, labels, width },
    }
}
