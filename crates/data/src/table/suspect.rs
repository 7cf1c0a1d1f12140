//! What looks like a mistake in a table. Nothing is refused or read otherwise for it, but the user is told, with what to do.

use crate::encode::CategoryCodec;
use crate::table::dress::Dress;
use crate::table::{Table, Words};
use crate::wording;

/// Rows from which on a column of values that hardly two rows share is taken for a mistake.
const FEWEST: usize = 10;

/// What was seen of a column of categories.
pub(crate) struct Categories {
    /// Whether a value is missing.
    pub missing: bool,
    /// Distinct values that too few rows have.
    pub rare: usize,
    /// What looks like a mistake, and what to do.
    pub warning: Option<String>,
}

/// The values of a column of categories.
pub(crate) struct Seen<'a> {
    /// Each with its rows.
    pub rows: Vec<(&'a str, usize)>,
    /// Whether one is missing.
    pub missing: bool,
}

impl<'a> Seen<'a> {
    /// Those of a column.
    pub(crate) fn of(words: &'a Words) -> Self {
        let mut rows = vec![0_usize; words.dictionary.len()];
        let mut missing = false;
        for &code in &words.codes {
            match rows.get_mut(code as usize) {
                Some(rows) => *rows += 1,
                None => missing = true,
            }
        }
        let seen = words.dictionary.iter().zip(rows).filter(|(_, rows)| *rows > 0);
        Self { rows: seen.map(|(text, rows)| (&**text, rows)).collect(), missing }
    }
}

impl Categories {
    /// Looks at the values of a column of categories.
    pub(crate) fn judge(Seen { rows, missing }: &Seen<'_>, codec: &CategoryCodec) -> Self {
        let known = codec.bins();
        let rare = || rows.iter().filter(|(text, _)| codec.code(text) == known);
        let present: usize = rows.iter().map(|(_, rows)| rows).sum();
        let alone: usize = rare().map(|(_, rows)| rows).sum();
        let dressed = Dress::among(rows.iter().map(|(text, _)| *text));
        let warning = if let Some((example, dress)) = dressed {
            Some(format!(
                "values such as {} are {}, and taken for categories, not for numbers: {}",
                wording::name(example),
                dress.words(),
                dress.remedy(),
            ))
        } else if present >= FEWEST && 10 * alone >= 9 * present {
            Some(format!(
                "{alone} of {} have a value that hardly any other row has, and nothing can be learnt from these: \
                 leave the column out (`ignore`), or take it for text (`text`) if its words matter",
                wording::count(present, "row"),
            ))
        } else {
            None
        };
        Self { missing: *missing, rare: rare().count(), warning }
    }
}

/// What looks strange about the names of a table whose first line has them: numbers are seldom names, but often the first row
/// of a file without names. Numbers that count up are fine.
pub fn numbers_for_names(table: &Table) -> Option<String> {
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    let numbers: Vec<(&str, f64)> =
        names.iter().filter_map(|&name| Some((name, name.trim().parse().ok()?))).collect();
    let counts = numbers.len() > 1 && numbers.windows(2).all(|pair| pair[1].1 == pair[0].1 + 1.0);
    if numbers.is_empty() || counts {
        return None;
    }
    let shown: Vec<&str> = numbers.iter().map(|(name, _)| *name).collect();
    Some(format!(
        "{}: numbers are the names of {}: {}; if the first line is a row, pass `no-header` or add a line of names before it",
        table.source,
        wording::count(numbers.len(), "column"),
        wording::names(&shown),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_numbers() {
        let table = |names: &[&str]| {
            let column = |name: &&str| crate::Column {
                name: (*name).into(),
                role: crate::Role::Ignored,
                values: crate::Values::SparseNumbers(Vec::new()),
            };
            Table {
                source: "d.csv".into(),
                columns: names.iter().map(column).collect(),
                rows: 0,
                notes: Vec::new(),
            }
        };
        let told = numbers_for_names(&table(&["5.1", "3.5", "setosa"])).unwrap();
        assert!(told.contains("2 columns") && told.contains("\"5.1\", \"3.5\""), "{told}");
        assert!(numbers_for_names(&table(&["7", "class"])).is_some());
        for fine in [&["x", "class"][..], &["0", "1", "2", "class"], &["2019", "2020", "2021"]] {
            assert_eq!(numbers_for_names(&table(fine)), None);
        }
    }
}
