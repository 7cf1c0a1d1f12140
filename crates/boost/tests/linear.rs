//! Linear classifiers and lines as weak learners: whatever the numbers are, training ends well; what they cannot do is refused.

mod common;

use std::sync::atomic::AtomicBool;

use common::{
    ALL, Choice, Training, bytes, is_linear, looks_at_values, mixed, numbers, prepared, setup, trained,
};
use manyboost::engine::scores::argmax;
use manyboost::engine::train as engine;
use manyboost::model::Model;
use manyboost::model::hypothesis::Cells;
use manyboost::model::linear::Linear;
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::{
    Column, EncodeOptions, Frame, Kind, Labels, Numbers, PrepareOptions, Role, Table, Values, generate,
    prepare,
};
use proptest::prelude::*;

/// Those of [`ALL`] with linear classifiers.
fn linear() -> impl Iterator<Item = Choice> {
    ALL.iter().copied().filter(|&choice| is_linear(choice))
}

/// Those of [`ALL`] that take numbers only.
fn of_numbers() -> impl Iterator<Item = Choice> {
    ALL.iter().copied().filter(|&choice| looks_at_values(choice))
}

/// The table with one more column.
fn with(mut table: Table, name: &str, values: Vec<f64>) -> Table {
    let (role, values) = (Role::Feature(Some(Kind::Number)), Values::Numbers(Numbers::F64(values)));
    table.columns.insert(0, Column { name: name.into(), role, values });
    table
}

fn column(table: &Table, name: &str) -> Vec<f64> {
    let Values::Numbers(numbers) = &table.column(name).unwrap().values else { panic!("numbers") };
    (0..table.rows).map(|row| numbers.get(row)).collect()
}

fn planes(choice: Choice, table: Table, rounds: usize) -> Vec<Linear> {
    let model = trained(&prepared(table), choice, rounds);
    let plane = |cells: &Cells| match cells {
        Cells::Linear(plane) => plane.clone(),
        Cells::Tree(_) | Cells::Product(_) => panic!("a tree"),
    };
    model.ensemble.terms().map(|term| plane(&term.hypothesis.cells)).collect()
}

/// Two numbers and a class per row.
fn small(rows: &[(i32, i32, u32)]) -> Table {
    let words = manyboost_data::Words {
        codes: rows.iter().map(|row| row.2).collect(),
        dictionary: (0..4).map(|i| format!("class {i}").into()).collect(),
    };
    let target = Column { name: "class".into(), role: Role::Target, values: Values::Words(words) };
    let table = Table { source: "random".into(), columns: vec![target], rows: rows.len(), notes: Vec::new() };
    let table = with(table, "a", rows.iter().map(|row| f64::from(row.0)).collect());
    with(table, "b", rows.iter().map(|row| f64::from(row.1)).collect())
}

/// Training errors are those of the model, and nothing is infinite; returns the model.
fn trains_well(choice: Choice, table: &Table, rounds: usize) -> Model {
    let data = prepared(table.clone());
    let training = Training::new(&data, choice, rounds);
    let outcome = training.run(None, &mut ());
    let model = training.model(outcome);
    let model = Model::from_bytes(&model.to_bytes().unwrap()).unwrap();
    let frame = Frame::new(table.clone(), &model.encoder).unwrap();
    let scores = model.predictor().scores(&frame);
    assert!(scores.values().iter().all(|s| s.is_finite()), "{choice:?}");
    let labels = &data.dataset.labels;
    let quality = manyboost::evaluate::metrics::quality(
        &scores,
        model.ensemble.reading.link,
        labels,
        &data.dataset.weights,
    );
    match model.history.last() {
        Some(record) => assert_eq!(record.train_error, quality.error, "{choice:?}"),
        // Nothing was learnt: all rows score as they began.
        None => assert!((1..scores.rows()).all(|row| scores.row(row) == scores.row(0)), "{choice:?}"),
    }
    model
}

