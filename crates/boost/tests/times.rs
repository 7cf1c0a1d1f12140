//! Dates and times: one column of the table is several features of trees, and one column again wherever a model is looked at.

mod common;

use common::{prepared, trained};
use manyboost::evaluate::importance;
use manyboost::explain::effects::{Effects, Output};
use manyboost::explain::permutation::permutation_importance;
use manyboost::explain::why_not::WhyNot;
use manyboost::explain::{Explainer, Grain};
use manyboost::model::Model;
use manyboost_data::encode::Codec;
use manyboost_data::read::read_csv_from;
use manyboost_data::{
    Cell, Clock, ErrorKind, Frame, Kind, Limits, PrepareOptions, Role, Table, TimePart, TrainingPlan, Values,
    apply, prepare, prepare_among,
};
use manyboost_kernel::exchange::Meeting;

const DAY: f64 = 86_400.0;

/// Rows whose class is told by the day of the week and the hour; some times are missing.
fn table(rows: usize) -> Table {
    let at = |row: usize| 1.6e9 + 17.0 * 3600.0 * row as f64 + 61.0;
    let when = |row: usize| if row % 11 == 3 { f64::NAN } else { at(row) };
    let class = |row: usize| match (TimePart::Weekday.of(at(row)), TimePart::Hour.of(at(row))) {
        (6.0 | 7.0, _) => "weekend",
        (_, 9.0..17.0) => "work",
        _ => "rest",
    };
    Table::builder()
        .times("when", (0..rows).map(when))
        .durations("took", (0..rows).map(|row| (row * 37 % 101) as f64))
        .numbers("x", (0..rows).map(|row| (row * 13 % 29) as f64))
        .classes((0..rows).map(class))
        .build()
        .expect("a table")
}

const TREES: common::Choice = ("mcboost", &[("leaves", "6"), ("cuts", "0")]);

fn model(rows: usize) -> Model {
    trained(&prepared(table(rows)), TREES, 20)
}

#[test]
fn parts_that_never_change_are_left_out() {
    let parts = |table: Table| match &prepared(table).encoder.column_encoders()[0].codec {
        Codec::Time(codec) => codec.parts().to_vec(),
        other => panic!("{other:?}"),
    };
    assert_eq!(parts(table(900)), TimePart::ALL);
    let days = |rows: i32| {
        let days = (0..rows).map(|day| 1_614_556_800.0 + DAY * f64::from(day));
        Table::builder().times("when", days).classes((0..rows).map(|day| day % 2)).build().expect("a table")
    };
    // March 2021.
    assert_eq!(parts(days(20)), [TimePart::DayOfYear, TimePart::Weekday]);
    assert_eq!(parts(days(40)), [TimePart::Month, TimePart::DayOfYear, TimePart::Weekday]);
    assert!(parts(days(1)).is_empty());
}

#[test]
fn trees_learn_what_the_calendar_tells() {
    let (model, rows) = (model(600), table(900));
    let applied = apply(rows, &model.schema, &model.encoder).expect("rows");
    let scores = model.predictor().scores(&applied.frame);
    let right = |row: &usize| {
        applied.labels.class(*row) == Some(manyboost::engine::scores::argmax(scores.row(*row)) as u32)
    };
    let known: Vec<usize> = (0..900).filter(|row| !applied.frame.value(*row, 0).is_nan()).collect();
    let share = known.iter().copied().filter(|row| right(row)).count() as f64 / known.len() as f64;
    assert!(share > 0.97, "{share}");
}

