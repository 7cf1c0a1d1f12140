//! One booster, trained on some rows and measured on others: what `compare`, `cv` and `demo` are made of.

use std::time::Instant;

use manyboost::engine::history::Told;
use manyboost::engine::train::{Outcome as Trained, Training, Watched};
use manyboost::evaluate::metrics::{Quality, quality};
use manyboost::predict::Predictor;
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::wording::option;
use manyboost_data::{Applied, Prepared, Remarks};
use manyboost_report::compare::{self, BoosterResult, Measured, PageHeading};
use serde_json::{Map, Value, json};

use crate::failure::{Outcome, wrong};
use crate::progress::Progress;
use crate::text_table::{Align, TextTable};
use crate::{interrupt, messages};

/// A booster and the options that are its own.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name.
    pub booster: String,
    /// Names and values.
    pub options: Vec<(String, String)>,
}

impl Contender {
    /// From `NAME:OPTION=VALUE:…`.
    pub fn parse(text: &str) -> Outcome<Self> {
        let mut parts = text.split(':');
        let booster = parts.next().unwrap_or("").trim().to_string();
        let option = |part: &str| {
            let Some((name, value)) = part.split_once('=') else {
                let what = format!("--boosters {text}: \"{part}\" gives no value");
                let remedy =
                    "write options of one booster as NAME:OPTION=VALUE, such as mm:learner=tree:leaves=8";
                return Err(wrong(what, remedy));
            };
            Ok((name.trim().trim_start_matches('-').to_string(), value.to_string()))
        };
        Ok(Self { booster, options: parts.map(option).collect::<Outcome<_>>()? })
    }

    /// With options that all boosters have; its own count more.
    pub fn setup(&self, shared: &[(String, String)]) -> Outcome<Setup> {
        Ok(Setup::new(&self.booster, Options::new(shared.iter().chain(&self.options).cloned()))?)
    }

    /// Its options as they are written on a command line.
    pub fn shown(&self) -> String {
        let each = self.options.iter().map(|(name, value)| option(name, value));
        each.collect::<Vec<_>>().join(" ")
    }
}

/// What came of it.
pub struct Trial {
    /// The run.
    pub trained: Trained,
    /// What each round did.
    pub history: Vec<Told>,
    /// How good it is on the rows that were measured.
    pub quality: Quality,
    /// Time of training.
    pub seconds: f64,
    /// What there is to know about the columns.
    pub remarks: Remarks,
}

/// Trains and measures; `curve`: also after every round.
pub fn run(
    what: &str,
    setup: &Setup,
    prepared: &Prepared,
    test: &Applied,
    seed: u64,
    curve: bool,
) -> Outcome<Trial> {
    let setup = setup.for_data(&prepared.dataset)?;
    messages::ahead(setup.booster.seconds_ahead(&prepared.dataset.labels), "what the first round needs");
    let watched = Watched { valid: None, test: curve.then_some(test) };
    let began = Instant::now();
    let mut progress =
        Progress::new(what, setup.rounds, prepared.dataset.rows(), setup.bounds(&prepared.dataset.labels));
    let Prepared { dataset, encoder, .. } = prepared;
    let training = Training { plan: &setup.plan(seed, None), data: dataset, encoder, watched };
    let trained = training.run(None, &interrupt::ASKED, &mut progress);
    progress.finish();
    let (trained, seconds) = (trained?, began.elapsed().as_secs_f64());
    trained.ensemble.claim(test.frame.rows())?;
    let scores = Predictor::new(&trained.ensemble, usize::MAX).scores(&test.frame);
    let quality = quality(&scores, trained.ensemble.reading.link, &test.labels, &test.weights);
    let history = setup.bounds(&dataset.labels).of_run(&trained);
    Ok(Trial { trained, history, quality, seconds, remarks: prepared.remarks.clone() })
}

/// The figures of a measurement by name: for JSON, and for tables.
pub fn figures(quality: &Quality) -> Vec<(&'static str, &'static str, f64)> {
    let error = if quality.one_error.is_some() { ("hamming", "Hamming loss") } else { ("error", "error") };
    let all = [
        (error.0, error.1, Some(quality.error)),
        ("one_error", "one-error", quality.one_error),
        ("ranking_loss", "ranking loss", quality.ranking_loss),
        ("average_precision", "average precision", quality.average_precision),
        ("log_loss", "log loss", Some(quality.log_loss)),
    ];
    all.into_iter().filter_map(|(key, name, value)| Some((key, name, value?))).collect()
}

/// A figure in its units: shares in per cent.
pub fn shown(key: &str, value: f64) -> String {
    if key == "log_loss" { messages::figure(value) } else { messages::percent(value) }
}

/// All trials as a table: a line each.
pub fn table(contenders: &[Contender], trials: &[Trial]) -> String {
    let names = trials.first().map_or(Vec::new(), |trial| figures(&trial.quality));
    let names: Vec<String> = names
        .iter()
        .map(|(key, name, _)| if *key == "error" { format!("test {name}") } else { (*name).to_string() })
        .collect();
    let mut columns = vec![("booster", Align::Left)];
    columns.extend(names.iter().map(|name| (name.as_str(), Align::Right)));
    columns.extend([("rounds", Align::Right), ("seconds", Align::Right), ("options", Align::Left)]);
    let mut table = TextTable::new(&columns);
    for (contender, trial) in contenders.iter().zip(trials) {
        let mut row = vec![contender.booster.clone()];
        row.extend(figures(&trial.quality).iter().map(|&(key, _, value)| shown(key, value)));
        row.extend([
            trial.trained.history.len().to_string(),
            format!("{:.2}", trial.seconds),
            contender.shown(),
        ]);
        table.row(row);
    }
    table.text()
}

/// A trial in JSON.
pub fn document(contender: &Contender, trial: &Trial) -> Value {
    let mut document = Map::new();
    document.insert("booster".into(), json!(contender.booster));
    if !contender.options.is_empty() {
        document
            .insert("options".into(), contender.options.iter().map(|(n, v)| (n.clone(), json!(v))).collect());
    }
    document
        .extend(figures(&trial.quality).into_iter().map(|(key, _, value)| (key.to_string(), json!(value))));
    document.insert("rounds".into(), json!(trial.trained.history.len()));
    document.insert("stopped".into(), json!(trial.trained.stop.name()));
    document
        .insert("train_error".into(), json!(trial.trained.history.last().map(|record| record.train_error)));
    document.insert("seconds".into(), json!(trial.seconds));
    Value::Object(document)
}

/// The page of several trials.
pub fn page(
    frame: &PageHeading<'_>,
    contenders: &[Contender],
    trials: &[Trial],
    prepared: &Prepared,
    rows: &Applied,
) -> String {
    let run = |at: usize| -> BoosterResult<'_> {
        let (contender, trial) = (&contenders[at], &trials[at]);
        BoosterResult {
            name: contender.booster.clone(),
            options: contender.shown(),
            history: &trial.history,
            ensemble: &trial.trained.ensemble,
            error: trial.quality.error,
            log_loss: trial.quality.log_loss,
            seconds: trial.seconds,
            stopped: messages::reason(trial.trained.stop, &contender.booster),
        }
    };
    let names = prepared.schema.target.names();
    let measured = Measured { rows, encoder: &prepared.encoder, names };
    compare::page(frame, &(0..trials.len()).map(run).collect::<Vec<_>>(), &measured)
}
