//! What kind of feature a column is, from its first rows.
//!
//! The rule, over the values of the sample (the first 1,000 rows) that are not missing:
//!
//! 1. no values: a number;
//! 2. nearly all are numbers (more than half, and all but 5 % or all but one): a number. Any other text in such a
//!    column, sampled or later, is an error that names its line, never a silent category;
//! 3. five words a value or more on average, and most values differ: text;
//! 4. otherwise a category.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::read::number::{self, Tokens};
use crate::schema::role::Kind;
use crate::table::Words;

/// What was seen of one column so far.
#[derive(Default)]
pub(crate) struct Sample<'a> {
    values: usize,
    numbers: usize,
    words: usize,
    /// Each with its rows.
    distinct: HashMap<Cow<'a, [u8]>, usize>,
}

impl<'a> Sample<'a> {
    /// Looks at one value.
    pub(crate) fn look(&mut self, field: Cow<'a, [u8]>, missing: &Tokens) {
        if missing.has(&field) {
            return;
        }
        self.values += 1;
        // A number that is infinite or out of range still says "number"; reading it is an error.
        if !matches!(number::parse(&field), Err(number::Problem::Word)) {
            self.numbers += 1;
        }
        self.words += field.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).count();
        *self.distinct.entry(field).or_default() += 1;
    }

    /// Whether all values are numbers as they are.
    pub(crate) fn plain(&self) -> bool {
        self.numbers == self.values
    }

    /// The distinct values, each with its rows.
    pub(crate) fn distinct(&self) -> impl Iterator<Item = (&[u8], usize)> {
        self.distinct.iter().map(|(text, rows)| (&**text, *rows))
    }

    /// The kind that the rule gives.
    pub(crate) fn kind(&self) -> Kind {
        let strays = self.values - self.numbers;
        let nearly_all = strays <= 1 || strays * 20 <= self.values;
        if self.values == 0 || (nearly_all && self.numbers > strays) {
            Kind::Number
        } else {
            self.words_kind()
        }
    }

    /// The kind that the rule gives to a column that is known to hold text.
    pub(crate) fn words_kind(&self) -> Kind {
        let sentences = self.words >= 5 * self.values;
        let mostly_distinct = 2 * self.distinct.len() > self.values;
        if self.values > 0 && sentences && mostly_distinct { Kind::Text } else { Kind::Category }
    }
}

/// The kind of a column that is known to hold text, from its first rows (see [`Limits::sample_rows`](crate::Limits)).
pub fn kind_of_words(words: &Words, rows: usize) -> Kind {
    let mut sample = Sample::default();
    for code in words.codes.iter().take(rows) {
        if let Some(text) = words.dictionary.get(*code as usize) {
            sample.look(Cow::Borrowed(text.as_bytes()), &Tokens::NONE);
        }
    }
    sample.words_kind()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(values: &[&str]) -> Kind {
        let mut sample = Sample::default();
        for v in values {
            sample.look(Cow::Borrowed(v.as_bytes()), &Tokens::NONE);
        }
        sample.kind()
    }

    #[test]
    fn the_rule() {
        assert_eq!(kind(&["1", "2.5", "NA", ""]), Kind::Number);
        assert_eq!(kind(&["?", ""]), Kind::Number);
        assert_eq!(kind(&["1", "2", "x"]), Kind::Number);
        assert_eq!(kind(&["1", "x"]), Kind::Category);
        assert_eq!(kind(&["1", "2", "3", "x", "y"]), Kind::Category);
        assert_eq!(kind(&["1e400", "inf"]), Kind::Number);
        assert_eq!(kind(&["red", "green", "red"]), Kind::Category);
        assert_eq!(kind(&["the cat sat on the mat", "a dog ran over the hill"]), Kind::Text);
        assert_eq!(kind(&["the cat sat on the mat"; 4]), Kind::Category);
    }

    #[test]
    fn five_per_cent_of_strays_are_still_a_number() {
        let mut values = vec!["7"; 95];
        values.extend(["x"; 5]);
        assert_eq!(kind(&values), Kind::Number);
        values.push("x");
        assert_eq!(kind(&values), Kind::Category);
    }
}
