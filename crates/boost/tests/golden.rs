//! Round by round against traces of independent reference implementations: chosen cuts, answers, steps, losses, errors
//! and bounds agree to 1e-9.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use polyboost::options::Options;
use polyboost::registry::Setup;
use polyboost::train::{Outcome, Plan, Watched, train};
use polyboost::tree::{Answers, Child, Test, Tree};
use polyboost_data::{EncodeOptions, Limits, PrepareOptions, TrainingPlan, prepare, read};
use serde_json::Value;

const NEAR: f64 = 1e-9;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn options(trace: &str) -> (&'static str, Vec<(&'static str, &'static str)>) {
    let mut options = vec![];
    if trace.contains("_tree2") {
        options.extend([("learner", "tree"), ("depth", "2")]);
    }
    let booster = match trace {
        t if t.starts_with("samme") => "samme",
        t if t.starts_with("mm_alpha61") => "mm",
        t if t.starts_with("mm_alpha62") => {
            options.push(("step", "exact"));
            "mm"
        }
        _ => panic!("no flags for {trace}"),
    };
    (booster, options)
}

fn run(trace: &str, data: &str, rounds: usize) -> (Outcome, Vec<Vec<f64>>) {
    let path = folder().join("data").join(data);
    let plan = TrainingPlan { target: Some("y".into()), ..TrainingPlan::default() };
    let table = read(path.to_str().unwrap(), &plan, &Limits::default()).unwrap();
    let encode = EncodeOptions { bins: 0, ..EncodeOptions::default() };
    let prepared = prepare(table.clone(), &PrepareOptions { encode, labels: None }).unwrap();
    let (booster, given) = options(trace);
    let given = given.into_iter().chain([("rounds", "0")]).map(|(n, v)| (n.to_string(), v.to_string()));
    let given = given.map(|(n, v)| if n == "rounds" { (n, rounds.to_string()) } else { (n, v) });
    let setup = Setup::new(booster, Options::new(given)).unwrap();
    let plan = Plan {
        booster: setup.booster.as_ref(),
        tree: setup.tree.clone(),
        rounds: setup.rounds,
        seed: 0,
        patience: None,
    };
    let never = AtomicBool::new(false);
    let watched = Watched::default();
    let outcome = train(&plan, &prepared.dataset, &prepared.encoder, watched, None, &never, &mut ()).unwrap();
    let frame = polyboost_data::Frame::new(table, &prepared.encoder).unwrap();
    let scores = polyboost::predict::Predictor::new(&outcome.ensemble, usize::MAX).scores(&frame);
    let scores = (0..scores.rows()).map(|row| scores.row(row).to_vec()).collect();
    (outcome, scores)
}

fn near(what: &str, ours: f64, theirs: &Value) {
    let theirs = theirs.as_f64().unwrap_or_else(|| panic!("{what}: {theirs}"));
    assert!((ours - theirs).abs() <= NEAR * theirs.abs().max(1.0), "{what}: ours {ours}, golden {theirs}");
}

fn same_tree(what: &str, tree: &Tree, child: Child, golden: &Value) {
    match child {
        Child::Leaf(leaf) => {
            let Answers::Labels(labels) = &tree.answers else { panic!("{what}: labels") };
            assert_eq!(u64::from(labels[leaf as usize]), golden["leaf"].as_u64().unwrap(), "{what}: answer");
        }
        Child::Node(node) => {
            let node = &tree.nodes[node as usize];
            assert_eq!(u64::from(node.feature), golden["feature"].as_u64().unwrap(), "{what}: feature");
            let Test::AtMost(threshold) = node.test else { panic!("{what}: a threshold") };
            near(&format!("{what}: threshold"), threshold, &golden["threshold"]);
            same_tree(what, tree, node.left, &golden["left"]);
            same_tree(what, tree, node.right, &golden["right"]);
        }
    }
}

fn check(name: &str) {
    let path = folder().join("traces").join(format!("{name}.json"));
    let golden: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let rounds = golden["rounds"].as_array().unwrap();
    let (outcome, scores) = run(name, golden["dataset"].as_str().unwrap(), rounds.len());
    assert_eq!(outcome.history.len(), rounds.len(), "{name}: rounds");
    for (t, ((term, record), golden)) in
        outcome.ensemble.terms.iter().zip(&outcome.history).zip(rounds).enumerate()
    {
        let what = |thing: &str| format!("{name}, round {}: {thing}", t + 1);
        same_tree(&what("tree"), &term.tree, Child::Node(0), &golden["weak"]);
        near(&what("alpha"), record.alpha, &golden["alpha"]);
        near(&what("train error"), record.train_error, &golden["train_error"]);
        near(&what("bound"), record.bound.unwrap(), &golden["bound"]);
        if !golden["loss"].is_null() {
            near(&what("loss"), record.loss, &golden["loss"]);
            near(&what("edge"), record.edge.unwrap(), &golden["edge"]);
        }
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
