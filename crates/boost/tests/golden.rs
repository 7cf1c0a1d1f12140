//! Round by round against traces of independent reference implementations: chosen cuts, answers, steps, losses, errors
//! and bounds agree to 1e-9.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use polyboost::answers::Answers;
use polyboost::ensemble::Term;
use polyboost::history::Record;
use polyboost::hypothesis::Cells;
use polyboost::options::Options;
use polyboost::predict::Predictor;
use polyboost::registry::Setup;
use polyboost::train::{Outcome, Watched, train};
use polyboost::tree::{Child, Test, Tree};
use polyboost_data::{EncodeOptions, Frame, Limits, PrepareOptions, TrainingPlan, prepare, read};
use serde_json::Value;

const NEAR: f64 = 1e-9;

/// Options by name.
type Flags = &'static [(&'static str, &'static str)];

/// Beginnings of the names of traces, the booster, and the options behind them.
const FLAGS: &[(&str, &str, Flags)] = &[
    ("samme", "samme", &[]),
    ("mm_alpha61", "mm", &[("step", "edge")]),
    ("mm_alpha62", "mm", &[("step", "exact")]),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn setup(trace: &str, rounds: usize) -> Setup {
    let Some((_, booster, flags)) = FLAGS.iter().find(|(name, ..)| trace.starts_with(name)) else {
        panic!("no flags for {trace}");
    };
    let mut options = flags.to_vec();
    if trace.contains("_tree2") {
        options.extend([("learner", "tree"), ("depth", "2")]);
    }
    let mut options: Vec<(String, String)> =
        options.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
    options.push(("rounds".into(), rounds.to_string()));
    Setup::new(booster, Options::new(options)).unwrap()
}

/// The outcome and the scores of all rows.
fn run(trace: &str, data: &str, rounds: usize) -> (Outcome, Vec<Vec<f64>>) {
    let path = folder().join("data").join(data);
    let sets = data == "multi.csv";
    let plan = TrainingPlan {
        target: (!sets).then(|| "y".into()),
        labels: sets.then(|| "label".into()),
        ..TrainingPlan::default()
    };
    let table = read(path.to_str().unwrap(), &plan, &Limits::default()).unwrap();
    let encode = EncodeOptions { bins: 0, ..EncodeOptions::default() };
    let options = PrepareOptions { encode, labels: plan.labels };
    let prepared = prepare(table.clone(), &options).unwrap();
    let setup = setup(trace, rounds);
    setup.check(&prepared.dataset.labels).unwrap();
    let (plan, never) = (setup.plan(0, None), AtomicBool::new(false));
    let watched = Watched::default();
    let outcome = train(&plan, &prepared.dataset, &prepared.encoder, watched, None, &never, &mut ()).unwrap();
    let frame = Frame::new(table, &prepared.encoder).unwrap();
    let scores = Predictor::new(&outcome.ensemble, usize::MAX).raw_scores(&frame);
    let scores = (0..scores.rows()).map(|row| scores.row(row).to_vec()).collect();
    (outcome, scores)
}

fn near(what: &str, ours: f64, theirs: &Value) {
    let theirs = theirs.as_f64().unwrap_or_else(|| panic!("{what}: {theirs}"));
    assert!((ours - theirs).abs() <= NEAR * theirs.abs().max(1.0), "{what}: ours {ours}, golden {theirs}");
}

/// All figures that the golden trace has under one of our names.
fn same_figures(what: &str, record: &Record, golden: &Value) {
    let figures = [
        ("alpha", record.alpha),
        ("edge", record.edge),
        ("Z", record.z),
        ("loss", Some(record.loss)),
        ("train_error", Some(record.train_error)),
        ("bound", record.bound),
    ];
    for (name, ours) in figures {
        if !golden[name].is_null() {
            let ours = ours.unwrap_or_else(|| panic!("{what}: no {name}"));
            near(&format!("{what}: {name}"), ours, &golden[name]);
        }
    }
}

fn same_tree(what: &str, tree: &Tree, answers: &Answers, child: Child, golden: &Value) {
    match child {
        Child::Leaf(leaf) => same_answer(what, answers, leaf as usize, &golden["leaf"]),
        Child::Node(node) => {
            let node = &tree.nodes[node as usize];
            assert_eq!(u64::from(node.feature), golden["feature"].as_u64().unwrap(), "{what}: feature");
            let Test::AtMost(threshold) = node.test else { panic!("{what}: a threshold") };
            near(&format!("{what}: threshold"), threshold, &golden["threshold"]);
            same_tree(what, tree, answers, node.left, &golden["left"]);
            same_tree(what, tree, answers, node.right, &golden["right"]);
        }
    }
}

fn same_answer(what: &str, answers: &Answers, leaf: usize, golden: &Value) {
    let what = format!("{what}: answer");
    match answers {
        Answers::Labels(labels) => assert_eq!(Some(u64::from(labels[leaf])), golden.as_u64(), "{what}"),
        Answers::Coordinate { values, .. } | Answers::Along { values, .. } => {
            near(&what, values[leaf], &golden[0]);
        }
        Answers::Vectors { width, values } => {
            let own = &values[leaf * *width as usize..][..*width as usize];
            assert_eq!(own.len(), golden.as_array().unwrap().len(), "{what}");
            own.iter().zip(golden.as_array().unwrap()).for_each(|(&x, golden)| near(&what, x, golden));
        }
    }
}

fn same_term(what: &str, term: &Term, golden: &Value) {
    let Cells::Tree(tree) = &term.hypothesis.cells;
    let root = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
    same_tree(what, tree, &term.hypothesis.answers, root, golden);
}

fn check(name: &str) {
    let path = folder().join("traces").join(format!("{name}.json"));
    let golden: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let rounds = golden["rounds"].as_array().unwrap();
    let (outcome, scores) = run(name, golden["dataset"].as_str().unwrap(), rounds.len());
    assert_eq!(outcome.history.len(), rounds.len(), "{name}: rounds");
    for (t, (terms, golden)) in outcome.ensemble.rounds.iter().zip(rounds).enumerate() {
        let what = format!("{name}, round {}", t + 1);
        same_term(&what, &terms[0], &golden["weak"]);
        same_figures(&what, &outcome.history[t], golden);
    }
    for (row, (ours, theirs)) in scores.iter().zip(golden["final_scores"].as_array().unwrap()).enumerate() {
        for (class, (&ours, theirs)) in ours.iter().zip(theirs.as_array().unwrap()).enumerate() {
            near(&format!("{name}: score of row {row}, class {class}"), ours, theirs);
        }
    }
}

#[test]
fn traces_agree() {
    let mut names: Vec<String> = std::fs::read_dir(folder().join("traces"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_string())
        .collect();
    names.sort();
    assert!(names.len() >= 9, "{names:?}");
    for name in names {
        check(&name);
    }
}
