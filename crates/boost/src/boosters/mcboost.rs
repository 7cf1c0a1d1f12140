//! GD-MCBoost with the logistic loss and vector-valued leaves: the booster to try first.
//!
//! Saberian & Vasconcelos (2019): gradient descent (28) on the logistic γ-φ loss (Table 3) with canonical
//! codewords, which makes the probabilities p = softmax(f) and the direction of descent `r = 1_y − p`. One tree per round
//! answers for all classes at once; its leaves take a Newton step for each, shortened by the shrinkage.
//!
//! For label sets each label is a question of its own: p = 1/(1 + e⁻ᶠ), r = Y − p, and still one tree per round. Where mistakes
//! cost differently ([`Costs`]), the loss is that of [`CostMargins`].

use manyboost_data::{Labels, Result};
use manyboost_kernel::loss::residuals::{sigmoid_residuals, softmax_residuals};
use manyboost_kernel::loss::softmax::surprises;
use manyboost_kernel::numbers::math::ln;
use manyboost_kernel::{Real, Statistics, Totals};

use super::{SHRINKAGE, costly};
use crate::engine::calibration::{Belief, Calibration};
use crate::engine::fast::{ByRows, FastPaths};
use crate::engine::members::{Companion, Companions};
use crate::engine::train::Rounds;
use crate::evaluate::costs::{COSTS, Costs};
use crate::learners::TreeParameters;
use crate::losses::cost_logistic::CostMargins;
use crate::model::reading::{Decode, Link, Reading};
use crate::spec::booster::{Asks, Booster, Figures, Fits, Load, Problem, RoundState, Step, Stop, Target};
use crate::spec::registry::{BoosterEntry, Size};
use crate::votes::NewtonVote;

/// No leaf moves a score further than this, before shrinkage.
const LONGEST: f64 = 8.0;

/// With larger parts of steps the rounds and the temperature that are best become others.
const HASTY: f64 = 0.4;

/// Probabilities that are computed at a time.
const STRETCH: usize = 4096;

/// No row loses more: a likelihood is at least the smallest normal number, e^−708.4.
const WORST: f64 = 1024.0;

/// Gradient-descent `MCBoost` with the logistic loss.
#[derive(Clone, Debug)]
pub struct McBooster {
    /// The part of each Newton step that is taken.
    pub shrinkage: f64,
    /// Added to the curvature of regions.
    pub ridge: f64,
    /// What mistakes cost, if not all the same.
    pub costs: Option<Costs>,
}

impl Default for McBooster {
    fn default() -> Self {
        Self { shrinkage: 0.15, ridge: 1.0, costs: None }
    }
}

/// Writes Σ p (1 − p) of each row and −p; asks for the scores that are so far behind.
fn negative_probabilities<R: Real>(labels: &Labels, scores: &[f64], ahead: usize, channels: &mut [R]) {
    match labels {
        Labels::Classes { names, .. } => softmax_residuals(scores, names.len(), ahead, channels),
        Labels::Sets { names, .. } => sigmoid_residuals(scores, names.len(), channels),
    }
}

/// The probability of a row's answer.
fn row_likelihood<R: Real>(labels: &Labels, row: usize, negative: &[R]) -> f64 {
    match labels {
        Labels::Classes { of, .. } => -negative[of[row] as usize].double(),
        Labels::Sets { sets, .. } => {
            let own = sets.row(row);
            let has = |l: usize| own.binary_search(&(l as u32)).is_ok();
            let each = negative.iter().map(|r| r.double()).enumerate();
            each.map(|(l, r)| if has(l) { -r } else { 1.0 + r }).product()
        }
    }
}

/// Less is not told from nothing in single precision.
const FAINT: f64 = 1e-30;

/// Writes the total curvature and the residuals of some rows; returns their loss, in units.
fn fill<R: Real>(
    labels: &Labels,
    totals: &Totals<'_>,
    first: usize,
    scores: &[f64],
    channels: &mut [R],
) -> i64 {
    let k = labels.classes();
    let rows = (STRETCH / k).max(1);
    let mut losses = Vec::with_capacity(scores.len() / k);
    // The next block is likely to be next.
    let block = scores.len();
    for (scores, channels) in scores.chunks(rows * k).zip(channels.chunks_mut(rows * (k + 1))) {
        negative_probabilities(labels, scores, block, channels);
        for (scores, channels) in scores.chunks_exact(k).zip(channels.chunks_exact_mut(k + 1)) {
            let (row, r) = (first + losses.len(), &mut channels[1..]);
            let mut likelihood = row_likelihood(labels, row, r);
            if likelihood < FAINT {
                let mut fine = vec![0.0; k + 1];
                negative_probabilities(labels, scores, block, &mut fine);
                likelihood = row_likelihood(labels, row, &fine[1..]).max(f64::MIN_POSITIVE);
            }
            losses.push(likelihood);
            for &l in labels.labels(row) {
                r[l as usize] = r[l as usize] + R::ONE;
            }
        }
    }
    surprises(&mut losses);
    totals.units_within(WORST, first, &losses)
}

