//! The only list of names: which boosters and learners there are, and what may be set on them.

use std::collections::BTreeMap;

use manyboost_data::{Dataset, Error, ErrorKind, Labels, Result};
use manyboost_kernel::Precision;

use crate::boosters;
use crate::engine::train::Plan;
use crate::learners::{
    Growth, LearnerParameters, LineParameters, LinearParameters, MOST_FACTORS, ProductParameters, Regression,
    TreeParameters,
};
use crate::spec::booster::Booster;
use crate::spec::bounds::{Bounds, Proved};
use crate::spec::options::{Options, Taking};

/// How much there is to learn from: what defaults may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Rows to train on, by weight.
    pub rows: usize,
    /// Classes or labels.
    pub classes: usize,
    /// Features, but for those that most rows do not have (words).
    pub features: usize,
}

impl Size {
    /// Where there is no data yet.
    const TYPICAL: Self = Self { rows: 10_000, classes: 10, features: 10 };
}

/// What it means for most boosters that there is no edge.
pub(crate) const NO_EDGE: &str = "no hypothesis is better than chance";

/// One boosting algorithm.
pub struct BoosterEntry {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Where it is from.
    pub source: &'static str,
    /// What it means that training ended for want of an edge.
    pub no_edge: &'static str,
    /// Whether it takes label sets too.
    pub sets: bool,
    /// What the bounds of its history are proved to bound, with these options.
    pub(crate) proved: fn(&BTreeMap<String, String>) -> Proved,
    /// The learner and rounds that it has by default.
    pub(crate) defaults: fn(Size) -> (&'static str, TreeParameters, usize),
    pub(crate) build: fn(&mut Options) -> Result<Box<dyn Booster>>,
}

impl BoosterEntry {
    /// Which options it takes, when these are given; they fit it.
    pub fn taking(&self, given: &BTreeMap<String, String>) -> Taking {
        Taking::of(given, |options| self.take(options, Size::TYPICAL).map(drop))
    }

    /// Which of the options that are given it does not take; an error if it refuses the value of one that it takes.
    pub fn unused(&self, given: BTreeMap<String, String>) -> Result<Vec<String>> {
        let mut options = Options::new(given);
        self.take(&mut options, Size::TYPICAL)?;
        Ok(options.left().cloned().collect())
    }

    /// Takes its options: the rounds, the learner, and the algorithm.
    fn take(
        &self,
        options: &mut Options,
        size: Size,
    ) -> Result<(usize, LearnerParameters, Box<dyn Booster>)> {
        let (learner, tree, rounds) = (self.defaults)(size);
        let fine = |n: &usize| (1..=MOST_ROUNDS).contains(n);
        let rounds = options.number("rounds", rounds, fine, "a whole number from 1 to 10,000,000")?;
        let learner = learner_of(options, learner, tree)?;
        let booster = (self.build)(options)?;
        learner.check_booster(booster.as_ref())?;
        Ok((rounds, learner, booster))
    }
}

/// The booster of a name, if there is one.
pub fn booster(name: &str) -> Option<&'static BoosterEntry> {
    BOOSTERS.iter().find(|entry| entry.name == name)
}

/// One kind of weak learner.
pub struct LearnerEntry {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
}

/// All boosters.
pub static BOOSTERS: &[BoosterEntry] = &[
    boosters::mcboost::ENTRY,
    boosters::adaboost::ENTRY,
    boosters::iter::ENTRY,
    boosters::samme::M1,
    boosters::mh::ENTRY,
    boosters::mh::REAL,
    boosters::mm::ENTRY,
    boosters::mo::ENTRY,
    boosters::mr::ENTRY,
    boosters::mr::M2,
    boosters::os::ENTRY,
    boosters::samme::ENTRY,
    boosters::ova::ENTRY,
    boosters::ecc::ENTRY,
    boosters::logitboost::ENTRY,
    boosters::gd_mcboost::ENTRY,
    boosters::cd_mcboost::ENTRY,
];

/// All learners.
pub static LEARNERS: &[LearnerEntry] = &[
    LearnerEntry { name: "stump", summary: "one cut: a tree with two leaves; categories by equality" },
    LearnerEntry { name: "tree", summary: "a tree, best cut first (--leaves) or level by level (--depth)" },
    LearnerEntry {
        name: "linear",
        summary: "a hyperplane between two classes, by least squares; numbers only",
    },
    LearnerEntry {
        name: "line",
        summary: "a straight line over one feature, by least squares, for boosters of numbers; numbers only",
    },
    LearnerEntry { name: "product", summary: "a product of stumps (--factors), for boosters of answers ±1" },
];

/// A training run by name: everything that a user may choose, resolved.
pub struct Setup {
    /// The booster's name.
    pub booster_name: &'static str,
    /// The algorithm.
    pub booster: Box<dyn Booster>,
    /// The learner.
    pub learner: LearnerParameters,
    /// Most rounds.
    pub rounds: usize,
    /// Every option with the value that counts.
    pub parameters: BTreeMap<String, String>,
    entry: &'static BoosterEntry,
    given: Options,
}

