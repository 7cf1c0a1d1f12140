//! One block parsed into columns; this is the hot loop of the CSV reader.
//!
//! Blocks know nothing of each other: faults carry their place in the block, and whoever puts the blocks together
//! turns it into a line of the file.

use memchr::memchr;

use crate::read::csv::fields::{BadQuote, Fields, Quick, Syntax};
use crate::read::csv::undress::Dressing;
use crate::read::number::{self, Problem, Tokens};
use crate::read::words::Growing;
use crate::schema::role::Clock;
use crate::table::{Numbers, Values};
use crate::time::Times;

/// How a column is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As numbers.
    Number,
    /// As numbers with something around their digits.
    Dressed(Dressing),
    /// As dates, times or durations.
    Times(Clock),
    /// As text to the letter.
    Words,
    /// Not at all.
    Skip,
}

/// A column that grows.
pub(crate) enum Part {
    /// Numbers.
    Number(Numbers),
    /// Numbers, and what is around their digits in the file.
    Dressed(Numbers, Dressing),
    /// Times, by their seconds.
    Times(Times),
    /// Texts.
    Words(Growing),
    /// Nothing.
    Skip,
}

impl Part {
    /// An empty column.
    pub(crate) fn new(reading: Reading) -> Self {
        match reading {
            Reading::Number => Self::Number(Numbers::new()),
            Reading::Dressed(dressing) => Self::Dressed(Numbers::new(), dressing),
            Reading::Times(clock) => Self::Times(Times::new(clock)),
            Reading::Words => Self::Words(Growing::default()),
            Reading::Skip => Self::Skip,
        }
    }

    /// Adds one field.
    pub(crate) fn push(&mut self, field: &[u8], missing: &Tokens) -> Result<(), Problem> {
        match self {
            Self::Number(numbers) => {
                numbers.push(if missing.has(field) { f64::NAN } else { number::parse(field)? });
            }
            Self::Dressed(numbers, dressing) => {
                numbers.push(if missing.has(field) { f64::NAN } else { dressing.number(field)? });
            }
            Self::Times(times) if missing.has(field) => times.numbers.push(f64::NAN),
            Self::Times(times) => {
                let text = std::str::from_utf8(field).unwrap_or_default();
                times.push(text).ok_or(Problem::Time(times.clock))?;
            }
            Self::Words(words) if missing.has(field) => words.push_missing(),
            Self::Words(words) => match std::str::from_utf8(field) {
                Ok(text) => words.push(text),
                // The block is refused for this byte anyway.
                Err(_) => words.push_missing(),
            },
            Self::Skip => {}
        }
        Ok(())
    }

    /// Adds the values of another column of the same reading.
    pub(crate) fn append(&mut self, other: Self) {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) | (Self::Dressed(a, _), Self::Dressed(b, _)) => a.append(&b),
            (Self::Times(a), Self::Times(b)) => a.append(b),
            (Self::Words(a), Self::Words(b)) => a.append(b),
            _ => {}
        }
    }

    /// About how many bytes the values take.
    #[cfg_attr(
        not(feature = "parquet"),
        expect(dead_code, reason = "only Parquet files grow so much while they are read")
    )]
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Number(numbers) | Self::Dressed(numbers, _) | Self::Times(Times { numbers, .. }) => {
                numbers.bytes()
            }
            Self::Words(words) => words.bytes(),
            Self::Skip => 0,
        }
    }

    /// The values, if they were kept.
    pub(crate) fn finish(self) -> Option<Values> {
        match self {
            Self::Number(mut numbers)
            | Self::Dressed(mut numbers, _)
            | Self::Times(Times { mut numbers, .. }) => {
                numbers.shrink();
                Some(Values::Numbers(numbers))
            }
            Self::Words(words) => Some(Values::Words(words.finish())),
            Self::Skip => None,
        }
    }
}

/// The columns of one block.
pub(crate) struct Chunk {
    /// One for each column of the file.
    pub parts: Vec<Part>,
    /// Number of records.
    pub rows: usize,
}

/// What is wrong in a block, and where.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Place in the block.
    pub at: usize,
    /// The column, if one is at fault.
    pub column: usize,
    /// What is wrong there.
    pub what: What,
}

/// What is wrong at some place of a block.
#[derive(Debug)]
pub(crate) enum What {
    /// Too few or too many fields.
    Fields(usize),
    /// Not a number.
    Value(Vec<u8>, Problem),
    /// Text between a closing quote and the next delimiter.
    Quote,
    /// A byte that no UTF-8 text holds there, or NUL.
    Byte(u8),
    /// A field beyond the limit.
    Long,
}

