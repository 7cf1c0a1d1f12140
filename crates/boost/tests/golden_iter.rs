//! AdaBoost.Iter against traces of an independent reference implementation: hypotheses, steps, errors, Z, the bound,
//! eliminated classes and both final rules agree.

use std::path::{Path, PathBuf};

use manyboost::engine::scores::{Scores, argmax};
use manyboost::engine::train::{Outcome, Training};
use manyboost::model::answers::Answers;
use manyboost::model::ensemble::Term;
use manyboost::model::epochs::Ballot;
use manyboost::model::hypothesis::Cells;
use manyboost::model::linear::Linear;
use manyboost::model::tree::{Child, Test};
use manyboost::predict::Predictor;
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::{EncodeOptions, Frame, Limits, PrepareOptions, TrainingPlan, prepare, read};
use serde_json::Value;

const NEAR: f64 = 1e-9;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn near(what: &str, ours: f64, theirs: &Value) {
    let theirs = theirs.as_f64().unwrap_or_else(|| panic!("{what}: {theirs}"));
    assert!((ours - theirs).abs() <= NEAR * theirs.abs().max(1.0), "{what}: ours {ours}, golden {theirs}");
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

fn options(name: &str, rounds: usize) -> Vec<(String, String)> {
    let mut options = vec![("epoch", "4")];
    options.push(("relabel", if name.starts_with("iter_restrict") { "restrict" } else { "position" }));
    options.push(("eliminate", if name.starts_with("iter_maxneg") { "last-negative" } else { "argmin" }));
    if name.contains("_tree2") {
        options.extend([("learner", "tree"), ("depth", "2")]);
    } else if name.contains("_ols") {
        options.push(("learner", "linear"));
    }
    let rounds = ("rounds".to_string(), rounds.to_string());
    options.into_iter().map(|(name, value)| (name.into(), value.into())).chain([rounds]).collect()
}

/// The outcome and the rows.
fn run(name: &str, data: &str, rounds: usize) -> (Outcome, Frame) {
    let path = folder().join("data").join(data);
    let plan = TrainingPlan { target: Some("y".into()), ..TrainingPlan::default() };
    let table = read(path.to_str().unwrap(), &plan, &Limits::default()).unwrap();
    let encode = EncodeOptions { bins: 0, ..EncodeOptions::default() };
    let prepared =
        prepare(table.clone(), &PrepareOptions { encode, values: true, ..PrepareOptions::default() })
            .unwrap();
    let setup = Setup::new("iter", Options::new(options(name, rounds))).unwrap();
    let plan = setup.plan(0, None);
    let outcome = Training::new(&plan, &prepared.dataset, &prepared.encoder).outcome().unwrap();
    (outcome, Frame::new(table, &prepared.encoder).unwrap())
}

fn same_node(what: &str, term: &Term, child: Child, golden: &Value) {
    let Cells::Tree(tree) = &term.hypothesis.cells else { panic!("{what}: a tree") };
    match child {
        Child::Leaf(leaf) => same_answer(what, term, leaf as usize, &golden["leaf"]),
        Child::Node(node) => {
            let node = &tree.nodes[node as usize];
            assert_eq!(u64::from(node.feature), golden["feature"].as_u64().unwrap(), "{what}: feature");
            let Test::AtMost(threshold) = node.test else { panic!("{what}: a threshold") };
            near(&format!("{what}: threshold"), threshold, &golden["threshold"]);
            same_node(what, term, node.left, &golden["left"]);
            same_node(what, term, node.right, &golden["right"]);
        }
    }
}

fn same_answer(what: &str, term: &Term, cell: usize, golden: &Value) {
    let Answers::Election(election) = &term.hypothesis.answers else { panic!("{what}: votes") };
    match &election.ballot {
        Ballot::Places(places) => {
            assert_eq!(Some(u64::from(places[cell])), golden.as_u64(), "{what}: place");
        }
        Ballot::Weights { classes, values } => {
            let own = &values[cell * *classes as usize..][..*classes as usize];
            assert_eq!(own.len(), list(golden).len(), "{what}");
            own.iter().zip(list(golden)).for_each(|(&x, golden)| near(what, x, golden));
        }
    }
}

fn same_hypothesis(what: &str, term: &Term, golden: &Value) {
    let tree = match &term.hypothesis.cells {
        Cells::Tree(tree) => tree,
        Cells::Linear(plane) => return same_plane(what, term, plane, &golden["ols"]),
        Cells::Product(_) => panic!("{what}: a tree"),
    };
    let root = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
    same_node(what, term, root, golden);
}

/// The reference has the intercept after the slopes.
fn same_plane(what: &str, term: &Term, plane: &Linear, golden: &Value) {
    let (intercept, slopes) = plane.plain();
    let ours: Vec<f64> = slopes.iter().map(|&(_, slope)| slope).chain([intercept]).collect();
    assert!(slopes.iter().map(|&(feature, _)| feature).eq(0..slopes.len() as u32), "{what}: all features");
    assert_eq!(ours.len(), list(&golden["beta"]).len(), "{what}");
    ours.iter().zip(list(&golden["beta"])).for_each(|(&x, golden)| near(what, x, golden));
    same_answer(&format!("{what}: above"), term, 0, &golden["pos"]);
    same_answer(&format!("{what}: below"), term, 1, &golden["neg"]);
}

/// Whether a class is on a row's list.
fn listed(scores: &Scores, row: usize, class: usize) -> bool {
    scores.row(row)[scores.width() / 2 + class] >= 0.0
}

fn check(name: &str) {
    let path = folder().join("epochs").join(format!("{name}.json"));
    let golden: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let epochs = list(&golden["epochs"]);
    let all: usize = epochs.iter().map(|epoch| list(&epoch["rounds"]).len()).sum();
    let (outcome, frame) = run(name, golden["dataset"].as_str().unwrap(), all);
    assert_eq!(outcome.history.len(), all, "{name}: rounds");
    let after = |rounds: usize| Predictor::new(&outcome.ensemble, rounds).raw_scores(&frame);
    let mut round = 0;
    for epoch in epochs {
        let (n, before) = (epoch["n_classes"].as_f64().unwrap(), after(round));
        for golden in list(&epoch["rounds"]) {
            let what = format!("{name}, epoch {}, round {}", epoch["epoch"], golden["k"]);
            let record = &outcome.history[round];
            same_hypothesis(&what, &outcome.ensemble.rounds[round][0], &golden["weak"]);
            near(&format!("{what}: alpha"), record.alpha.unwrap(), &golden["alpha"]);
            near(&format!("{what}: error"), 1.0 - 1.0 / n - record.edge.unwrap(), &golden["error"]);
            near(&format!("{what}: Z"), record.z.unwrap(), &golden["Z"]);
            round += 1;
        }
        if epoch["truncated"].is_null() {
            near(
                &format!("{name}: bound"),
                outcome.history[round - 1].bound.unwrap(),
                &epoch["error_bound_so_far"],
            );
            let scores = after(round);
            for (row, eliminated) in list(&epoch["eliminated"]).iter().enumerate() {
                let classes = 0..scores.width() / 2;
                let gone = |&class: &usize| listed(&before, row, class) && !listed(&scores, row, class);
                let gone: Vec<usize> = classes.filter(gone).collect();
                assert_eq!(gone, [eliminated.as_u64().unwrap() as usize], "{name}: row {row}");
            }
        }
    }
    if !golden["predict_count"].is_null() {
        let (raw, counts) = (after(round), Predictor::new(&outcome.ensemble, round).scores(&frame));
        for (row, class) in list(&golden["predict_count"]).iter().enumerate() {
            assert_eq!(argmax(counts.row(row)) as u64, class.as_u64().unwrap(), "{name}: row {row} by count");
        }
        for (row, class) in list(&golden["predict_survivor"]).iter().enumerate() {
            assert!(listed(&raw, row, class.as_u64().unwrap() as usize), "{name}: row {row}, survivor");
        }
    }
}

#[test]
fn traces_agree() {
    let mut names: Vec<String> = std::fs::read_dir(folder().join("epochs"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_string())
        .collect();
    names.sort();
    assert!(names.len() >= 12, "{names:?}");
    for name in names {
        check(&name);
    }
}
