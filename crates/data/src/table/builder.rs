//! Tables of what a program has in memory.

use std::path::Path;

use crate::error::{Error, ErrorKind, Result};
use crate::read::{Growing, Limits, read};
use crate::schema::Schema;
use crate::schema::plan::{DEFAULT_LABELS, DEFAULT_TARGET, TrainingPlan};
use crate::schema::role::{Clock, Kind, Plan, Role};
use crate::table::{Column, Numbers, Table, Values};
use crate::wording;
use crate::{PredictionPlan, TargetSpec};

/// What weights are called in a table that was made in memory.
const WEIGHT: &str = "weight";

/// Where a table from memory comes from, for messages.
pub(super) const MEMORY: &str = "<memory>";

/// Puts a table together, column by column; [`Table::builder`] starts one.
///
/// Lengths and names are checked at the end, by [`build`](Self::build).
#[derive(Clone, Debug, Default)]
pub struct TableBuilder {
    columns: Vec<Column>,
}

impl TableBuilder {
    /// A feature of numbers; NaN is missing.
    #[must_use]
    pub fn numbers(self, name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        // Plus zero: −0 is 0, as in files.
        let values = Values::Numbers(Numbers::F64(values.into_iter().map(|x| x + 0.0).collect()));
        self.column(name, Role::Feature(Some(Kind::Number)), values)
    }

    /// Features of numbers, called `x1`, `x2`, …
    pub(super) fn unnamed<V: IntoIterator<Item = f64>>(self, columns: impl Iterator<Item = V>) -> Self {
        (1..).zip(columns).fold(self, |builder, (at, values)| builder.numbers(format!("x{at}"), values))
    }

    /// A feature of categories; an empty text is missing.
    #[must_use]
    pub fn categories<T: AsRef<str>>(
        self,
        name: impl Into<String>,
        values: impl IntoIterator<Item = T>,
    ) -> Self {
        self.column(name, Role::Feature(Some(Kind::Category)), words(values))
    }

    /// A feature of text: the words of it count.
    #[must_use]
    pub fn texts<T: AsRef<str>>(self, name: impl Into<String>, values: impl IntoIterator<Item = T>) -> Self {
        self.column(name, Role::Feature(Some(Kind::Text)), words(values))
    }

    /// A feature of points in time, by their seconds since 1970 in UTC; NaN is missing.
    #[must_use]
    pub fn times(self, name: impl Into<String>, seconds: impl IntoIterator<Item = f64>) -> Self {
        self.seconds(name, seconds, Clock::Plain)
    }

    /// A feature of times of day or durations, by their seconds; NaN is missing.
    #[must_use]
    pub fn durations(self, name: impl Into<String>, seconds: impl IntoIterator<Item = f64>) -> Self {
        self.seconds(name, seconds, Clock::Span)
    }

    fn seconds(self, name: impl Into<String>, seconds: impl IntoIterator<Item = f64>, clock: Clock) -> Self {
        let values = Values::Numbers(Numbers::F64(seconds.into_iter().map(|x| x + 0.0).collect()));
        self.column(name, Role::Feature(Some(Kind::Time(clock))), values)
    }

    /// The class of each row.
    #[must_use]
    pub fn classes<T: ToString>(self, classes: impl IntoIterator<Item = T>) -> Self {
        let classes = classes.into_iter().map(|class| class.to_string());
        self.column(DEFAULT_TARGET, Role::Target, words(classes))
    }

    /// One label of label sets: whether each row has it.
    #[must_use]
    pub fn label(self, name: &str, has: impl IntoIterator<Item = bool>) -> Self {
        let values = has.into_iter().map(i8::from).collect();
        self.column(format!("{DEFAULT_LABELS}{name}"), Role::Label, Values::Numbers(Numbers::I8(values)))
    }

    /// How much each row counts; whole numbers are counts.
    #[must_use]
    pub fn weights(self, weights: impl IntoIterator<Item = f64>) -> Self {
        let values = Values::Numbers(Numbers::F64(weights.into_iter().collect()));
        self.column(WEIGHT, Role::Weight, values)
    }

