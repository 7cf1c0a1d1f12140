//! From options and data to findings: what the command line and Python both ask.

use std::sync::atomic::AtomicBool;

use manyboost::learners::{LearnerParameters, TreeParameters};
use manyboost::spec::option::{Number, Range};
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::{Dataset, Encoder, Error, ErrorKind, Labels, Prepared, Result};
use manyboost_kernel::Order;

use crate::conditions::{Findings, Interval, Settings, certify, certify_baseline, certify_costs};
use crate::learner::Learner;
use crate::oracle::HypothesisSpace;
use crate::stumps::{Depth, StumpSpace};
use crate::verdict::ProvedRun;

/// Rows × classes × features that are still searched.
const MOST: usize = 100_000_000;
/// Sets of classes that are looked at.
const MOST_SETS: usize = 5_000;

/// Is this learner strong enough?
#[derive(Debug)]
pub struct Question {
    name: String,
    learner: LearnerParameters,
    given: Vec<(&'static str, String)>,
    settings: Settings,
    baseline: Option<Vec<f64>>,
    costs: Option<Vec<f64>>,
}

/// The options that say how large trees are.
const SIZES: [&str; 3] = ["leaves", "depth", "min-rows"];

const TOLERANCE: Number<f64> = Number::new("tolerance", "How exact values are", Range::from_to(1e-9, 0.1));
const SUBSETS: Number<usize> =
    Number::new("subsets", "Sets of classes for which a value is computed", Range::from_to(1, 1000));
const EFFORT: Number<f64> =
    Number::new("effort", "How much work is done, relative to the usual", Range::from_to(0.01, 1000.0));

/// What was found, with the names of things.
#[derive(Debug)]
pub struct Answer {
    /// The values of all conditions.
    pub findings: Findings,
    /// The names of the classes.
    pub names: Vec<String>,
    /// The class of each row.
    pub y: Vec<u32>,
    /// The weak learner, by the name of the option.
    pub learner: String,
    /// The classifiers that were looked at, in words.
    pub space: String,
    /// What is left below the baseline that was given.
    pub baseline: Option<Interval>,
    /// By how much classifiers are cheaper than the baseline on the cost matrices that were given.
    pub costs: Option<Interval>,
    /// The options of the learner that were given.
    given: Vec<(&'static str, String)>,
}

impl Answer {
    /// The options of a run: the booster's, and those of the learner that was asked about.
    pub fn options<'a>(&'a self, run: &'a ProvedRun) -> Vec<(&'static str, &'a str)> {
        let learner = std::iter::once(("learner", self.learner.as_str()));
        let given = self.given.iter().chain(&run.options).map(|(name, value)| (*name, value.as_str()));
        learner.chain(given).collect()
    }
}

fn wrong(what: String, remedy: &str) -> Error {
    Error::new(ErrorKind::Parameter, what, remedy)
}

impl Question {
    /// From options: the learner's own, which is as mm would use it, `tolerance`, `subsets` and `effort`.
    pub fn new(mut options: Options) -> Result<Self> {
        let usual = Settings::default();
        let tolerance = options.take(&TOLERANCE, usual.tolerance)?;
        let subsets = options.take(&SUBSETS, usual.subsets)?;
        let effort = options.take(&EFFORT, 1.0)?;
        let given: Vec<&'static str> = SIZES.into_iter().filter(|name| options.is_given(name)).collect();
        let Setup { learner, parameters, .. } = Setup::new("mm", options)?;
        let value = |name: &str| parameters.get(name).cloned().unwrap_or_default();
        let given = given.into_iter().map(|name| (name, value(name))).collect();
        let settings = Settings { tolerance, subsets, work: usual.work * effort };
        Ok(Self { name: value("learner"), learner, given, settings, baseline: None, costs: None })
    }

    /// Asks about a baseline too, k numbers for each row.
    #[must_use]
    pub fn with_baseline(self, baseline: Vec<f64>) -> Self {
        Self { baseline: Some(baseline), ..self }
    }

    /// Asks about cost matrices too, k numbers for each row, one matrix after the other: against the baseline, or uniform guessing if there is none.
    #[must_use]
    pub fn with_costs(self, costs: Vec<f64>) -> Self {
        Self { costs: Some(costs), ..self }
    }

    /// Whether the numbers themselves are needed, not only the bins that they are in.
    pub fn needs_values(&self) -> bool {
        self.learner.needs_values()
    }

