//! Holding rows out, and dealing them to folds.
//!
//! What is dealt are copies: a row of weight 2 is there twice, and one copy may be held out where the other is not. Copies stand
//! in a line, those of equal rows side by side, in an order that the seed and what is in rows decide. Of that line every
//! so manieth copy is taken. So neither the order of rows matters nor whether they are repeated or weighted, and every part has
//! its share of equal rows. Rows of weights that are not whole numbers are there once each. Where several workers have rows,
//! there is one line of all of them (`line.rs`).

mod line;

use std::fmt;
use std::str::FromStr;

use manyboost_kernel::numbers::seed::mix;
use manyboost_kernel::{Alone, Exchange};
use rayon::prelude::*;

use self::line::{Alike, number};
use crate::agree::{self, all_or_none, together};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::role::Role;
use crate::table::contents::Contents;
use crate::table::source::{ColumnSource, Features};
use crate::table::{Column, Numbers, Table, Values};
use crate::weights::Weights;

/// Which rows are held out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// Those that the seed and what is in rows decide, in whatever order they are.
    #[default]
    Drawn,
    /// The last ones: for rows in the order of time.
    Last,
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Last { "last" } else { "drawn" })
    }
}

impl FromStr for Split {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "drawn" => Ok(Self::Drawn),
            "last" => Ok(Self::Last),
            _ => {
                let what = format!("`split`: there is no {text:?}");
                Err(Error::new(ErrorKind::Parameter, what, "choose drawn or last"))
            }
        }
    }
}

impl Split {
    /// The rows that are kept and those that are held out, which are about `fraction` of all, by weight; at least one each. Where
    /// other workers have rows too, each gets its own, and `answers` has columns that all have [agreed](crate::agree::columns) on.
    pub fn parts(
        self,
        answers: &Table,
        features: &dyn ColumnSource,
        (fraction, seed): (f64, u64),
        exchange: &dyn Exchange,
    ) -> Result<[Part; 2]> {
        match self {
            Self::Drawn => Line::among(answers, features, seed, exchange)?.split_among(fraction, exchange),
            Self::Last if exchange.alone() => Line::in_order(answers)?.split_last(fraction),
            Self::Last => {
                let what = "`split=last`: the rows of several workers have no order in common";
                Err(Error::new(
                    ErrorKind::Parameter,
                    what,
                    "leave it out, or give the last rows apart to validate on",
                ))
            }
        }
    }
}

/// All copies of all rows, in a line.
pub struct Line {
    places: Vec<Place>,
    copies: u64,
    /// Whether weights count rows.
    counts: bool,
    /// Whether there are weights.
    weighted: bool,
}

/// The copies of a row in the line.
struct Place {
    row: u32,
    /// What is in the row.
    content: u64,
    /// What it weighs.
    units: u32,
    /// Copies that stand before it.
    first: u64,
    copies: u32,
}

/// Some rows, with how often each of them is there if that is not once.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The rows.
    pub rows: Vec<u32>,
    /// How often they are there, where that is not what their weights say.
    pub counts: Option<Vec<f64>>,
}

impl Line {
    /// Of the rows of a table. With `by_class`, those of a class stand together.
    pub fn of(table: &Table, by_class: bool, seed: u64) -> Result<Self> {
        Self::new(table, &Features::of(table), by_class, seed)
    }

    /// Of rows whose features are lent; `answers` has their other columns.
    pub fn new(answers: &Table, features: &dyn ColumnSource, by_class: bool, seed: u64) -> Result<Self> {
        let (weights, kept) = Weights::read(answers)?;
        Self::of_weights(answers, features, by_class, seed, (&weights, kept))
    }

