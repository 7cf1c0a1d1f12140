//! CSV and TSV: header, roles, then blocks parsed side by side and put together in file order.
//!
//! While one batch of blocks is parsed the next is read and unpacked, so neither waits for the other, and memory
//! holds two batches of text at a time whatever the size of the file.

pub(super) mod blocks;
pub(super) mod encoding;
pub(super) mod fields;
mod head;
mod look;
pub(super) mod undress;

use std::io::Read;

use rayon::prelude::*;

use crate::error::{Error, ErrorKind, Result};
use crate::read::chunk::{Chunk, Fault, Parser, Part, What, bad_byte, column_of};
use crate::read::csv::blocks::{Block, Blocks, Stop, count_lines};
use crate::read::csv::fields::{Fields, Syntax};
use crate::read::csv::head::Head;
use crate::read::csv::look::Look;
use crate::read::message::{at_line, in_file, not_a_number, shown, syntax};
use crate::read::number::Tokens;
use crate::read::roles::{self, Columns};
use crate::read::text::{bad_byte_error, check_delimiter, check_names, strip_mark};
use crate::read::{Limits, Request, Take, source::io_error};
use crate::schema::dialect;
use crate::table::Table;
use crate::wording::grouped;

/// More columns than this get larger blocks, so that each block still has a fair number of rows.
const MANY_COLUMNS: usize = 4096;

/// Reads a delimited table, in which fields are usually parted by this.
pub(crate) fn read_delimited(reader: impl Read + Send, usual: u8, request: Request<'_>) -> Result<Table> {
    let mut opened = Opened::new(reader, usual, request)?;
    let columns = opened.columns;
    let mut parts: Vec<Part> = columns.readings().iter().map(|r| Part::new(*r)).collect();
    let rows = opened.run.body(&mut opened.blocks, opened.first, &columns, &mut |chunk| {
        parts.iter_mut().zip(chunk.parts).for_each(|(part, more)| part.append(more));
        Ok(())
    })?;
    columns.table(request.source, parts, rows)
}

/// Reads a delimited table, some rows after the other.
pub(crate) fn read_delimited_blocks(
    reader: impl Read + Send,
    usual: u8,
    request: Request<'_>,
    take: &mut Take<'_>,
) -> Result<()> {
    let mut opened = Opened::new(reader, usual, request)?;
    let mut columns = opened.columns;
    // The first rows bring them.
    let mut notes = std::mem::take(&mut columns.notes);
    let rows = opened.run.body(&mut opened.blocks, opened.first, &columns, &mut |chunk| {
        // A block of blank lines is no table.
        if chunk.rows == 0 {
            return Ok(());
        }
        let mut table = columns.table(request.source, chunk.parts, chunk.rows)?;
        table.notes = std::mem::take(&mut notes);
        take(table)
    })?;
    if rows == 0 { Err(roles::no_rows(request.source)) } else { Ok(()) }
}

/// A file of which the header is read.
struct Opened<'a> {
    run: Run<'a>,
    blocks: Blocks<Box<dyn Read + Send + 'a>>,
    first: Block,
    columns: Columns,
}

impl<'a> Opened<'a> {
    /// Opens a text in which fields are usually parted by this.
    fn new(reader: impl Read + Send + 'a, usual: u8, request: Request<'a>) -> Result<Self> {
        let Request { source, plan, limits } = request;
        let dialect = plan.dialect().unwrap_or(&dialect::USUAL);
        let Head { bytes, rest, syntax, mut notes } = Head::new(reader, usual, dialect, request)?;
        let mut blocks = Blocks::new(bytes, rest, syntax, limits);
        let missing = Tokens::new(&dialect.missing);
        let mut run = Run { source, syntax, missing, limits, lines: 0 };
        let (names, first) = run.header(&mut blocks, dialect.no_header)?;
        let look = Look::at(&first.bytes, syntax, names.len(), limits.sample_rows, &run.missing, dialect);
        let mut columns = roles::resolve(source, names, plan, |column| look.kind(column))?;
        if !run.missing.is_empty() {
            columns.take_care();
        }
        notes.extend(look.dress(&mut columns).map(|what| in_file(source, &what)));
        drop(look);
        columns.notes = notes;
        Ok(Self { run, blocks, first, columns })
    }
}