    /// Finds the values of all conditions. `source` is where the rows are from, for messages; if `stop` is set, what is
    /// certain so far is the answer.
    pub fn answer(&self, source: &str, prepared: Prepared, stop: &AtomicBool) -> Result<Answer> {
        let (mut data, encoder) = (prepared.dataset, prepared.encoder);
        let Labels::Classes { names, of: y } = data.labels.clone() else {
            let what =
                format!("{source}: rows have sets of labels, and the conditions are about one class per row");
            return Err(wrong(what, "give data with one class a row"));
        };
        self.check_size(source, &data, names.len())?;
        let (space, words) = self.space(&mut data, &encoder)?;
        let findings = certify(space.as_ref(), &y, names.len(), self.settings, stop);
        let k = names.len();
        let baseline = match &self.baseline {
            Some(given) if given.len() != y.len() * k => {
                let what =
                    format!("the baseline has {} numbers, for {} rows of {k} classes", given.len(), y.len());
                return Err(wrong(what, "give a line for each row, with a number for each class"));
            }
            given => {
                given.as_ref().and_then(|b| certify_baseline(space.as_ref(), &y, k, b, self.settings, stop))
            }
        };
        let costs = match &self.costs {
            Some(given) if given.is_empty() || given.len() % (y.len() * k) != 0 => {
                let what = format!(
                    "the cost matrices have {} numbers, for {} rows of {k} classes",
                    given.len(),
                    y.len()
                );
                return Err(wrong(what, "give a line for each row, one matrix after the other"));
            }
            Some(given) => {
                let uniform = vec![1.0 / k as f64; y.len() * k];
                let baseline = self.baseline.as_ref().unwrap_or(&uniform);
                certify_costs(space.as_ref(), k, given, baseline, self.settings, stop)
            }
            None => None,
        };
        let (learner, given) = (self.name.clone(), self.given.clone());
        Ok(Answer { findings, names, y, learner, space: words, baseline, costs, given })
    }

    fn check_size(&self, source: &str, data: &Dataset, k: usize) -> Result<()> {
        if k < 2 {
            return Err(wrong(
                format!("{source}: all rows have one class"),
                "give rows of at least two classes",
            ));
        }
        let (rows, features) = (data.rows(), data.bins.features().len());
        if rows.saturating_mul(k).saturating_mul(features) > MOST {
            let what = format!(
                "{source}: {rows} rows, {k} classes and {features} features are too many to search exhaustively"
            );
            return Err(wrong(what, "certify a part of the rows, or leave columns out"));
        }
        // Σ C(k, s) for s up to the largest set.
        let subsets = self.settings.subsets;
        let (mut sets, mut all) = (1.0, 0.0);
        for s in 1..=subsets.min(k) {
            sets *= (k + 1 - s) as f64 / s as f64;
            all += sets;
        }
        if all > MOST_SETS as f64 {
            let what =
                format!("`subsets={subsets}`: there are more than {MOST_SETS} such sets of {k} classes");
            return Err(wrong(what, "look at smaller sets, or at `subsets=1`: all classes together only"));
        }
        Ok(())
    }

    /// The classifiers that are looked at, and how to call them.
    fn space<'a>(
        &self,
        data: &'a mut Dataset,
        encoder: &'a Encoder,
    ) -> Result<(Box<dyn HypothesisSpace + 'a>, String)> {
        let ordered =
            data.bins.features().iter().all(|feature| feature.order == Order::Ordered || feature.bins <= 2);
        if let LearnerParameters::Tree(TreeParameters { leaves, depth, equality, min_rows, .. }) =
            self.learner
        {
            let exact = match (leaves, depth) {
                (2, _) | (_, 1) if equality || ordered => Some((Depth::One, "all stumps")),
                (4.., 2) if ordered => Some((Depth::Two, "all trees of depth 2")),
                _ => None,
            };
            if let Some((depth, words)) = exact {
                return Ok((
                    Box::new(StumpSpace::new(&data.bins, depth, min_rows.ceil() as usize)),
                    words.into(),
                ));
            }
        }
        let words = match &self.learner {
            LearnerParameters::Tree(tree) => {
                format!("trees of up to {} leaves that the learner grows", tree.leaves)
            }
            _ => "classifiers that the learner finds".into(),
        };
        Ok((Box::new(Learner::new(self.learner.clone(), data, encoder)?), words))
    }
}
