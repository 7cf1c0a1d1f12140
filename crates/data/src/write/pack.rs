//! Files that are packed, as the end of their name says: what readers unpack, and writers pack.

use std::io::{self, Write};

use flate2::write::GzEncoder;
use zstd::stream::write::Encoder;

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// As it is.
    Plain,
    /// gzip, one member or several.
    Gzip,
    /// Zstandard.
    Zstandard,
}

/// Endings of names that say that a file is packed, also in ways that are not known here.
const ENDINGS: [&str; 15] = [
    "gz", "zst", "bz2", "xz", "lz4", "br", "zip", "gzip", "zstd", "tgz", "lzma", "lz", "7z", "rar", "snappy",
];

impl Packing {
    /// The ending of a name that says that the file is packed, in whatever way; without its dot.
    pub fn promised(name: &str) -> Option<&'static str> {
        let (_, ending) = name.rsplit_once('.')?;
        ENDINGS.into_iter().find(|known| known.eq_ignore_ascii_case(ending))
    }

    /// The name without the ending that tells how the file is packed, and how that is. Only lower case is known.
    pub fn of(name: &str) -> (&str, Self) {
        if let Some(stem) = name.strip_suffix(".gz") {
            (stem, Self::Gzip)
        } else if let Some(stem) = name.strip_suffix(".zst") {
            (stem, Self::Zstandard)
        } else {
            (name, Self::Plain)
        }
    }
}

/// Packs what is written.
pub enum Packer<W: Write> {
    /// Not at all.
    Plain(W),
    /// With gzip; no clock is in it.
    Gzip(Box<GzEncoder<W>>),
    /// With Zstandard.
    Zstandard(Box<Encoder<'static, W>>),
}

impl<W: Write> Packer<W> {
    /// Packs into a writer.
    pub fn new(out: W, packing: Packing) -> io::Result<Self> {
        Ok(match packing {
            Packing::Plain => Self::Plain(out),
            Packing::Gzip => Self::Gzip(Box::new(GzEncoder::new(out, flate2::Compression::default()))),
            Packing::Zstandard => {
                let mut encoder = Encoder::new(out, 0)?;
                encoder.include_checksum(true)?;
                Self::Zstandard(Box::new(encoder))
            }
        })
    }

    /// Writes what is still to be written; gives the writer back.
    pub fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(out) => Ok(out),
            Self::Gzip(out) => out.finish(),
            Self::Zstandard(out) => out.finish(),
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Gzip(out) => out.write(bytes),
            Self::Zstandard(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Gzip(out) => out.flush(),
            Self::Zstandard(out) => out.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_promise_packing() {
        for (name, promised) in
            [("m.pb.gz", Some("gz")), ("r.html.ZST", Some("zst")), ("e.onnx.bz2", Some("bz2"))]
        {
            assert_eq!(Packing::promised(name), promised);
        }
        for name in ["m.pb", "gz", "m.gz.pb", "", "m."] {
            assert_eq!(Packing::promised(name), None, "{name}");
        }
    }
}
