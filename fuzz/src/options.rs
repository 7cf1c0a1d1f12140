//! Options drawn from bytes: mostly such as a booster takes, now and then nonsense.

use manyboost::spec::options::Options;
use manyboost::spec::registry::{LEARNERS, Setup};

use crate::Draw;

/// Names and values.
pub(crate) type Given = Vec<(String, String)>;

/// Every option but rounds and the learner, with values worth trying. What begins with `@` is a file that is written on demand.
const VALUES: &[(&str, &[&str])] = &[
    ("loss", &["exponential", "logistic", "savage", "codeword", "own", "zero-one", "hinge"]),
    ("gamma", &["v", "ln(1 + v)", "v^2", "1/v", "sqrt(v)"]),
    ("phi", &["exp(-v)", "ln(1 + exp(-2v))", "1/(1 + exp(2v))^2", "(1 - v)^2", "exp(-9v)"]),
    (
        "answers",
        &[
            "sign",
            "class",
            "factored",
            "abstain",
            "confidence",
            "oblivious",
            "mean",
            "codeword",
            "unit",
            "least-squares",
        ],
    ),
    ("step", &["edge", "exact", "pieces", "printed", "opt"]),
    ("shrinkage", &["1", "0.5", "0.1", "1e-300"]),
    ("temperature", &["auto", "1", "0.01", "100"]),
    ("codewords", &["simplex", "canonical", "max-min", "max-capacity", "random", "@codewords"]),
    ("dim", &["1", "2", "3", "5"]),
    ("smoothing", &["auto", "1e-300", "0.001", "1"]),
    ("costs", &["@costs"]),
    ("start", &["uniform", "skewed"]),
    ("code", &["random", "exhaustive", "max-cut", "pairs", "@code"]),
    ("decode", &["hamming", "loss"]),
    ("votes", &["one", "two"]),
    ("edge", &["0.1", "0.01", "0.5", "0.9", "0.1,0.2,0.3,0.2,0.1,0.05,0.1,0.1"]),
    ("eta", &["0.1", "0.9", "0.1,0.2,0.3,0.2,0.1,0.05,0.1,0.1"]),
    ("condition", &["uniform", "minimal"]),
    ("text-as", &["linear", "words"]),
    ("text-ngrams", &["auto", "0", "1", "8"]),
    ("text-letters", &["auto", "0", "1", "2", "8"]),
    ("text-weighting", &["tf-idf", "counts", "presence"]),
    ("text-min-docs", &["1", "3", "1000000000"]),
    ("text-max-share", &["1", "0.5", "1e-300"]),
    ("text-stop-words", &["none", "english"]),
    ("text-cost", &["auto", "1e-6", "1", "1e6"]),
    ("horizon", &["8", "12", "30"]),
    ("epoch", &["1", "2", "3", "5"]),
    ("relabel", &["restrict", "position"]),
    ("eliminate", &["argmin", "last-negative"]),
    ("drop", &["1", "2", "3", "100"]),
    ("leaves", &["1", "2", "3", "5", "16"]),
    ("depth", &["1", "2", "3", "16", "64"]),
    ("factors", &["1", "2", "3", "64"]),
    ("min-rows", &["0", "0.5", "1", "2", "5", "1e15"]),
    ("subsample", &["0.05", "0.5", "0.9", "1"]),
    ("features", &["0.01", "0.5", "1"]),
    ("cuts", &["0", "1", "3", "255"]),
    ("sketch", &["0", "1", "2", "1024"]),
    ("precision", &["auto", "wide", "narrow"]),
    ("regression", &["weighted", "resampled"]),
    ("confidence", &["1e-9", "0.01", "0.25", "1"]),
    ("prune", &["yes", "no"]),
    ("refit", &["last", "all"]),
    ("nu", &["0", "0.1", "0.9"]),
    ("criterion", &["cost", "z", "gini", "entropy"]),
];

const NONSENSE: [&str; 8] = ["", "-1", "NaN", "1e400", "0", "x", "99999999999999999999", "inf"];

/// Options for a booster; `file` writes the file of a word that begins with `@`.
pub(crate) fn draw(
    draw: &mut Draw<'_>,
    booster: &str,
    file: impl Fn(&mut Draw<'_>, &str) -> String,
) -> Given {
    let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
    let taken = |given: &Given| Setup::new(booster, Options::new(given.clone())).is_ok();
    let mut given = vec![pair("rounds", &draw.within(1..=8).to_string())];
    if draw.one_in(2) {
        let learner = draw.below(LEARNERS.len());
        given.push(pair("learner", LEARNERS[learner].name));
        if !taken(&given) && !draw.one_in(16) {
            given.pop();
        }
    }
    for (name, values) in VALUES {
        if !draw.one_in(4) {
            continue;
        }
        let value = draw.of(values);
        let value = if value.starts_with('@') { file(draw, value) } else { value.to_string() };
        given.push(pair(name, &value));
        // What is not taken is refused with words, as it should be; keeping it would end most cases there.
        if !taken(&given) {
            given.pop();
        }
    }
    if draw.one_in(32) {
        let name = draw.below(VALUES.len());
        given.push(pair(VALUES[name].0, draw.of(&NONSENSE)));
    }
    given
}
