//! Columns that Python keeps, and the engine looks at.
//!
//! A column comes as one of
//!
//! - an array of numbers, in steps of any length: a column of a matrix is not copied;
//! - `("matrix", ends, rows, values)`: many columns of numbers that are zero in other rows, one after the other, rows ascending; the
//!   values of each column lie between two ends, of which the first is 0;
//! - `("words", kind, texts)`: a list of texts, `None` where one is missing; kind is `"category"`, `"text"`, or `None`
//!   if the texts themselves are to tell;
//! - `("coded", codes, texts)`: texts by number;
//! - `("times", kind, per_second, ticks)`: times, so many of whose ticks make a second; kind is `"time"` (since 1970) or `"duration"`;
//! - `("parts", columns)`: arrays of numbers, or words of one kind, of which each has the rows after those of the one before. They are
//!   joined one column at a time, when it is looked at.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::Ordering;

use manyboost_data::read::kind_of_words as kind_of;
use manyboost_data::{
    Clock, Column, ColumnSource, Error, ErrorKind, FeatureSpec, Kind, Limits, Numbers, Result, Role, Table,
    Values, Words,
};
use numpy::ndarray::{ArrayView1, Axis};
use numpy::{Element, PyArrayDescrMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::times::{seconds, times_or_numbers};
use crate::work::{Flag, interrupted};

/// A column of Python's, held so that it stays where it is.
pub enum Held<'py> {
    Numbers(Box<dyn Hold + 'py>),
    Matrix { ends: Vec<usize>, rows: PyReadonlyArray1<'py, i32>, values: Box<dyn Hold + 'py> },
    Words(Words, Kind),
    Times(PyReadonlyArray1<'py, i64>, i64, Clock),
    Parts(Vec<Self>),
}

/// An array of some type.
pub trait Hold {
    /// Its numbers.
    fn look(&self) -> Box<dyn Look + '_>;
    /// Some of them.
    fn look_at(&self, part: Range<usize>) -> Box<dyn Look + '_>;
    /// How many there are.
    fn len(&self) -> usize;
}

/// Numbers of some type.
pub trait Look: Send + Sync {
    /// Those of some rows, copied.
    fn numbers(&self, rows: Range<usize>) -> Numbers;
    /// How many there are.
    fn len(&self) -> usize;
}

impl<T: Number> Hold for PyReadonlyArray1<'_, T> {
    fn look(&self) -> Box<dyn Look + '_> {
        Box::new(self.as_array())
    }

    fn look_at(&self, part: Range<usize>) -> Box<dyn Look + '_> {
        Box::new(some(self.as_array(), &part))
    }

    fn len(&self) -> usize {
        self.as_array().len()
    }
}

/// A part of an array.
#[expect(clippy::needless_pass_by_value, reason = "a view, of the size of a few words")]
fn some<'a, T>(array: ArrayView1<'a, T>, part: &Range<usize>) -> ArrayView1<'a, T> {
    let (array, _) = array.split_at(Axis(0), part.end);
    array.split_at(Axis(0), part.start).1
}

impl<T: Number> Look for ArrayView1<'_, T> {
    fn numbers(&self, rows: Range<usize>) -> Numbers {
        T::numbers(self.slice_axis(Axis(0), rows.into()).iter().copied())
    }

    fn len(&self) -> usize {
        self.len()
    }
}

/// A type of numbers.
trait Number: Element + Copy + Send + Sync {
    fn numbers(values: impl Iterator<Item = Self>) -> Numbers;
}

impl Number for f32 {
    // Plus zero: −0 is 0.
    fn numbers(values: impl Iterator<Item = Self>) -> Numbers {
        Numbers::F32(values.map(|x| x + 0.0).collect())
    }
}

