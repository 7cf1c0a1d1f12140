//! The smallest changes for another answer, against all rows that a model can tell apart.

use std::time::Duration;

use manyboost::data::encode::Codec;
use manyboost::data::{Frame, Table, generate};
use manyboost::explain::why_not::{Sought, WhyNot};
use manyboost::model::tree::Test;
use manyboost::prelude::*;

const LONG: Duration = Duration::from_secs(600);

fn frame(model: &Model, table: &Table) -> Frame {
    Frame::new(table.clone(), &model.encoder).unwrap()
}

fn answer(scores: &[f64]) -> usize {
    (0..scores.len()).reduce(|best, class| if scores[class] > scores[best] { class } else { best }).unwrap()
}

/// What a model answers to a row with other values in some columns.
fn answered(model: &Model, frame: &Frame, row: usize, given: &[(usize, f64)]) -> usize {
    let mut one = frame.select(&[row as u32]);
    for &(column, value) in given {
        let mut other = one.column_of(column, vec![value]);
        one.swap_column(column, &mut other);
    }
    answer(model.predictor().scores(&one).row(0))
}

/// Values of each column between all thresholds, or all levels; nothing where no test looks at it.
fn values(model: &Model) -> Vec<Vec<f64>> {
    let (mut first, mut all) = (0, Vec::new());
    for column in model.encoder.column_encoders() {
        let mut thresholds: Vec<f64> = Vec::new();
        let mut is_used = false;
        for node in model.trees().unwrap().iter().flat_map(|term| &term.tree.nodes) {
            if node.feature as usize == first {
                is_used = true;
                thresholds.extend(match node.test {
                    Test::AtMost(threshold) => Some(threshold),
                    Test::Levels(_) => None,
                });
            }
        }
        thresholds.sort_by(f64::total_cmp);
        thresholds.dedup();
        all.push(match &column.codec {
            _ if !is_used => Vec::new(),
            Codec::Category(codec) => (0..codec.levels().len()).map(|level| level as f64).collect(),
            _ => thresholds.iter().copied().chain(thresholds.last().map(|last| last + 1.0)).collect(),
        });
        first += column.codec.width();
    }
    all
}

/// A column and its value.
type Given = (usize, f64);

/// Whether some values of these columns, and the others as they are, give a class.
fn can(model: &Model, frame: &Frame, row: usize, columns: &[usize], class: usize) -> bool {
    fn go(
        left: &[usize],
        values: &[Vec<f64>],
        given: &mut Vec<Given>,
        is_answered: &dyn Fn(&[Given]) -> bool,
    ) -> bool {
        let Some((&column, rest)) = left.split_first() else { return is_answered(given) };
        values[column].iter().any(|&value| {
            given.push((column, value));
            let found = go(rest, values, given, is_answered);
            given.pop();
            found
        })
    }
    let is_answered = |given: &[(usize, f64)]| answered(model, frame, row, given) == class;
    go(columns, &values(model), &mut Vec::new(), &is_answered)
}

/// The answer is as sought, and no fewer columns give it.
fn check(model: &Model, frame: &Frame, row: usize, class: usize, fixed: &[usize], sought: &Sought) {
    assert!(sought.complete);
    let columns: Vec<usize> =
        (0..model.encoder.column_encoders().len()).filter(|column| !fixed.contains(column)).collect();
    let fewer = match &sought.found {
        Some(found) => {
            let given: Vec<(usize, f64)> =
                found.changes.iter().map(|change| (change.column, change.to)).collect();
            assert_eq!(answered(model, frame, row, &given), class, "{found:?}");
            assert!(given.iter().all(|(column, _)| !fixed.contains(column)));
            found.changes.len()
        }
        None => columns.len() + 1,
    };
    for set in 0u32..1 << columns.len() {
        let some: Vec<usize> = columns
            .iter()
            .enumerate()
            .filter(|(at, _)| set >> at & 1 == 1)
            .map(|(_, column)| *column)
            .collect();
        if some.len() < fewer {
            assert!(!can(model, frame, row, &some, class), "row {row}, class {class}: {some:?} are enough");
        }
    }
}

