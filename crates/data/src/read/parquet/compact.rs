//! Thrift's compact protocol, read without building anything.
//!
//! The guards walk a footer or a page header here before the parquet crate decodes it, so that every size it is
//! about to allocate by is known to be there in bytes.

/// The bytes are not what they claim to be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

pub(crate) type Walk<T> = Result<T, Malformed>;

/// Structs may nest this deep.
const DEPTH: u8 = 16;

const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

/// Walks over encoded structs.
pub(crate) struct Compact<'a> {
    bytes: &'a [u8],
    /// Everything before is walked.
    pub at: usize,
    /// Elements of lists so far.
    pub elements: usize,
}

impl<'a> Compact<'a> {
    /// Starts at the first field of a struct.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, elements: 0 }
    }

    /// The next field of a struct, its id and type; `None` at the end of the struct.
    pub(crate) fn field(&mut self, last: &mut i64) -> Walk<Option<(i64, u8)>> {
        let head = self.byte()?;
        let (delta, kind) = (head >> 4, head & 15);
        if kind == 0 {
            return Ok(None);
        }
        *last = if delta == 0 { self.integer()? } else { last.saturating_add(i64::from(delta)) };
        Ok(Some((*last, kind)))
    }

    /// An integer of any width.
    pub(crate) fn integer(&mut self) -> Walk<i64> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// Text or bytes.
    pub(crate) fn binary(&mut self) -> Walk<&'a [u8]> {
        let length = usize::try_from(self.varint()?).map_err(|_| Malformed)?;
        let end = self.at.checked_add(length).ok_or(Malformed)?;
        let bytes = self.bytes.get(self.at..end).ok_or(Malformed)?;
        self.at = end;
        Ok(bytes)
    }

    /// The number of elements of a list and their type.
    pub(crate) fn list(&mut self) -> Walk<(usize, u8)> {
        let head = self.byte()?;
        let (size, kind) = (head >> 4, head & 15);
        let size =
            if size == 15 { usize::try_from(self.varint()?).map_err(|_| Malformed)? } else { size.into() };
        // Each element takes a byte at least.
        if size > self.bytes.len() - self.at.min(self.bytes.len()) {
            return Err(Malformed);
        }
        self.elements += size;
        Ok((size, kind))
    }

    /// Walks over the value of a field.
    pub(crate) fn skip(&mut self, kind: u8) -> Walk<()> {
        // A boolean field is all in its type.
        if matches!(kind, 1 | 2) { Ok(()) } else { self.value(kind, DEPTH) }
    }

    fn value(&mut self, kind: u8, depth: u8) -> Walk<()> {
        let depth = depth.checked_sub(1).ok_or(Malformed)?;
        match kind {
            1..=3 => self.byte().map(drop),
            4..=6 => self.varint().map(drop),
            7 => self.pass(8),
            13 => self.pass(16),
            BINARY => self.binary().map(drop),
            LIST | SET => {
                let (size, kind) = self.list()?;
                (0..size).try_for_each(|_| self.value(kind, depth))
            }
            STRUCT => {
                let mut last = 0;
                while let Some((_, kind)) = self.field(&mut last)? {
                    if !matches!(kind, 1 | 2) {
                        self.value(kind, depth)?;
                    }
                }
                Ok(())
            }
            // Maps too: Parquet has none.
            _ => Err(Malformed),
        }
    }

    fn byte(&mut self) -> Walk<u8> {
        let byte = *self.bytes.get(self.at).ok_or(Malformed)?;
        self.at += 1;
        Ok(byte)
    }

    fn pass(&mut self, length: usize) -> Walk<()> {
        self.at = self.at.checked_add(length).filter(|at| *at <= self.bytes.len()).ok_or(Malformed)?;
        Ok(())
    }

    /// A whole number.
    pub(crate) fn varint(&mut self) -> Walk<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_must_be_there() {
        // A list of 2^28 structs in six bytes.
        assert_eq!(Compact::new(&[0xFC, 0x80, 0x80, 0x80, 0x80, 0x01]).list(), Err(Malformed));
        assert_eq!(Compact::new(&[0x25, 1, 1]).list(), Ok((2, 5)));
    }

    #[test]
    fn nesting_is_bounded() {
        assert_eq!(Compact::new(&[0x1C; 100]).skip(STRUCT), Err(Malformed));
        assert_eq!(Compact::new(&[0x19; 1000]).skip(LIST), Err(Malformed));
    }

    #[test]
    fn a_struct() {
        // Field 1: i32 −3; field 4: text "ab"; end.
        let mut walk = Compact::new(&[0x15, 5, 0x38, 2, b'a', b'b', 0]);
        let mut last = 0;
        assert_eq!(walk.field(&mut last), Ok(Some((1, 5))));
        assert_eq!(walk.integer(), Ok(-3));
        assert_eq!(walk.field(&mut last), Ok(Some((4, 8))));
        assert_eq!(walk.binary(), Ok(&b"ab"[..]));
        assert_eq!(walk.field(&mut last), Ok(None));
    }
}
