//! libsvm text: `label index:value …`, indices from 1 and ascending, `#` starts a comment.
//!
//! The label is the column `class`, the features are `f1`, `f2`, … and stay sparse. A line without a label (its
//! first item holds a colon) has a missing one. There may be millions of features, most of them in few lines or in none, so
//! nothing is kept for each of them before all lines are read.

use std::io::Read;

use crate::error::{Error, ErrorKind, Result};
use crate::read::chunk::{Part, Reading};
use crate::read::infer::kind_of_words;
use crate::read::lines::Lines;
use crate::read::message::{at_line, in_file, not_a_number, shown, syntax};
use crate::read::number;
use crate::read::roles::{self, Columns, reading, too_many_rows};
use crate::read::times::times_of_words;
use crate::read::words::Growing;
use crate::read::{Limits, Request, Take};
use crate::schema::role::{Plan, Role};
use crate::table::{Numbers, Table, Values, Words};
use crate::wording::grouped;

/// `(row, value)`, rows ascending.
type Sparse = Vec<(u32, f64)>;

/// Reads libsvm text.
pub(crate) fn read_libsvm(reader: impl Read, request: Request<'_>) -> Result<Table> {
    let Request { source, plan, limits } = request;
    let mut body = Body::new(reader, source, limits);
    let (labels, listed) = body.next(usize::MAX)?.ok_or_else(|| roles::no_rows(source))?;
    body.check_columns(listed.columns)?;
    let columns = columns(source, listed.columns, plan)?;
    table(source, columns, labels, listed, limits)
}

/// Reads libsvm text, about so many values after the other. All of it is read once before, for columns are known at the end.
pub(crate) fn read_libsvm_blocks(
    open: impl Fn() -> Result<Box<dyn Read + Send>>,
    request: Request<'_>,
    values: usize,
    take: &mut Take<'_>,
) -> Result<()> {
    let Request { source, plan, limits } = request;
    let values = values.max(1);
    let mut body = Body::new(open()?, source, limits);
    let mut width = 0;
    while let Some((_, listed)) = body.next(values)? {
        width = width.max(listed.columns);
    }
    if body.rows == 0 {
        return Err(roles::no_rows(source));
    }
    body.check_columns(width)?;
    let columns = columns(source, width, plan)?;
    // A table has all columns, so that it should have some values of each.
    let values = values.max(4 * width);
    let mut body = Body::new(open()?, source, limits);
    while let Some((labels, mut listed)) = body.next(values)? {
        listed.columns = width;
        take(table(source, columns.clone(), labels, listed, limits)?)?;
    }
    Ok(())
}

/// The lines of a file.
struct Body<'a, R> {
    lines: Lines<'a, R>,
    source: &'a str,
    limits: &'a Limits,
    /// Those read so far.
    rows: usize,
    /// Their bytes.
    bytes: u64,
}

impl<'a, R: Read> Body<'a, R> {
    fn new(reader: R, source: &'a str, limits: &'a Limits) -> Self {
        Self { lines: Lines::new(reader, source, limits), source, limits, rows: 0, bytes: 0 }
    }

    /// The next rows, of about so many values (and labels), until there are none.
    fn next(&mut self, values: usize) -> Result<Option<(Words, Listed)>> {
        let mut labels = Growing::default();
        let mut listed = Listed::default();
        while listed.values.len() + listed.ends.len() < values {
            let Some((line, text)) = self.lines.next()? else { break };
            self.bytes += text.len() as u64 + 1;
            let text = text.split('#').next().unwrap_or_default();
            let mut items = text.split_ascii_whitespace().peekable();
            match items.peek() {
                None => continue,
                Some(item) if item.contains(':') || number::is_missing(item.as_bytes()) => {
                    labels.push_missing();
                }
                Some(label) => labels.push(label),
            }
            if items.peek().is_some_and(|item| !item.contains(':')) {
                items.next();
            }
            if self.rows >= self.limits.rows {
                return Err(too_many_rows(self.source, self.limits));
            }
            let mut row = Row { source: self.source, line, limit: self.limits.sparse_columns, last: 0 };
            for item in items {
                row.item(item, &mut listed)?;
            }
            self.rows += 1;
            listed.ends.push(listed.values.len());
        }
        Ok(if listed.ends.is_empty() { None } else { Some((labels.finish(), listed)) })
    }

