//! The fields of delimited records, one after another (RFC 4180).
//!
//! A field that starts with a quote ends at the closing one, and `""` inside stands for one quote; a quote
//! elsewhere is an ordinary character. Records end at LF, CRLF or a lone CR.

use std::borrow::Cow;

use memchr::{memchr, memchr3};

/// One field.
pub(crate) struct Field<'a> {
    /// Where it starts in the block (at its opening quote if it has one).
    pub start: usize,
    /// Its text, without the outer quotes; inner quotes are still doubled.
    raw: &'a [u8],
    doubled: bool,
    /// Whether it is the last of its record.
    pub last: bool,
}

impl<'a> Field<'a> {
    /// Its text.
    pub(crate) fn text(&self) -> Cow<'a, [u8]> {
        if !self.doubled {
            return Cow::Borrowed(self.raw);
        }
        let mut out = Vec::with_capacity(self.raw.len());
        let mut rest = self.raw;
        while let Some(quote) = memchr(b'"', rest) {
            let (head, tail) = rest.split_at(quote + 1);
            out.extend_from_slice(head);
            rest = tail.get(1..).unwrap_or_default();
        }
        out.extend_from_slice(rest);
        Cow::Owned(out)
    }
}

/// A quoted field that does not end at a delimiter or a newline; where it starts.
#[derive(Debug)]
pub(crate) struct BadQuote(pub usize);

/// Walks the fields of a block.
pub(crate) struct Fields<'a> {
    bytes: &'a [u8],
    /// Where the next field starts.
    pub at: usize,
    delimiter: u8,
}

impl<'a> Fields<'a> {
    /// Starts at the first record of a block.
    pub(crate) fn new(bytes: &'a [u8], delimiter: u8) -> Self {
        Self { bytes, at: 0, delimiter }
    }

    /// Skips blank lines; whether another record follows.
    #[inline]
    pub(crate) fn record(&mut self) -> bool {
        while let Some(b'\n' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
        self.at < self.bytes.len()
    }

    /// The next field. After the last of a record comes the first of the next.
    pub(crate) fn next(&mut self) -> Result<Field<'a>, BadQuote> {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        if rest.first() == Some(&b'"') {
            return self.quoted(start);
        }
        let end = memchr3(self.delimiter, b'\n', b'\r', rest).unwrap_or(rest.len());
        let last = self.pass(start + end);
        Ok(Field { start, raw: rest.get(..end).unwrap_or_default(), doubled: false, last })
    }

    fn quoted(&mut self, start: usize) -> Result<Field<'a>, BadQuote> {
        let mut doubled = false;
        let mut at = start + 1;
        let end = loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let quote = at + memchr(b'"', rest).ok_or(BadQuote(start))?;
            if self.bytes.get(quote + 1) != Some(&b'"') {
                break quote;
            }
            doubled = true;
            at = quote + 2;
        };
        match self.bytes.get(end + 1) {
            None | Some(b'\n' | b'\r') => {}
            Some(c) if *c == self.delimiter => {}
            Some(_) => return Err(BadQuote(start)),
        }
        let last = self.pass(end + 1);
        Ok(Field { start, raw: self.bytes.get(start + 1..end).unwrap_or_default(), doubled, last })
    }

    /// A short integer that fills its field, the common case; nothing is consumed otherwise.
    #[inline]
    pub(crate) fn integer(&mut self) -> Option<(i64, bool)> {
        let mut at = self.at;
        let negative = self.bytes.get(at) == Some(&b'-');
        at += usize::from(negative);
        let first = at;
        let mut value = 0_i64;
        let end = loop {
            let c = self.bytes.get(at).copied().unwrap_or(b'\n');
            let digit = c.wrapping_sub(b'0');
            if digit > 9 {
                break c;
            }
            // 18 digits always fit; longer ones take the other road.
            value = value.wrapping_mul(10).wrapping_add(i64::from(digit));
            at += 1;
        };
        let digits = at - first;
        if digits == 0 || digits > 18 || (end != self.delimiter && end != b'\n' && end != b'\r') {
            return None;
        }
        let last = self.pass(at);
        Some((if negative { -value } else { value }, last))
    }

    /// Steps over what ends a field; whether that ends the record too.
    #[inline]
    fn pass(&mut self, end: usize) -> bool {
        match self.bytes.get(end) {
            Some(c) if *c == self.delimiter => {
                self.at = end + 1;
                false
            }
            Some(b'\r') if self.bytes.get(end + 1) == Some(&b'\n') => {
                self.at = end + 2;
                true
            }
            _ => {
                self.at = end + 1;
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Vec<Vec<String>> {
        let mut fields = Fields::new(text.as_bytes(), b',');
        let mut out = Vec::new();
        while fields.record() {
            let mut record = Vec::new();
            loop {
                let field = fields.next().unwrap();
                record.push(String::from_utf8(field.text().into_owned()).unwrap());
                if field.last {
                    break;
                }
            }
            out.push(record);
        }
        out
    }

    #[test]
    fn quotes_and_line_ends() {
        assert_eq!(
            records("a,b\r\n\"x,\"\"y\"\"\n\",\n\r\r\nlast,5\" tube"),
            [["a", "b"], ["x,\"y\"\n", ""], ["last", "5\" tube"]]
        );
        assert_eq!(records("a,\n,b"), [["a", ""], ["", "b"]]);
        assert!(Fields::new(b"\"a\"b,c", b',').next().is_err());
    }

    #[test]
    fn integers() {
        let integer = |text: &str| Fields::new(text.as_bytes(), b',').integer();
        assert_eq!(integer("12,3"), Some((12, false)));
        assert_eq!(integer("-7\n"), Some((-7, true)));
        assert_eq!(integer("0"), Some((0, true)));
        for text in ["", "-", "1.5", "1234567890123456789", "1 ,2", "\"1\",2"] {
            assert_eq!(integer(text), None, "{text}");
        }
    }
}
