//! Potentials of the drifting game: against golden figures, against plain enumeration of every walk, and against what
//! Mukherjee & Schapire 2013 says of them.

use std::path::Path;

use manyboost::theory::{
    Condition, GameLoss, Layers, LeadWalk, Walk, best_eta, degree_map, first_potential, kappa, plain_eta,
};
use proptest::prelude::*;
use serde_json::Value;

const NEAR: f64 = 1e-12;

fn near(what: &str, ours: f64, theirs: f64) {
    assert!((ours - theirs).abs() <= NEAR * theirs.abs().max(1.0), "{what}: {ours}, not {theirs}");
}

/// The leads of the own class, which comes first, over the others.
fn leads(s: &[i64]) -> Vec<i64> {
    s[1..].iter().map(|x| s[0] - x).collect()
}

/// (27) as it stands: the expectation over every walk.
fn plain_uniform(edges: &[f64], s: &mut Vec<i64>, loss: GameLoss) -> f64 {
    let Some((gamma, later)) = edges.split_first() else { return loss.of(leads(s).into_iter()) };
    let k = s.len();
    let mut sum = 0.0;
    for l in 0..k {
        s[l] += 1;
        let p = (1.0 - gamma) / k as f64 + if l == 0 { *gamma } else { 0.0 };
        sum += p * plain_uniform(later, s, loss);
        s[l] -= 1;
    }
    sum
}

/// (40) over the vertices of its distributions: uniform on the own class and any set of others.
fn plain_minimal(edges: &[f64], s: &mut Vec<i64>, loss: GameLoss) -> f64 {
    let Some((gamma, later)) = edges.split_first() else { return loss.of(leads(s).into_iter()) };
    let mut after = Vec::new();
    for l in 0..s.len() {
        s[l] += 1;
        after.push(plain_minimal(later, s, loss));
        s[l] -= 1;
    }
    let mut worst = f64::NEG_INFINITY;
    for set in 1..1u32 << (s.len() - 1) {
        let members = || (1..s.len()).filter(|l| set >> (l - 1) & 1 == 1);
        let p = (1.0 - gamma) / (1.0 + members().count() as f64);
        worst = worst.max((p + gamma) * after[0] + members().map(|l| p * after[l]).sum::<f64>());
    }
    worst
}

/// The potential of any state under the minimal condition: one of a longer game.
fn minimal(edges: &[f64], s: &[i64], loss: GameLoss) -> f64 {
    let gone = s.iter().sum::<i64>() as usize;
    let edges = [vec![0.5; gone], edges.to_vec()].concat();
    let mut others: Vec<usize> = s[1..].iter().map(|&x| x as usize).collect();
    others.sort_unstable_by(|a, b| b.cmp(a));
    Layers::all(s.len(), &edges, loss).unwrap().after(gone, &others)
}

#[test]
fn golden_figures() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/potentials.json");
    let golden: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let golden = golden.as_array().unwrap();
    assert_eq!(golden.len(), 240);
    for figure in golden {
        let number = |name: &str| figure[name].as_f64().unwrap();
        let s: Vec<i64> = figure["s"].as_array().unwrap().iter().map(|x| x.as_i64().unwrap()).collect();
        let (k, gamma, t) = (s.len(), number("gamma"), number("t") as usize);
        let (edges, exponential) = (vec![gamma; t], GameLoss::Exponential { eta: 0.3 });
        let what = format!("k = {k}, edge {gamma}, t = {t}, {s:?}");
        near(&what, Walk::new(k, &edges).zero_one(&leads(&s)), number("err_uniform"));
        near(&what, minimal(&edges, &s, GameLoss::ZeroOne), number("err_minimal"));
        near(&what, minimal(&edges, &s, exponential), number("exp_minimal_eta0p3"));
        let closed = kappa(k, gamma, 0.3).powi(t as i32) * exponential.of(leads(&s).into_iter());
        near(&what, closed, number("exp_uniform_eta0p3"));
        if s.iter().all(|&x| x == 0) {
            for (condition, name) in [(Condition::Uniform, "uniform"), (Condition::Minimal, "minimal")] {
                let zero_one = first_potential(k, &edges, GameLoss::ZeroOne, condition).unwrap();
                near(&what, zero_one, number(&format!("err_{name}")));
                let exponential = first_potential(k, &edges, exponential, condition).unwrap();
                near(&what, exponential, number(&format!("exp_{name}_eta0p3")));
            }
        }
    }
}

#[test]
fn more_classes_may_be_easier() {
    // Figure 2 (b) is not monotonic; among 100 classes it is worse to be confused with 19 of them than with all.
    let uniform = |k: usize, gamma: f64, t: usize| Walk::new(k, &vec![gamma; t]).zero_one(&vec![0; k - 1]);
    assert!((uniform(100, 0.1, 10) - 0.7548).abs() < 5e-5);
    assert!((uniform(20, 0.1, 10) - 0.7946).abs() < 5e-5);
    // Figure 2 (a): bounds below 1 without any edge.
    for t in 2..=20 {
        assert!(uniform(6, 0.0, t) < 1.0, "T = {t}");
    }
}