/// The most rounds that may be asked for.
const MOST_ROUNDS: usize = 10_000_000;

impl Setup {
    /// Resolves names and options; anything unknown or out of range is an error that says so. Defaults are those for data
    /// of no special size.
    pub fn new(booster: &str, options: Options) -> Result<Self> {
        let Some(entry) = self::booster(booster) else {
            let names: Vec<String> = BOOSTERS.iter().map(|e| e.name.to_string()).collect();
            let what = format!("there is no booster \"{booster}\"");
            return Err(Error::new(ErrorKind::Parameter, what, manyboost_data::nearest(booster, &names)));
        };
        Self::sized(entry, options, Size::TYPICAL)
    }

    /// The same choices for a data set: defaults are those for its size. Answers that the booster is not made for are
    /// refused.
    pub fn for_data(&self, data: &Dataset) -> Result<Self> {
        self.check(&data.labels)?;
        // A row of weight 2 is the row twice.
        let units: u64 = data.weights.units().iter().map(|&units| u64::from(units)).sum();
        let rows = (units / data.weights.one().max(1)) as usize;
        let features = data.bins.features().len() - data.bins.sparse().len();
        Self::sized(self.entry, self.given.clone(), Size { rows, classes: data.labels.classes(), features })
    }

    fn sized(entry: &'static BoosterEntry, given: Options, size: Size) -> Result<Self> {
        let mut options = given.clone();
        let (rounds, learner, booster) = entry.take(&mut options, size)?;
        let user = format!("--booster {} --learner …", entry.name);
        let parameters = options.finish(&user, |options| entry.take(options, size).map(drop))?;
        Ok(Self { booster_name: entry.name, booster, learner, rounds, parameters, entry, given })
    }

    /// The run.
    pub fn plan(&self, seed: u64, patience: Option<usize>) -> Plan<'_> {
        Plan {
            booster: self.booster.as_ref(),
            learner: self.learner.clone(),
            rounds: self.rounds,
            seed,
            patience,
        }
    }

    /// Reads the bounds of such a run on these answers.
    pub fn bounds(&self, labels: &Labels) -> Bounds {
        Bounds::new(self.booster_name, &self.parameters, labels.classes(), labels.is_sets())
    }

    fn check(&self, labels: &Labels) -> Result<()> {
        if labels.is_sets() && !self.entry.sets {
            let what =
                format!("{} learns one class per row, and these rows have sets of labels", self.booster_name);
            let with: Vec<&str> = BOOSTERS.iter().filter(|e| e.sets).map(|e| e.name).collect();
            return Err(Error::new(
                ErrorKind::Parameter,
                what,
                format!("choose --booster {}", with.join(" or ")),
            ));
        }
        self.booster.check(labels)
    }
}

