//! What workers send one another in a round, and how often they meet, against formulas.

mod common;

use std::sync::atomic::AtomicBool;

use common::{Choice, setup};
use manyboost::engine::job::{Choices, Job};
use manyboost::engine::train::Watched;
use manyboost::model::hypothesis::Cells;
use manyboost::model::tree::{Child, Tree};
use manyboost_data::{Column, Kind, Numbers, PrepareOptions, Role, Table, Values, Words, prepare_among};
use manyboost_kernel::Seed;
use manyboost_kernel::exchange::{Meeting, Recorder, Traffic, Verb};

/// Numbers of so many values in each column, and classes that some of them tell.
fn table(rows: usize, columns: usize, values: u64, classes: u64) -> Table {
    let draw =
        |row: usize, column: usize| Seed::new(3).part(column as u64).part(row as u64).below(values) as f64;
    let mut table = Table { rows, ..Table::default() };
    for column in 0..columns {
        let numbers = (0..rows).map(|row| draw(row, column)).collect();
        table.columns.push(Column {
            name: format!("x{column}"),
            role: Role::Feature(Some(Kind::Number)),
            values: Values::Numbers(Numbers::F64(numbers)),
        });
    }
    let class = |row: usize| {
        let sum: f64 = (0..6.min(columns)).map(|column| draw(row, column) * (1.0 + column as f64)).sum();
        let noise = Seed::new(4).part(row as u64).unit();
        ((sum / (21.0 * values as f64) + 0.3 * noise) * 1.6 * classes as f64) as u32 % classes as u32
    };
    let codes = (0..rows).map(class).collect();
    table.columns.push(Column {
        name: "class".into(),
        role: Role::Target,
        values: Values::Words(Words {
            dictionary: (0..classes).map(|class| format!("c{class}").into()).collect(),
            codes,
        }),
    });
    table
}

/// Cuts on the longest way to a leaf.
fn depth(tree: &Tree) -> usize {
    let mut depths = vec![1; tree.nodes.len()];
    for (at, node) in tree.nodes.iter().enumerate() {
        for child in [node.left, node.right] {
            if let Child::Node(child) = child {
                depths[child as usize] = depths[at] + 1;
            }
        }
    }
    depths.into_iter().max().unwrap_or(0)
}

/// What a worker saw of some rounds.
#[derive(Debug)]
struct Seen {
    /// How often it met the others and what it sent, by what was done.
    by_verb: Vec<(Verb, Traffic)>,
    /// Cuts of the trees of these rounds, and their depths.
    trees: Vec<(usize, usize)>,
}

/// The rounds after the first few, which find their pace.
fn measured(table: &Table, choice: Choice, workers: usize, rounds: [usize; 2]) -> Vec<Seen> {
    let run = |rounds: usize| {
        let (meeting, setup) = (&Meeting::new(workers), &setup(choice, rounds));
        std::thread::scope(|scope| {
            let worker = |rank: usize| {
                let own: Vec<u32> = (rank as u32..table.rows as u32).step_by(workers).collect();
                let part = table.select(&own);
                let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
                let work = move || {
                    let attendee = meeting.attend(rank);
                    let prepared = prepare_among(part, &PrepareOptions::default(), &attendee).unwrap();
                    let setup = setup.for_data_among(&prepared.dataset, &attendee).unwrap();
                    let recorder = Recorder::new(&attendee);
                    let choices = Choices::default();
                    let watched = Watched::default();
                    let job = Job { setup: &setup, prepared: &prepared, watched, choices: &choices };
                    let outcome = job.train_among(&recorder, None, &AtomicBool::new(false), &mut ()).unwrap();
                    let trees = outcome.ensemble.terms().map(|term| match &term.hypothesis.cells {
                        Cells::Tree(tree) => (tree.nodes.len(), depth(tree)),
                        other => panic!("{other:?}"),
                    });
                    (recorder.by_verb(), trees.collect::<Vec<_>>())
                };
                scope.spawn(move || pool.install(work))
            };
            let threads: Vec<_> = (0..workers).map(worker).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        })
    };
    let (before, after) = (run(rounds[0]), run(rounds[1]));
    let seen = before.into_iter().zip(after).map(|((before, earlier), (after, trees))| {
        let since = |(verb, after): (Verb, Traffic)| {
            let before = before.iter().find(|one| one.0 == verb).map(|one| one.1).unwrap_or_default();
            let traffic = Traffic {
                exchanges: after.exchanges - before.exchanges,
                sent: after.sent - before.sent,
                numbers: after.numbers - before.numbers,
            };
            (verb, traffic)
        };
        Seen { by_verb: after.into_iter().map(since).collect(), trees: trees[earlier.len()..].to_vec() }
    });
    seen.collect()
}

