//! Dates and times in files: what they are read as, and what is refused.

mod common;

use common::{PLAN, cells, dump, kind, refused};
use manyboost_data::read::{read_arff_from, read_csv_from};
use manyboost_data::{
    Clock, Dialect, FeatureSpec, Kind, Limits, PredictionPlan, Result, Schema, Table, TargetSpec,
    TrainingPlan,
};

fn csv(text: &str) -> Result<Table> {
    read_csv_from(text.as_bytes(), "d.csv", &PLAN, &Limits::default())
}

fn in_blocks_of(bytes: usize, text: &str) -> Result<Table> {
    let limits = Limits { block_bytes: bytes, sample_bytes: 24, sample_rows: 2, ..Limits::default() };
    read_csv_from(text.as_bytes(), "d.csv", &PLAN, &limits)
}

const PLAIN: Kind = Kind::Time(Clock::Plain);

#[test]
fn columns_of_dates_are_seconds() {
    let table = csv("when,day,took,class\n2021-03-04T15:05:06.5+02:00,04.03.2021,1:30:00,a\n,?,NA,b\n1970-01-01,01.01.1970,0:00,a\n").unwrap();
    assert_eq!([kind(&table, "when"), kind(&table, "day")], [PLAIN; 2]);
    assert_eq!(kind(&table, "took"), Kind::Time(Clock::Span));
    let some = |texts: [&str; 2]| vec![Some(texts[0].to_string()), None, Some(texts[1].to_string())];
    assert_eq!(cells(&table, "when"), some(["1614863106.5", "0"]));
    assert_eq!(cells(&table, "day"), some(["1614816000", "0"]));
    assert_eq!(cells(&table, "took"), some(["5400", "0"]));
}

#[test]
fn other_columns_stay_what_they_are() {
    let rows = ["20210304,3-4,2021-03,red", "20210305,5-4,2021-04,2021-03-04", "20210306,7-4,2021-05,blue"];
    let table = csv(&format!("number,score,month,mixed\n{}\n", rows.join("\n"))).unwrap();
    assert_eq!(kind(&table, "number"), Kind::Number);
    for name in ["score", "month", "mixed"] {
        assert_eq!(kind(&table, name), Kind::Category, "{name}");
    }
    let table = csv("c!,t!,class\n2021-03-04,2021-03-04,a\n").unwrap();
    assert_eq!([kind(&table, "c!"), kind(&table, "t!")], [Kind::Category, Kind::Text]);
    // A target of dates has classes.
    let table = csv("x,class\n1,2021-03-04\n2,2021-03-05\n").unwrap();
    assert_eq!(cells(&table, "class")[0].as_deref(), Some("2021-03-04"));
}

#[test]
fn blocks_do_not_matter() {
    let rows: Vec<String> = (1..=12).map(|n| format!("{:02}/{n:02}/2021,{n}", (5 * n) % 12 + 1)).collect();
    for late in ["05/28/2021,1", "28/05/2021,1"] {
        let text = format!("when,class\n{}\n{late}\n{}\n", rows.join("\n"), rows[3..].join("\n"));
        let whole = dump(&csv(&text).unwrap());
        assert!(whole.contains(if late.starts_with("05") { "MonthFirst" } else { "DayFirst" }), "{whole}");
        for bytes in [1, 7, 20, 100] {
            assert_eq!(dump(&in_blocks_of(bytes, &text).unwrap()), whole, "{bytes}");
        }
    }
}

