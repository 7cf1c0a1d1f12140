//! Nothing is shown as a bound that is not one: whatever the booster, its options, the learner and the answers, in no round is what is
//! shown as a bound below what it bounds.

mod common;

use std::collections::BTreeSet;

use common::{label_sets, numbers, prepared};
use manyboost::engine::history::Told;
use manyboost::engine::train::Training;
use manyboost::spec::options::Options;
use manyboost::spec::registry::{BOOSTERS, LEARNERS, Setup};
use manyboost_data::{Column, Kind, Numbers, Prepared, Role, Table, Values, Words, generate};
use manyboost_kernel::Seed;
use rayon::prelude::*;

type Options_ = &'static [(&'static str, &'static str)];

/// What each booster may be told.
const OPTIONS: &[(&str, &[Options_])] = &[
    ("mcboost", &[&[], &[("temperature", "1")]]),
    (
        "adaboost",
        &[
            &[],
            &[("answers", "abstain")],
            &[("answers", "abstain"), ("step", "edge")],
            &[("answers", "confidence")],
            &[("answers", "confidence"), ("smoothing", "0.1")],
            &[("answers", "confidence"), ("criterion", "entropy")],
            &[("answers", "mean")],
            &[("answers", "mean"), ("step", "exact")],
            &[("answers", "mean"), ("step", "pieces")],
        ],
    ),
    (
        "iter",
        &[
            &[("epoch", "3")],
            &[("epoch", "4"), ("relabel", "position"), ("eliminate", "last-negative"), ("step", "opt")],
            &[("epoch", "3"), ("drop", "2")],
            &[("epoch", "2"), ("drop", "3"), ("relabel", "position")],
        ],
    ),
    ("m1", &[&[], &[("shrinkage", "0.3"), ("criterion", "gini")]]),
    (
        "mh",
        &[
            &[],
            &[("answers", "class")],
            &[("answers", "factored")],
            &[("start", "skewed")],
            &[("answers", "abstain")],
        ],
    ),
    ("mh-real", &[&[], &[("smoothing", "0.3")], &[("start", "skewed")], &[("criterion", "gini")]]),
    ("mm", &[&[], &[("step", "exact")], &[("refit", "all")]]),
    ("lp", &[&[], &[("nu", "0")]]),
    (
        "mo",
        &[
            &[],
            &[("code", "exhaustive"), ("decode", "hamming")],
            &[("answers", "confidence")],
            &[("answers", "factored"), ("code", "exhaustive")],
            &[("answers", "abstain")],
            &[("code", "pairs")],
            &[("code", "pairs"), ("decode", "hamming"), ("answers", "confidence")],
        ],
    ),
    (
        "mr",
        &[
            &[],
            &[("step", "exact")],
            &[("answers", "abstain")],
            &[("answers", "abstain"), ("step", "edge")],
            &[("answers", "confidence")],
            &[("answers", "oblivious")],
        ],
    ),
    ("m2", &[&[]]),
    (
        "os",
        &[
            &[],
            &[("edge", "0.4"), ("step", "exact")],
            &[("loss", "zero-one"), ("edge", "0.03")],
            &[("loss", "zero-one"), ("edge", "0.03"), ("condition", "minimal")],
            &[("loss", "zero-one"), ("edge", "0.03"), ("horizon", "20")],
            &[("loss", "hinge"), ("edge", "0.03")],
            &[("edge", "0.03"), ("condition", "minimal")],
            &[("edge", "0.2"), ("eta", "0.4")],
        ],
    ),
    ("samme", &[&[], &[("shrinkage", "0.3"), ("criterion", "entropy")]]),
    ("ova", &[&[]]),
    ("ecc", &[&[], &[("votes", "two")], &[("code", "random")], &[("code", "max-cut")]]),
    ("logitboost", &[&[]]),
    (
        "gd-mcboost",
        &[
            &[],
            &[("loss", "own"), ("phi", "ln(1 + exp(-2v))")],
            &[("answers", "unit")],
            &[("answers", "least-squares"), ("loss", "savage")],
        ],
    ),
    ("cd-mcboost", &[&[], &[("answers", "least-squares")]]),
];

/// What each learner may be told.
const LEARNERS_: &[Options_] = &[
    &[("learner", "stump")],
    &[("learner", "stump"), ("subsample", "0.5")],
    &[("learner", "tree"), ("leaves", "5")],
    &[("learner", "tree"), ("depth", "2"), ("subsample", "0.7"), ("features", "0.5"), ("cuts", "1")],
    &[("learner", "c45")],
    &[("learner", "linear")],
    &[("learner", "linear"), ("regression", "resampled")],
    &[("learner", "line")],
    &[("learner", "product"), ("factors", "2")],
];

const ROUNDS: usize = 12;

