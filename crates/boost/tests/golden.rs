//! Round by round against traces of independent reference implementations: chosen cuts, answers, steps, losses, errors
//! and bounds agree to 1e-9.

mod translate;

use std::path::{Path, PathBuf};

use manyboost::engine::history::{Record, Told};
use manyboost::engine::train::{Outcome, Training};
use manyboost::model::answers::Answers;
use manyboost::model::ensemble::{Ensemble, Term, parted};
use manyboost::model::hypothesis::Cells;
use manyboost::model::tree::{Child, Test, Tree};
use manyboost::predict::Predictor;
use manyboost::spec::booster::Stop;
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::{
    EncodeOptions, Frame, Labels, Limits, PrepareOptions, Prepared, TrainingPlan, prepare, read,
};
use serde_json::Value;

const NEAR: f64 = 1e-9;

/// Options by name.
type Flags = &'static [(&'static str, &'static str)];

/// Beginnings of the names of traces, the booster, and the options behind them.
const FLAGS: &[(&str, &str, Flags)] = &[
    ("adaboost_discrete", "adaboost", &[("answers", "sign")]),
    ("adaboost_abstain", "adaboost", &[("answers", "abstain")]),
    ("adaboost_real", "adaboost", &[("answers", "confidence")]),
    ("adaboost_fs", "adaboost", &[("answers", "mean"), ("step", "edge")]),
    ("adaboost_num", "adaboost", &[("answers", "mean"), ("step", "exact")]),
    ("m1", "m1", &[]),
    ("mh_discrete_uniform", "mh", &[("start", "uniform")]),
    ("mh_discrete_skew", "mh", &[("start", "skewed")]),
    ("mh_real_uniform", "mh-real", &[("start", "uniform")]),
    ("mh_real_skew", "mh-real", &[("start", "skewed")]),
    ("mo_discrete", "mo", &[("answers", "sign")]),
    ("mo_real", "mo", &[("answers", "confidence")]),
    ("mr_alpha28", "mr", &[("step", "edge")]),
    ("mr_alpha22", "mr", &[("step", "exact")]),
    ("ova_adaboost", "ova", &[]),
    ("logitboost", "logitboost", &[]),
    ("ecc_exhaustive_single", "ecc", &[("code", "exhaustive"), ("votes", "one")]),
    ("ecc_exhaustive_two", "ecc", &[("code", "exhaustive"), ("votes", "two")]),
    ("ecc_maxcut_single", "ecc", &[("code", "max-cut"), ("votes", "one")]),
    ("ecc_maxcut_two", "ecc", &[("code", "max-cut"), ("votes", "two")]),
    ("cd_", "cd-mcboost", &[]),
    ("gd_", "gd-mcboost", &[]),
    ("samme", "samme", &[]),
    ("mm_alpha61", "mm", &[("step", "edge")]),
    ("mm_alpha62", "mm", &[("step", "exact")]),
    ("os_exp", "os", &[("edge", "0.2"), ("loss", "exponential")]),
    ("os_zero_one_uniform", "os", &[("edge", "0.2"), ("loss", "zero-one"), ("horizon", "10")]),
    (
        "os_zero_one_minimal",
        "os",
        &[("edge", "0.2"), ("loss", "zero-one"), ("condition", "minimal"), ("horizon", "10")],
    ),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn setup(trace: &str, rounds: usize, more: &[(&str, &str)]) -> Setup {
    let Some((_, booster, flags)) = FLAGS.iter().find(|(name, ..)| trace.starts_with(name)) else {
        panic!("no flags for {trace}");
    };
    let learner: Flags = if trace.contains("_tree2") {
        &[("learner", "tree"), ("depth", "2")]
    } else {
        &[("learner", "stump")]
    };
    let rounds = rounds.to_string();
    let options = flags.iter().chain(learner).chain(more).copied().chain([("rounds", rounds.as_str())]);
    let options = options.map(|(name, value)| (name.to_string(), value.to_string()));
    Setup::new(booster, Options::new(options)).unwrap()
}

/// What was trained, and what on.
struct Run {
    outcome: Outcome,
    shown: Vec<Told>,
    frame: Frame,
    labels: Labels,
}

impl Run {
    fn new(trace: &str, data: &str, rounds: usize, more: &[(&str, &str)]) -> Self {
        let path = folder().join("data").join(data);
        let sets = data == "multi.csv";
        let plan = TrainingPlan {
            target: (!sets).then(|| "y".into()),
            labels: sets.then(|| "label".into()),
            ..TrainingPlan::default()
        };
        let table = read(path.to_str().unwrap(), &plan, &Limits::default()).unwrap();
        let encode = EncodeOptions { bins: 0, ..EncodeOptions::default() };
        let options = PrepareOptions { encode, labels: plan.labels, ..PrepareOptions::default() };
        let Prepared { dataset, encoder, .. } = prepare(table.clone(), &options).unwrap();
        let setup = setup(trace, rounds, more).for_data(&dataset).unwrap();
        let outcome = Training::new(&setup.plan(0, None), &dataset, &encoder).outcome().unwrap();
        let shown = setup.bounds(&dataset.labels).of_run(&outcome);
        Self { outcome, shown, frame: Frame::new(table, &encoder).unwrap(), labels: dataset.labels }
    }

    /// What the hypotheses of some rounds add up to in each row, thresholds aside.
    fn scores(&self, rounds: usize) -> Vec<Vec<f64>> {
        let scores = Predictor::new(&self.outcome.ensemble, rounds).raw_scores(&self.frame);
        let Ensemble { start, rounds: all, .. } = &self.outcome.ensemble;
        let shift: f64 = all.iter().take(rounds).filter_map(|terms| parted(terms).1).sum();
        let from_start =
            |row| scores.row(row).iter().zip(start).map(|(f, start)| f - start - shift).collect();
        (0..scores.rows()).map(from_start).collect()
    }

    /// The share of answers of score 0 that happen to be right: the traces count them as wrong.
    fn lucky(&self, rounds: usize) -> f64 {
        let lucky = |(row, f): (usize, &Vec<f64>)| match &self.labels {
            Labels::Classes { of, .. } => f64::from(u8::from(of[row] == 0 && f.iter().all(|&f| f == 0.0))),
            Labels::Sets { .. } => {
                let zero = |l: &usize| f[*l] == 0.0 && !self.labels.labels(row).contains(&(*l as u32));
                (0..f.len()).filter(zero).count() as f64 / f.len() as f64
            }
        };
        let scores = self.scores(rounds);
        scores.iter().enumerate().map(lucky).sum::<f64>() / scores.len() as f64
    }
}

fn near(what: &str, ours: f64, theirs: &Value) {
    let theirs = theirs.as_f64().unwrap_or_else(|| panic!("{what}: {theirs}"));
    assert!((ours - theirs).abs() <= NEAR * theirs.abs().max(1.0), "{what}: ours {ours}, golden {theirs}");
}

/// (k − 1) ∏ √(1 − δ²) of the rounds up to one.
fn theorem_25(run: &Run, t: usize) -> f64 {
    let factor = |record: &Record| (1.0 - record.edge.unwrap().powi(2)).sqrt();
    let factors: f64 = run.outcome.history[..=t].iter().map(factor).product();
    (run.labels.classes() as f64 - 1.0) * factors
}

/// All figures that the golden trace has under one of our names.
fn same_figures(what: &str, trace: &str, run: &Run, t: usize, golden: &Value) {
    let record = &run.outcome.history[t];
    let mut figures = vec![
        ("alpha", record.alpha),
        ("edge", record.edge),
        ("r", record.edge),
        ("Z", record.z),
        ("loss", Some(record.loss)),
        ("exp_loss", Some(record.loss)),
        ("potential_after", Some(record.loss)),
    ];
    if let Some(met) = golden["condition_met"].as_bool() {
        assert_eq!(record.short().is_none(), met, "{what}: promise");
    }
    let train_error = record.train_error + run.lucky(t + 1);
    if run.labels.is_sets() {
        figures.extend([("hamming_loss", Some(train_error)), ("one_error", record.one_error)]);
        figures.push(("ranking_loss", record.ranking_loss));
        // The trace of AdaBoost.MH bounds the one-error there; we bound the Hamming loss.
        figures.push((if trace.starts_with("mh") { "prod_Z" } else { "bound" }, record.bound));
    } else {
        // The trace of SAMME has a bound on how often the true class has no more than its share of votes; with more than two
        // classes we say none, and there the trace is of our Z.
        let z = || run.outcome.history[..=t].iter().map(|record| record.z.unwrap()).product();
        let bound = match trace {
            // That of Theorem 25; ours is the mean loss.
            _ if trace.starts_with("mm") => Some(theorem_25(run, t)),
            _ if trace.starts_with("samme") => Some(z()),
            _ => record.bound,
        };
        let shown = run.shown[t].bound.error;
        figures.extend([("train_error", Some(train_error)), ("bound", bound), ("mean_loss", shown)]);
        figures.push(("bound_one_error", shown));
    }
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
        Answers::Election(_) => panic!("{what}: epochs have traces of their own"),
    }
}