/// The weight of the rows that have each label.
fn label_weights(labels: &Labels, totals: &Totals<'_>) -> Vec<f64> {
    let rows: Vec<u32> = (0..labels.rows() as u32).collect();
    let k = labels.classes();
    match labels {
        Labels::Classes { of, .. } => {
            let ones = vec![1.0; of.len()];
            totals.by_group(&Statistics::OneHot { values: &ones, labels: of, width: k }, &[&rows])[1..]
                .to_vec()
        }
        Labels::Sets { sets, .. } => {
            let has = |row: usize, out: &mut [f64]| {
                out.fill(0.0);
                sets.row(row).iter().for_each(|&l| out[l as usize] = 1.0);
            };
            totals.by_group_of(&[&rows], &vec![1.0; k], has)[1..].to_vec()
        }
    }
}

/// The part of each Newton step that is taken, and the rounds that are tried at most. Shorter steps make better models, by less and
/// less: with few rows they cost no time that anyone would notice; with many rows and few classes longer ones do nearly as well.
fn pace(size: Size) -> (f64, usize) {
    match size {
        Size { rows: ..SMALL, .. } => (0.1, 600),
        Size { rows: ..FEW_ROWS, .. } => (0.12, 400),
        Size { rows: FEW_ROWS.., classes: ..=3, .. } => (0.25, 240),
        Size { rows: 30_000.., classes: ..=10, .. } => (0.2, 300),
        _ => (0.15, 400),
    }
}

/// The trees for data of a size. With few rows the best cut is mostly luck: one random cut on each of a few features
/// ([`FEW_FEATURES`]) makes trees that err differently, and costs less. With many rows the best cut is worth finding, and
/// trees may be larger; if there are [`MANY_FEATURES`] too, each node looks for it among about [`ENOUGH`] of them.
fn tree(size: Size) -> TreeParameters {
    let few = size.rows < FEW_ROWS;
    // The best cut fits its rows more closely than a random one: its leaves want more of them.
    let rows_a_leaf = if few { 100 } else { 200 };
    // In whole percents, so that it can be read.
    let share = (100.0 * ENOUGH / size.features.max(1) as f64).round().max(1.0) / 100.0;
    let share = if size.features < MANY_FEATURES { 1.0 } else { share };
    TreeParameters {
        min_rows: 5.0,
        sketch: 8,
        random_cuts: u32::from(few),
        feature_fraction: if few { FEW_FEATURES } else { share },
        ..TreeParameters::tree((size.rows / rows_a_leaf).clamp(16, 256))
    }
}

/// Where rows are few, the model is the mean of trainings with trees of several shapes. Where labels are noisy, small trees and
/// closely sought cuts are good ones to have beside the usual; where they are not, large trees.
fn companions(size: Size) -> Companions<TreeParameters> {
    if size.rows >= FEW_ROWS {
        return Companions::default();
    }
    let usual = tree(size);
    let small = Companion { learner: TreeParameters { leaves: 6, ..usual.clone() }, pace: 1.4 };
    let sought = Companion { learner: TreeParameters { random_cuts: 0, ..usual.clone() }, pace: 0.65 };
    let leaves = 4 * usual.leaves;
    let large = Companion { learner: TreeParameters { leaves, min_rows: 1.0, ..usual.clone() }, pace: 1.0 };
    let again = Companion { learner: usual, pace: 1.0 };
    // Many rounds with many classes take their time.
    let hurry = size.rows >= SMALL && size.classes > 3;
    Companions { few: vec![again, small, sought], many: if hurry { Vec::new() } else { vec![large] } }
}

/// Features among which a node finds a cut that is good enough.
const ENOUGH: f64 = 30.0;

/// Fewer are quicker to count for one child of every node, which gives the other child's by subtraction, than [`ENOUGH`] for
/// both.
const MANY_FEATURES: usize = 100;

/// The share of the features that a node draws from where cuts are random.
const FEW_FEATURES: f64 = 0.3;

/// Below this many rows time is no matter.
const SMALL: usize = 3000;

/// Below this many rows cuts are random.
const FEW_ROWS: usize = 12_000;

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    sets: true,
    calibration: Calibration::Auto(Belief::LIKELIHOOD),
    companions: Some(companions),
    texts: true,
    defaults: |size| ("tree", tree(size), Rounds::Found(pace(size).1)),
    ..BoosterEntry::new(
        "mcboost",
        "gradient-descent MCBoost, logistic loss, one vector-valued tree per round: the first choice",
        "Saberian & Vasconcelos 2019",
        |options| {
            let shrinkage = options.take(&SHRINKAGE, pace(options.size()).0)?;
            let costs = options.take_costs(&COSTS)?;
            Ok(Box::new(McBooster { shrinkage, costs, ..McBooster::default() }))
        },
    )
};

