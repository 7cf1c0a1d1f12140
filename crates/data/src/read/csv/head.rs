//! The first bytes of a delimited text: in which encoding it is, and what stands between its fields.

use std::io::{self, Read};

use crate::error::Result;
use crate::read::Request;
use crate::read::csv::encoding::{self, Transcoded};
use crate::read::csv::fields::{Fields, Syntax};
use crate::read::message::in_file;
use crate::schema::dialect::Dialect;

/// Records that are looked at to find the delimiter, and the most of their bytes.
const RECORDS: usize = 100;
const BYTES: usize = 1 << 18;

/// What may stand between fields.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// A text of which the first bytes are read.
pub(crate) struct Head<'r> {
    /// UTF-8, or what is no text.
    pub bytes: Vec<u8>,
    /// What follows.
    pub rest: Box<dyn Read + Send + 'r>,
    /// Delimiter and quote.
    pub syntax: Syntax,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl<'r> Head<'r> {
    /// Reads the first bytes; `usual` is the delimiter that the name of the file promises.
    pub(crate) fn new(
        reader: impl Read + Send + 'r,
        usual: u8,
        dialect: &Dialect,
        request: Request<'_>,
    ) -> Result<Self> {
        let size = request.limits.sample_bytes;
        let (mut bytes, mut rest) = first(reader, size);
        let mut notes = Vec::new();
        let mut note = |what: String| notes.push(in_file(request.source, &what));
        if let Some(encoding) = encoding::of(dialect, &bytes)? {
            if dialect.encoding.is_none() {
                note(format!("read as {} text", encoding.name()));
            }
            let text = Transcoded::new(io::Cursor::new(bytes).chain(rest), encoding);
            (bytes, rest) = first(text, size);
        }
        let quote = dialect.quote.unwrap_or(b'"');
        let found = || delimiter(&bytes, usual, quote, bytes.len() < size);
        let delimiter = dialect.delimiter.unwrap_or_else(found);
        if dialect.delimiter.is_none() && delimiter != usual {
            note(format!("fields are parted by {}", named(delimiter)));
        }
        Ok(Self { bytes, rest, syntax: Syntax { delimiter, quote }, notes })
    }
}

/// A delimiter in words.
fn named(delimiter: u8) -> String {
    if delimiter == b'\t' { "tabs".to_owned() } else { format!("'{}'", char::from(delimiter)) }
}

/// The first bytes of a reader, and the rest of it; a fault comes where it came.
fn first<'r>(mut reader: impl Read + Send + 'r, size: usize) -> (Vec<u8>, Box<dyn Read + Send + 'r>) {
    let mut bytes = Vec::new();
    match reader.by_ref().take(size as u64).read_to_end(&mut bytes) {
        Ok(_) => (bytes, Box::new(reader)),
        Err(error) => (bytes, Box::new(Failing(Some(error)))),
    }
}

/// What a reader has left that has failed.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The delimiter under which all of the first records have as many fields as the first one, two at least: the usual one if it does,
/// else the one that gives most fields; the usual one if none does.
fn delimiter(bytes: &[u8], usual: u8, quote: u8, whole: bool) -> u8 {
    let fields = |delimiter: u8| width(bytes, Syntax { delimiter, quote }, whole);
    if fields(usual).is_some() {
        return usual;
    }
    let others = DELIMITERS.into_iter().filter(|other| *other != usual && *other != quote);
    let most = others.filter_map(|other| fields(other).map(|fields| (fields, other)));
    // Of equals the first one.
    most.rev().max_by_key(|(fields, _)| *fields).map_or(usual, |(_, other)| other)
}

/// The number of fields of every record, if it is one number from 2 on and there are rows.
fn width(bytes: &[u8], syntax: Syntax, whole: bool) -> Option<usize> {
    let looked = bytes.get(..BYTES.min(bytes.len())).unwrap_or_default();
    let whole = whole && looked.len() == bytes.len();
    let mut all = Fields::new(looked.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(looked), syntax);
    let (mut width, mut records) = (0, 0);
    while records < RECORDS && all.record() {
        let mut fields = 1;
        loop {
            match all.next() {
                Ok(field) if field.last => break,
                Ok(_) => fields += 1,
                // A quoted field may go on behind what was looked at.
                Err(_) if !whole && records > 1 => return Some(width),
                Err(_) => return None,
            }
        }
        if !whole && all.ended() {
            break;
        }
        if records == 0 {
            width = fields;
        }
        if fields < 2 || fields != width {
            return None;
        }
        records += 1;
    }
    (records > 1).then_some(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_are_told_by_their_records() {
        let of = |text: &str, usual: u8| delimiter(text.as_bytes(), usual, b'"', true);
        for (text, usual, wanted) in [
            ("a,b\n1,2\n", b',', b','),
            ("a;b;c\n1,5;2,5;x\n", b',', b';'),
            ("a\tb\n1\t2\n", b',', b'\t'),
            ("a|b|c\n\"1|2\"|3|x\n", b',', b'|'),
            ("a,b\n1,2\n", b'\t', b','),
            // The usual one wins where it can, and where nothing is sure.
            ("a,b;c\n1,2;3\n", b',', b','),
            ("a,b,c\n1,2\n3,4,5\n", b',', b','),
            ("a;b\n1\n", b',', b','),
            ("a;b", b',', b','),
            ("a\n1\n", b',', b','),
            ("\"a;b\",c\n\"1;\n2\",3\n", b',', b','),
        ] {
            assert_eq!(char::from(of(text, usual)), char::from(wanted), "{text:?}");
        }
        // Records that are cut do not count.
        assert_eq!(delimiter(b"a;b\n1;2\n3", b',', b'"', false), b';');
        assert_eq!(delimiter(b"a;b\n1;2\n3;\"x", b',', b'"', false), b';');
    }
}
