//! Options by name: what a user may set on a booster or a learner, checked once.
//!
//! A registry entry takes the options that it knows; whatever is left over is an error, never ignored. Nothing lists what an
//! entry takes: it is found by asking it ([`Taking::of`]), once for each word that its choices offer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::str::FromStr;

use manyboost_data::{Error, ErrorKind, Result};

/// Options that were given, by name (without dashes), not yet taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    given: BTreeMap<String, String>,
    /// Options that were given, taken or not.
    all: BTreeMap<String, String>,
    /// Every option that was asked for, with the value that counts: what a model remembers of its making.
    taken: BTreeMap<String, String>,
    /// Every option that would be taken if it were given.
    known: BTreeSet<String>,
    /// The options that take one of several words, and the words.
    words: Vec<(String, Vec<String>)>,
    /// Whether a model remembers them: it has what was in files, not their names.
    remembered: bool,
}

impl Options {
    /// From names and values.
    pub fn new(given: impl IntoIterator<Item = (String, String)>) -> Self {
        let given: BTreeMap<String, String> = given.into_iter().collect();
        Self { all: given.clone(), given, ..Self::default() }
    }

    /// As a model remembers them. No file is opened for them.
    pub fn remembered(given: BTreeMap<String, String>) -> Self {
        Self { remembered: true, ..Self::new(given) }
    }

    /// Whether an option was given and not yet taken. Only what will be taken if it is there is asked for.
    pub fn has(&mut self, name: &str) -> bool {
        self.known.insert(name.to_string());
        self.given.contains_key(name)
    }

    /// The value of an option that was given, if it is taken.
    fn give(&mut self, name: &str) -> Option<String> {
        self.known.insert(name.to_string());
        self.given.remove(name)
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
        let value = match self.give(name) {
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
            self.give(name);
            self.taken.insert(name.to_string(), "auto".to_string());
            return Ok(None);
        }
        self.number(name, 0.0, fine, range).map(Some)
    }

    /// Takes one of several words or the name of a file; [`Options::remember`] says better what the file stands for. What a
    /// model remembers of a file is taken for the default.
    pub fn word_or_file(&mut self, name: &str, default: &str, words: &[&str]) -> String {
        self.offer(name, words.iter().copied());
        let text = self.give(name).unwrap_or_else(|| default.to_string());
        self.remember(name, &text);
        if self.remembered && !words.contains(&text.as_str()) { default.to_string() } else { text }
    }

    /// Takes the name of a file, if one was given. What a model remembers of a file is taken, and is none.
    pub fn file(&mut self, name: &str) -> Option<String> {
        let path = self.give(name)?;
        self.remember(name, &path);
        (!self.remembered).then_some(path)
    }

    fn offer<'a>(&mut self, name: &str, words: impl Iterator<Item = &'a str>) {
        self.words.push((name.to_string(), words.map(str::to_string).collect()));
    }

    /// What a model remembers of an option that was taken.
    pub fn remember(&mut self, name: &str, value: &str) {
        self.taken.insert(name.to_string(), value.to_string());
    }

    /// Takes one of several words.
    pub fn choice<T: Copy>(&mut self, name: &str, choices: &[(&str, T)]) -> Result<T> {
        self.offer(name, choices.iter().map(|choice| choice.0));
        let given = self.give(name);
        let word = given.as_deref().unwrap_or(choices[0].0);
        let found = choices.iter().find(|(choice, _)| *choice == word);
        let Some(&(word, value)) = found else {
            let words: Vec<&str> = choices.iter().map(|c| c.0).collect();
            let what = format!("--{name} {word}: unknown");
            let near =
                manyboost_data::nearest(word, &words.iter().map(ToString::to_string).collect::<Vec<_>>());
            let meant = if near.starts_with("did") { near + " " } else { String::new() };
            let remedy = format!("{meant}--{name} takes {}", words.join(", "));
            return Err(Error::new(ErrorKind::Parameter, what, remedy));
        };
        self.taken.insert(name.to_string(), word.to_string());
        Ok(value)
    }

    /// The options that were given and not taken.
    pub(crate) fn left(&self) -> impl Iterator<Item = &String> {
        self.given.keys()
    }

    /// Every option that was asked for with the value that counts, if none is left over. `build` is what took them: asked again,
    /// it says what else it would take.
    pub fn finish(
        self,
        user: &str,
        build: impl Fn(&mut Self) -> Result<()>,
    ) -> Result<BTreeMap<String, String>> {
        let Some(name) = self.left().next() else { return Ok(self.taken) };
        let what = format!("{user} does not use --{name}");
        let fitting = self.all.iter().filter(|(name, _)| !self.given.contains_key(*name));
        let taking = Taking::of(&fitting.map(|(name, value)| (name.clone(), value.clone())).collect(), build);
        Err(Error::new(ErrorKind::Parameter, what, format!("it takes {taking}")))
    }
}

/// Words that other options have.
type Words = BTreeMap<String, String>;

/// Which options something takes, and what other options must say for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taking(BTreeMap<String, Words>);

impl Taking {
    /// So many words are changed at the same time to see what is taken then.
    const CHANGED: usize = 2;

    /// What `build` takes when these options are given, and what it takes when it is given other words than they have.
    pub fn of(given: &Words, build: impl Fn(&mut Options) -> Result<()>) -> Self {
        let (mut taking, mut tried) = (Self::default(), BTreeSet::new());
        let mut layer = vec![Words::new()];
        for _ in 0..=Self::CHANGED {
            let mut next = Vec::new();
            for words in std::mem::take(&mut layer) {
                let all = given.clone().into_iter().chain(words.clone());
                let mut options = Options::new(all);
                // What does not fit together takes nothing.
                if !tried.insert(words.clone()) || build(&mut options).is_err() || !options.given.is_empty() {
                    continue;
                }
                let before = taking.0.len();
                for name in options.known {
                    taking.0.entry(name).or_insert_with(|| words.clone());
                }
                // Words that bring nothing new are not looked behind.
                if !words.is_empty() && taking.0.len() == before {
                    continue;
                }
                for (name, offered) in options.words.iter().filter(|(name, _)| !words.contains_key(name)) {
                    let other = |word: &&String| options.taken.get(name) != Some(word);
                    let changed = |word: &String| {
                        words.iter().chain([(name, word)]).map(|(n, w)| (n.clone(), w.clone())).collect()
                    };
                    next.extend(offered.iter().filter(other).map(changed));
                }
            }
            layer = next;
        }
        taking
    }

    /// The names of the options, each with what others must say.
    pub fn options(&self) -> impl Iterator<Item = (&str, &BTreeMap<String, String>)> {
        self.0.iter().map(|(name, words)| (name.as_str(), words))
    }
}

impl Display for Taking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut groups: BTreeMap<&Words, Vec<String>> = BTreeMap::new();
        for (name, words) in &self.0 {
            groups.entry(words).or_default().push(format!("--{name}"));
        }
        let said = |(words, names): (&&Words, &Vec<String>)| {
            let with: Vec<String> = words.iter().map(|(name, word)| format!("--{name} {word}")).collect();
            let with = if with.is_empty() { String::new() } else { format!("with {} also ", with.join(" ")) };
            with + &names.join(", ")
        };
        f.write_str(&groups.iter().map(said).collect::<Vec<_>>().join("; "))
    }
}