#[test]
fn odd_columns_do_no_harm() {
    let usual = numbers(mixed(200));
    let (x, y) = (column(&usual, "x1"), column(&usual, "x2"));
    let of = |f: &dyn Fn(usize) -> f64| (0..200).map(f).collect::<Vec<f64>>();
    let odd = [
        ("constant", of(&|_| 1e300)),
        ("missing", of(&|_| f64::NAN)),
        ("twice", of(&|row| 2.0 * x[row])),
        ("sum", of(&|row| x[row] + y[row])),
        ("offset", of(&|row| 1e12 + x[row])),
        ("huge", of(&|row| 1e300 * x[row])),
        ("larger", of(&|row| f64::MAX * if row.is_multiple_of(2) { 1.0 } else { -1.0 })),
        ("tiny", of(&|row| 1e-300 * x[row])),
        ("smaller", of(&|row| f64::from_bits(row as u64))),
        ("outlier", of(&|row| if row == 7 { 1e200 } else { x[row] })),
        ("once", of(&|row| if row == 7 { 1.0 } else { f64::NAN })),
    ];
    for choice in of_numbers() {
        for (name, values) in &odd {
            let model = trains_well(choice, &with(usual.clone(), name, values.clone()), 5);
            assert!(!model.history.is_empty(), "{choice:?} with {name} learns nothing");
        }
        let all = odd.iter().fold(usual.clone(), |table, (name, values)| with(table, name, values.clone()));
        trains_well(choice, &all, 8);
        let mut only = with(usual.clone(), "constant", of(&|_| 3.0));
        only.columns.retain(|column| column.name == "constant" || column.role == Role::Target);
        trains_well(choice, &only, 3);
    }
}

#[test]
fn few_rows_and_few_classes_do_no_harm() {
    let drawn: Choice = ("samme", &[("learner", "linear"), ("regression", "resampled")]);
    for choice in of_numbers().chain([drawn]) {
        for rows in [1, 2, 3, 5] {
            trains_well(choice, &numbers(mixed(rows)), 4);
        }
        trains_well(choice, &numbers(generate::mixed::mixed(30, 1, 3)), 4);
        trains_well(choice, &numbers(generate::mixed::mixed(30, 2, 3)), 4);
    }
}

/// Of 60 classes 45 are paired. The two that weigh more than all others together are the last ones, and a hyperplane must tell them apart.
#[test]
fn many_classes_are_paired_by_weight() {
    let shape = generate::blobs::BlobShape { classes: 60, features: 6, noise: 1, ..Default::default() };
    let table = generate::blobs::blobs(1500, &shape, 4);
    let Labels::Classes { of, .. } = prepared(table.clone()).dataset.labels else { panic!("classes") };
    let weights = of.iter().map(|&class| if class >= 58 { 100.0 } else { 1.0 }).collect();
    let table = common::weighted(table, weights);
    for choice in [
        ("samme", &[("learner", "linear")][..]),
        ("mm", &[("learner", "linear")]),
        ("iter", &[("learner", "linear"), ("epoch", "2")]),
    ] {
        let model = trains_well(choice, &table, 4);
        assert_eq!(model.history.len(), 4, "{choice:?}");
        let first = &model.ensemble.rounds[0][0].hypothesis.answers;
        let mut named: Vec<usize> =
            (0..2).map(|side| argmax(&first.vector(side, model.ensemble.start.len()))).collect();
        named.sort_unstable();
        assert_eq!(named, [58, 59], "{choice:?}");
    }
}

#[test]
fn shifts_and_scales_change_no_side() {
    // Powers of two and sums that are exact, so that not a bit is lost.
    let mut table = numbers(generate::mixed::mixed(200, 3, 5));
    let rounded =
        |name: &str| column(&table, name).iter().map(|x| (x * 64.0).round() / 64.0).collect::<Vec<_>>();
    let columns = ["x1", "x2", "x3", "x4"].map(rounded);
    table.columns.retain(|column| column.role == Role::Target);
    let make = |change: fn(f64) -> f64| {
        let named = columns.iter().enumerate();
        named.fold(table.clone(), |table, (at, x)| {
            with(table, &format!("x{at}"), x.iter().map(|&x| change(x)).collect())
        })
    };
    let sides = |table: Table, choice| {
        let model = trained(&prepared(table.clone()), choice, 6);
        let frame = Frame::new(table, &model.encoder).unwrap();
        model.predictor().scores(&frame).values().to_vec()
    };
    for choice in of_numbers() {
        let usual = sides(make(|x| x), choice);
        let moved = sides(make(|x| 1024.0 * x + 4096.0), choice);
        assert!(usual.iter().zip(&moved).all(|(a, b)| (a - b).abs() < 1e-6), "{choice:?}");
    }
}

