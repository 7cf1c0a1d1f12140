//! Explanations as a table: a line for each row and column, text or Parquet.

use std::path::{Path, PathBuf};

use manyboost::files::{Writer, fault};
use manyboost::model::Model;
use manyboost_data::write::parquet::{ParquetValues, ParquetWriter};
use manyboost_data::write_text;

use crate::failure::Outcome;
use crate::output::Output;

/// Lines that are written at a time.
const GROUP: usize = 1 << 16;

/// A line: what a column of a row adds to the score of each class.
pub struct Line<'a> {
    pub number: usize,
    pub column: &'a str,
    pub word: &'a str,
    pub value: &'a str,
    pub adds: &'a [f64],
}

/// A table under way.
pub trait Lined {
    /// Adds a line.
    fn put(&mut self, line: &Line<'_>) -> Outcome;
    /// Ends the table: the file takes its place now.
    fn finish(self: Box<Self>) -> Outcome;
}

/// Whether a name says that a file is Parquet.
pub fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}

/// The names of the classes, or of the labels.
pub fn classes(model: &Model) -> Vec<&str> {
    let target = &model.schema.target;
    (0..target.names().len()).filter_map(|class| target.label(class)).collect()
}

/// The names of the columns, with that of words or without.
fn header(words: bool, model: &Model) -> Vec<&str> {
    let first = ["row", "column"].into_iter().chain(words.then_some("word")).chain(["value"]);
    first.chain(classes(model)).collect()
}

/// Lines of fields with this between them.
pub struct Lines {
    out: Output,
    delimiter: u8,
    words: bool,
}

impl Lines {
    /// A file that begins with its header.
    pub fn new(path: &Path, delimiter: u8, words: bool, model: &Model) -> Outcome<Self> {
        let mut out = Output::new(Some(path))?;
        out.write(|out| {
            for (at, name) in header(words, model).into_iter().enumerate() {
                if at > 0 {
                    out.write_all(&[delimiter])?;
                }
                write_text(out, name, delimiter, false)?;
            }
            out.write_all(b"\n")
        })?;
        Ok(Self { out, delimiter, words })
    }
}

impl Lined for Lines {
    fn put(&mut self, line: &Line<'_>) -> Outcome {
        let Self { delimiter, words, .. } = *self;
        let texts = [Some(line.column), words.then_some(line.word), Some(line.value)];
        self.out.write(|out| {
            write!(out, "{}", line.number)?;
            for text in texts.into_iter().flatten() {
                out.write_all(&[delimiter])?;
                write_text(out, text, delimiter, false)?;
            }
            for x in line.adds {
                out.write_all(&[delimiter])?;
                write!(out, "{x}")?;
            }
            out.write_all(b"\n")
        })
    }

    fn finish(self: Box<Self>) -> Outcome {
        self.out.finish()
    }
}

/// Columns of values, a row group for each [`GROUP`] of lines.
pub struct Parquet {
    out: ParquetWriter<Writer>,
    path: PathBuf,
    words: bool,
    numbers: Vec<i64>,
    texts: Vec<Vec<String>>,
    adds: Vec<Vec<f64>>,
}

impl Parquet {
    /// A file with the columns of a model's classes.
    pub fn new(path: &Path, words: bool, model: &Model) -> Outcome<Self> {
        let (texts, adds) =
            (vec![Vec::new(); 2 + usize::from(words)], vec![Vec::new(); classes(model).len()]);
        let names = header(words, model);
        let kinds = columns(Vec::new(), texts.clone(), adds.clone());
        let out = ParquetWriter::new(Writer::new(path)?, names.into_iter().zip(&kinds));
        let out = out.map_err(|error| fault(path, &error))?;
        Ok(Self { out, path: path.to_path_buf(), words, numbers: Vec::new(), texts, adds })
    }

    /// Writes the lines so far.
    fn flush(&mut self) -> Outcome {
        let (texts, adds) =
            (self.texts.iter_mut().map(std::mem::take), self.adds.iter_mut().map(std::mem::take));
        let columns = columns(std::mem::take(&mut self.numbers), texts.collect(), adds.collect());
        Ok(self.out.put(&columns).map_err(|error| fault(&self.path, &error))?)
    }
}

/// The columns in their order.
fn columns(numbers: Vec<i64>, texts: Vec<Vec<String>>, adds: Vec<Vec<f64>>) -> Vec<ParquetValues> {
    let texts = texts.into_iter().map(ParquetValues::Texts);
    let adds = adds.into_iter().map(ParquetValues::Numbers);
    std::iter::once(ParquetValues::Whole(numbers)).chain(texts).chain(adds).collect()
}

impl Lined for Parquet {
    fn put(&mut self, line: &Line<'_>) -> Outcome {
        self.numbers.push(line.number as i64);
        let texts = [Some(line.column), self.words.then_some(line.word), Some(line.value)];
        self.texts
            .iter_mut()
            .zip(texts.into_iter().flatten())
            .for_each(|(all, text)| all.push(text.to_string()));
        self.adds.iter_mut().zip(line.adds).for_each(|(all, x)| all.push(*x));
        if self.numbers.len() >= GROUP { self.flush() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Outcome {
        self.flush()?;
        let Self { out, path, .. } = *self;
        Ok(out.finish().map_err(|error| fault(&path, &error))?.finish()?)
    }
}