    /// Of rows of which other workers have some too, to be split. `answers` has columns that all have
    /// [agreed](crate::agree::columns) on.
    pub fn among(
        answers: &Table,
        features: &dyn ColumnSource,
        seed: u64,
        exchange: &dyn Exchange,
    ) -> Result<Self> {
        let (weights, kept) = Weights::read_among(answers, exchange)?;
        let own = Self::of_weights(answers, features, false, seed, (&weights, kept));
        let mut line = all_or_none(exchange, own)?;
        if exchange.alone() {
            return Ok(line);
        }
        let like = |a: &Place, b: &Place| (a.content, a.units) == (b.content, b.units);
        let copies = |alike: &[Place]| alike.iter().map(|place| u64::from(place.copies)).sum();
        let told = |alike: &[Place]| (alike[0].content, alike[0].units, copies(alike));
        let own: Vec<Alike> = line.places.chunk_by(like).map(told).collect();
        let (firsts, all) = number(&own, exchange);
        for (alike, mut first) in line.places.chunk_by_mut(like).zip(firsts) {
            for place in alike {
                place.first = first;
                first += u64::from(place.copies);
            }
        }
        line.copies = all;
        Ok(line)
    }

    fn of_weights(
        answers: &Table,
        features: &dyn ColumnSource,
        by_class: bool,
        seed: u64,
        (weights, kept): (&Weights, Option<Vec<u32>>),
    ) -> Result<Self> {
        let mut contents = Contents::new(answers, features)?;
        contents.rows.par_iter_mut().for_each(|hash| *hash = mix(mix(seed) ^ *hash));
        let all = || (0..answers.rows as u32).collect();
        let mut order: Vec<(u32, u32)> = (0u32..).zip(kept.unwrap_or_else(all)).collect();
        let classes = by_class && answers.columns.iter().any(|column| column.role == Role::Target);
        let class = |row: usize| if classes { contents.answers[row] } else { 0 };
        let units = weights.units();
        order.par_sort_unstable_by_key(|&(at, row)| {
            (class(row as usize), contents.rows[row as usize], units[at as usize])
        });
        let content = |_, row: u32| contents.rows[row as usize];
        Ok(Self::standing(answers, weights, order, content))
    }

    /// Of the rows of a table, as they follow one another.
    fn in_order(answers: &Table) -> Result<Self> {
        let (weights, kept) = Weights::read(answers)?;
        let all = || (0..answers.rows as u32).collect();
        let order = (0u32..).zip(kept.unwrap_or_else(all)).collect();
        // No row changes places with another.
        Ok(Self::standing(answers, &weights, order, |at, _| u64::from(at)))
    }

    /// Of rows in this order, each with its place among those of weight; rows of equal contents are told as one.
    fn standing(
        answers: &Table,
        weights: &Weights,
        order: Vec<(u32, u32)>,
        content: impl Fn(u32, u32) -> u64,
    ) -> Self {
        let (units, mut copies) = (weights.units(), 0);
        let place = |(at, row): (u32, u32)| {
            let (first, own) = (copies, weights.copies(at as usize));
            copies += u64::from(own);
            Place { row, content: content(at, row), units: units[at as usize], first, copies: own }
        };
        let places = order.into_iter().map(place).collect();
        let weighted = answers.columns.iter().any(|column| column.role == Role::Weight);
        Self { places, copies, counts: weights.are_counts(), weighted }
    }

    /// The rows that are kept and those that are held out, which are about `fraction` of all, by weight; at least one each.
    pub fn split(&self, fraction: f64) -> Result<[Part; 2]> {
        let held = self.held(fraction)?;
        Ok(self.parts(|copies| (u128::from(copies) * u128::from(held) / u128::from(self.copies)) as u64))
    }

    /// The same, with the last copies of the line held out.
    fn split_last(&self, fraction: f64) -> Result<[Part; 2]> {
        let kept = self.copies - self.held(fraction)?;
        Ok(self.parts(|copies| copies.saturating_sub(kept)))
    }

    /// How many copies a fraction is.
    fn held(&self, fraction: f64) -> Result<u64> {
        if !(fraction > 0.0 && fraction < 1.0) {
            let what = format!("the fraction of rows to hold out is {fraction}");
            return Err(Error::new(ErrorKind::Parameter, what, "it lies between 0 and 1"));
        }
        if self.copies < 2 {
            let what = format!("{} row(s) cannot be split in two", self.copies);
            return Err(Error::new(ErrorKind::Parameter, what, "train without validation"));
        }
        Ok(((self.copies as f64 * fraction).round() as u64).clamp(1, self.copies - 1))
    }