    /// Refuses columns out of all proportion to the bytes.
    fn check_columns(&self, columns: usize) -> Result<()> {
        if (columns as u64).saturating_mul(COLUMN) <= self.limits.unpacked(self.bytes) {
            return Ok(());
        }
        let (columns, bytes) = (grouped(columns), grouped(self.bytes));
        let what = in_file(self.source, &format!("{columns} columns in {bytes} bytes, beyond the limit"));
        Err(Error::new(ErrorKind::Limit, what, "number the features without gaps"))
    }
}

/// Bytes that a column takes at least, whatever it holds.
const COLUMN: u64 = 32;

/// The values of all rows, one after the other.
#[derive(Default)]
struct Listed {
    /// The feature of each value, from 0, and the value.
    values: Vec<(u32, f64)>,
    /// Where the values of each row end.
    ends: Vec<usize>,
    /// Features, as far as one has been named.
    columns: usize,
}

impl Listed {
    /// The rows of each feature and its values there.
    fn features(self) -> Vec<Sparse> {
        let mut counts = vec![0_usize; self.columns];
        for &(column, _) in &self.values {
            if let Some(count) = counts.get_mut(column as usize) {
                *count += 1;
            }
        }
        let mut features: Vec<Sparse> = counts.into_iter().map(Vec::with_capacity).collect();
        let mut values = self.values.into_iter();
        let mut start = 0;
        for (row, end) in self.ends.into_iter().enumerate() {
            for (column, value) in values.by_ref().take(end - start) {
                if let Some(feature) = features.get_mut(column as usize) {
                    feature.push((row as u32, value));
                }
            }
            start = end;
        }
        features
    }
}

/// The row at hand.
struct Row<'a> {
    source: &'a str,
    line: u64,
    limit: usize,
    last: u64,
}

impl Row<'_> {
    fn item(&mut self, item: &str, listed: &mut Listed) -> Result<()> {
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
            let what = format!("index {index} is beyond {} columns", grouped(self.limit));
            let what = at_line(self.source, self.line, &what);
            return Err(Error::new(ErrorKind::Limit, what, "number the features without gaps"));
        }
        self.last = at;
        let value = if number::is_missing(value.as_bytes()) {
            f64::NAN
        } else {
            number::parse(value.as_bytes()).map_err(|problem| {
                let column = (format!("f{at}"), Role::Feature(Some(crate::schema::role::Kind::Number)));
                let place = format!("line {}", self.line);
                not_a_number(self.source, &place, (&column.0, column.1), value.as_bytes(), problem)
            })?
        };
        listed.columns = listed.columns.max(at as usize);
        if value != 0.0 {
            listed.values.push((at as u32 - 1, value));
        }
        Ok(())
    }
}

/// The column of labels and so many features.
fn columns(source: &str, features: usize, plan: &dyn Plan) -> Result<Columns> {
    let mut names = vec!["class".to_owned()];
    names.extend((1..=features).map(|i| format!("f{i}")));
    roles::resolve(source, names, plan, |_| None)
}

fn table(
    source: &str,
    mut columns: Columns,
    labels: Words,
    listed: Listed,
    limits: &Limits,
) -> Result<Table> {
    let rows = listed.ends.len();
    columns.infer(0, kind_of_words(&labels, limits.sample_rows));
    let class = match reading(columns.role(0)) {
        Reading::Words => Some(Values::Words(labels)),
        Reading::Number | Reading::Dressed(_) => {
            Some(Values::Numbers(words_as_numbers(source, &labels, columns.name(0), columns.role(0))?))
        }
        Reading::Times(clock) => Some(times_of_words(source, columns.name(0), clock, &labels)?),
        Reading::Skip => None,
    };
    let roles: Vec<Role> = (1..columns.len()).map(|column| columns.role(column)).collect();
    let features = listed.features().into_iter().zip(roles);
    let values = features.map(|(feature, role)| sparse_values(feature, role, rows));
    columns.into_table(source, std::iter::once(class).chain(values), rows)
}

/// A feature as its role wants it: numbers stay sparse, labels, weights and words are spelt out.
fn sparse_values(feature: Sparse, role: Role, rows: usize) -> Option<Values> {
    let kind = reading(role);
    if kind == Reading::Number && matches!(role, Role::Feature(_)) {
        return Some(Values::SparseNumbers(feature));
    }
    let mut part = Part::new(kind);
    let mut entries = feature.into_iter().peekable();
    for row in 0..rows as u32 {
        let value = entries.next_if(|(at, _)| *at == row).map_or(0.0, |(_, value)| value);
        match &mut part {
            Part::Number(numbers) | Part::Dressed(numbers, _) => numbers.push(value),
            // The format has nothing but numbers: they are seconds.
            Part::Times(times) => times.numbers.push(value),
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
