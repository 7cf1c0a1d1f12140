//! A stream cut into blocks of whole records.
//!
//! Blocks can be parsed in any order and on any thread because no record crosses two of them. A block without
//! quotes is cut at its last newline, which costs next to nothing; only blocks with quotes are scanned field by
//! field, since a newline between quotes ends no record.

use std::io::{self, Read};

use memchr::{memchr, memchr3, memrchr};

use crate::read::Limits;
use crate::read::csv::fields::Syntax;

/// Whole records, and where they start in the (unpacked) file.
pub(crate) struct Block {
    /// The records.
    pub bytes: Vec<u8>,
    /// The place of the first byte in the file.
    pub offset: u64,
}

/// Why there is no next block. Lines count from 0 at the end of the last good block.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The system failed.
    Io(io::Error),
    /// A quote is not closed, at all or within a number of bytes; the line that opens it.
    Unclosed { line: u64, within: Option<usize> },
    /// A field or a record is too long; the line where it starts.
    TooLong { line: u64, what: &'static str, limit: usize },
}

/// Cuts a stream.
pub(crate) struct Blocks<R> {
    reader: R,
    syntax: Syntax,
    carry: Vec<u8>,
    offset: u64,
    ended: bool,
    failed: Option<io::Error>,
    field_limit: usize,
    record_limit: usize,
}

impl<R: Read> Blocks<R> {
    /// Cuts a stream of delimited records, whose first bytes are read.
    pub(crate) fn new(head: Vec<u8>, reader: R, syntax: Syntax, limits: &Limits) -> Self {
        Self {
            reader,
            syntax,
            carry: head,
            offset: 0,
            ended: false,
            failed: None,
            field_limit: limits.field_bytes,
            record_limit: limits.record_bytes,
        }
    }

    /// The next block: about `size` bytes, more where one record is longer, `None` at the end.
    pub(crate) fn next(&mut self, size: usize) -> Result<Option<Block>, Stop> {
        let mut bytes = std::mem::take(&mut self.carry);
        let mut scanner = Scanner::new(self.syntax);
        let mut size = size.max(1);
        loop {
            if self.failed.is_none() {
                self.failed = self.fill(&mut bytes, size).err();
            }
            scanner.run(&bytes, self.ended);
            if self.ended && !scanner.inside {
                return Ok(if bytes.is_empty() { None } else { Some(self.block(bytes)) });
            }
            // Whole records go first, so that faults are found in the order of the file.
            if scanner.cut > 0 {
                self.carry = Vec::with_capacity(size + 1);
                self.carry.extend_from_slice(bytes.get(scanner.cut..).unwrap_or_default());
                bytes.truncate(scanner.cut);
                return Ok(Some(self.block(bytes)));
            }
            if let Some(error) = self.failed.take() {
                return Err(Stop::Io(error));
            }
            self.check(&bytes, &scanner)?;
            size = bytes.len().saturating_mul(2).max(64);
        }
    }

    fn block(&mut self, bytes: Vec<u8>) -> Block {
        let offset = self.offset;
        self.offset += bytes.len() as u64;
        Block { bytes, offset }
    }

    /// Refuses a record that outgrows the limits before it ends, or whose quote stays open.
    fn check(&self, bytes: &[u8], scanner: &Scanner) -> Result<(), Stop> {
        let line = count_lines(bytes.get(..scanner.field).unwrap_or_default());
        let long = bytes.len() - scanner.field.min(bytes.len()) > self.field_limit;
        if scanner.inside && (long || self.ended) {
            return Err(Stop::Unclosed { line, within: long.then_some(self.field_limit) });
        }
        if long {
            return Err(Stop::TooLong { line, what: "field", limit: self.field_limit });
        }
        if bytes.len() > self.record_limit {
            return Err(Stop::TooLong { line: 0, what: "record", limit: self.record_limit });
        }
        Ok(())
    }

    fn fill(&mut self, bytes: &mut Vec<u8>, size: usize) -> io::Result<()> {
        let wanted = size.saturating_sub(bytes.len());
        if !self.ended && wanted > 0 {
            bytes.reserve(wanted);
            let got = self.reader.by_ref().take(wanted as u64).read_to_end(bytes)?;
            self.ended = got < wanted;
        }
        Ok(())
    }
}

/// Finds the end of the last whole record; can go on when more bytes have come.
struct Scanner {
    delimiter: u8,
    quote: u8,
    /// Everything before is scanned.
    at: usize,
    /// Start of the field at hand.
    field: usize,
    /// Between quotes.
    inside: bool,
    /// End of the last whole record, 0 if there is none.
    cut: usize,
}

impl Scanner {
    fn new(syntax: Syntax) -> Self {
        let Syntax { delimiter, quote } = syntax;
        Self { delimiter, quote, at: 0, field: 0, inside: false, cut: 0 }
    }

