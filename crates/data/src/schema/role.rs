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
    /// Dates, times and durations, by their seconds.
    Time(Clock),
}

impl Kind {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Category => "category",
            Self::Text => "text",
            Self::Time(Clock::Span) => "duration",
            Self::Time(_) => "time",
        }
    }
}

/// What a column of times holds, and how texts say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Clock {
    /// Points in time, by the seconds since 1970 in UTC. No text leaves open what is the day and what is the month.
    Plain,
    /// The same; 03/04/2021 is in April.
    DayFirst,
    /// The same; 03/04/2021 is in March.
    MonthFirst,
    /// Times of day and durations, by their seconds.
    Span,
    /// Dates such as 03/04/2021, read with the day first: nothing has said yet which of both it is. No model has it.
    Open,
}

impl Clock {
    /// Of two parts of one column, if they can be.
    pub(crate) fn beside(self, other: Self) -> Option<Self> {
        match (self, other) {
            (own, other) if own == other => Some(own),
            (Self::Open, order @ (Self::DayFirst | Self::MonthFirst))
            | (order @ (Self::DayFirst | Self::MonthFirst), Self::Open) => Some(order),
            _ => None,
        }
    }

    /// Whether what was read with this order is read anew where the order turns out to be another.
    pub(crate) fn turns(self, into: Self) -> bool {
        self == Self::Open && into == Self::MonthFirst
    }
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

impl Role {
    /// Of two parts of one column, if they can be.
    pub(crate) fn beside(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Feature(Some(Kind::Time(own))), Self::Feature(Some(Kind::Time(other)))) => {
                own.beside(other).map(|clock| Self::Feature(Some(Kind::Time(clock))))
            }
            (own, other) => (own == other).then_some(own),
        }
    }
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