#[test]
fn a_missing_value_is_the_mean() {
    let table = numbers(mixed(300));
    let means = |x: Vec<f64>| {
        let there: Vec<f64> = x.iter().copied().filter(|x| !x.is_nan()).collect();
        assert!(there.len() < x.len());
        there.iter().sum::<f64>() / there.len() as f64
    };
    for plane in planes(("iter", &[("learner", "linear")]), table.clone(), 5) {
        for slope in &plane.slopes {
            let mean = means(column(&table, &format!("x{}", slope.feature + 1)));
            assert!((slope.mean - mean).abs() < 1e-12, "{slope:?}");
            let at = |value: f64| plane.cell(|feature| if feature == slope.feature { value } else { 0.3 });
            assert_eq!(at(f64::NAN), at(slope.mean));
        }
    }
}

#[test]
fn two_classes_are_signs() {
    // Boosters that coincide on two classes find the same hyperplanes.
    let table = || numbers(generate::mixed::mixed(150, 2, 9));
    let usual = planes(("adaboost", &[("learner", "linear")]), table(), 6);
    assert!(usual.len() == 6 && usual.iter().any(|plane| plane.slopes.len() == 4));
    for booster in ["samme", "mm", "m1"] {
        let same = planes((booster, &[("learner", "linear")]), table(), 6);
        assert_eq!(same.len(), usual.len(), "{booster}");
        for (round, (a, b)) in usual.iter().zip(&same).enumerate() {
            // The first class is −1 where signs are asked for.
            let near = |a: f64, b: f64| (a - b).abs() < 1e-7 || (a + b).abs() < 1e-7;
            assert!(near(a.intercept, b.intercept), "{booster}, round {round}: {a:?} {b:?}");
            assert!(
                a.slopes.iter().zip(&b.slopes).all(|(a, b)| near(a.slope, b.slope)),
                "{booster}, {round}"
            );
        }
    }
}

#[test]
fn rows_drawn_by_weight_are_a_function_of_the_seed() {
    let table = || generate::spheres::spheres(400, 4, 3, 1);
    let drawn: Choice = ("iter", &[("learner", "linear"), ("regression", "resampled"), ("epoch", "60")]);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| bytes(table(), drawn, 40))
    };
    assert!(on(1) == on(3));
    let weighted: Choice = ("iter", &[("learner", "linear"), ("epoch", "60")]);
    assert!(planes(drawn, table(), 9) != planes(weighted, table(), 9));
    let share: Choice = ("iter", &[("learner", "linear"), ("subsample", "0.5"), ("epoch", "60")]);
    assert!(planes(share, table(), 9) != planes(weighted, table(), 9));
}

#[test]
fn drawing_keeps_the_edge_where_weights_stall() {
    // Spheres around one centre: no hyperplane is good, and only many different ones together are.
    let error = |options: &'static [(&str, &str)]| {
        let data = prepared(generate::spheres::spheres(300, 3, 3, 1));
        let training = Training::new(&data, ("iter", options), 3000);
        training.run(None, &mut ()).history.last().map_or(1.0, |record| record.train_error)
    };
    let position: &[(&str, &str)] =
        &[("learner", "linear"), ("regression", "resampled"), ("epoch", "1500"), ("relabel", "position")];
    let drawn = error(position);
    let weighted = error(&[("learner", "linear"), ("epoch", "1500"), ("relabel", "position")]);
    assert!(drawn < 0.2 && drawn < weighted - 0.2, "{drawn} {weighted}");
}

#[test]
fn the_last_epoch_does_not_want_for_an_edge() {
    let data = prepared(generate::spheres::spheres(300, 3, 3, 1));
    let options = &[("learner", "linear"), ("regression", "resampled"), ("epoch", "60")];
    let outcome = Training::new(&data, ("iter", options), 1000).run(None, &mut ());
    assert_eq!((outcome.history.len(), outcome.stop), (120, manyboost::spec::booster::Stop::Rounds));
}

#[test]
fn lists_may_have_fewer_channels_than_there_are_classes() {
    // The first epoch takes the same class off every list: three channels are left, of classes 0, 1 and 3.
    let rows = [
        (0, -3, 0),
        (0, 4, 0),
        (2, 3, 3),
        (-1, 4, 3),
        (0, 2, 2),
        (0, -5, 1),
        (0, -8, 3),
        (2, 0, 0),
        (-2, 1, 1),
        (0, 0, 1),
        (1, 7, 1),
        (-3, -5, 0),
        (0, 8, 0),
        (3, 3, 1),
        (-1, 4, 3),
        (0, 1, 0),
        (0, -1, 3),
        (2, 0, 3),
        (0, 0, 1),
        (0, 0, 0),
    ];
    trains_well(("iter", &[("learner", "linear"), ("epoch", "4")]), &small(&rows), 6);
}

