use std::sync::atomic::AtomicBool;

use manyboost_data::Weights;
use manyboost_kernel::{Alone, Seed};

use super::*;
use crate::engine::scores::Scores;
use crate::engine::train::totals;
use crate::learners::Growth;
use crate::spec::booster::{Asks, Problem, RoundState};

fn setup(booster: &str, options: &[(&str, &str)]) -> Result<Setup> {
    let options = options.iter().map(|&(name, value)| (name.to_string(), value.to_string()));
    Setup::new(booster, Options::new(options))
}

#[test]
fn every_booster_has_working_defaults() {
    for entry in BOOSTERS {
        let setup = setup(entry.name, &[]).unwrap();
        assert!(setup.learner.validate().is_ok());
        assert!(setup.rounds.most() > 0);
    }
}

#[test]
fn nonsense_is_refused_with_words() {
    type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str);
    let cases: [Case; 14] = [
        ("sammee", &[], "sammee"),
        ("mm", &[("shrinkage", "0.1")], "does not use `shrinkage`"),
        ("mcboost", &[("shrinkage", "NaN")], "`shrinkage=NaN`"),
        ("mcboost", &[("shrinkage", "0")], "`shrinkage=0`"),
        ("mcboost", &[("rounds", "-5")], "`rounds=-5`"),
        ("mcboost", &[("rounds", "1e12")], "`rounds=1e12`"),
        ("mm", &[("step", "big")], "`step=big`"),
        ("mm", &[("leaves", "9")], "does not use `leaves`"),
        ("mm", &[("learner", "product")], "products of stumps"),
        ("mh-real", &[("learner", "product")], "products of stumps"),
        ("mh", &[("factors", "2")], "does not use `factors`"),
        ("samme", &[("learner", "linear"), ("criterion", "gini")], "does not use `criterion`"),
        ("iter", &[("learner", "linear"), ("criterion", "cost")], "does not use `criterion`"),
        ("mh", &[("learner", "product"), ("factors", "0")], "`factors=0`"),
    ];
    for (booster, options, words) in cases {
        let Err(error) = setup(booster, options) else { panic!("{booster} {options:?} accepted") };
        assert!(error.what().contains(words), "{error}");
    }
    assert!(setup("sammee", &[]).err().is_some_and(|e| e.remedy().contains("samme")));
}

#[test]
fn depth_alone_grows_by_level() {
    let learner = setup("mm", &[("learner", "tree"), ("depth", "2")]).unwrap().learner;
    let LearnerParameters::Tree(tree) = learner else { panic!("a tree") };
    assert_eq!((tree.leaves, tree.depth, tree.growth), (4, 2, Growth::DepthWise));
}

/// What a booster says of its questions before there are any, and what the questions are.
#[test]
fn boosters_know_what_they_ask_for() {
    let labels = Labels::Classes { names: vec!["a".into(), "b".into()], of: vec![0, 1, 0, 1] };
    let (weights, stop) = (Weights::ones(4), AtomicBool::new(false));
    let totals = totals(&weights, &Alone);
    let words =
        ["sign", "class", "factored", "abstain", "confidence", "mean", "codeword", "least-squares", "unit"];
    let choices = words.map(|word| vec![("answers", word)]).into_iter().chain([vec![]]);
    let mut seen = Vec::new();
    for options in choices {
        for entry in BOOSTERS {
            let Ok(Setup { booster, rounds, .. }) = setup(entry.name, &options) else { continue };
            let rounds = rounds.most();
            let task = Problem { labels: &labels, totals, rounds, seed: Seed::new(1) };
            let scores = &Scores::new(4, &booster.start(&task));
            let now = RoundState {
                labels: &labels,
                totals,
                rounds,
                seed: Seed::new(1),
                scores,
                past: &[],
                stop: &stop,
            };
            let asks = booster.asks();
            for query in booster.target(&now, &mut Vec::new()).queries {
                let sides = query.vote.for_hyperplane(query.width()).is_some();
                let said =
                    (matches!(asks, Asks::OwnClass | Asks::Classes | Asks::Signs), asks == Asks::Numbers);
                assert_eq!(said, (sides, query.vote.for_line().is_some()), "{} {options:?}", entry.name);
            }
            seen.push(asks);
        }
    }
    for asks in [Asks::OwnClass, Asks::Classes, Asks::Signs, Asks::SharedSigns, Asks::Numbers, Asks::Odds] {
        assert!(seen.contains(&asks), "nobody asks for {asks:?}");
    }
}