/// Coarse numbers and a category, so that ties, perfect cuts and hopeless rows all occur; then classes, or as many labels, and weights.
fn coarse(seed: u64, answers: usize, sets: bool) -> Table {
    let rows = 70;
    let draw =
        |column: u64, row: usize, below: u64| Seed::new(seed).part(column).part(row as u64).below(below);
    let column = |name: &str, role, values| Column { name: name.into(), role, values };
    let number = |of: u64, below: u64| {
        Values::Numbers(Numbers::I8((0..rows).map(|row| draw(of, row, below) as i8).collect()))
    };
    let words = |prefix: &str, codes: Vec<u32>| {
        let dictionary = (0..8).map(|i| format!("{prefix}{i}").into()).collect();
        Values::Words(Words { codes, dictionary })
    };
    let mut columns = vec![
        column("a", Role::Feature(Some(Kind::Number)), number(1, 6)),
        column("b", Role::Feature(Some(Kind::Number)), number(2, 20)),
        column(
            "c",
            Role::Feature(Some(Kind::Category)),
            words("level", (0..rows).map(|row| draw(3, row, 4) as u32).collect()),
        ),
        // No rows weigh nothing.
        column(
            "weight",
            Role::Weight,
            Values::Numbers(Numbers::I8((0..rows).map(|row| 1 + draw(4, row, 4) as i8).collect())),
        ),
    ];
    // The answer leans on the features, or there would be nothing to learn.
    let lean = |row: usize| draw(1, row, 6) / 2 + u64::from(draw(2, row, 20) > 9);
    if sets {
        for label in 0..answers as u64 {
            let has = |row: usize| i8::from((lean(row) + label) % 3 + draw(5 + label, row, 3) > 2);
            let values = Values::Numbers(Numbers::I8((0..rows).map(has).collect()));
            columns.push(column(&format!("label:{label}"), Role::Label, values));
        }
    } else {
        let k = answers as u64;
        let class = |row: usize| {
            let class = if draw(5, row, 3) == 0 { draw(6, row, k) } else { lean(row) % k };
            if row < answers { row as u32 } else { class as u32 }
        };
        columns.push(column("class", Role::Target, words("class", (0..rows).map(class).collect())));
    }
    Table { source: "random".into(), columns, rows, notes: Vec::new() }
}

/// Tables of classes and of label sets; the second and the fourth have text and missing values too.
fn tables(seed: u64) -> [Table; 4] {
    let k = 2 + (seed as usize % 4);
    [
        coarse(seed, k, false),
        generate::mixed::mixed(80, k, seed),
        coarse(seed, 4, true),
        label_sets(60 + seed as usize),
    ]
}

/// What was shown as a bound: the booster, whether rows have label sets, and of what.
type Claim = (&'static str, bool, &'static str);

/// Trains, looks at every round, and says which bounds it had.
fn look(setup: &Setup, prepared: &Prepared) -> BTreeSet<Claim> {
    let setup = match setup.for_data(&prepared.dataset) {
        Ok(setup) => setup,
        // Two classes only, one class per row only.
        Err(error) => {
            assert!(error.what().contains("class") || error.what().contains("label"), "{error}");
            return BTreeSet::new();
        }
    };
    let Prepared { dataset, encoder, .. } = prepared;
    let run = match Training::new(&setup.plan(3, None), dataset, encoder).outcome() {
        Ok(run) => run,
        Err(error) => {
            assert!(error.what().contains("learner") || error.what().contains("asks"), "{error}");
            return BTreeSet::new();
        }
    };
    let (name, sets) = (setup.booster_name, dataset.labels.is_sets());
    let mut claims = BTreeSet::new();
    for (at, Told { record, bound }) in setup.bounds(&dataset.labels).of_run(&run).iter().enumerate() {
        let what = format!("{name} {:?}, {sets}, round {}: {bound:?}, {record:?}", setup.parameters, at + 1);
        let mut holds = |of: &'static str, bound: Option<f64>, least: f64| {
            // Scores are rounded to 2⁻³⁶, sums to the last bits.
            assert!(bound.is_none_or(|bound| least <= bound * (1.0 + 1e-9) + 1e-12), "{of} of {what}");
            claims.extend(bound.map(|_| (name, sets, of)));
        };
        holds("error", bound.error, record.train_error);
        holds("ranking loss", bound.ranking_loss, record.ranking_loss.unwrap_or(f64::INFINITY));
        // The end, if this is it.
        let end = setup.parameters.get("horizon") == Some(&(at + 1).to_string());
        holds("end", bound.at_end, if end { record.train_error } else { 0.0 });
        assert!(bound.at_end.is_none() || (bound.error.is_some() == end), "{what}");
    }
    claims
}

#[test]
fn no_bound_is_below_what_it_bounds() {
    let names: Vec<&str> = OPTIONS.iter().map(|(name, _)| *name).collect();
    assert!(BOOSTERS.iter().all(|entry| names.contains(&entry.name)), "{names:?}");
    let told = |name: &str| LEARNERS_.iter().any(|options| options[0].1 == name);
    assert!(LEARNERS.iter().all(|entry| told(entry.name)));
    let mut setups = Vec::new();
    for (name, choices) in OPTIONS {
        for (choice, learner) in
            choices.iter().flat_map(|choice| LEARNERS_.iter().map(move |learner| (choice, learner)))
        {
            let options =
                choice.iter().chain(*learner).map(|(name, value)| (name.to_string(), value.to_string()));
            let rounds = ("rounds".to_string(), ROUNDS.to_string());
            // What does not go together is refused.
            setups.extend(Setup::new(name, Options::new(options.chain([rounds]))).ok());
        }
    }
    assert!(setups.len() > 200, "{}", setups.len());
    let mut claims = BTreeSet::new();
    for table in (0..4).flat_map(tables) {
        let (mixed, values) = (prepared(table.clone()), prepared(numbers(table)));
        let of = |setup: &Setup| look(setup, if setup.learner.needs_values() { &values } else { &mixed });
        claims.extend(setups.par_iter().map(of).collect::<Vec<_>>().into_iter().flatten());
    }
    let of_classes =
        ["adaboost", "ecc", "iter", "m1", "m2", "mh", "mh-real", "mm", "mo", "mr", "os", "ova", "samme"];
    let of_sets = ["mh", "mh-real", "ova"];
    let mut expected: BTreeSet<Claim> = of_classes.iter().map(|name| (*name, false, "error")).collect();
    expected.extend(of_sets.iter().map(|name| (*name, true, "error")));
    expected.extend([("mr", true, "ranking loss"), ("os", false, "end")]);
    assert_eq!(claims, expected);
}
