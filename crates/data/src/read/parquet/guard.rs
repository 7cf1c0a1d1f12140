//! What a Parquet file must satisfy before it is decoded.
//!
//! The parquet crate trusts some sizes that a file claims: it allocates by them, or recurses. Here every such size
//! is checked against bytes that exist, and against the limits, first.

use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;

use crate::error::{Error, ErrorKind, Result};
use crate::read::Limits;
use crate::read::message::{in_file, shown};
use crate::read::parquet::compact::{Compact, Malformed, Walk};
use crate::wording::grouped;

const MAGIC: &[u8] = b"PAR1";

/// The longest footer that is read.
const FOOTER: u64 = 128 << 20;

/// A page may unpack to this many bytes whatever its size.
const PAGE: u64 = 16 << 20;

/// Bytes that a value of a dictionary takes when it is decoded.
const VALUE: i64 = 32;

/// A fault of the file itself.
pub(crate) fn damaged(source: &str, what: &str) -> Error {
    let what = in_file(source, &format!("damaged Parquet file: {}", plain(what)));
    Error::new(ErrorKind::Syntax, what, "write it again")
}

/// What another crate says, for a message: control characters, which may come from the file, escaped.
fn plain(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect()
}

/// A fault that the parquet crate found, or one of ours that passed through it.
pub(crate) fn fault(source: &str, error: ParquetError) -> Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<Error>() {
            Ok(ours) => *ours,
            Err(other) => damaged(source, &other.to_string()),
        },
        other => damaged(source, &other.to_string()),
    }
}

/// The most bytes that a page of so many may unpack to.
pub(crate) fn largest(packed: u64, limits: &Limits) -> u64 {
    PAGE.max(packed.saturating_mul(limits.expansion))
}

fn bytes_at<R: ChunkReader>(file: &R, source: &str, start: u64, length: u64) -> Result<bytes::Bytes> {
    file.get_bytes(start, length as usize).map_err(|e| fault(source, e))
}

/// Checks marks, footer and schema. Nothing but a flat table passes.
pub(crate) fn check_footer<R: ChunkReader>(file: &R, source: &str, limits: &Limits) -> Result<()> {
    let size = file.len();
    let not_parquet = |what: &str| {
        let what = in_file(source, &format!("not Parquet ({what})"));
        Err(Error::new(ErrorKind::Syntax, what, "name the file by its format, or write it again"))
    };
    if size == 0 {
        return Err(Error::new(
            ErrorKind::Syntax,
            in_file(source, "the file is empty"),
            "give a file with rows",
        ));
    }
    if size < 12 || &*bytes_at(file, source, 0, 4)? != MAGIC {
        return not_parquet("it does not start with PAR1");
    }
    let tail = bytes_at(file, source, size - 8, 8)?;
    if tail.get(4..) != Some(MAGIC) {
        return not_parquet("it does not end with PAR1, perhaps it is truncated");
    }
    let length = tail.first_chunk::<4>().map_or(0, |b| u64::from(u32::from_le_bytes(*b)));
    if length > size - 12 {
        return Err(damaged(source, "its footer is longer than the file"));
    }
    if length > FOOTER {
        let what = in_file(source, &format!("a footer longer than {} bytes", grouped(FOOTER)));
        return Err(Error::new(ErrorKind::Limit, what, "write fewer and larger row groups"));
    }
    let footer = bytes_at(file, source, size - 8 - length, length)?;
    let schema = walk_footer(&footer, limits.columns)
        .map_err(|Malformed| damaged(source, "its footer makes no sense"))?;
    check_schema(&schema, source, limits)
}

/// One element of the schema: a name and how many children it has.
struct Element<'a> {
    name: &'a [u8],
    children: i64,
}

/// Walks a whole footer; its schema, as far as one column more than allowed.
fn walk_footer(footer: &[u8], columns: usize) -> Walk<Vec<Element<'_>>> {
    let mut walk = Compact::new(footer);
    let mut schema = Vec::new();
    let mut last = 0;
    while let Some((id, kind)) = walk.field(&mut last)? {
        if id == 2 && kind == 9 {
            let (size, _) = walk.list()?;
            for _ in 0..size {
                let element = walk_element(&mut walk)?;
                if schema.len() <= columns.saturating_add(1) {
                    schema.push(element);
                }
            }
        } else {
            walk.skip(kind)?;
        }
    }
    // Real elements take more bytes than this; a list of empty ones would cost many times its size in memory.
    if walk.elements > 4096 + footer.len() / 8 { Err(Malformed) } else { Ok(schema) }
}

fn walk_element<'a>(walk: &mut Compact<'a>) -> Walk<Element<'a>> {
    let mut element = Element { name: b"", children: 0 };
    let mut last = 0;
    while let Some((id, kind)) = walk.field(&mut last)? {
        match (id, kind) {
            (4, 8) => element.name = walk.binary()?,
            (5, 5) => element.children = walk.integer()?,
            _ => walk.skip(kind)?,
        }
    }
    Ok(element)
}