    fn column(mut self, name: impl Into<String>, role: Role, values: Values) -> Self {
        self.columns.push(Column { name: name.into(), role, values });
        self
    }

    /// The table, if its columns are of one length, have names of their own, and hold no infinite numbers.
    pub fn build(self) -> Result<Table> {
        let wrong = |what: String, remedy: &str| Err(Error::new(ErrorKind::Column, what, remedy));
        let rows = self.columns.first().map_or(0, |column| len(&column.values));
        let mut names = std::collections::HashSet::new();
        for Column { name, values, .. } in &self.columns {
            let name = wording::name(name);
            if len(values) != rows {
                let what = format!("column {name} has {} values, and the first one {rows}", len(values));
                return wrong(what, "give every column a value for each row");
            }
            if !names.insert(name.clone()) {
                return wrong(format!("two columns are called {name}"), "give each column a name of its own");
            }
            if let Values::Numbers(Numbers::F64(numbers)) = values
                && let Some(row) = numbers.iter().position(|x| x.is_infinite())
            {
                let what = format!("column {name} is infinite in row {row}");
                return wrong(what, "give finite numbers, or NaN where a value is missing");
            }
        }
        Ok(Table { source: MEMORY.into(), columns: self.columns, rows, notes: Vec::new() })
    }
}

/// The number of values.
fn len(values: &Values) -> usize {
    match values {
        Values::Numbers(numbers) => numbers.len(),
        Values::SparseNumbers(_) => 0,
        Values::Words(words) => words.codes.len(),
    }
}

/// Texts, each distinct one once; an empty one is missing.
fn words<T: AsRef<str>>(values: impl IntoIterator<Item = T>) -> Values {
    let mut words = Growing::default();
    for value in values {
        match value.as_ref() {
            "" => words.push_missing(),
            text => words.push(text),
        }
    }
    Values::Words(words.finish())
}

impl Table {
    /// Reads a file to learn from, or to measure a model on: `.csv`, `.tsv`, `.arff`, `.libsvm` or `.parquet`.
    ///
    /// The target is the column `class`, else columns `label:…` of zeros and ones, else the last column;
    /// [`TrainingPlan::read`] takes other wishes.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        TrainingPlan::default().read(path)
    }

    /// A table of what is in memory, column by column.
    pub fn builder() -> TableBuilder {
        TableBuilder::default()
    }

    /// Rows of numbers (`rows × features`) with the class of each. Features are called `x1`, `x2`, …
    pub fn from_rows<R: AsRef<[f64]>, C: ToString>(rows: &[R], classes: &[C]) -> Result<Self> {
        let width = rows.first().map_or(0, |row| row.as_ref().len());
        if let Some(at) = rows.iter().position(|row| row.as_ref().len() != width) {
            let what = format!("row {at} has {} numbers, and the first one {width}", rows[at].as_ref().len());
            return Err(Error::new(ErrorKind::Column, what, "give every row the same number of features"));
        }
        let column = |at: usize| rows.iter().map(move |row| row.as_ref()[at]);
        Self::builder()
            .unnamed((0..width).map(column))
            .classes(classes.iter().map(ToString::to_string))
            .build()
    }

    /// The table as a model wants it: its columns by name and kind, and its answers if they are asked for. A file whose columns were taken for
    /// another kind than the model's is read again.
    pub fn seen_by(&self, schema: &Schema, answers: bool) -> Result<Self> {
        let weight = self.columns.iter().find(|column| column.role == Role::Weight && answers);
        let weight = weight.map(|column| column.name.clone());
        let plan = if answers {
            PredictionPlan::evaluate(schema, self.target_beside(schema), weight)
        } else {
            PredictionPlan::predict(schema)
        };
        let header: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        let roles = plan.roles(&header)?;
        let is_time = |column: &Column| match column.role {
            Role::Feature(Some(Kind::Time(clock))) => clock != Clock::Open,
            _ => false,
        };
        let fits = |(column, role): (&Column, &Role)| match (role, &column.values) {
            (Role::Feature(Some(Kind::Number)), values) => {
                !matches!(values, Values::Words(_))
                    && !matches!(column.role, Role::Feature(Some(Kind::Time(_))))
            }
            (Role::Feature(Some(Kind::Time(_))), _) => is_time(column),
            (Role::Feature(_) | Role::Target, values) => matches!(values, Values::Words(_)),
            _ => true,
        };
        if !self.columns.iter().zip(&roles).all(fits) && Path::new(&self.source).is_file() {
            return read(&self.source, &plan, &Limits::default());
        }
        let times = |(column, role): (&Column, &Role)| {
            matches!(role, Role::Feature(Some(Kind::Time(_)))) == is_time(column)
                || !matches!(role, Role::Feature(_))
        };
        if let Some((column, _)) = self.columns.iter().zip(&roles).find(|&pair| !times(pair)) {
            let what = format!(
                "column {} holds dates or times here or in the model, and not in both",
                wording::name(&column.name)
            );
            return Err(Error::new(
                ErrorKind::Column,
                what,
                "give the column the kind of values that the model was trained on",
            ));
        }
        let wanted = self.columns.iter().zip(&roles).filter(|(_, role)| **role != Role::Ignored);
        let columns = wanted.map(|(column, &role)| Column { role, ..column.clone() }).collect();
        Ok(Self { source: self.source.clone(), columns, rows: self.rows, notes: Vec::new() })
    }

    /// The name of the target here, if the model knows it by another one.
    fn target_beside(&self, schema: &Schema) -> Option<String> {
        let TargetSpec::Classes { column, .. } = &schema.target else { return None };
        let own = self.columns.iter().find(|own| own.role == Role::Target)?;
        (own.name != *column && self.column(column).is_none()).then(|| own.name.clone())
    }
}

