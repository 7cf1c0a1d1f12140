//! ARFF, the format of Weka and `OpenML`: attributes are declared, rows follow, dense or sparse.
//!
//! A nominal attribute is a category and admits its declared values only; a string is a category or text, by the
//! rule of [`infer`](crate::read::infer). In a sparse row an absent item is 0, or the first declared value, as in
//! Weka; an absent string is missing.

mod syntax;

use std::collections::HashSet;
use std::io::Read;

use crate::error::{Error, ErrorKind, Result};
use crate::read::arff::syntax::{Type, Value, attribute, dense, sparse};
use crate::read::chunk::Part;
use crate::read::infer::kind_of_words;
use crate::read::lines::Lines;
use crate::read::message::{at_line, in_file, not_a_number, shown, syntax};
use crate::read::number::{self, Tokens};
use crate::read::roles::{self, Columns, too_many_rows};
use crate::read::text::check_names;
use crate::read::{Limits, Request, Take, whole};
use crate::schema::role::Kind;
use crate::table::{Table, Values};
use crate::wording::grouped;

/// Reads ARFF text.
pub(crate) fn read_arff(reader: impl Read, request: Request<'_>) -> Result<Table> {
    whole(request.source, |take| read_arff_blocks(reader, request, usize::MAX, take))
}

/// Reads ARFF text, at most so many values after the other (and a row at least).
pub(crate) fn read_arff_blocks(
    reader: impl Read,
    request: Request<'_>,
    values: usize,
    take: &mut Take<'_>,
) -> Result<()> {
    let Request { source, plan, limits } = request;
    let mut lines = Lines::new(reader, source, limits);
    let (names, types) = header(&mut lines, source, limits)?;
    let kind = |column: usize| match types.get(column) {
        Some(Type::Number) => Some(Kind::Number),
        _ => Some(Kind::Category),
    };
    let columns = roles::resolve(source, names, plan, kind)?;
    let readings = columns.readings();
    let empty = || readings.iter().map(|r| Part::new(*r)).collect::<Vec<Part>>();
    let table = |parts: Vec<Part>, rows| table(source, &columns, &types, parts, rows, limits);
    let most = (values / readings.len().max(1)).max(1);
    let declared = types.iter().map(declared_values).collect();
    let body = Body { source, columns: &columns, types: &types, declared };
    let (mut parts, mut rows, mut taken) = (empty(), 0, 0);
    while let Some((line, text)) = lines.next()? {
        let text = text.trim();
        if text.is_empty() || text.starts_with('%') {
            continue;
        }
        if taken + rows >= limits.rows {
            return Err(too_many_rows(source, limits));
        }
        body.row(line, text, &mut parts)?;
        rows += 1;
        if rows == most {
            take(table(std::mem::replace(&mut parts, empty()), rows)?)?;
            (rows, taken) = (0, taken + rows);
        }
    }
    // Without any rows this is the error that says so.
    if rows > 0 || taken == 0 { take(table(parts, rows)?) } else { Ok(()) }
}

fn table(
    source: &str,
    columns: &Columns,
    types: &[Type],
    parts: Vec<Part>,
    rows: usize,
    limits: &Limits,
) -> Result<Table> {
    let mut columns = columns.clone();
    parts.iter().enumerate().try_for_each(|(column, part)| columns.settle(source, column, part))?;
    let values: Vec<Option<Values>> = parts.into_iter().map(Part::finish).collect();
    for (column, (value, kind)) in values.iter().zip(types).enumerate() {
        if let (Some(Values::Words(words)), Type::Text) = (value, kind) {
            columns.infer(column, kind_of_words(words, limits.sample_rows));
        }
    }
    columns.into_table(source, values.into_iter(), rows)
}