fn check_schema(schema: &[Element], source: &str, limits: &Limits) -> Result<()> {
    let [root, columns @ ..] = schema else { return Err(damaged(source, "it has no schema")) };
    if let Some(group) = columns.iter().find(|c| c.children > 0) {
        let what = in_file(source, &format!("column {} is nested (a group)", shown(group.name)));
        return Err(Error::new(ErrorKind::Column, what, "flatten it to plain columns, or drop it"));
    }
    if columns.len() > limits.columns {
        let what = in_file(source, &format!("more than {} columns", grouped(limits.columns)));
        return Err(Error::new(ErrorKind::Limit, what, "split the table"));
    }
    if root.children != columns.len() as i64 {
        return Err(damaged(source, "its schema contradicts itself"));
    }
    Ok(())
}

/// Checks the pages of a column in one row group: where they lie, what they unpack to. Gives the latter.
pub(crate) fn check_pages<R: ChunkReader>(
    file: &R,
    source: &str,
    chunk: &ColumnChunkMetaData,
    limits: &Limits,
) -> Result<Vec<usize>> {
    let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
    let bounds = (u64::try_from(start), u64::try_from(chunk.compressed_size()));
    let (Ok(start), Ok(length)) = bounds else {
        return Err(damaged(source, "a column has a negative place"));
    };
    let end = start.checked_add(length).filter(|end| *end <= file.len());
    let Some(end) = end else { return Err(damaged(source, "a column lies outside the file")) };
    let mut at = start;
    let mut values = 0_i64;
    let mut sizes = Vec::new();
    while at < end && values < chunk.num_values() {
        let page = page_at(file, source, at, end)?;
        let room = i64::try_from(end - at - page.header).unwrap_or(i64::MAX);
        if page.packed < 0 || page.packed > room || page.values < 0 || page.unpacked < 0 {
            return Err(damaged(source, "a page lies outside its column"));
        }
        let decoded = if page.dictionary {
            page.unpacked.max(VALUE.saturating_mul(page.values))
        } else {
            page.unpacked
        };
        if decoded as u64 > largest(page.packed as u64, limits) {
            let what = format!("a page that unpacks to {} bytes", grouped(decoded));
            return Err(Error::new(ErrorKind::Limit, in_file(source, &what), "write it with smaller pages"));
        }
        // A dictionary spells its values out.
        if page.dictionary && page.values > page.unpacked / least(chunk) {
            return Err(damaged(source, "a dictionary with more values than bytes"));
        }
        if !page.dictionary {
            values = values.saturating_add(page.values);
        }
        if page.read {
            sizes.push(page.unpacked as usize);
        }
        at += page.header + page.packed as u64;
    }
    if values == chunk.num_values() {
        Ok(sizes)
    } else {
        Err(damaged(source, "a column with too few or too many values"))
    }
}

/// What a page header claims.
#[derive(Default)]
struct Page {
    header: u64,
    unpacked: i64,
    packed: i64,
    values: i64,
    dictionary: bool,
    /// Whether it has values, and is not an index or something new.
    read: bool,
}

fn page_at<R: ChunkReader>(file: &R, source: &str, at: u64, end: u64) -> Result<Page> {
    let mut window = 1 << 12;
    loop {
        let length = window.min(end - at);
        let bytes = bytes_at(file, source, at, length)?;
        match walk_page(&bytes) {
            Ok(page) => return Ok(page),
            Err(Malformed) if length < end - at && window < 1 << 24 => window *= 16,
            Err(Malformed) => return Err(damaged(source, "a page header makes no sense")),
        }
    }
}

fn walk_page(bytes: &[u8]) -> Walk<Page> {
    let mut walk = Compact::new(bytes);
    let mut page = Page::default();
    let mut last = 0;
    while let Some((id, kind)) = walk.field(&mut last)? {
        match (id, kind) {
            (2, 5) => page.unpacked = walk.integer()?,
            (3, 5) => page.packed = walk.integer()?,
            (5 | 7 | 8, 12) => {
                (page.dictionary, page.read) = (id == 7, true);
                page.values = walk_values(&mut walk)?;
            }
            _ => walk.skip(kind)?,
        }
    }
    page.header = walk.at as u64;
    Ok(page)
}

/// The number of values, the first field of each kind of page header.
fn walk_values(walk: &mut Compact) -> Walk<i64> {
    let mut values = 0;
    let mut last = 0;
    while let Some((id, kind)) = walk.field(&mut last)? {
        if (id, kind) == (1, 5) {
            values = walk.integer()?;
        } else {
            walk.skip(kind)?;
        }
    }
    Ok(values)
}
/// How many bytes a value of a dictionary takes at least, four if it is not shorter by its type.
fn least(chunk: &ColumnChunkMetaData) -> i64 {
    match chunk.column_type() {
        parquet::basic::Type::FIXED_LEN_BYTE_ARRAY => {
            i64::from(chunk.column_descr().type_length()).clamp(1, 4)
        }
        _ => 4,
    }
}
