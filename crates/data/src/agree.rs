//! What workers tell one another before they train, each with rows of its own.
//!
//! Everything that is decided from all rows (what columns hold, what codes mean, which classes there are, what weights are units of) is
//! decided by all workers from the same messages, so that each comes to what one process with all rows would have come to. One
//! worker's error is the error of all.

use manyboost_kernel::exchange::{Ask, Failure, Verb, guarded};
use manyboost_kernel::{Alone, Exchange};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind, Result};
use crate::schema::role::{Clock, Kind, Role};
use crate::table::lent::listed;
use crate::table::{Column, Numbers, Table, Values, Words};
use crate::wording;

/// What each worker has, in their order.
pub fn gather<T: Serialize + DeserializeOwned>(exchange: &dyn Exchange, own: &T) -> Vec<T> {
    read_all(exchange.gather(&written(own)))
}

/// Gives each worker its part; what each has given this one.
pub fn deal<T: Serialize + DeserializeOwned>(exchange: &dyn Exchange, parts: &[T]) -> Vec<T> {
    let parts: Vec<Vec<u8>> = parts.iter().map(written).collect();
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    read_all(exchange.deal(Ask { verb: Verb::Deal, numbers: 0 }, &parts))
}

fn written<T: Serialize>(message: &T) -> Vec<u8> {
    // Numbers, texts and lists of them can always be written.
    postcard::to_stdvec(message).unwrap_or_default()
}

fn read_all<T: DeserializeOwned>(messages: Vec<Vec<u8>>) -> Vec<T> {
    let read = |(worker, bytes): (usize, Vec<u8>)| {
        let broken = |_| Failure { worker, what: "said something that nobody understands".into() }.raise();
        postcard::from_bytes(&bytes).unwrap_or_else(broken)
    };
    messages.into_iter().enumerate().map(read).collect()
}

/// Whether something holds for some worker.
pub fn any(exchange: &dyn Exchange, own: bool) -> bool {
    let mut flag = [i64::from(own)];
    exchange.max(&mut flag);
    flag[0] > 0
}

/// A number of all workers together.
pub fn total(exchange: &dyn Exchange, own: u64) -> u64 {
    let mut sum = [own as i64];
    exchange.sum(&mut sum);
    sum[0] as u64
}

/// What this worker has found if no worker has failed; else the error of the first that has.
pub fn all_or_none<T>(exchange: &dyn Exchange, own: Result<T>) -> Result<T> {
    if exchange.alone() {
        return own;
    }
    let told = own.as_ref().err().map(|error| {
        let kind = KINDS.iter().position(|kind| *kind == error.kind()).unwrap_or(0);
        (kind, error.what().into_owned(), error.remedy().into_owned())
    });
    let first = gather(exchange, &told).into_iter().enumerate().find_map(|(rank, told)| Some((rank, told?)));
    match (own, first) {
        (Err(own), Some((rank, _))) if rank == exchange.rank() => Err(own),
        (_, Some((rank, (kind, what, remedy)))) => {
            let kind = KINDS.get(kind).copied().unwrap_or(ErrorKind::Failed);
            Err(Error::new(kind, format!("worker {rank}: {what}"), remedy))
        }
        (own, None) => own,
    }
}

/// Kinds of errors by the numbers by which workers tell them.
const KINDS: [ErrorKind; 11] = [
    ErrorKind::Failed,
    ErrorKind::File,
    ErrorKind::Syntax,
    ErrorKind::Limit,
    ErrorKind::Column,
    ErrorKind::Label,
    ErrorKind::Weight,
    ErrorKind::Parameter,
    ErrorKind::Model,
    ErrorKind::Memory,
    ErrorKind::Worker,
];

/// Does some work together with other workers: a failure among them is an error.
pub fn together<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    guarded(work).unwrap_or_else(|Failure { worker, what }| {
        Err(Error::new(
            ErrorKind::Worker,
            format!("worker {worker} {what}"),
            "start all workers again, with the same version, options and data on each",
        ))
    })
}

