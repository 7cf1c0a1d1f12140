//! How much each feature matters, for the eye.

pub use manyboost::evaluate::importance::{Importance, of};

use crate::say;

/// What tables show.
pub trait Shown {
    /// The feature's name.
    fn shown(&self) -> String;
}

impl Shown for Importance {
    fn shown(&self) -> String {
        let column = say::name(&self.column);
        self.word.as_ref().map_or(column.clone(), |word| format!("{column} has \"{}\"", say::name(word)))
    }
}
