//! libsvm text: `label index:value …`, indices from 1 and ascending, `#` starts a comment.
//!
//! The label is the column `class`, the features are `f1`, `f2`, … and stay sparse. A line without a label (its
//! first item holds a colon) has a missing one.

use std::io::Read;

use crate::error::{Error, ErrorKind, Result};
use crate::read::Limits;
use crate::read::chunk::{Part, Reading};
use crate::read::infer::kind_of_words;
use crate::read::lines::Lines;
use crate::read::message::{at_line, grouped, not_a_number, shown, syntax};
use crate::read::number;
use crate::read::roles::{self, reading, too_many_rows};
use crate::read::words::Growing;
use crate::role::{Plan, Role};
use crate::table::{Numbers, Table, Values, Words};

/// `(row, value)`, rows ascending.
type Sparse = Vec<(u32, f64)>;

/// Reads libsvm text.
pub(crate) fn read_libsvm(
    reader: impl Read,
    source: &str,
    plan: &dyn Plan,
    limits: &Limits,
) -> Result<Table> {
    let mut lines = Lines::new(reader, source, limits);
    let mut labels = Growing::default();
    let mut features: Vec<Sparse> = Vec::new();
    let mut rows = 0_usize;
    while let Some((line, text)) = lines.next()? {
        let text = text.split('#').next().unwrap_or_default();
        let mut items = text.split_ascii_whitespace().peekable();
        match items.peek() {
            None => continue,
            Some(item) if item.contains(':') || number::is_missing(item.as_bytes()) => labels.push_missing(),
            Some(label) => labels.push(label),
        }
        if items.peek().is_some_and(|item| !item.contains(':')) {
            items.next();
        }
        if rows >= limits.rows {
            return Err(too_many_rows(source, limits));
        }
        let mut row = Row { source, line, at: rows as u32, limit: limits.columns, last: 0 };
        for item in items {
            row.item(item, &mut features)?;
        }
        rows += 1;
    }
    if rows == 0 {
        return Err(roles::no_rows(source));
    }
    finish(source, labels.finish(), features, rows, plan, limits)
}

/// The row at hand.
struct Row<'a> {
    source: &'a str,
    line: u64,
    at: u32,
    limit: usize,
    last: u64,
}

impl Row<'_> {
    fn item(&mut self, item: &str, features: &mut Vec<Sparse>) -> Result<()> {
        let fault = |what: String, remedy: &str| Err(syntax(self.source, self.line, &what, remedy));
        let Some((index, value)) = item.split_once(':') else {
            return fault(format!("{} is not index:value", shown(item.as_bytes())), "write index:value");
        };
        let digits = !index.is_empty() && index.bytes().all(|c| c.is_ascii_digit());
        if !digits {
            let what = format!("{} is not an index", shown(index.as_bytes()));
            return fault(what, "an index is a whole number from 1");
        }
        // Too many digits for the type are too many for the limit as well.
        let at = index.parse::<u64>().unwrap_or(u64::MAX);
        let order = "indices start at 1 and ascend, each at most once a line";
        if at == 0 {
            return fault("index 0, indices start at 1".to_owned(), order);
        } else if at == self.last {
            return fault(format!("index {at} occurs twice"), order);
        } else if at < self.last {
            return fault(format!("index {at} after {}, indices must be sorted", self.last), order);
        } else if at > self.limit as u64 {
            let what = format!("index {index} is beyond {} columns", grouped(self.limit as u64));
            let what = at_line(self.source, self.line, &what);
            return Err(Error::new(ErrorKind::Limit, what, "number the features without gaps"));
        }
        self.last = at;
        let value = if number::is_missing(value.as_bytes()) {
            f64::NAN
        } else {
            number::parse(value.as_bytes()).map_err(|problem| {
                let column = (format!("f{at}"), Role::Feature(Some(crate::role::Kind::Number)));
                let place = format!("line {}", self.line);
                not_a_number(self.source, &place, (&column.0, column.1), value.as_bytes(), problem)
            })?
        };
        let at = at as usize;
        if features.len() < at {
            features.resize_with(at, Vec::new);
        }
        if let Some(feature) = features.get_mut(at - 1)
            && value != 0.0
        {
            feature.push((self.at, value));
        }
        Ok(())
    }
}

fn finish(
    source: &str,
    labels: Words,
    features: Vec<Sparse>,
    rows: usize,
    plan: &dyn Plan,
    limits: &Limits,
) -> Result<Table> {
    let mut names = vec!["class".to_owned()];
    names.extend((1..=features.len()).map(|i| format!("f{i}")));
    let mut columns = roles::resolve(source, names, plan, |_| None)?;
    columns.infer(0, kind_of_words(&labels, limits.sample_rows));
    let class = match reading(columns.role(0)) {
        Reading::Words => Some(Values::Words(labels)),
        Reading::Number => {
            Some(Values::Numbers(words_as_numbers(source, &labels, columns.name(0), columns.role(0))?))
        }
        Reading::Skip => None,
    };
    let mut values = vec![class];
    for (i, feature) in features.into_iter().enumerate() {
        values.push(sparse_values(feature, columns.role(i + 1), rows));
    }
    columns.table_of(source, values.into_iter(), rows)
}

/// A feature as its role wants it: numbers stay sparse, labels, weights and words are spelt out.
fn sparse_values(mut feature: Sparse, role: Role, rows: usize) -> Option<Values> {
    let kind = reading(role);
    if kind == Reading::Number && matches!(role, Role::Feature(_)) {
        feature.shrink_to_fit();
        return Some(Values::SparseNumbers(feature));
    }
    let mut part = Part::new(kind);
    let mut entries = feature.into_iter().peekable();
    for row in 0..rows as u32 {
        let value = entries.next_if(|(at, _)| *at == row).map_or(0.0, |(_, value)| value);
        match &mut part {
            Part::Number(numbers) => numbers.push(value),
            Part::Words(words) if value.is_nan() => words.push_missing(),
            Part::Words(words) => words.push(&value.to_string()),
            Part::Skip => return None,
        }
    }
    part.finish()
}

/// Words that must be numbers.
pub(crate) fn words_as_numbers(source: &str, words: &Words, name: &str, role: Role) -> Result<Numbers> {
    let mut numbers = Numbers::new();
    for (row, code) in words.codes.iter().enumerate() {
        let value = match words.dictionary.get(*code as usize) {
            Some(text) if !number::is_missing(text.as_bytes()) => {
                number::parse(text.as_bytes()).map_err(|problem| {
                    not_a_number(source, &format!("row {}", row + 1), (name, role), text.as_bytes(), problem)
                })?
            }
            _ => f64::NAN,
        };
        numbers.push(value);
    }
    numbers.shrink();
    Ok(numbers)
}
