//! Games with any baseline, other losses and light votes, against plain enumeration of every walk; and the adversary of Theorem 9 of Mukherjee & Schapire
//! 2013, who must end where the bound says.

use manyboost::theory::light::{can_fall, is_light, is_small_edge};
use manyboost::theory::play::{Strategy, adversary, play};
use manyboost::theory::{
    Baseline, Condition, GameLoss, Layers, LeadWalk, Walk, first_potential, kappa, plain_eta,
};
use proptest::prelude::*;

const LOSSES: [GameLoss; 3] = [GameLoss::ZeroOne, GameLoss::Exponential { eta: 0.3 }, GameLoss::Hinge];

fn leads(s: &[i64]) -> Vec<i64> {
    s[1..].iter().map(|x| s[0] - x).collect()
}

/// (27) as it stands.
fn plain(b: &[f64], rounds: usize, s: &mut Vec<i64>, loss: GameLoss) -> f64 {
    if rounds == 0 {
        return loss.of(leads(s).into_iter());
    }
    let mut sum = 0.0;
    for l in 0..s.len() {
        s[l] += 1;
        sum += b[l] * plain(b, rounds - 1, s, loss);
        s[l] -= 1;
    }
    sum
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn potentials_of_any_baseline_are_those_of_its_walk(
        weights in prop::collection::vec(0u32..20, 2..5),
        start in prop::collection::vec(-2i64..3, 4),
        rounds in 0usize..6,
    ) {
        let mut weights = weights;
        weights[0] = weights.iter().max().unwrap() + 1;
        let all: u32 = weights.iter().sum();
        let b: Vec<f64> = weights.iter().map(|&w| f64::from(w) / f64::from(all)).collect();
        let baseline = Baseline::new(b.clone()).unwrap();
        let s = &start[..b.len().min(4)];
        prop_assume!(s.len() == b.len());
        for loss in LOSSES {
            let ours = baseline.potential(rounds, loss, &leads(s));
            let theirs = plain(&b, rounds, &mut s.to_vec(), loss);
            prop_assert!((ours - theirs).abs() < 1e-10 * theirs.max(1.0), "{loss:?}: {ours}, not {theirs}");
        }
        // Theorem 13: the factors are what a round does to each exponential.
        let next = |l: usize| 1.0 - (b[0] + b[l]) + 0.3f64.exp() * b[l] + (-0.3f64).exp() * b[0];
        for (l, a) in baseline.factors(0.3).iter().enumerate() {
            prop_assert!((a - next(l + 1)).abs() < 1e-15);
        }
    }
}

#[test]
fn the_uniform_baseline_is_the_uniform_condition() {
    for (k, gamma, rounds) in [(2, 0.3, 9), (3, 0.0, 12), (5, 0.1, 20)] {
        let baseline = Baseline::uniform(k, gamma);
        assert!((baseline.edge() - gamma).abs() < 1e-12);
        let (zero, edges) = (vec![0; k - 1], vec![gamma; rounds]);
        for loss in LOSSES {
            let fixed = first_potential(k, &edges, loss, Condition::Uniform).unwrap();
            assert!((baseline.potential(rounds, loss, &zero) - fixed).abs() < 1e-10, "{k} {gamma} {loss:?}");
        }
    }
    assert!(Baseline::new(vec![0.3, 0.4, 0.3]).is_none(), "the own class must be the likeliest");
    assert!(Baseline::new(vec![0.5, 0.4]).is_none() && Baseline::new(vec![]).is_none());
}

