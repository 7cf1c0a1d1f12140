//! Effects against naive twins, and importance by shuffled columns.

use manyboost::data::{Frame, Table, Values, apply, generate};
use manyboost::explain::effects::{Axis, Effects, Output};
use manyboost::explain::permutation::permutation_importance;
use manyboost::prelude::*;

/// Numbers, categories and missing values.
fn mixed() -> (Table, Model) {
    let table = generate::mixed::mixed(200, 3, 7);
    let model = McBoost::new().rounds(8).leaves(6).fit(&table).unwrap();
    (table, model)
}

fn made(name: &str, rows: usize, seed: u64) -> Table {
    (generate::generator(name).unwrap().2)(rows, seed)
}

/// A table of numbers with their classes.
fn numbers(learner: &str) -> (Table, Model) {
    let table = made("gaussians", 150, 3);
    let model = Boost::named("samme").rounds(10).option("learner", learner).fit(&table).unwrap();
    (table, model)
}

/// The probabilities of a row of a frame with other values, by walking all hypotheses.
fn asked(model: &Model, frame: &Frame, row: usize, given: &[(usize, f64)]) -> Vec<f64> {
    let value = |feature: u32| {
        let own = given.iter().find(|(at, _)| *at == feature as usize);
        own.map_or_else(|| frame.value(row, feature as usize), |(_, value)| *value)
    };
    let width = model.ensemble.start.len();
    let mut scores = model.ensemble.first_scores(frame).row(row).to_vec();
    for term in model.ensemble.terms() {
        let cell = term.hypothesis.cells.cell(value);
        term.hypothesis.answers.applied(term.alpha, width).add(cell, &mut scores);
    }
    model.ensemble.reading.link.apply(&mut scores);
    scores
}

fn near(found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len());
    for (a, b) in found.iter().zip(wanted) {
        assert!((a - b).abs() < 1e-9, "{found:?}, not {wanted:?}");
    }
}

fn frame(model: &Model, table: &Table) -> Frame {
    Frame::new(table.clone(), &model.encoder).unwrap()
}

/// The feature of a column, and the columns that have one of their own.
fn features(model: &Model) -> Vec<(String, usize)> {
    let mut first = 0;
    let mut found = Vec::new();
    for column in model.encoder.column_encoders() {
        if !matches!(column.codec, manyboost::data::encode::Codec::Text(_)) {
            found.push((column.name.clone(), first));
        }
        first += column.codec.width();
    }
    found
}

#[test]
fn partial_and_individual_equal_walks() {
    let (table, model) = mixed();
    let (rows, frame) = (table.rows, frame(&model, &table));
    let mut effects = Effects::new(&model, &table, Output::Probabilities).unwrap();
    let names = features(&model);
    assert!(names.len() > 2);
    let (mut missing, mut levels) = (false, false);
    for (name, feature) in &names {
        let axis = effects.axis(name, 5).unwrap();
        missing |= axis.values.iter().any(|value| value.is_nan());
        levels |= axis.levels.is_some();
        let mean = effects.partial(std::slice::from_ref(&axis)).unwrap();
        let each = effects.individual(std::slice::from_ref(&axis)).unwrap();
        for (point, &value) in axis.values.iter().enumerate() {
            let mut sum = vec![0.0; mean.classes];
            for row in 0..rows {
                let wanted = asked(&model, &frame, row, &[(*feature, value)]);
                near(each.at(row * each.points() + point), &wanted);
                sum.iter_mut().zip(wanted).for_each(|(sum, x)| *sum += x / rows as f64);
            }
            near(mean.at(point), &sum);
        }
    }
    assert!(levels, "there are categories");
    assert!(missing, "values are missing");
    let axes = [effects.axis(&names[0].0, 3).unwrap(), effects.axis(&names[1].0, 3).unwrap()];
    let found = effects.partial(&axes).unwrap();
    for point in 0..found.points() {
        let places = found.places(point);
        let given = [(names[0].1, axes[0].values[places[0]]), (names[1].1, axes[1].values[places[1]])];
        let mut sum = vec![0.0; found.classes];
        for row in 0..rows {
            let wanted = asked(&model, &frame, row, &given);
            sum.iter_mut().zip(wanted).for_each(|(sum, x)| *sum += x / rows as f64);
        }
        near(found.at(point), &sum);
    }
    let twice = [axes[0].clone(), axes[0].clone()];
    assert!(effects.partial(&twice).is_err() && effects.axis("no such column", 3).is_err());
}

