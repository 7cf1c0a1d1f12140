//! From a table to a model in one call.
#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::sync::atomic::AtomicBool;

use polyboost::model::{Checkpoint, Model, Origin};
use polyboost::options::Options;
use polyboost::registry::Setup;
use polyboost::train::{Observer, Outcome, Watched, train};
use polyboost_data::{
    Applied, Column, Numbers, PrepareOptions, Prepared, Role, Table, Values, apply, generate, prepare,
};

/// A booster with options.
pub type Choice = (&'static str, &'static [(&'static str, &'static str)]);

/// Every booster with stumps and with trees.
pub const ALL: [Choice; 6] = [
    ("samme", &[]),
    ("samme", &[("learner", "tree"), ("leaves", "5"), ("criterion", "gini")]),
    ("mm", &[]),
    ("mm", &[("learner", "tree"), ("depth", "2"), ("step", "exact")]),
    ("mcboost", &[("learner", "stump")]),
    ("mcboost", &[("leaves", "6"), ("min-rows", "3")]),
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

/// A table for training.
pub fn prepared(table: Table) -> Prepared {
    prepare(table, &PrepareOptions::default()).unwrap()
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
        Self { prepared, setup: setup(choice, rounds), valid: None, patience: None }
    }

    pub fn run(&self, earlier: Option<Outcome>, observer: &mut dyn Observer) -> Outcome {
        let plan = self.setup.plan(7, self.patience);
        let Prepared { dataset, encoder, .. } = self.prepared;
        let watched = Watched { valid: self.valid, test: None };
        train(&plan, dataset, encoder, watched, earlier, &AtomicBool::new(false), observer).unwrap()
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