#[test]
fn one_class_is_always_right() {
    assert_eq!(Walk::new(1, &[0.1; 5]).zero_one(&[]), 0.0);
    for condition in [Condition::Uniform, Condition::Minimal] {
        assert_eq!(first_potential(1, &[0.1; 5], GameLoss::ZeroOne, condition).unwrap(), 0.0);
        assert_eq!(
            first_potential(1, &[0.1; 5], GameLoss::Exponential { eta: 0.5 }, condition).unwrap(),
            0.0
        );
    }
}

#[test]
fn long_games() {
    // 100 rounds of 6 classes: seconds, under both conditions.
    let edges = [0.1; 100];
    let uniform = first_potential(6, &edges, GameLoss::ZeroOne, Condition::Uniform).unwrap();
    let minimal = first_potential(6, &edges, GameLoss::ZeroOne, Condition::Minimal).unwrap();
    assert!(uniform > 0.0 && uniform < minimal && minimal < 1.0, "{uniform} and {minimal}");
    // A thousand rounds: nothing overflows, and the own class wins.
    let far = Walk::new(30, &[0.2; 1000]).zero_one(&[0; 29]);
    assert!((0.0..1e-9).contains(&far), "{far}");
    assert!((Walk::new(2, &[0.0; 1001]).zero_one(&[0]) - 0.5).abs() < 1e-12);
}

#[test]
fn the_best_weight_of_a_vote_is_the_best() {
    for k in [2, 3, 10] {
        for gamma in [0.01, 0.1, 0.5, 0.9] {
            let best = best_eta(k, gamma);
            let least = kappa(k, gamma, best);
            for other in [0.5 * best, 0.99 * best, 1.01 * best, 2.0 * best, plain_eta(gamma)] {
                assert!(kappa(k, gamma, other) >= least);
            }
            // Theorem 13 and what follows it: (k − 1) exp(−Tγ²/2).
            assert!(kappa(k, gamma, plain_eta(gamma)) <= (-gamma * gamma / 2.0).exp() + 1e-15);
        }
    }
}

#[test]
fn degree_maps_follow_their_definition() {
    for (rounds, gamma, loss) in [
        (3, 0.0, GameLoss::ZeroOne),
        (5, 0.4, GameLoss::ZeroOne),
        (4, 0.1, GameLoss::Exponential { eta: 0.3 }),
    ] {
        let map = degree_map(rounds, gamma, loss);
        let t = rounds as i64;
        let mut at = 0;
        for v in -t..=t {
            for u in -t..=t {
                // Votes of the state that is moved to where none is negative.
                let low = [0, u, v].into_iter().min().unwrap();
                let s = [-low, u - low, v - low];
                let what = format!("T = {rounds}, ({u}, {v})");
                near(&what, map.potentials[at], minimal(&vec![gamma; rounds], &s, loss));
                let after = |l: usize| {
                    let mut s = s;
                    s[l] += 1;
                    minimal(&vec![gamma; rounds - 1], &s, loss)
                };
                let (two, three) =
                    (after(0).midpoint(after(1).max(after(2))), (after(0) + after(1) + after(2)) / 3.0);
                match map.degrees[at] {
                    0 => near(&what, two, three),
                    2 => assert!(two > three, "{what}"),
                    degree => assert!(degree == 3 && three > two, "{what}: {degree}"),
                }
                at += 1;
            }
        }
        assert_eq!(map.rows().count(), 2 * rounds + 1);
        // Classes 2 and 3 are alike.
        let rows: Vec<&[u8]> = map.rows().collect();
        assert!((0..rows.len()).all(|v| (0..v).all(|u| rows[v][u] == rows[u][v])));
    }
    // Lemma 19: light votes make the worst walk go in all directions.
    let light = degree_map(20, 0.1, GameLoss::Exponential { eta: 1.0 / 80.0 });
    assert!(light.degrees.iter().all(|&degree| degree == 3));
    assert!(degree_map(20, 0.1, GameLoss::Exponential { eta: 0.3 }).degrees.contains(&2));
}

fn loss() -> impl Strategy<Value = GameLoss> {
    prop_oneof![
        Just(GameLoss::ZeroOne),
        Just(GameLoss::Hinge),
        (0.01..1.0).prop_map(|eta| GameLoss::Exponential { eta })
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn enumeration_agrees(
        s in prop::collection::vec(0i64..4, 2..5),
        edges in prop::collection::vec(0.0f64..0.9, 0..6),
        loss in loss(),
    ) {
        let mut start = s.clone();
        let uniform = plain_uniform(&edges, &mut start, loss);
        match loss {
            GameLoss::ZeroOne => near("uniform", Walk::new(s.len(), &edges).zero_one(&leads(&s)), uniform),
            GameLoss::Exponential { eta } => {
                let factor: f64 = edges.iter().map(|&gamma| kappa(s.len(), gamma, eta)).product();
                near("uniform", factor * loss.of(leads(&s).into_iter()), uniform);
            }
            GameLoss::Hinge => {
                let walk = LeadWalk::uniform(s.len(), &edges);
                near("uniform", leads(&s).iter().map(|&lead| walk.hinge(lead)).sum(), uniform);
            }
        }
        let worst = plain_minimal(&edges, &mut start, loss);
        near("minimal", minimal(&edges, &s, loss), worst);
        // The minimal condition asks less, and so promises less.
        prop_assert!(worst >= uniform - NEAR * uniform.max(1.0));
    }
}
