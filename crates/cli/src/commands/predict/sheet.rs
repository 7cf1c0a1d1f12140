//! How answers are written: as lines of fields, as one document, as a document for each row, or as Parquet.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use manyboost::files::{Writer, fault};
use manyboost_data::wording::visible_json;
use manyboost_data::write::parquet::{ParquetValues, ParquetWriter};
use manyboost_data::{Packing, write_number, write_text};
use serde_json::{Map, Value, json};

use super::answers::{AnswerCell, Block};
use crate::failure::Outcome;
use crate::output::{self, Output};

/// Rows of a row group of Parquet, at least.
const GROUP: usize = 1 << 16;

/// How answers are written.
#[derive(Clone, Copy)]
pub enum Style {
    /// As lines of fields with this between them.
    Text(u8),
    /// As one document.
    Document,
    /// As a document for each row.
    Lines,
    /// As columns.
    Parquet,
}

impl Style {
    /// What the name of a file says; without one, text or a document. Refuses a place or a name for which nothing can be written.
    pub fn of(path: Option<&Path>, json: bool) -> Outcome<Self> {
        let name = path.map(|path| path.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let stem = Path::new(Packing::of(&name).0);
        match (stem.extension().and_then(|ending| ending.to_str()), path) {
            (Some("jsonl" | "ndjson"), Some(path)) => output::check_packable(path).map(|()| Self::Lines),
            (Some("parquet"), Some(path)) if name.ends_with("parquet") => {
                output::check_plain(path).map(|()| Self::Parquet)
            }
            _ if json => Ok(Self::Document),
            _ => Ok(Self::Text(output::table_form(path)?.delimiter)),
        }
    }
}

/// Answers under way.
pub struct Sheet {
    out: Sink,
    style: Style,
    /// The names of the columns, once there were rows.
    header: Vec<String>,
}

enum Sink {
    Bytes(Output),
    /// Rows that wait, and the file once there are any.
    Columns {
        path: PathBuf,
        file: Option<Box<ParquetWriter<Writer>>>,
        waiting: Vec<ParquetValues>,
    },
}

impl Sheet {
    /// For stdout, or a file that is there once all is written.
    pub fn new(path: Option<&Path>, style: Style) -> Outcome<Self> {
        let out = match (style, path) {
            (Style::Parquet, Some(path)) => {
                Sink::Columns { path: path.to_path_buf(), file: None, waiting: Vec::new() }
            }
            _ => Sink::Bytes(Output::new(path)?),
        };
        Ok(Self { out, style, header: Vec::new() })
    }

    /// Writes the next rows, the first ones with the header.
    pub fn put(&mut self, block: &Block<'_>) -> Outcome {
        let first = self.header.is_empty();
        if first {
            self.header = block.header();
        }
        let header = &self.header;
        match (&mut self.out, self.style) {
            (Sink::Columns { path, file, waiting }, _) => {
                if first {
                    *waiting = block.row(0).iter().map(kind).collect();
                    let names = header.iter().map(String::as_str).zip(&*waiting);
                    let opened = ParquetWriter::new(Writer::new(path)?, names);
                    *file = Some(Box::new(opened.map_err(|error| fault(path, &error))?));
                }
                for row in 0..block.rows() {
                    waiting.iter_mut().zip(block.row(row)).for_each(|(column, cell)| push(column, cell));
                }
                flush(path, file.as_deref_mut(), waiting, GROUP)
            }
            (Sink::Bytes(out), Style::Text(delimiter)) => {
                out.write(|out| put_text(out, block, delimiter, first.then_some(header)))
            }
            (Sink::Bytes(out), Style::Lines) => out.write(|out| put_lines(out, block, header)),
            (Sink::Bytes(out), _) => out.write(|out| put_document(out, block, first.then_some(header))),
        }
    }

