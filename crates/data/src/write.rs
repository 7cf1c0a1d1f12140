//! Tables as CSV: numbers in their shortest exact form, words quoted where they must be, missing as nothing.

use std::io::{Result, Write};

use crate::table::{Table, Values};

/// Writes a table as CSV with a header.
pub fn write_csv(table: &Table, mut out: impl Write) -> Result<()> {
    for (at, column) in table.columns.iter().enumerate() {
        separate(&mut out, at)?;
        write_text(&mut out, &column.name)?;
    }
    out.write_all(b"\n")?;
    let mut next = vec![0usize; table.columns.len()];
    for row in 0..table.rows {
        for (at, column) in table.columns.iter().enumerate() {
            separate(&mut out, at)?;
            match &column.values {
                Values::Numbers(numbers) => write_number(&mut out, numbers.get(row))?,
                Values::Words(words) => write_text(&mut out, words.get(row).unwrap_or(""))?,
                Values::SparseNumbers(entries) => match entries.get(next[at]) {
                    Some(&(listed, value)) if listed as usize == row => {
                        next[at] += 1;
                        write_number(&mut out, value)?;
                    }
                    _ => out.write_all(b"0")?,
                },
            }
        }
        out.write_all(b"\n")?;
    }
    out.flush()
}

fn separate(out: &mut impl Write, at: usize) -> Result<()> {
    if at > 0 { out.write_all(b",") } else { Ok(()) }
}

fn write_number(out: &mut impl Write, value: f64) -> Result<()> {
    let plain = value == 0.0 || (1e-5..1e16).contains(&value.abs());
    match value {
        _ if value.is_nan() => Ok(()),
        _ if plain => write!(out, "{value}"),
        _ => write!(out, "{value:e}"),
    }
}

fn write_text(out: &mut impl Write, text: &str) -> Result<()> {
    let odd = |c: char| matches!(c, ',' | '"' | '\n' | '\r');
    if text.contains(odd) || text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace) {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        out.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::role::{Kind, Role};
    use crate::table::{Column, Numbers, Words};

    #[test]
    fn what_is_written() {
        let role = Role::Feature(Some(Kind::Number));
        let column = |name: &str, values| Column { name: name.into(), role, values };
        let words = Words { codes: vec![0, Words::MISSING], dictionary: vec!["a \"b\", c".into()] };
        let table = Table {
            source: "t".into(),
            columns: vec![
                column("x", Values::Numbers(Numbers::F64(vec![0.1, f64::NAN]))),
                column("y,z", Values::SparseNumbers(vec![(1, 1e300)])),
                column("w", Values::Words(words)),
            ],
            rows: 2,
        };
        let mut out = Vec::new();
        write_csv(&table, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "x,\"y,z\",w\n0.1,0,\"a \"\"b\"\", c\"\n,1e300,\n");
    }
}
