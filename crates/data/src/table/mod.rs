//! A table as it was read: named columns of numbers or words, nothing interpreted yet.

mod append;
#[cfg(feature = "ndarray")]
mod array;
#[cfg(feature = "arrow")]
mod batches;
pub mod builder;
pub(crate) mod contents;
pub(crate) mod dress;
pub mod fingerprint;
pub mod frame;
pub(crate) mod lent;
pub mod row;
pub(crate) mod select;
pub mod source;
mod spelt;
pub mod split;
pub(crate) mod suspect;

use crate::schema::role::Role;

/// Named columns of equal length.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Where it came from, for messages (a path, or `<stdin>`).
    pub source: String,
    /// The columns that were read (ignored ones are not here), in file order; names are unique.
    pub columns: Vec<Column>,
    /// Number of rows.
    pub rows: usize,
    /// What the reader found out about the file, for the user.
    pub notes: Vec<String>,
}

/// One named column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name in the header.
    pub name: String,
    /// What it is for; a feature's kind is always known here.
    pub role: Role,
    /// Its values.
    pub values: Values,
}

/// The values of a column.
#[derive(Clone, Debug)]
pub enum Values {
    /// Numbers, in the narrowest type that holds all of them exactly.
    Numbers(Numbers),
    /// Numbers that are zero in most rows: `(row, value)` for the others, rows ascending.
    SparseNumbers(Vec<(u32, f64)>),
    /// Text of any kind, each distinct text kept once.
    Words(Words),
}

/// Numbers in the narrowest exact type. Missing is the type's smallest integer, or NaN.
#[derive(Clone, Debug)]
pub enum Numbers {
    /// Integers in −127..=127.
    I8(Vec<i8>),
    /// Integers in ±32,767.
    I16(Vec<i16>),
    /// Integers in ±2,147,483,647.
    I32(Vec<i32>),
    /// Values that single precision holds exactly.
    F32(Vec<f32>),
    /// Any finite value.
    F64(Vec<f64>),
}

/// Texts by number.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// Index into `dictionary`, or [`Words::MISSING`].
    pub codes: Vec<u32>,
    /// The distinct texts, in order of first appearance.
    pub dictionary: Vec<Box<str>>,
}

impl Words {
    /// The code of a missing text.
    pub const MISSING: u32 = u32::MAX;

    /// The text of a row, or `None` where it is missing.
    pub fn get(&self, row: usize) -> Option<&str> {
        self.dictionary.get(self.codes[row] as usize).map(AsRef::as_ref)
    }
}

impl Numbers {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::I8(v) => v.len(),
            Self::I16(v) => v.len(),
            Self::I32(v) => v.len(),
            Self::F32(v) => v.len(),
            Self::F64(v) => v.len(),
        }
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> u64 {
        let each = match self {
            Self::I8(_) => 1,
            Self::I16(_) => 2,
            Self::I32(_) | Self::F32(_) => 4,
            Self::F64(_) => 8,
        };
        each * self.len() as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies the values of some rows; NaN where one is missing.
    pub fn copy<'a>(&self, rows: std::ops::Range<usize>, out: impl Iterator<Item = &'a mut f64>) {
        match self {
            Self::I8(v) => copy(&v[rows], out, |x| integer(x, i8::MIN)),
            Self::I16(v) => copy(&v[rows], out, |x| integer(x, i16::MIN)),
            Self::I32(v) => copy(&v[rows], out, |x| integer(x, i32::MIN)),
            Self::F32(v) => copy(&v[rows], out, f64::from),
            Self::F64(v) => copy(&v[rows], out, |x| x),
        }
    }

    /// The value of a row; NaN where it is missing.
    pub fn get(&self, row: usize) -> f64 {
        match self {
            Self::I8(v) => integer(v[row], i8::MIN),
            Self::I16(v) => integer(v[row], i16::MIN),
            Self::I32(v) => integer(v[row], i32::MIN),
            Self::F32(v) => f64::from(v[row]),
            Self::F64(v) => v[row],
        }
    }
}

fn integer<T: Copy + PartialEq + Into<f64>>(value: T, missing: T) -> f64 {
    if value == missing { f64::NAN } else { value.into() }
}

fn copy<'a, T: Copy>(values: &[T], out: impl Iterator<Item = &'a mut f64>, float: impl Fn(T) -> f64) {
    for (slot, &value) in out.zip(values) {
        *slot = float(value);
    }
}

impl Table {
    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name == name)
    }
}