    /// Ends the result: a file takes its place now.
    pub fn finish(self) -> Outcome {
        match (self.out, self.style) {
            (Sink::Columns { path, mut file, mut waiting }, _) => {
                flush(&path, file.as_deref_mut(), &mut waiting, 1)?;
                let Some(file) = file else { return Ok(()) };
                Ok(file.finish().map_err(|error| fault(&path, &error))?.finish()?)
            }
            (Sink::Bytes(mut out), Style::Document) => {
                out.write(|out| out.write_all(b"\n  ]\n}\n"))?;
                out.finish()
            }
            (Sink::Bytes(out), _) => out.finish(),
        }
    }
}

/// Writes the rows that wait, if there are so many.
fn flush(
    path: &Path,
    file: Option<&mut ParquetWriter<Writer>>,
    waiting: &mut [ParquetValues],
    least: usize,
) -> Outcome {
    if let Some(file) = file
        && waiting.first().is_some_and(|column| column.len() >= least)
    {
        file.put(waiting).map_err(|error| fault(path, &error))?;
        waiting.iter_mut().for_each(ParquetValues::clear);
    }
    Ok(())
}

/// A column for cells of this kind, empty.
fn kind(cell: &AnswerCell<'_>) -> ParquetValues {
    match cell {
        AnswerCell::Name(_) | AnswerCell::Joined(_) => ParquetValues::Texts(Vec::new()),
        AnswerCell::Kept(_) => ParquetValues::Words(Vec::new()),
        AnswerCell::Number(_) | AnswerCell::Value(_) => ParquetValues::Numbers(Vec::new()),
        AnswerCell::Flag(_) => ParquetValues::Whole(Vec::new()),
    }
}

fn push(column: &mut ParquetValues, cell: AnswerCell<'_>) {
    match (column, cell) {
        (ParquetValues::Texts(all), AnswerCell::Name(text)) => all.push(text.to_string()),
        (ParquetValues::Texts(all), AnswerCell::Joined(text)) => all.push(text),
        (ParquetValues::Words(all), AnswerCell::Kept(text)) => all.push(text.map(String::from)),
        (ParquetValues::Numbers(all), AnswerCell::Number(x) | AnswerCell::Value(x)) => all.push(x),
        (ParquetValues::Whole(all), AnswerCell::Flag(x)) => all.push(i64::from(x)),
        // The cells of a column are of one kind.
        _ => {}
    }
}

fn put_text(
    out: &mut dyn Write,
    block: &Block<'_>,
    delimiter: u8,
    header: Option<&Vec<String>>,
) -> io::Result<()> {
    if let Some(header) = header {
        write_line(out, delimiter, &header.iter().map(|name| AnswerCell::Name(name)).collect::<Vec<_>>())?;
    }
    (0..block.rows()).try_for_each(|row| write_line(out, delimiter, &block.row(row)))
}

fn write_line(out: &mut dyn Write, delimiter: u8, cells: &[AnswerCell<'_>]) -> io::Result<()> {
    let alone = cells.len() == 1;
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            out.write_all(&[delimiter])?;
        }
        match cell {
            AnswerCell::Name(text) => write_text(out, text, delimiter, alone)?,
            AnswerCell::Kept(text) => write_text(out, text.unwrap_or(""), delimiter, alone)?,
            AnswerCell::Joined(text) => write_text(out, text, delimiter, alone)?,
            AnswerCell::Number(x) => write!(out, "{x}")?,
            AnswerCell::Value(x) => write_number(out, *x)?,
            AnswerCell::Flag(x) => out.write_all(if *x { b"1" } else { b"0" })?,
        }
    }
    out.write_all(b"\n")
}

/// The document up to the end of these rows, laid out as if it had been written at once.
fn put_document(out: &mut dyn Write, block: &Block<'_>, header: Option<&Vec<String>>) -> io::Result<()> {
    if let Some(header) = header {
        write!(out, "{{\n  \"columns\": {},\n  \"rows\": [", indented(&json!(header), 2))?;
    }
    for row in 0..block.rows() {
        let cells: Value = block.row(row).into_iter().map(value).collect();
        let comma = if header.is_some() && row == 0 { "" } else { "," };
        write!(out, "{comma}\n    {}", indented(&cells, 4))?;
    }
    Ok(())
}

fn indented(value: &Value, by: usize) -> String {
    visible_json(&format!("{value:#}")).replace('\n', &format!("\n{}", " ".repeat(by)))
}

/// A document for each row, on a line of its own.
fn put_lines(out: &mut dyn Write, block: &Block<'_>, header: &[String]) -> io::Result<()> {
    for row in 0..block.rows() {
        let cells: Map<String, Value> =
            header.iter().cloned().zip(block.row(row).into_iter().map(value)).collect();
        writeln!(out, "{}", visible_json(&Value::Object(cells).to_string()))?;
    }
    Ok(())
}

fn value(cell: AnswerCell<'_>) -> Value {
    match cell {
        AnswerCell::Name(name) => json!(name),
        AnswerCell::Kept(text) => json!(text),
        AnswerCell::Joined(text) => json!(text),
        // What is no number is null.
        AnswerCell::Number(x) | AnswerCell::Value(x) => json!(x),
        AnswerCell::Flag(x) => json!(u8::from(x)),
    }
}