/// What a worker has to say of its table.
#[derive(Serialize, Deserialize)]
struct Shape {
    source: String,
    rows: u64,
    columns: Vec<(String, u8, Held)>,
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Held {
    Numbers,
    Entries,
    Words,
}

/// Roles by the numbers by which workers tell them.
const ROLES: [Role; 13] = [
    Role::Feature(Some(Kind::Number)),
    Role::Feature(Some(Kind::Category)),
    Role::Feature(Some(Kind::Text)),
    Role::Target,
    Role::Label,
    Role::Weight,
    Role::Ignored,
    Role::Feature(None),
    Role::Feature(Some(Kind::Time(Clock::Plain))),
    Role::Feature(Some(Kind::Time(Clock::DayFirst))),
    Role::Feature(Some(Kind::Time(Clock::MonthFirst))),
    Role::Feature(Some(Kind::Time(Clock::Span))),
    Role::Feature(Some(Kind::Time(Clock::Open))),
];

impl Shape {
    fn of(table: &Table) -> Self {
        let column = |column: &Column| {
            let role = ROLES.iter().position(|role| *role == column.role).unwrap_or(0) as u8;
            let held = match column.values {
                Values::Numbers(_) => Held::Numbers,
                Values::SparseNumbers(_) => Held::Entries,
                Values::Words(_) => Held::Words,
            };
            (column.name.clone(), role, held)
        };
        let columns = table.columns.iter().map(column).collect();
        Self { source: table.source.clone(), rows: table.rows as u64, columns }
    }

    /// The role of a column.
    fn role(&self, at: usize) -> Role {
        ROLES.get(usize::from(self.columns[at].1)).copied().unwrap_or(Role::Ignored)
    }

    /// Why a table of this shape is no part of one like `first`, if it is none. `roles` are those that columns have in the tables before, and
    /// then in this one too.
    fn differs(&self, rank: usize, first: &Self, roles: &mut [Role]) -> Result<()> {
        let error = |what: String, remedy: &str| {
            let what = format!("worker {rank}: {}: {what}", self.source);
            Err(Error::new(ErrorKind::Column, what, remedy))
        };
        let named = |(a, b): (&(String, u8, Held), &(String, u8, Held))| a.0 == b.0;
        if self.columns.len() != first.columns.len() || !self.columns.iter().zip(&first.columns).all(named) {
            return error(
                format!("other columns than in {}", first.source),
                "give all workers tables with the same columns in the same order",
            );
        }
        let pairs = self.columns.iter().zip(&first.columns).zip(roles).enumerate();
        for (at, (((name, _, held), (_, _, others)), known)) in pairs {
            let role = self.role(at);
            let words = |role| matches!(role, Role::Feature(Some(Kind::Category | Kind::Text)));
            let both = role.beside(*known).or((words(role) && words(*known)).then_some(*known));
            let (like, target) = (both.is_some(), role == Role::Target);
            *known = both.unwrap_or(*known);
            if !like || (!target && (*held == Held::Words) != (*others == Held::Words)) {
                return error(
                    format!("column {} is of another kind than in {}", wording::name(name), first.source),
                    "say what kind it is (`categorical`, `text`), or leave it out (`ignore`)",
                );
            }
        }
        Ok(())
    }
}

/// The worker's table as a part of one that all have together: columns are of the kind that they have in the first rows, and a worker
/// without rows has the columns too.
pub fn columns(mut table: Table, exchange: &dyn Exchange) -> Result<Table> {
    if exchange.alone() {
        return Ok(table);
    }
    let shapes = gather(exchange, &Shape::of(&table));
    let Some(first) = shapes.iter().find(|shape| shape.rows > 0) else { return Ok(table) };
    let there = || shapes.iter().enumerate().filter(|(_, shape)| shape.rows > 0);
    let mut roles: Vec<Role> = (0..first.columns.len()).map(|at| first.role(at)).collect();
    there().try_for_each(|(rank, shape)| shape.differs(rank, first, &mut roles))?;
    if table.rows == 0 {
        let column = |(name, _, held): &(String, u8, Held)| Column {
            name: name.clone(),
            role: Role::Ignored,
            values: match held {
                Held::Words => Values::Words(Words::default()),
                _ => Values::Numbers(Numbers::I8(Vec::new())),
            },
        };
        table.columns = first.columns.iter().map(column).collect();
    }
    for (at, column) in table.columns.iter_mut().enumerate() {
        column.settle(roles[at]);
        let entries = there().any(|(_, shape)| shape.columns[at].2 == Held::Entries);
        if let (Values::Numbers(numbers), true) = (&column.values, entries) {
            column.values = listed(numbers);
        }
    }
    Ok(table)
}

/// Nobody else.
pub(crate) const ALONE: &dyn Exchange = &Alone;