    /// [`split`](Self::split) where other workers have rows too: each gets its own of both parts.
    fn split_among(&self, fraction: f64, exchange: &dyn Exchange) -> Result<[Part; 2]> {
        let parts = self.split(fraction)?;
        if exchange.alone() {
            return Ok(parts);
        }
        // A column of weights is there for all or for none.
        Ok(parts.map(|part| {
            let counted = agree::any(exchange, part.counts.is_some());
            let ones = || vec![1.0; part.rows.len()];
            Part { counts: counted.then(|| part.counts.unwrap_or_else(ones)), rows: part.rows }
        }))
    }

    /// Refuses a number of folds that rows cannot be dealt to.
    pub fn check_folds(&self, folds: usize) -> Result<()> {
        if folds >= 2 && folds as u64 <= self.copies {
            return Ok(());
        }
        let what = format!("{} row(s) cannot be dealt to {folds} parts", self.copies);
        Err(Error::new(ErrorKind::Parameter, what, "give at least 2 parts, and a row for each"))
    }

    /// The rows without a fold, and those in it. Folds are dealt in turn, so that they are nearly equal, and so are the rows of each
    /// class in them where those stand together.
    pub fn fold(&self, folds: usize, fold: usize) -> [Part; 2] {
        let (folds, fold) = (folds as u64, fold as u64);
        self.parts(|copies| (copies + folds - 1 - fold) / folds)
    }

    /// The rows of copies that are not taken, ascending, and of those that are, in their order and equal ones as one, if so many of
    /// the first copies are taken.
    fn parts(&self, taken: impl Fn(u64) -> u64) -> [Part; 2] {
        let (mut left, mut out) = (Vec::<(u32, u64)>::new(), Vec::<(u32, u64)>::new());
        let (mut joins, mut before) = (false, None);
        for place in &self.places {
            let own = u64::from(place.copies);
            let some = taken(place.first + own) - taken(place.first);
            joins &= before.replace(place.content) == Some(place.content);
            match out.last_mut() {
                Some((_, count)) if joins && self.counts => *count += some,
                _ if some > 0 => {
                    out.push((place.row, some));
                    joins = true;
                }
                _ => {}
            }
            if some < own {
                left.push((place.row, own - some));
            }
        }
        left.sort_unstable();
        [left, out].map(|rows| self.part(&rows))
    }

    fn part(&self, rows: &[(u32, u64)]) -> Part {
        let counted = self.counts && (self.weighted || rows.iter().any(|&(_, count)| count > 1));
        Part {
            rows: rows.iter().map(|&(row, _)| row).collect(),
            counts: counted.then(|| rows.iter().map(|&(_, count)| count as f64).collect()),
        }
    }
}

impl Table {
    /// The rows of a part, weighted by how often they are there.
    #[must_use]
    pub fn part(&self, part: &Part) -> Self {
        let mut table = self.select(&part.rows);
        if let Some(counts) = &part.counts {
            let mut name = "weight".to_string();
            while table.column(&name).is_some() {
                name.push('_');
            }
            let known = table.columns.iter_mut().find(|column| column.role == Role::Weight);
            let values = Values::Numbers(Numbers::F64(counts.clone()));
            match known {
                Some(column) => column.values = values,
                None => table.columns.push(Column { name, role: Role::Weight, values }),
            }
        }
        table
    }

    /// The rows that are kept and those that are held out, about `fraction` of all.
    pub fn split(&self, fraction: f64, seed: u64) -> Result<[Self; 2]> {
        self.split_by(Split::Drawn, fraction, seed)
    }

    /// The same of rows that are held out by some rule.
    pub fn split_by(&self, split: Split, fraction: f64, seed: u64) -> Result<[Self; 2]> {
        let parts = split.parts(self, &Features::of(self), (fraction, seed), &Alone)?;
        Ok(parts.map(|part| self.part(&part)))
    }

    /// The same of a table of which other workers have parts too: wherever rows are, the same are held out.
    pub fn split_among(
        self,
        split: Split,
        fraction: f64,
        seed: u64,
        exchange: &dyn Exchange,
    ) -> Result<[Self; 2]> {
        together(|| {
            let table = agree::columns(self, exchange)?;
            let parts = split.parts(&table, &Features::of(&table), (fraction, seed), exchange)?;
            Ok(parts.map(|part| table.part(&part)))
        })
    }
}

#[cfg(test)]
mod tests;
