//! Options that take a matrix or costs: in memory, or from a file.

use super::choice::{ChoiceWords, listed, meanings};
use super::{Describe, Group, OptionInfo, OptionKind};

/// An option that takes one of several words, or a matrix with a row for each class.
#[derive(Clone, Copy, Debug)]
pub struct WordOrMatrix<T: 'static> {
    name: &'static str,
    help: &'static str,
    pub(in crate::spec) words: ChoiceWords<T>,
    rows: &'static str,
}

impl<T> WordOrMatrix<T> {
    /// An option of a booster; `rows` says what the rows of a matrix are: "numbers", "+1 and −1".
    pub const fn new(
        name: &'static str,
        help: &'static str,
        words: ChoiceWords<T>,
        rows: &'static str,
    ) -> Self {
        Self { name, help, words, rows }
    }
}

impl<T: Sync> Describe for WordOrMatrix<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn info(&self) -> OptionInfo {
        let Self { name, help, words, rows } = *self;
        let allowed = format!("{}, or a file with a row of {rows} for each class", listed(words));
        let (group, kind, words) = (Group::Boosting, OptionKind::Matrix, meanings(words));
        OptionInfo { name, help, group, kind, words, allowed }
    }
}

/// An option that takes what mistakes cost.
#[derive(Clone, Copy, Debug)]
pub struct CostsOption {
    name: &'static str,
    help: &'static str,
    allowed: &'static str,
}

impl CostsOption {
    /// An option of a booster; `allowed` says what such costs look like.
    pub const fn new(name: &'static str, help: &'static str, allowed: &'static str) -> Self {
        Self { name, help, allowed }
    }
}

impl Describe for CostsOption {
    fn name(&self) -> &'static str {
        self.name
    }

    fn info(&self) -> OptionInfo {
        let Self { name, help, allowed } = *self;
        let (group, kind, allowed) = (Group::Boosting, OptionKind::Costs, allowed.to_string());
        OptionInfo { name, help, group, kind, words: Vec::new(), allowed }
    }
}
