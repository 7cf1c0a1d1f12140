//! Reading tables, for training and for an existing model, with what the user should know about it.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::{Mutex, OnceLock};

use manyboost::evaluate::costs::{CostMatrix, Costs};
use manyboost_data::read::first_line_has_names;
use manyboost_data::{
    Applied, Dialect, Encoder, Error, ErrorKind, Limits, Plan, PredictionPlan, PrepareOptions, Result, Role,
    Schema, Split, Table, TargetSpec, apply, nearest, numbers_for_names, read, read_blocks,
};

use crate::args::{ColumnArgs, EncodeArgs, LearnArgs};
use crate::failure::{Outcome, wrong};
use crate::messages;
use crate::progress::Spinner;

/// How the files of this command are written: all in one way, as options say it once.
static WRITTEN: OnceLock<Dialect> = OnceLock::new();

/// Says how files are written, before any is read.
pub fn written(dialect: Dialect) {
    WRITTEN.get_or_init(|| dialect);
}

/// How files are written.
pub fn dialect() -> &'static Dialect {
    WRITTEN.get_or_init(Dialect::default)
}

/// Reads rows to learn from.
pub fn training(path: &str, plan: &dyn Plan) -> Outcome<Table> {
    let spinner = Spinner::new(&format!("reading {path}"));
    let table = read(path, plan, &Limits::default()).map_err(|error| in_file(path, error))?;
    drop(spinner);
    table.notes.iter().for_each(|note| messages::note(note));
    if first_line_has_names(path)
        && let Some(warning) = numbers_for_names(&table)
    {
        messages::warn(&messages::parameters(&warning));
    }
    Ok(table)
}

/// Reads what mistakes cost, for the classes of a model.
pub fn costs(path: &str, target: &TargetSpec) -> Result<CostMatrix> {
    match target {
        TargetSpec::Classes { .. } => Costs::read(path)?.matrix(target.names()),
        TargetSpec::Sets { .. } => Err(Costs::for_classes_only()),
    }
}

/// An error with the file in which it is: plans know columns only.
fn in_file(path: &str, error: Error) -> Error {
    let source = if path == "-" { "<stdin>" } else { path };
    if error.what().contains(source) {
        return error;
    }
    Error::new(error.kind(), format!("{source}: {}", error.what()), error.remedy())
}

/// The roles of a file for an existing model; remembers the columns that the model has no use for.
struct Known<'a> {
    schema: &'a Schema,
    answers: Answers,
    weight: Weight,
    keep: Keep<'a>,
    extra: Mutex<Vec<String>>,
}

/// The columns that are read for their own sake.
#[derive(Clone, Copy, Debug)]
pub enum Keep<'a> {
    /// These, which must be there.
    Named(&'a [String]),
    /// All of them.
    All,
}

impl Keep<'_> {
    /// None of them.
    pub const NONE: Self = Self::Named(&[]);

    /// Whether a column is one of them.
    fn has(self, name: &String) -> bool {
        match self {
            Self::Named(names) => names.contains(name),
            Self::All => true,
        }
    }

    /// Refuses names that are not in a header.
    fn check(self, header: &[String]) -> Result<()> {
        let Self::Named(names) = self else { return Ok(()) };
        match names.iter().find(|name| !header.contains(name)) {
            None => Ok(()),
            Some(name) => {
                let what = format!("there is no column \"{}\" (asked for as --keep)", messages::name(name));
                Err(Error::new(ErrorKind::Column, what, nearest(name, header)))
            }
        }
    }
}

/// The column of answers.
enum Answers {
    /// They are not wanted.
    Unread,
    /// Under this name, or under the model's.
    Column(Option<String>),
}

/// The column of weights.
#[derive(Clone, Debug)]
pub enum Weight {
    /// There is none.
    None,
    /// It must be there.
    Column(String),
    /// It counts if it is there.
    Maybe(Option<String>),
}

impl Plan for Known<'_> {
    fn roles(&self, header: &[String]) -> Result<Vec<Role>> {
        let weight = match &self.weight {
            Weight::None => None,
            Weight::Column(name) => Some(name.clone()),
            Weight::Maybe(name) => name.clone().filter(|name| header.contains(name)),
        };
        let plan = match &self.answers {
            Answers::Unread => PredictionPlan::predict(self.schema),
            Answers::Column(target) => PredictionPlan::evaluate(self.schema, target.clone(), weight),
        };
        self.keep.check(header)?;
        if let Ok(mut extra) = self.extra.lock() {
            *extra = plan.extra(header).into_iter().filter(|name| !self.keep.has(name)).collect();
        }
        let mut roles = plan.roles(header)?;
        for (role, _) in roles.iter_mut().zip(header).filter(|(_, name)| self.keep.has(name)) {
            if *role == Role::Ignored {
                *role = Role::Kept;
            }
        }
        Ok(roles)
    }

    fn dialect(&self) -> Option<&Dialect> {
        Some(dialect())
    }
}

