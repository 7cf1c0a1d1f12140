//! One class per row: its name is the cell's text to the letter.
//!
//! Canonical order: by value if all names are numbers, by text otherwise (and where values tie).

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use manyboost_kernel::Exchange;

use super::{RowNumbers, UNKNOWN};
use crate::agree::{all_or_none, gather, total};
use crate::error::{Error, ErrorKind, Result};
use crate::table::{Column, Numbers, Table, Values, Words};
use crate::weights::Weights;
use crate::wording;

/// Names, the class of each row, notes.
type Classes = (Vec<String>, Vec<u32>, Vec<String>);

/// Reads the classes of a training table.
pub(super) fn read(
    table: &Table,
    column: &Column,
    rows: RowNumbers<'_>,
    exchange: &dyn Exchange,
) -> Result<Classes> {
    let words = words(table, column)?;
    all_or_none(exchange, refuse_missing(table, column, &words, rows))?;
    let mut used = vec![false; words.dictionary.len()];
    for &code in &words.codes {
        used[code as usize] = true;
    }
    let own: Vec<&str> =
        words.dictionary.iter().zip(used).filter(|(_, used)| *used).map(|(n, _)| &**n).collect();
    let all = if exchange.alone() { Vec::new() } else { of_all_workers(&own, exchange) };
    let mut names = if exchange.alone() { own } else { all.iter().map(String::as_str).collect() };
    names = order(&names).into_iter().map(|at| names[at]).collect();
    refuse_continuous(table, column, &names, exchange)?;
    let known = places(&names);
    let place: Vec<u32> =
        words.dictionary.iter().map(|name| known.get(&**name).copied().unwrap_or(UNKNOWN)).collect();
    let of = words.codes.iter().map(|&code| place[code as usize]).collect();
    let mut notes = Vec::new();
    if let [only] = names[..] {
        notes.push(format!("there is one class only, {}: every answer will be that", wording::name(only)));
    }
    notes.extend(confusable(&names));
    Ok((names.into_iter().map(String::from).collect(), of, notes))
}

/// Reads the classes of another table, by the names of a model.
pub(super) fn read_known(
    table: &Table,
    column: &Column,
    names: &[String],
    rows: RowNumbers<'_>,
) -> Result<(Vec<u32>, Vec<String>)> {
    let words = words(table, column)?;
    refuse_missing(table, column, &words, rows)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let known = places(&names);
    let place: Vec<u32> =
        words.dictionary.iter().map(|name| known.get(name.as_ref()).copied().unwrap_or(UNKNOWN)).collect();
    let mut unknown = vec![0usize; words.dictionary.len()];
    for &code in &words.codes {
        unknown[code as usize] += usize::from(place[code as usize] == UNKNOWN);
    }
    let mut strange: Vec<&str> = words
        .dictionary
        .iter()
        .zip(&unknown)
        .filter(|&(_, &n)| n > 0)
        .map(|(name, _)| name.as_ref())
        .collect();
    strange.sort_unstable();
    let mut notes = Vec::new();
    if !strange.is_empty() {
        let count = wording::count(unknown.iter().sum(), "row");
        notes.push(format!(
            "{}: {count} of classes that the model does not know ({}): counted as errors",
            table.source,
            wording::names(&strange)
        ));
    }
    Ok((words.codes.iter().map(|&code| place[code as usize]).collect(), notes))
}

/// The column as words; numbers (from formats without text) become their shortest text.
pub(crate) fn words<'a>(table: &Table, column: &'a Column) -> Result<std::borrow::Cow<'a, Words>> {
    use std::borrow::Cow;
    let numbers = match &column.values {
        Values::Words(words) => return Ok(Cow::Borrowed(words)),
        Values::Numbers(numbers) => numbers.clone(),
        Values::SparseNumbers(entries) => {
            let mut dense = vec![0.0; table.rows];
            for &(row, value) in entries {
                let cell = dense.get_mut(row as usize).ok_or_else(|| {
                    Error::new(
                        ErrorKind::Failed,
                        "a sparse column has more rows than its table",
                        "report this",
                    )
                })?;
                *cell = value;
            }
            Numbers::F64(dense)
        }
    };
    let mut seen = HashMap::new();
    let mut words = Words::default();
    for row in 0..numbers.len() {
        let value = numbers.get(row) + 0.0;
        let code = if value.is_nan() {
            Words::MISSING
        } else {
            *seen.entry(value.to_bits()).or_insert_with(|| {
                words.dictionary.push(value.to_string().into());
                words.dictionary.len() as u32 - 1
            })
        };
        words.codes.push(code);
    }
    Ok(Cow::Owned(words))
}

