//! Times that a program has in memory.

use crate::error::Result;
use crate::read::message::not_a_number;
use crate::read::number::{Problem, is_missing};
use crate::schema::role::{Clock, Kind, Role};
use crate::table::{Numbers, Values, Words};
use crate::time::{self, Times};

/// The seconds of so many ticks, of which some make a second (at least one): the same number whatever they are. None beyond the
/// calendar.
pub fn seconds_of_ticks(ticks: i64, per_second: i64) -> Option<f64> {
    time::seconds(ticks, per_second.max(1))
}

/// Texts of a column of times as their seconds, as the texts of a file are read.
pub fn times_of_words(source: &str, name: &str, clock: Clock, words: &Words) -> Result<Values> {
    let mut times = Times::new(clock);
    let mut seconds = Vec::with_capacity(words.dictionary.len());
    for (at, text) in words.dictionary.iter().enumerate() {
        if is_missing(text.as_bytes()) {
            times.numbers.push(f64::NAN);
        } else if times.push(text).is_none() {
            let row = words.codes.iter().position(|code| *code as usize == at).unwrap_or(0);
            let role = Role::Feature(Some(Kind::Time(clock)));
            let place = format!("row {}", row + 1);
            return Err(not_a_number(source, &place, (name, role), text.as_bytes(), Problem::Time(clock)));
        }
        seconds.push(times.numbers.get(at));
    }
    let mut numbers = Numbers::new();
    for code in &words.codes {
        numbers.push(seconds.get(*code as usize).copied().unwrap_or(f64::NAN));
    }
    Ok(Values::Numbers(numbers))
}
