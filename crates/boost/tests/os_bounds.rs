//! What Mukherjee & Schapire 2010 and 2013 promise of the optimal strategy, on random data: the average potential rises in a round only if
//! the weak learner breaks its promise in it (Theorems 9 and 16), the exponential loss falls by κ(γ, η) (35), and the
//! bounds hold.

mod coarse;
mod common;

use coarse::{rows, table};
use common::{Choice, Training, prepared};
use manyboost::spec::booster::Stop;
use manyboost::theory::{Condition, GameLoss, best_eta, first_potential, kappa, plain_eta};
use proptest::prelude::*;

const ROUNDS: usize = 12;

/// One edge for each of the rounds.
const FALLING: &str = "0.4,0.3,0.3,0.2,0.2,0.1,0.1,0.1,0.05,0.05,0.02,0.01";

fn edges(choice: Choice) -> Vec<f64> {
    let given = choice.1.iter().find(|(name, _)| *name == "edge").map_or("0.1", |(_, value)| value);
    let edges: Vec<f64> = given.split(',').map(|edge| edge.parse().unwrap()).collect();
    if edges.len() == 1 { vec![edges[0]; ROUNDS] } else { edges }
}

const EXPONENTIAL: [Choice; 7] = [
    ("os", &[]),
    ("os", &[("edge", "0.4"), ("step", "exact")]),
    ("os", &[("edge", FALLING)]),
    ("os", &[("edge", "0.2"), ("learner", "tree"), ("leaves", "5")]),
    ("os", &[("edge", "0.9"), ("step", "exact"), ("learner", "tree"), ("depth", "2")]),
    ("os", &[("eta", "0.3")]),
    ("os", &[("edge", FALLING), ("eta", FALLING)]),
];

const PLAYED: [Choice; 10] = [
    ("os", &[("loss", "zero-one")]),
    ("os", &[("loss", "zero-one"), ("edge", FALLING)]),
    ("os", &[("loss", "zero-one"), ("edge", "0.4"), ("learner", "tree"), ("leaves", "6")]),
    ("os", &[("loss", "zero-one"), ("condition", "minimal")]),
    ("os", &[("loss", "zero-one"), ("condition", "minimal"), ("edge", FALLING)]),
    ("os", &[("loss", "zero-one"), ("condition", "minimal"), ("learner", "tree"), ("depth", "2")]),
    ("os", &[("loss", "hinge"), ("edge", FALLING)]),
    ("os", &[("loss", "hinge"), ("condition", "minimal"), ("learner", "tree"), ("depth", "2")]),
    ("os", &[("condition", "minimal")]),
    ("os", &[("condition", "minimal"), ("eta", "0.4"), ("edge", FALLING)]),
];

/// The value of an option.
fn option(choice: Choice, name: &str) -> Option<&'static str> {
    choice.1.iter().find(|(given, _)| *given == name).map(|(_, value)| *value)
}

/// The loss of a game of whole votes.
fn loss(choice: Choice) -> GameLoss {
    let mean = edges(choice).iter().sum::<f64>() / ROUNDS as f64;
    let eta = option(choice, "eta").map_or(plain_eta(mean), |eta| eta.parse().unwrap());
    match option(choice, "loss") {
        Some("zero-one") => GameLoss::ZeroOne,
        Some("hinge") => GameLoss::Hinge,
        _ => GameLoss::Exponential { eta },
    }
}

/// The weights of votes, where they are given.
fn etas(choice: Choice) -> Option<Vec<f64>> {
    let etas: Vec<f64> = option(choice, "eta")?.split(',').map(|eta| eta.parse().unwrap()).collect();
    Some(if etas.len() == 1 { vec![etas[0]; ROUNDS] } else { etas })
}