#[test]
fn what_makes_no_sense_is_refused_with_words() {
    let refusal = |table: Table, choice: Choice, values: bool| {
        let encode = EncodeOptions::default();
        let data = prepare(table, &PrepareOptions { encode, values, ..PrepareOptions::default() }).unwrap();
        let options = choice.1.iter().map(|&(name, value)| (name.to_string(), value.to_string()));
        let setup = match Setup::new(choice.0, Options::new(options)) {
            Ok(setup) => setup.for_data(&data.dataset).unwrap(),
            Err(error) => return error.what().to_string(),
        };
        let outcome = engine::Training::new(&setup.plan(0, None), &data.dataset, &data.encoder).outcome();
        let error = outcome.expect_err("refused");
        assert!(!error.remedy().is_empty());
        error.what().to_string()
    };
    let samme: Choice = ("samme", &[("learner", "linear")]);
    let mut categories = mixed(60);
    assert!(refusal(categories.clone(), samme, true).contains("\"colour\" is categories"));
    categories.columns.retain(|column| column.name != "colour");
    assert!(refusal(categories, samme, true).contains("\"text\" is text"));
    assert!(refusal(numbers(mixed(60)), samme, false).contains("prepared without"));
    let wide = (0..1100).fold(numbers(mixed(4)), |table, at| with(table, &format!("c{at}"), vec![1.0; 4]));
    assert!(refusal(wide, samme, true).contains("up to 1024 features"));
    let vectors: [Choice; 6] = [
        ("mcboost", &[("learner", "linear")]),
        ("mh-real", &[("learner", "linear")]),
        ("logitboost", &[("learner", "linear")]),
        ("gd-mcboost", &[("learner", "linear"), ("answers", "unit")]),
        ("cd-mcboost", &[("learner", "linear"), ("answers", "least-squares")]),
        ("mo", &[("learner", "linear"), ("answers", "confidence")]),
    ];
    for choice in vectors {
        assert!(refusal(numbers(mixed(60)), choice, true).contains("asks for numbers"), "{choice:?}");
    }
    let others: [Choice; 4] = [
        ("samme", &[("learner", "line")]),
        ("mh-real", &[("learner", "line")]),
        ("gd-mcboost", &[("learner", "line"), ("answers", "unit")]),
        ("cd-mcboost", &[("learner", "line")]),
    ];
    for choice in others {
        assert!(
            refusal(numbers(mixed(60)), choice, true).contains("`learner=line` fits numbers"),
            "{choice:?}"
        );
    }
    let lines: Choice = ("logitboost", &[("learner", "line")]);
    assert!(refusal(mixed(60), lines, true).contains("`learner=line` takes numbers only"));
    assert!(refusal(numbers(mixed(60)), lines, false).contains("prepared without"));
    let two = numbers(generate::mixed::mixed(60, 2, 1));
    let abstain: Choice = ("adaboost", &[("learner", "linear"), ("answers", "abstain")]);
    assert!(refusal(two, abstain, true).contains("asks for numbers"));
}

#[test]
fn an_earlier_run_of_hyperplanes_needs_values() {
    let data = prepared(numbers(mixed(80)));
    let training = Training::new(&data, ("samme", &[("learner", "linear")]), 4);
    let earlier = training.run(None, &mut ());
    let mut without = data.dataset.clone();
    without.values = None;
    let setup = setup(("samme", &[]), 8);
    let (plan, never) = (setup.plan(7, None), AtomicBool::new(false));
    let go_on = |data| {
        let encoder = prepared(numbers(mixed(80))).encoder;
        engine::Training::new(&plan, data, &encoder).run(Some(earlier.clone()), &never, &mut ())
    };
    assert!(go_on(&without).unwrap_err().what().contains("linear"));
    assert_eq!(go_on(&data.dataset).unwrap().history.len(), 8);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// The sides of training are those of prediction.
    #[test]
    fn random_rows(
        rows in prop::collection::vec((-4i32..4, -9i32..9, 0u32..4), 2..80),
        which in 0..10usize,
    ) {
        let table = small(&rows);
        let choice = linear().nth(which).unwrap();
        trains_well(choice, &table, 6);
    }
}
