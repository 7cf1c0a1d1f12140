//! A run that was stopped and taken up again ends with the same file as one that was not.

mod common;

use common::{ALL, Training, data, mixed, prepared, watched};
use manyboost::engine::train::{Observer, Outcome, Round};
use manyboost::model::{Checkpoint, Model, Saver};
use manyboost_data::{ErrorKind, Numbers, Result, Table, Values, generate};

/// Keeps a checkpoint of every round, as a file.
struct Keeper<'a> {
    training: &'a Training<'a>,
    files: Vec<Vec<u8>>,
}

impl Observer for Keeper<'_> {
    fn round(&mut self, round: &Round<'_>) -> Result<()> {
        self.files.push(self.training.checkpoint(round.outcome.clone()).to_bytes()?);
        Ok(())
    }
}

/// Runs a training, then again from each of its checkpoints; gives the model's file and the rounds that were run.
fn same_from_every_round(training: &Training<'_>) -> (Model, usize) {
    let mut keeper = Keeper { training, files: Vec::new() };
    let model = training.model(training.run(None, &mut keeper));
    let bytes = model.to_bytes().unwrap();
    let files = keeper.files;
    assert!(!files.is_empty());
    for (round, file) in files.iter().enumerate() {
        let now = training.checkpoint(blank());
        let outcome = Checkpoint::from_bytes(file).unwrap().resume(&now).unwrap();
        assert_eq!(outcome.history.len(), round + 1);
        let mut keeper = Keeper { training, files: Vec::new() };
        let resumed = training.model(training.run(Some(outcome), &mut keeper));
        assert!(resumed.to_bytes().unwrap() == bytes, "{:?} from round {}", model.booster, round + 1);
        assert!(keeper.files == files[round + 1..], "checkpoints from round {}", round + 1);
    }
    (model, files.len())
}

/// The outcome of a run that has not begun.
fn blank() -> Outcome {
    let ensemble = manyboost::model::ensemble::Ensemble {
        start: Vec::new(),
        text: None,
        rounds: Vec::new(),
        reading: manyboost::model::reading::Link::Sigmoid(1.0).into(),
    };
    Outcome { ensemble, history: Vec::new(), stop: manyboost::spec::booster::Stop::Rounds }
}

#[test]
fn every_booster_goes_on_as_if_nothing_had_been() {
    for &choice in ALL {
        let prepared = prepared(data(choice, 300));
        let (_, rounds) = same_from_every_round(&Training::new(&prepared, choice, 7));
        assert_eq!(rounds, 7, "{choice:?}");
    }
}

#[test]
fn random_choices_are_the_same_too() {
    // Rows that a tree has not seen may fall between the codes of those that it has.
    let large = prepared(mixed(3000));
    let options = &[("subsample", "0.3"), ("leaves", "40"), ("min-rows", "1")];
    same_from_every_round(&Training::new(&large, ("mcboost", options), 9));
    let prepared = prepared(mixed(300));
    let options =
        &[("subsample", "0.7"), ("features", "0.5"), ("cuts", "7"), ("sketch", "2"), ("leaves", "5")];
    same_from_every_round(&Training::new(&prepared, ("mcboost", options), 7));
    let drawn = ("iter", &[("learner", "linear"), ("regression", "resampled"), ("epoch", "9")][..]);
    same_from_every_round(&Training::new(&common::prepared(data(drawn, 300)), drawn, 7));
}

#[test]
fn the_end_is_the_same_with_patience() {
    let mut early = 0;
    for &choice in ALL {
        let prepared = prepared(data(choice, 120));
        let valid = watched(generate::mixed::mixed(80, 4, 12), &prepared);
        for patience in [1, 3] {
            let mut training = Training::new(&prepared, choice, 40);
            (training.valid, training.patience) = (Some(&valid), Some(patience));
            let (model, rounds) = same_from_every_round(&training);
            early += usize::from(model.history.len() < rounds);
        }
    }
    assert!(early >= 4, "patience ended only {early} runs");
}