/// The weak learner that options ask for.
fn learner_of(options: &mut Options, default: &str, tree: TreeParameters) -> Result<LearnerParameters> {
    let mut learners = LEARNERS.iter().map(|entry| (entry.name, entry.name)).collect::<Vec<_>>();
    learners.sort_by_key(|&(name, _)| name != default);
    let share = |x: &f64| *x > 0.0 && *x <= 1.0;
    let learner = options.choice("learner", &learners)?;
    let mut tree = match (learner, default) {
        ("linear", _) => {
            let regressions = [("weighted", Regression::Weighted), ("resampled", Regression::Resampled)];
            let regression = options.choice("regression", &regressions)?;
            let subsample = options.number("subsample", 1.0, share, "a number above 0, up to 1")?;
            return Ok(LearnerParameters::Linear(LinearParameters { regression, subsample }));
        }
        ("line", _) => {
            let subsample = options.number("subsample", 1.0, share, "a number above 0, up to 1")?;
            return Ok(LearnerParameters::Line(LineParameters { subsample }));
        }
        ("tree", "tree") => tree,
        ("tree", _) => TreeParameters::tree(8),
        _ => TreeParameters { min_rows: tree.min_rows, ..TreeParameters::stump() },
    };
    tree.min_rows =
        options.number("min-rows", tree.min_rows, |x| *x >= 0.0 && *x <= 1e15, "a number of at least 0")?;
    tree.subsample = options.number("subsample", tree.subsample, share, "a number above 0, up to 1")?;
    tree.features = options.number("features", tree.features, share, "a number above 0, up to 1")?;
    tree.cuts = options.number("cuts", tree.cuts, |n| *n <= 255, "a whole number from 0 (all) to 255")?;
    if learner != "product" {
        tree.sketch =
            options.number("sketch", tree.sketch, |n| *n <= 1024, "a whole number from 0 (off) to 1,024")?;
    }
    let precisions = [("auto", Precision::Auto), ("wide", Precision::Wide), ("narrow", Precision::Narrow)];
    tree.precision = options.choice("precision", &precisions)?;
    if learner == "tree" {
        // A depth alone means level by level to that depth; leaves mean best first.
        if options.has("depth") && !options.has("leaves") {
            tree.growth = Growth::DepthWise;
            tree.depth = options.number(
                "depth",
                tree.depth,
                |n| (1..=16).contains(n),
                "a whole number from 1 to 16",
            )?;
            tree.leaves = 1 << tree.depth;
        } else {
            tree.depth = options.number(
                "depth",
                tree.depth,
                |n| (1..=64).contains(n),
                "a whole number from 1 to 64",
            )?;
            let fine = |n: &usize| (2..=65_536).contains(n);
            tree.leaves = options.number("leaves", tree.leaves, fine, "a whole number from 2 to 65,536")?;
        }
    }
    if learner == "product" {
        let fine = |n: &usize| (1..=MOST_FACTORS).contains(n);
        let factors = options.number("factors", 3, fine, "a whole number from 1 to 64")?;
        return Ok(LearnerParameters::Product(ProductParameters { factors, stump: tree }));
    }
    Ok(LearnerParameters::Tree(tree))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use manyboost_data::Weights;
    use manyboost_kernel::{Alone, Seed};

    use super::*;
    use crate::engine::scores::Scores;
    use crate::engine::train::totals;
    use crate::spec::booster::{Problem, RoundState};

    fn setup(booster: &str, options: &[(&str, &str)]) -> Result<Setup> {
        let options = options.iter().map(|&(name, value)| (name.to_string(), value.to_string()));
        Setup::new(booster, Options::new(options))
    }

    #[test]
    fn every_booster_has_working_defaults() {
        for entry in BOOSTERS {
            let setup = setup(entry.name, &[]).unwrap();
            assert!(setup.learner.validate().is_ok());
            assert!(setup.rounds > 0);
        }
    }

    #[test]
    fn nonsense_is_refused_with_words() {
        type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str);
        let cases: [Case; 14] = [
            ("sammee", &[], "sammee"),
            ("mm", &[("shrinkage", "0.1")], "does not use --shrinkage"),
            ("mcboost", &[("shrinkage", "NaN")], "--shrinkage NaN"),
            ("mcboost", &[("shrinkage", "0")], "--shrinkage 0"),
            ("mcboost", &[("rounds", "-5")], "--rounds -5"),
            ("mcboost", &[("rounds", "1e12")], "--rounds 1e12"),
            ("mm", &[("step", "big")], "--step big"),
            ("mm", &[("leaves", "9")], "does not use --leaves"),
            ("mm", &[("learner", "product")], "products of stumps"),
            ("mh-real", &[("learner", "product")], "products of stumps"),
            ("mh", &[("factors", "2")], "does not use --factors"),
            ("samme", &[("learner", "linear"), ("criterion", "gini")], "does not use --criterion"),
            ("iter", &[("learner", "linear"), ("criterion", "cost")], "does not use --criterion"),
            ("mh", &[("learner", "product"), ("factors", "0")], "--factors 0"),
        ];
        for (booster, options, words) in cases {
            let Err(error) = setup(booster, options) else { panic!("{booster} {options:?} accepted") };
            assert!(error.what().contains(words), "{error}");
        }
        assert!(setup("sammee", &[]).err().is_some_and(|e| e.remedy().contains("samme")));
    }

    #[test]
    fn depth_alone_grows_by_level() {
        let learner = setup("mm", &[("learner", "tree"), ("depth", "2")]).unwrap().learner;
        let LearnerParameters::Tree(tree) = learner else { panic!("a tree") };
        assert_eq!((tree.leaves, tree.depth, tree.growth), (4, 2, Growth::DepthWise));
    }

    /// What a booster says of its questions before there are any, and what the questions are.
    #[test]
    fn boosters_know_whether_sides_can_answer() {
        let labels = Labels::Classes { names: vec!["a".into(), "b".into()], of: vec![0, 1, 0, 1] };
        let (weights, stop) = (Weights::ones(4), AtomicBool::new(false));
        let totals = totals(&weights, &Alone);
        let linear = LearnerParameters::Linear(LinearParameters::default());
        let words = [
            "sign",
            "class",
            "factored",
            "abstain",
            "confidence",
            "mean",
            "codeword",
            "least-squares",
            "unit",
        ];
        let choices = words.map(|word| vec![("answers", word)]).into_iter().chain([vec![]]);
        let mut seen = [0, 0];
        for options in choices {
            for entry in BOOSTERS {
                let Ok(Setup { booster, rounds, .. }) = setup(entry.name, &options) else { continue };
                let task = Problem { labels: &labels, totals, rounds, seed: Seed::new(1) };
                let scores = &Scores::new(4, &booster.start(&task));
                let now = RoundState {
                    labels: &labels,
                    totals,
                    rounds,
                    seed: Seed::new(1),
                    scores,
                    past: &[],
                    background: None,
                    sink: &(),
                    stop: &stop,
                };
                let answered = linear.check_target(&booster.target(&now, &mut Vec::new())).is_ok();
                assert_eq!(booster.takes_sides(), answered, "{} {options:?}", entry.name);
                seen[usize::from(answered)] += 1;
            }
        }
        assert!(seen[0] > 8 && seen[1] > 12, "{seen:?}");
    }
}
