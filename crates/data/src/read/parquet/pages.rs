//! The pages of a column as the decoder gets them: unpacked within bounds, with counts that can be believed.
//!
//! The parquet crate takes all that gzip and Brotli streams give, and makes room for whatever delta-encoded pages claim.
//! So these streams are unpacked here, as far as the header of their page says (which [`guard`](super::guard) has checked),
//! and what texts come to is added up before they are decoded. Snappy, LZ4 and Zstandard are kept to the header's size by the
//! crate.

use std::io::Read;
use std::sync::Arc;

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedPageReader;

use crate::error::{Error, ErrorKind, Result};
use crate::read::Limits;
use crate::read::message::in_file;
use crate::read::parquet::compact::{Malformed, Walk};
use crate::read::parquet::delta;
use crate::read::parquet::guard::{damaged, fault, largest};
use crate::wording::grouped;

/// Bytes of a Brotli stream that are looked at together.
const BUFFER: usize = 4096;

/// Streams that do not say how long they are.
#[derive(Clone, Copy)]
enum Stream {
    Gzip,
    Brotli,
}

/// The pages of a column in one row group.
pub(crate) struct Pages<R: ChunkReader> {
    inner: SerializedPageReader<R>,
    source: String,
    limits: Limits,
    stream: Option<Stream>,
    /// What the pages unpack to, by their headers.
    sizes: std::vec::IntoIter<usize>,
    /// Whether values may be missing.
    optional: bool,
}

impl<R: ChunkReader> Pages<R> {
    /// The pages of a column whose headers were checked: `sizes` is what they unpack to.
    pub(crate) fn new(
        file: &Arc<R>,
        source: &str,
        chunk: &ColumnChunkMetaData,
        sizes: Vec<usize>,
        limits: &Limits,
    ) -> Result<Self> {
        let stream = match chunk.compression() {
            Compression::GZIP(_) => Some(Stream::Gzip),
            Compression::BROTLI(_) => Some(Stream::Brotli),
            Compression::LZO => {
                let what = in_file(source, "packed with LZO, which is not read");
                return Err(Error::new(ErrorKind::File, what, "write it with Zstandard, Snappy or gzip"));
            }
            _ => None,
        };
        let rows = usize::try_from(chunk.num_values()).unwrap_or_default();
        let optional = chunk.column_descr().max_def_level() > 0;
        let inner = if stream.is_some() {
            // What seems not to be packed comes as it is.
            let plain = chunk.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build();
            plain.and_then(|plain| SerializedPageReader::new(Arc::clone(file), &plain, rows, None))
        } else {
            SerializedPageReader::new(Arc::clone(file), chunk, rows, None)
        };
        let inner = inner.map_err(|error| fault(source, error))?;
        let (source, limits, sizes) = (source.to_owned(), limits.clone(), sizes.into_iter());
        Ok(Self { inner, source, limits, stream, sizes, optional })
    }

    /// A page that can be decoded.
    fn checked(&mut self, mut page: Page) -> Result<Page> {
        let size = self.sizes.next().unwrap_or_default();
        if let Some(stream) = self.stream {
            let wrong = |Malformed| damaged(&self.source, "a page does not unpack to what it claims");
            unpack(&mut page, stream, size).map_err(wrong)?;
        }
        let wrong = |Malformed| damaged(&self.source, "a page with other values than it claims");
        let (packed, total) = (page.buffer().len() as u64, check(&page, self.optional).map_err(wrong)?);
        if total > largest(packed, &self.limits) {
            let what = format!("{} bytes of text in a page of {}", grouped(total), grouped(packed));
            return Err(Error::new(
                ErrorKind::Limit,
                in_file(&self.source, &what),
                "write it with smaller pages",
            ));
        }
        Ok(page)
    }
}