#[test]
fn a_perfect_run_stays_ended() {
    // Two classes that one cut tells apart.
    let shape = generate::blobs::BlobShape { classes: 2, clusters: 1, features: 1, noise: 0, spread: 50.0 };
    let prepared = prepared(generate::blobs::blobs(60, &shape, 1));
    for &choice in &ALL[..4] {
        let (model, _) = same_from_every_round(&Training::new(&prepared, choice, 12));
        assert_eq!(model.stop, manyboost::spec::booster::Stop::Perfect, "{choice:?}");
        assert!(model.history.len() < 12);
    }
}

#[test]
fn more_rounds_than_at_first() {
    for &choice in ALL {
        let prepared = prepared(data(choice, 300));
        let (few, many) = (Training::new(&prepared, choice, 3), Training::new(&prepared, choice, 8));
        let file = few.checkpoint(few.run(None, &mut ())).to_bytes().unwrap();
        let whole = many.model(many.run(None, &mut ()));
        let earlier = Checkpoint::from_bytes(&file).unwrap().resume(&many.checkpoint(blank())).unwrap();
        let resumed = many.model(many.run(Some(earlier), &mut ()));
        assert!(resumed.to_bytes().unwrap() == whole.to_bytes().unwrap(), "{choice:?}");
    }
}

#[test]
fn savers_write_every_few_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.checkpoint");
    let prepared = prepared(mixed(100));
    let training = Training::new(&prepared, ("samme", &[]), 8);
    let mut saver = Saver::new(&path, 3, training.checkpoint(blank()));
    let outcome = training.run(None, &mut saver);
    let read = Checkpoint::load(&path).unwrap();
    assert_eq!(read.model.history, outcome.history[..6]);
    assert_eq!(read.model.ensemble.rounds, outcome.ensemble.rounds[..6]);
    assert!(Model::load(&path).unwrap_err().what().contains("checkpoint"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Doubles the numbers of the first column.
fn doubled(mut table: Table) -> Table {
    let Values::Numbers(numbers) = &mut table.columns[0].values else { panic!("numbers") };
    let values = (0..numbers.len()).map(|row| 2.0 * numbers.get(row)).collect();
    *numbers = Numbers::F64(values);
    table
}

#[test]
fn another_run_is_refused_with_the_first_difference() {
    let data = prepared(mixed(100));
    let training = Training::new(&data, ("samme", &[]), 4);
    let checkpoint = training.checkpoint(training.run(None, &mut ()));
    let refused = |now: &Checkpoint, words: &str| {
        let error = checkpoint.clone().resume(now).unwrap_err();
        assert!(error.what().contains(words), "{error}");
        assert_eq!(error.kind(), ErrorKind::Parameter);
    };
    let now = training.checkpoint(blank());
    assert!(checkpoint.clone().resume(&now).is_ok());
    // The order of rows is no difference.
    let turned = prepared(mixed(100).select(&(0..100).rev().collect::<Vec<_>>()));
    assert!(
        checkpoint.clone().resume(&Training::new(&turned, ("samme", &[]), 4).checkpoint(blank())).is_ok()
    );

    let other = |choice, rounds| Training::new(&data, choice, rounds).checkpoint(blank());
    refused(&other(("mm", &[]), 4), "the booster was \"samme\" and is \"mm\"");
    refused(&other(("samme", &[("criterion", "gini")]), 4), "`criterion` was \"cost\" and is \"gini\"");
    refused(&other(("samme", &[("learner", "tree")]), 4), "`learner` was \"stump\" and is \"tree\"");
    refused(&other(("samme", &[]), 3), "4 rounds are done already, and `rounds` is 3");
    let mut changed = now.clone();
    changed.model.seed = 8;
    refused(&changed, "the seed was \"7\" and is \"8\"");
    let mut changed = now.clone();
    changed.model.version = "9.9.9".into();
    refused(&changed, "is \"9.9.9\"");
    let mut changed = now.clone();
    changed.model.parameters.insert("valid".into(), "0.2".into());
    refused(&changed, "`valid` was \"\" and is \"0.2\"");

    let on = |table: Table| Training::new(&prepared(table), ("samme", &[]), 4).checkpoint(blank());
    refused(&on(generate::mixed::mixed(100, 4, 12)), "the 100 rows are not the same");
    refused(&on(doubled(mixed(100))), "the 100 rows are not the same");
    refused(&on(mixed(101)), "there were 100 rows and are 101");
    refused(&on(generate::gaussians::gaussians(100, 1)), "a column was \"x3\" and is absent");
}