impl Seen {
    fn sent(&self) -> u64 {
        self.by_verb.iter().map(|one| one.1.sent).sum()
    }

    fn of(&self, verb: Verb) -> Traffic {
        self.by_verb.iter().find(|one| one.0 == verb).map(|one| one.1).unwrap_or_default()
    }
}

/// What is demanded of trees, in percent.
struct Demand {
    /// Regions that are counted for each cut.
    counted: u64,
    /// Cells of a histogram, and sums of a cell.
    cells: [u64; 2],
    /// Bytes of what the histograms of these regions take as they are.
    sent: u64,
    /// Lots of regions of the depth of a tree.
    batches: u64,
}

impl Demand {
    fn check(&self, about: &str, seen: &[Seen]) {
        let workers = seen.len() as u64;
        let [cells, width] = self.cells;
        // Features are whole, so shares differ a little.
        let sent_by_all: u64 = seen.iter().map(|seen| seen.of(Verb::ScatterSum).sent).sum();
        for seen in seen {
            let rounds = seen.trees.len() as u64;
            let cuts = seen.trees.iter().map(|tree| tree.0 as u64).sum::<u64>();
            let deep = seen.trees.iter().map(|tree| tree.1 as u64).sum::<u64>();
            let scatters = seen.of(Verb::ScatterSum);
            // The sums of so many regions: those of cuts in the trees, and few that were cut for nothing.
            let needed = self.counted * cuts * cells * width;
            assert!(scatters.numbers * 100 <= needed * 110, "{about}: {needed} numbers: {seen:?}");
            let bytes = needed * size_of::<i32>() as u64 * (workers - 1);
            assert!(
                sent_by_all * 100 <= bytes * self.sent,
                "{about}: {sent_by_all} bytes of {bytes}: {seen:?}"
            );
            assert!(
                seen.sent() - scatters.sent <= bytes / 20,
                "{about}: all but histograms is little: {seen:?}"
            );
            let batches = seen.of(Verb::Gather).exchanges;
            assert!(scatters.exchanges <= 2 * batches, "{about}: {seen:?}");
            assert!(batches * 100 <= deep * self.batches, "{about}: {batches} lots, {deep} deep: {seen:?}");
            // The total of the root, weights, errors, cover, leaves, an interrupt.
            let small = seen.of(Verb::Sum).exchanges + seen.of(Verb::Max).exchanges;
            assert!(small <= 7 * rounds, "{about}: {small} small ones in {rounds} rounds: {seen:?}");
        }
    }
}

#[test]
fn histograms_of_all_features() {
    let table = table(12_000, 16, 255, 7);
    let options = &[("leaves", "128"), ("cuts", "0"), ("features", "1"), ("temperature", "1")];
    for workers in [2, 3] {
        let seen = measured(&table, ("mcboost", options), workers, [6, 12]);
        Demand { counted: 1, cells: [16 * 255, 9], sent: 30, batches: 130 }.check("all features", &seen);
    }
}

#[test]
fn levels() {
    let table = table(12_000, 16, 255, 7);
    let options =
        &[("leaves", "128"), ("depth", "7"), ("cuts", "0"), ("features", "1"), ("temperature", "1")];
    let seen = measured(&table, ("mcboost", options), 2, [2, 5]);
    // The root and each level but the last, whose sides are not searched: as many lots as the tree is deep.
    Demand { counted: 1, cells: [16 * 255, 9], sent: 90, batches: 100 }.check("levels", &seen);
}

/// Both sides of a cut have features of their own, 32 of 784.
#[test]
fn drawn_features() {
    let table = table(8_000, 784, 255, 10);
    let options = &[("leaves", "64"), ("cuts", "0"), ("features", "0.04"), ("temperature", "1")];
    let seen = measured(&table, ("mcboost", options), 2, [6, 10]);
    Demand { counted: 2, cells: [32 * 255, 12], sent: 35, batches: 160 }.check("drawn features", &seen);
}
