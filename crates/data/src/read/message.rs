//! How the readers speak: every fault names file, line, column and value in one fixed form.

use crate::error::{Error, ErrorKind};
use crate::read::number::Problem;
use crate::schema::role::{Clock, Kind, Role};
use crate::wording;

/// The longest value that a message repeats, in characters.
const SHOWN: usize = 40;

/// `data.csv, line 7: what`.
pub(crate) fn at_line(source: &str, line: u64, what: &str) -> String {
    format!("{source}, line {line}: {what}")
}

/// `data.csv: what`.
pub(crate) fn in_file(source: &str, what: &str) -> String {
    format!("{source}: {what}")
}

/// A syntax error of a file at a line.
pub(crate) fn syntax(source: &str, line: u64, what: &str, remedy: &str) -> Error {
    Error::new(ErrorKind::Syntax, at_line(source, line, what), remedy)
}

/// A value of a column of numbers that is none. `place` is a line or a row.
pub(crate) fn not_a_number(
    source: &str,
    place: &str,
    (name, role): (&str, Role),
    value: &[u8],
    problem: Problem,
) -> Error {
    let kind = match role {
        Role::Label => ErrorKind::Label,
        Role::Weight => ErrorKind::Weight,
        _ => ErrorKind::Column,
    };
    let remedy = match (role, problem) {
        (Role::Label, _) => "a label is 0 or 1".to_owned(),
        (Role::Weight, _) => "a weight is a finite number, 0 or more".to_owned(),
        (Role::Feature(Some(Kind::Time(_))), Problem::Time(Clock::Plain)) => {
            "correct the value, or say which of day and month comes first (`dates=day-first`, `dates=month-first`)".to_owned()
        }
        (Role::Feature(Some(Kind::Number)), _)
        | (Role::Feature(Some(Kind::Time(_))), Problem::Time(_))
        | (_, Problem::Infinite | Problem::OutOfRange) => {
            "correct the value, or leave it empty if it is missing".to_owned()
        }
        _ => {
            format!("pass {} if it is a category, or correct the value", wording::option("categorical", name))
        }
    };
    let what =
        format!("{source}, {place}, column {}: {} {}", shown(name.as_bytes()), shown(value), problem.text());
    Error::new(kind, what, remedy)
}

/// A value for a message: in quotes, control characters escaped, cut when long.
pub(crate) fn shown(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value.get(..value.len().min(4 * SHOWN)).unwrap_or_default());
    let mut out = String::from("'");
    out.extend(text.chars().take(SHOWN).flat_map(char::escape_debug));
    if text.chars().count() > SHOWN || value.len() > 4 * SHOWN {
        out.push('…');
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_escaped_and_cut() {
        assert_eq!(shown(b"1\x002"), r"'1\02'");
        assert_eq!(shown("x".repeat(50).as_bytes()), format!("'{}…'", "x".repeat(40)));
    }
}