impl McBooster {
    fn vote(&self, labels: &Labels) -> NewtonVote {
        let k = labels.classes();
        let scale = if labels.is_sets() { 1.0 } else { (k as f64 - 1.0) / k as f64 };
        NewtonVote::new(k, scale, self.ridge, LONGEST)
    }

    /// The question of a round where all mistakes cost the same.
    fn question(&self, labels: &Labels) -> ByRows {
        let k = labels.classes();
        // |r| ≤ 1, and a variance is at most ¼; those of the classes of a row sum to less than 1, and its |r| to 2 at most.
        let (most, row) = if labels.is_sets() { (0.25 * k as f64, k as f64) } else { (1.0, 2.0) };
        ByRows {
            vote: Box::new(self.vote(labels)),
            each: [vec![most], vec![1.0; k]].concat(),
            row,
            worst: WORST,
            coarse: fill::<f32>,
            fine: fill::<f64>,
        }
    }

    /// The loss, if costs are given.
    fn margins(&self, labels: &Labels, totals: &Totals<'_>) -> Option<CostMargins> {
        let (costs, Labels::Classes { names, .. }) = (self.costs.as_ref()?, labels) else { return None };
        let shares: Vec<f64> = label_weights(labels, totals).iter().map(|w| w / totals.weight()).collect();
        costs.matrix(names).ok().map(|costs| CostMargins::new(&costs, &shares))
    }
}

impl FastPaths for McBooster {
    fn by_rows(&self, labels: &Labels) -> Option<ByRows> {
        self.costs.is_none().then(|| self.question(labels))
    }
}

impl Booster for McBooster {
    fn check(&self, labels: &Labels) -> Result<()> {
        self.costs.as_ref().map_or(Ok(()), |costs| costs.check(labels))
    }

    /// The logarithms of the classes' shares, so that rare classes start rare.
    fn start(&self, &Problem { labels, totals, .. }: &Problem<'_>) -> Vec<f64> {
        let all = totals.weight();
        let mut weights = label_weights(labels, &totals);
        if let Some(margins) = self.margins(labels, &totals) {
            weights.iter_mut().zip(margins.worth()).for_each(|(weight, worth)| *weight *= worth);
        }
        let start = |w: &f64| match labels {
            Labels::Classes { names, .. } => ln((w + 1.0) / (all + names.len() as f64)),
            Labels::Sets { .. } => ln((w + 1.0) / (all - w + 1.0)),
        };
        weights.iter().map(|w| crate::engine::scores::applied(1.0, start(w))).collect()
    }

    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        if let Some(margins) = self.margins(now.labels, &now.totals) {
            return costly::target(now, margins, self.vote(now.labels), channels);
        }
        self.question(now.labels).target(now, channels)
    }

    fn fast_paths(&self) -> Option<&dyn FastPaths> {
        Some(self)
    }

    fn load(&self, width: usize) -> Load {
        // Residuals are spread over known bounds: two bytes each, straight from the block in which they are computed.
        let numbers = if self.costs.is_some() { 8 * (width + 2) } else { 0 };
        Load { row_bytes: numbers + 2 * (width + 2), channels: width + 1 }
    }

    fn step(&self, _: &RoundState<'_>, target: &Target, _: &[f64], fits: &mut Fits) -> Step {
        if fits[0].hypothesis.answers.len() < 2 {
            return Step::Stop(Stop::NoEdge);
        }
        let edge = -fits[0].cost / target.queries[0].norm;
        Step::take(self.shrinkage, Figures { edge: Some(edge), ..Figures::default() })
    }

    fn paced(&self, times: f64) -> Option<Box<dyn Booster>> {
        let shrinkage = self.shrinkage * times;
        (shrinkage <= HASTY).then(|| Box::new(Self { shrinkage, ..self.clone() }) as Box<dyn Booster>)
    }

    fn begins_with_text(&self) -> bool {
        self.costs.is_none()
    }

    fn asks(&self) -> Asks {
        Asks::Numbers
    }

    fn reading(&self, task: &Problem<'_>) -> Reading {
        if let Some(margins) = self.margins(task.labels, &task.totals) {
            return Reading { decode: Decode::Margins(margins), link: Link::Softmax(1.0) };
        }
        match task.labels {
            Labels::Classes { .. } => Link::Softmax(1.0).into(),
            Labels::Sets { .. } => Link::Sigmoid(1.0).into(),
        }
    }
}
