//! Dates, times and durations.
//!
//! A column of them is a column of numbers: seconds since 1970 in UTC, or seconds since midnight or since whatever a duration began. A time
//! that names no zone is taken as it stands, as if it were UTC; one that names its distance from UTC is brought there. Time zones by their
//! names are nobody's to know: their rules change, and a model should answer tomorrow what it answers today.
//!
//! Trees see the seconds and, of points in time, the [`Part`]s of the calendar that were not the same in all training rows.

mod calendar;
mod moment;
mod span;
mod times;

pub use calendar::Part;
pub(crate) use calendar::{seconds, shown};
pub(crate) use times::{Seen, Times, turned_all};
