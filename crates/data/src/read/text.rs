//! What every text format refuses: other encodings, bytes that are no text, names that do not name.

use std::collections::HashMap;

use crate::error::{Error, ErrorKind, Result};
use crate::read::csv::blocks::Block;
use crate::read::message::{at_line, in_file, shown, syntax};

/// Takes a UTF-8 mark off the start of a file and refuses UTF-16.
pub(crate) fn strip_mark(source: &str, block: &mut Block) -> Result<()> {
    if block.bytes.starts_with(b"\xEF\xBB\xBF") {
        block.bytes.drain(..3);
        block.offset += 3;
    }
    refuse_utf16(source, &block.bytes)
}

/// Refuses UTF-16, with or without its mark.
pub(crate) fn refuse_utf16(source: &str, bytes: &[u8]) -> Result<()> {
    let marked = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
    let zero = |at: usize| bytes.get(at) == Some(&0);
    let unmarked = bytes.len() >= 4 && zero(0) != zero(1) && zero(0) == zero(2) && zero(1) == zero(3);
    if marked || unmarked {
        return Err(Error::new(
            ErrorKind::Syntax,
            in_file(source, "the text is UTF-16, convert to UTF-8"),
            "for example: iconv -f UTF-16 -t UTF-8 IN > OUT",
        ));
    }
    Ok(())
}

/// The error of a byte that no text holds.
pub(crate) fn bad_byte_error(source: &str, line: u64, column: &str, byte: u8, offset: u64) -> Error {
    let what = if byte == 0 { "a NUL byte".to_owned() } else { format!("byte 0x{byte:02X} is not UTF-8") };
    let what = format!("{source}, line {line}, {column}, offset {offset}: {what}");
    Error::new(ErrorKind::Syntax, what, "convert the file to UTF-8 text, or say what it is (`encoding`)")
}

/// Refuses a header of one name that holds another format's delimiter.
pub(crate) fn check_delimiter(source: &str, line: u64, delimiter: u8, names: &[String]) -> Result<()> {
    let [only] = names else { return Ok(()) };
    let other =
        [';', '\t', '|', ','].into_iter().find(|c| *c as u32 != u32::from(delimiter) && only.contains(*c));
    let Some(other) = other else { return Ok(()) };
    let (named, remedy) = match other {
        '\t' => {
            ("a tab".to_owned(), "pass `delimiter=tab` if it is, and check that all rows have as many fields")
        }
        ',' => {
            ("','".to_owned(), "pass `delimiter=comma` if it is, and check that all rows have as many fields")
        }
        '|' => {
            ("'|'".to_owned(), "pass `delimiter=pipe` if it is, and check that all rows have as many fields")
        }
        _ => {
            let remedy = "pass `delimiter=semicolon` if it is, and check that all rows have as many fields";
            (format!("'{other}'"), remedy)
        }
    };
    let what = format!("one column only; the delimiter looks like {named}");
    Err(syntax(source, line, &what, remedy))
}

/// Refuses empty and repeated names.
pub(crate) fn check_names(source: &str, line: u64, names: &[String]) -> Result<()> {
    let mut seen = HashMap::new();
    for (i, name) in names.iter().enumerate() {
        let column = i + 1;
        let fault = if name.trim().is_empty() {
            format!("column {column} has no name (an empty column name)")
        } else if let Some(first) = seen.insert(name.as_str(), column) {
            format!("two columns are named {}: columns {first} and {column}", shown(name.as_bytes()))
        } else {
            continue;
        };
        let what = at_line(source, line, &fault);
        let remedy = if name.trim().parse::<f64>().is_ok() {
            "give every column a name of its own, in a line before the first row, or pass `no-header`"
        } else {
            "give every column a name of its own"
        };
        return Err(Error::new(ErrorKind::Column, what, remedy));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_is_seen_without_its_mark() {
        assert!(refuse_utf16("x", b"a\0,\0b\0").is_err());
        assert!(refuse_utf16("x", b"\0a\0,").is_err());
        assert!(refuse_utf16("x", b"\xFF\xFEa\0").is_err());
        assert!(refuse_utf16("x", b"a,b\n1,2\n").is_ok());
    }
}
