//! From a table to a model in one call.
#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::sync::atomic::AtomicBool;

use manyboost::engine::train::{Observer, Outcome, Watched};
use manyboost::model::{Checkpoint, Model, Origin};
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::{
    Applied, Column, Kind, Numbers, PrepareOptions, Prepared, Role, Table, Values, apply, generate, prepare,
};
use manyboost_kernel::Seed;

/// A booster with options.
pub type Choice = (&'static str, &'static [(&'static str, &'static str)]);

/// Every booster with stumps and with trees, and those that take them with linear classifiers and with lines. [`data`] has rows for each.
pub const ALL: &[Choice] = &[
    ("samme", &[]),
    ("samme", &[("learner", "tree"), ("leaves", "5"), ("criterion", "gini")]),
    ("samme", &[("shrinkage", "4"), ("step", "unit")]),
    ("mm", &[]),
    ("mm", &[("learner", "tree"), ("depth", "2"), ("step", "exact")]),
    ("mm", &[("refit", "all")]),
    ("lp", &[]),
    ("lp", &[("nu", "0"), ("learner", "tree"), ("leaves", "5")]),
    ("mcboost", &[("learner", "stump")]),
    ("mcboost", &[("leaves", "6"), ("min-rows", "3"), ("cuts", "0"), ("features", "1")]),
    ("m1", &[("leaves", "16"), ("criterion", "entropy")]),
    ("mh", &[]),
    ("mh", &[("learner", "tree"), ("leaves", "5"), ("start", "skewed")]),
    ("mh", &[("answers", "class"), ("learner", "tree"), ("leaves", "6")]),
    ("mh", &[("answers", "factored"), ("learner", "tree"), ("leaves", "6")]),
    ("mh", &[("learner", "product"), ("start", "skewed")]),
    ("mh-real", &[]),
    ("mh-real", &[("learner", "tree"), ("depth", "2"), ("smoothing", "0.001")]),
    ("mo", &[("code", "exhaustive"), ("decode", "hamming")]),
    ("mo", &[("answers", "confidence"), ("learner", "tree"), ("leaves", "4")]),
    ("mr", &[("step", "exact")]),
    ("mh", &[("answers", "abstain"), ("learner", "tree"), ("leaves", "4")]),
    ("mr", &[("answers", "abstain")]),
    ("mr", &[("answers", "oblivious")]),
    ("mo", &[("code", "pairs"), ("decode", "hamming")]),
    ("mr", &[("answers", "confidence"), ("learner", "tree"), ("leaves", "4")]),
    ("mh-real", &[("criterion", "gini"), ("learner", "tree"), ("leaves", "4")]),
    ("os", &[("loss", "hinge"), ("horizon", "40"), ("edge", "0.05")]),
    ("os", &[("condition", "minimal"), ("horizon", "40"), ("edge", "0.05")]),
    ("iter", &[("epoch", "4")]),
    ("iter", &[("epoch", "6"), ("relabel", "position"), ("eliminate", "last-negative"), ("step", "opt")]),
    ("iter", &[("epoch", "7"), ("drop", "2"), ("learner", "tree"), ("leaves", "5")]),
    ("os", &[]),
    ("os", &[("loss", "zero-one"), ("horizon", "50"), ("learner", "tree"), ("leaves", "5")]),
    ("os", &[("loss", "zero-one"), ("horizon", "40"), ("condition", "minimal"), ("edge", "0.05")]),
    ("ova", &[]),
    ("ecc", &[]),
    ("ecc", &[("code", "random"), ("votes", "two"), ("learner", "tree"), ("leaves", "5")]),
    ("logitboost", &[]),
    ("logitboost", &[("learner", "tree"), ("depth", "2"), ("shrinkage", "0.3")]),
    ("gd-mcboost", &[("loss", "codeword")]),
    (
        "gd-mcboost",
        &[
            ("loss", "own"),
            ("phi", "ln(1 + exp(-2v))"),
            ("answers", "least-squares"),
            ("codewords", "canonical"),
        ],
    ),
    ("gd-mcboost", &[]),
    ("gd-mcboost", &[("loss", "logistic"), ("answers", "unit"), ("dim", "2"), ("learner", "stump")]),
    ("gd-mcboost", &[("loss", "savage"), ("answers", "least-squares"), ("codewords", "canonical")]),
    ("cd-mcboost", &[]),
    ("cd-mcboost", &[("loss", "savage"), ("answers", "least-squares"), ("learner", "tree"), ("depth", "2")]),
    ("m1", &[("learner", "c45")]),
    ("samme", &[("learner", "c45"), ("prune", "no")]),
    ("samme", &[("learner", "linear")]),
    ("mm", &[("learner", "linear"), ("step", "exact")]),
    ("iter", &[("learner", "linear"), ("epoch", "4")]),
    ("iter", &[("learner", "linear"), ("epoch", "5"), ("relabel", "position")]),
    ("mh", &[("learner", "linear")]),
    ("mr", &[("learner", "linear")]),
    ("ova", &[("learner", "linear")]),
    ("ecc", &[("learner", "linear")]),
    ("gd-mcboost", &[("learner", "linear"), ("answers", "codeword")]),
    ("cd-mcboost", &[("learner", "linear"), ("answers", "sign")]),
    ("mcboost", &[("learner", "line")]),
    ("logitboost", &[("learner", "line")]),
    ("gd-mcboost", &[("learner", "line"), ("loss", "logistic"), ("answers", "least-squares")]),
    ("cd-mcboost", &[("learner", "line"), ("loss", "savage"), ("answers", "least-squares")]),
];