#[test]
fn what_is_no_date_of_its_column_is_refused() {
    let rows = "when,class\n2021-03-04,a\n2021-03-05,b\n2021-03-06,a\n";
    refused(csv(&format!("{rows}soon,a\n")), &["line 5", "'when'", "'soon' is not a date"]);
    refused(csv(&format!("{rows}03/04/2021,a\n")), &["line 5", "'when'", "'03/04/2021'"]);
    refused(csv(&format!("{rows}2021-02-29,a\n")), &["line 5", "'2021-02-29'"]);
    let rows = "when,class\n13/04/2021,a\n03/04/2021,b\n";
    refused(csv(&format!("{rows}04/13/2021,a\n")), &["line 4", "with the day first"]);
    let torn = "when,class\n03/04/2021,a\n03/04/2021,b\n04/13/2021,a\n13/04/2021,a\n";
    for bytes in [1, 1000] {
        let error = refused(in_blocks_of(bytes, torn), &["when"]);
        assert!(error.what().contains("day first") || error.what().contains("month first"), "{error}");
    }
}

#[test]
fn what_comes_first_can_be_said() {
    let plan = |dates| TrainingPlan {
        dialect: Dialect { dates: Some(dates), ..Dialect::default() },
        ..TrainingPlan::default()
    };
    let read = |text: &str, dates| read_csv_from(text.as_bytes(), "d.csv", &plan(dates), &Limits::default());
    for text in ["when,class\n03/04/2021,a\n", "when,class\n03.04.2021,a\n"] {
        let day = |dates| cells(&read(text, dates).unwrap(), "when")[0].clone();
        assert_eq!(day(Clock::DayFirst).as_deref(), Some("1617408000"), "{text}");
        assert_eq!(day(Clock::MonthFirst).as_deref(), Some("1614816000"), "{text}");
    }
    refused(read("when,class\n13/04/2021,a\n", Clock::MonthFirst), &["line 2", "with the month first"]);
}

/// A model that knows a column of times, read for prediction.
fn known(clock: Clock, text: &str) -> Result<Table> {
    let schema = Schema {
        features: vec![FeatureSpec { name: "when".into(), kind: Kind::Time(clock) }],
        target: TargetSpec::Classes { column: "class".into(), names: vec!["a".into(), "b".into()] },
    };
    read_csv_from(text.as_bytes(), "d.csv", &PredictionPlan::predict(&schema), &Limits::default())
}

#[test]
fn a_model_knows_what_comes_first() {
    let day = |clock, text: &str| cells(&known(clock, text).unwrap(), "when")[0].clone();
    for text in ["when\n04/03/2021\n", "when\n2021-03-04\n", "when\n4 Mar 2021\n"] {
        assert_eq!(day(Clock::DayFirst, text).as_deref(), Some("1614816000"));
    }
    assert_eq!(day(Clock::MonthFirst, "when\n03/04/2021\n").as_deref(), Some("1614816000"));
    assert_eq!(day(Clock::MonthFirst, "when\n?\n"), None);
    let error = refused(known(Clock::Plain, "when\n03/04/2021\n"), &["'when'", "line 2"]);
    assert!(error.remedy().contains("dates=day-first"), "{error}");
    refused(known(Clock::Plain, "when\n1614816000\n"), &["is not a date"]);
    refused(known(Clock::Span, "when\n2021-03-04\n"), &["is not a time of day"]);
    let arff = "@relation r\n@attribute when string\n@data\n'2021-03-04'\n";
    let schema = FeatureSpec { name: "when".into(), kind: PLAIN };
    let target = TargetSpec::Classes { column: "class".into(), names: vec!["a".into()] };
    let schema = Schema { features: vec![schema], target };
    let plan = PredictionPlan::predict(&schema);
    let table = read_arff_from(arff.as_bytes(), "d.arff", &plan, &Limits::default()).unwrap();
    assert_eq!(cells(&table, "when")[0].as_deref(), Some("1614816000"));
}

#[cfg(feature = "parquet")]
mod in_parquet {
    use std::sync::Arc;

    use manyboost_data::read::read_parquet_from;
    use parquet::column::writer::ColumnWriter;
    use parquet::data_type::Int96;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use super::*;