    fn run(&mut self, bytes: &[u8], ended: bool) {
        let rest = bytes.get(self.at..).unwrap_or_default();
        if !self.inside && memchr(self.quote, rest).is_none() {
            self.run_plain(rest, ended);
        } else {
            while self.step(bytes, ended) {}
        }
    }

    /// Without quotes every newline ends a record.
    fn run_plain(&mut self, rest: &[u8], ended: bool) {
        // A final CR may be half of a CRLF: leave it until the next byte is known.
        let known = if !ended && rest.last() == Some(&b'\r') { rest.len() - 1 } else { rest.len() };
        let rest = rest.get(..known).unwrap_or_default();
        let base = self.at;
        if let Some(end) = memrchr(b'\n', rest).or_else(|| memrchr(b'\r', rest)) {
            self.cut = base + end + 1;
            self.field = self.cut;
        }
        if let Some(end) = memrchr(self.delimiter, rest) {
            self.field = self.field.max(base + end + 1);
        }
        self.at = base + known;
    }

    /// One field, or as much of it as there is; false when more bytes are needed.
    fn step(&mut self, bytes: &[u8], ended: bool) -> bool {
        if !self.inside && self.at == self.field && bytes.get(self.at) == Some(&self.quote) {
            self.inside = true;
            self.at += 1;
        }
        let rest = bytes.get(self.at..).unwrap_or_default();
        if self.inside {
            return self.step_quoted(bytes, rest, ended);
        }
        let Some(end) = memchr3(self.delimiter, b'\n', b'\r', rest) else {
            self.at = bytes.len();
            return false;
        };
        let end = self.at + end;
        let next = match (bytes.get(end), bytes.get(end + 1)) {
            (Some(b'\r'), None) if !ended => {
                self.at = end;
                return false;
            }
            (Some(b'\r'), Some(b'\n')) => end + 2,
            _ => end + 1,
        };
        if bytes.get(end) != Some(&self.delimiter) {
            self.cut = next;
        }
        self.at = next;
        self.field = next;
        true
    }

    fn step_quoted(&mut self, bytes: &[u8], rest: &[u8], ended: bool) -> bool {
        let Some(quote) = memchr(self.quote, rest) else {
            self.at = bytes.len();
            return false;
        };
        let quote = self.at + quote;
        match bytes.get(quote + 1) {
            None if !ended => {
                self.at = quote;
                return false;
            }
            Some(next) if *next == self.quote => self.at = quote + 2,
            _ => {
                self.inside = false;
                self.at = quote + 1;
            }
        }
        true
    }
}

/// Line ends as editors count them: LF, CRLF and lone CR.
pub(crate) fn count_lines(bytes: &[u8]) -> u64 {
    let mut lines = memchr::memchr_iter(b'\n', bytes).count() as u64;
    for cr in memchr::memchr_iter(b'\r', bytes) {
        lines += u64::from(bytes.get(cr + 1) != Some(&b'\n'));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str, size: usize) -> Result<Vec<String>, Stop> {
        let limits = Limits { field_bytes: 64, record_bytes: 256, ..Limits::default() };
        let mut blocks = Blocks::new(Vec::new(), text.as_bytes(), Syntax::usual(b','), &limits);
        let mut out = Vec::new();
        while let Some(block) = blocks.next(size)? {
            assert_eq!(block.offset as usize, out.iter().map(String::len).sum::<usize>());
            out.push(String::from_utf8(block.bytes).unwrap());
        }
        Ok(out)
    }

    #[test]
    fn every_cut_ends_a_record() {
        let text = "a,b\n\"x\ny\",1\r\n\"q\"\"\r\n\",2\rlast \" one,3\r\"\",4";
        let ends = [4, 13, 23, 36, text.len()];
        for size in 1..60 {
            let cut = blocks(text, size).unwrap();
            assert_eq!(cut.concat(), text);
            let mut at = 0;
            for block in cut {
                at += block.len();
                assert!(ends.contains(&at), "{size}: {block:?}");
            }
        }
    }

    #[test]
    fn long_things_stop() {
        let open = format!("a\nb\n\"{}", "x\n".repeat(1000));
        for size in [1, 7, 100, 5000] {
            assert!(matches!(blocks(&open, size), Err(Stop::Unclosed { .. })));
        }
        assert!(matches!(blocks("a\n\"b", 100), Err(Stop::Unclosed { line: 0, within: None })));
        assert!(matches!(blocks(&"x".repeat(1000), 7), Err(Stop::TooLong { what: "field", .. })));
        assert!(matches!(blocks(&"x,".repeat(1000), 7), Err(Stop::TooLong { what: "record", .. })));
    }

    #[test]
    fn lines_as_editors_count_them() {
        assert_eq!(count_lines(b"a\nb\r\nc\rd"), 3);
        assert_eq!(count_lines(b"\r\r\n\n"), 3);
    }
}
