//! Options that take one of several words.

use super::{Declaration, Describe, Group, OptionInfo, OptionKind};

/// One of several words: each with the value that it stands for, and its meaning.
pub type ChoiceWords<T> = &'static [(&'static str, T, &'static str)];

pub(super) fn meanings<T>(words: ChoiceWords<T>) -> Vec<(&'static str, &'static str)> {
    words.iter().map(|(word, _, meaning)| (*word, *meaning)).collect()
}

pub(super) fn listed<T>(words: ChoiceWords<T>) -> String {
    words.iter().map(|word| word.0).collect::<Vec<_>>().join(", ")
}

/// An option that takes one of several words.
#[derive(Clone, Copy, Debug)]
pub struct Choice<T: 'static> {
    name: &'static str,
    help: &'static str,
    group: Group,
    words: ChoiceWords<T>,
}

impl<T> Choice<T> {
    /// An option of a booster.
    pub const fn new(name: &'static str, help: &'static str, words: ChoiceWords<T>) -> Self {
        Self { name, help, group: Group::Boosting, words }
    }

    /// An option of a weak learner.
    pub const fn of_learner(name: &'static str, help: &'static str, words: ChoiceWords<T>) -> Self {
        Self { name, help, group: Group::Learner, words }
    }

    /// The words, the values and their meanings.
    pub const fn words(&self) -> ChoiceWords<T> {
        self.words
    }
}

impl<T: Copy + PartialEq> Choice<T> {
    /// The word for a value.
    pub fn word(&self, value: T) -> &'static str {
        self.words.iter().find(|word| word.1 == value).map_or("", |word| word.0)
    }
}

impl<T: Sync> Describe for Choice<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn info(&self) -> OptionInfo {
        let Self { name, help, group, words } = self;
        let (words, allowed) = (meanings(words), listed(words));
        OptionInfo { name, help, group: *group, kind: OptionKind::Word, words, allowed }
    }
}

impl<T: Copy + PartialEq + Sync> Declaration for Choice<T> {
    type Value = T;

    fn parse(&self, text: &str) -> Option<T> {
        self.words.iter().find(|word| word.0 == text).map(|word| word.1)
    }

    fn text(&self, value: &T) -> String {
        self.word(*value).to_string()
    }
}