    /// A file of columns of times, three rows of which the second is missing, and of numbers.
    fn file(fields: &str, values: &[[i64; 2]]) -> Vec<u8> {
        let schema = parse_message_type(&format!("message m {{ {fields} }}")).unwrap();
        let mut out = Vec::new();
        let mut writer = SerializedFileWriter::new(&mut out, Arc::new(schema), Arc::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let levels = Some(&[1_i16, 0, 1][..]);
        let mut values = values.iter();
        while let Some(mut column) = group.next_column().unwrap() {
            let own = values.next().unwrap();
            match column.untyped() {
                ColumnWriter::Int32ColumnWriter(w) => {
                    w.write_batch(&own.map(|x| x as i32), levels, None).unwrap()
                }
                ColumnWriter::Int64ColumnWriter(w) => w.write_batch(own, levels, None).unwrap(),
                ColumnWriter::Int96ColumnWriter(w) => {
                    let old = |nanos: i64| {
                        let (day, rest) = (nanos.div_euclid(DAY), nanos.rem_euclid(DAY) as u64);
                        let mut old = Int96::new();
                        old.set_data(rest as u32, (rest >> 32) as u32, (day + 2_440_588) as u32);
                        old
                    };
                    w.write_batch(&own.map(old), levels, None).unwrap()
                }
                _ => panic!("no such column here"),
            };
            column.close().unwrap();
        }
        group.close().unwrap();
        writer.close().unwrap();
        out
    }

    const DAY: i64 = 86_400 * 1_000_000_000;

    #[test]
    fn times_of_all_types_are_those_of_the_same_csv() {
        let fields = "optional int64 ms (TIMESTAMP(MILLIS,true)); optional int64 us (TIMESTAMP(MICROS,false)); \
                      optional int64 ns (TIMESTAMP(NANOS,true)); optional int32 day (DATE); optional int96 old; \
                      optional int32 t (TIME(MILLIS,false)); optional int64 u (TIME(NANOS,true)); \
                      optional int64 old_ms (TIMESTAMP_MILLIS); optional int32 class;";
        let at = [1_614_870_306_250_i64, -1];
        let file = file(
            fields,
            &[
                at,
                at.map(|ms| ms * 1000),
                at.map(|ms| ms * 1_000_000),
                [18_690, -1],
                at.map(|ms| ms * 1_000_000),
                [3_661_500, 0],
                [3_661_500_000_000, 0],
                at,
                [0, 1],
            ],
        );
        let table = read_parquet_from(file, "d.parquet", &PLAN, &Limits::default());
        // The class of the second row is missing, which is of no matter here.
        let table = table.unwrap();
        let [now, eve] = ["2021-03-04T15:05:06.25", "1969-12-31T23:59:59.999"];
        let line = |at: &str, day: &str, time: &str, class: &str| {
            format!("{at},{at},{at},{day},{at},{time},{time},{at},{class}\n")
        };
        let rows = [
            line(now, "2021-03-04", "1:01:01.5", "0"),
            line("", "", "", ""),
            line(eve, "1969-12-31", "0:00", "1"),
        ];
        let text = format!("ms,us,ns,day,old,t,u,old_ms,class\n{}", rows.concat());
        assert_eq!(dump(&table), dump(&csv(&text).unwrap()));
    }

    #[test]
    fn numbers_are_no_times_and_times_no_numbers() {
        let read = |fields: &str, clock| {
            let schema = Schema {
                features: vec![FeatureSpec { name: "when".into(), kind: clock }],
                target: TargetSpec::Classes { column: "class".into(), names: vec!["a".into()] },
            };
            let file = file(fields, &[[7, 8]]);
            read_parquet_from(file, "d.parquet", &PredictionPlan::predict(&schema), &Limits::default())
        };
        refused(read("optional int64 when;", PLAIN), &["row 1", "'when'", "'7' is not a date"]);
        refused(read("optional int32 when (DATE);", Kind::Number), &["'1970-01-08' is not a number"]);
        refused(read("optional int32 when (DATE);", Kind::Time(Clock::Span)), &["is not a time of day"]);
        assert!(read("optional int32 when (DATE);", Kind::Time(Clock::MonthFirst)).is_ok());
    }
}
