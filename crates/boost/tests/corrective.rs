//! Boosters that find all coefficients anew in every round.

mod coarse;
mod common;

use common::{Training, mixed, prepared};
use manyboost::predict::Predictor;
use manyboost_data::{Frame, Prepared, generate};
use proptest::prelude::*;

fn losses(prepared: &Prepared, choice: common::Choice, rounds: usize) -> Vec<f64> {
    let outcome = Training::new(prepared, choice, rounds).run(None, &mut ());
    outcome.history.iter().map(|record| record.loss).collect()
}

/// Nothing is lost by changing all coefficients, and the loss falls in every round.
#[test]
fn refitting_lowers_the_loss() {
    let prepared = prepared(mixed(150));
    let own = losses(&prepared, ("mm", &[("step", "exact")]), 25);
    let all = losses(&prepared, ("mm", &[("refit", "all")]), 25);
    assert!((own[0] - all[0]).abs() < 1e-9, "one hypothesis has one coefficient: {own:?} {all:?}");
    assert!(all.windows(2).all(|pair| pair[1] < pair[0] + 1e-9), "{all:?}");
    assert!(all.last().unwrap() < own.last().unwrap(), "{all:?} {own:?}");
}

/// The soft margin never falls, no edge is below it, and more rows that may fall short make it larger.
#[test]
fn soft_margins_rise_to_the_least_edge() {
    let prepared = prepared(mixed(150));
    let mut before = f64::NEG_INFINITY;
    for nu in [&[("nu", "0")], &[("nu", "0.1")], &[("nu", "0.3")]] {
        let history = Training::new(&prepared, ("lp", nu), 60).run(None, &mut ()).history;
        let margins: Vec<f64> = history.iter().map(|record| 1.0 - record.loss).collect();
        let least = history.iter().filter_map(|record| record.edge).fold(1.0, f64::min);
        assert!(margins.windows(2).all(|pair| pair[1] > pair[0] - 1e-7), "{margins:?}");
        let last = *margins.last().unwrap();
        assert!(last < least + 1e-7, "{last} {least}");
        assert!(least > before - 1e-7, "{nu:?}: {least} {before}");
        before = last;
    }
}

/// Saberian & Vasconcelos 2019, (22) and (132): the loss χ(v) = (1 − v)₊ of the least margin M of a row. Of all f = s λ, with λ a mixture of the hypotheses, the mean of
/// χ(M) + ν v s is nowhere below ν, where v is their soft margin: from v ≥ γ − 1/(νn) Σ (γ − M(λ))₊ with γ = 1/s. At the mixture of training it is ν.
#[test]
fn soft_margins_are_the_least_hinge_loss() {
    let table = generate::waveform::waveform(90, 4);
    let prepared = prepared(table.clone());
    let frame = Frame::new(table, &prepared.encoder).unwrap();
    let nu = 0.3;
    let outcome = Training::new(&prepared, ("lp", &[("nu", "0.3")]), 40).run(None, &mut ());
    let v = 1.0 - outcome.history.last().unwrap().loss;
    assert!(v > 0.01, "{v}");
    let labels = &prepared.dataset.labels;
    let margins = |alphas: &[f64]| -> Vec<f64> {
        let mut ensemble = outcome.ensemble.clone();
        ensemble.rounds.iter_mut().zip(alphas).for_each(|(terms, alpha)| terms[0].alpha = *alpha);
        let scores = Predictor::new(&ensemble, alphas.len()).scores(&frame);
        let lead = |row: usize| {
            let (f, y) = (scores.row(row), labels.class(row).unwrap() as usize);
            let rivals = f.iter().enumerate().filter(|(l, _)| *l != y).map(|(_, f)| *f);
            f[y] - rivals.fold(f64::NEG_INFINITY, f64::max)
        };
        (0..labels.rows()).map(lead).collect()
    };
    let short = |margins: &[f64], most: f64| {
        margins.iter().map(|m| (most - m).max(0.0)).sum::<f64>() / margins.len() as f64
    };
    let found: Vec<f64> = outcome.ensemble.rounds.iter().map(|terms| terms[0].alpha).collect();
    let all: f64 = found.iter().sum();
    let mixture: Vec<f64> = found.iter().map(|alpha| alpha / all).collect();
    let of_mixture = margins(&mixture);
    let value = |gamma: f64| gamma - short(&of_mixture, gamma) / nu;
    let gamma = of_mixture.iter().copied().fold(0.0, |best, m| if value(m) > value(best) { m } else { best });
    assert!((value(gamma) - v).abs() < 1e-5, "{} {v}", value(gamma));
    let risk = |alphas: &[f64]| short(&margins(alphas), 1.0) + nu * v * alphas.iter().sum::<f64>();
    let own: Vec<f64> = mixture.iter().map(|alpha| alpha / gamma).collect();
    assert!((risk(&own) - nu).abs() < 1e-5, "{}", risk(&own));
    for at in 0..60u32 {
        let nudge = |(j, alpha): (usize, &f64)| {
            (alpha + f64::from((at * 7919 + j as u32 * 104_729) % 17) / 40.0 - 0.2).max(0.0)
        };
        let other: Vec<f64> = own.iter().enumerate().map(nudge).collect();
        assert!(risk(&other) > nu - 1e-5, "{}", risk(&other));
    }
}

