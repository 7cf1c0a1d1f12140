//! The fields of delimited records, one after another (RFC 4180).
//!
//! A field that starts with a quote ends at the closing one, and `""` inside stands for one quote; a quote
//! elsewhere is an ordinary character. Records end at LF, CRLF or a lone CR.

use std::borrow::Cow;

use memchr::{memchr, memchr3};

/// Powers of ten, all exact.
pub(crate) const TENS: [f64; 19] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18];

/// What is between and around fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Syntax {
    /// Between fields.
    pub delimiter: u8,
    /// Around fields that hold delimiters; NUL, which no text has, for nothing.
    pub quote: u8,
}

impl Syntax {
    /// Quotes around fields, and this between them.
    #[cfg(test)]
    pub(crate) fn usual(delimiter: u8) -> Self {
        Self { delimiter, quote: b'"' }
    }
}

/// One field.
pub(crate) struct Field<'a> {
    /// Where it starts in the block (at its opening quote if it has one).
    pub start: usize,
    /// Its text, without the outer quotes; inner quotes are still doubled.
    raw: &'a [u8],
    /// The quote that is doubled in it.
    doubled: Option<u8>,
    /// Whether it is the last of its record.
    pub last: bool,
}

impl<'a> Field<'a> {
    /// Its text.
    pub(crate) fn text(&self) -> Cow<'a, [u8]> {
        let Some(quote) = self.doubled else { return Cow::Borrowed(self.raw) };
        let mut out = Vec::with_capacity(self.raw.len());
        let mut rest = self.raw;
        while let Some(at) = memchr(quote, rest) {
            let (head, tail) = rest.split_at(at + 1);
            out.extend_from_slice(head);
            rest = tail.get(1..).unwrap_or_default();
        }
        out.extend_from_slice(rest);
        Cow::Owned(out)
    }
}

/// A number that was read without looking for the end of its field first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Quick {
    /// An integer of 18 digits at most.
    Integer(i64),
    /// A finite number.
    Decimal(f64),
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
    quote: u8,
}

impl<'a> Fields<'a> {
    /// Starts at the first record of a block.
    pub(crate) fn new(bytes: &'a [u8], syntax: Syntax) -> Self {
        let Syntax { delimiter, quote } = syntax;
        Self { bytes, at: 0, delimiter, quote }
    }

    /// Whether nothing follows.
    pub(crate) fn ended(&self) -> bool {
        self.at >= self.bytes.len()
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
        if rest.first() == Some(&self.quote) {
            return self.quoted(start);
        }
        let end = memchr3(self.delimiter, b'\n', b'\r', rest).unwrap_or(rest.len());
        let last = self.pass(start + end);
        Ok(Field { start, raw: rest.get(..end).unwrap_or_default(), doubled: None, last })
    }

    fn quoted(&mut self, start: usize) -> Result<Field<'a>, BadQuote> {
        let mut doubled = None;
        let mut at = start + 1;
        let end = loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let quote = at + memchr(self.quote, rest).ok_or(BadQuote(start))?;
            if self.bytes.get(quote + 1) != Some(&self.quote) {
                break quote;
            }
            doubled = Some(self.quote);
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

    /// A plain number that fills its field, the common case; nothing is consumed otherwise.
    #[inline]
    pub(crate) fn number(&mut self) -> Option<(Quick, bool)> {
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
        if digits > 0 && digits <= 18 && self.ends(end) {
            let last = self.pass(at);
            return Some((Quick::Integer(if negative { -value } else { value }), last));
        }
        if digits == 0 || digits > 18 || end != b'.' {
            return None;
        }
        let (value, end) = self.fraction(value, digits, at + 1).or_else(|| self.decimal(first))?;
        let last = self.pass(end);
        Some((Quick::Decimal(if negative { -value } else { value }), last))
    }

    /// The rest of a number behind its point, and where it ends.
    ///
    /// Up to 2^53 the digits are an exact double, as are the powers of ten here, so that one division rounds once.
    #[inline]
    fn fraction(&self, mut value: i64, mut digits: usize, point: usize) -> Option<(f64, usize)> {
        let mut at = point;
        let end = loop {
            let c = self.bytes.get(at).copied().unwrap_or(b'\n');
            let digit = c.wrapping_sub(b'0');
            if digit > 9 || digits > 18 {
                break c;
            }
            value = value.wrapping_mul(10).wrapping_add(i64::from(digit));
            digits += 1;
            at += 1;
        };
        let exact = digits <= 18 && value <= 1 << 53 && self.ends(end);
        exact.then(|| TENS.get(at - point).map(|ten| (value as f64 / ten, at))).flatten()
    }

    /// A finite number that starts at `first`, and where it ends.
    fn decimal(&self, first: usize) -> Option<(f64, usize)> {
        let (value, length) = fast_float2::parse_partial::<f64, _>(self.bytes.get(first..)?).ok()?;
        let end = first + length;
        let ends = self.ends(self.bytes.get(end).copied().unwrap_or(b'\n'));
        (value.is_finite() && ends).then_some((value, end))
    }

    /// Whether a byte ends a field.
    #[inline]
    fn ends(&self, byte: u8) -> bool {
        byte == self.delimiter || byte == b'\n' || byte == b'\r'
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
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The quick road gives the same bits as the standard library.
        #[test]
        fn quick_is_exact(text in "-?[0-9]{1,19}(\\.[0-9]{0,20})?(e-?[0-9]{1,2})?") {
            if let Some((quick, true)) = Fields::new(text.as_bytes(), Syntax::usual(b',')).number() {
                let value = match quick {
                    Quick::Integer(value) => value as f64,
                    Quick::Decimal(value) => value,
                };
                prop_assert_eq!(value, text.parse::<f64>().unwrap());
            }
        }
    }

    fn records(text: &str) -> Vec<Vec<String>> {
        let mut fields = Fields::new(text.as_bytes(), Syntax::usual(b','));
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
        assert!(Fields::new(b"\"a\"b,c", Syntax::usual(b',')).next().is_err());
    }

    #[test]
    fn quick_numbers() {
        let number = |text: &str| Fields::new(text.as_bytes(), Syntax::usual(b',')).number();
        assert_eq!(number("12,3"), Some((Quick::Integer(12), false)));
        assert_eq!(number("-7\n"), Some((Quick::Integer(-7), true)));
        assert_eq!(number("0"), Some((Quick::Integer(0), true)));
        assert_eq!(number("-1.5,"), Some((Quick::Decimal(-1.5), false)));
        assert_eq!(number("1.5e3\r\n"), Some((Quick::Decimal(1500.0), true)));
        for text in ["", "-", "1.5x", "1.0e400", "1234567890123456789", "1 ,2", "\"1\",2", "--1", "1..5"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