#[test]
fn no_fewer_columns_do() {
    let (mut none, mut several) = (0, 0);
    for seed in 1..5 {
        let table = generate::mixed::mixed(60, 3, seed);
        let model = McBoost::new().rounds(3).leaves(4).option("members", "1").fit(&table).unwrap();
        let (frame, why_not) = (frame(&model, &table), WhyNot::new(&model, &[]).unwrap());
        for row in 0..4 {
            let now = answered(&model, &frame, row, &[]);
            for class in (0..3).filter(|class| *class != now) {
                let sought = why_not.find(&frame, row, Some(class), LONG);
                check(&model, &frame, row, class, &[], &sought);
                none += usize::from(sought.found.is_none());
                several += usize::from(sought.found.is_some_and(|found| found.changes.len() > 1));
            }
        }
    }
    assert!(none + several > 0, "cases that are not all the same");
}

#[test]
fn the_nearest_value_is_taken_and_fixed_columns_stay() {
    let rows: Vec<[f64; 2]> = (0..40).map(|i| [f64::from(i), f64::from(i % 2)]).collect();
    let classes: Vec<&str> = (0..40)
        .map(|i| {
            if i < 10 {
                "a"
            } else if i < 25 {
                "b"
            } else {
                "a"
            }
        })
        .collect();
    let table = Table::from_rows(&rows, &classes).unwrap();
    let model = Boost::named("mh").rounds(40).option("learner", "stump").fit(&table).unwrap();
    let (frame, why_not) = (frame(&model, &table), WhyNot::new(&model, &[]).unwrap());
    let b = 1;
    let near = |row: usize| {
        let found = why_not.find(&frame, row, Some(b), LONG).found.unwrap();
        assert_eq!((found.changes.len(), found.changes[0].column), (1, 0), "row {row}");
        found.changes[0].to
    };
    // From either side to its own end of the range.
    assert!((9.0..=11.0).contains(&near(0)), "{}", near(0));
    assert!((23.0..=25.5).contains(&near(39)), "{}", near(39));
    let any = why_not.find(&frame, 0, None, LONG);
    assert_eq!(any, why_not.find(&frame, 0, Some(b), LONG));
    let as_it_is = why_not.find(&frame, 12, Some(b), LONG).found.unwrap();
    assert!(as_it_is.changes.is_empty());
    let first = model.encoder.column_encoders()[0].name.clone();
    let fixed = WhyNot::new(&model, std::slice::from_ref(&first)).unwrap();
    check(&model, &frame, 0, b, &[0], &fixed.find(&frame, 0, Some(b), LONG));
    assert!(WhyNot::new(&model, &["no such column".into()]).is_err());
}

#[test]
fn without_time_something_is_found_all_the_same() {
    let table = generate::mixed::mixed(200, 3, 7);
    let model = McBoost::new().rounds(20).leaves(8).option("members", "1").fit(&table).unwrap();
    let (frame, why_not) = (frame(&model, &table), WhyNot::new(&model, &[]).unwrap());
    let sought = why_not.find(&frame, 0, None, Duration::ZERO);
    assert!(!sought.complete);
    let found = sought.found.unwrap();
    let given: Vec<(usize, f64)> = found.changes.iter().map(|change| (change.column, change.to)).collect();
    assert_eq!(answered(&model, &frame, 0, &given), found.class);
}

#[test]
fn what_is_no_sum_of_trees_is_refused() {
    let table = generate::mixed::mixed(60, 3, 1);
    for booster in ["iter", "mo"] {
        let model = Boost::named(booster).rounds(3).fit(&table).unwrap();
        assert!(WhyNot::new(&model, &[]).is_err(), "{booster}");
    }
}
