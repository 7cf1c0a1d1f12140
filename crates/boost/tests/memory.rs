//! What a training is said to take is about what it takes.
#![cfg(target_os = "linux")]

mod common;

use common::{Choice, Training, prepared};
use manyboost::engine::memory::estimate;
use manyboost::engine::train::{Outcome, Watched};
use manyboost_data::generate::blobs::{BlobShape, blobs};
use manyboost_data::memory::in_use;

/// Every way to make channels.
const CHOICES: &[Choice] = &[
    ("mcboost", &[("learner", "stump")]),
    ("mcboost", &[("leaves", "8"), ("temperature", "1")]),
    ("samme", &[]),
    ("iter", &[("epoch", "4")]),
    ("mm", &[]),
    ("mm", &[("refit", "all")]),
    ("lp", &[]),
    ("mh", &[]),
    ("mh-real", &[]),
    ("mo", &[]),
    ("mr", &[]),
    ("os", &[]),
    ("ova", &[]),
    ("ecc", &[]),
    ("logitboost", &[]),
    ("gd-mcboost", &[]),
    ("cd-mcboost", &[]),
];

/// Says which choice a process is to train.
const CHOICE: &str = "MANYBOOST_TEST_CHOICE";

/// Bytes that the training of a choice is said to take, and that it takes.
fn said_and_taken(choice: Choice) -> (u64, u64) {
    let shape = BlobShape { classes: 250, clusters: 1, features: 3, noise: 0, spread: 2.0 };
    let prepared = prepared(blobs(16_000, &shape, 1));
    let training = Training::new(&prepared, choice, 1);
    let plan = training.setup.plan(7, None);
    let width = Outcome::nothing(&plan, &prepared.dataset).ensemble.start.len();
    let said = estimate(&plan, &prepared.dataset, Watched::default(), width);
    // The most that the process ever had is the present from here on.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let (before, _) = in_use().unwrap();
    training.run(None, &mut ());
    let (_, most) = in_use().unwrap();
    (said, most.saturating_sub(before))
}

/// Each choice has a process of its own: what another one gave back would be taken again unseen.
#[test]
fn the_estimate_is_near_what_is_taken() {
    if let Some(choice) = std::env::var(CHOICE).ok().and_then(|at| CHOICES.get(at.parse::<usize>().ok()?)) {
        let (said, taken) = said_and_taken(*choice);
        println!("kB: {} {}", said >> 10, taken >> 10);
        return;
    }
    let mut wrong = Vec::new();
    for (at, choice) in CHOICES.iter().enumerate() {
        let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
        alone.args(["--exact", "the_estimate_is_near_what_is_taken", "--nocapture"]);
        let done = alone.env(CHOICE, at.to_string()).output().unwrap();
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let figures = text.lines().find_map(|line| Some(line.split_once("kB: ")?.1)).expect("figures");
        let figures: Vec<f64> = figures.split(' ').map(|figure| figure.parse().unwrap()).collect();
        println!(
            "{choice:?}: {} kB said, {} kB taken: {:.2}",
            figures[0],
            figures[1],
            figures[0] / figures[1]
        );
        if !(0.7..1.6).contains(&(figures[0] / figures[1])) {
            wrong.push((choice, figures));
        }
    }
    assert!(wrong.is_empty(), "kB said and taken: {wrong:?}");
}
