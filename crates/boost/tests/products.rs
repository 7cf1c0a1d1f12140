//! Factored answers and products of stumps, on random data: the search finds the best edge that there is, products are never
//! worse than the stump that they begin with, and no stump of them could be exchanged for a better one.

mod coarse;
mod common;

use coarse::{Row, rows, table};
use common::{Choice, Training};
use manyboost::engine::train::Outcome;
use manyboost::model::hypothesis::Cells;
use manyboost::predict::Predictor;
use manyboost_data::{EncodeOptions, Frame, PrepareOptions, Prepared, Table, prepare};
use proptest::prelude::*;

const STUMP: Choice = ("mh", &[("answers", "factored")]);
const PRODUCT: Choice = ("mh", &[("learner", "product"), ("start", "skewed")]);

/// A table for training, every level a code.
fn prepared(table: Table) -> Prepared {
    let encode = EncodeOptions { rare: 1, ..EncodeOptions::default() };
    prepare(table, &PrepareOptions { encode, ..PrepareOptions::default() }).unwrap()
}

/// The sides that stumps can divide rows into, and one side for all: +1 or −1 a row.
fn partitions(rows: &[Row]) -> Vec<Vec<f64>> {
    let sides = |left: &dyn Fn(&Row) -> bool| rows.iter().map(|r| if left(r) { 1.0 } else { -1.0 }).collect();
    let mut all: Vec<Vec<f64>> = vec![sides(&|_| true)];
    all.extend((-9..9).map(|at| sides(&|r| r.0 <= at)));
    all.extend((-9..9).map(|at| sides(&|r| r.1 <= at)));
    all.extend((0..4).map(|level| sides(&|r| r.2 == level)));
    all
}

/// D(i, l) Y(i, l) of all rows after so many rounds, and the sum of all D.
fn weights(
    rows: &[Row],
    weighted: bool,
    prepared: &Prepared,
    outcome: &Outcome,
    t: usize,
) -> (Vec<Vec<f64>>, f64) {
    let frame = Frame::new(table(rows, weighted), &prepared.encoder).unwrap();
    let scores = Predictor::new(&outcome.ensemble, t).raw_scores(&frame);
    let manyboost_data::Labels::Classes { of, .. } = &prepared.dataset.labels else { panic!("classes") };
    let row = |i: usize| -> Vec<f64> {
        let weight = if weighted { f64::from(rows[i].4) } else { 1.0 };
        let sign = |l: usize| if of[i] as usize == l { 1.0 } else { -1.0 };
        scores.row(i).iter().enumerate().map(|(l, f)| weight * sign(l) * (-sign(l) * f).exp()).collect()
    };
    let all: Vec<Vec<f64>> = (0..rows.len()).map(row).collect();
    let sum = all.iter().flatten().map(|d| d.abs()).sum();
    (all, sum)
}

/// Σ over labels of |Σ D Y φ|.
fn edge(weights: &[Vec<f64>], phi: &[f64]) -> f64 {
    let label = |l: usize| weights.iter().zip(phi).map(|(d, phi)| d[l] * phi).sum::<f64>();
    (0..weights[0].len()).map(|l| label(l).abs()).sum()
}

