//! Readers: a file becomes a [`Table`].
//!
//! The format is told by the end of the name alone: `.csv`, `.tsv`, `.arff`, `.libsvm` or `.svm`, each also with
//! `.gz` or `.zst` behind it, and `.parquet`; `-` is CSV from stdin. Every reader asks the [`Plan`] once, when it
//! knows the names of the columns, and then streams: memory holds the columns in their narrowest types and a few
//! megabytes of text.
//!
//! Files are not trusted. Whatever they hold, the answer is a table or an [`Error`] that names file,
//! line, column and value; sizes are bounded by [`Limits`].
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod arff;
#[cfg(feature = "arrow")]
mod arrow;
mod chunk;
mod csv;
mod folder;
mod infer;
mod libsvm;
mod lines;
mod message;
mod narrow;
mod number;
#[cfg(feature = "parquet")]
mod parquet;
mod roles;
mod source;
mod text;
mod times;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod typed;
mod words;

#[cfg(not(feature = "parquet"))]
use std::fs::File;
use std::io::Read;

use crate::error::{Error, ErrorKind, Result};
use crate::schema::role::Plan;
use crate::table::Table;
use crate::write::pack::Packing;
#[cfg(feature = "arrow")]
pub(crate) use arrow::read_batches;
pub use folder::parts;
pub use infer::kind_of_words;
#[cfg(feature = "parquet")]
#[doc(hidden)]
pub use parquet::KNOWN_PANICS;
#[cfg(feature = "parquet")]
use parquet::read_groups as read_parquet_groups;
pub use times::{seconds_of_ticks, times_of_words};
pub(crate) use words::Growing;

/// What a file may ask for. The defaults suit tables of any honest kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest field of a text format.
    pub field_bytes: usize,
    /// The longest record of a text format.
    pub record_bytes: usize,
    /// The most columns of tables that spell out every value.
    pub columns: usize,
    /// The most columns of tables that leave zeros out.
    pub sparse_columns: usize,
    /// The most rows.
    pub rows: usize,
    /// Compressed data may grow this many times, …
    pub expansion: u64,
    /// … counted once they have grown to this many bytes.
    pub expansion_from: u64,
    /// Text is cut into blocks of about this size. No result depends on it.
    pub block_bytes: usize,
    /// Kinds are inferred from this many rows …
    pub sample_rows: usize,
    /// … within this many bytes.
    pub sample_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            field_bytes: 16 << 20,
            record_bytes: 64 << 20,
            columns: 100_000,
            sparse_columns: 1 << 25,
            rows: u32::MAX as usize - 1,
            expansion: 500,
            expansion_from: 64 << 20,
            block_bytes: 1 << 20,
            sample_rows: 1000,
            sample_bytes: 4 << 20,
        }
    }
}

impl Limits {
    /// The most bytes that so many packed ones may unpack to.
    pub(crate) fn unpacked(&self, packed: u64) -> u64 {
        self.expansion_from.max(packed.saturating_mul(self.expansion))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Delimited(u8),
    Arff,
    Libsvm,
    Parquet,
}

/// Reads a file in the format that the end of its name says, or all files of a folder; `-` is CSV from stdin.
pub fn read(path: &str, plan: &dyn Plan, limits: &Limits) -> Result<Table> {
    let parts = parts(path)?;
    if parts == [path] {
        read_file(path, plan, limits)
    } else {
        folder::read_whole(path, &parts, plan, limits)
    }
}

fn read_file(path: &str, plan: &dyn Plan, limits: &Limits) -> Result<Table> {
    if path == "-" {
        return read_csv_from(std::io::stdin(), "<stdin>", plan, limits);
    }
    let request = Request { source: path, plan, limits };
    let (format, packing) = format_of(path)?;
    let file = source::open(path)?;
    if format == Format::Parquet {
        return whole(path, |take| read_parquet_groups(file, request, usize::MAX, take));
    }
    let reader = source::unpacked(file, packing, path, limits)?;
    match format {
        Format::Delimited(delimiter) => csv::read_delimited(reader, delimiter, request),
        Format::Arff => arff::read_arff(reader, request),
        Format::Libsvm => libsvm::read_libsvm(reader, request),
        Format::Parquet => Err(unknown_format(path)),
    }
}

/// What every reader is told.
#[derive(Clone, Copy)]
struct Request<'a> {
    /// The name of the file in messages.
    source: &'a str,
    plan: &'a dyn Plan,
    limits: &'a Limits,
}

/// Takes the next rows of a file.
pub type Take<'a> = dyn FnMut(Table) -> Result<()> + 'a;

