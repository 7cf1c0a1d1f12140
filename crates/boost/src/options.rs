//! Options by name: what a user may set on a booster or a learner, checked once.
//!
//! A registry entry takes the options that it knows; whatever is left over is an error, never ignored.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use polyboost_data::{Error, ErrorKind, Result};

/// Options that were given, by name (without dashes), not yet taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    given: BTreeMap<String, String>,
    /// Every option that was asked for, with the value that counts: what a model remembers of its making.
    taken: BTreeMap<String, String>,
}

impl Options {
    /// From names and values.
    pub fn new(given: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { given: given.into_iter().collect(), taken: BTreeMap::new() }
    }

    /// Whether an option was given and not yet taken.
    pub fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// The value of an option that has been taken.
    pub fn taken(&self, name: &str) -> Option<&str> {
        self.taken.get(name).map(String::as_str)
    }

    /// Takes a number in a range (`range` says it in words).
    pub fn number<T>(&mut self, name: &str, default: T, fine: impl Fn(&T) -> bool, range: &str) -> Result<T>
    where
        T: FromStr + Display + Clone,
    {
        let value = match self.given.remove(name) {
            None => default,
            Some(text) => match text.parse::<T>() {
                Ok(value) if fine(&value) => value,
                _ => {
                    let what = format!("--{name} {text}: not a number in range");
                    return Err(Error::new(ErrorKind::Parameter, what, format!("--{name} takes {range}")));
                }
            },
        };
        self.taken.insert(name.to_string(), value.to_string());
        Ok(value)
    }

    /// Takes a number in a range, or nothing for the word `auto`, which is the default.
    pub fn number_or_auto(
        &mut self,
        name: &str,
        fine: impl Fn(&f64) -> bool,
        range: &str,
    ) -> Result<Option<f64>> {
        if self.given.get(name).is_none_or(|text| text == "auto") {
            self.given.remove(name);
            self.taken.insert(name.to_string(), "auto".to_string());
            return Ok(None);
        }
        self.number(name, 0.0, fine, range).map(Some)
    }

    /// Takes a text as it is; [`Options::remember`] may say better what it stands for.
    pub fn text(&mut self, name: &str, default: &str) -> String {
        let text = self.given.remove(name).unwrap_or_else(|| default.to_string());
        self.remember(name, &text);
        text
    }

    /// What a model remembers of an option that was taken.
    pub fn remember(&mut self, name: &str, value: &str) {
        self.taken.insert(name.to_string(), value.to_string());
    }

    /// Takes one of several words.
    pub fn choice<T: Copy>(&mut self, name: &str, choices: &[(&str, T)]) -> Result<T> {
        let given = self.given.remove(name);
        let word = given.as_deref().unwrap_or(choices[0].0);
        let found = choices.iter().find(|(choice, _)| *choice == word);
        let Some(&(word, value)) = found else {
            let words: Vec<&str> = choices.iter().map(|c| c.0).collect();
            let what = format!("--{name} {word}: unknown");
            let near =
                polyboost_data::nearest(word, &words.iter().map(ToString::to_string).collect::<Vec<_>>());
            let meant = if near.starts_with("did") { near + " " } else { String::new() };
            let remedy = format!("{meant}--{name} takes {}", words.join(", "));
            return Err(Error::new(ErrorKind::Parameter, what, remedy));
        };
        self.taken.insert(name.to_string(), word.to_string());
        Ok(value)
    }

    /// Every option that was asked for with the value that counts, if none is left over.
    pub fn finish(self, user: &str) -> Result<BTreeMap<String, String>> {
        match self.given.keys().next() {
            None => Ok(self.taken),
            Some(name) => {
                let known: Vec<String> = self.taken.keys().map(|k| format!("--{k}")).collect();
                let what = format!("{user} does not use --{name}");
                Err(Error::new(ErrorKind::Parameter, what, format!("it takes {}", known.join(", "))))
            }
        }
    }
}