/// Parses blocks.
pub(crate) struct Parser<'a> {
    /// What is between and around fields.
    pub syntax: Syntax,
    /// What stands for missing values.
    pub missing: &'a Tokens,
    /// One for each column.
    pub readings: &'a [Reading],
    /// The longest field allowed.
    pub field_limit: usize,
}

impl Parser<'_> {
    /// The columns of a block, or its first fault.
    pub(crate) fn parse(&self, bytes: &[u8]) -> Result<Chunk, Fault> {
        let bad = bad_byte(bytes);
        match (self.rows(bytes), bad) {
            (Err(fault), Some(at)) if fault.at >= at => Err(self.byte_fault(bytes, at)),
            (Ok(_), Some(at)) => Err(self.byte_fault(bytes, at)),
            (result, _) => result,
        }
    }

    fn rows(&self, bytes: &[u8]) -> Result<Chunk, Fault> {
        let mut parts: Vec<Part> = self.readings.iter().map(|r| Part::new(*r)).collect();
        let mut fields = Fields::new(bytes, self.syntax);
        let mut rows = 0;
        let long_fields = bytes.len() > self.field_limit;
        while fields.record() {
            let start = fields.at;
            let mut found = 0;
            let mut last = false;
            for part in &mut parts {
                found += 1;
                last = self.field(&mut fields, part, long_fields).map_err(|(at, what)| {
                    let fault = Fault { at, column: found - 1, what };
                    self.ragged(bytes, start).unwrap_or(fault)
                })?;
                if last {
                    break;
                }
            }
            if !last || found != parts.len() {
                return Err(self.ragged(bytes, start).unwrap_or(Fault {
                    at: start,
                    column: 0,
                    what: What::Quote,
                }));
            }
            rows += 1;
        }
        Ok(Chunk { parts, rows })
    }

    /// One field into its column; whether the record ends with it.
    #[inline]
    fn field(&self, fields: &mut Fields, part: &mut Part, long_fields: bool) -> Result<bool, (usize, What)> {
        if let Part::Number(numbers) = part {
            match fields.number() {
                Some((Quick::Integer(value), last)) => {
                    numbers.push_integer(value);
                    return Ok(last);
                }
                Some((Quick::Decimal(value), last)) => {
                    numbers.push(value);
                    return Ok(last);
                }
                None => {}
            }
        }
        let field = fields.next().map_err(|BadQuote(at)| (at, What::Quote))?;
        if long_fields && field.text().len() > self.field_limit {
            return Err((field.start, What::Long));
        }
        match part.push(&field.text(), self.missing) {
            Ok(()) => Ok(field.last),
            Err(problem) => Err((field.start, What::Value(field.text().into_owned(), problem))),
        }
    }

    /// The fault of a record with a wrong number of fields; it explains most other faults of such a record.
    fn ragged(&self, bytes: &[u8], start: usize) -> Option<Fault> {
        let mut fields = Fields::new(bytes.get(start..)?, self.syntax);
        let mut found = 1;
        while !fields.next().ok()?.last {
            found += 1;
        }
        (found != self.readings.len()).then_some(Fault { at: start, column: 0, what: What::Fields(found) })
    }

    fn byte_fault(&self, bytes: &[u8], at: usize) -> Fault {
        let what = What::Byte(bytes.get(at).copied().unwrap_or_default());
        Fault { at, column: column_of(bytes, self.syntax, at), what }
    }
}

/// The place of the first NUL or byte that is not UTF-8.
pub(crate) fn bad_byte(bytes: &[u8]) -> Option<usize> {
    let invalid = std::str::from_utf8(bytes).err().map(|e| e.valid_up_to());
    let valid = bytes.get(..invalid.unwrap_or(bytes.len())).unwrap_or_default();
    memchr(0, valid).or(invalid)
}

/// The column that a place of a block belongs to.
pub(crate) fn column_of(bytes: &[u8], syntax: Syntax, at: usize) -> usize {
    let mut fields = Fields::new(bytes, syntax);
    while fields.record() {
        let mut column = 0;
        loop {
            match fields.next() {
                Ok(_) if fields.at > at => return column,
                Err(_) => return column,
                Ok(field) if field.last => break,
                Ok(_) => column += 1,
            }
        }
    }
    0
}
