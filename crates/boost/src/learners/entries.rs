//! The weak learners by name, and what may be set on each.

use std::collections::BTreeMap;

use manyboost_data::Result;
use manyboost_kernel::Precision;

use super::{
    C45Parameters, Growth, LearnerParameters, LineParameters, LinearParameters, MOST_FACTORS, MOST_LEAVES,
    ProductParameters, Regression, TreeParameters,
};
use crate::spec::option::{Choice, Declaration, Describe, Group, Number, OptionInfo, OptionKind, Range};
use crate::spec::options::Options;
use crate::spec::registry::{BOOSTERS, BoosterEntry};
use crate::spec::taking::{TakenOption, Taking};

/// One kind of weak learner.
pub struct LearnerEntry {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// What options ask for; the trees of the booster's default are where it starts from.
    build: fn(&mut Options, TreeParameters) -> Result<LearnerParameters>,
}

impl LearnerEntry {
    /// The options that it takes.
    pub fn options(&self) -> Vec<TakenOption> {
        let build = |options: &mut Options| (self.build)(options, TreeParameters::tree(8)).map(drop);
        Taking::of(&BTreeMap::new(), build).into_options()
    }

    /// The boosters that it works with, whatever else must be said then.
    pub fn boosters(&self) -> Vec<&'static str> {
        let works = |entry: &&BoosterEntry| {
            let taking = entry.taking(&BTreeMap::new());
            let learner = taking.options().iter().find(|option| option.info.name == LearnerOption.name());
            learner.is_some_and(|option| option.info.words.iter().any(|word| word.0 == self.name))
        };
        BOOSTERS.iter().filter(works).map(|entry| entry.name).collect()
    }
}

/// All learners.
pub static LEARNERS: &[LearnerEntry] = &[
    LearnerEntry {
        name: "stump",
        summary: "one cut: a tree with two leaves; categories by equality",
        build: |options, tree| {
            let mut stump = cuts(options, stump(&tree))?;
            stump.sketch = options.take(&SKETCH, stump.sketch)?;
            Ok(LearnerParameters::Tree(stump))
        },
    },
    LearnerEntry {
        name: "tree",
        summary: "a tree, best cut first (leaves) or level by level (depth)",
        build: |options, tree| {
            let mut tree = cuts(options, tree)?;
            tree.sketch = options.take(&SKETCH, tree.sketch)?;
            size(options, &mut tree)?;
            Ok(LearnerParameters::Tree(tree))
        },
    },
    LearnerEntry {
        name: "c45",
        summary: "a tree as C4.5 grows it by gain ratio and prunes it, for boosters of weighted classes",
        build: |options, _| {
            let usual = C45Parameters::default();
            let min_rows = options.take(&MIN_ROWS, usual.min_rows)?;
            let confidence = options.take(&CONFIDENCE, usual.confidence)?;
            let prune = options.take(&PRUNE, usual.prune)?;
            Ok(LearnerParameters::C45(C45Parameters { min_rows, confidence, prune }))
        },
    },
    LearnerEntry {
        name: "linear",
        summary: "a hyperplane between two classes, by least squares; numbers only",
        build: |options, _| {
            let regression = options.take(&REGRESSION, Regression::Weighted)?;
            let subsample = options.take(&SUBSAMPLE, 1.0)?;
            Ok(LearnerParameters::Linear(LinearParameters { regression, subsample }))
        },
    },
    LearnerEntry {
        name: "line",
        summary: "a straight line over one feature, by least squares, for boosters of numbers; numbers only",
        build: |options, _| {
            Ok(LearnerParameters::Line(LineParameters { subsample: options.take(&SUBSAMPLE, 1.0)? }))
        },
    },
    LearnerEntry {
        name: "product",
        summary: "a product of stumps (factors), for boosters of answers ±1",
        build: |options, tree| {
            let stump = cuts(options, stump(&tree))?;
            let factors = options.take(&FACTORS, 3)?;
            Ok(LearnerParameters::Product(ProductParameters { factors, stump }))
        },
    },
];

/// The option that names one of them.
struct LearnerOption;

impl Describe for LearnerOption {
    fn name(&self) -> &'static str {
        "learner"
    }

    fn info(&self) -> OptionInfo {
        let words: Vec<_> = LEARNERS.iter().map(|entry| (entry.name, entry.summary)).collect();
        let allowed = words.iter().map(|word| word.0).collect::<Vec<_>>().join(", ");
        let (group, kind) = (Group::Learner, OptionKind::Word);
        OptionInfo { name: self.name(), help: "The weak learner", group, kind, words, allowed }
    }
}

impl Declaration for LearnerOption {
    type Value = &'static LearnerEntry;

    fn parse(&self, text: &str) -> Option<Self::Value> {
        LEARNERS.iter().find(|entry| entry.name == text)
    }

