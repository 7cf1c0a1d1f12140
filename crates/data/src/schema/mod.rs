//! What a model remembers of the table it was trained on: its columns by name, and the names of its answers.

pub mod dialect;
pub(crate) mod names;
pub mod plan;
pub mod role;

use std::hash::Hasher;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind, Result};
use crate::schema::role::Kind;
use crate::wording;

/// The columns that a model needs, and what it answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// The inputs, in the order of the training file.
    pub features: Vec<FeatureSpec>,
    /// The answers.
    pub target: TargetSpec,
}

/// One input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeatureSpec {
    /// The column's name.
    pub name: String,
    /// How its values are understood.
    pub kind: Kind,
}

/// What a model answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TargetSpec {
    /// One class for each row.
    Classes {
        /// The column of the class.
        column: String,
        /// The classes, in canonical order.
        names: Vec<String>,
    },
    /// A set of labels for each row.
    Sets {
        /// The label columns, by their full names, in the order of the training file.
        names: Vec<String>,
        /// What the names of all label columns begin with.
        prefix: String,
    },
}

impl TargetSpec {
    /// The names of the classes, or of the label columns.
    pub fn names(&self) -> &[String] {
        match self {
            Self::Classes { names, .. } | Self::Sets { names, .. } => names,
        }
    }

    /// The name of a class, or of a label without the prefix of its column.
    pub fn label(&self, index: usize) -> Option<&str> {
        match self {
            Self::Classes { names, .. } => names.get(index).map(String::as_str),
            Self::Sets { names, prefix } => {
                names.get(index).map(|n| n.strip_prefix(prefix.as_str()).unwrap_or(n))
            }
        }
    }
}

impl Schema {
    /// The position of a feature column.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.features.iter().position(|f| f.name == name)
    }

    /// Refuses what no training writes: repeated names, no features, no answers.
    pub fn validate(&self) -> Result<()> {
        let wrong = |what: String| Err(Error::new(ErrorKind::Model, what, "train the model again"));
        if self.features.is_empty() {
            return wrong("the model's schema has 0 feature(s)".into());
        }
        if self.target.names().is_empty() {
            return wrong("the model's schema has no classes".into());
        }
        let mut columns: Vec<&str> = self.features.iter().map(|f| f.name.as_str()).collect();
        match &self.target {
            TargetSpec::Classes { column, names } => {
                columns.push(column);
                if let Some(name) = repeated(names.iter().map(String::as_str).collect()) {
                    return wrong(format!("the model's schema has the class {} twice", wording::name(name)));
                }
            }
            TargetSpec::Sets { names, .. } => columns.extend(names.iter().map(String::as_str)),
        }
        match repeated(columns) {
            Some(name) => wrong(format!("the model's schema has the column {} twice", wording::name(name))),
            None => Ok(()),
        }
    }
}

/// A name that occurs twice.
fn repeated(mut names: Vec<&str>) -> Option<&str> {
    // Numbers are sorted far faster than names, and hardly ever are those of two names the same.
    let mut hashes: Vec<u64> = names.iter().map(|name| hash(name)).collect();
    hashes.sort_unstable();
    if hashes.windows(2).all(|pair| pair[0] != pair[1]) {
        return None;
    }
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

fn hash(name: &str) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(name.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(features: &[&str], column: &str, names: &[&str]) -> Schema {
        let features = features.iter().map(|&n| FeatureSpec { name: n.into(), kind: Kind::Number }).collect();
        let names = names.iter().map(|&n| n.into()).collect();
        Schema { features, target: TargetSpec::Classes { column: column.into(), names } }
    }

    #[test]
    fn hostile_schemas_are_refused() {
        assert!(schema(&["a", "b"], "y", &["0", "1"]).validate().is_ok());
        assert!(schema(&[], "y", &["0"]).validate().is_err());
        assert!(schema(&["a", "a"], "y", &["0"]).validate().is_err());
        assert!(schema(&["a", "y"], "y", &["0"]).validate().is_err());
        assert!(schema(&["a"], "y", &[]).validate().is_err());
        assert!(schema(&["a"], "y", &["0", "1", "0"]).validate().is_err());
    }

    #[test]
    fn labels_lose_their_prefix() {
        let target =
            TargetSpec::Sets { names: vec!["label:a".into(), "label:b".into()], prefix: "label:".into() };
        assert_eq!(target.label(1), Some("b"));
        assert_eq!(target.label(2), None);
    }
}
