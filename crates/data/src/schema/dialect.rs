//! How a text table is written, where its name and its bytes do not say.
//!
//! A reader finds most of this by itself and says so in a note of the table; what is given here holds instead.

use crate::error::{Error, ErrorKind, Result};
use crate::schema::role::Clock;

/// Which sign stands before decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Decimal {
    /// `12.5`.
    #[default]
    Point,
    /// `12,5`.
    Comma,
}

/// What is known of a text table before it is read (CSV and TSV).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// What stands between fields; else it is found from the name of the file and its first rows.
    pub delimiter: Option<u8>,
    /// Which sign stands before decimals; else it is found from the first rows.
    pub decimal: Option<Decimal>,
    /// The first line is a row: columns are called `x1`, `x2`, …
    pub no_header: bool,
    /// The encoding, by a name of the web's list (`latin1`, `windows-1250`, `shift_jis`, …); else UTF-8, UTF-16 and Windows-1252
    /// are told apart.
    pub encoding: Option<String>,
    /// What stands around fields that hold delimiters: `"` if not given, and 0 for nothing.
    pub quote: Option<u8>,
    /// Fields that stand for missing values, beside the usual ones.
    pub missing: Vec<String>,
    /// What comes first in dates such as 03/04/2021: [`Clock::DayFirst`] or [`Clock::MonthFirst`]; else it is found from other dates
    /// of the column.
    pub dates: Option<Clock>,
}

/// Of a text of which nobody said anything.
pub(crate) static USUAL: Dialect = Dialect::USUAL;

/// Names of delimiters that a shell has its own ideas of.
const NAMED: [(&str, u8); 8] = [
    ("tab", b'\t'),
    ("\\t", b'\t'),
    ("space", b' '),
    ("comma", b','),
    ("semicolon", b';'),
    ("pipe", b'|'),
    ("colon", b':'),
    ("bar", b'|'),
];

impl Dialect {
    /// Nothing is known beforehand.
    pub const USUAL: Self = Self {
        delimiter: None,
        decimal: None,
        no_header: false,
        encoding: None,
        quote: None,
        missing: Vec::new(),
        dates: None,
    };

    /// The delimiter of a word: one sign, or `tab`, `space`, `comma`, `semicolon`, `colon`, `pipe`.
    pub fn delimiter_of(word: &str) -> Result<u8> {
        let named = NAMED.iter().find(|(name, _)| *name == word).map(|(_, byte)| *byte);
        match (named, word.as_bytes()) {
            (Some(byte), _) => Ok(byte),
            (None, [byte]) if *byte == b'\t' || byte.is_ascii_punctuation() || *byte == b' ' => Ok(*byte),
            _ => Err(unknown(
                "delimiter",
                word,
                "give one sign that is neither letter nor digit, or tab, space, comma, semicolon, pipe",
            )),
        }
    }

    /// The sign before decimals of a word: `point` or `.`, `comma` or `,`.
    pub fn decimal_of(word: &str) -> Result<Decimal> {
        match word {
            "." | "point" => Ok(Decimal::Point),
            "," | "comma" => Ok(Decimal::Comma),
            _ => Err(unknown("decimal", word, "give '.' (or point) or ',' (or comma)")),
        }
    }

    /// The quote of a word: one sign, or `none`.
    pub fn quote_of(word: &str) -> Result<u8> {
        match (word, word.as_bytes()) {
            ("none", _) => Ok(0),
            (_, [byte]) if byte.is_ascii_punctuation() => Ok(*byte),
            _ => Err(unknown("quote", word, "give one sign that is neither letter nor digit, or none")),
        }
    }

    /// What comes first in dates by a word: `day-first` or `month-first`.
    pub fn dates_of(word: &str) -> Result<Clock> {
        match word {
            "day-first" => Ok(Clock::DayFirst),
            "month-first" => Ok(Clock::MonthFirst),
            _ => Err(unknown("dates", word, "give day-first (31/12/2021) or month-first (12/31/2021)")),
        }
    }

    /// Refuses signs that stand for two things, and encodings that nobody knows.
    pub fn validate(&self) -> Result<()> {
        if let Some(name) = &self.encoding
            && encoding_rs::Encoding::for_label(name.as_bytes()).is_none()
        {
            let remedy = "known are utf-8, utf-16, latin1, windows-1252 and all other names of the web's encoding standard";
            return Err(unknown("encoding", name, remedy));
        }
        let quote = self.quote.unwrap_or(b'"');
        if self.delimiter == Some(quote) {
            let what = format!("'{}' is both the delimiter and the quote", char::from(quote));
            return Err(Error::new(ErrorKind::Parameter, what, "give another one of them"));
        }
        match self.delimiter.unwrap_or(b',') {
            b'.' | b'-' | b'+' => {
                let what = "the delimiter is part of numbers";
                Err(Error::new(ErrorKind::Parameter, what, "give another delimiter"))
            }
            _ => Ok(()),
        }
    }
}

fn unknown(option: &str, word: &str, remedy: &str) -> Error {
    Error::new(ErrorKind::Parameter, format!("`{option}={word}` is not known"), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_signs() {
        assert_eq!(Dialect::delimiter_of("tab").unwrap(), b'\t');
        assert_eq!(Dialect::delimiter_of(";").unwrap(), b';');
        assert_eq!(Dialect::quote_of("none").unwrap(), 0);
        assert_eq!(Dialect::decimal_of(",").unwrap(), Decimal::Comma);
        assert_eq!(Dialect::dates_of("day-first").unwrap(), Clock::DayFirst);
        assert!(Dialect::dates_of("year-first").is_err());
        for word in ["", "ab", "x", "7", "\n", "é"] {
            assert!(Dialect::delimiter_of(word).is_err() && Dialect::quote_of(word).is_err(), "{word}");
            assert!(Dialect::decimal_of(word).is_err());
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let with = |delimiter: u8, encoding: &str| {
            Dialect { delimiter: Some(delimiter), encoding: Some(encoding.into()), ..Dialect::default() }
                .validate()
        };
        assert!(with(b';', "latin1").is_ok());
        assert!(with(b'"', "latin1").is_err() && with(b'.', "latin1").is_err());
        assert!(with(b';', "klingon").unwrap_err().what().contains("klingon"));
    }
}
