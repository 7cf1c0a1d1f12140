//! What each column of a table is for.
//!
//! A reader asks its [`Plan`] once, when it knows the header, and reads each column as its role wants it: targets
//! as text to the letter, labels and weights as numbers, features by their kind or by inference.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::schema::dialect::Dialect;

/// How a feature's values are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// Ordered values.
    Number,
    /// Names without order.
    Category,
    /// Words of a language.
    Text,
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An input; its kind is inferred where the plan does not say. A finished table always says.
    Feature(Option<Kind>),
    /// The class of each row, kept as text to the letter.
    Target,
    /// One label of a label set, 0 or 1.
    Label,
    /// The weight of each row.
    Weight,
    /// Read as text for whoever asked for it; no model looks at it.
    Kept,
    /// Not read.
    Ignored,
}

/// Decides the role of every column from the header, and may know how a text table is written.
pub trait Plan: Sync {
    /// One role for each name of the header.
    fn roles(&self, header: &[String]) -> Result<Vec<Role>>;

    /// How the file is written, where somebody said it.
    fn dialect(&self) -> Option<&Dialect> {
        None
    }
}