    fn text(&self, entry: &Self::Value) -> String {
        entry.name.to_string()
    }
}

const LEAVES: Number<usize> = Number::of_learner(
    "leaves",
    "Most leaves of a tree, grown best cut first",
    Range::from_to(1, MOST_LEAVES),
)
.least_means("no cut: the same answer for all rows");
const DEPTH: Number<usize> = Number::of_learner(
    "depth",
    "Most cuts on the way to a leaf; alone: grow level by level (to 16 levels at most)",
    Range::from_to(1, 64),
);
const FACTORS: Number<usize> =
    Number::of_learner("factors", "Most stumps of a product", Range::from_to(1, MOST_FACTORS));
const MIN_ROWS: Number<f64> =
    Number::of_learner("min-rows", "Least rows (by weight) of a leaf", Range::from_to(0.0, 1e15));
const CONFIDENCE: Number<f64> = Number::of_learner(
    "confidence",
    "Confidence of the errors that C4.5 expects; less prunes more",
    Range::above_to(0.0, 1.0),
);
const PRUNE: Choice<bool> = Choice::of_learner(
    "prune",
    "Whether trees of C4.5 are pruned",
    &[("yes", true, "by expected errors"), ("no", false, "as they have grown")],
);
const SUBSAMPLE: Number<f64> = Number::of_learner(
    "subsample",
    "Share of the rows that a tree (or a regression) sees",
    Range::above_to(0.0, 1.0),
);
const FEATURES: Number<f64> =
    Number::of_learner("features", "Share of the features that a node may use", Range::above_to(0.0, 1.0));
const CUTS: Number<u32> =
    Number::of_learner("cuts", "Random cuts tried on a feature", Range::from_to(0, 255)).least_means("all");
const SKETCH: Number<usize> = Number::of_learner(
    "sketch",
    "Projections on which cuts are searched when there are many classes",
    Range::from_to(0, 1024),
)
.least_means("off");
const PRECISION: Choice<Precision> = Choice::of_learner(
    "precision",
    "Bits that split search works on",
    &[
        ("auto", Precision::Auto, "wide for small data, narrow for large"),
        ("wide", Precision::Wide, "up to 50"),
        ("narrow", Precision::Narrow, "14 to 24"),
    ],
);
const REGRESSION: Choice<Regression> = Choice::of_learner(
    "regression",
    "How the linear learner uses weights",
    &[
        ("weighted", Regression::Weighted, "least squares by weight"),
        ("resampled", Regression::Resampled, "least squares on rows drawn by weight"),
    ],
);

/// Takes the learner that options ask for: `default` with `tree`, if nothing is said.
pub(crate) fn take_learner(
    options: &mut Options,
    default: &'static str,
    tree: TreeParameters,
) -> Result<LearnerParameters> {
    let default_entry = LEARNERS.iter().find(|entry| entry.name == default).unwrap_or(&LEARNERS[0]);
    let entry = options.take(&LearnerOption, default_entry)?;
    // The booster's own trees, if it has any.
    let tree = if entry.name == "tree" && default != "tree" { TreeParameters::tree(8) } else { tree };
    (entry.build)(options, tree)
}

/// Stumps whose leaves have as many rows as those of these trees.
fn stump(tree: &TreeParameters) -> TreeParameters {
    TreeParameters { min_rows: tree.min_rows, ..TreeParameters::stump() }
}

/// How cuts are searched.
fn cuts(options: &mut Options, mut tree: TreeParameters) -> Result<TreeParameters> {
    tree.min_rows = options.take(&MIN_ROWS, tree.min_rows)?;
    tree.subsample = options.take(&SUBSAMPLE, tree.subsample)?;
    tree.feature_fraction = options.take(&FEATURES, tree.feature_fraction)?;
    tree.random_cuts = options.take(&CUTS, tree.random_cuts)?;
    tree.precision = options.take(&PRECISION, Precision::Auto)?;
    Ok(tree)
}

/// How large trees are. A depth alone means level by level to that depth; leaves mean best first.
fn size(options: &mut Options, tree: &mut TreeParameters) -> Result<()> {
    let levels = options.has(&DEPTH) && !options.has(&LEAVES);
    tree.depth = options.take(&DEPTH, tree.depth)?;
    if levels {
        tree.growth = Growth::DepthWise;
        if tree.depth > MOST_LEVELS {
            let allowed = "a whole number from 1 to 16 where `leaves` is not given";
            return Err(manyboost_data::Error::parameter("depth", &tree.depth.to_string(), allowed));
        }
        tree.leaves = 1 << tree.depth;
    } else {
        tree.leaves = options.take(&LEAVES, tree.leaves)?;
    }
    Ok(())
}

/// The deepest trees that are grown level by level.
const MOST_LEVELS: usize = 16;
