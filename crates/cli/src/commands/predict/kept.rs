//! Columns of the data that stand before the answers.

use std::collections::HashSet;

use manyboost_data::{Table, Values};

use super::answers::AnswerCell;
use crate::args::PredictArgs;
use crate::inputs::Keep;

/// Which columns are asked for.
pub fn wanted(args: &PredictArgs) -> Keep<'_> {
    if args.append { Keep::All } else { Keep::Named(&args.keep) }
}

/// Some rows of these columns.
pub struct Kept {
    names: Vec<String>,
    values: Vec<Values>,
}

impl Kept {
    /// Copies them from a table that has been read with them.
    pub fn of(table: &Table, keep: Keep<'_>) -> Self {
        let columns: Vec<_> = match keep {
            Keep::Named(names) => names.iter().filter_map(|name| table.column(name)).collect(),
            Keep::All => table.columns.iter().collect(),
        };
        let names = columns.iter().map(|column| column.name.clone()).collect();
        Self { names, values: columns.into_iter().map(|column| column.spelt().into_owned()).collect() }
    }

    /// The names of the columns and those of the answers behind them: no two are the same.
    pub fn header(&self, answers: Vec<String>) -> Vec<String> {
        let mut taken: HashSet<String> = self.names.iter().cloned().collect();
        let mut all = self.names.clone();
        for mut name in answers {
            while !taken.insert(name.clone()) {
                name = format!("predicted_{name}");
            }
            all.push(name);
        }
        all
    }

    /// The cells of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = AnswerCell<'_>> {
        self.values.iter().map(move |values| match values {
            Values::Numbers(numbers) => AnswerCell::Value(numbers.get(row)),
            Values::SparseNumbers(entries) => {
                let at = entries.binary_search_by_key(&(row as u32), |entry| entry.0);
                AnswerCell::Value(at.map_or(0.0, |at| entries[at].1))
            }
            Values::Words(words) => AnswerCell::Kept(words.get(row)),
        })
    }
}