impl Number for f64 {
    fn numbers(values: impl Iterator<Item = Self>) -> Numbers {
        Numbers::F64(values.map(|x| x + 0.0).collect())
    }
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Number for $type {
            fn numbers(values: impl Iterator<Item = Self>) -> Numbers {
                let mut numbers = Numbers::new();
                values.for_each(|x| numbers.push(x as f64));
                numbers
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8);

impl<'py> Held<'py> {
    /// Takes a column.
    pub fn new(column: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Ok(parts) = column.cast::<PyTuple>() else { return Ok(Self::Numbers(array(column)?)) };
        if parts.len() == 4 && parts.get_item(0)?.eq("times")? {
            return Self::times(parts);
        }
        if parts.len() == 4 {
            return Self::matrix(parts);
        }
        if parts.len() == 2 {
            return Self::all(parts.get_item(1)?.cast()?).map(Self::Parts);
        }
        let (tag, first, second): (String, Bound<'py, PyAny>, Bound<'py, PyAny>) = parts.extract()?;
        match tag.as_str() {
            "words" => {
                let words = words(second.cast()?)?;
                let kind = match first.extract::<Option<String>>()?.as_deref() {
                    Some("category") => Kind::Category,
                    Some("text") => Kind::Text,
                    _ => kind_of(&words, Limits::default().sample_rows),
                };
                Ok(Self::Words(words, kind))
            }
            "coded" => {
                let codes: PyReadonlyArray1<'py, u32> = first.extract()?;
                let dictionary: Vec<String> = second.extract()?;
                let codes = codes.as_array().to_vec();
                let dictionary = dictionary.into_iter().map(String::into_boxed_str).collect();
                Ok(Self::Words(Words { codes, dictionary }, Kind::Category))
            }
            _ => Err(PyValueError::new_err(format!("a column cannot be {tag}"))),
        }
    }

    /// Takes a column of times.
    fn times(parts: &Bound<'py, PyTuple>) -> PyResult<Self> {
        let (_, kind, per_second, ticks): (String, String, i64, PyReadonlyArray1<'py, i64>) =
            parts.extract()?;
        if per_second < 1 {
            return Err(PyValueError::new_err("times whose ticks make no second"));
        }
        let clock = if kind == "duration" { Clock::Span } else { Clock::Plain };
        Ok(Self::Times(ticks, per_second, clock))
    }

    /// Takes the columns of a sparse matrix.
    fn matrix(parts: &Bound<'py, PyTuple>) -> PyResult<Self> {
        type Parts<'py> = (String, PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i32>, Bound<'py, PyAny>);
        let (tag, ends, rows, values): Parts<'py> = parts.extract()?;
        let values = array(&values)?;
        let ends: Vec<usize> = ends.as_array().iter().map(|&end| end as usize).collect();
        let ascends = ends.is_sorted() && ends.first() == Some(&0) && ends.last() == Some(&values.len());
        if tag != "matrix" || !ascends || rows.as_array().len() != values.len() {
            return Err(PyValueError::new_err(
                "a sparse matrix whose columns do not end where its values do",
            ));
        }
        Ok(Self::Matrix { ends, rows, values })
    }

    /// All columns, to look at.
    pub fn views(columns: &[Self]) -> Vec<View<'_>> {
        let mut views = Vec::new();
        for column in columns {
            match column {
                Self::Parts(parts) => views.push(View::Parts(Self::views(parts))),
                Self::Numbers(array) => views.push(View::Numbers(array.look())),
                Self::Words(words, kind) => views.push(View::Words(words, *kind)),
                Self::Times(ticks, per_second, clock) => {
                    views.push(View::Times(ticks.as_array(), *per_second, *clock));
                }
                Self::Matrix { ends, rows, values } => {
                    let column = |pair: &[usize]| {
                        let part = pair[0]..pair[1];
                        View::Sparse(some(rows.as_array(), &part), values.look_at(part))
                    };
                    views.extend(ends.windows(2).map(column));
                }
            }
        }
        views
    }

    /// Takes columns.
    pub fn all(columns: &Bound<'py, PyList>) -> PyResult<Vec<Self>> {
        columns.iter().map(|column| Self::new(&column)).collect()
    }
}

/// An array of numbers of a type that is known.
fn array<'py>(array: &Bound<'py, PyAny>) -> PyResult<Box<dyn Hold + 'py>> {
    fn hold<'py, T: Number + 'py>(array: &Bound<'py, PyAny>) -> PyResult<Box<dyn Hold + 'py>> {
        Ok(Box::new(array.extract::<PyReadonlyArray1<'py, T>>()?))
    }
    let dtype = array.cast::<PyUntypedArray>()?.dtype();
    match (dtype.kind(), dtype.itemsize()) {
        (b'f', 4) => hold::<f32>(array),
        (b'f', 8) => hold::<f64>(array),
        (b'i', 1) => hold::<i8>(array),
        (b'i', 2) => hold::<i16>(array),
        (b'i', 4) => hold::<i32>(array),
        (b'i', 8) => hold::<i64>(array),
        (b'u', 1) => hold::<u8>(array),
        _ => Err(PyTypeError::new_err(format!("columns cannot hold {dtype}"))),
    }
}

/// Texts, each distinct one kept once.
fn words(texts: &Bound<'_, PyList>) -> PyResult<Words> {
    let mut words = Words { codes: Vec::with_capacity(texts.len()), dictionary: Vec::new() };
    let mut known: HashMap<Box<str>, u32> = HashMap::new();
    for text in texts {
        if text.is_none() {
            words.codes.push(Words::MISSING);
            continue;
        }
        let text = text.cast_into::<PyString>()?;
        let text = text.to_str()?;
        let code = known.get(text).copied().unwrap_or_else(|| {
            let code = words.dictionary.len() as u32;
            words.dictionary.push(text.into());
            known.insert(text.into(), code);
            code
        });
        words.codes.push(code);
    }
    Ok(words)
}

/// A column to look at.
pub enum View<'a> {
    Numbers(Box<dyn Look + 'a>),
    Sparse(ArrayView1<'a, i32>, Box<dyn Look + 'a>),
    Words(&'a Words, Kind),
    Times(ArrayView1<'a, i64>, i64, Clock),
    Parts(Vec<Self>),
}

impl View<'_> {
    fn kind(&self) -> Kind {
        match self {
            Self::Words(_, kind) => *kind,
            Self::Times(.., clock) => Kind::Time(*clock),
            Self::Parts(parts) => parts.first().map_or(Kind::Number, Self::kind),
            _ => Kind::Number,
        }
    }

    /// How many values are kept.
    fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Sparse(rows, _) => rows.len(),
            Self::Words(words, _) => words.codes.len(),
            Self::Times(ticks, ..) => ticks.len(),
            Self::Parts(parts) => parts.iter().map(Self::len).sum(),
        }
    }

    /// Whether some rows can be had without looking at the others.
    pub fn is_dense(&self) -> bool {
        matches!(self, Self::Numbers(_))
    }

    /// The values of some rows of a dense column, or of all rows; `name` is for messages.
    pub fn values(&self, name: &str, rows: Range<usize>) -> Result<Values> {
        let values = match self {
            Self::Numbers(numbers) => Values::Numbers(finite(name, numbers.numbers(rows))?),
            Self::Sparse(rows, values) => {
                let values = finite(name, values.numbers(0..values.len()))?;
                let entry = |(at, &row): (usize, &i32)| (row as u32, values.get(at));
                Values::SparseNumbers(rows.iter().enumerate().map(entry).collect())
            }
            Self::Words(words, _) => Values::Words((*words).clone()),
            Self::Times(ticks, per_second, _) => {
                Values::Numbers(seconds(name, ticks.iter().copied(), *per_second)?)
            }
            Self::Parts(parts) => {
                let part = |part: &Self| Ok((part.len(), part.values(name, 0..part.len())?));
                let parts = parts.iter().map(part).collect::<Result<_>>()?;
                Values::joined(parts).ok_or_else(|| {
                    let what = format!("X: parts of column \"{name}\" are of different kinds");
                    Error::new(ErrorKind::Column, what, "say what kind it is: `categorical` or `text`")
                })?
            }
        };
        Ok(values)
    }
}

/// Refuses infinities.
fn finite(name: &str, numbers: Numbers) -> Result<Numbers> {
    let row = match &numbers {
        Numbers::F32(values) => values.iter().position(|x| x.is_infinite()),
        Numbers::F64(values) => values.iter().position(|x| x.is_infinite()),
        _ => None,
    };
    match row {
        None => Ok(numbers),
        Some(row) => {
            let what = format!("X contains infinity: column \"{name}\", value {} of it", row + 1);
            Err(Error::new(ErrorKind::Column, what, "give finite numbers, or NaN where one is missing"))
        }
    }
}

/// Columns with names, as training looks at them.
pub struct Columns<'a> {
    pub names: &'a [String],
    pub views: Vec<View<'a>>,
    pub rows: usize,
    pub stop: &'a Flag,
}

