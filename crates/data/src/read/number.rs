//! One field as a number, and the fields that mean "missing".
//!
//! The missing tokens are the same in every column of every text format: the empty field, `NA`, `na`, `N/A`,
//! `n/a`, `?`, and `nan` and `null` in any case; blanks around them do not matter, nor do quotes.

use crate::schema::role::Clock;

/// Why a field is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// It is some other text.
    Word,
    /// Beyond the range of double precision.
    OutOfRange,
    /// An infinity by name.
    Infinite,
    /// No time of such a column.
    Time(Clock),
}

impl Problem {
    /// What the message says after the value.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Word => "is not a number",
            Self::OutOfRange => "is out of range (more than 1.8e308)",
            Self::Infinite => "is infinite, a number must be finite",
            Self::Time(Clock::Plain) => "is not a date or time such as 2021-03-31 or 2021-03-31T15:30:00Z",
            Self::Time(Clock::DayFirst) => "is not a date or time with the day first, such as 31/03/2021",
            Self::Time(Clock::MonthFirst) => "is not a date or time with the month first, such as 03/31/2021",
            Self::Time(Clock::Open) => "is not a date such as 03/04/2021, like those before it",
            Self::Time(Clock::Span) => "is not a time of day or a duration, such as 15:30 or 1 days 02:03:04",
        }
    }
}

/// Whether a field stands for a missing value.
pub(crate) fn is_missing(field: &[u8]) -> bool {
    let field = field.trim_ascii();
    match field.len() {
        0 => true,
        1 => field == b"?",
        2 => field == b"NA" || field == b"na",
        3 => field == b"N/A" || field == b"n/a" || field.eq_ignore_ascii_case(b"nan"),
        4 => field.eq_ignore_ascii_case(b"null"),
        _ => false,
    }
}

/// What stands for missing values beside the usual fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tokens(Vec<Box<[u8]>>);

impl Tokens {
    /// Nothing else.
    pub(crate) const NONE: Self = Self(Vec::new());

    /// These fields too; blanks around them do not matter.
    pub(crate) fn new(tokens: &[String]) -> Self {
        Self(tokens.iter().map(|token| token.trim().as_bytes().into()).collect())
    }

    /// Whether nothing else stands for them.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a field stands for a missing value.
    pub(crate) fn has(&self, field: &[u8]) -> bool {
        is_missing(field) || !self.0.is_empty() && self.0.iter().any(|token| **token == *field.trim_ascii())
    }
}

/// A field that is not missing as a finite number; never −0.0.
pub(crate) fn parse(field: &[u8]) -> Result<f64, Problem> {
    let field = field.trim_ascii();
    let unsigned = match field {
        [b'+' | b'-', rest @ ..] => rest,
        _ => field,
    };
    match unsigned.first() {
        Some(b'0'..=b'9' | b'.') => {}
        _ if is_infinity(unsigned) => return Err(Problem::Infinite),
        _ => return Err(Problem::Word),
    }
    let value: f64 = fast_float2::parse(unsigned).map_err(|_| Problem::Word)?;
    if !value.is_finite() {
        return Err(Problem::OutOfRange);
    }
    let negative = field.first() == Some(&b'-');
    Ok(if negative && value != 0.0 { -value } else { value })
}

fn is_infinity(field: &[u8]) -> bool {
    field.eq_ignore_ascii_case(b"inf") || field.eq_ignore_ascii_case(b"infinity")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (text, value) in [
            ("0", 0.0),
            (" 1.5 ", 1.5),
            ("+2", 2.0),
            ("-.5", -0.5),
            ("1e3", 1000.0),
            ("12345678901234567890", 12_345_678_901_234_567_890.0),
            ("1e-400", 0.0),
        ] {
            assert_eq!(parse(text.as_bytes()), Ok(value), "{text}");
        }
        assert!(parse(b"-0.0").is_ok_and(f64::is_sign_positive));
    }

    #[test]
    fn what_is_not_a_number() {
        for text in ["x", "1x", "1,5", "0x10", "--1", "+-1", "1\0", "-", ".", "1e"] {
            assert_eq!(parse(text.as_bytes()), Err(Problem::Word), "{text}");
        }
        for text in ["inf", "-Inf", "+INFINITY"] {
            assert_eq!(parse(text.as_bytes()), Err(Problem::Infinite), "{text}");
        }
        assert_eq!(parse(b"-1e400"), Err(Problem::OutOfRange));
    }

    #[test]
    fn missing_tokens() {
        for text in ["", " ", "NA", "na", "N/A", "n/a", "?", " ? ", "nan", "NaN", "NAN", "null", "NULL"] {
            assert!(is_missing(text.as_bytes()), "{text:?}");
        }
        for text in ["Na", "none", "0", "??", "-", "nano"] {
            assert!(!is_missing(text.as_bytes()), "{text:?}");
        }
    }
}
