//! All rows of a training run, or this worker's part of them.

use manyboost_data::agree::{all_or_none, gather, together};
use manyboost_data::read::parts;
use manyboost_data::{
    Applied, Dialect, Error, ErrorKind, Frame, Kind, Plan, Prepared, Result, Role, Table, TrainingPlan,
    apply, apply_among, prepare_among,
};
use manyboost_kernel::Exchange;

use super::RunOptions;
use crate::args::TrainArgs;
use crate::failure::{Failure, Outcome};
use crate::inputs::{self, Weight};
use crate::messages;

/// The rows.
pub struct Rows {
    pub prepared: Prepared,
    pub valid: Option<Applied>,
    pub test: Option<Applied>,
    /// The rows to train on as a model looks at them, if a page needs them.
    pub trained: Option<Applied>,
    /// A sample of them, if a page shows other rows beside them.
    pub sample: Option<Frame>,
}

/// Rows of the sample.
const SAMPLE: usize = 20_000;

impl Rows {
    pub fn read(args: &TrainArgs, options: &RunOptions, exchange: &dyn Exchange) -> Outcome<Self> {
        let table = together(|| part(&args.data, &args.learn.columns.plan(), exchange))?;
        let (table, held) = match options.fraction {
            None => (table, None),
            Some(fraction) => {
                let [kept, held] =
                    table.split_among(options.split, fraction, args.learn.run.seed, exchange)?;
                (kept, Some(held))
            }
        };
        let again = (args.report.is_some() && args.test.is_none() && args.watch.valid.is_none())
            .then(|| table.clone());
        let sample = (args.report.is_some() && again.is_none() && table.rows > 0).then(|| sample(&table));
        let prepared = prepare_among(table, &options.prepare, exchange)?;
        messages::remarks(&prepared.remarks);
        let weight = Weight::Maybe(args.learn.columns.weight.clone());
        let (schema, encoder) = (&prepared.schema, &prepared.encoder);
        let other = |path: &str| -> Outcome<Applied> {
            let target = args.learn.columns.target.clone();
            let table = inputs::with_answers(path, schema, target, weight.clone());
            let table = together(|| all_or_none(exchange, table.map_err(said)))?;
            let applied = apply_among(own_rows(table, exchange), schema, encoder, exchange)?;
            applied.notes.iter().for_each(|note| messages::note(note));
            Ok(applied)
        };
        let valid = match (held, &args.watch.valid) {
            (Some(table), _) => {
                let rows = apply_among(table, schema, encoder, exchange)?;
                rows.notes.iter().for_each(|note| messages::note(&format!("validation rows: {note}")));
                Some(rows)
            }
            (None, Some(path)) => Some(other(path)?),
            (None, None) => None,
        };
        let test = args.test.as_deref().map(other).transpose()?;
        let trained = again.map(|table| apply(table, schema, encoder)).transpose()?;
        let sample = sample.map(|table| Frame::new(table, encoder)).transpose()?;
        Ok(Self { prepared, valid, test, trained, sample })
    }
}

/// Some of the rows of a table, evenly apart.
fn sample(table: &Table) -> Table {
    let kept = table.rows.min(SAMPLE);
    let rows: Vec<u32> = (0..kept).map(|at| (at * table.rows / kept) as u32).collect();
    table.select(&rows)
}

/// The error of a failure.
fn said(failure: Failure) -> Error {
    match failure {
        Failure::Error(error) => error,
        Failure::Quiet => Error::new(ErrorKind::Failed, "nobody listens any more", "try again"),
    }
}

/// The rows of a table that all workers have read which are this one's.
fn own_rows(table: Table, exchange: &dyn Exchange) -> Table {
    if exchange.alone() {
        return table;
    }
    let own: Vec<u32> = (exchange.rank() as u32..table.rows as u32).step_by(exchange.workers()).collect();
    table.select(&own)
}

/// The rows of this worker's files: every so manieth file is its own. Columns are of the kinds that they have in the first file with rows.
fn part(files: &[String], plan: &TrainingPlan, exchange: &dyn Exchange) -> Result<Table> {
    // The files of a folder are dealt to workers like others.
    let mut files = files.to_vec();
    if exchange.workers() > 1 {
        let parts: Result<Vec<Vec<String>>> = files.iter().map(|file| parts(file)).collect();
        files = all_or_none(exchange, parts)?.concat();
    }
    let own = || (0..files.len()).skip(exchange.rank()).step_by(exchange.workers());
    let read = |plan: &dyn Plan| -> Result<Vec<Table>> {
        let tables = own().map(|at| inputs::training(&files[at], plan).map_err(said)).collect();
        all_or_none(exchange, tables)
    };
    let mut tables = read(plan)?;
    if files.len() > 1 {
        let first = own().zip(&tables).find(|(_, table)| table.rows > 0);
        let told = gather(exchange, &first.map(|(at, table)| (at, kinds(table))));
        let first = told.into_iter().flatten().min_by_key(|(at, _)| *at);
        let kinds_of_first = first.map(|(_, kinds)| kinds).unwrap_or_default();
        let differs = |table: &Table| table.rows > 0 && kinds(table) != kinds_of_first;
        let mut again = [i64::from(tables.iter().any(differs))];
        exchange.max(&mut again);
        if again[0] > 0 {
            tables = read(&AsFirst { plan, kinds: &kinds_of_first })?;
        }
    }
    let mut tables = tables.into_iter().filter(|table| table.rows > 0 || files.len() == 1);
    let mut whole = tables.next().unwrap_or_else(|| Table { source: "no file".into(), ..Table::default() });
    let appended = tables.try_for_each(|table| whole.append(table));
    all_or_none(exchange, appended)?;
    Ok(whole)
}

/// The kinds of features, by name.
fn kinds(table: &Table) -> Vec<(String, Kind)> {
    let kind = |column: &manyboost_data::Column| match column.role {
        Role::Feature(Some(kind)) => Some((column.name.clone(), kind)),
        _ => None,
    };
    table.columns.iter().filter_map(kind).collect()
}

/// Roles as in the first file.
struct AsFirst<'a> {
    plan: &'a TrainingPlan,
    kinds: &'a [(String, Kind)],
}

impl Plan for AsFirst<'_> {
    fn roles(&self, header: &[String]) -> Result<Vec<Role>> {
        let mut roles = self.plan.roles(header)?;
        for (role, name) in roles.iter_mut().zip(header).filter(|(role, _)| **role == Role::Feature(None)) {
            let known = self.kinds.iter().find(|(known, _)| known == name);
            *role = Role::Feature(known.map(|(_, kind)| *kind));
        }
        Ok(roles)
    }

    fn dialect(&self) -> Option<&Dialect> {
        self.plan.dialect()
    }
}