fn same_term(what: &str, term: &Term, golden: &Value) {
    let Cells::Tree(tree) = &term.hypothesis.cells else { panic!("{what}: a tree") };
    let root = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
    same_tree(what, tree, &term.hypothesis.answers, root, golden);
}

fn golden(name: &str) -> Value {
    let path = folder().join("traces").join(format!("{name}.json"));
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// `MCBoost` traces say in their names what they are: cd or gd, the loss, the answers, the codewords. Codewords that have no
/// name among the options are in a file.
fn mcboost_options<'a>(name: &'a str, file: Option<&'a str>) -> Vec<(&'a str, &'a str)> {
    let words: Vec<&str> = name.split("__").next().unwrap().split('_').collect();
    let ["cd" | "gd", loss, answers, codewords, ..] = words[..] else { return Vec::new() };
    let answers = if answers == "ls" { "least-squares" } else { answers };
    let named = ["simplex", "canonical"].contains(&codewords);
    let codewords = if named { codewords } else { file.unwrap() };
    vec![("loss", loss), ("answers", answers), ("codewords", codewords)]
}

/// A file with the codewords of a trace, if it has any.
fn codewords_of(golden: &Value) -> Option<tempfile::NamedTempFile> {
    let words = translate::codewords(&golden["variant"]);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &words).unwrap();
    (!words.is_empty()).then_some(file)
}

