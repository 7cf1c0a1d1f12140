//! Values as a text file has them.

use std::borrow::Cow;

use crate::read::Growing;
use crate::schema::role::{Kind, Role};
use crate::table::{Column, Values};
use crate::time;

impl Column {
    /// The values as files have them: times as texts that are read as the same times, everything else as it is.
    pub fn spelt(&self) -> Cow<'_, Values> {
        let (Role::Feature(Some(Kind::Time(clock))), Values::Numbers(seconds)) = (self.role, &self.values)
        else {
            return Cow::Borrowed(&self.values);
        };
        let mut words = Growing::default();
        for row in 0..seconds.len() {
            match seconds.get(row) {
                missing if missing.is_nan() => words.push_missing(),
                seconds => words.push(&time::shown(clock, seconds)),
            }
        }
        Cow::Owned(Values::Words(words.finish()))
    }
}