#[test]
fn hinge_losses_bound_the_error_and_order_the_conditions() {
    for (k, gamma) in [(2, 0.1), (3, 0.2), (4, 0.05)] {
        for rounds in 1..12 {
            let edges = vec![gamma; rounds];
            let of = |loss, condition| first_potential(k, &edges, loss, condition).unwrap();
            let [uniform, minimal] = [Condition::Uniform, Condition::Minimal].map(|c| of(GameLoss::Hinge, c));
            assert!(of(GameLoss::ZeroOne, Condition::Uniform) <= uniform + 1e-12);
            assert!(uniform <= minimal + 1e-12, "the minimal condition promises less");
        }
    }
    // Edges that differ from round to round.
    let walk = LeadWalk::uniform(3, &[0.3, 0.1]);
    let mut sum = 0.0;
    for (first, p) in [(1, 0.7 / 3.0 + 0.3), (-1, 0.7 / 3.0), (0, 0.7 / 3.0)] {
        for (second, q) in [(1, 0.3 + 0.1), (-1, 0.3), (0, 0.3)] {
            sum += p * q * f64::from((1 - 1 - first - second).max(0));
        }
    }
    assert!((walk.hinge(1) - sum).abs() < 1e-12);
}

/// Lemma 19, Theorems 20 and 21.
#[test]
fn light_votes_make_the_conditions_the_same() {
    for k in 2..6usize {
        for rounds in [1usize, 4, 9] {
            let eta = 0.25 / (k - 1).max(rounds) as f64;
            assert!(is_light(k, rounds, eta) && !is_light(k, rounds, 1.01 * eta));
            let loss = GameLoss::Exponential { eta };
            for gamma in [0.0, 0.1, 0.4] {
                let edges = vec![gamma; rounds];
                let worst = Layers::last(k, &edges, loss).unwrap().potential(&vec![0; k - 1]);
                let closed = (k as f64 - 1.0) * kappa(k, gamma, eta).powi(rounds as i32);
                assert!(
                    (worst - closed).abs() < 1e-12 * closed,
                    "{k} {rounds} {gamma}: {worst}, not {closed}"
                );
                assert_eq!(can_fall(k, gamma, eta), kappa(k, gamma, eta) <= 1.0, "{k} {gamma}");
            }
            let gamma = 0.125 / (k * k.max(rounds)) as f64;
            assert!(is_small_edge(k, rounds, gamma) && !is_small_edge(k, rounds, 1.01 * gamma));
            // Whatever weight makes the bound fall is light.
            for eta in (1..2000).map(|part| f64::from(part) / 2000.0) {
                assert!(!can_fall(k, gamma, eta) || is_light(k, rounds, eta), "{k} {rounds} {eta}");
            }
        }
    }
    // Then games of any size have potentials under the minimal condition.
    let loss = GameLoss::Exponential { eta: 1e-4 };
    assert!(first_potential(1000, &vec![0.1; 1000], loss, Condition::Minimal).is_ok());
}

/// What a vote for any class makes of a potential differs by so much at most.
fn spread(loss: GameLoss, k: usize, rounds: usize) -> f64 {
    match loss {
        GameLoss::ZeroOne => 1.0,
        GameLoss::Exponential { eta } => k as f64 * (eta * rounds as f64).exp(),
        GameLoss::Hinge => 2.0 * k as f64,
    }
}

#[test]
fn the_adversary_keeps_its_promise_and_ends_at_the_bound() {
    let (rounds, examples) = (12, 4000);
    for (k, gamma) in [(2, 0.1), (3, 0.1), (4, 0.3)] {
        for loss in [GameLoss::ZeroOne, GameLoss::Hinge, GameLoss::Exponential { eta: plain_eta(gamma) }] {
            for condition in [Condition::Uniform, Condition::Minimal] {
                let edges = vec![gamma; rounds];
                let bound = first_potential(k, &edges, loss, condition).unwrap();
                let turns = play(Strategy::Os { loss, condition }, k, &edges, examples).unwrap();
                let what = format!("{k} classes, edge {gamma}, {loss:?}, {condition:?}");
                let (mut before, step) = (bound, spread(loss, k, rounds) / f64::from(examples as u32));
                for turn in &turns {
                    assert!(turn.cost <= turn.allowed + 1e-9, "{what}: the promise is broken");
                    let after = turn.potential();
                    assert!(after <= before + 1e-9, "{what}: the potential rose");
                    assert!(after >= before - step - 1e-9, "{what}: it fell from {before} to {after}");
                    before = after;
                }
                let last = turns.last().unwrap();
                let least = if loss == GameLoss::ZeroOne { last.error } else { last.potential() };
                assert!((least - bound).abs() <= rounds as f64 * step + 1e-9, "{what}: {least}, not {bound}");
                assert!(last.error <= bound + 1e-9, "{what}");
            }
        }
    }
}