impl ColumnSource for Columns<'_> {
    fn source(&self) -> &'static str {
        SOURCE
    }

    fn rows(&self) -> usize {
        self.rows
    }

    fn features(&self) -> Vec<FeatureSpec> {
        let spec = |(name, view): (&String, &View<'_>)| FeatureSpec { name: name.clone(), kind: view.kind() };
        self.names.iter().zip(&self.views).map(spec).collect()
    }

    fn values(&self, column: usize) -> Result<Cow<'_, Values>> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(interrupted());
        }
        self.views[column].values(&self.names[column], 0..self.rows).map(Cow::Owned)
    }

    fn work(&self, column: usize) -> usize {
        match &self.views[column] {
            View::Sparse(rows, _) => rows.len(),
            _ => self.rows,
        }
    }

    fn is_sparse(&self, column: usize) -> bool {
        matches!(self.views[column], View::Sparse(..))
    }
}

/// The kind of a column of texts, by its first rows: `"category"` or `"text"`.
#[pyfunction]
pub fn kind_of_words(texts: &Bound<'_, PyList>) -> PyResult<&'static str> {
    Ok(match kind_of(&words(texts)?, Limits::default().sample_rows) {
        Kind::Text => "text",
        Kind::Category | Kind::Number | Kind::Time(_) => "category",
    })
}

/// Numbers where a model knows words: a column without any value has no type of its own.
fn words_or_numbers(numbers: Numbers) -> Values {
    let rows = numbers.len();
    if (0..rows).any(|row| !numbers.get(row).is_nan()) {
        return Values::Numbers(numbers);
    }
    Values::Words(Words { codes: vec![Words::MISSING; rows], dictionary: Vec::new() })
}

/// Where features come from, for messages.
pub const SOURCE: &str = "X";

/// A table of some rows of dense columns, or of all rows, in the roles that a model has for them.
pub fn table(features: &[FeatureSpec], views: &[View<'_>], rows: Range<usize>) -> Result<Table> {
    let column = |(spec, view): (&FeatureSpec, &View<'_>)| {
        let values = match (view.values(&spec.name, rows.clone())?, spec.kind) {
            (values, Kind::Number | Kind::Time(_)) => times_or_numbers(spec, view.kind(), values)?,
            (Values::Numbers(numbers), _) => words_or_numbers(numbers),
            (values, _) => values,
        };
        Ok(Column { name: spec.name.clone(), role: Role::Feature(Some(spec.kind)), values })
    };
    let columns = features.iter().zip(views).map(column).collect::<Result<_>>()?;
    Ok(Table { source: SOURCE.into(), columns, rows: rows.len(), notes: Vec::new() })
}