impl TrainingPlan {
    /// Reads a file to learn from.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Table> {
        let path = path.as_ref();
        let Some(text) = path.to_str() else {
            let what = format!("{}: the path is not text", path.display());
            return Err(Error::new(ErrorKind::File, what, "rename the file"));
        };
        read(text, self, &Limits::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Words;

    #[test]
    fn columns_must_fit_together() {
        let fine = Table::builder().numbers("x", [1.0, f64::NAN]).classes(["a", "b"]).build().unwrap();
        assert_eq!((fine.rows, fine.columns.len()), (2, 2));
        let of = |builder: TableBuilder| builder.build().unwrap_err().to_string();
        assert!(of(Table::builder().numbers("x", [1.0]).classes(["a", "b"])).contains("2 values"));
        assert!(of(Table::builder().numbers("x", [1.0]).texts("x", ["y"])).contains("two columns"));
        assert!(of(Table::builder().numbers("x", [f64::INFINITY])).contains("infinite"));
        assert!(Table::from_rows(&[vec![1.0, 2.0], vec![1.0]], &[1, 2]).is_err());
    }

    #[test]
    fn empty_texts_are_missing_and_equal_ones_are_one() {
        let Values::Words(words) = words(["a", "", "b", "a"]) else { panic!("words") };
        assert_eq!(words.codes, [0, Words::MISSING, 1, 0]);
        assert_eq!(words.dictionary.len(), 2);
    }

    #[test]
    fn a_model_takes_its_columns_by_name() {
        let table = Table::builder().numbers("b", [1.0]).categories("a", ["u"]).numbers("c", [3.0]);
        let table = table.classes(["yes"]).build().unwrap();
        let feature = |name: &str, kind| crate::FeatureSpec { name: name.into(), kind };
        let target = TargetSpec::Classes { column: "answer".into(), names: vec!["no".into(), "yes".into()] };
        let mut schema =
            Schema { features: vec![feature("a", Kind::Category), feature("b", Kind::Number)], target };
        let seen = table.seen_by(&schema, true).unwrap();
        let names: Vec<&str> = seen.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["b", "a", "class"]);
        assert!(table.seen_by(&schema, false).is_ok_and(|seen| seen.columns.len() == 2));
        schema.features.push(feature("d", Kind::Number));
        assert!(table.seen_by(&schema, false).is_err_and(|error| error.what().contains("\"d\"")));
    }
}