impl<R: ChunkReader> Iterator for Pages<R> {
    type Item = parquet::errors::Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl<R: ChunkReader> PageReader for Pages<R> {
    fn get_next_page(&mut self) -> parquet::errors::Result<Option<Page>> {
        let Some(page) = self.inner.get_next_page()? else { return Ok(None) };
        self.checked(page).map(Some).map_err(|error| ParquetError::External(Box::new(error)))
    }

    fn peek_next_page(&mut self) -> parquet::errors::Result<Option<PageMetadata>> {
        self.inner.peek_next_page()
    }

    fn skip_next_page(&mut self) -> parquet::errors::Result<()> {
        self.sizes.next();
        self.inner.skip_next_page()
    }
}

/// Unpacks a page to the size that its header claims.
fn unpack(page: &mut Page, stream: Stream, size: usize) -> Walk<()> {
    let (buffer, plain) = match page {
        Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => (buf, 0),
        Page::DataPageV2 { is_compressed: false, .. } => return Ok(()),
        Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
            (buf, levels(*def_levels_byte_len, *rep_levels_byte_len))
        }
    };
    let (plain, packed) = buffer.split_at_checked(plain).ok_or(Malformed)?;
    let wanted = size.checked_sub(plain.len()).ok_or(Malformed)?;
    let mut out = Vec::new();
    out.try_reserve_exact(size).map_err(|_| Malformed)?;
    out.extend_from_slice(plain);
    if wanted > 0 {
        // A byte more than there may be shows that there are more.
        let most = wanted as u64 + 1;
        let read = match stream {
            Stream::Gzip => MultiGzDecoder::new(packed).take(most).read_to_end(&mut out),
            Stream::Brotli => {
                brotli_decompressor::Decompressor::new(packed, BUFFER).take(most).read_to_end(&mut out)
            }
        };
        read.map_err(|_| Malformed)?;
    }
    if out.len() != size {
        return Err(Malformed);
    }
    *buffer = Bytes::from(out);
    Ok(())
}

/// Bytes of both kinds of levels.
fn levels(definitions: u32, repetitions: u32) -> usize {
    (definitions as usize).saturating_add(repetitions as usize)
}

/// Checks how many values a page has by its encoding, and that they are there; gives the bytes of those that are shortened by
/// what they share.
fn check(page: &Page, optional: bool) -> Walk<u64> {
    let (values, count, encoding) = match page {
        Page::DictionaryPage { .. } => return Ok(0),
        Page::DataPage { buf, num_values, encoding, def_level_encoding, .. } => {
            let before = if optional { definitions(buf, *num_values, *def_level_encoding)? } else { 0 };
            (buf.get(before..), *num_values as usize, *encoding)
        }
        Page::DataPageV2 { buf, num_values, encoding, def_levels_byte_len, rep_levels_byte_len, .. } => {
            let before = levels(*def_levels_byte_len, *rep_levels_byte_len);
            (buf.get(before..), *num_values as usize, *encoding)
        }
    };
    let values = values.ok_or(Malformed)?;
    match encoding {
        Encoding::DELTA_BINARY_PACKED => delta::check_numbers(values, count).map(|()| 0),
        Encoding::DELTA_LENGTH_BYTE_ARRAY => delta::check_texts(values, count).map(|()| 0),
        Encoding::DELTA_BYTE_ARRAY => delta::check_shared_texts(values, count),
        _ => Ok(0),
    }
}

/// Bytes that say which values are missing, in the older kind of page.
fn definitions(page: &[u8], values: u32, encoding: Encoding) -> Walk<usize> {
    #[expect(deprecated, reason = "old files have it")]
    match encoding {
        Encoding::RLE => {
            let length = page.first_chunk::<4>().ok_or(Malformed)?;
            Ok((u32::from_le_bytes(*length) as usize).saturating_add(4))
        }
        Encoding::BIT_PACKED => Ok(values.div_ceil(8) as usize),
        _ => Err(Malformed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_end_where_their_page_says() {
        // A mebibyte of zeros, as Brotli has it.
        let zeros: &'static [u8] = &[91, 255, 255, 143, 127, 2, 32, 30, 11, 4, 114, 239, 31, 0];
        let unpacked = |size: usize| {
            let buf = Bytes::from_static(zeros);
            let mut page =
                Page::DictionaryPage { buf, num_values: 1, encoding: Encoding::PLAIN, is_sorted: false };
            unpack(&mut page, Stream::Brotli, size).map(|()| page.buffer().len())
        };
        assert_eq!(unpacked(1 << 20), Ok(1 << 20));
        for wrong in [0, 1, 1000, (1 << 20) - 1, (1 << 20) + 1] {
            let wanted = if wrong == 0 { Ok(0) } else { Err(Malformed) };
            assert_eq!(unpacked(wrong), wanted, "{wrong}");
        }
    }
}