/// The names and types that are declared before `@data`.
fn header<R: Read>(lines: &mut Lines<R>, source: &str, limits: &Limits) -> Result<(Vec<String>, Vec<Type>)> {
    let mut names = Vec::new();
    let mut types = Vec::new();
    let mut empty = true;
    while let Some((line, text)) = lines.next()? {
        let text = text.trim();
        if text.is_empty() || text.starts_with('%') {
            continue;
        }
        empty = false;
        let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        match word.to_ascii_lowercase().as_str() {
            "@relation" => {}
            "@data" => {
                check_names(source, line, &names)?;
                return Ok((names, types));
            }
            "@attribute" => {
                let (name, kind) = attribute(rest)
                    .ok_or_else(|| syntax(source, line, "not an attribute", "write @attribute NAME TYPE"))?;
                if let Type::Other(kind) = &kind {
                    let (name, kind) = (shown(name.as_bytes()), shown(kind.as_bytes()));
                    let what = format!("column {name} is of type {kind}, which is not read");
                    let remedy = "numeric, real, integer, string and nominal attributes are read";
                    return Err(Error::new(ErrorKind::Column, at_line(source, line, &what), remedy));
                }
                if names.len() >= limits.columns {
                    let what = format!("more than {} columns", grouped(limits.columns));
                    return Err(Error::new(
                        ErrorKind::Limit,
                        at_line(source, line, &what),
                        "split the table",
                    ));
                }
                names.push(name);
                types.push(kind);
            }
            _ => {
                let what = format!("{} is not @relation, @attribute or @data", shown(word.as_bytes()));
                return Err(syntax(source, line, &what, "check that it is an ARFF file"));
            }
        }
    }
    let what = if empty { "the file is empty" } else { "no @data line" };
    Err(Error::new(ErrorKind::Syntax, in_file(source, what), "check that it is a whole ARFF file"))
}

fn declared_values(kind: &Type) -> Option<HashSet<&str>> {
    match kind {
        Type::Nominal(values) => Some(values.iter().map(String::as_str).collect()),
        _ => None,
    }
}

/// What the rows are checked against.
struct Body<'a> {
    source: &'a str,
    columns: &'a Columns,
    types: &'a [Type],
    declared: Vec<Option<HashSet<&'a str>>>,
}

impl Body<'_> {
    fn row(&self, line: u64, text: &str, parts: &mut [Part]) -> Result<()> {
        if let Some(items) = text.strip_prefix('{') {
            return self.sparse_row(line, items, parts);
        }
        let values = dense(text).ok_or_else(|| {
            syntax(
                self.source,
                line,
                "a quote is not closed, or text follows it",
                "write \\' for a quote in text",
            )
        })?;
        if values.len() != parts.len() {
            let what = format!("{} fields, expected {}", values.len(), parts.len());
            return Err(syntax(self.source, line, &what, "give every row a value for each attribute"));
        }
        for (column, (value, part)) in values.iter().zip(parts).enumerate() {
            self.put(line, column, value, part)?;
        }
        Ok(())
    }

    fn sparse_row(&self, line: u64, text: &str, parts: &mut [Part]) -> Result<()> {
        let items = sparse(text).ok_or_else(|| {
            let what = "not a sparse row of ascending indices and values";
            syntax(self.source, line, what, "write {INDEX VALUE, INDEX VALUE, …}, indices from 0")
        })?;
        if let Some((index, _)) = items.last().filter(|(index, _)| *index >= parts.len()) {
            let what = format!("index {index}, but there are {} attributes", parts.len());
            return Err(syntax(self.source, line, &what, "indices start at 0"));
        }
        let mut items = items.into_iter().peekable();
        for (column, part) in parts.iter_mut().enumerate() {
            let value = items.next_if(|(index, _)| *index == column).map(|(_, value)| value);
            self.put(line, column, &value.unwrap_or_else(|| self.absent(column)), part)?;
        }
        Ok(())
    }

    /// What an absent item of a sparse row stands for.
    fn absent(&self, column: usize) -> Value {
        let text = match self.types.get(column) {
            Some(Type::Number) => "0".to_owned(),
            Some(Type::Nominal(values)) => values.first().cloned().unwrap_or_default(),
            _ => String::new(),
        };
        Value { text, quoted: false }
    }

    fn put(&self, line: u64, column: usize, value: &Value, part: &mut Part) -> Result<()> {
        let declared = self.declared.get(column).and_then(Option::as_ref);
        let known = declared.is_some_and(|values| values.contains(value.text.as_str()));
        let name = self.columns.name(column);
        if declared.is_some() && !known && (value.quoted || !number::is_missing(value.text.as_bytes())) {
            let column = shown(name.as_bytes());
            let what = format!(
                "{}, line {line}, column {column}: {} is not among the declared values",
                self.source,
                shown(value.text.as_bytes())
            );
            return Err(Error::new(ErrorKind::Column, what, "declare the value, or correct it"));
        }
        // A declared value is a value even where its text would otherwise mean "missing".
        if let (Part::Words(words), true) = (&mut *part, known) {
            words.push(&value.text);
            return Ok(());
        }
        part.push(value.text.as_bytes(), &Tokens::NONE).map_err(|problem| {
            let place = format!("line {line}");
            let column = (name, self.columns.asked(column));
            not_a_number(self.source, &place, column, value.text.as_bytes(), problem)
        })
    }
}
