//! What errors say of options: "it takes …" lists every option that a booster takes, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use manyboost::spec::options::{Options, Value};
use manyboost::spec::registry::{BOOSTERS, BoosterEntry, LEARNERS, Setup};
use manyboost::spec::taking::TakenOption;

type Words = BTreeMap<String, String>;

/// Whether a booster takes an option besides others. What it says of the value does not matter.
fn takes(booster: &BoosterEntry, others: &Words, name: &str) -> bool {
    let given = others.clone().into_iter().chain([(name.to_string(), "?".to_string())]);
    booster.unused(given.collect()).map_or(true, |unused| !unused.iter().any(|other| other == name))
}

/// All ways to give words to the options that take one of several, as far as they fit together.
fn circumstances(booster: &BoosterEntry) -> Vec<Words> {
    let words: [(&str, &[&str]); 16] = [
        ("learner", &["stump", "tree", "c45", "linear", "line", "product"]),
        ("loss", &["exponential", "logistic", "savage", "codeword", "own", "zero-one", "hinge"]),
        ("codewords", &["simplex", "canonical", "random", "max-min", "max-capacity"]),
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
                "least-squares",
                "unit",
            ],
        ),
        ("step", &["edge", "exact", "pieces", "printed", "opt"]),
        ("refit", &["last", "all"]),
        ("start", &["uniform", "skewed"]),
        ("code", &["random", "exhaustive", "max-cut", "pairs"]),
        ("decode", &["hamming", "loss"]),
        ("votes", &["one", "two"]),
        ("condition", &["uniform", "minimal"]),
        ("relabel", &["restrict", "position"]),
        ("criterion", &["cost", "z", "gini", "entropy"]),
        ("regression", &["weighted", "resampled"]),
        ("prune", &["yes", "no"]),
        ("text-as", &["linear", "words"]),
    ];
    let fits = |words: &Words| booster.unused(words.clone()).is_ok_and(|unused| unused.is_empty());
    let mut all = vec![Words::new()];
    for (name, offered) in words {
        let with = |words: &Words| {
            let word = |word: &&str| {
                let mut words = words.clone();
                words.insert(name.to_string(), (*word).to_string());
                words
            };
            offered.iter().map(word).filter(fits).collect::<Vec<_>>()
        };
        let longer: Vec<Words> = all.iter().flat_map(with).collect();
        all.extend(longer);
    }
    all
}

/// An option, and what others must say for it.
fn with_words(option: &TakenOption) -> (&'static str, Words) {
    let words = option.with.iter().map(|(name, word)| (name.to_string(), word.to_string()));
    (option.info.name, words.collect())
}

#[test]
fn what_is_said_to_be_taken_is_taken_and_nothing_else() {
    let known: BTreeSet<String> = BOOSTERS
        .iter()
        .flat_map(|booster| booster.options().into_iter().map(|option| option.info.name.to_string()))
        .collect();
    for name in ["costs", "dim", "condition", "horizon", "factors", "regression", "leaves", "smoothing"] {
        assert!(known.contains(name), "{name} is in no list");
    }
    for booster in BOOSTERS {
        let taking = booster.taking(&BTreeMap::new());
        let listed: BTreeMap<&str, Words> = taking.options().iter().map(with_words).collect();
        // Words that cannot be said here are not offered: mcboost asks for numbers, which neither hyperplanes nor products have.
        let learner = taking.options().iter().find(|option| option.info.name == "learner").unwrap();
        let words: Vec<&str> = learner.info.words.iter().map(|word| word.0).collect();
        match booster.name {
            "mcboost" => assert_eq!(words, ["stump", "tree", "line"]),
            "m1" | "samme" => assert_eq!(words, ["stump", "tree", "c45", "linear"]),
            "mm" => assert_eq!(words, ["stump", "tree", "linear"]),
            "adaboost" => assert_eq!(words, ["stump", "tree", "linear", "line", "product"]),
            _ => assert!(words.contains(&"stump") && words.contains(&"tree")),
        }
        for (name, with) in &listed {
            assert!(takes(booster, with, name), "{}: --{name} with {with:?} is not taken", booster.name);
        }
        for words in circumstances(booster) {
            let given = words.iter().map(|(name, word)| (name.clone(), Value::from(word.as_str())));
            let here = booster.taking(&given.collect());
            let here: BTreeMap<&str, Words> = here.options().iter().map(with_words).collect();
            for name in &known {
                let taken = takes(booster, &words, name);
                assert!(
                    !taken || listed.contains_key(name.as_str()),
                    "{}: --{name} is not listed",
                    booster.name
                );
                let said = here.get(name.as_str()).is_some_and(Words::is_empty);
                assert_eq!(taken, said, "{} with {words:?}: --{name}", booster.name);
            }
        }
    }
}

#[test]
fn the_list_says_what_other_options_must_say() {
    let refused = |booster: &str, options: &[(&str, &str)]| {
        let options = options.iter().map(|&(name, value)| (name.to_string(), value.to_string()));
        let Err(error) = Setup::new(booster, Options::new(options)) else {
            panic!("{booster} is not refused")
        };
        error.remedy().to_string()
    };
    let said = refused("os", &[("horizon", "300")]);
    assert!(said.contains("with `condition=minimal` also `horizon`"), "{said}");
    let said = refused("gd-mcboost", &[("codewords", "simplex"), ("dim", "2")]);
    assert!(said.contains("with `codewords=max-min` also `dim`"), "{said}");
    let said = refused("gd-mcboost", &[("costs", "c.csv")]);
    assert!(said.contains(" `dim`,") && !said.contains("`costs`"), "{said}");
    let said = refused("mm", &[("shrinkage", "0.1")]);
    assert!(
        said.contains("`costs`") && said.contains("with `learner=tree` also `depth`, `leaves`"),
        "{said}"
    );
    // What learners a booster refuses takes nothing.
    for booster in ["mcboost", "mh-real", "logitboost"] {
        let said = refused(booster, &[("epoch", "3")]);
        assert!(!said.contains("`learner=linear`") && !said.contains("`regression`"), "{booster}: {said}");
    }
    let said = refused("samme", &[("epoch", "3")]);
    assert!(said.contains("with `learner=linear` also `regression`"), "{said}");
}

#[test]
fn learners_know_the_boosters_that_they_work_with() {
    let boosters = |name: &str| LEARNERS.iter().find(|entry| entry.name == name).unwrap().boosters();
    // Some need other answers than their own default for it.
    assert_eq!(boosters("line"), ["mcboost", "adaboost", "logitboost", "gd-mcboost", "cd-mcboost"]);
    assert_eq!(boosters("c45"), ["m1", "samme"]);
    assert_eq!(boosters("tree").len(), BOOSTERS.len());
    assert!(!boosters("linear").contains(&"mcboost") && boosters("linear").contains(&"mm"));
}