/// One reading of one file.
struct Run<'a> {
    source: &'a str,
    syntax: Syntax,
    missing: Tokens,
    limits: &'a Limits,
    /// Physical lines before the block at hand.
    lines: u64,
}

impl Run<'_> {
    /// The names of the columns, which the first line has or nobody, and the first block of rows.
    fn header<R: Read>(&mut self, blocks: &mut Blocks<R>, nameless: bool) -> Result<(Vec<String>, Block)> {
        let mut start = true;
        loop {
            let Some(mut block) = self.next(blocks, self.limits.sample_bytes)? else {
                return Err(Error::new(
                    ErrorKind::Syntax,
                    in_file(self.source, "the file is empty"),
                    "give a file with a header line and rows",
                ));
            };
            if std::mem::take(&mut start) {
                strip_mark(self.source, &mut block)?;
            }
            let mut fields = Fields::new(&block.bytes, self.syntax);
            if !fields.record() {
                self.lines += count_lines(&block.bytes);
                continue;
            }
            let (names, line) = self.names(&block, &mut fields)?;
            if nameless {
                return Ok(((1..=names.len()).map(|at| format!("x{at}")).collect(), block));
            }
            check_delimiter(self.source, line, self.syntax.delimiter, &names)?;
            check_names(self.source, line, &names)?;
            let rest = block.bytes.split_off(fields.at.min(block.bytes.len()));
            self.lines += count_lines(&block.bytes);
            let offset = block.offset + block.bytes.len() as u64;
            let first = if rest.is_empty() {
                // The header alone filled the block: the sample comes from the next one.
                let size = self.limits.sample_bytes.max(8 * block.bytes.len());
                self.next(blocks, size)?.unwrap_or(Block { bytes: rest, offset })
            } else {
                Block { bytes: rest, offset }
            };
            return Ok((names, first));
        }
    }

    /// The fields of the first record, and its line.
    fn names(&self, block: &Block, fields: &mut Fields) -> Result<(Vec<String>, u64)> {
        let start = fields.at;
        let line = self.lines + 1 + count_lines(block.bytes.get(..start).unwrap_or_default());
        let mut names = Vec::new();
        loop {
            let field = fields.next().map_err(|_| {
                let what = format!("column {}: text after a closing quote", names.len() + 1);
                syntax(self.source, line, &what, "double the quotes inside a quoted name")
            })?;
            if names.len() >= self.limits.columns {
                let what = format!("more than {} columns", grouped(self.limits.columns));
                let what = at_line(self.source, line, &what);
                return Err(Error::new(ErrorKind::Limit, what, "check that it is a table, or split it"));
            }
            names.push(String::from_utf8_lossy(&field.text()).into_owned());
            if field.last {
                break;
            }
        }
        let end = fields.at.min(block.bytes.len());
        let header = block.bytes.get(start..end).unwrap_or_default();
        if let Some(at) = bad_byte(header) {
            let column = column_of(header, self.syntax, at);
            let byte = header.get(at).copied().unwrap_or_default();
            let at = block.offset + (start + at) as u64;
            return Err(bad_byte_error(self.source, line, &format!("column {}", column + 1), byte, at));
        }
        Ok((names, line))
    }

    fn next<R: Read>(&self, blocks: &mut Blocks<R>, size: usize) -> Result<Option<Block>> {
        blocks.next(size).map_err(|stop| self.stopped(stop))
    }

    /// All rows, in file order; their number.
    fn body<R: Read + Send>(
        &mut self,
        blocks: &mut Blocks<R>,
        first: Block,
        columns: &Columns,
        take: &mut dyn FnMut(Chunk) -> Result<()>,
    ) -> Result<usize> {
        let readings = columns.readings();
        let (syntax, field_limit) = (self.syntax, self.limits.field_bytes);
        let missing = std::mem::take(&mut self.missing);
        let parser = Parser { syntax, missing: &missing, readings: &readings, field_limit };
        let mut rows = 0;
        let size = if readings.len() > MANY_COLUMNS {
            self.limits.block_bytes.max(first.bytes.len())
        } else {
            self.limits.block_bytes
        };
        let count = 2 * rayon::current_num_threads();
        let mut batch = vec![first];
        let mut stop = None;
        while !batch.is_empty() {
            let stopped = stop.is_some();
            let (chunks, (next, next_stop)) = rayon::join(
                || batch.par_iter().map(|block| parser.parse(&block.bytes)).collect::<Vec<_>>(),
                || if stopped { (Vec::new(), None) } else { read_batch(blocks, count, size) },
            );
            for (block, chunk) in batch.iter().zip(chunks) {
                let chunk = chunk.map_err(|fault| self.faulty(block, &fault, columns))?;
                self.lines += count_lines(&block.bytes);
                rows += chunk.rows;
                if rows > self.limits.rows {
                    return Err(roles::too_many_rows(self.source, self.limits));
                }
                take(chunk)?;
            }
            batch = next;
            stop = stop.or(next_stop);
        }
        if let Some(stop) = stop {
            return Err(self.stopped(stop));
        }
        Ok(rows)
    }

    /// The error of a fault in a block.
    fn faulty(&self, block: &Block, fault: &Fault, columns: &Columns) -> Error {
        let line = self.lines + 1 + count_lines(block.bytes.get(..fault.at).unwrap_or_default());
        let name = columns.name(fault.column);
        let column = format!("column {}", shown(name.as_bytes()));
        match &fault.what {
            What::Fields(found) => {
                let what = format!("{found} fields, expected {}", columns.len());
                syntax(
                    self.source,
                    line,
                    &what,
                    "give every row as many fields as the header; quote delimiters",
                )
            }
            What::Value(value, problem) => {
                let role = columns.asked(fault.column);
                not_a_number(self.source, &format!("line {line}"), (name, role), value, *problem)
            }
            What::Quote => {
                let what = format!("{column}: text after a closing quote");
                syntax(self.source, line, &what, "double the quotes inside a quoted field")
            }
            What::Byte(byte) => {
                bad_byte_error(self.source, line, &column, *byte, block.offset + fault.at as u64)
            }
            What::Long => {
                let limit = grouped(self.limits.field_bytes);
                let what =
                    at_line(self.source, line, &format!("{column}: a field longer than {limit} bytes"));
                Error::new(ErrorKind::Limit, what, "shorten the field, or leave the column out of the file")
            }
        }
    }

    /// The error of a stream that ended badly, after all blocks before it.
    fn stopped(&self, stop: Stop) -> Error {
        match stop {
            Stop::Io(error) => io_error(self.source, &error),
            Stop::Unclosed { line, within } => {
                let within = within.map_or(String::new(), |n| format!(" within {} bytes", grouped(n)));
                let what = format!("the quote that opens here is not closed{within}");
                let line = self.lines + 1 + line;
                syntax(self.source, line, &what, "close it, or double it if it is part of the text")
            }
            Stop::TooLong { line, what, limit } => {
                let what = format!("a {what} longer than {} bytes", grouped(limit));
                let what = at_line(self.source, self.lines + 1 + line, &what);
                Error::new(ErrorKind::Limit, what, "check that it is a text table with one row a line")
            }
        }
    }
}

fn read_batch<R: Read>(blocks: &mut Blocks<R>, count: usize, size: usize) -> (Vec<Block>, Option<Stop>) {
    let mut batch = Vec::with_capacity(count);
    while batch.len() < count {
        match blocks.next(size) {
            Ok(Some(block)) => batch.push(block),
            Ok(None) => break,
            Err(stop) => return (batch, Some(stop)),
        }
    }
    (batch, None)
}
