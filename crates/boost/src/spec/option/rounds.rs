//! The option of rounds: a number, or a word for how it is found.

use super::{Declaration, Describe, Group, Number, OptionInfo, Range};

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedRounds {
    /// So many.
    Given(usize),
    /// As many as are good for rows that were not trained on.
    Auto,
    /// The square root of the number of rows: with clamped scores AdaBoost.MM is then consistent (Mukherjee & Schapire 2013, Theorem 29).
    Root,
}

/// The option.
#[derive(Clone, Copy, Debug)]
pub struct RoundsOption;

/// The rounds of boosting.
pub const ROUNDS: RoundsOption = RoundsOption;

const NUMBER: Number<usize> = Number::new("rounds", "Most rounds of boosting", Range::from_to(1, 10_000_000));

/// The words, with what they mean.
const WORDS: [(&str, &str); 2] = [
    ("auto", "as many as are good for rows that were not trained on"),
    ("sqrt", "the square root of the number of rows"),
];

impl Describe for RoundsOption {
    fn name(&self) -> &'static str {
        "rounds"
    }

    fn info(&self) -> OptionInfo {
        let info = NUMBER.info();
        let allowed = format!("auto, sqrt, or {}", info.allowed);
        OptionInfo { words: WORDS.to_vec(), allowed, group: Group::Boosting, ..info }
    }
}

impl Declaration for RoundsOption {
    type Value = AskedRounds;

    fn parse(&self, text: &str) -> Option<AskedRounds> {
        match text {
            "auto" => Some(AskedRounds::Auto),
            "sqrt" => Some(AskedRounds::Root),
            _ => NUMBER.parse(text).map(AskedRounds::Given),
        }
    }

    fn text(&self, rounds: &AskedRounds) -> String {
        match rounds {
            AskedRounds::Given(rounds) => rounds.to_string(),
            AskedRounds::Auto => "auto".into(),
            AskedRounds::Root => "sqrt".into(),
        }
    }
}
