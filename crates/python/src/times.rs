//! Times that Python keeps, as seconds.

use manyboost_data::read::{seconds_of_ticks, times_of_words};
use manyboost_data::{Error, ErrorKind, FeatureSpec, Kind, Numbers, Result, Values};

use crate::columns::SOURCE;

/// The seconds of ticks, of which so many make one; the smallest number stands for a missing time.
pub fn seconds(name: &str, ticks: impl Iterator<Item = i64>, per_second: i64) -> Result<Numbers> {
    let mut numbers = Numbers::new();
    for (row, ticks) in ticks.enumerate() {
        let missing = ticks == i64::MIN;
        let seconds = if missing { Some(f64::NAN) } else { seconds_of_ticks(ticks, per_second) };
        numbers.push(seconds.ok_or_else(|| {
            let what = format!("X: column \"{name}\", value {}: a time beyond the calendar", row + 1);
            Error::new(ErrorKind::Column, what, "correct the value, or leave it out")
        })?);
    }
    Ok(numbers)
}

/// Values where a model knows numbers or times: texts may say times, and only a column without any value has no type of its own.
pub fn times_or_numbers(spec: &FeatureSpec, own: Kind, values: Values) -> Result<Values> {
    let refused = |wanted: &str| {
        let what = format!("X: column \"{}\" does not hold {wanted}", spec.name);
        Err(Error::new(ErrorKind::Column, what, "give the column the kind of values that it is used as"))
    };
    match (spec.kind, own, values) {
        (Kind::Time(clock), _, Values::Words(words)) => times_of_words(SOURCE, &spec.name, clock, &words),
        (Kind::Time(_), kind @ Kind::Time(_), values) if kind.name() == spec.kind.name() => Ok(values),
        (Kind::Number, Kind::Time(_), _) => refused("numbers"),
        (Kind::Time(_), _, Values::Numbers(numbers))
            if (0..numbers.len()).all(|row| numbers.get(row).is_nan()) =>
        {
            Ok(Values::Numbers(numbers))
        }
        (Kind::Time(_), ..) => {
            refused(if spec.kind.name() == "duration" { "durations" } else { "dates or times" })
        }
        (_, _, values) => Ok(values),
    }
}
