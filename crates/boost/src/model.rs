//! A trained model: everything that prediction, inspection and resuming need.

use std::collections::BTreeMap;

use polyboost_data::{Encoder, Schema};

use crate::booster::Stop;
use crate::ensemble::Ensemble;
use crate::history::Record;

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
