//! Options by name: what a user has set on a booster or a learner, checked once.
//!
//! A registry entry takes the options that it knows, each by its [declaration](super::option); whatever is left over is an error,
//! never ignored.

use std::collections::BTreeMap;

use manyboost_data::wording::alike;
use manyboost_data::{Error, ErrorKind, Result};

use crate::codes::matrix::Matrix;
use crate::evaluate::costs::Costs;
use crate::spec::option::{CostsOption, Declaration, Describe, OptionKind, WordOrMatrix};
use crate::spec::registry::Size;
use crate::spec::taking::Taking;

/// What an option was set to.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A word, a number or the name of a file.
    Text(String),
    /// A row for each class.
    Matrix(Matrix),
    /// What mistakes cost.
    Costs(Costs),
}

impl Value {
    /// As messages show it.
    fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Matrix(matrix) => format!("a matrix of {} × {}", matrix.rows(), matrix.width()),
            Self::Costs(_) => "costs".to_string(),
        }
    }
}

macro_rules! texts {
    ($($type:ty),*) => {
        $(impl From<$type> for Value {
            fn from(value: $type) -> Self {
                Self::Text(value.to_string())
            }
        })*
    };
}

texts!(&str, String, i32, u32, u64, usize, f64);

impl From<Matrix> for Value {
    fn from(matrix: Matrix) -> Self {
        Self::Matrix(matrix)
    }
}

impl From<Costs> for Value {
    fn from(costs: Costs) -> Self {
        Self::Costs(costs)
    }
}

/// A word, or a matrix instead of one.
#[derive(Clone, Debug, PartialEq)]
pub enum WordOr<T> {
    /// The value of a word.
    Word(T),
    /// A row for each class.
    Matrix(Matrix),
}

/// Declarations by name.
#[derive(Clone, Default)]
pub(super) struct Known(BTreeMap<&'static str, &'static dyn Describe>);

impl std::fmt::Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// Options that were given, by name (without dashes in front), not yet taken.
#[derive(Clone, Debug, Default)]
pub struct Options {
    given: BTreeMap<String, Value>,
    /// Options that were given, taken or not; what was read from files stands here instead of their names.
    all: BTreeMap<String, Value>,
    /// Every option that was asked for, with the value that counts: what a model remembers of its making.
    taken: BTreeMap<String, String>,
    /// Every option that would be taken if it were given.
    known: Known,
    /// Whether a model remembers them: it has what was in files, not their names.
    remembered: bool,
    /// How much data there are, once it is known: defaults may depend on it.
    size: Size,
}

impl Options {
    /// From names and values.
    pub fn new<V: Into<Value>>(given: impl IntoIterator<Item = (String, V)>) -> Self {
        let given: BTreeMap<_, _> = given.into_iter().map(|(name, value)| (name, value.into())).collect();
        Self { all: given.clone(), given, ..Self::default() }
    }

    /// As a model remembers them. No file is opened for them.
    pub fn remembered(given: BTreeMap<String, String>) -> Self {
        Self { remembered: true, ..Self::new(given) }
    }

    /// For data of a size.
    pub(super) fn set_size(&mut self, size: Size) {
        self.size = size;
    }

    /// The size of the data, which defaults may depend on.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whether something was given by this name.
    pub fn is_given(&self, name: &str) -> bool {
        self.all.contains_key(name)
    }

    /// Whether an option was given and not yet taken. Only what will be taken if it is there is asked for.
    pub fn has(&mut self, option: &'static impl Describe) -> bool {
        self.known.0.insert(option.name(), option);
        self.given.contains_key(option.name())
    }

    /// The value of an option that has been taken.
    pub fn taken(&self, name: &str) -> Option<&str> {
        self.taken.get(name).map(String::as_str)
    }

    /// Takes an option, which has this value if it was not given.
    pub fn take<D: Declaration>(&mut self, option: &'static D, default: D::Value) -> Result<D::Value> {
        let value = self.given(option)?.unwrap_or(default);
        self.remember(option.name(), &option.text(&value));
        Ok(value)
    }

    /// Takes an option if it was given; else models do not remember it.
    pub fn take_given<D: Declaration>(&mut self, option: &'static D) -> Result<Option<D::Value>> {
        let value = self.given(option)?;
        if let Some(value) = &value {
            self.remember(option.name(), &option.text(value));
        }
        Ok(value)
    }