#[test]
fn mm_keeps_its_bound_against_the_adversary() {
    let turns = play(Strategy::Mm, 4, &[0.2; 5], 4000).unwrap();
    let mut bound = 3.0;
    for turn in &turns {
        assert!(turn.cost <= turn.allowed + 1e-9);
        bound *= (1.0f64 - 0.04).sqrt();
        assert!(turn.potential() <= bound + 1e-9 && turn.error <= turn.potential() + 1e-9);
    }
    // As long as no example outweighs the others, the adversary gives away little.
    let last = turns.last().unwrap().potential();
    assert!(last > 0.9 * bound, "{last} {bound}");
}

/// Lemma 32 by brute force: of all answers that cost no more, none is much better for the adversary.
#[test]
fn the_adversary_answers_nearly_best() {
    let (k, m) = (3usize, 6usize);
    let mut state = 7u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from((state >> 40) as u32 % 1000) / 1000.0
    };
    for _ in 0..50 {
        let after: Vec<f64> = (0..m * k).map(|_| draw()).collect();
        let costs: Vec<f64> = (0..m * k).map(|_| draw()).collect();
        let allowed: Vec<f64> = costs.chunks(k).map(|c| c.iter().sum::<f64>() / k as f64).collect();
        let says = adversary(&costs, &after, &allowed, k);
        let of = |numbers: &[f64], says: &[u32]| -> f64 {
            says.iter().enumerate().map(|(i, &l)| numbers[i * k + l as usize]).sum()
        };
        let limit: f64 = allowed.iter().sum();
        assert!(of(&costs, &says) <= limit + 1e-9);
        let each =
            |choice: usize| -> Vec<u32> { (0..m).map(|i| (choice / k.pow(i as u32) % k) as u32).collect() };
        // Per example no distribution has more than the one of Lemma 31, and all but one example lose nothing.
        let mut own = 0.0;
        for i in 0..m {
            let (costs, after) = (&costs[i * k..][..k], &after[i * k..][..k]);
            let mut most = f64::NEG_INFINITY;
            for a in 0..=20 {
                for b in 0..=20 - a {
                    let p = [f64::from(a) / 20.0, f64::from(b) / 20.0, f64::from(20 - a - b) / 20.0];
                    let cost: f64 = p.iter().zip(costs).map(|(p, c)| p * c).sum();
                    if cost <= allowed[i] + 1e-12 {
                        most = most.max(p.iter().zip(after).map(|(p, x)| p * x).sum());
                    }
                }
            }
            own += most;
        }
        assert!(of(&after, &says) >= own - 1.0 - 1e-9, "more than one example's worth is lost");
        let best = (0..k.pow(m as u32)).map(each).filter(|says| of(&costs, says) <= limit + 1e-12);
        assert!(best.map(|says| of(&after, &says)).fold(0.0, f64::max) >= of(&after, &says) - 1e-9);
    }
}

#[test]
fn walks_and_baselines_agree_on_long_games() {
    let (k, gamma, t) = (4, 0.1, 60);
    let walk = Walk::new(k, &vec![gamma; t]).zero_one(&[3, 0, -1]);
    assert!((Baseline::uniform(k, gamma).potential(t, GameLoss::ZeroOne, &[3, 0, -1]) - walk).abs() < 1e-10);
}