/// The table of a reader that gives out all rows at once.
fn whole(source: &str, read: impl FnOnce(&mut Take<'_>) -> Result<()>) -> Result<Table> {
    let mut whole = None;
    read(&mut |table| {
        whole = Some(table);
        Ok(())
    })?;
    whole.ok_or_else(|| roles::no_rows(source))
}

/// Bytes that a value takes, about, where it is not known before it is read.
const VALUE_BYTES: usize = 4;

/// Reads a file like [`read`], but gives its rows out table after table, in their order, so that memory does not depend on
/// how many there are. The plan must say the kind of every feature: rows to come could change what is inferred.
///
/// Parquet comes by row group. libsvm knows its columns at its end: it is read twice, or comes at once if it is a pipe.
pub fn read_blocks(path: &str, plan: &dyn Plan, limits: &Limits, take: &mut Take<'_>) -> Result<()> {
    let parts = parts(path)?;
    if parts == [path] {
        return read_blocks_of_file(path, plan, limits, take);
    }
    folder::read_parts(path, &parts, plan, limits, take)
}

fn read_blocks_of_file(path: &str, plan: &dyn Plan, limits: &Limits, take: &mut Take<'_>) -> Result<()> {
    if path == "-" {
        return csv::read_delimited_blocks(
            std::io::stdin(),
            b',',
            Request { source: "<stdin>", plan, limits },
            take,
        );
    }
    let request = Request { source: path, plan, limits };
    let (format, packing) = format_of(path)?;
    let file = source::open(path)?;
    let again = file.metadata().is_ok_and(|there| there.is_file());
    if format == Format::Parquet {
        return read_parquet_groups(file, request, 1, take);
    }
    let reader = source::unpacked(file, packing, path, limits)?;
    match format {
        Format::Delimited(delimiter) => csv::read_delimited_blocks(reader, delimiter, request, take),
        Format::Arff => {
            let values = limits.block_bytes / VALUE_BYTES;
            arff::read_arff_blocks(reader, request, values, take)
        }
        Format::Libsvm if again => {
            let open = || source::unpacked(source::open(path)?, packing, path, limits);
            let values = limits.block_bytes / VALUE_BYTES;
            libsvm::read_libsvm_blocks(open, request, values, take)
        }
        Format::Libsvm => take(libsvm::read_libsvm(reader, request)?),
        Format::Parquet => Err(unknown_format(path)),
    }
}

/// Reads comma-separated text; `source` is its name in messages.
pub fn read_csv_from(
    reader: impl Read + Send,
    source: &str,
    plan: &dyn Plan,
    limits: &Limits,
) -> Result<Table> {
    csv::read_delimited(reader, b',', Request { source, plan, limits })
}

/// Reads tab-separated text; `source` is its name in messages.
pub fn read_tsv_from(
    reader: impl Read + Send,
    source: &str,
    plan: &dyn Plan,
    limits: &Limits,
) -> Result<Table> {
    csv::read_delimited(reader, b'\t', Request { source, plan, limits })
}

/// Reads ARFF text; `source` is its name in messages.
pub fn read_arff_from(reader: impl Read, source: &str, plan: &dyn Plan, limits: &Limits) -> Result<Table> {
    arff::read_arff(reader, Request { source, plan, limits })
}

/// Reads libsvm text; `source` is its name in messages.
pub fn read_libsvm_from(reader: impl Read, source: &str, plan: &dyn Plan, limits: &Limits) -> Result<Table> {
    libsvm::read_libsvm(reader, Request { source, plan, limits })
}

/// Reads a Parquet file that lies in memory; `source` is its name in messages.
#[cfg(feature = "parquet")]
pub fn read_parquet_from(bytes: Vec<u8>, source: &str, plan: &dyn Plan, limits: &Limits) -> Result<Table> {
    let (bytes, request) = (bytes::Bytes::from(bytes), Request { source, plan, limits });
    whole(source, |take| parquet::read_groups(bytes, request, usize::MAX, take))
}

#[cfg(not(feature = "parquet"))]
fn read_parquet_groups(_: File, request: Request<'_>, _: usize, _: &mut Take<'_>) -> Result<()> {
    let what = message::in_file(request.source, "this build reads no Parquet");
    Err(Error::new(ErrorKind::File, what, "build with the feature parquet, or convert the file to CSV"))
}

/// Whether the names of a file's columns are in its first line.
pub fn first_line_has_names(path: &str) -> bool {
    path == "-" || matches!(format_of(path), Ok((Format::Delimited(_), _)))
}

fn format_of(path: &str) -> Result<(Format, Packing)> {
    let lower = path.to_ascii_lowercase();
    let (stem, packing) = Packing::of(&lower);
    let name = stem.rsplit(['/', '\\']).next().unwrap_or(stem);
    let format = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("csv") => Format::Delimited(b','),
        Some("tsv") => Format::Delimited(b'\t'),
        Some("arff") => Format::Arff,
        Some("libsvm" | "svm") => Format::Libsvm,
        Some("parquet") if packing == Packing::Plain => Format::Parquet,
        _ => return Err(unknown_format(path)),
    };
    Ok((format, packing))
}

fn unknown_format(path: &str) -> Error {
    Error::new(
        ErrorKind::File,
        message::in_file(path, "the end of the name tells no format"),
        "known are .csv, .tsv, .arff, .libsvm, .svm (each also .gz, .zst) and .parquet",
    )
}