    /// The value of an option that was given, if it is one.
    fn given<D: Declaration>(&mut self, option: &'static D) -> Result<Option<D::Value>> {
        let parse = |value: &Value| match value {
            Value::Text(text) => option.parse(text),
            Value::Matrix(_) | Value::Costs(_) => None,
        };
        let Some(value) = self.remove(option) else { return Ok(None) };
        parse(&value).map(Some).ok_or_else(|| refused(option, &value))
    }

    /// What was given for an option, which is known from now on.
    fn remove(&mut self, option: &'static dyn Describe) -> Option<Value> {
        self.known.0.insert(option.name(), option);
        self.given.remove(option.name())
    }

    /// Takes one of several words, or a matrix: in memory or from a file, whose numbers models remember as `text` writes them. What a
    /// model remembers of a matrix is taken for the default.
    pub fn take_matrix<T: Copy + Sync>(
        &mut self,
        option: &'static WordOrMatrix<T>,
        default: &'static str,
        text: impl Fn(&Matrix) -> Result<String>,
    ) -> Result<WordOr<T>> {
        let matrix = match self.remove(option) {
            Some(Value::Matrix(matrix)) => matrix,
            Some(value @ Value::Costs(_)) => return Err(refused(option, &value)),
            given => {
                let given = match given {
                    Some(Value::Text(text)) => text,
                    _ => default.to_string(),
                };
                self.remember(option.name(), &given);
                let word = option.words.iter().find(|word| word.0 == given);
                let or_default = || option.words.iter().find(|word| self.remembered && word.0 == default);
                if let Some((_, value, _)) = word.or_else(or_default) {
                    return Ok(WordOr::Word(*value));
                }
                Matrix::read(option.name(), &given, &option.info().allowed)?
            }
        };
        let text = text(&matrix)?;
        self.remember(option.name(), &text);
        self.all.insert(option.name().to_string(), Value::Matrix(matrix.clone()));
        Ok(WordOr::Matrix(matrix))
    }

    /// Takes what mistakes cost, if it was given: in memory or in a file. Models remember the costs; what they remember is taken, and
    /// is none.
    pub fn take_costs(&mut self, option: &'static CostsOption) -> Result<Option<Costs>> {
        let costs = match self.remove(option) {
            None => return Ok(None),
            Some(Value::Text(text)) if self.remembered => {
                self.remember(option.name(), &text);
                return Ok(None);
            }
            Some(Value::Text(path)) => Costs::read(&path)?,
            Some(Value::Costs(costs)) => costs,
            Some(value @ Value::Matrix(_)) => return Err(refused(option, &value)),
        };
        self.remember(option.name(), &costs.text());
        self.all.insert(option.name().to_string(), Value::Costs(costs.clone()));
        Ok(Some(costs))
    }

    /// What a model remembers of an option that was taken.
    pub fn remember(&mut self, name: &str, value: &str) {
        self.taken.insert(name.to_string(), value.to_string());
    }

    /// The options that were given and not taken.
    pub(crate) fn left(&self) -> impl Iterator<Item = &String> {
        self.given.keys()
    }

    /// Every option that would be taken if it were given.
    pub(super) fn known(&self) -> impl Iterator<Item = &'static dyn Describe> {
        self.known.0.values().copied()
    }

    /// All that were given, with what was read from files.
    pub(super) fn read(&self) -> Self {
        let all = self.all.clone();
        Self { given: all.clone(), all, remembered: self.remembered, ..Self::default() }
    }

    /// Every option that was asked for with the value that counts, if none is left over. `build` is what took them: asked again,
    /// it says what else it would take.
    pub fn finish(
        self,
        user: &str,
        build: impl Fn(&mut Self) -> Result<()>,
    ) -> Result<BTreeMap<String, String>> {
        let Some(name) = self.left().next() else { return Ok(self.taken) };
        let what = format!("{user} does not use `{name}`");
        let fitting = self.all.iter().filter(|(name, _)| !self.given.contains_key(*name));
        let taking = Taking::of(&fitting.map(|(name, value)| (name.clone(), value.clone())).collect(), build);
        Err(Error::new(ErrorKind::Parameter, what, format!("it takes {taking}")))
    }
}

/// The error of a value that an option does not take.
fn refused(option: &dyn Describe, value: &Value) -> Error {
    let (info, value) = (option.info(), value.shown());
    let words: Vec<&str> = info.words.iter().map(|word| word.0).collect();
    let meant = if info.kind == OptionKind::Word { alike(&value, &words) } else { None };
    let [name, allowed] = [info.name, &info.allowed].map(str::to_string);
    Error::Parameter { name, value, allowed, meant: meant.map(|word| format!("{word:?}")) }
}
