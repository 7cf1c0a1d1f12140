//! Tables of Arrow's record batches (the feature `arrow`).

use arrow_array::RecordBatch;

use crate::error::Result;
use crate::read::{Limits, read_batches};
use crate::schema::role::Plan;
use crate::table::Table;
use crate::table::builder::MEMORY;

impl Table {
    /// The rows of record batches of one schema, one after the other. Columns are taken by the rules of files: a
    /// [`TrainingPlan`](crate::TrainingPlan) finds the target and the features, a [`PredictionPlan`](crate::PredictionPlan) the columns
    /// that a model knows.
    ///
    /// Truth values, integers, floats and decimals are numbers, dates, times and durations are times, texts are categories or text, with a dictionary or without, lists of texts are words; null is missing, as is
    /// NaN. Columns of other types are refused, unless the plan ignores them.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use manyboost_data::arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
    /// use manyboost_data::{Table, TrainingPlan};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let x: ArrayRef = Arc::new(Float64Array::from(vec![Some(0.5), None, Some(2.0)]));
    /// let class: ArrayRef = Arc::new(StringArray::from(vec!["low", "low", "high"]));
    /// let batch = RecordBatch::try_from_iter([("x", x), ("class", class)])?;
    /// let table = Table::from_batches(&[batch], &TrainingPlan::default())?;
    /// assert_eq!((table.rows, table.columns.len()), (3, 2));
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_batches(batches: &[RecordBatch], plan: &dyn Plan) -> Result<Self> {
        read_batches(batches, MEMORY, plan, &Limits::default())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::builder::{ListBuilder, StringBuilder};
    use arrow_array::types::Int8Type;
    use arrow_array::{
        ArrayRef, BooleanArray, Date32Array, Date64Array, Decimal128Array, DictionaryArray,
        DurationMillisecondArray, Float32Array, Float64Array, Int8Array, Int64Array, IntervalYearMonthArray,
        LargeStringArray, NullArray, RecordBatch, StringArray, StringViewArray, Time32SecondArray,
        Time64NanosecondArray, TimestampMicrosecondArray, TimestampMillisecondArray,
        TimestampNanosecondArray, TimestampSecondArray, UInt64Array,
    };

    use super::*;
    use crate::read::read_csv_from;
    use crate::schema::plan::TrainingPlan;
    use crate::schema::role::{Clock, Kind, Role};

    fn batch<const N: usize>(columns: [(&str, ArrayRef); N]) -> RecordBatch {
        RecordBatch::try_from_iter(columns).unwrap()
    }

    /// What a table holds: names, roles and values, whatever it comes from.
    fn contents(table: &Table) -> String {
        format!("{:?}", Table { source: String::new(), ..table.clone() })
    }

    #[test]
    fn batches_are_the_table_of_the_same_csv() {
        let coded = |keys: Vec<Option<i8>>| {
            let values = Arc::new(StringArray::from(vec![Some("red"), None, Some("blue")]));
            Arc::new(DictionaryArray::<Int8Type>::new(Int8Array::from(keys), values))
        };
        let first = batch([
            ("f", Arc::new(Float64Array::from(vec![Some(0.1), None, Some(f64::NAN)]))),
            ("i", Arc::new(Int64Array::from(vec![Some(-7), Some(40_000), None]))),
            ("u", Arc::new(UInt64Array::from(vec![1, 2, 3]))),
            ("b", Arc::new(Float32Array::from(vec![0.5, -0.0, 2.0]))),
            ("flag", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))),
            ("none", Arc::new(NullArray::new(3))),
            ("word", coded(vec![Some(2), None, Some(1)])),
            ("large", Arc::new(LargeStringArray::from(vec!["u", "", "NA"]))),
            ("view", Arc::new(StringViewArray::from(vec!["x", "y", "x"]))),
            ("class", Arc::new(StringArray::from(vec!["p", "q", "p"]))),
        ]);
        let second = first.slice(1, 1);
        let text = "f,i,u,b,flag,none,word,large,view,class\n\
                    0.1,-7,1,0.5,1,,blue,u,x,p\n,40000,2,0,,,,,y,q\n,,3,2,0,,,,x,p\n,40000,2,0,,,,,y,q\n";
        let plan = TrainingPlan::default();
        let read = read_csv_from(text.as_bytes(), "t.csv", &plan, &Limits::default()).unwrap();
        let table = Table::from_batches(&[first, second], &plan).unwrap();
        assert_eq!(contents(&table), contents(&read));
    }

    #[test]
    fn decimals_are_numbers_and_lists_are_words() {
        let prices =
            Decimal128Array::from(vec![Some(1250), None, Some(-5)]).with_precision_and_scale(9, 2).unwrap();
        let mut tags = ListBuilder::new(StringBuilder::new());
        for words in [vec!["red", "old"], vec![], vec!["red"]] {
            for word in words {
                tags.values().append_value(word);
            }
            tags.append(true);
        }
        let rows = batch([
            ("price", Arc::new(prices)),
            ("tags", Arc::new(tags.finish())),
            ("class", Arc::new(StringArray::from(vec!["p", "q", "p"]))),
        ]);
        let table = Table::from_batches(&[rows], &TrainingPlan::default()).unwrap();
        let shown = contents(&table);
        assert!(shown.contains("12.5, NaN, -0.05"), "{shown}");
        assert_eq!(table.column("tags").unwrap().role, Role::Feature(Some(Kind::Text)));
        assert!(shown.contains("red old"), "{shown}");
    }

    #[test]
    fn times_of_all_types_are_those_of_the_same_csv() {
        let seconds = [Some(1_614_870_306), None, Some(-1)];
        let ticks = |per_second: i64| seconds.map(|at| at.map(|at| at * per_second)).to_vec();
        let days = |per_day: i64| vec![Some(18_690 * per_day), None, Some(-per_day)];
        let of_day = |per_second: i64| vec![Some(3661 * per_second), None, Some(0)];
        let short =
            |ticks: Vec<Option<i64>>| ticks.into_iter().map(|x| x.map(|x| x as i32)).collect::<Vec<_>>();
        let rows = batch([
            ("s", Arc::new(TimestampSecondArray::from(ticks(1)))),
            ("ms", Arc::new(TimestampMillisecondArray::from(ticks(1000)).with_timezone("Europe/Berlin"))),
            ("us", Arc::new(TimestampMicrosecondArray::from(ticks(1_000_000)).with_timezone("+02:00"))),
            ("ns", Arc::new(TimestampNanosecondArray::from(ticks(1_000_000_000)))),
            ("d32", Arc::new(Date32Array::from(short(days(1))))),
            ("d64", Arc::new(Date64Array::from(days(86_400_000)))),
            ("t32", Arc::new(Time32SecondArray::from(short(of_day(1))))),
            ("t64", Arc::new(Time64NanosecondArray::from(of_day(1_000_000_000)))),
            ("took", Arc::new(DurationMillisecondArray::from(of_day(1000)))),
            ("class", Arc::new(StringArray::from(vec!["p", "q", "p"]))),
        ]);
        let (now, day) = ("2021-03-04T15:05:06Z", "2021-03-04");
        let (before, eve) = ("1969-12-31 23:59:59", "1969-12-31");
        let text = format!(
            "s,ms,us,ns,d32,d64,t32,t64,took,class\n{now},{now},{now},{now},{day},{day},1:01:01,01:01:01,PT1H1M1S,p\n,,,,,,,,,q\n\
             {before},{before},{before},{before},{eve},{eve},0:00,0:00,0:00:00,p\n"
        );
        let plan = TrainingPlan::default();
        let read = read_csv_from(text.as_bytes(), "t.csv", &plan, &Limits::default()).unwrap();
        let table = Table::from_batches(std::slice::from_ref(&rows), &plan).unwrap();
        assert_eq!(contents(&table), contents(&read));
        assert_eq!(table.columns[1].role, Role::Feature(Some(Kind::Time(Clock::Plain))));
        assert_eq!(table.columns[8].role, Role::Feature(Some(Kind::Time(Clock::Span))));
        // As words they are what a file would say.
        let plan = TrainingPlan { categorical: vec!["s".into()], target: Some("d32".into()), ..plan };
        let table = Table::from_batches(&[rows], &plan).unwrap();
        let word = |name: &str| match &table.column(name).unwrap().values {
            crate::Values::Words(words) => words.get(0).unwrap().to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!([word("s"), word("d32")], ["2021-03-04T15:05:06", "2021-03-04"]);
    }

    #[test]
    fn numbers_name_classes_where_the_target_is_one() {
        let rows = batch([
            ("x", Arc::new(Float64Array::from(vec![1.0, 2.0]))),
            ("class", Arc::new(Int64Array::from(vec![10, 20]))),
        ]);
        let table = Table::from_batches(&[rows], &TrainingPlan::default()).unwrap();
        let crate::Values::Words(words) = &table.column("class").unwrap().values else { panic!("words") };
        assert_eq!((words.get(0), words.get(1)), (Some("10"), Some("20")));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let class = || Arc::new(StringArray::from(vec!["p", "q"])) as ArrayRef;
        let x = |values: [f64; 2]| Arc::new(Float64Array::from(values.to_vec())) as ArrayRef;
        let plan = TrainingPlan::default();
        let said = |batches: &[RecordBatch]| Table::from_batches(batches, &plan).unwrap_err().to_string();
        assert!(said(&[]).contains("no rows"));
        assert!(said(&[batch([("x", x([1.0, 2.0])), ("class", class())]).slice(0, 0)]).contains("no rows"));
        let infinite = said(&[batch([("x", x([1.0, f64::INFINITY])), ("class", class())])]);
        assert!(infinite.contains("row 2, column 'x'") && infinite.contains("infinite"), "{infinite}");
        let months = Arc::new(IntervalYearMonthArray::from(vec![1, 2]));
        let months = said(&[batch([("every", months), ("class", class())])]);
        assert!(months.contains("column 'every' is of type Interval"), "{months}");
        let beyond = Arc::new(TimestampSecondArray::from(vec![1, i64::MAX]));
        let beyond = said(&[batch([("when", beyond), ("class", class())])]);
        assert!(beyond.contains("row 2, column 'when'") && beyond.contains("calendar"), "{beyond}");
        let other =
            [batch([("x", x([1.0, 2.0])), ("class", class())]), batch([("x", class()), ("class", class())])];
        assert!(said(&other).contains("batch 2 has column 'x' of type Utf8"), "{}", said(&other));
        let twice = RecordBatch::try_new(
            Arc::new(arrow_schema::Schema::new(vec![
                arrow_schema::Field::new("x", arrow_schema::DataType::Float64, true),
                arrow_schema::Field::new("x", arrow_schema::DataType::Float64, true),
            ])),
            vec![x([1.0, 2.0]), x([1.0, 2.0])],
        );
        assert!(said(&[twice.unwrap()]).contains("two columns are named 'x'"));
    }
}
