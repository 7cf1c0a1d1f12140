//! Prediction is a function of the model and the row: not of the file in between, the batch or the stage.

mod common;

use common::{ALL, data, is_linear, prepared, trained};
use manyboost::engine::scores::argmax;
use manyboost::model::Model;
use manyboost::model::reading::Link;
use manyboost_data::{Cell, Frame, Table, Values, generate};
use proptest::prelude::*;

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn saved_models_predict_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    for &choice in ALL {
        let prepared = prepared(data(choice, 300));
        let model = trained(&prepared, choice, 10);
        model.save(&path).unwrap();
        let read = Model::load(&path).unwrap();
        assert_eq!(read.to_bytes().unwrap(), model.to_bytes().unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), model.to_bytes().unwrap());
        let other = || generate::mixed::mixed(200, 4, 12);
        let (a, b) =
            (Frame::new(other(), &model.encoder).unwrap(), Frame::new(other(), &read.encoder).unwrap());
        assert_eq!(bits(model.predictor().scores(&a).values()), bits(read.predictor().scores(&b).values()));
        let (a, b) = (model.predictor().probabilities(&a), read.predictor().probabilities(&b));
        assert_eq!(bits(a.values()), bits(b.values()));
    }
}

#[test]
fn a_stage_is_a_shorter_training() {
    for &choice in ALL {
        let prepared = prepared(data(choice, 300));
        let whole = trained(&prepared, choice, 10);
        let frame = Frame::new(data(choice, 300), &whole.encoder).unwrap();
        // Weighted least squares may find no edge any more.
        let all = if is_linear(choice) { whole.history.len() } else { 10 };
        assert!(all > 5, "{choice:?}");
        for rounds in [1, 2, 5, all] {
            let short = trained(&prepared, choice, rounds);
            assert_eq!(short.history.len(), rounds, "{choice:?}");
            assert_eq!(short.history, whole.history[..rounds]);
            if choice.0 == "lp" || choice.1.contains(&("refit", "all")) {
                // The coefficients of a stage are those of the end.
                continue;
            }
            assert_eq!(
                bits(short.predictor().scores(&frame).values()),
                bits(whole.predictor_after(rounds).scores(&frame).values()),
                "{choice:?} after {rounds}"
            );
        }
        let none = whole.predictor_after(0).raw_scores(&frame);
        assert!((0..300).all(|row| none.row(row) == whole.ensemble.start));
        let all = whole.predictor_after(1_000_000).scores(&frame);
        assert_eq!(bits(all.values()), bits(whole.predictor().scores(&frame).values()));
    }
}

#[test]
fn probabilities_are_probabilities_and_agree_with_scores() {
    for &choice in ALL {
        let prepared = prepared(data(choice, 300));
        let model = trained(&prepared, choice, 12);
        let frame = Frame::new(data(choice, 300), &model.encoder).unwrap();
        let (scores, probabilities) =
            (model.predictor().scores(&frame), model.predictor().probabilities(&frame));
        for row in 0..300 {
            let p = probabilities.row(row);
            assert!(p.iter().all(|p| (0.0..=1.0).contains(p)), "{p:?}");
            assert!((p.iter().sum::<f64>() - 1.0).abs() <= 1e-12, "{p:?}");
            assert_eq!(argmax(p), argmax(scores.row(row)), "{choice:?}, row {row}");
        }
    }
}

#[test]
fn a_batch_is_one_row_at_a_time() {
    for &choice in ALL {
        let prepared = prepared(data(choice, 300));
        let model = trained(&prepared, choice, 12);
        let predictor = model.predictor();
        let all = Frame::new(data(choice, 300), &model.encoder).unwrap();
        let (scores, probabilities) = (predictor.scores(&all), predictor.probabilities(&all));
        for row in 0..300u32 {
            let one = Frame::new(data(choice, 300).select(&[row]), &model.encoder).unwrap();
            assert_eq!(bits(predictor.scores(&one).values()), bits(scores.row(row as usize)));
            assert_eq!(bits(predictor.probabilities(&one).values()), bits(probabilities.row(row as usize)));
        }
        let (table, alone) = (data(choice, 300), model.row_predictor());
        for row in 0..300 {
            let cells = cells(&table, &model, row);
            assert_eq!(bits(&alone.scores(&cells).unwrap()), bits(scores.row(row)), "{choice:?}");
            assert_eq!(bits(&alone.probabilities(&cells).unwrap()), bits(probabilities.row(row)));
            assert_eq!(alone.answer(&cells).unwrap(), model.answer(scores.row(row)));
        }
    }
}

/// A row in the order of a model's columns.
fn cells<'a>(table: &'a Table, model: &Model, row: usize) -> Vec<Cell<'a>> {
    let cell = |name: &str| match &table.column(name).unwrap().values {
        Values::Numbers(numbers) => Cell::Number(numbers.get(row)),
        Values::SparseNumbers(entries) => {
            Cell::Number(entries.iter().find(|entry| entry.0 as usize == row).map_or(0.0, |entry| entry.1))
        }
        Values::Words(words) => words.get(row).map_or(Cell::Missing, Cell::Word),
    };
    model.schema.features.iter().map(|feature| cell(&feature.name)).collect()
}

#[test]
fn rows_that_do_not_fit_are_refused() {
    let choice = ALL[0];
    let prepared = prepared(data(choice, 300));
    let (model, table) = (trained(&prepared, choice, 5), data(choice, 300));
    let alone = model.row_predictor();
    let cells = cells(&table, &model, 0);
    assert!(alone.scores(&cells[1..]).unwrap_err().what().contains("columns"));
    let wrong: Vec<Cell<'_>> = cells.iter().map(|_| Cell::Number(f64::INFINITY)).collect();
    assert!(alone.scores(&wrong).unwrap_err().what().contains("finite"));
}

proptest! {
    /// Also where scores hardly differ, and where they are large.
    #[test]
    fn the_likeliest_class_has_the_highest_score(
        base in -1e4f64..1e4,
        steps in prop::collection::vec(-3i32..4, 1..8),
        size in prop::sample::select(vec![0.0, 1e-17, 1e-16, 1e-12, 1e-3, 1.0, 300.0, 1e4]),
        scale in prop::sample::select(vec![1.0, 2.0]),
    ) {
        let scores: Vec<f64> = steps.iter().map(|&step| base + f64::from(step) * size).collect();
        let mut p = scores.clone();
        Link::Softmax(scale).apply(&mut p);
        prop_assert_eq!(argmax(&p), argmax(&scores), "{:?} from {:?}", p, scores);
        prop_assert!((p.iter().sum::<f64>() - 1.0).abs() <= 1e-12);
    }
}