/// The direction of a round, where there is one.
fn same_direction(what: &str, answers: &Answers, golden: &Value) {
    if let (Answers::Along { direction, .. }, Some(mu)) = (answers, golden["mu"].as_array()) {
        assert_eq!(direction.len(), mu.len(), "{what}: classes");
        direction.iter().zip(mu).for_each(|(&x, golden)| near(&format!("{what}: direction"), x, golden));
    }
}

/// A file with the code of a trace of AdaBoost.MO.
fn code_of(golden: &Value) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    let word = |word: &Value| {
        let signs = word.as_array().unwrap().iter().map(|sign| sign.as_i64().unwrap().to_string());
        signs.collect::<Vec<_>>().join(" ")
    };
    let words: Vec<String> = golden["variant"]["code"].as_array().unwrap().iter().map(word).collect();
    std::fs::write(file.path(), words.join("\n")).unwrap();
    file
}

fn check(name: &str) {
    let mut golden = golden(name);
    translate::translate(&mut golden);
    let rounds = golden["rounds"].as_array().unwrap();
    let code = name.starts_with("mo_").then(|| code_of(&golden));
    let codewords = codewords_of(&golden);
    let mut more = mcboost_options(name, codewords.as_ref().map(|file| file.path().to_str().unwrap()));
    more.extend(code.iter().map(|file| ("code", file.path().to_str().unwrap())));
    let run = Run::new(name, golden["dataset"].as_str().unwrap(), rounds.len(), &more);
    assert_eq!(run.outcome.history.len(), rounds.len(), "{name}: rounds");
    for (t, (terms, golden)) in run.outcome.ensemble.rounds.iter().zip(rounds).enumerate() {
        let what = format!("{name}, round {}", t + 1);
        let (terms, shift) = parted(terms);
        assert_eq!(shift.is_some(), name.starts_with("mr") && run.labels.is_sets(), "{what}");
        let weak = golden["weak"].as_array().unwrap();
        assert_eq!(terms.len(), weak.len(), "{what}: hypotheses");
        terms.iter().zip(weak).for_each(|(term, weak)| same_term(&what, term, weak));
        if let Some(alphas) = golden["alphas"].as_array() {
            terms.iter().zip(alphas).for_each(|(term, alpha)| near(&what, term.alpha, alpha));
        }
        same_direction(&what, &terms[0].hypothesis.answers, golden);
        same_figures(&what, name, &run, t, golden);
    }
    let theirs = golden["final_scores"].as_array().unwrap();
    for (row, (ours, theirs)) in run.scores(usize::MAX).iter().zip(theirs).enumerate() {
        // Two classes have one score in the trace, that of the first.
        let theirs = theirs.as_array().map_or(std::slice::from_ref(theirs), Vec::as_slice);
        for (class, (&ours, theirs)) in ours.iter().zip(theirs).enumerate() {
            near(&format!("{name}: score of row {row}, class {class}"), ours, theirs);
        }
    }
    for (row, theirs) in golden["probabilities"].as_array().into_iter().flatten().enumerate() {
        let ours = Predictor::new(&run.outcome.ensemble, usize::MAX).probabilities(&run.frame);
        for (class, theirs) in theirs.as_array().unwrap().iter().enumerate() {
            near(&format!("{name}: probability of row {row}, class {class}"), ours.row(row)[class], theirs);
        }
    }
}

