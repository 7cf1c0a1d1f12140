//! How much each feature matters, for the eye.

pub use manyboost::evaluate::importance::{Importance, of};

use crate::messages;

/// What tables show.
pub trait Shown {
    /// The feature's name.
    fn shown(&self) -> String;
}

impl Shown for Importance {
    fn shown(&self) -> String {
        let column = messages::name(&self.column);
        self.word.as_ref().map_or(column.clone(), |word| format!("{column} has \"{}\"", messages::name(word)))
    }
}
