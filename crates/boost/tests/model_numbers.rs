//! Whatever numbers are put into a model file, with its checksum made right again: it is refused, or its scores are finite and
//! its probabilities sum to one.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};

use common::{ALL, Choice, SETS, TWO, data, prepared, trained};
use manyboost::model::Model;
use manyboost::model::answers::Answers;
use manyboost::model::ensemble::Term;
use manyboost::model::file::container;
use manyboost::model::hypothesis::{Cells, Hypothesis};
use manyboost::model::tree::Tree;
use manyboost_data::{Frame, Table, TargetSpec};
use rayon::prelude::*;

/// Numbers that no training writes.
const NUMBERS: [f64; 6] = [f64::MAX, -f64::MAX, 1e300, -1e100, f64::NAN, f64::INFINITY];

/// The section of the hypotheses and the one of the figures.
const SECTIONS: [usize; 2] = [3, 4];

/// Whether a file is a model; then all that it says of rows must make sense.
fn is_sound(file: &[u8], frame: &Frame, what: &str) -> bool {
    let Ok(model) = Model::from_bytes(file) else { return false };
    let predictor = model.predictor();
    for scores in [predictor.raw_scores(frame), predictor.scores(frame)] {
        assert!(scores.values().iter().all(|s| s.is_finite()), "{what}: {:?}", scores.values());
    }
    let probabilities = predictor.probabilities(frame);
    for row in probabilities.values().chunks_exact(probabilities.width()) {
        assert!(row.iter().all(|p| (0.0..=1.0 + 1e-12).contains(p)), "{what}: {row:?}");
        if matches!(model.schema.target, TargetSpec::Classes { .. }) {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{what}: {row:?}");
        }
    }
    assert!(
        model.history.iter().flat_map(manyboost::engine::history::Record::figures).all(f64::is_finite),
        "{what}"
    );
    true
}

/// Puts every number at every place of the sections, floats or not.
fn sweep(model: &Model, table: Table, what: &str) -> [usize; 2] {
    let frame = Frame::new(table, &model.encoder).unwrap();
    let file = model.to_bytes().unwrap();
    let parts = container::unpack(&file).unwrap();
    let sections: Vec<(&str, Vec<u8>)> = parts.sections.iter().map(|&(name, b)| (name, b.to_vec())).collect();
    let (read, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    for at in SECTIONS {
        (0..sections[at].1.len().saturating_sub(7)).into_par_iter().for_each(|place| {
            let mut sections = sections.clone();
            for number in NUMBERS {
                sections[at].1[place..place + 8].copy_from_slice(&number.to_le_bytes());
                let file = container::pack(parts.library, &sections);
                let what = format!("{what}: {number} at {place} of section {at}");
                let count = if is_sound(&file, &frame, &what) { &read } else { &refused };
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    [read.into_inner(), refused.into_inner()]
}

fn sweep_all(choices: &[Choice], table: impl Fn(Choice) -> Table) {
    let mut counts = [0; 2];
    for &choice in choices {
        let table = table(choice);
        let model = trained(&prepared(table.clone()), choice, 2);
        let here = sweep(&model, table, &format!("{choice:?}"));
        counts = [counts[0] + here[0], counts[1] + here[1]];
    }
    // Thresholds may be any finite numbers, and figures nearly any; most others may not.
    assert!(counts[0] > 100 && counts[1] > 2 * counts[0], "{counts:?} read and refused");
}

#[test]
fn of_every_booster_and_learner() {
    sweep_all(ALL, |choice| data(choice, 60));
}

#[test]
fn of_two_classes() {
    sweep_all(TWO, |_| common::two_classes(60));
}

#[test]
fn of_label_sets() {
    sweep_all(SETS, |_| common::label_sets(60));
}

#[test]
fn of_costs() {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    let names = prepared(common::mixed(60)).dataset.labels.names().to_vec();
    let cost = |y: usize, l: usize| if y == l { 0 } else { (3 * y + l) % 5 };
    let line = |y: usize| {
        let costs: Vec<String> = (0..names.len()).map(|l| cost(y, l).to_string()).collect();
        format!("{},{}\n", names[y], costs.join(","))
    };
    let lines: String = (0..names.len()).map(line).collect();
    std::fs::write(file.path(), format!("truth,{}\n{lines}", names.join(","))).unwrap();
    let path: &'static str = Box::leak(file.path().to_str().unwrap().into());
    let options: &'static [(&str, &str)] = Box::leak(Box::new([("costs", path), ("leaves", "3")]));
    sweep_all(&[("mcboost", options)], |choice| data(choice, 60));
}

#[test]
fn a_small_file_is_no_large_predictor() {
    // A direction is in the file once, and laid out for every leaf: some megabytes would become terabytes.
    let mut model = trained(&prepared(common::mixed(60)), ("mcboost", &[("leaves", "2")]), 1);
    assert!(model.ensemble.claim(10).is_ok());
    assert_eq!(model.ensemble.claim(1 << 40).unwrap_err().kind(), manyboost_data::ErrorKind::Memory);
    let answers = Answers::Along { direction: vec![1.0; 1 << 22], values: vec![0.5; 1 << 16] };
    model.ensemble.rounds[0] =
        vec![Term { alpha: 1.0, hypothesis: Hypothesis { cells: Cells::Tree(Tree::default()), answers } }; 4];
    model.ensemble.start = vec![0.0; 1 << 22];
    assert_eq!(model.ensemble.claim(1).unwrap_err().kind(), manyboost_data::ErrorKind::Memory);
}
