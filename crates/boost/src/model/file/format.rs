//! The inside of a model file: which sections there are, and what is in them.
//!
//! Sections are `postcard`: a struct is its fields one after the other, a list its length and its items. A list's length
//! is never believed: memory is taken for what the bytes that are left can hold, at most. Bytes that are not what writing
//! gives (longer encodings of numbers, keys out of order) are refused, so a model has one file only.

use std::collections::BTreeMap;
use std::sync::Arc;

use manyboost_data::{Encoder, Error, ErrorKind, Result, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::container::{Parts, pack, unpack};
use crate::engine::history::Record;
use crate::model::Model;
use crate::model::ensemble::Ensemble;
use crate::model::tree::Tree;
use crate::spec::booster::Stop;

/// The sections of every model, in their order.
const SECTIONS: [&str; 5] = ["header", "schema", "encoder", "ensemble", "history"];

/// The section of what leaves weigh, after the others. Models of earlier versions have none, and neither do models of which nothing
/// is known.
const COVER: &str = "cover";

/// The section of the metric of each round, where it is neither the log loss nor the error; before that of leaves.
const METRIC: &str = "metric";

/// The section of the linear function of texts, where scores begin with one; after those before.
const TEXT: &str = "text";

/// The section that only a checkpoint has, after the others.
const ORIGIN: &str = "origin";

/// Booster, parameters, seed.
type Header = (String, BTreeMap<String, String>, u64);

/// The file of a model, unchecked.
pub fn encode(model: &Model) -> Result<Vec<u8>> {
    Ok(pack(&model.version, &sections(model)?))
}

/// The file of a checkpoint: a model's sections and one more.
pub(crate) fn encode_with(model: &Model, origin: &impl Serialize) -> Result<Vec<u8>> {
    let mut sections = sections(model)?;
    sections.push((ORIGIN, write(origin)?));
    Ok(pack(&model.version, &sections))
}

fn sections(model: &Model) -> Result<Vec<(&'static str, Vec<u8>)>> {
    let bytes = [
        write(&(&model.booster, &model.parameters, model.seed))?,
        write(&model.schema)?,
        write(&model.encoder)?,
        write(&model.ensemble)?,
        write(&(&model.history, model.stop))?,
    ];
    let mut sections: Vec<_> = SECTIONS.into_iter().zip(bytes).collect();
    let metric: Vec<Option<f64>> = model.history.iter().map(|record| record.valid_metric).collect();
    if metric.iter().any(Option::is_some) {
        sections.push((METRIC, write(&metric)?));
    }
    let cover: Vec<&[u64]> = trees(&model.ensemble).map(|tree| tree.cover.as_slice()).collect();
    if cover.iter().any(|cover| !cover.is_empty()) {
        sections.push((COVER, write(&cover)?));
    }
    if let Some(text) = &model.ensemble.text {
        sections.push((TEXT, write(text.as_ref())?));
    }
    Ok(sections)
}

/// The trees of all hypotheses, one after the other.
fn trees(ensemble: &Ensemble) -> impl Iterator<Item = &Tree> {
    ensemble.terms().flat_map(|term| term.hypothesis.cells.trees())
}

/// Reads and checks the file of a model.
pub fn decode(file: &[u8]) -> Result<Model> {
    let parts = unpack(file)?;
    if parts.sections.last().is_some_and(|(name, _)| *name == ORIGIN) {
        let what = "this is a checkpoint of an unfinished training, not a model";
        return Err(Error::new(
            ErrorKind::Model,
            what,
            "resume the training from it, and use what that writes",
        ));
    }
    model(&parts)
}

/// Reads and checks the file of a checkpoint.
pub(crate) fn decode_with<T: Serialize + DeserializeOwned>(file: &[u8]) -> Result<(Model, T)> {
    let mut parts = unpack(file)?;
    if let Some((ORIGIN, bytes)) = parts.sections.pop() {
        return Ok((model(&parts)?, read(ORIGIN, bytes)?));
    }
    let what = "this is a model, not a checkpoint of an unfinished training";
    Err(Error::new(ErrorKind::Model, what, "give the file that the training writes as it goes"))
}

fn model(parts: &Parts<'_>) -> Result<Model> {
    let names: Vec<&str> = parts.sections.iter().map(|section| section.0).collect();
    let plain = names.strip_suffix(&[TEXT]).unwrap_or(&names);
    let before = plain.strip_suffix(&[COVER]).unwrap_or(plain);
    let known = before.strip_suffix(&[METRIC]).unwrap_or(before);
    if known != SECTIONS {
        return Err(broken(&format!("its sections are {names:?}, not {SECTIONS:?}")));
    }
    let (booster, parameters, seed): Header = section(parts, 0)?;
    let schema: Schema = section(parts, 1)?;
    let encoder: Encoder = section(parts, 2)?;
    let mut ensemble: Ensemble = section(parts, 3)?;
    if plain.len() < names.len() {
        ensemble.text = Some(Arc::new(section(parts, plain.len())?));
    }
    if before.len() < plain.len() {
        put_cover(&mut ensemble, section(parts, before.len())?)?;
    }
    let (mut history, stop): (Vec<Record>, Stop) = section(parts, 4)?;
    if known.len() < before.len() {
        put_metric(&mut history, section(parts, known.len())?)?;
    }
    let version = parts.library.to_string();
    let model = Model { schema, encoder, ensemble, history, stop, booster, parameters, seed, version };
    model.validate()?;
    Ok(model)
}

/// Tells rounds their metric.
fn put_metric(history: &mut [Record], metric: Vec<Option<f64>>) -> Result<()> {
    if metric.len() != history.len() || metric.iter().all(Option::is_none) {
        return Err(broken("the metric is of other rounds"));
    }
    history.iter_mut().zip(metric).for_each(|(record, metric)| record.valid_metric = metric);
    Ok(())
}

/// Tells trees what their leaves weigh.
fn put_cover(ensemble: &mut Ensemble, cover: Vec<Vec<u64>>) -> Result<()> {
    if cover.len() != trees(ensemble).count() || cover.iter().all(Vec::is_empty) {
        return Err(broken("the weights of its leaves are of other trees"));
    }
    let terms = ensemble.rounds.iter_mut().flatten();
    let trees = terms.flat_map(|term| term.hypothesis.cells.trees_mut());
    trees.zip(cover).for_each(|(tree, cover)| tree.cover = cover);
    Ok(())
}

/// The content of a section by its place.
fn section<T: Serialize + DeserializeOwned>(parts: &Parts<'_>, at: usize) -> Result<T> {
    let (name, bytes) = parts.sections.get(at).ok_or_else(|| broken("a section is missing"))?;
    read(name, bytes)
}

/// The bytes of a section.
fn write(value: &impl Serialize) -> Result<Vec<u8>> {
    postcard::to_stdvec(value).map_err(|error| {
        let what = format!("the model cannot be written: {error}");
        Error::new(ErrorKind::Failed, what, "report this")
    })
}

/// The content of a section, if its bytes are the ones that writing gives.
fn read<T: Serialize + DeserializeOwned>(name: &str, bytes: &[u8]) -> Result<T> {
    let value: T =
        postcard::from_bytes(bytes).map_err(|error| broken(&format!("section {name:?}: {error}")))?;
    if write(&value)? == bytes {
        Ok(value)
    } else {
        Err(broken(&format!("section {name:?} is not as manyboost writes it")))
    }
}

/// An error of a file that is whole, but whose content no training writes.
pub(super) fn broken(what: &str) -> Error {
    Error::new(ErrorKind::Model, format!("the model is broken: {what}"), "train the model again")
}
