//! A text as lines of bounded length, numbered as editors number them.

use std::io::Read;

use memchr::memchr2;

use crate::error::{Error, ErrorKind, Result};
use crate::read::Limits;
use crate::read::chunk::bad_byte;
use crate::read::message::at_line;
use crate::read::source::io_error;
use crate::read::text::{bad_byte_error, refuse_utf16};
use crate::wording::grouped;

const STEP: usize = 1 << 18;

/// Walks the lines of a text; LF, CRLF and a lone CR end one.
pub(crate) struct Lines<'s, R> {
    reader: R,
    source: &'s str,
    buffer: Vec<u8>,
    at: usize,
    ended: bool,
    started: bool,
    offset: u64,
    limit: usize,
    number: u64,
}

impl<'s, R: Read> Lines<'s, R> {
    /// Starts at the first line.
    pub(crate) fn new(reader: R, source: &'s str, limits: &Limits) -> Self {
        Self {
            reader,
            source,
            buffer: Vec::new(),
            at: 0,
            ended: false,
            started: false,
            offset: 0,
            limit: limits.record_bytes,
            number: 0,
        }
    }

    /// The number of the next line, from 1, and its text without its end; UTF-8 without NUL.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, &str)>> {
        if !self.started {
            self.start()?;
        }
        let mut scanned = 0;
        let (end, next) = loop {
            let rest = self.buffer.get(self.at..).unwrap_or_default();
            let found = memchr2(b'\n', b'\r', rest.get(scanned..).unwrap_or_default()).map(|i| i + scanned);
            match (found, found.and_then(|i| rest.get(i)), found.and_then(|i| rest.get(i + 1))) {
                (Some(i), Some(b'\r'), Some(b'\n')) => break (i, i + 2),
                (Some(i), Some(b'\r'), None) if !self.ended => scanned = i,
                (Some(i), ..) => break (i, i + 1),
                (None, ..) if self.ended && rest.is_empty() => return Ok(None),
                (None, ..) if self.ended => break (rest.len(), rest.len()),
                (None, ..) => scanned = rest.len(),
            }
            self.more()?;
        };
        self.number += 1;
        let start = self.at;
        self.at += next;
        self.line(start, start + end).map(|line| Some((self.number, line)))
    }

    fn line(&self, start: usize, end: usize) -> Result<&str> {
        let line = self.buffer.get(start..end).unwrap_or_default();
        if let Some(at) = bad_byte(line) {
            let byte = line.get(at).copied().unwrap_or_default();
            let offset = self.offset + (start + at) as u64;
            return Err(bad_byte_error(self.source, self.number, &format!("byte {}", at + 1), byte, offset));
        }
        Ok(std::str::from_utf8(line).unwrap_or_default())
    }

    fn start(&mut self) -> Result<()> {
        self.started = true;
        self.more()?;
        if self.buffer.starts_with(b"\xEF\xBB\xBF") {
            self.at = 3;
        }
        refuse_utf16(self.source, &self.buffer)
    }

    /// Drops what was read and gets more.
    fn more(&mut self) -> Result<()> {
        self.buffer.drain(..self.at);
        self.offset += self.at as u64;
        self.at = 0;
        if self.buffer.len() > self.limit {
            let what = format!("a line longer than {} bytes", grouped(self.limit));
            let what = at_line(self.source, self.number + 1, &what);
            return Err(Error::new(
                ErrorKind::Limit,
                what,
                "check that it is a text table with one row a line",
            ));
        }
        let step = STEP.max(self.buffer.len()) as u64;
        let got = self.reader.by_ref().take(step).read_to_end(&mut self.buffer);
        self.ended = (got.map_err(|e| io_error(self.source, &e))? as u64) < step;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_line_ends() {
        let mut lines = Lines::new(&b"\xEF\xBB\xBFa\r\nb\rc\n\nlast"[..], "x", &Limits::default());
        let mut all = Vec::new();
        while let Some((number, line)) = lines.next().unwrap() {
            all.push(line.to_owned());
            assert_eq!(number, all.len() as u64);
        }
        assert_eq!(all, ["a", "b", "c", "", "last"]);
    }

    #[test]
    fn crlf_across_the_buffer() {
        let text = format!("{}\r\nb", "x".repeat(STEP - 1));
        let mut lines = Lines::new(text.as_bytes(), "x", &Limits::default());
        assert_eq!(lines.next().unwrap().map(|(_, line)| line.len()), Some(STEP - 1));
        assert_eq!(lines.next().unwrap(), Some((2, "b")));
    }

    #[test]
    fn long_lines_and_bad_bytes() {
        let limits = Limits { record_bytes: 10, ..Limits::default() };
        let long = vec![b'x'; 2 * STEP];
        assert_eq!(Lines::new(&long[..], "x", &limits).next().unwrap_err().kind(), ErrorKind::Limit);
        let error = Lines::new(&b"ab\xFF"[..], "x", &limits).next().unwrap_err();
        assert!(error.what().contains("line 1") && error.what().contains("offset 2"), "{error}");
    }
}