/// Votes that put every row further ahead each round: the loss falls by κ until there is nothing left of it.
#[test]
fn far_ahead() {
    let rows = [(0, 0, 0, 0, 1), (1, 0, 0, 1, 1), (2, 0, 0, 2, 1), (3, 0, 0, 3, 1)];
    let prepared = prepared(table(&rows, false));
    let choice: Choice = ("os", &[("edge", "0.9"), ("step", "exact"), ("learner", "tree"), ("leaves", "4")]);
    let outcome = Training::new(&prepared, choice, 1000).run(None, &mut ());
    let eta = best_eta(4, 0.9);
    assert!(outcome.history.len() as f64 * eta > 700.0, "the votes stopped early: {:?}", outcome.stop);
    let mut loss = 3.0;
    for (t, record) in outcome.history.iter().enumerate() {
        assert!((record.edge.unwrap() - 1.0).abs() < 1e-9, "round {}: {record:?}", t + 1);
        loss *= (-eta).exp();
        assert!((record.loss - loss).abs() <= 1e-7 * loss + f64::MIN_POSITIVE, "round {}", t + 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn exponential(rows in rows(6), which in 0..EXPONENTIAL.len(), weighted in any::<bool>()) {
        let prepared = prepared(table(&rows, weighted));
        let k = prepared.dataset.labels.classes();
        let choice = EXPONENTIAL[which];
        let outcome = Training::new(&prepared, choice, ROUNDS).run(None, &mut ());
        let exact = choice.1.contains(&("step", "exact"));
        let (mut loss, mut bound) = (k as f64 - 1.0, k as f64 - 1.0);
        for (t, (record, gamma)) in outcome.history.iter().zip(edges(choice)).enumerate() {
            let eta = match etas(choice) {
                Some(etas) => etas[t],
                None if exact => best_eta(k, gamma),
                None => plain_eta(gamma),
            };
            prop_assert!((record.alpha.unwrap() - eta).abs() < 1e-15);
            let edge = record.edge.unwrap();
            prop_assert!(edge > 0.0 && edge <= 1.0 + 1e-9, "round {}: edge {edge}", t + 1);
            prop_assert_eq!(record.promised, Some(gamma));
            prop_assert_eq!(record.short().is_some(), edge < gamma - 1e-12);
            // The edge of a hypothesis is the one with which κ is what happens to the loss.
            let factor = kappa(k, edge, eta);
            prop_assert!((record.loss - factor * loss).abs() <= 1e-9 * loss, "round {}", t + 1);
            loss = record.loss;
            bound *= factor.max(kappa(k, gamma, eta));
            prop_assert!((record.bound.unwrap() - bound).abs() <= 1e-9 * bound);
            prop_assert!(record.train_error <= loss + 1e-9 && loss <= bound * (1.0 + 1e-9));
        }
    }

    #[test]
    fn potentials_rise_with_broken_promises_only(
        rows in rows(5),
        which in 0..PLAYED.len(),
        weighted in any::<bool>(),
    ) {
        let prepared = prepared(table(&rows, weighted));
        let k = prepared.dataset.labels.classes();
        let choice = PLAYED[which];
        let outcome = Training::new(&prepared, choice, ROUNDS).run(None, &mut ());
        let minimal = choice.1.contains(&("condition", "minimal"));
        let condition = if minimal { Condition::Minimal } else { Condition::Uniform };
        let bound = first_potential(k, &edges(choice), loss(choice), condition).unwrap();
        let (mut potential, mut kept) = (bound, true);
        for (t, record) in outcome.history.iter().enumerate() {
            prop_assert_eq!(record.alpha, Some(1.0));
            let short = record.short();
            let rise = record.loss - potential;
            prop_assert!(short.is_some() || rise <= 1e-9, "round {}: the potential rose by {rise}", t + 1);
            prop_assert!(short.is_none() || rise >= -1e-9, "round {}: it fell, short of {short:?}", t + 1);
            potential = record.loss;
            kept &= short.is_none();
            prop_assert_eq!(record.bound.is_some(), kept);
            prop_assert!(record.bound.is_none_or(|ours| (ours - bound).abs() < 1e-9));
        }
        if let Some(last) = outcome.history.last() {
            // After the last round the potential is the loss, which is never below the error, with ties against us.
            let over = outcome.history.len() == ROUNDS || outcome.stop == Stop::Perfect;
            prop_assert!(!over || last.train_error <= potential + 1e-9);
            prop_assert!(!(over && kept) || last.train_error <= bound + 1e-9);
        }
    }
}