#[test]
fn a_column_of_times_is_one_column() {
    let model = model(400);
    let importances = importance::of(&model);
    assert_eq!(importances.iter().filter(|own| own.column == "when").count(), 1);
    assert!(importances[0].column == "when" && importances[0].share > 0.8);
    assert!((importances.iter().map(|own| own.share).sum::<f64>() - 1.0).abs() < 1e-12);
    let frame = Frame::new(table(60), &model.encoder).expect("rows");
    let scores = model.predictor().scores(&frame);
    for grain in [Grain::Columns, Grain::Words] {
        let explainer = Explainer::new(&model, grain).expect("trees");
        let found = explainer.values(&frame).expect("values");
        let whens = explainer.parts().iter().filter(|part| part.column == "when").count();
        assert_eq!(whens, 1, "{grain:?}");
        for row in 0..60 {
            for (class, score) in scores.row(row).iter().enumerate() {
                let sum: f64 = (0..found.parts).map(|part| found.part(row, part)[class]).sum();
                assert!((sum + explainer.expected()[class] - score).abs() < 1e-9);
            }
        }
    }
    let mut applied = apply(table(300), &model.schema, &model.encoder).expect("rows");
    let worth = permutation_importance(&model, &mut applied, 3, 1).expect("rows");
    let names: Vec<&str> = worth.iter().map(|own| own.column.as_str()).collect();
    assert_eq!(names, ["when", "took", "x"]);
    assert!(worth[0].error.mean > 0.3 && worth[2].error.mean < 0.1);
}

#[test]
fn effects_move_all_parts_together() {
    let model = model(400);
    let rows = table(100);
    let mut effects = Effects::new(&model, &rows, Output::Probabilities).expect("rows");
    // A Wednesday and a Saturday, at noon.
    let days = [1_614_772_800.0, 1_615_032_000.0];
    let axis = effects.axis("when", 10).expect("a column").with_values(days.to_vec());
    assert_eq!([axis.shown(0), axis.shown(1)], ["2021-03-03T12:00:00", "2021-03-06T12:00:00"]);
    let found = effects.partial(&[axis]).expect("effects");
    let classes: Vec<&str> = (0..3).filter_map(|class| model.schema.target.label(class)).collect();
    let best = |point: usize| classes[manyboost::engine::scores::argmax(found.at(point))];
    assert_eq!([best(0), best(1)], ["work", "weekend"]);
    let axis = effects.axis("when", 10).expect("a column");
    assert!(effects.accumulated(&[axis]).is_ok());
}

#[test]
fn times_are_left_as_they_are_by_why_not() {
    let model = model(400);
    let frame = Frame::new(table(40), &model.encoder).expect("rows");
    let asked = WhyNot::new(&model, &[]).expect("trees");
    for row in 0..40 {
        let sought = asked.find(&frame, row, None, std::time::Duration::from_secs(20));
        assert!(sought.found.iter().flat_map(|found| &found.changes).all(|change| change.column > 0));
    }
}

#[test]
fn rows_without_a_table_are_answered_alike() {
    let model = model(400);
    let (rows, single) = (table(80), model.row_predictor());
    let frame = Frame::new(rows.clone(), &model.encoder).expect("rows");
    let scores = model.predictor().scores(&frame);
    let number = |column: usize, row: usize| match &rows.columns[column].values {
        Values::Numbers(numbers) => numbers.get(row),
        other => panic!("{other:?}"),
    };
    for row in 0..80 {
        let [when, took, x] = [0, 1, 2].map(|column| number(column, row));
        let cells = [Cell::Seconds(when), Cell::Seconds(took), Cell::Number(x)];
        assert_eq!(single.scores(&cells).expect("a row"), scores.row(row));
    }
    let [text, gone] =
        [[Cell::Word("2021-03-06T12:00:00Z"), Cell::Word("0:01")], [Cell::Missing, Cell::Missing]];
    for cells in [text, gone] {
        assert!(single.scores(&[cells[0], cells[1], Cell::Number(1.0)]).is_ok());
    }
    let error = single.scores(&[Cell::Number(1.6e9), Cell::Missing, Cell::Missing]).unwrap_err();
    assert!(error.what().contains("\"when\"") && error.what().contains("dates"), "{error}");
}

