//! Text in other encodings than UTF-8, as UTF-8.
//!
//! UTF-16 is told by its mark or its zeros. What is not UTF-8 and looks like a Western text is Windows-1252, of which Latin-1 is a
//! part; anything else has to be named.

use std::fmt;
use std::io::{self, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::error::Result;
use crate::schema::dialect::Dialect;

/// Bytes that are decoded at a time.
const STEP: usize = 1 << 16;

/// The encoding of a text from what was said of it and its first bytes; none for UTF-8 and for what is no text at all.
pub(crate) fn of(dialect: &Dialect, head: &[u8]) -> Result<Option<&'static Encoding>> {
    dialect.validate()?;
    if let Some(name) = &dialect.encoding {
        let named = Encoding::for_label(name.as_bytes());
        // "UTF-16" says nothing of the order of bytes, but a mark does.
        let named = if named == Some(UTF_16LE) && !name.to_ascii_lowercase().ends_with("le") {
            utf16(head).or(named)
        } else {
            named
        };
        return Ok(named.filter(|encoding| *encoding != UTF_8));
    }
    Ok(utf16(head).or_else(|| western(head).then_some(WINDOWS_1252)))
}

/// UTF-16, with or without its mark.
fn utf16(head: &[u8]) -> Option<&'static Encoding> {
    if head.starts_with(b"\xFF\xFE") {
        return Some(UTF_16LE);
    }
    if head.starts_with(b"\xFE\xFF") {
        return Some(UTF_16BE);
    }
    let zero = |at: usize| head.get(at).map(|byte| *byte == 0);
    match [zero(0), zero(1), zero(2), zero(3)] {
        [Some(false), Some(true), Some(false), Some(true)] => Some(UTF_16LE),
        [Some(true), Some(false), Some(true), Some(false)] => Some(UTF_16BE),
        _ => None,
    }
}

/// Whether bytes that are not UTF-8 may well be Windows-1252: nothing of them is UTF-8 beside ASCII, none is a byte that Western texts
/// have no use for, and letters without accents are in the majority.
fn western(head: &[u8]) -> bool {
    let letters = head.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let mut rest = head;
    let mut high = 0;
    loop {
        let Err(error) = std::str::from_utf8(rest) else {
            return high > 0 && high <= letters && rest.is_ascii();
        };
        let (valid, bad) = rest.split_at(error.valid_up_to());
        // The head may end within a letter of UTF-8.
        let Some(length) = error.error_len().or((high > 0).then_some(bad.len())) else { return false };
        let (bad, after) = bad.split_at(length.min(bad.len()));
        let unused = |byte: &u8| matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D | 0xFF);
        if !valid.is_ascii() || bad.iter().any(unused) {
            return false;
        }
        high += bad.iter().filter(|byte| !byte.is_ascii()).count();
        rest = after;
    }
}

/// A text as UTF-8.
pub(crate) struct Transcoded<R> {
    inner: R,
    decoder: Decoder,
    /// Bytes that are still to be decoded, from `at` on.
    raw: Vec<u8>,
    at: usize,
    ended: bool,
    finished: bool,
    /// What is decoded, from `given` on.
    text: Vec<u8>,
    given: usize,
    /// Place of the next byte to decode.
    place: u64,
}

impl<R: Read> Transcoded<R> {
    /// Decodes a text; its mark is not part of it.
    pub(crate) fn new(inner: R, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_with_bom_removal();
        let (raw, text) = (Vec::new(), Vec::new());
        Self { inner, decoder, raw, at: 0, ended: false, finished: false, text, given: 0, place: 0 }
    }

    /// Decodes some more.
    fn more(&mut self) -> io::Result<()> {
        if self.at == self.raw.len() && !self.ended {
            self.raw.clear();
            self.at = 0;
            self.ended = self.inner.by_ref().take(STEP as u64).read_to_end(&mut self.raw)? == 0;
        }
        self.text.resize(2 * STEP, 0);
        self.given = 0;
        let raw = self.raw.get(self.at..).unwrap_or_default();
        let (result, read, written) =
            self.decoder.decode_to_utf8_without_replacement(raw, &mut self.text, self.ended);
        self.text.truncate(written);
        self.at += read;
        self.place += read as u64;
        match result {
            DecoderResult::InputEmpty => self.finished = self.ended,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(length, after) => {
                let back = u64::from(length) + u64::from(after);
                let fault = Malformed {
                    encoding: self.decoder.encoding().name(),
                    place: self.place.saturating_sub(back),
                };
                return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Transcoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() && !self.finished {
            self.more()?;
        }
        let rest = self.text.get(self.given..).unwrap_or_default();
        let taken = rest.len().min(buffer.len());
        buffer.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        self.given += taken;
        Ok(taken)
    }
}

/// Bytes that are no text of an encoding.
#[derive(Debug)]
pub(crate) struct Malformed {
    /// The encoding.
    pub encoding: &'static str,
    /// Where they are.
    pub place: u64,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {}: bytes that are not {}", self.place, self.encoding)
    }
}

impl std::error::Error for Malformed {}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(head: &[u8]) -> Option<&'static Encoding> {
        of(&Dialect::default(), head).unwrap()
    }

    #[test]
    fn encodings_are_told_by_their_first_bytes() {
        assert_eq!(found(b"x,class\n"), None);
        assert_eq!(found("größe,straße\n".as_bytes()), None);
        assert_eq!(found(b"a\0,\0b\0"), Some(UTF_16LE));
        assert_eq!(found(b"\0a\0,"), Some(UTF_16BE));
        assert_eq!(found(b"\xFF\xFEa\0"), Some(UTF_16LE));
        assert_eq!(found(b"gr\xF6\xDFe,stra\xDFe\n"), Some(WINDOWS_1252));
        assert_eq!(found(b"price\n12 \x80\n"), Some(WINDOWS_1252));
        // Damaged UTF-8, bytes that no text has, hardly a letter without an accent, and a head that ends within a letter.
        assert_eq!(
            found("größe".as_bytes().iter().copied().chain(*b"\xF6a").collect::<Vec<_>>().as_slice()),
            None
        );
        assert_eq!(found(b"abc\xFFdef\n"), None);
        assert_eq!(found(b"a\xE9\xF0\xEE\xE2\xEE\xED\xE0"), None);
        assert_eq!(found("abcö".as_bytes().split_last().unwrap().1), None);
    }

    #[test]
    fn long_texts_are_decoded_whole() {
        let text = "Größe;x\u{20AC}\n".repeat(50_000);
        let latin: Vec<u8> = text.chars().map(|c| if c == '€' { 0x80 } else { c as u32 as u8 }).collect();
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (bytes, encoding) in [(latin, WINDOWS_1252), (wide, UTF_16LE)] {
            let mut out = String::new();
            Transcoded::new(&bytes[..], encoding).read_to_string(&mut out).unwrap();
            assert_eq!(out, text);
        }
        let mut cut = Transcoded::new(&b"a\0b\0\0"[..], UTF_16LE);
        let error = cut.read_to_end(&mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("offset 4"), "{error}");
    }
}
