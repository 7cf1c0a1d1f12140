//! Which rows of a file: numbers and ranges, counted from 1.

use std::str::FromStr;

use manyboost_data::{Error, ErrorKind};

use crate::failure::{Outcome, wrong};

/// Ranges of rows, counted from 1, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection(Vec<(usize, usize)>);

impl Selection {
    /// The first rows.
    pub fn first(rows: usize) -> Self {
        Self(vec![(1, rows)])
    }

    /// Those among `rows` rows from `first` on (counted from 0), ascending, each once.
    pub fn within(&self, first: usize, rows: usize) -> Vec<usize> {
        let wanted = |row: &usize| self.0.iter().any(|&(from, to)| (from..=to).contains(&(row + 1)));
        (first..first + rows).filter(wanted).collect()
    }

    /// Refuses numbers beyond the last row.
    pub fn check(&self, rows: usize) -> Outcome {
        match self.0.iter().find(|(_, to)| *to > rows) {
            Some((_, to)) => {
                let what = format!("--rows {to}: there are {rows} rows");
                Err(wrong(what, "give numbers of rows that there are, counted from 1"))
            }
            None => Ok(()),
        }
    }
}

impl FromStr for Selection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|n| *n >= 1);
        let range = |part: &str| {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            number(from).zip(number(to)).filter(|(from, to)| from <= to)
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        ranges.map(Self).ok_or_else(|| {
            let what = format!("--rows {text}: not numbers of rows");
            Error::new(ErrorKind::Parameter, what, "give numbers and ranges, counted from 1: 1,5-7")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges() {
        let selection: Selection = "2, 5-7,6".parse().unwrap();
        assert_eq!(selection.within(0, 6), [1, 4, 5]);
        assert_eq!(selection.within(6, 6), [6]);
        assert!(selection.check(7).is_ok() && selection.check(6).is_err());
        for text in ["", "0", "3-2", "a", "1,,2", "-1", "1-"] {
            assert!(text.parse::<Selection>().is_err(), "{text}");
        }
    }
}