#[test]
fn models_are_kept_with_their_times() {
    let model = model(200);
    let bytes = model.to_bytes().expect("a file");
    let again = Model::from_bytes(&bytes).expect("a model");
    assert_eq!(again.to_bytes().expect("a file"), bytes);
    assert_eq!(again.schema.features[0].kind, Kind::Time(Clock::Plain));
    assert_eq!(again.schema.features[1].kind, Kind::Time(Clock::Span));
    let frame = |model: &Model| Frame::new(table(50), &model.encoder).expect("rows");
    let scores = |model: &Model| model.predictor().scores(&frame(model)).values().to_vec();
    assert_eq!(scores(&again), scores(&model));
    // What no training writes.
    for clock in [Clock::Open, Clock::Span, Clock::DayFirst] {
        let mut other = model.clone();
        other.schema.features[0].kind = Kind::Time(clock);
        assert!(other.to_bytes().is_err(), "{clock:?}");
    }
}

#[test]
fn neither_order_nor_copies_of_rows_matter() {
    let file = |table: Table| trained(&prepared(table), TREES, 5).to_bytes().expect("a file");
    let whole = table(240);
    let turned: Vec<u32> = (0..240).rev().collect();
    assert!(file(whole.clone()) == file(whole.select(&turned)));
    let twice: Vec<u32> = (0..240).flat_map(|row| [row, row]).collect();
    assert!(file(common::weighted(whole.clone(), vec![2.0; 240])) == file(whole.select(&twice)));
}

fn csv(text: &str) -> Table {
    let plan = TrainingPlan::default();
    read_csv_from(text.as_bytes(), "d.csv", &plan, &Limits::default()).expect("a table")
}

/// Dates of which some parts of the rows say what is first, and others do not.
#[test]
fn workers_agree_on_what_is_the_day() {
    let line = |day: u32, month: u32, row: u32| format!("{day:02}/{month:02}/2021,{},{}\n", row % 7, row % 2);
    let ambiguous: String = (0..40).map(|row| line(1 + row % 12, 1 + row * 5 % 12, row)).collect();
    let month_first: String = (0..40).map(|row| line(1 + row % 12, 13 + row % 9, row)).collect();
    let [first, second] = [&ambiguous, &month_first].map(|rows| csv(&format!("when,x,class\n{rows}")));
    assert_eq!(first.columns[0].role, Role::Feature(Some(Kind::Time(Clock::Open))));
    assert_eq!(second.columns[0].role, Role::Feature(Some(Kind::Time(Clock::MonthFirst))));
    let whole = csv(&format!("when,x,class\n{ambiguous}{month_first}"));
    let alone = prepare(whole, &PrepareOptions::default()).expect("rows");
    let mut joined = first.clone();
    joined.append(second.clone()).expect("parts of one table");
    let joined = prepare(joined, &PrepareOptions::default()).expect("rows");
    assert_eq!((&joined.schema, &joined.encoder), (&alone.schema, &alone.encoder));
    let none = first.select(&[]);
    for parts in [vec![first.clone(), second.clone()], vec![second, none, first.clone()]] {
        let meeting = &Meeting::new(parts.len());
        std::thread::scope(|scope| {
            let worker = |(rank, part): (usize, Table)| {
                scope.spawn(move || prepare_among(part, &PrepareOptions::default(), &meeting.attend(rank)))
            };
            let workers: Vec<_> = parts.into_iter().enumerate().map(worker).collect();
            for worker in workers {
                let own = worker.join().expect("a worker").expect("rows");
                assert_eq!((&own.schema, &own.encoder), (&alone.schema, &alone.encoder));
            }
        });
    }
    let error = prepare(first, &PrepareOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Column);
    assert!(error.what().contains("\"when\"") && error.remedy().contains("dates"), "{error}");
}

#[test]
fn hyperplanes_take_times_of_one_number() {
    let linear: common::Choice = ("samme", &[("learner", "linear")]);
    let spans = |rows: u32| {
        let took = (0..rows).map(|row| f64::from(row * 37 % 101));
        let classes = (0..rows).map(|row| row * 37 % 101 > 50);
        Table::builder().durations("took", took).classes(classes).build().expect("a table")
    };
    let options = PrepareOptions { values: true, ..PrepareOptions::default() };
    let model = trained(&prepare(spans(80), &options).expect("rows"), linear, 3);
    assert_eq!(
        Model::from_bytes(&model.to_bytes().expect("a file")).expect("a model").ensemble,
        model.ensemble
    );
}
