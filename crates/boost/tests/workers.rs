//! Training on rows that are spread over several workers gives the model file of one process, to the bit.

mod common;

use std::sync::atomic::AtomicBool;

use common::{ALL, Choice, SETS, TWO, data, label_sets, mixed, setup, two_classes, weighted};
use manyboost::engine::job::{Choices, Job};
use manyboost::engine::train::Watched;
use manyboost::learners::LEARNERS;
use manyboost::spec::options::Options;
use manyboost::spec::registry::{BOOSTERS, Setup};
use manyboost_data::{Error, ErrorKind, PrepareOptions, Result, Table, generate, prepare_among};
use manyboost_kernel::exchange::Meeting;
use manyboost_kernel::{Alone, Exchange};

/// The file of a model of a part of a table, and of the run before its first round.
fn file(
    exchange: &dyn Exchange,
    part: Table,
    setup: &Setup,
    options: &PrepareOptions,
) -> Result<[Vec<u8>; 2]> {
    let options = PrepareOptions {
        values: setup.learner.needs_values(),
        texts: setup.needs_texts(),
        ..options.clone()
    };
    let prepared = prepare_among(part, &options, exchange)?;
    let setup = setup.for_data_among(&prepared.dataset, exchange)?;
    let choices = Choices { seed: 3, encode: options.encode, ..Choices::default() };
    let job = Job { setup: &setup, prepared: &prepared, watched: Watched::default(), choices: &choices };
    let start = job.start_among(exchange)?.to_bytes()?;
    let outcome = job.train_among(exchange, None, &AtomicBool::new(false), &mut ())?;
    Ok([job.model(outcome).to_bytes()?, start])
}

