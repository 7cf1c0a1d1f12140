//! From names to columns: the plan's roles, with the kinds of features filled in.

use crate::error::{Error, ErrorKind, Result};
use crate::read::Limits;
use crate::read::chunk::{Part, Reading};
use crate::read::csv::undress::Dressing;
use crate::read::message::in_file;
use crate::schema::role::{Clock, Kind, Plan, Role};
use crate::table::{Column, Table, Values};
use crate::wording;
use crate::wording::grouped;

/// The columns of a file and what they are for.
#[derive(Clone)]
pub(crate) struct Columns {
    names: Vec<String>,
    /// As the plan asked.
    asked: Vec<Role>,
    /// With the kinds filled in.
    roles: Vec<Role>,
    /// How their numbers are dressed, where they are.
    dressings: Vec<(usize, Dressing)>,
    /// Whether day or month comes first in dates of numbers, where somebody said it.
    dates: Option<Clock>,
    /// Whether numbers are looked at one by one, because some stand for missing values.
    careful: bool,
    /// What the user should know of the file.
    pub notes: Vec<String>,
}

/// Asks the plan; `inferred` gives the kind of a feature that the plan leaves open.
pub(crate) fn resolve(
    source: &str,
    names: Vec<String>,
    plan: &dyn Plan,
    inferred: impl Fn(usize) -> Option<Kind>,
) -> Result<Columns> {
    let asked = plan.roles(&names)?;
    if asked.len() != names.len() {
        let what = format!("{} roles for {} columns", asked.len(), names.len());
        return Err(Error::new(ErrorKind::Failed, in_file(source, &what), "this is a bug, please report it"));
    }
    let fill = |(column, role): (usize, &Role)| match role {
        Role::Feature(None) => Role::Feature(Some(inferred(column).unwrap_or(Kind::Number))),
        role => *role,
    };
    let roles = asked.iter().enumerate().map(fill).collect();
    let dates = plan.dialect().and_then(|dialect| dialect.dates);
    Ok(Columns { names, asked, roles, dressings: Vec::new(), dates, careful: false, notes: Vec::new() })
}

/// How a role wants its column read.
pub(crate) fn reading(role: Role) -> Reading {
    match role {
        Role::Feature(Some(Kind::Category | Kind::Text)) | Role::Target | Role::Kept => Reading::Words,
        Role::Feature(Some(Kind::Time(clock))) => Reading::Times(clock),
        Role::Feature(_) | Role::Label | Role::Weight => Reading::Number,
        Role::Ignored => Reading::Skip,
    }
}

impl Columns {
    /// Number of columns in the file.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The name of a column.
    pub(crate) fn name(&self, column: usize) -> &str {
        self.names.get(column).map_or("", String::as_str)
    }

    /// The role of a column as the plan asked for it.
    pub(crate) fn asked(&self, column: usize) -> Role {
        self.asked.get(column).copied().unwrap_or(Role::Ignored)
    }

    /// The role of a column, its kind filled in.
    pub(crate) fn role(&self, column: usize) -> Role {
        self.roles.get(column).copied().unwrap_or(Role::Ignored)
    }

    /// Says what kind a feature turned out to be, where the plan left it open.
    pub(crate) fn infer(&mut self, column: usize, kind: Kind) {
        if let (Some(Role::Feature(None)), Some(role)) = (self.asked.get(column), self.roles.get_mut(column))
        {
            *role = Role::Feature(Some(kind));
        }
    }

    /// How each column is read.
    pub(crate) fn readings(&self) -> Vec<Reading> {
        let plain = if self.careful { Reading::Dressed(Dressing::NONE) } else { Reading::Number };
        let reading = |role: &Role| match (reading(*role), self.dates) {
            (Reading::Number, _) => plain,
            (Reading::Times(clock), Some(order)) if clock != Clock::Span => Reading::Times(order),
            (own, _) => own,
        };
        let mut readings: Vec<Reading> = self.roles.iter().map(reading).collect();
        for (column, dressing) in &self.dressings {
            if let Some(reading) = readings.get_mut(*column) {
                *reading = Reading::Dressed(*dressing);
            }
        }
        readings
    }

    /// Says how the numbers of a column are dressed; plain ones are read faster.
    pub(crate) fn dress(&mut self, column: usize, dressing: Dressing) {
        if dressing != Dressing::NONE {
            self.dressings.push((column, dressing));
        }
    }

    /// Lets no number pass without a look at what it stands for.
    pub(crate) fn take_care(&mut self) {
        self.careful = true;
    }

    /// Puts the table together.
    pub(crate) fn table(&self, source: &str, parts: Vec<Part>, rows: usize) -> Result<Table> {
        let mut own = self.clone();
        parts.iter().enumerate().try_for_each(|(column, part)| own.settle(source, column, part))?;
        own.into_table(source, parts.into_iter().map(Part::finish), rows)
    }

    /// Says what came first in the dates of a column that left it open.
    pub(crate) fn settle(&mut self, source: &str, column: usize, part: &Part) -> Result<()> {
        let (name, Part::Times(times)) = (self.name(column), part) else { return Ok(()) };
        if times.torn {
            let what = format!(
                "column {}: some dates have the day first, and others the month",
                wording::name(name)
            );
            let remedy = format!(
                "write all dates as 2021-03-31, or pass {} if it is a category",
                wording::option("categorical", name)
            );
            return Err(Error::new(ErrorKind::Column, in_file(source, &what), remedy));
        }
        if let Some(role @ Role::Feature(Some(Kind::Time(Clock::Open)))) = self.roles.get_mut(column) {
            *role = Role::Feature(Some(Kind::Time(times.clock)));
        }
        Ok(())
    }

    /// Puts the table together from finished columns; `None` for those that were not kept.
    pub(crate) fn into_table(
        self,
        source: &str,
        values: impl Iterator<Item = Option<Values>>,
        rows: usize,
    ) -> Result<Table> {
        if rows == 0 {
            return Err(no_rows(source));
        }
        let notes = self.notes;
        let named = self.names.into_iter().zip(self.roles).zip(values);
        let columns = named.filter_map(|((name, role), values)| Some(Column { name, role, values: values? }));
        Ok(Table { source: source.to_owned(), columns: columns.collect(), rows, notes })
    }
}

/// The error of a table without rows.
pub(crate) fn no_rows(source: &str) -> Error {
    Error::new(ErrorKind::Syntax, in_file(source, "no rows"), "give a file with at least one row of data")
}

/// The error of a table with too many rows.
pub(crate) fn too_many_rows(source: &str, limits: &Limits) -> Error {
    let what = in_file(source, &format!("more than {} rows", grouped(limits.rows)));
    Error::new(ErrorKind::Limit, what, "train on a sample of the rows")
}