#[test]
fn accumulated_effects_equal_their_definition() {
    let (table, model) = numbers("tree");
    let frame = frame(&model, &table);
    let mut effects = Effects::new(&model, &table, Output::Probabilities).unwrap();
    for (name, feature) in features(&model) {
        let axis = effects.axis(&name, 6).unwrap();
        let found = effects.accumulated(std::slice::from_ref(&axis)).unwrap();
        let (edges, classes) = (&axis.values, found.classes);
        let inside = |row: usize, k: usize| {
            let x = frame.value(row, feature);
            (x > edges[k] || k == 0) && x <= edges[k + 1]
        };
        let mut sums = vec![vec![0.0; classes]];
        let mut centre = vec![0.0; classes];
        for k in 0..edges.len() - 1 {
            let rows: Vec<usize> = (0..table.rows).filter(|&row| inside(row, k)).collect();
            let mut next = sums[k].clone();
            for &row in &rows {
                let high = asked(&model, &frame, row, &[(feature, edges[k + 1])]);
                let low = asked(&model, &frame, row, &[(feature, edges[k])]);
                for class in 0..classes {
                    next[class] += (high[class] - low[class]) / rows.len() as f64;
                }
            }
            for class in 0..classes {
                centre[class] += rows.len() as f64 * (sums[k][class] + next[class]) / 2.0 / table.rows as f64;
            }
            sums.push(next);
        }
        for (point, sum) in sums.iter().enumerate() {
            let wanted: Vec<f64> = sum.iter().zip(&centre).map(|(sum, centre)| sum - centre).collect();
            near(found.at(point), &wanted);
        }
    }
}

#[test]
fn columns_that_only_add_do_nothing_together() {
    let (table, model) = numbers("stump");
    let mut effects = Effects::new(&model, &table, Output::Scores).unwrap();
    let names = features(&model);
    let axes: Vec<Axis> = names.iter().take(2).map(|(name, _)| effects.axis(name, 7).unwrap()).collect();
    let found = effects.accumulated(&axes).unwrap();
    assert_eq!(found.values.len(), found.points() * found.classes);
    assert!(found.values.iter().all(|x| x.abs() < 1e-9));
    // Trees that look at both do something together.
    let (table, model) = numbers("tree");
    let mut effects = Effects::new(&model, &table, Output::Scores).unwrap();
    assert!(effects.accumulated(&axes).unwrap().values.iter().any(|x| x.abs() > 1e-3));
}

#[test]
fn levels_accumulate_between_neighbours() {
    let (table, model) = mixed();
    let mut effects = Effects::new(&model, &table, Output::Scores).unwrap();
    let names = features(&model);
    let axes: Vec<Axis> = names.iter().map(|(name, _)| effects.axis(name, 4).unwrap()).collect();
    let axis = axes.iter().find(|axis| axis.levels.is_some()).unwrap();
    let found = effects.accumulated(std::slice::from_ref(axis)).unwrap();
    let frame = frame(&model, &table);
    let feature = names.iter().find(|(name, _)| *name == axis.name).unwrap().1;
    let counts: Vec<f64> = found.axes[0]
        .values
        .iter()
        .map(|level| (0..table.rows).filter(|&row| frame.value(row, feature) == *level).count() as f64)
        .collect();
    for class in 0..found.classes {
        let mean: f64 = counts.iter().enumerate().map(|(at, n)| n * found.at(at)[class]).sum();
        assert!(mean.abs() < 1e-9 * counts.iter().sum::<f64>());
    }
}

#[test]
fn shuffles_tell_columns_apart_in_any_order_of_rows() {
    let table = made("waveform", 300, 1);
    let model = McBoost::new().rounds(20).leaves(8).fit(&table).unwrap();
    let applied = |table: &Table| {
        apply(table.seen_by(&model.schema, true).unwrap(), &model.schema, &model.encoder).unwrap()
    };
    let found = permutation_importance(&model, &mut applied(&table), 3, 1).unwrap();
    assert_eq!(found, permutation_importance(&model, &mut applied(&table), 3, 1).unwrap());
    assert_ne!(found, permutation_importance(&model, &mut applied(&table), 3, 2).unwrap());
    let best = found.iter().map(|worth| worth.log_loss.mean).fold(0.0, f64::max);
    assert!(best > 0.05, "{best}");
    assert!(found.iter().all(|worth| worth.error.margin >= 0.0 && worth.classes.len() == 3));
    // The classes make up the whole.
    let Values::Words(_) = &table.columns.last().unwrap().values else { panic!("words") };
    let rows = applied(&table);
    for worth in &found {
        let mut sum = 0.0;
        for row in 0..rows.frame.rows() {
            sum += worth.classes[rows.labels.class(row).unwrap() as usize][1].mean;
        }
        let own: f64 = (0..3)
            .map(|class| {
                let count =
                    (0..rows.frame.rows()).filter(|&row| rows.labels.class(row) == Some(class)).count();
                count as f64 * worth.classes[class as usize][1].mean
            })
            .sum();
        assert!((sum - own).abs() < 1e-9);
        assert!((own / rows.frame.rows() as f64 - worth.log_loss.mean).abs() < 1e-9);
    }
    let mut other = applied(&table);
    other = other.select(&(0..300).rev().collect::<Vec<_>>());
    let turned = permutation_importance(&model, &mut other, 3, 1).unwrap();
    for (a, b) in found.iter().zip(&turned) {
        assert!((a.log_loss.mean - b.log_loss.mean).abs() < 1e-12, "{a:?}, not {b:?}");
        assert!((a.error.mean - b.error.mean).abs() < 1e-12);
    }
}