/// What each of some workers comes to with its part.
fn among<T: Send>(parts: &[Table], work: impl Fn(&dyn Exchange, Table) -> T + Sync) -> Vec<T> {
    let (meeting, work) = (&Meeting::new(parts.len()), &work);
    std::thread::scope(|scope| {
        let worker = |(rank, part): (usize, &Table)| {
            let part = part.clone();
            scope.spawn(move || {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(1 + rank % 2).build().unwrap();
                pool.install(|| work(&meeting.attend(rank), part))
            })
        };
        let threads: Vec<_> = parts.iter().enumerate().map(worker).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// The rows of each of so many workers; the last has none if there are more than two.
fn spread(table: &Table, workers: usize) -> Vec<Table> {
    let owner = |row: usize| (row * row) % if workers > 2 { workers - 1 } else { workers };
    part(table, workers, owner)
}

fn part(table: &Table, workers: usize, owner: impl Fn(usize) -> usize) -> Vec<Table> {
    let own =
        |worker| (0..table.rows as u32).filter(|&row| owner(row as usize) == worker).collect::<Vec<_>>();
    (0..workers).map(|worker| table.select(&own(worker))).collect()
}

fn check_parts(table: &Table, setup: &Setup, options: &PrepareOptions, parts: &[Vec<Table>], about: &str) {
    let alone = file(&Alone, table.clone(), setup, options).unwrap_or_else(|e| panic!("{about}: {e}"));
    for parts in parts {
        let files = among(parts, |exchange, part| file(exchange, part, setup, options));
        for (rank, file) in files.into_iter().enumerate() {
            let file = file.unwrap_or_else(|e| panic!("{about}, worker {rank} of {}: {e}", parts.len()));
            assert!(file == alone, "{about}, worker {rank} of {}", parts.len());
        }
    }
}

fn check(table: &Table, choice: Choice, rounds: usize, workers: &[usize]) {
    let parts: Vec<Vec<Table>> = workers.iter().map(|&workers| spread(table, workers)).collect();
    check_parts(table, &setup(choice, rounds), &PrepareOptions::default(), &parts, &format!("{choice:?}"));
}

#[test]
fn every_choice_of_classes() {
    for &choice in ALL {
        check(&data(choice, 240), choice, 4, &[2, 3]);
    }
}

#[test]
fn every_choice_of_two_classes_and_of_sets() {
    for &choice in TWO {
        check(&two_classes(200), choice, 4, &[2, 3]);
    }
    for &choice in SETS {
        check(&label_sets(200), choice, 4, &[2, 3]);
    }
}

/// Whatever is in the registry, with its defaults: rounds, leaves and temperature may be found by trials.
#[test]
fn every_booster_with_every_learner() {
    for booster in BOOSTERS {
        for learner in LEARNERS {
            let options =
                [("learner", learner.name), ("rounds", "3")].map(|(a, b)| (a.to_string(), b.to_string()));
            let Ok(setup) = Setup::new(booster.name, Options::new(options)) else { continue };
            let values = setup.learner.needs_values();
            let table = match (booster.name, values) {
                ("adaboost", true) => common::numbers(two_classes(180)),
                ("adaboost", false) => two_classes(180),
                (_, true) => common::numbers(mixed(180)),
                (_, false) => mixed(180),
            };
            let parts: Vec<Vec<Table>> = [2, 7].map(|workers| spread(&table, workers)).into();
            let about = format!("{} with {}", booster.name, learner.name);
            check_parts(&table, &setup, &PrepareOptions::default(), &parts, &about);
        }
    }
}

#[test]
fn any_partition() {
    let table = mixed(300);
    let class = |row: usize| (0..4).position(|class| label(&table, row) == class).unwrap_or(0);
    let parts = vec![
        spread(&table, 1),
        spread(&table, 4),
        spread(&table, 7),
        // One has one row, one has nothing, one has nearly all.
        part(&table, 3, |row| if row == 17 { 0 } else { 2 }),
        // Each lacks all classes but one, and most values of columns.
        part(&table, 4, class),
        part(&table, 2, |row| usize::from(row < 150)),
    ];
    for choice in [
        ("mcboost", &[("leaves", "6")][..]),
        ("mcboost", &[("subsample", "0.5"), ("features", "0.5"), ("cuts", "2")]),
        ("mh-real", &[]),
    ] {
        check_parts(&table, &setup(choice, 4), &PrepareOptions::default(), &parts, &format!("{choice:?}"));
    }
}

fn label(table: &Table, row: usize) -> usize {
    let target = table.columns.iter().find(|column| column.role == manyboost_data::Role::Target).unwrap();
    let manyboost_data::Values::Words(words) = &target.values else { panic!("words") };
    words.codes[row] as usize
}

/// Rows that are equal lie with several workers, and weigh all sorts of things.
#[test]
fn copies_and_weights() {
    let rows: Vec<u32> = (0..400).map(|i| i * 7 % 130).collect();
    let table = mixed(130).select(&rows);
    let weights: [fn(usize) -> f64; 4] =
        [|row| (row % 4) as f64, |row| 0.1 * (1 + row % 3) as f64, |row| 0.37 + (row as f64).sqrt(), |_| 2.5];
    let class_weights = [None, Some("balanced".parse().unwrap())];
    for (weight, class_weights) in weights.into_iter().zip(class_weights.into_iter().cycle()) {
        let table = weighted(table.clone(), (0..400).map(weight).collect());
        let options = PrepareOptions { class_weights, ..PrepareOptions::default() };
        let parts = [2, 3].map(|workers| spread(&table, workers));
        for choice in [
            ("mcboost", &[("leaves", "5"), ("subsample", "0.4")][..]),
            ("samme", &[("learner", "tree"), ("leaves", "4")]),
        ] {
            check_parts(&table, &setup(choice, 3), &options, &parts, &format!("{choice:?}"));
        }
        let choice = ("samme", &[("learner", "linear"), ("regression", "resampled")][..]);
        let table = common::numbers(table);
        let parts = [2, 3].map(|workers| spread(&table, workers));
        check_parts(&table, &setup(choice, 3), &options, &parts, &format!("{choice:?}"));
    }
}

/// The default finds rounds, leaves and temperature by trials, which run among the workers too.
#[test]
fn what_the_default_finds() {
    let setup = Setup::new("mcboost", Options::new([("rounds".to_string(), "auto".to_string())])).unwrap();
    let table = generate::gaussians::gaussians(300, 3);
    let parts = [3].map(|workers| spread(&table, workers));
    check_parts(&table, &setup, &PrepareOptions::default(), &parts, "the default");
}

#[test]
fn one_workers_error_is_that_of_all() {
    let table = weighted(mixed(60), (0..60).map(|row| if row == 31 { -1.0 } else { 1.0 }).collect());
    let setup = setup(("samme", &[]), 3);
    for result in among(&part(&table, 3, |row| row % 3), |exchange, part| {
        file(exchange, part, &setup, &PrepareOptions::default()).map(drop)
    }) {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Weight, "{error}");
        assert!(error.what().contains("row 11: weight -1"), "{error}");
    }
    // A worker that goes away takes the others with it, by name.
    let lost = among(&part(&mixed(60), 3, |row| row % 3), |exchange, part| {
        if exchange.rank() == 1 {
            return Err(Error::new(ErrorKind::Failed, "gone", "nothing"));
        }
        file(exchange, part, &setup, &PrepareOptions::default()).map(drop)
    });
    for rank in [0, 2] {
        let error = lost[rank].as_ref().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Worker, "{error}");
        assert!(error.what().contains("worker"), "{error}");
    }
}

#[test]
fn tables_that_do_not_fit_together_are_refused() {
    let setup = setup(("samme", &[]), 3);
    let (mut other, whole) = (mixed(30), mixed(40));
    other.columns.swap(0, 1);
    for result in
        among(&[whole, other], |exchange, part| file(exchange, part, &setup, &PrepareOptions::default()))
    {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Column);
        assert!(error.what().contains("worker 1") && error.what().contains("other columns"), "{error}");
    }
}
