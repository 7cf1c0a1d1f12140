//! What is in a row, as a number: the same for equal rows wherever they are, and hardly ever for others.
//!
//! Features count by their place and values, answers by their names; weights and the names of features do not, nor does it
//! matter where a column of weights stands. Nothing depends on how values are kept: zero adds nothing, so that sparse columns are dense ones, numbers are double precision, and texts
//! count by their letters.

use manyboost_kernel::Seed;
use manyboost_kernel::numbers::seed::mix;
use rayon::prelude::*;

use crate::dataset::{Dataset, TextValues};
use crate::error::Result;
use crate::labels::{Labels, classes};
use crate::schema::role::Role;
use crate::table::fingerprint::{add_values, row_hashes};
use crate::table::source::ColumnSource;
use crate::table::{Table, Values, Words};

/// What a missing value counts as.
const MISSING: u64 = f64::NAN.to_bits();

/// Answers have places beyond those of all features.
const ANSWERS: u64 = 1 << 63;

/// What is in the rows of a table.
pub(crate) struct Contents {
    /// In each row.
    pub(crate) rows: Vec<u64>,
    /// In its answer alone.
    pub(crate) answers: Vec<u64>,
}

impl Contents {
    /// Of features, and the answers that stand beside them.
    pub(crate) fn new(answers: &Table, features: &dyn ColumnSource) -> Result<Self> {
        let mut named = vec![0; answers.rows];
        // A column of weights is not counted: with weights of 1, rows are what they are without it.
        let columns = answers.columns.iter().filter(|column| column.role != Role::Weight);
        for (at, column) in (ANSWERS..).zip(columns) {
            match column.role {
                Role::Target => {
                    let words = classes::words(answers, column)?;
                    add(&mut named, ANSWERS, &Values::Words(words.into_owned()));
                }
                Role::Label => add(&mut named, at, &column.values),
                _ => {}
            }
        }
        let mut rows = named.clone();
        for at in 0..features.features().len() {
            add(&mut rows, at as u64, features.values(at)?.as_ref());
        }
        Ok(Self { rows, answers: named })
    }
}

/// What is in the rows of a data set: their codes, their values and texts if they are kept, and their answers.
pub fn contents(data: &Dataset) -> Vec<u64> {
    let mut hashes = row_hashes(&data.bins);
    if let Some(values) = &data.values {
        add_values(&mut hashes, values, data.bins.features().len());
    }
    // Codes know words only that some other rows have too.
    for TextValues { column, words } in &data.texts {
        let place = Seed::new(u64::from(*column));
        let terms: Vec<u64> =
            words.dictionary.par_iter().map(|text| place.part(letters(text)).bits()).collect();
        for (hash, &code) in hashes.iter_mut().zip(&words.codes) {
            *hash = hash.wrapping_add(terms.get(code as usize).copied().unwrap_or(0));
        }
    }
    for (row, hash) in hashes.iter_mut().enumerate() {
        let answer = match &data.labels {
            Labels::Classes { of, .. } => u64::from(of[row]) + 1,
            Labels::Sets { sets, .. } => {
                sets.row(row).iter().fold(!0, |all: u64, &label| all.wrapping_add(mix(u64::from(label) + 1)))
            }
        };
        *hash = mix(hash.wrapping_add(mix(answer)));
    }
    hashes
}

/// Adds the values of a column to what is in each row.
fn add(rows: &mut [u64], place: u64, values: &Values) {
    let place = Seed::new(place);
    let number = |value: f64| match value {
        0.0 => 0,
        value if value.is_nan() => place.part(MISSING).bits(),
        value => place.part(value.to_bits()).bits(),
    };
    match values {
        Values::Numbers(numbers) => {
            rows.par_iter_mut().enumerate().with_min_len(4096).for_each(|(row, sum)| {
                *sum = sum.wrapping_add(number(numbers.get(row)));
            });
        }
        Values::SparseNumbers(entries) => {
            for &(row, value) in entries {
                rows[row as usize] = rows[row as usize].wrapping_add(number(value));
            }
        }
        Values::Words(Words { codes, dictionary }) => {
            let terms: Vec<u64> =
                dictionary.par_iter().map(|text| place.part(letters(text)).bits()).collect();
            let missing = place.part(MISSING).bits();
            for (sum, &code) in rows.iter_mut().zip(codes) {
                *sum = sum.wrapping_add(terms.get(code as usize).copied().unwrap_or(missing));
            }
        }
    }
}

/// A number for a text.
fn letters(text: &str) -> u64 {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    text.as_bytes().chunks(8).fold(mix(text.len() as u64 + 1), |all, bytes| mix(all ^ word(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::role::Kind;
    use crate::table::source::Features;
    use crate::table::{Column, Numbers};

    fn rows(values: Values, target: Values) -> Vec<u64> {
        let column = |name: &str, role, values| Column { name: name.into(), role, values };
        let feature = column("x", Role::Feature(Some(Kind::Number)), values);
        let table = Table {
            source: "t".into(),
            columns: vec![feature, column("y", Role::Target, target)],
            rows: 4,
            notes: Vec::new(),
        };
        Contents::new(&table, &Features::of(&table)).unwrap().rows
    }

    fn words(codes: [u32; 4], dictionary: [&str; 2]) -> Values {
        Values::Words(Words { codes: codes.to_vec(), dictionary: dictionary.map(Into::into).to_vec() })
    }

    #[test]
    fn only_what_is_in_a_row_counts() {
        let target = || words([0, 1, 0, 0], ["1", "2.5"]);
        let usual = rows(Values::Numbers(Numbers::F64(vec![0.0, 2.0, f64::NAN, -0.0])), target());
        assert_eq!(usual[0], usual[3]);
        assert!(usual[0] != usual[1] && usual[0] != usual[2]);
        let alike = [
            Values::Numbers(Numbers::I8(vec![0, 2, i8::MIN, 0])),
            Values::Numbers(Numbers::F32(vec![-0.0, 2.0, f32::NAN, 0.0])),
            Values::SparseNumbers(vec![(1, 2.0), (2, f64::NAN)]),
        ];
        for values in alike {
            assert_eq!(rows(values, target()), usual);
        }
        let values = || Values::SparseNumbers(vec![(1, 2.0), (2, f64::NAN)]);
        assert_eq!(rows(values(), words([1, 0, 1, 1], ["2.5", "1"])), usual);
        assert_eq!(rows(values(), Values::Numbers(Numbers::F64(vec![1.0, 2.5, 1.0, 1.0]))), usual);
        assert_ne!(rows(values(), words([0, 1, 0, 0], ["1", "2.50"])), usual);
    }

    #[test]
    fn texts_count_by_their_letters() {
        let texts = ["", "a", "b", "ab", "ba", "eight by", "eight bye", "a\0", "\0a"];
        for (at, a) in texts.iter().enumerate() {
            assert!(texts[at + 1..].iter().all(|b| letters(a) != letters(b)));
        }
    }
}