impl Known<'_> {
    fn read(self, path: &str) -> Outcome<Table> {
        let spinner = Spinner::new(&format!("reading {path}"));
        let table = read(path, &self, &Limits::default()).map_err(|error| in_file(path, error))?;
        drop(spinner);
        self.tell(&table);
        Ok(table)
    }

    /// What there is to say of a file, with its first rows.
    fn tell(&self, table: &Table) {
        table.notes.iter().for_each(|note| messages::note(note));
        let source = &table.source;
        let extra = self.extra.lock().map(|extra| extra.clone()).unwrap_or_default();
        if !extra.is_empty() {
            let shown: Vec<String> =
                extra.iter().take(5).map(|name| format!("\"{}\"", messages::name(name))).collect();
            let more = if extra.len() > 5 { format!(" and {} more", extra.len() - 5) } else { String::new() };
            messages::note(&format!("{source}: columns that are not used: {}{more}", shown.join(", ")));
        }
    }
}

/// Reads rows to predict.
pub fn unanswered(path: &str, schema: &Schema) -> Outcome<Table> {
    Known {
        schema,
        answers: Answers::Unread,
        weight: Weight::None,
        keep: Keep::NONE,
        extra: Mutex::default(),
    }
    .read(path)
}

/// Reads rows to predict, some after the other, with columns that are kept beside the model's.
pub fn unanswered_blocks(
    path: &str,
    schema: &Schema,
    keep: Keep<'_>,
    each: &mut dyn FnMut(Table) -> Outcome,
) -> Outcome {
    let known =
        Known { schema, answers: Answers::Unread, weight: Weight::None, keep, extra: Mutex::default() };
    let (mut first, mut failure) = (true, None);
    let read = read_blocks(path, &known, &Limits::default(), &mut |table| {
        if std::mem::take(&mut first) {
            known.tell(&table);
        }
        each(table).map_err(|failed| {
            failure = Some(failed);
            // Only ends the reading: the failure itself is what is told.
            Error::new(ErrorKind::Failed, "the rows cannot be used", "see above")
        })
    });
    match failure {
        Some(failure) => Err(failure),
        None => Ok(read.map_err(|error| in_file(path, error))?),
    }
}

/// Reads rows with answers as a model looks at them.
pub fn answered(
    path: &str,
    schema: &Schema,
    encoder: &Encoder,
    target: Option<String>,
    weight: Weight,
) -> Outcome<Applied> {
    let table = with_answers(path, schema, target, weight)?;
    let applied = apply(table, schema, encoder)?;
    applied.notes.iter().for_each(|note| messages::note(note));
    Ok(applied)
}

/// Reads the columns of a model and its answers.
pub fn with_answers(path: &str, schema: &Schema, target: Option<String>, weight: Weight) -> Outcome<Table> {
    Known { schema, answers: Answers::Column(target), weight, keep: Keep::NONE, extra: Mutex::default() }
        .read(path)
}

/// The rows to train on, and those that are held out.
pub fn hold_out(
    table: Table,
    fraction: Option<f64>,
    split: Split,
    seed: u64,
) -> Outcome<(Table, Option<Table>)> {
    let Some(fraction) = fraction else { return Ok((table, None)) };
    let [kept, held] = table.split_by(split, fraction, seed)?;
    Ok((kept, Some(held)))
}

/// A fraction of the rows, or nothing if an option gave a file.
pub fn fraction(option: &str, text: &str) -> Outcome<Option<f64>> {
    match text.parse::<f64>() {
        Ok(fraction) if fraction > 0.0 && fraction < 1.0 => Ok(Some(fraction)),
        Ok(fraction) => {
            let what = format!("{option} {fraction}: not a fraction of the rows");
            Err(wrong(what, format!("{option} takes a number between 0 and 1, or a file")))
        }
        Err(_) => Ok(None),
    }
}

/// How tables are prepared to learn from.
pub fn learning_options(learn: &LearnArgs) -> Outcome<PrepareOptions> {
    let class_weights = learn.class_weight.as_deref().map(str::parse).transpose()?;
    Ok(PrepareOptions { class_weights, ..prepare_options(&learn.columns, &learn.encode)? })
}

/// How tables are prepared.
pub fn prepare_options(columns: &ColumnArgs, encode: &EncodeArgs) -> Outcome<PrepareOptions> {
    let mut prepare = PrepareOptions { labels: columns.labels.clone(), ..PrepareOptions::default() };
    if let Some(bins) = &encode.bins {
        let range = "0 (a cut between any two values) or a whole number from 2 to 65,536";
        prepare.encode.bins = number("--bins", bins, |n| *n == 0 || (2..=65_536).contains(n), range)?;
    }
    if let Some(ngrams) = &encode.ngrams {
        prepare.encode.ngrams =
            number("--ngrams", ngrams, |n| (1..=8).contains(n), "a whole number from 1 to 8")?;
    }
    Ok(prepare)
}

/// A number that an option gave, in a range.
pub fn number<T>(option: &str, text: &str, fine: impl Fn(&T) -> bool, range: &str) -> Outcome<T>
where
    T: FromStr + Display,
{
    match text.parse::<T>() {
        Ok(value) if fine(&value) => Ok(value),
        _ => Err(wrong(format!("{option} {text}: not a number in range"), format!("{option} takes {range}"))),
    }
}