/// Mukherjee & Schapire 2013, Lemma 26: MM comes down to the least risk of all sums of hypotheses, no slower than C/T. The least risk is
/// where no hypothesis has an edge on the weights of a sum whose coefficients are all the best.
#[test]
fn mm_comes_down_to_the_least_risk() {
    // Nine kinds of rows, in most of which there are several classes: no sum is right on all.
    let rows: Vec<coarse::Row> =
        (0..45i8).map(|i| (i % 3, i / 3 % 3, 0, (i32::from(i) * i32::from(i) % 7 % 3) as u8, 1)).collect();
    let prepared = prepared(coarse::table(&rows, false));
    let refitted = Training::new(&prepared, ("mm", &[("refit", "all")]), 300).run(None, &mut ());
    let least = refitted.history.last().unwrap().loss;
    assert!(least > 0.1, "{least}");
    let all = losses(&prepared, ("mm", &[("step", "exact")]), 600);
    let above = |rounds: usize| all[rounds.min(all.len()) - 1] - least;
    assert!(above(600) > -1e-6, "{least} {}", above(600));
    let constant = 50.0 * above(50);
    for rounds in [100, 200, 400, 600] {
        assert!(above(rounds) <= constant / rounds as f64 + 1e-9, "{rounds}: {} {constant}", above(rounds));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// With ties, perfect cuts, hopeless rows and weights: no loss rises, and no margin is above an edge.
    #[test]
    fn losses_fall_and_margins_rise(rows in coarse::rows(5), weighted in any::<bool>(), soft in any::<bool>()) {
        let prepared = prepared(coarse::table(&rows, weighted));
        let all = losses(&prepared, ("mm", &[("refit", "all")]), 20);
        // Below 1e-8 nothing is left to find.
        prop_assert!(all.windows(2).all(|pair| pair[1] <= pair[0] + 1e-8), "{:?}", all);
        let choice: common::Choice = if soft { ("lp", &[("nu", "0.2")]) } else { ("lp", &[("nu", "0")]) };
        let history = Training::new(&prepared, choice, 20).run(None, &mut ()).history;
        prop_assert!(history.windows(2).all(|pair| pair[1].loss <= pair[0].loss + 2e-7), "{:?}", history);
        let margin = history.last().map_or(-1.0, |record| 1.0 - record.loss);
        prop_assert!(history.iter().all(|record| record.edge.unwrap() > margin - 2e-7), "{:?}", history);
    }
}