/// A table that a choice can be trained on: linear classifiers and lines take numbers only.
pub fn data(choice: Choice, rows: usize) -> Table {
    if looks_at_values(choice) { numbers(mixed(rows)) } else { mixed(rows) }
}

/// Whether trees are those of C4.5.
pub fn is_c45((_, options): Choice) -> bool {
    options.contains(&("learner", "c45"))
}

/// Whether a choice has linear classifiers.
pub fn is_linear((_, options): Choice) -> bool {
    options.contains(&("learner", "linear"))
}

/// Whether a choice looks at values, not only at their order: linear classifiers and lines do.
pub fn looks_at_values(choice: Choice) -> bool {
    is_linear(choice) || choice.1.contains(&("learner", "line"))
}

/// The numbers of a table.
pub fn numbers(mut table: Table) -> Table {
    table.columns.retain(|column| !matches!(column.role, Role::Feature(Some(Kind::Category | Kind::Text))));
    table
}

/// Boosters of two classes.
pub const TWO: &[Choice] = &[
    ("adaboost", &[]),
    ("adaboost", &[("answers", "abstain"), ("learner", "tree"), ("leaves", "4")]),
    ("adaboost", &[("answers", "confidence"), ("learner", "tree"), ("depth", "2")]),
    ("adaboost", &[("answers", "mean"), ("step", "exact")]),
    ("adaboost", &[("learner", "product"), ("factors", "2")]),
    ("mr", &[]),
    ("m2", &[("learner", "tree"), ("leaves", "3")]),
];

/// Boosters of label sets.
pub const SETS: &[Choice] = &[
    ("mh", &[]),
    ("mh", &[("learner", "tree"), ("leaves", "4")]),
    ("mh", &[("answers", "factored"), ("learner", "tree"), ("depth", "2")]),
    ("mh", &[("learner", "product"), ("factors", "2")]),
    ("mh-real", &[]),
    ("mr", &[]),
    ("mr", &[("step", "exact"), ("learner", "tree"), ("depth", "2")]),
    ("mcboost", &[("leaves", "4")]),
    ("ova", &[]),
];

/// The options of a choice, with so many rounds.
pub fn setup((booster, options): Choice, rounds: usize) -> Setup {
    let rounds = ("rounds".to_string(), rounds.to_string());
    let options = options.iter().map(|&(name, value)| (name.to_string(), value.to_string()));
    Setup::new(booster, Options::new(options.chain([rounds]))).unwrap()
}

