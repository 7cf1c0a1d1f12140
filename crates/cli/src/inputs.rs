//! Reading tables, for training and for an existing model, with what the user should know about it.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Mutex;

use polyboost::costs::{CostMatrix, Costs};
use polyboost_data::encode::EncodeOptions;
use polyboost_data::{
    Applied, Encoder, Error, Limits, Plan, PredictionPlan, Result, Role, Schema, Table, TargetSpec,
    TrainingPlan, apply, read,
};

use crate::args::EncodeArgs;
use crate::failure::{Outcome, wrong};
use crate::say;

/// Reads rows to learn from.
pub fn training(path: &str, plan: &TrainingPlan) -> Outcome<Table> {
    Ok(read(path, plan, &Limits::default()).map_err(|error| in_file(path, error))?)
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
    extra: Mutex<Vec<String>>,
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
        if let Ok(mut extra) = self.extra.lock() {
            *extra = plan.extra(header);
        }
        plan.roles(header)
    }
}

impl Known<'_> {
    fn read(self, path: &str) -> Outcome<Table> {
        let table = read(path, &self, &Limits::default()).map_err(|error| in_file(path, error))?;
        let extra = self.extra.into_inner().unwrap_or_default();
        if !extra.is_empty() {
            let shown: Vec<String> =
                extra.iter().take(5).map(|name| format!("\"{}\"", say::name(name))).collect();
            let more = if extra.len() > 5 { format!(" and {} more", extra.len() - 5) } else { String::new() };
            say::note(&format!("{}: columns that are not used: {}{more}", table.source, shown.join(", ")));
        }
        Ok(table)
    }
}

/// Reads rows to predict.
pub fn unanswered(path: &str, schema: &Schema) -> Outcome<Table> {
    Known { schema, answers: Answers::Unread, weight: Weight::None, extra: Mutex::default() }.read(path)
}

/// Reads rows with answers as a model looks at them.
pub fn answered(
    path: &str,
    schema: &Schema,
    encoder: &Encoder,
    target: Option<String>,
    weight: Weight,
) -> Outcome<Applied> {
    let known = Known { schema, answers: Answers::Column(target), weight, extra: Mutex::default() };
    let applied = apply(known.read(path)?, schema, encoder)?;
    applied.notes.iter().for_each(|note| say::note(note));
    Ok(applied)
}

/// Starts the threads that `--threads` asks for. There is no pool yet, so that this cannot be too late.
pub fn threads(threads: Option<&str>) -> Outcome {
    if let Some(threads) = threads {
        let fine = |n: &usize| (1..=1024).contains(n);
        let threads = number("--threads", threads, fine, "a whole number from 1 to 1,024")?;
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    }
    Ok(())
}

/// Choices of the encoder.
pub fn encoding(args: &EncodeArgs) -> Outcome<EncodeOptions> {
    let mut encode = EncodeOptions::default();
    if let Some(bins) = &args.bins {
        let range = "0 (a cut between any two values) or a whole number from 2 to 65,536";
        encode.bins = number("--bins", bins, |n| *n == 0 || (2..=65_536).contains(n), range)?;
    }
    if let Some(ngrams) = &args.ngrams {
        encode.ngrams = number("--ngrams", ngrams, |n| (1..=8).contains(n), "a whole number from 1 to 8")?;
    }
    Ok(encode)
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