fn refuse_missing(table: &Table, column: &Column, words: &Words, rows: RowNumbers<'_>) -> Result<()> {
    let missing: Vec<usize> = (0..words.codes.len()).filter(|&row| words.get(row).is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let (count, place) = (wording::count(missing.len(), "row"), wording::name(&column.name));
    let what =
        format!("{}: column {place}: the label is missing in {count}: {}", table.source, rows.list(&missing));
    Err(Error::new(ErrorKind::Label, what, "give these rows a label or leave them out"))
}

/// Refuses numbers that are measurements rather than names: mostly with a fraction, and hardly two alike.
fn refuse_continuous(table: &Table, column: &Column, names: &[&str], exchange: &dyn Exchange) -> Result<()> {
    let Some(values) = numeric(names) else { return Ok(()) };
    let (distinct, fractions) = (values.len(), values.iter().filter(|v| v.fract() != 0.0).count());
    if distinct <= 5 || 2 * fractions <= distinct {
        return Ok(());
    }
    let (weights, _) = Weights::read_among(table, exchange)?;
    let rows = if weights.are_counts() { weights.total() } else { table.rows as u64 };
    let rows = total(exchange, rows) as usize;
    let many = distinct > 1000 || (distinct > 20 && 10 * distinct > rows) || 2 * distinct > rows;
    if !many {
        return Ok(());
    }
    let what = format!(
        "{}: column {}: the target looks continuous: {distinct} different numbers in {}",
        table.source,
        wording::name(&column.name),
        wording::count(rows, "row")
    );
    Err(Error::new(ErrorKind::Label, what, "name a column of classes as the target, or bin this one first"))
}

/// The names' values, if all of them are finite numbers.
fn numeric(names: &[&str]) -> Option<Vec<f64>> {
    names.iter().map(|name| name.parse::<f64>().ok().filter(|v| v.is_finite())).collect()
}

/// The place of each name.
fn places<'a>(names: &[&'a str]) -> HashMap<&'a str, u32> {
    names.iter().enumerate().map(|(class, &name)| (name, class as u32)).collect()
}

/// The names that any worker has, each once.
fn of_all_workers(own: &[&str], exchange: &dyn Exchange) -> Vec<String> {
    let own: Vec<String> = own.iter().map(ToString::to_string).collect();
    let all: BTreeSet<String> = gather(exchange, &own).into_iter().flatten().collect();
    all.into_iter().collect()
}

/// The canonical order of names: the place of the first, of the second, and so on.
pub fn order(names: &[&str]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..names.len()).collect();
    let values = numeric(names);
    places.sort_by(|&a, &b| {
        let by_value = values.as_ref().and_then(|values| values[a].partial_cmp(&values[b]));
        by_value.unwrap_or(Ordering::Equal).then_with(|| names[a].cmp(names[b]))
    });
    places
}

