use polyboost::options::Options;
use polyboost::predict::Predictor;
use polyboost::registry::Setup;
use polyboost::train::{Plan, Watched, train};
use polyboost_data::{Limits, PrepareOptions, TrainingPlan, apply, prepare, read};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (train_path, test_path, booster) = (&args[1], &args[2], &args[3]);
    let mut bins = 255;
    let mut given: Vec<(String, String)> = Vec::new();
    for pair in args[4..].chunks(2) {
        if pair[0] == "bins" {
            bins = pair[1].parse().unwrap();
        } else {
            given.push((pair[0].clone(), pair[1].clone()));
        }
    }
    let t = Instant::now();
    let plan = TrainingPlan::default();
    let mut table = read(train_path, &plan, &Limits::default()).unwrap();
    let test = if test_path == "-" {
        let rows = table.rows as u32;
        let test = table.select(&(0..rows).filter(|r| r % 5 == 4).collect::<Vec<_>>());
        table = table.select(&(0..rows).filter(|r| r % 5 != 4).collect::<Vec<_>>());
        test
    } else {
        read(test_path, &plan, &Limits::default()).unwrap()
    };
    let mut options = PrepareOptions::default();
    options.encode.bins = bins;
    let prepared = prepare(table, &options).unwrap();
    let test = apply(test, &prepared.schema, &prepared.encoder).unwrap();
    eprintln!("read {:.3}", t.elapsed().as_secs_f64());
    let setup = Setup::new(booster, Options::new(given)).unwrap();
    let plan = Plan {
        booster: setup.booster.as_ref(),
        tree: setup.tree.clone(),
        rounds: setup.rounds,
        seed: 1,
        patience: None,
    };
    let t = Instant::now();
    let out = train(
        &plan,
        &prepared.dataset,
        &prepared.encoder,
        Watched::default(),
        None,
        &AtomicBool::new(false),
        &mut (),
    )
    .unwrap();
    let fit = t.elapsed().as_secs_f64();
    let t = Instant::now();
    let p = Predictor::new(&out.ensemble, usize::MAX);
    let s = p.scores(&test.frame);
    let pred = t.elapsed().as_secs_f64();
    let q = polyboost::metrics::quality(&s, out.ensemble.link, &test.labels, &test.weights);
    let last = out.history.last().unwrap();
    println!(
        "{booster} rounds {} stop {} fit {fit:.3} ({:.2} ms/round) predict {pred:.3} train {:.4} test {:.4} logloss {:.4} loss {:.5} bound {:?}",
        out.history.len(),
        out.stop.name(),
        1e3 * fit / out.history.len() as f64,
        last.train_error,
        q.error,
        q.log_loss,
        last.loss,
        last.bound
    );
}
