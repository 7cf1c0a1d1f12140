//! Which options something takes, found by asking it: once as it is, and once for each word that its choices offer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use manyboost_data::Result;

use crate::spec::option::{Describe, OptionInfo};
use crate::spec::options::{Options, Value};

/// Words that other options have.
type Others = BTreeMap<&'static str, &'static str>;

/// An option that is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenOption {
    /// What it is; its words are those that can be said here.
    pub info: OptionInfo,
    /// Its value where it is not given, of several sizes of data all; none if nothing is done then.
    pub defaults: Vec<String>,
    /// What other options must say for it.
    pub with: Others,
}

/// Words as they are said in a text.
fn said(words: &Others) -> String {
    words.iter().map(|(name, word)| format!("`{name}={word}`")).collect::<Vec<_>>().join(" ")
}

impl TakenOption {
    /// What it decides, and what other options must say for it.
    pub fn help(&self) -> String {
        let with = if self.with.is_empty() { String::new() } else { format!(" (with {})", said(&self.with)) };
        format!("{}{with}", self.info.help)
    }

    /// Its default in words, if it has one.
    pub fn default_text(&self) -> Option<String> {
        let numbers: Option<Vec<f64>> = self.defaults.iter().map(|text| text.parse().ok()).collect();
        let pick = |of: fn(f64, f64) -> f64, numbers: &[f64]| numbers.iter().copied().reduce(of);
        match (self.defaults.as_slice(), numbers) {
            ([], _) => None,
            ([one], _) => Some(one.clone()),
            (_, Some(numbers)) => {
                let (least, most) = (pick(f64::min, &numbers)?, pick(f64::max, &numbers)?);
                Some(format!("{least} to {most}, by the size of the data"))
            }
            (words, None) => Some(format!("{}, by the size of the data", words.join(" or "))),
        }
    }
}

/// Which options something takes, and what other options must say for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taking(Vec<TakenOption>);

/// Asks what is taken where other words are said.
struct Asking<'a, F> {
    given: &'a BTreeMap<String, Value>,
    build: F,
    found: BTreeMap<&'static str, (&'static dyn Describe, Option<String>, Others)>,
    /// Words that were said, and fitted.
    fitting: BTreeSet<(&'static str, &'static str)>,
}

impl<F: Fn(&mut Options) -> Result<()>> Asking<'_, F> {
    /// Says these words: what is taken then, if they fit together.
    fn say(&mut self, words: &Others) -> Option<Options> {
        let said = words.iter().map(|(name, word)| ((*name).to_string(), Value::from(*word)));
        let mut options = Options::new(self.given.clone().into_iter().chain(said));
        // What does not fit together takes nothing.
        if (self.build)(&mut options).is_err() || options.left().next().is_some() {
            return None;
        }
        self.fitting.extend(words.iter().map(|(name, word)| (*name, *word)));
        Some(options)
    }

    /// Asks for all words, so many of them changed at the same time.
    fn ask(&mut self, changed: usize) {
        let (mut layer, mut tried) = (vec![Others::new()], BTreeSet::new());
        for _ in 0..=changed {
            let mut next = Vec::new();
            for words in std::mem::take(&mut layer) {
                if !tried.insert(words.clone()) {
                    continue;
                }
                let Some(options) = self.say(&words) else { continue };
                let before = self.found.len();
                for option in options.known() {
                    let default =
                        || (option, options.taken(option.name()).map(str::to_string), words.clone());
                    self.found.entry(option.name()).or_insert_with(default);
                }
                // Words that bring nothing new are not looked behind.
                if !words.is_empty() && self.found.len() == before {
                    continue;
                }
                for option in options.known().filter(|option| !words.contains_key(option.name())) {
                    let other = |word: &&str| options.taken(option.name()) != Some(word);
                    let offered = option.info().words.into_iter().map(|word| word.0).filter(other);
                    next.extend(offered.map(|word| {
                        words.iter().map(|(n, w)| (*n, *w)).chain([(option.name(), word)]).collect()
                    }));
                }
            }
            layer = next;
        }
    }

    /// Whether a word can be said, as things are or together with another word.
    fn can_say(
        &mut self,
        name: &'static str,
        word: &'static str,
        words: &[(&'static str, &'static str)],
    ) -> bool {
        self.fitting.contains(&(name, word))
            || words
                .iter()
                .any(|other| other.0 != name && self.say(&Others::from([(name, word), *other])).is_some())
    }
}

impl Taking {
    /// So many words are changed at the same time to see what is taken then.
    const CHANGED: usize = 2;

    /// What `build` takes when these options are given, and what it takes when it is given other words than they have.
    pub fn of(given: &BTreeMap<String, Value>, build: impl Fn(&mut Options) -> Result<()>) -> Self {
        let mut asking = Asking { given, build, found: BTreeMap::new(), fitting: BTreeSet::new() };
        asking.ask(Self::CHANGED);
        let taken = |(_, (option, default, with)): (_, (&'static dyn Describe, Option<String>, Others))| {
            TakenOption { info: option.info(), defaults: default.into_iter().collect(), with }
        };
        let mut options: Vec<TakenOption> =
            std::mem::take(&mut asking.found).into_iter().map(taken).collect();
        let each = |option: &TakenOption| -> Vec<_> {
            option.info.words.iter().map(|word| (option.info.name, word.0)).collect()
        };
        let words: Vec<(&str, &str)> = options.iter().flat_map(each).collect();
        for option in &mut options {
            let name = option.info.name;
            option.info.words.retain(|(word, _)| {
                option.defaults.iter().any(|default| default == word) || asking.can_say(name, word, &words)
            });
        }
        Self(options)
    }

    /// The options, by name.
    pub fn options(&self) -> &[TakenOption] {
        &self.0
    }

    /// The same.
    pub(crate) fn into_options(self) -> Vec<TakenOption> {
        self.0
    }
}

impl Display for Taking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut groups: BTreeMap<&Others, Vec<String>> = BTreeMap::new();
        for option in &self.0 {
            groups.entry(&option.with).or_default().push(format!("`{}`", option.info.name));
        }
        let group = |(words, names): (&&Others, &Vec<String>)| {
            let with = if words.is_empty() { String::new() } else { format!("with {} also ", said(words)) };
            with + &names.join(", ")
        };
        f.write_str(&groups.iter().map(group).collect::<Vec<_>>().join("; "))
    }
}
