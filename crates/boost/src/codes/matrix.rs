//! Small matrices of numbers that users give in a file: code matrices, codewords.

use manyboost_data::{Error, ErrorKind, Result};

/// Larger files are refused before they are read.
const MOST_BYTES: u64 = 64 << 20;

/// Larger numbers are refused: scores are sums of their multiples.
const LARGEST: f64 = (1u64 << 32) as f64;

/// Rows of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    width: usize,
    values: Vec<f64>,
}

impl Matrix {
    /// Of rows of `width` numbers, one after the other.
    ///
    /// # Panics
    /// If the numbers are not whole rows.
    pub fn new(width: usize, values: Vec<f64>) -> Self {
        assert!(width > 0 && values.len().is_multiple_of(width), "whole rows");
        Self { width, values }
    }

    /// Of rows of `width` numbers, one after the other; refuses numbers that are too large, and what is not whole rows.
    pub fn from_rows(width: usize, values: Vec<f64>) -> Result<Self> {
        let wrong = |what: String| {
            Error::new(ErrorKind::Parameter, what, "give a matrix with a row of numbers for each class")
        };
        if width == 0 || values.is_empty() || !values.len().is_multiple_of(width) {
            return Err(wrong(format!("{} numbers are not whole rows of {width}", values.len())));
        }
        match values.iter().find(|x| x.is_nan() || x.abs() > LARGEST) {
            Some(x) => Err(wrong(format!("{x} is not a number in range"))),
            None => Ok(Self { width, values }),
        }
    }

    /// From a file: a line for each row, numbers apart by spaces, tabs, commas or semicolons. Empty lines and what follows a
    /// `#` do not count. `allowed` says what the option takes.
    pub fn read(option: &str, path: &str, allowed: &str) -> Result<Self> {
        let wrong = |what: String| {
            let remedy = format!("`{option}` takes {allowed}");
            Error::new(ErrorKind::Parameter, format!("`{option}={path}`: {what}"), remedy)
        };
        let size = std::fs::metadata(path).map_err(|e| wrong(e.to_string()))?.len();
        if size > MOST_BYTES {
            return Err(wrong("more than 64 MiB".into()));
        }
        let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
        Self::parse(&text).map_err(wrong)
    }

    pub(crate) fn parse(text: &str) -> std::result::Result<Self, String> {
        let (mut width, mut values) = (0, Vec::new());
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let before = values.len();
            let apart = |c: char| c.is_whitespace() || c == ',' || c == ';';
            for word in line.split(apart).filter(|word| !word.is_empty()) {
                match word.parse::<f64>() {
                    Ok(x) if x.abs() <= LARGEST => values.push(x),
                    _ => return Err(format!("line {}: \"{word}\" is not a number in range", number + 1)),
                }
            }
            let here = values.len() - before;
            if here > 0 && width > 0 && here != width {
                return Err(format!("line {}: {here} numbers after rows of {width}", number + 1));
            }
            width = width.max(here);
        }
        if width == 0 { Err("no numbers in it".into()) } else { Ok(Self { width, values }) }
    }

    /// The numbers in a line: what a model remembers, since the file may go.
    pub fn text(&self) -> String {
        let row = |row: &[f64]| row.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
        self.values.chunks_exact(self.width).map(row).collect::<Vec<_>>().join("; ")
    }

    /// Refuses numbers that are neither +1 nor −1.
    pub(crate) fn signs(&self, option: &str) -> Result<()> {
        self.all(option, |x| x.abs() == 1.0, "give +1 and −1 only")
    }

    /// Refuses numbers that are neither +1, −1 nor 0.
    pub(crate) fn ternary(&self, option: &str) -> Result<()> {
        self.all(option, |x| x == 0.0 || x.abs() == 1.0, "give +1, −1 and 0 only")
    }

    fn all(&self, option: &str, fits: impl Fn(f64) -> bool, remedy: &str) -> Result<()> {
        let wrong = (0..self.rows()).find_map(|row| {
            self.row(row)
                .iter()
                .find(|x| !fits(**x))
                .map(|x| format!("`{option}`: row {}: {x} is not a sign", row + 1))
        });
        wrong.map_or(Ok(()), |what| Err(Error::new(ErrorKind::Parameter, what, remedy)))
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.values.len() / self.width
    }

    /// Numbers a row has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// A row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.width..(row + 1) * self.width]
    }

    /// A number.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.width + column]
    }

    /// Counts on in a row of signs, as if they were the digits of a binary number.
    pub(crate) fn next_signs(&mut self, row: usize) {
        for x in &mut self.values[row * self.width..(row + 1) * self.width] {
            *x = -*x;
            if *x > 0.0 {
                break;
            }
        }
    }

    /// All numbers, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_or_refused_with_the_line() {
        let matrix = Matrix::parse("# a code\n1, -1  1\n\n-1;1\t-1 # the second\n").unwrap();
        assert_eq!((matrix.rows(), matrix.width()), (2, 3));
        assert_eq!(matrix.row(1), [-1.0, 1.0, -1.0]);
        for (text, words) in [
            ("", "no numbers"),
            ("1 2\n3\n", "line 2: 1 numbers"),
            ("1 x\n", "\"x\""),
            ("inf\n", "\"inf\""),
            ("-1e300\n", "\"-1e300\""),
        ] {
            assert!(Matrix::parse(text).is_err_and(|e| e.contains(words)), "{text:?}");
        }
        let error = Matrix::read("code", "/no/such/file", "give one").unwrap_err();
        assert!(error.what().contains("/no/such/file"), "{error}");
    }
}
