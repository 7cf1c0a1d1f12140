//! The outside of a model file: named sections of bytes, each with its length and checksum.
//!
//! ```text
//! magic                 8 bytes
//! format                u32, little-endian like all numbers here
//! library               u8 length, then text: the version that trained the model
//! sections              u8 count, then for each: name (8 bytes, zeros at the end), length u64, crc32 u32
//! crc32                 u32 of everything so far
//! the sections' bytes   one after the other, nothing between, nothing after
//! ```
//!
//! So no bit is unchecked, no length is believed before its checksum was, and nothing is allocated that is not there.

use manyboost_data::{Error, ErrorKind, Result};

/// How every model file begins. Like PNG's, it does not survive a transfer as text.
pub const MAGIC: [u8; 8] = *b"\x89MBM\r\n\x1a\n";

/// The format that this library writes.
pub const FORMAT: u32 = 1;

/// Most sections of a file.
const MOST_SECTIONS: usize = 16;

/// Bytes of a section's name.
const NAME: usize = 8;

/// A file taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts<'a> {
    /// The version of the library that trained the model.
    pub library: &'a str,
    /// The sections by name.
    pub sections: Vec<(&'a str, &'a [u8])>,
}

/// Puts a file together. Names have at most 8 letters.
pub fn pack(library: &str, sections: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let size: usize = sections.iter().map(|(_, bytes)| bytes.len() + NAME + 12).sum();
    let mut file = Vec::with_capacity(size + 64);
    file.extend(MAGIC);
    file.extend(FORMAT.to_le_bytes());
    file.push(library.len() as u8);
    file.extend(library.as_bytes());
    file.push(sections.len() as u8);
    for (name, bytes) in sections {
        let mut padded = [0; NAME];
        padded.iter_mut().zip(name.bytes()).for_each(|(to, from)| *to = from);
        file.extend(padded);
        file.extend((bytes.len() as u64).to_le_bytes());
        file.extend(crc32fast::hash(bytes).to_le_bytes());
    }
    let checksum = crc32fast::hash(&file);
    file.extend(checksum.to_le_bytes());
    for (_, bytes) in sections {
        file.extend(bytes);
    }
    file
}

/// Takes a file apart, if all of it is as it was written.
pub fn unpack(file: &[u8]) -> Result<Parts<'_>> {
    if !file.starts_with(&MAGIC) {
        return Err(if !file.is_empty() && MAGIC.starts_with(file) {
            truncated()
        } else {
            not_a_model(file)
        });
    }
    let mut rest = Rest { file, at: MAGIC.len() };
    let format = u32::from_le_bytes(rest.array()?);
    let length = usize::from(rest.byte()?);
    let library = rest.take(length)?;
    if format != FORMAT {
        return Err(other_format(format, &String::from_utf8_lossy(library)));
    }
    let table = Table::read(&mut rest)?;
    let before = rest.at;
    let checksum = u32::from_le_bytes(rest.array()?);
    if crc32fast::hash(&file[..before]) != checksum {
        return Err(altered("its table of contents"));
    }
    let library = std::str::from_utf8(library).map_err(|_| altered("its version"))?;
    let sections = table.sections(&mut rest)?;
    let more = file.len() - rest.at;
    if more > 0 {
        let what = format!("the model file goes on after its end, by {more} byte(s)");
        return Err(Error::new(ErrorKind::Model, what, REMEDY));
    }
    Ok(Parts { library, sections })
}

/// The table of contents: name, length, checksum.
struct Table<'a>(Vec<(&'a [u8], u64, u32)>);

impl<'a> Table<'a> {
    fn read(rest: &mut Rest<'a>) -> Result<Self> {
        let count = usize::from(rest.byte()?);
        if count > MOST_SECTIONS {
            return Err(altered("its table of contents"));
        }
        let mut entry = || {
            let name = rest.take(NAME)?;
            Ok((name, u64::from_le_bytes(rest.array()?), u32::from_le_bytes(rest.array()?)))
        };
        Ok(Self((0..count).map(|_| entry()).collect::<Result<_>>()?))
    }

    fn sections(self, rest: &mut Rest<'a>) -> Result<Vec<(&'a str, &'a [u8])>> {
        let section = |(padded, length, checksum): (&'a [u8], u64, u32)| {
            let end = padded.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
            let name = std::str::from_utf8(&padded[..end]).map_err(|_| altered("a section's name"))?;
            let bytes = rest.take(usize::try_from(length).map_err(|_| truncated())?)?;
            if crc32fast::hash(bytes) == checksum { Ok((name, bytes)) } else { Err(altered(name)) }
        };
        self.0.into_iter().map(section).collect()
    }
}

/// What is still to be read.
struct Rest<'a> {
    file: &'a [u8],
    at: usize,
}

impl<'a> Rest<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(length).ok_or_else(truncated)?;
        let bytes = self.file.get(self.at..end).ok_or_else(truncated)?;
        self.at = end;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| truncated())
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }
}

const REMEDY: &str = "copy the file again from where it was written, or train the model again";

fn not_a_model(file: &[u8]) -> Error {
    let what = if file.is_empty() { "not a model: the file is empty" } else { "not a model" };
    Error::new(ErrorKind::Model, what, "give a file that manyboost has written")
}

fn truncated() -> Error {
    Error::new(ErrorKind::Model, "the model file is truncated", REMEDY)
}

fn altered(part: &str) -> Error {
    let what = format!("the model file is damaged: the checksum of {part:?} is wrong");
    Error::new(ErrorKind::Model, what, REMEDY)
}

fn other_format(format: u32, library: &str) -> Error {
    let ours = env!("CARGO_PKG_VERSION");
    let what = format!(
        "the model is of manyboost {library:?}, in format {format}; this is manyboost {ours}, which reads format {FORMAT}"
    );
    Error::new(ErrorKind::Model, what, "use the manyboost that wrote it, or a newer one")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> Vec<u8> {
        pack("1.2.3", &[("one", vec![1, 2, 3]), ("none", vec![]), ("eightlet", vec![9; 100])])
    }

    #[test]
    fn what_goes_in_comes_out() {
        let file = file();
        let parts = unpack(&file).unwrap();
        assert_eq!(parts.library, "1.2.3");
        assert_eq!(parts.sections, [("one", &[1, 2, 3][..]), ("none", &[]), ("eightlet", &[9; 100])]);
    }

    #[test]
    fn every_flip_and_every_cut_is_an_error() {
        let mut file = file();
        for bit in 0..8 * file.len() {
            file[bit / 8] ^= 1 << (bit % 8);
            assert!(unpack(&file).is_err(), "bit {bit}");
            file[bit / 8] ^= 1 << (bit % 8);
        }
        for length in 0..file.len() {
            let error = unpack(&file[..length]).unwrap_err();
            let word = if length == 0 { "not a model" } else { "truncated" };
            assert!(error.what().contains(word), "{length}: {error}");
        }
        file.push(0);
        assert!(unpack(&file).unwrap_err().what().contains("after its end"));
    }

    #[test]
    fn other_formats_are_named() {
        let mut file = file();
        file[8] = 7;
        let error = unpack(&file).unwrap_err();
        for words in ["format 7", "format 1", "1.2.3", env!("CARGO_PKG_VERSION")] {
            assert!(error.what().contains(words), "{error}");
        }
        assert!(unpack(b"a,b,c\n1,2,3\n").unwrap_err().what().contains("not a model"));
    }
}
