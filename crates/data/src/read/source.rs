//! Where bytes come from: a file or stdin, plain or compressed, with every fault of the system put in our words.
//!
//! A compressed file may claim to be anything, so decompression counts bytes on both sides and stops when a small
//! input grows beyond all measure.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use crate::error::{Error, ErrorKind, Result};
use crate::read::Limits;
use crate::read::csv::encoding::Malformed;
use crate::read::message::in_file;
use crate::wording::grouped;
use crate::write::pack::Packing;

/// Opens a file that must be no directory.
pub(crate) fn open(path: &str) -> Result<File> {
    let file = File::open(path).map_err(|e| io_error(path, &e))?;
    let data = file.metadata().map_err(|e| io_error(path, &e))?;
    if data.is_dir() {
        return Err(directory(path));
    }
    Ok(file)
}

/// The bytes of a reader, unpacked and guarded.
pub(crate) fn unpacked(
    reader: impl Read + Send + 'static,
    packing: Packing,
    source: &str,
    limits: &Limits,
) -> Result<Box<dyn Read + Send>> {
    if packing == Packing::Plain {
        return Ok(Box::new(reader));
    }
    let taken = Arc::new(AtomicU64::new(0));
    let counted = Counted { inner: reader, taken: Arc::clone(&taken) };
    let inner: Box<dyn Read + Send> = match packing {
        Packing::Zstandard => {
            let mut decoder = zstd::stream::read::Decoder::new(counted).map_err(|e| io_error(source, &e))?;
            // Windows above 128 MiB are refused, whatever the frame asks for.
            decoder.window_log_max(27).map_err(|e| io_error(source, &e))?;
            Box::new(decoder)
        }
        _ => Box::new(MultiGzDecoder::new(counted)),
    };
    Ok(Box::new(Guarded { inner, taken, given: 0, limits: limits.clone() }))
}

/// An error of the system, in the words of the reader.
pub(crate) fn io_error(source: &str, error: &io::Error) -> Error {
    let file = |what: &str, remedy: &str| {
        Error::new(ErrorKind::File, in_file(source, what), remedy).caused_by(error)
    };
    if let Some(fault) = error.get_ref().and_then(|inner| inner.downcast_ref::<Malformed>()) {
        let remedy = "name another encoding (`encoding`), or convert the file to UTF-8 text";
        return Error::new(ErrorKind::Syntax, in_file(source, &fault.to_string()), remedy);
    }
    match error.kind() {
        io::ErrorKind::NotFound => file("no such file", "check the path"),
        io::ErrorKind::PermissionDenied => {
            file("no permission to read it", "change its permissions, or read it as another user")
        }
        io::ErrorKind::IsADirectory => directory(source),
        io::ErrorKind::FileTooLarge => Error::new(
            ErrorKind::Limit,
            in_file(source, &format!("unpacks beyond the limit ({error})")),
            "unpack it first if it is what it should be, and read the unpacked file",
        ),
        io::ErrorKind::UnexpectedEof => Error::new(
            ErrorKind::Syntax,
            in_file(source, "the compressed data end too early, the file is truncated"),
            "copy or download the file again",
        ),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => Error::new(
            ErrorKind::Syntax,
            in_file(source, &format!("the compressed data are damaged ({error})")),
            "copy or download the file again, and check that its name ends as its format says",
        ),
        _ => file(&format!("cannot be read ({error})"), "check the disk or the network"),
    }
}

fn directory(source: &str) -> Error {
    Error::new(ErrorKind::File, in_file(source, "is a directory"), "give the path of a file")
}

/// Counts what is read.
struct Counted<R> {
    inner: R,
    taken: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.taken.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// Stops when what comes out is out of proportion to what went in.
struct Guarded {
    inner: Box<dyn Read + Send>,
    taken: Arc<AtomicU64>,
    given: u64,
    limits: Limits,
}

impl Read for Guarded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.given = self.given.saturating_add(n as u64);
        let taken = self.taken.load(Ordering::Relaxed);
        if self.given > self.limits.unpacked(taken) {
            let text = format!("{} bytes from {}", grouped(self.given), grouped(taken));
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
        }
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn unpack(bytes: Vec<u8>, packing: Packing, limits: &Limits) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        unpacked(io::Cursor::new(bytes), packing, "x", limits).unwrap().read_to_end(&mut out)?;
        Ok(out)
    }

    #[test]
    fn the_system_s_faults_have_words() {
        let error = |kind| io_error("f.csv", &io::Error::from(kind));
        assert!(error(io::ErrorKind::PermissionDenied).what().contains("permission"));
        assert!(error(io::ErrorKind::NotFound).what().contains("no such file"));
        assert_eq!(error(io::ErrorKind::PermissionDenied).kind(), ErrorKind::File);
    }

    #[test]
    fn members_join_and_damage_shows() {
        let limits = Limits::default();
        let mut two = gzip(b"ab");
        two.extend(gzip(b"cd"));
        assert_eq!(unpack(two, Packing::Gzip, &limits).unwrap(), b"abcd");
        for packing in [Packing::Gzip, Packing::Zstandard] {
            let text: Vec<u8> = (0..10_000_u32).flat_map(|i| (i * i).to_string().into_bytes()).collect();
            let whole = match packing {
                Packing::Gzip => gzip(&text),
                _ => zstd::encode_all(&text[..], 1).unwrap(),
            };
            assert_eq!(unpack(whole.clone(), packing, &limits).unwrap(), text);
            let cut = whole[..whole.len() / 2].to_vec();
            let error = io_error("x", &unpack(cut, packing, &limits).unwrap_err());
            assert!(error.what().contains("truncated"), "{error}");
        }
        let mut bad = gzip(b"some text");
        let crc = bad.len() - 8;
        bad[crc] ^= 1;
        let error = io_error("x", &unpack(bad, Packing::Gzip, &limits).unwrap_err());
        assert!(error.what().contains("damaged"), "{error}");
    }

    #[test]
    fn bombs_stop() {
        let limits = Limits { expansion_from: 1 << 20, ..Limits::default() };
        let error = io_error("x", &unpack(gzip(&vec![0; 1 << 24]), Packing::Gzip, &limits).unwrap_err());
        assert_eq!(error.kind(), ErrorKind::Limit);
    }
}
