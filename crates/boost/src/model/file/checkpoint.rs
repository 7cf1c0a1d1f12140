//! Training that can be taken up again: the model so far, and what it was trained on.
//!
//! The scores are a function of the model and the rows, so a checkpoint needs nothing else. It holds all rounds, also those
//! after the best one on the validation rows, which a finished model has no more.

use std::path::{Path, PathBuf};

use manyboost_data::agree::total;
use manyboost_data::encode::{Codec, NumberCodec};
use manyboost_data::{Dataset, Encoder, Error, ErrorKind, Result, fingerprint};
use manyboost_kernel::{Alone, Exchange, Seed};
use serde::{Deserialize, Serialize};

use super::format;
use crate::engine::train::{Observer, Outcome, Round};
use crate::model::{Model, read, write};

/// A training run under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The model so far.
    pub model: Model,
    /// What it is trained on.
    pub origin: Origin,
}

/// What tells training data apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// A number that hardly two data sets share; the order of rows does not matter, nor "weight 2" for "twice".
    pub fingerprint: u64,
    /// Rows of positive weight.
    pub rows: u64,
}

impl Origin {
    /// Of encoded rows and what their codes mean.
    pub fn new(data: &Dataset, encoder: &Encoder) -> Self {
        Self::among(data, encoder, &Alone)
    }

    /// Of the rows of all workers.
    pub(crate) fn among(data: &Dataset, encoder: &Encoder, exchange: &dyn Exchange) -> Self {
        let mut seed = Seed::new(total(exchange, fingerprint(data)));
        for column in encoder.column_encoders() {
            // Codes alone would not tell a column from twice itself.
            let bins: Vec<&NumberCodec> = match &column.codec {
                Codec::Number(codec) => vec![codec],
                Codec::Time(codec) => (0..codec.width()).map(|place| codec.bins(place)).collect(),
                Codec::Category(_) | Codec::Text(_) => Vec::new(),
            };
            for codec in bins {
                seed = codec
                    .cuts()
                    .iter()
                    .fold(seed.part(codec.cuts().len() as u64), |seed, cut| seed.part(cut.to_bits()));
            }
        }
        Self { fingerprint: seed.bits(), rows: total(exchange, data.rows() as u64) }
    }
}

impl Checkpoint {
    /// The checkpoint's file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.model.validate()?;
        format::encode_with(&self.model, &self.origin)
    }

    /// Reads a checkpoint's file: every bit of it is checked.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        format::decode_with(bytes).map(|(model, origin)| Self { model, origin })
    }

    /// Writes the checkpoint to a file, at once or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        write(path.as_ref(), || self.to_bytes())
    }

    /// Reads a checkpoint from a file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        read(path.as_ref(), Self::from_bytes)
    }

    /// Makes this the checkpoint of what its run has come to.
    pub fn advance(&mut self, outcome: &Outcome) {
        self.model.stop = outcome.stop;
        self.model.ensemble.clone_from(&outcome.ensemble);
        self.model.history.clone_from(&outcome.history);
    }

    /// What training goes on from.
    pub fn outcome(self) -> Outcome {
        Outcome { ensemble: self.model.ensemble, history: self.model.history, stop: self.model.stop }
    }

    /// What training goes on from, if `now`, a run that is about to begin, is the same run. Only the number of rounds
    /// may be another one.
    pub fn resume(self, now: &Self) -> Result<Outcome> {
        match self.difference(now) {
            None => Ok(self.outcome()),
            Some(difference) => {
                let what = format!("this training is not the one of the checkpoint: {difference}");
                let remedy = "resume with the same data, parameters and version, or train without resuming";
                Err(Error::new(ErrorKind::Parameter, what, remedy))
            }
        }
    }

    /// The first difference that matters.
    fn difference(&self, now: &Self) -> Option<String> {
        let (then_model, now_model) = (&self.model, &now.model);
        let differ = |what: &str, then: &str, now: &str| {
            (then != now).then(|| format!("{what} was {then:?} and is {now:?}"))
        };
        differ("the version of manyboost", &then_model.version, &now_model.version)
            .or_else(|| differ("the booster", &then_model.booster, &now_model.booster))
            .or_else(|| differ("the seed", &then_model.seed.to_string(), &now_model.seed.to_string()))
            .or_else(|| {
                let names = then_model.parameters.keys().chain(now_model.parameters.keys());
                let value = |model: &Model, name| model.parameters.get(name).cloned().unwrap_or_default();
                let mut names = names.filter(|name| *name != "rounds");
                names.find_map(|name| {
                    differ(&format!("`{name}`"), &value(then_model, name), &value(now_model, name))
                })
            })
            .or_else(|| self.data_difference(now))
            .or_else(|| {
                let done = then_model.history.len();
                let rounds = now_model.parameters.get("rounds").and_then(|r| r.parse::<usize>().ok());
                rounds
                    .filter(|&rounds| rounds < done)
                    .map(|rounds| format!("{done} rounds are done already, and `rounds` is {rounds}"))
            })
    }

    fn data_difference(&self, now: &Self) -> Option<String> {
        let (then_schema, now_schema) = (&self.model.schema, &now.model.schema);
        let columns = then_schema.features.iter().map(|f| Some(&f.name)).chain(std::iter::repeat(None));
        let others = now_schema.features.iter().map(|f| Some(&f.name)).chain(std::iter::repeat(None));
        let many = then_schema.features.len().max(now_schema.features.len());
        if let Some((then, now)) = columns.zip(others).take(many).find(|(then, now)| then != now) {
            let say = |name: Option<&String>| name.map_or("absent".to_string(), |name| format!("{name:?}"));
            return Some(format!("the data: a column was {} and is {}", say(then), say(now)));
        }
        if then_schema != now_schema {
            return Some("the data: the classes or the kinds of columns are others".into());
        }
        if self.origin.fingerprint == now.origin.fingerprint {
            return None;
        }
        let (then, now) = (self.origin.rows, now.origin.rows);
        Some(if then == now {
            format!("the data: the {now} rows are not the same")
        } else {
            format!("the data: there were {then} rows and are {now}")
        })
    }
}

/// Writes a checkpoint every few rounds.
pub struct Saver {
    path: PathBuf,
    every: usize,
    checkpoint: Checkpoint,
}

impl Saver {
    /// For the run that `start` is the beginning of (its rounds do not matter).
    pub fn new(path: impl Into<PathBuf>, every: usize, start: Checkpoint) -> Self {
        Self { path: path.into(), every: every.max(1), checkpoint: start }
    }

    /// Writes what a run has come to.
    pub fn save(&mut self, outcome: &Outcome) -> Result<()> {
        self.checkpoint.advance(outcome);
        self.checkpoint.save(&self.path)
    }
}

impl Observer for Saver {
    fn round(&mut self, round: &Round<'_>) -> Result<()> {
        if round.number.is_multiple_of(self.every) { self.save(round.outcome) } else { Ok(()) }
    }
}
