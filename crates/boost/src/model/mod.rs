//! A trained model: everything that prediction, inspection and resuming need.
//!
//! A model is one file (see [`file::container`]) that says what it is, is checked to the last bit when it is read, and has no
//! clock and no machine in it: equal models are equal files.

pub(crate) mod answer;
pub mod answers;
pub mod ensemble;
pub mod epochs;
#[doc(hidden)]
pub mod file;
pub mod hypothesis;
pub mod linear;
pub mod reading;
pub mod text;
mod trained_on;
pub mod tree;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use manyboost_data::{Encoder, Error, ErrorKind, Result, Schema, Split, TargetSpec};

pub(crate) use file::check::LARGEST_FIGURE;
pub use file::checkpoint::{Checkpoint, Origin, Saver};

use crate::engine::history::{Record, Told};
use crate::engine::job::Choices;
use crate::engine::train::Outcome;
use crate::evaluate::metric::Metric;
use crate::files::{refuse_packed, write_atomic};
use crate::model::ensemble::Ensemble;
use crate::predict::Predictor;
use crate::spec::booster::Stop;
use crate::spec::bounds::Bounds;
use crate::spec::registry::Setup;

/// Parameters that are neither the booster's nor the learner's.
const CHOICES: [&str; 6] = ["bins", "ngrams", "patience", "valid", "metric", "split"];

/// A trained model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The columns and the answers.
    pub schema: Schema,
    /// What category levels and words are called.
    pub encoder: Encoder,
    /// The hypotheses.
    pub ensemble: Ensemble,
    /// What each round did.
    pub history: Vec<Record>,
    /// Why training ended.
    pub stop: Stop,
    /// The booster's name.
    pub booster: String,
    /// Every parameter with the value that counted.
    pub parameters: BTreeMap<String, String>,
    /// The seed of all random choices.
    pub seed: u64,
    /// The library that trained it.
    pub version: String,
}

impl Model {
    /// The model that a training run made.
    pub fn new(schema: Schema, encoder: Encoder, setup: &Setup, seed: u64, outcome: Outcome) -> Self {
        Self {
            schema,
            encoder,
            ensemble: outcome.ensemble,
            history: outcome.history,
            stop: outcome.stop,
            booster: setup.booster_name.to_string(),
            parameters: setup.parameters.clone(),
            seed,
            version: env!("CARGO_PKG_VERSION").to_string(),
        }
    }

    /// Remembers choices that are neither the booster's nor the learner's: how values became codes, after how many rounds
    /// without a better one training stops, and the share of the rows that was held out to tell.
    #[must_use]
    pub(crate) fn with_choices(mut self, choices: &Choices) -> Self {
        let Choices { encode, patience, held_out, metric, split, .. } = choices;
        let values = [
            Some(encode.bins.to_string()),
            Some(encode.ngrams.to_string()),
            patience.map(|n| n.to_string()),
            held_out.map(|x| x.to_string()),
            (*metric != Metric::default()).then(|| metric.to_string()),
            (*split != Split::default()).then(|| split.to_string()),
        ];
        let choices = CHOICES.into_iter().zip(values);
        let given = choices.filter_map(|(name, value)| Some((name.to_string(), value?)));
        self.parameters.extend(given);
        self
    }

    /// What each round did, with what its bounds are proved to bound.
    pub fn told(&self) -> Vec<Told> {
        let (classes, sets) =
            (self.schema.target.names().len(), matches!(self.schema.target, TargetSpec::Sets { .. }));
        let mut bounds = Bounds::new(&self.booster, &self.parameters, classes, sets);
        bounds.of_rounds(&self.ensemble.rounds, &self.history)
    }

    /// Ready to predict with all rounds.
    pub fn predictor(&self) -> Predictor {
        self.predictor_after(usize::MAX)
    }

    /// Ready to predict as after so many rounds; where every round changes all coefficients, with those that the last one left.
    pub fn predictor_after(&self, rounds: usize) -> Predictor {
        Predictor::new(&self.ensemble, rounds)
    }

    /// The model's file. A model that could not be read back is an error.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.validate()?;
        file::format::encode(self)
    }

    /// Reads a model's file: every bit of it is checked.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        file::format::decode(bytes)
    }

    /// Writes the model to a file, at once or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        write(path.as_ref(), || self.to_bytes())
    }

    /// Reads a model from a file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        read(path.as_ref(), Self::from_bytes)
    }
}

/// Writes the file of a model or a checkpoint, at once or not at all.
fn write(path: &Path, bytes: impl FnOnce() -> Result<Vec<u8>>) -> Result<()> {
    refuse_packed(path)?;
    write_atomic(path, &bytes()?)
}

/// Reads the file of a model or a checkpoint; an error says in which file it is.
fn read<T>(path: &Path, parse: impl FnOnce(&[u8]) -> Result<T>) -> Result<T> {
    let in_file = |error: Error| {
        Error::new(error.kind(), format!("{}: {}", path.display(), error.what()), error.remedy())
    };
    parse(&bytes_of(path)?).map_err(in_file)
}

/// The bytes of a file that begins as models do; of others, nothing is read but the beginning.
fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    let failed = |error: std::io::Error| {
        let what = format!("{}: cannot be read: {error}", path.display());
        Error::new(ErrorKind::File, what, "give the path of a model file that can be read").caused_by(&error)
    };
    let mut file = std::fs::File::open(path).map_err(failed)?;
    if !file.metadata().map_err(failed)?.is_file() {
        let what = format!("{}: not a file", path.display());
        return Err(Error::new(ErrorKind::File, what, "give the path of a model file"));
    }
    let mut bytes = Vec::new();
    file.by_ref().take(file::container::MAGIC.len() as u64).read_to_end(&mut bytes).map_err(failed)?;
    if bytes == file::container::MAGIC {
        file.read_to_end(&mut bytes).map_err(failed)?;
    }
    Ok(bytes)
}