/// The most of something over all partitions.
fn most(partitions: &[Vec<f64>], edge: impl Fn(&[f64]) -> f64) -> f64 {
    partitions.iter().map(|phi| edge(phi)).fold(0.0, f64::max)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_stump_has_a_larger_edge(rows in rows(5), weighted in any::<bool>()) {
        let prepared = prepared(table(&rows, weighted));
        prop_assume!(prepared.dataset.labels.classes() > 1);
        let outcome = Training::new(&prepared, STUMP, 6).run(None, &mut ());
        let partitions = partitions(&rows);
        for (t, record) in outcome.history.iter().enumerate() {
            let (weights, norm) = weights(&rows, weighted, &prepared, &outcome, t);
            let best = most(&partitions, |phi| edge(&weights, phi)) / norm;
            prop_assert!(close(record.edge.unwrap(), best), "round {}: {:?} and {best}", t + 1, record.edge);
        }
    }

    #[test]
    fn no_factor_can_be_exchanged_for_a_better_one(rows in rows(5), weighted in any::<bool>()) {
        let prepared = prepared(table(&rows, weighted));
        prop_assume!(prepared.dataset.labels.classes() > 1);
        let outcome = Training::new(&prepared, PRODUCT, 4).run(None, &mut ());
        let frame = Frame::new(table(&rows, weighted), &prepared.encoder).unwrap();
        let partitions = partitions(&rows);
        for (t, record) in outcome.history.iter().enumerate() {
            let (weights, norm) = weights(&rows, weighted, &prepared, &outcome, t);
            let cells = &outcome.ensemble.rounds[t][0].hypothesis.cells;
            let side = |tree: &manyboost::model::tree::Tree| -> Vec<f64> {
                let leaf = |row| tree.leaf(|feature| frame.value(row, feature as usize));
                (0..rows.len()).map(|row| if leaf(row) == 0 { 1.0 } else { -1.0 }).collect()
            };
            let sides: Vec<Vec<f64>> = cells.trees().iter().map(side).collect();
            let times = |mut a: Vec<f64>, b: &[f64]| {
                a.iter_mut().zip(b).for_each(|(a, b)| *a *= b);
                a
            };
            let one = vec![1.0; rows.len()];
            let product = sides.iter().fold(one.clone(), |product, side| times(product, side));
            let own = edge(&weights, &product);
            prop_assert!(close(own / norm, record.edge.unwrap()), "{} and {:?}", own / norm, record.edge);
            let stump = most(&partitions, |phi| edge(&weights, phi));
            prop_assert!(own >= stump * (1.0 - 1e-9), "round {}: {own}, a stump has {stump}", t + 1);
            for side in &sides {
                let others = times(product.clone(), side);
                let other = most(&partitions, |phi| edge(&weights, &times(others.clone(), phi)));
                prop_assert!(other <= own * (1.0 + 1e-9), "round {}: {own}, could be {other}", t + 1);
            }
        }
    }

    #[test]
    fn a_product_of_one_is_a_stump(rows in rows(5), weighted in any::<bool>()) {
        let prepared = prepared(table(&rows, weighted));
        let run = |choice| Training::new(&prepared, choice, 8).run(None, &mut ());
        let one = run(("mh", &[("learner", "product"), ("factors", "1")]));
        prop_assert_eq!(one, run(STUMP));
    }
}

/// With two classes a tree of signs is a Hamming tree: no cut is worth it whose sides have the same answer.
#[test]
fn hamming_trees_of_two_classes_are_trees_of_signs() {
    let prepared = prepared(common::two_classes(400));
    let run = |choice| Training::new(&prepared, choice, 12).run(None, &mut ());
    let usual = run(("adaboost", &[("learner", "tree"), ("leaves", "6")]));
    let other = run(("mh", &[("answers", "factored"), ("learner", "tree"), ("leaves", "6")]));
    assert_eq!(usual.history.len(), 12);
    for (t, (a, b)) in usual.ensemble.rounds.iter().zip(&other.ensemble.rounds).enumerate() {
        assert_eq!(a[0].hypothesis.cells, b[0].hypothesis.cells, "round {}", t + 1);
        assert!((a[0].alpha - b[0].alpha).abs() < 1e-8, "round {}", t + 1);
    }
}

/// What no stump can do: classes that are the parity of three features.
#[test]
fn products_learn_parity_in_a_round() {
    let row = |i: u8| {
        let bit = |at: u8| i >> at & 1;
        (bit(0) as i8, bit(1) as i8, bit(2), bit(0) ^ bit(1) ^ bit(2), 1)
    };
    // Some corners are heavier, so that there is a stump to begin with, and then another one.
    let heavy = [15, 15, 11, 11, 5, 5, 9, 9];
    let rows: Vec<Row> =
        (0..8).zip(heavy).flat_map(|(i, times)| std::iter::repeat_n(row(i), times)).collect();
    let prepared = prepared(table(&rows, false));
    let outcome = Training::new(&prepared, ("adaboost", &[("learner", "product")]), 5).run(None, &mut ());
    assert!(
        matches!(&outcome.ensemble.rounds[0][0].hypothesis.cells, Cells::Product(stumps) if stumps.len() == 3)
    );
    assert_eq!((outcome.history.len(), outcome.history[0].train_error), (1, 0.0));
}
