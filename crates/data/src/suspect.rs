//! What looks like a mistake in a table. Nothing is refused or read otherwise for it, but the user is told, with what to do.

use crate::encode::CategoryCodec;
use crate::say;
use crate::table::{Table, Words};

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

impl Categories {
    /// Looks at a column of categories.
    pub(crate) fn look(words: &Words, codec: &CategoryCodec) -> Self {
        let mut rows = vec![0_usize; words.dictionary.len()];
        let mut missing = false;
        for &code in &words.codes {
            match rows.get_mut(code as usize) {
                Some(rows) => *rows += 1,
                None => missing = true,
            }
        }
        let seen = || words.dictionary.iter().zip(&rows).filter(|(_, rows)| **rows > 0);
        let known = codec.bins();
        let rare = || seen().filter(|(text, _)| codec.code(text) == known);
        let (present, alone): (usize, usize) = (rows.iter().sum(), rare().map(|(_, rows)| rows).sum());
        let dressed = Dressed::among(seen().map(|(text, _)| &**text));
        let warning = if let Some(example) = dressed {
            Some(format!(
                "values such as {} are taken for categories, not for numbers: write plain numbers, such as 1234.5",
                say::name(example)
            ))
        } else if present >= FEWEST && 10 * alone >= 9 * present {
            Some(format!(
                "{alone} of {} have a value that hardly any other row has, and nothing can be learnt from these: \
                 leave the column out (--ignore), or take it for text (--text) if its words matter",
                say::count(present, "row"),
            ))
        } else {
            None
        };
        Self { missing, rare: rare().count(), warning }
    }
}

/// Numbers in ordinary dress: `1,234.56`, `€12`, `12 %`.
struct Dressed;

impl Dressed {
    /// One of some texts, if nearly all of them are numbers and most of these dressed ones.
    fn among<'a>(texts: impl Iterator<Item = &'a str>) -> Option<&'a str> {
        let (mut all, mut numbers, mut dressed, mut example) = (0_usize, 0_usize, 0_usize, None);
        for text in texts {
            all += 1;
            if text.trim().parse::<f64>().is_ok() {
                numbers += 1;
            } else if is_dressed(text) {
                numbers += 1;
                dressed += 1;
                example = example.or(Some(text));
            }
        }
        example.filter(|_| 10 * numbers >= 9 * all && 2 * dressed > all)
    }
}

/// Whether a text is digits with signs around them (of money, per cent, brackets), with groups of thousands or with a comma
/// before decimals.
fn is_dressed(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    let mut last = None;
    let mut groups = bare.split_inclusive(|c: char| !c.is_ascii_digit()).peekable();
    let mut first = true;
    while let Some(group) = groups.next() {
        let digits = group.trim_end_matches(|c: char| !c.is_ascii_digit()).len();
        let end = group.chars().last().filter(|c| !c.is_ascii_digit());
        // What parts this group from the one before it: decimals come last, after another sign than thousands.
        let decimals = groups.peek().is_none() && matches!(last, Some('.' | ','));
        let fine = match last {
            None => digits > 0 && (groups.peek().is_none() || digits <= 3 || matches!(end, Some('.' | ','))),
            Some(_) => digits == 3 || (decimals && digits > 0),
        };
        let parts =
            end.is_none_or(|c| matches!(c, ',' | '.' | '\'' | '’' | '_' | ' ' | '\u{a0}' | '\u{202f}'));
        if !fine || !parts {
            return false;
        }
        (last, first) = (end, false);
    }
    !first && last.is_none()
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
        "{}: numbers are the names of {}: {}; if the first line is a row, add a line of names before it",
        table.source,
        say::count(numbers.len(), "column"),
        say::names(&shown),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_ordinary_dress() {
        for text in [
            "1,234.56",
            "€12",
            "12 %",
            "12%",
            "$1,000",
            "1 234,5",
            "1.234,56",
            "12,5",
            "(3)",
            "1'000'000",
            "£ 3.50",
            "-12 €",
            "1234,5",
            "1_000",
        ] {
            assert!(is_dressed(text), "{text}");
        }
        for text in [
            "red",
            "",
            "2020-01-31",
            "12:30",
            "1.2.3.4",
            "555-1234",
            "A12",
            "12 kg",
            "1,23,4",
            "3/4",
            "12a",
            "1234 567",
        ] {
            assert!(!is_dressed(text), "{text}");
        }
    }

    #[test]
    fn most_values_are_dressed_numbers() {
        assert_eq!(Dressed::among(["12", "€13", "€14"].into_iter()), Some("€13"));
        // Codes that are plain numbers may well be categories, and so may prices among words.
        assert_eq!(Dressed::among(["1", "2", "3"].into_iter()), None);
        assert_eq!(Dressed::among(["free", "cheap", "€14"].into_iter()), None);
    }

    #[test]
    fn names_that_are_numbers() {
        let table = |names: &[&str]| {
            let column = |name: &&str| crate::Column {
                name: (*name).into(),
                role: crate::Role::Ignored,
                values: crate::Values::SparseNumbers(Vec::new()),
            };
            Table { source: "d.csv".into(), columns: names.iter().map(column).collect(), rows: 0 }
        };
        let told = numbers_for_names(&table(&["5.1", "3.5", "setosa"])).unwrap();
        assert!(told.contains("2 columns") && told.contains("\"5.1\", \"3.5\""), "{told}");
        assert!(numbers_for_names(&table(&["7", "class"])).is_some());
        for fine in [&["x", "class"][..], &["0", "1", "2", "class"], &["2019", "2020", "2021"]] {
            assert_eq!(numbers_for_names(&table(fine)), None);
        }
    }
}