/// All kinds of columns, some values missing.
pub fn mixed(rows: usize) -> Table {
    generate::mixed::mixed(rows, 4, 11)
}

/// All kinds of columns and two classes.
pub fn two_classes(rows: usize) -> Table {
    generate::mixed::mixed(rows, 2, 11)
}

/// All kinds of columns and five labels: some rows have none, some all.
pub fn label_sets(rows: usize) -> Table {
    let mut table = mixed(rows);
    table.columns.retain(|column| column.role != Role::Target);
    let draw = |row: u64, label: u64| Seed::new(row).part(label).unit();
    let values = |name: &str| match &table.column(name).unwrap().values {
        Values::Numbers(numbers) => (0..rows).map(|row| numbers.get(row)).collect::<Vec<f64>>(),
        _ => panic!("{name} is a number"),
    };
    let (x, y) = (values("x1"), values("x2"));
    for label in 0..5u64 {
        let has = |row: usize| {
            let lean = (x[row] * (label as f64 - 2.0) + y[row]).clamp(-1.0, 1.0);
            let extreme = if row.is_multiple_of(17) { (row / 17 % 2) as f64 } else { 0.5 };
            i8::from(0.5 * draw(row as u64, label) + 0.2 * lean + 2.0 * (extreme - 0.5) > 0.25)
        };
        let values = Values::Numbers(Numbers::I8((0..rows).map(has).collect()));
        table.columns.push(Column { name: format!("label:{label}"), role: Role::Label, values });
    }
    table
}

/// A table for training.
pub fn prepared(table: Table) -> Prepared {
    prepare(table, &PrepareOptions { values: true, ..PrepareOptions::default() }).unwrap()
}

/// A table for validation.
pub fn watched(table: Table, prepared: &Prepared) -> Applied {
    apply(table, &prepared.schema, &prepared.encoder).unwrap()
}

/// One training run.
pub struct Training<'a> {
    pub prepared: &'a Prepared,
    pub setup: Setup,
    pub valid: Option<&'a Applied>,
    pub patience: Option<usize>,
}

impl<'a> Training<'a> {
    pub fn new(prepared: &'a Prepared, choice: Choice, rounds: usize) -> Self {
        let setup = setup(choice, rounds).for_data(&prepared.dataset).unwrap();
        Self { prepared, setup, valid: None, patience: None }
    }

    pub fn run(&self, earlier: Option<Outcome>, observer: &mut dyn Observer) -> Outcome {
        let plan = self.setup.plan(7, self.patience);
        let Prepared { dataset, encoder, .. } = self.prepared;
        let watched = Watched { valid: self.valid, test: None };
        let training = manyboost::engine::train::Training { plan: &plan, data: dataset, encoder, watched };
        training.run(earlier, &AtomicBool::new(false), observer).unwrap()
    }

    pub fn model(&self, outcome: Outcome) -> Model {
        let (schema, encoder) = (self.prepared.schema.clone(), self.prepared.encoder.clone());
        Model::new(schema, encoder, &self.setup, 7, outcome)
    }

    pub fn checkpoint(&self, outcome: Outcome) -> Checkpoint {
        let origin = Origin::new(&self.prepared.dataset, &self.prepared.encoder);
        Checkpoint { model: self.model(outcome), origin }
    }
}

/// A model of a prepared table.
pub fn trained(prepared: &Prepared, choice: Choice, rounds: usize) -> Model {
    let training = Training::new(prepared, choice, rounds);
    let outcome = training.run(None, &mut ());
    training.model(outcome)
}

/// The file of a model of a table.
pub fn bytes(table: Table, choice: Choice, rounds: usize) -> Vec<u8> {
    let model = trained(&prepared(table), choice, rounds);
    assert!(!model.history.is_empty(), "{choice:?} trained nothing");
    model.to_bytes().unwrap()
}

/// The table with weights.
pub fn weighted(mut table: Table, weights: Vec<f64>) -> Table {
    table.columns.push(Column {
        name: "weight".into(),
        role: Role::Weight,
        values: Values::Numbers(Numbers::F64(weights)),
    });
    table
}
