//! Training on rows that are spread over several workers gives the model of one machine, to the bit.

mod common;

use std::sync::{Arc, Barrier, Mutex};

use common::{Choice, setup};
use manyboost::engine::train::{Outcome, train_among};
use manyboost_data::{Dataset, Frame, Labels, PrepareOptions, Weights, generate, prepare};
use manyboost_kernel::{Alone, Exchange};

/// Threads that meet for every sum.
struct Meeting {
    barrier: Barrier,
    table: Mutex<Option<Vec<i64>>>,
}

struct Worker(Arc<Meeting>);

impl Worker {
    fn meet(&self, numbers: &mut [i64], join: impl Fn(i64, i64) -> i64) {
        self.0.barrier.wait();
        {
            let mut table = self.0.table.lock().unwrap();
            match table.as_mut() {
                None => *table = Some(numbers.to_vec()),
                Some(sums) => {
                    assert_eq!(sums.len(), numbers.len(), "all ask for the same");
                    sums.iter_mut().zip(numbers.iter()).for_each(|(a, &b)| *a = join(*a, b));
                }
            }
        }
        self.0.barrier.wait();
        numbers.copy_from_slice(self.0.table.lock().unwrap().as_ref().unwrap());
        if self.0.barrier.wait().is_leader() {
            *self.0.table.lock().unwrap() = None;
        }
        self.0.barrier.wait();
    }
}

impl Exchange for Worker {
    fn sum(&self, numbers: &mut [i64]) {
        self.meet(numbers, |a, b| a + b);
    }
    fn max(&self, numbers: &mut [i64]) {
        self.meet(numbers, i64::max);
    }
}

fn outcomes(choice: Choice, parts: usize) -> (Outcome, Vec<Outcome>) {
    let table = generate::gaussians::gaussians(600, 3);
    let options = PrepareOptions { values: true, ..PrepareOptions::default() };
    let prepared = prepare(table.clone(), &options).unwrap();
    let setup = setup(choice, 6);
    let plan = setup.plan(3, None);
    let alone = train_among(&Alone, &plan, &prepared.dataset, &prepared.encoder).unwrap();
    let meeting = Arc::new(Meeting { barrier: Barrier::new(parts), table: Mutex::new(None) });
    let Labels::Classes { names, of } = &prepared.dataset.labels else { panic!("classes") };
    let worker = |part: usize| {
        // The last worker has no rows at all.
        let owner = |row: u32| (row as usize * row as usize) % (parts - 1).max(1);
        let rows: Vec<u32> = (0..600).filter(|&row| owner(row) == part).collect();
        let own = table.select(&rows);
        let data = Dataset {
            bins: prepared.encoder.encode(&own).unwrap(),
            labels: Labels::Classes {
                names: names.clone(),
                of: rows.iter().map(|&row| of[row as usize]).collect(),
            },
            weights: Weights::ones(rows.len()),
            values: Some(Frame::new(own, &prepared.encoder).unwrap()),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| train_among(&Worker(meeting.clone()), &plan, &data, &prepared.encoder).unwrap())
    };
    let all = std::thread::scope(|scope| {
        let worker = &worker;
        let handles: Vec<_> = (0..parts).map(|part| scope.spawn(move || worker(part))).collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    (alone, all)
}

#[test]
fn any_number_of_workers_gives_the_same_model() {
    let choices: [Choice; 17] = [
        ("samme", &[]),
        ("samme", &[("learner", "tree"), ("depth", "3"), ("criterion", "gini")]),
        ("mm", &[("learner", "tree"), ("leaves", "5")]),
        ("mcboost", &[("leaves", "8")]),
        ("mcboost", &[("leaves", "8"), ("features", "0.5")]),
        ("mcboost", &[("leaves", "8"), ("cuts", "2")]),
        ("iter", &[("epoch", "3")]),
        ("iter", &[("epoch", "3"), ("relabel", "position")]),
        ("mcboost", &[("leaves", "8"), ("precision", "narrow")]),
        ("iter", &[("epoch", "3"), ("learner", "linear")]),
        ("samme", &[("learner", "linear")]),
        ("mm", &[("learner", "linear")]),
        ("mh", &[("answers", "factored"), ("learner", "tree"), ("leaves", "6")]),
        ("mh", &[("learner", "product"), ("factors", "2")]),
        ("mcboost", &[("learner", "line")]),
        ("logitboost", &[("learner", "line")]),
        ("gd-mcboost", &[("learner", "line"), ("answers", "least-squares")]),
    ];
    for choice in choices {
        for parts in [2, 3, 7] {
            let (alone, all) = outcomes(choice, parts);
            assert_eq!(alone.history.len(), 6, "{choice:?}");
            for (worker, outcome) in all.iter().enumerate() {
                assert_eq!(&alone, outcome, "{choice:?}, worker {worker} of {parts}");
            }
        }
    }
}