#[test]
fn codes_are_read_in_both_ways() {
    for name in ["mo_discrete__tri", "mo_real__tri", "mo_real__quad"] {
        let golden = golden(name);
        let rounds = golden["rounds"].as_array().unwrap();
        let file = code_of(&golden);
        for (decode, error, bound) in
            [("hamming", "train_error_v1", "bound_v1"), ("loss", "train_error_v2", "bound_v2")]
        {
            let more = [("code", file.path().to_str().unwrap()), ("decode", decode)];
            let run = Run::new(name, golden["dataset"].as_str().unwrap(), rounds.len(), &more);
            for (t, (record, golden)) in run.outcome.history.iter().zip(rounds).enumerate() {
                let what = format!("{name}, {decode}, round {}", t + 1);
                near(&format!("{what}: error"), record.train_error, &golden[error]);
                near(&format!("{what}: bound"), record.bound.unwrap(), &golden[bound]);
            }
        }
    }
}

#[test]
fn m1_says_that_no_hypothesis_is_good_enough() {
    assert_eq!(golden("m1__quad")["stop"], "no edge");
    let run = Run::new("m1__quad", "quad.csv", 10, &[]);
    assert_eq!((run.outcome.history.len(), run.outcome.stop), (2, Stop::NoEdge));
}

#[test]
fn traces_agree() {
    let mut names: Vec<String> = std::fs::read_dir(folder().join("traces"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_string())
        .collect();
    names.sort();
    assert!(names.len() >= 92, "{names:?}");
    for name in names {
        check(&name);
    }
}
