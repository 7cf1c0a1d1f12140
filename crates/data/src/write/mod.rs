//! Tables as text: numbers in their shortest exact form, words quoted where they must be, missing as nothing.

pub(crate) mod pack;
#[cfg(feature = "parquet")]
pub mod parquet;

use std::io::{self, Write};
use std::path::Path;

use crate::error::{Error, ErrorKind, Result};
use crate::table::{Column, Table, Values};
use crate::write::pack::Packing;

/// Endings of names that promise what is not written here.
const OTHERS: [&str; 20] = [
    "parquet", "arff", "libsvm", "svm", "json", "jsonl", "ndjson", "arrow", "feather", "ipc", "orc", "avro",
    "xls", "xlsx", "ods", "bz2", "xz", "lz4", "br", "zip",
];

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Between fields.
    pub delimiter: u8,
    /// How the text is packed.
    pub packing: Packing,
}

impl Form {
    /// Comma-separated text.
    pub const CSV: Self = Self { delimiter: b',', packing: Packing::Plain };

    /// What the end of a name says; names that say nothing are of CSV. Refuses a name that promises something else.
    pub fn of(path: &Path) -> Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let (stem, packing) = Packing::of(&name);
        let ending = stem.rsplit_once('.').map_or("", |(_, ending)| ending);
        if OTHERS.contains(&ending) {
            let what = format!("{}: tables are not written as .{ending}", path.display());
            let remedy = "give a name that ends in .csv or .tsv (also .gz, .zst), and convert that file";
            return Err(Error::new(ErrorKind::File, what, remedy));
        }
        Ok(Self { delimiter: if ending == "tsv" { b'\t' } else { b',' }, packing })
    }
}

/// Writes a table as CSV with a header.
pub fn write_csv(table: &Table, out: impl Write) -> io::Result<()> {
    write_table(table, Form::CSV.delimiter, out)
}

/// Writes a table with a header.
pub fn write_table(table: &Table, delimiter: u8, mut out: impl Write) -> io::Result<()> {
    let alone = table.columns.len() == 1;
    for (at, column) in table.columns.iter().enumerate() {
        separate(&mut out, delimiter, at)?;
        write_text(&mut out, &column.name, delimiter, alone)?;
    }
    out.write_all(b"\n")?;
    let mut next = vec![0usize; table.columns.len()];
    let columns: Vec<_> = table.columns.iter().map(Column::spelt).collect();
    for row in 0..table.rows {
        for (at, values) in columns.iter().enumerate() {
            separate(&mut out, delimiter, at)?;
            match values.as_ref() {
                Values::Numbers(numbers) => write_number(&mut out, numbers.get(row))?,
                Values::Words(words) => {
                    write_text(&mut out, words.get(row).unwrap_or(""), delimiter, alone)?;
                }
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

fn separate(out: &mut impl Write, delimiter: u8, at: usize) -> io::Result<()> {
    if at > 0 { out.write_all(&[delimiter]) } else { Ok(()) }
}

/// Writes a number in its shortest exact form, and nothing where it is missing.
pub fn write_number(out: &mut (impl Write + ?Sized), value: f64) -> io::Result<()> {
    let plain = value == 0.0 || (1e-5..1e16).contains(&value.abs());
    match value {
        _ if value.is_nan() => Ok(()),
        _ if plain => write!(out, "{value}"),
        _ => write!(out, "{value:e}"),
    }
}

/// Writes text, quoted where it must be; nothing `alone` on its line is quoted too, or readers would skip the line.
pub fn write_text(out: &mut (impl Write + ?Sized), text: &str, delimiter: u8, alone: bool) -> io::Result<()> {
    let odd = |c: char| c == char::from(delimiter) || matches!(c, '"' | '\n' | '\r');
    let padded = text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace);
    if padded || (alone && text.is_empty()) || text.contains(odd) {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        out.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::role::{Kind, Role};
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
            notes: Vec::new(),
        };
        let mut out = Vec::new();
        write_csv(&table, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "x,\"y,z\",w\n0.1,0,\"a \"\"b\"\", c\"\n,1e300,\n");
        let mut out = Vec::new();
        write_table(&table, b'\t', &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "x\ty,z\tw\n0.1\t0\t\"a \"\"b\"\", c\"\n\t1e300\t\n");
    }

    #[test]
    fn names_say_how_tables_are_written() {
        let form = |name: &str| Form::of(Path::new(name));
        let plain = |delimiter| Form { delimiter, packing: Packing::Plain };
        for name in ["p.csv", "p", "p.txt", "a.parquet/p", "/dev/null", "P.CSV"] {
            assert_eq!(form(name).unwrap(), plain(b','), "{name}");
        }
        assert_eq!(form("p.TSV").unwrap(), plain(b'\t'));
        assert_eq!(form("p.csv.gz").unwrap(), Form { delimiter: b',', packing: Packing::Gzip });
        assert_eq!(form("p.tsv.ZST").unwrap(), Form { delimiter: b'\t', packing: Packing::Zstandard });
        for name in ["p.parquet", "p.Parquet", "p.arff", "p.svm.gz", "p.csv.bz2", "p.json"] {
            let error = form(name).unwrap_err();
            assert!(error.what().contains(name) && error.remedy().contains(".csv"), "{error}");
        }
    }
}