/// Notes on classes whose names differ only in white space around them.
fn confusable(names: &[&str]) -> Vec<String> {
    let mut by_trimmed: Vec<(&str, &str)> = names.iter().map(|&name| (name.trim(), name)).collect();
    by_trimmed.sort_unstable();
    let alike = by_trimmed.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
    alike
        .map(|group| {
            let names: Vec<&str> = group.iter().map(|&(_, name)| name).collect();
            format!(
                "the classes {} differ only in white space and are different classes",
                wording::names(&names)
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::Labels;
    use super::*;
    use crate::schema::role::Role;
    use proptest::prelude::*;

    fn table(cells: &[&str]) -> Table {
        let mut words = Words::default();
        for &cell in cells {
            let known = words.dictionary.iter().position(|d| d.as_ref() == cell);
            let code = match (cell, known) {
                ("?", _) => Words::MISSING,
                (_, Some(code)) => code as u32,
                (_, None) => {
                    words.dictionary.push(cell.into());
                    words.dictionary.len() as u32 - 1
                }
            };
            words.codes.push(code);
        }
        let column = Column { name: "y".into(), role: Role::Target, values: Values::Words(words) };
        Table { source: "t.csv".into(), columns: vec![column], rows: cells.len(), notes: Vec::new() }
    }

    fn names(cells: &[&str]) -> Vec<String> {
        Labels::read(&table(cells), None, RowNumbers::default()).unwrap().0.names().to_vec()
    }

    #[test]
    fn numbers_sort_by_value_and_keep_their_letters() {
        assert_eq!(
            names(&["10", "2", "-1", "1.0", "1", "1000000000000000000"]),
            ["-1", "1", "1.0", "2", "10", "1000000000000000000"]
        );
        assert_eq!(names(&["True", "10", "9"]), ["10", "9", "True"]);
        assert_eq!(names(&["nan", "1", "-1"]), ["-1", "1", "nan"]);
        let long = "é\n😀<script>".repeat(800);
        assert_eq!(names(&[&long, "b"]), ["b", &long]);
    }

    #[test]
    fn bad_labels_are_errors() {
        let read = |cells: &[&str], rows: RowNumbers| Labels::read(&table(cells), None, rows).unwrap_err();
        let error = read(&["a", "?", "b", "?", "?", "?"], RowNumbers::default());
        assert!(error.what().contains("4 rows: row 2, row 4, row 5 and 1 more"), "{error}");
        assert!(read(&["a", "?"], RowNumbers(Some(&[3, 8]))).what().contains("row 9"));
        let cells: Vec<String> = (0..30).map(|i| format!("{}.{i}", i % 7)).collect();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        assert!(read(&cells, RowNumbers::default()).what().contains("continuous"));
        assert_eq!(names(&["0.5", "1.5", "0.5", "1.5"]).len(), 2);
    }

    #[test]
    fn notes_on_one_class_and_on_white_space() {
        let notes = |cells: &[&str]| Labels::read(&table(cells), None, RowNumbers::default()).unwrap().2;
        assert!(notes(&["a", "a"])[0].contains("one class"));
        assert!(notes(&["a", " a", "b"])[0].contains("white space"));
        assert!(notes(&["a", "b"]).is_empty());
    }

    #[test]
    fn unknown_classes_are_told_apart() {
        let spec =
            crate::schema::TargetSpec::Classes { column: "y".into(), names: vec!["a".into(), "b".into()] };
        let (labels, notes) =
            Labels::read_known(&table(&["b", "c", "a", "c"]), &spec, RowNumbers::default()).unwrap();
        assert_eq!((0..4).map(|r| labels.class(r)).collect::<Vec<_>>(), [Some(1), None, Some(0), None]);
        assert!(notes[0].contains("2 rows") && notes[0].contains("\"c\""));
        assert_eq!((labels.labels(0), labels.labels(1)), (&[1][..], &[][..]));
    }

    #[test]
    fn numbers_are_classes_too() {
        let values = Values::Numbers(Numbers::I16(vec![300, -2, 300]));
        let column = Column { name: "y".into(), role: Role::Target, values };
        let table = Table { source: "t".into(), columns: vec![column], rows: 3, notes: Vec::new() };
        let (labels, ..) = Labels::read(&table, None, RowNumbers::default()).unwrap();
        assert_eq!(labels, Labels::Classes { names: vec!["-2".into(), "300".into()], of: vec![1, 0, 1] });
    }

    proptest! {
        #[test]
        fn names_and_classes_do_not_depend_on_the_order_of_rows(
            cells in prop::collection::vec("[a-c]|-?[0-9]{1,3}(\\.[0-9])?", 1..12)
        ) {
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            let Ok((labels, ..)) = Labels::read(&table(&cells), None, RowNumbers::default()) else { return Ok(()) };
            let reversed: Vec<&str> = cells.iter().rev().copied().collect();
            let (other, ..) = Labels::read(&table(&reversed), None, RowNumbers::default()).unwrap();
            prop_assert_eq!(labels.names(), other.names());
            for (row, cell) in cells.iter().enumerate() {
                prop_assert_eq!(&labels.names()[labels.class(row).unwrap() as usize], cell);
                prop_assert_eq!(labels.class(row), other.class(cells.len() - 1 - row));
            }
        }
    }
}
