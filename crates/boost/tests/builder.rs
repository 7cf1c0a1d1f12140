//! The front door: what the builder refuses, who looks on, who may end it, and tables made in memory.

use std::sync::atomic::{AtomicBool, Ordering};

use manyboost::data::{Result, generate};
use manyboost::engine::history::Record;
use manyboost::prelude::*;

fn gaussians(rows: usize, seed: u64) -> Table {
    (generate::generator("gaussians").expect("there is one").2)(rows, seed)
}

fn waves(rows: usize, seed: u64) -> Table {
    (generate::generator("waveform").expect("there is one").2)(rows, seed)
}

#[test]
fn what_a_booster_does_not_take_is_an_error_that_says_what_it_takes() {
    let table = gaussians(60, 1);
    let error = Boost::named("mm").option("shrinkage", 0.5).fit(&table).unwrap_err();
    assert!(error.what().contains("shrinkage") && error.remedy().contains("step"), "{error}");
    assert!(Boost::named("mmm").fit(&table).unwrap_err().remedy().contains("mm"));
    assert!(McBoost::new().valid(1.5).fit(&table).is_err());
}

/// Counts rounds, and asks for an end after the fifth.
struct Watcher<'a> {
    rounds: usize,
    stop: &'a AtomicBool,
}

impl Observer for Watcher<'_> {
    fn round(&mut self, round: &Round<'_>) -> Result<()> {
        self.rounds = round.number;
        self.stop.store(round.number == 5, Ordering::Relaxed);
        Ok(())
    }
}

#[test]
fn observers_see_rounds_and_an_interrupt_keeps_them() {
    let (table, stop) = (gaussians(200, 1), AtomicBool::new(false));
    let mut watcher = Watcher { rounds: 0, stop: &stop };
    let model = Boost::named("samme").rounds(40).interrupt(&stop).observer(&mut watcher).fit(&table).unwrap();
    assert_eq!((watcher.rounds, model.history.len()), (5, 5));
    let whole = Boost::named("samme").rounds(40).fit(&table).unwrap();
    assert_eq!(whole.ensemble.rounds[..5], model.ensemble.rounds[..]);
}

#[test]
fn other_rows_decide_when_to_stop() {
    let (table, valid) = (gaussians(300, 1), gaussians(300, 2));
    let model = McBoost::new().rounds(300).valid_on(&valid).patience(5).test_on(&valid).fit(&table).unwrap();
    assert!(model.history.len() < 300);
    let last = model.history.last().unwrap();
    assert_eq!(last.valid_error, last.test_error);
    assert_eq!(last.valid_error, Some(model.evaluate(&valid).unwrap().error));
}

#[test]
fn tables_in_memory_have_all_kinds_of_columns() {
    let n = 80;
    let side = |i: usize| i % 2 == 1;
    let table = Table::builder()
        .numbers("size", (0..n).map(|i| if i % 7 == 0 { f64::NAN } else { i as f64 }))
        .categories("colour", (0..n).map(|i| if side(i) { "red" } else { "blue" }))
        .texts("note", (0..n).map(|i| if side(i) { "warm evening sun" } else { "cold morning rain" }))
        .weights((0..n).map(|i| 1.0 + (i % 3) as f64))
        .classes((0..n).map(|i| i % 2))
        .build()
        .unwrap();
    let model = McBoost::new().rounds(20).fit(&table).unwrap();
    let answers = model.predict(&table).unwrap();
    assert!(answers.iter().enumerate().all(|(i, answer)| *answer == (i % 2).to_string()));
    // A row alone is answered as among others, and needs neither class nor weight.
    let one =
        Table::builder().texts("note", ["warm sun"]).categories("colour", ["red"]).numbers("size", [3.0]);
    assert_eq!(model.predict(&one.build().unwrap()).unwrap(), ["1"]);
    let without = Table::builder().numbers("size", [3.0]).build().unwrap();
    assert!(model.predict(&without).unwrap_err().what().contains("colour"));
}

#[test]
fn label_sets_have_names() {
    let rows: Vec<f64> = (0..40).map(f64::from).collect();
    let table = Table::builder()
        .numbers("x", rows.iter().copied())
        .label("low", rows.iter().map(|x| *x < 25.0))
        .label("high", rows.iter().map(|x| *x > 15.0))
        .build()
        .unwrap();
    let model = Boost::named("mh").rounds(10).fit(&table).unwrap();
    let answers = model.predict(&table).unwrap();
    assert_eq!(
        (answers[0].as_str(), answers[20].as_str(), answers[39].as_str()),
        ("low", "low high", "high")
    );
    assert!(model.evaluate(&table).unwrap().to_string().starts_with("Hamming loss 0.00 %"));
}

/// What is to be better decides where training ends, and is in the model's file.
#[test]
fn the_metric_decides_which_round_is_best() {
    let (table, valid) = (waves(200, 3), waves(200, 4));
    for (name, rises) in
        [("macro-f1", true), ("balanced-error", false), ("auc", true), ("top-2", false), ("error", false)]
    {
        let metric: Metric = name.parse().unwrap();
        let long = || McBoost::new().rounds(60).valid_on(&valid).metric(metric);
        let model = long().patience(8).fit(&table).unwrap();
        let whole = long().patience(60).fit(&table).unwrap();
        let figure = |record: &Record| match metric {
            Metric::Error => record.valid_error.unwrap(),
            _ => record.valid_metric.unwrap() * if rises { -1.0 } else { 1.0 },
        };
        let figures: Vec<f64> = model.history.iter().map(figure).collect();
        let best = figures.len() - 1;
        assert!(figures[..best].iter().all(|x| *x > figures[best]), "{name}: {figures:?}");
        let same = best.min(whole.history.len() - 1);
        assert_eq!(whole.history[..=same], model.history[..=same]);
        assert_eq!(model.parameters["metric"], name);
        let bytes = model.to_bytes().unwrap();
        let read = Model::from_bytes(&bytes).unwrap();
        assert_eq!(read.history, model.history, "{name}");
        assert!(read.to_bytes().unwrap() == bytes, "{name}");
    }
    // The log loss is as ever: nothing of it is in the file.
    let usual = McBoost::new().rounds(60).valid_on(&valid).patience(8);
    let named = McBoost::new().rounds(60).valid_on(&valid).patience(8).metric(Metric::LogLoss);
    assert_eq!(
        usual.fit(&table).unwrap().to_bytes().unwrap(),
        named.fit(&table).unwrap().to_bytes().unwrap()
    );
    let refused =
        McBoost::new().rounds(5).valid_on(&valid).patience(2).metric(Metric::Top(3)).fit(&table).unwrap_err();
    assert!(refused.what().contains("top-3"), "{refused}");
}
