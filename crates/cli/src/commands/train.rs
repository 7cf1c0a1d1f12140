//! `manyboost train`: from rows to a model.
//!
//! Everything that can be refused is refused before the first round: options, places of files, columns, answers.

use std::borrow::Cow;
use std::path::Path;
use std::time::Instant;

use manyboost::engine::job::{Job, advice};
use manyboost::engine::memory::estimate;
use manyboost::engine::scores::Scores;
use manyboost::engine::train::{Observer, Outcome as Trained, Round, Watched};
use manyboost::engine::tuning::Rung;
use manyboost::evaluate::metrics::quality;
use manyboost::model::{Checkpoint, Model, Saver};
use manyboost::spec::booster::Stop;
use manyboost::spec::bounds::Bounds;
use manyboost::spec::registry::Setup;
use manyboost::theory::margins::margins;
use manyboost_data::agree::{all_or_none, gather, together};
use manyboost_data::{Applied, Dataset, Labels, Weights};
use manyboost_kernel::Exchange;
use manyboost_kernel::exchange::Recorder;
use serde_json::json;

use super::{print, print_json};
use crate::args::TrainArgs;
use crate::failure::Outcome;
use crate::progress::Progress;
use crate::text_table::{Align, TextTable};
use crate::trace::Trace;
use crate::{interrupt, messages, output};

mod beside;
mod mpi;
mod options;
mod rows;
mod shown;
mod team;
use beside::Beside;
use options::RunOptions;
use rows::Rows;
use team::Seat;

pub fn run(args: &TrainArgs) -> Outcome {
    let began = Instant::now();
    let mut options = RunOptions::new(args)?;
    let setup = Setup::new(&args.booster, args.learn.given.clone().options())?;
    options.prepare.values = setup.learner.needs_values();
    options.prepare.texts = setup.needs_texts();
    let seat = Seat::new(args)?;
    let leads = seat.leads();
    if leads {
        check_places(args)?;
    }
    let team = seat.join()?;
    let exchange = team.exchange();
    let rows = Rows::read(args, &options, exchange)?;
    let setup = setup.for_data_among(&rows.prepared.dataset, exchange)?;
    shown::inferred(&rows.prepared, rows.valid.as_ref());
    messages::ahead(setup.booster.seconds_ahead(&rows.prepared.dataset.labels), "what the first round needs");
    let watched = Watched { valid: rows.valid.as_ref(), test: rows.test.as_ref() };
    let choices = options.choices(args.learn.run.seed);
    let job = Job { setup: &setup, prepared: &rows.prepared, watched, choices: &choices };
    let command = Command { args, options: &options, job, rows: &rows, exchange, began };
    interrupt::be_patient("this round is finished and the model written");
    let (model, errors, mut beside) = command.train()?;
    if !leads {
        messages::note("the first worker writes the model");
        return Ok(());
    }
    if let Err(error) = model.save(&args.out) {
        if !beside.give_up_trace(&error) {
            return Err(error.into());
        }
        model.save(&args.out)?;
    }
    beside.finish(&model);
    interrupt::be_quick();
    if let Some(warning) = model.ensemble.warning() {
        messages::warn(warning);
    }
    if let Some(path) = &args.report {
        report(path, args, &model, &rows)?;
    }
    let summary = Summary { model: &model, seconds: began.elapsed().as_secs_f64(), errors };
    if args.json { print_json(&summary.document()) } else { print(&summary.text(&args.out)) }?;
    beside.unwritten.map_or(Ok(()), |error| Err(error.into()))
}

/// Writes the page of a model, shown on rows that it has not been trained on if there are any.
fn report(path: &Path, args: &TrainArgs, model: &Model, rows: &Rows) -> Outcome {
    let shown = |path: &str| if path == "-" { "stdin".to_string() } else { path.to_string() };
    let (applied, measured) = match rows {
        Rows { test: Some(test), .. } => (
            test,
            format!(
                "{} of {} that it was not trained on",
                rows_of(test),
                shown(args.test.as_deref().unwrap_or(""))
            ),
        ),
        Rows { valid: Some(valid), .. } => (valid, format!("{} that it was validated on", rows_of(valid))),
        Rows { trained: Some(trained), .. } => {
            (trained, format!("{} that it was trained on: other rows will fare worse", rows_of(trained)))
        }
        Rows { .. } => return Ok(()),
    };
    let trained = format!(
        "{} of {}",
        messages::count(rows.prepared.dataset.rows(), "row"),
        shown(&args.data.join(", "))
    );
    let subject = super::report::Shown {
        rows: applied,
        training: rows.sample.as_ref(),
        trained: Some(trained),
        measured,
        command: super::report::command_line(),
    };
    super::report::write(path, model, subject)
}

fn rows_of(rows: &Applied) -> String {
    messages::count(rows.frame.rows(), "row")
}

/// Refuses places that cannot be written, and files that would overwrite one another.
fn check_places(args: &TrainArgs) -> Outcome {
    let input = |path: &'_ Option<String>| path.clone().filter(|path| path != "-");
    let (test, valid) = (input(&args.test), input(&args.watch.valid));
    let written = [
        ("--out", Some(args.out.as_path())),
        ("--trace", args.trace.as_deref()),
        ("--report", args.report.as_deref()),
        ("--checkpoint", args.watch.checkpoint.as_deref()),
    ];
    let data = args.data.iter().filter(|path| *path != "-");
    let mut read: Vec<(&str, Option<&Path>)> = data.map(|path| ("the data", Some(Path::new(path)))).collect();
    read.push(("the test data", test.as_deref().map(Path::new)));
    read.push(("the validation data", valid.as_deref().map(Path::new)));
    output::distinct(&written, &read)?;
    let each = written.into_iter().filter_map(|(name, path)| Some((name, path?)));
    each.into_iter().try_for_each(|(name, path)| match name {
        "--trace" => output::check_packable(path),
        _ => output::check_plain(path),
    })
}

/// A training run.
struct Command<'a> {
    args: &'a TrainArgs,
    options: &'a RunOptions,
    job: Job<'a>,
    rows: &'a Rows,
    exchange: &'a dyn Exchange,
    began: Instant,
}

/// Errors before and after training, as far as there are rows to measure them on.
struct Errors {
    train: f64,
    valid: Option<f64>,
    test: Option<f64>,
}

impl<'a> Command<'a> {
    fn train(&self) -> Outcome<(Model, Errors, Beside<'a>)> {
        let start = self.job.start_among(self.exchange)?;
        let dataset = &self.rows.prepared.dataset;
        shown::memory(estimate(
            &self.job.plan(),
            dataset,
            self.job.watched,
            start.model.ensemble.start.len(),
        ));
        let earlier = self.earlier(&start)?;
        let mut observer = TrainObserver {
            progress: Progress::new("", self.job.setup.rounds, dataset.rows(), self.bounds()),
            saver: self
                .args
                .watch
                .checkpoint
                .as_ref()
                .filter(|_| self.exchange.rank() == 0)
                .map(|path| Saver::new(path, self.options.every, start)),
            dataset: self.exchange.alone().then_some(dataset),
            beside: Beside { trace: self.trace(earlier.as_ref())?, margins: None, unwritten: None },
            rungs: None,
        };
        let (recorder, began) = (Recorder::new(self.exchange), Instant::now());
        let seam: &dyn Exchange = if self.exchange.alone() { self.exchange } else { &recorder };
        let trained = self.job.train_among(seam, earlier, &interrupt::ASKED, &mut observer);
        observer.progress.finish();
        let trained = trained?;
        if let Some(told) = advice(&recorder, began.elapsed()) {
            messages::note(&told);
        }
        if let Some((tried, best)) = observer.rungs.filter(|_| trained.stop == Stop::Found) {
            let members = trained.ensemble.rounds.first().map_or(1, Vec::len);
            shown::found(trained.history.len(), members, tried, best);
        }
        let errors = self.errors(&trained);
        Ok((self.job.model(trained), errors, observer.beside))
    }

    fn bounds(&self) -> Bounds {
        self.job.setup.bounds(&self.rows.prepared.dataset.labels)
    }

    /// What an earlier run came to, if training is to go on from it.
    fn earlier(&self, start: &Checkpoint) -> Outcome<Option<Trained>> {
        let watch = &self.args.watch;
        let Some(path) = watch.checkpoint.as_ref().filter(|_| watch.resume) else { return Ok(None) };
        let Some(earlier) = self.checkpoint(path)? else {
            messages::note(&format!("{}: there is no checkpoint yet: training begins", path.display()));
            return Ok(None);
        };
        let earlier = earlier.resume(start)?;
        messages::note(&format!("going on after round {}", messages::grouped(earlier.history.len())));
        Ok(Some(earlier))
    }

    /// The checkpoint, if there is one; other workers are told what the first has.
    fn checkpoint(&self, path: &Path) -> manyboost_data::Result<Option<Checkpoint>> {
        let load = || if path.exists() { Checkpoint::load(path).map(Some) } else { Ok(None) };
        if self.exchange.alone() {
            return load();
        }
        together(|| {
            let own = if self.exchange.rank() == 0 { load() } else { Ok(None) };
            let own = all_or_none(self.exchange, own)?.map(|checkpoint| checkpoint.to_bytes()).transpose();
            let told = gather(self.exchange, &all_or_none(self.exchange, own)?);
            told.into_iter().next().flatten().map(|bytes| Checkpoint::from_bytes(&bytes)).transpose()
        })
    }

    /// The trace, with the rounds of an earlier run.
    fn trace(&self, earlier: Option<&Trained>) -> Outcome<Option<Trace<'a>>> {
        let Some(path) = self.args.trace.as_ref().filter(|_| self.exchange.rank() == 0) else {
            return Ok(None);
        };
        let mut trace = Trace::new(path, &self.rows.prepared.encoder, self.bounds(), self.began)?;
        if let Some(Trained { ensemble, history, .. }) = earlier {
            for (at, record) in history.iter().enumerate() {
                trace.round(&ensemble.rounds[..=at], record, ensemble.start.len(), false)?;
            }
        }
        Ok(Some(trace))
    }

    /// The errors of the rounds that were kept. Without any, those of the scores that training begins with.
    fn errors(&self, trained: &Trained) -> Errors {
        if let Some(record) = trained.history.last() {
            return Errors { train: record.train_error, valid: record.valid_error, test: record.test_error };
        }
        let Trained { ensemble, .. } = trained;
        let error = |scores: Scores, labels: &Labels, weights: &Weights| {
            let scores = ensemble.reading.scores(Cow::Owned(scores));
            quality(&scores, ensemble.reading.link, labels, weights).error
        };
        let watched = |rows: &Option<Applied>| {
            let first = |rows: &Applied| ensemble.first_scores(&rows.frame);
            rows.as_ref().map(|rows| error(first(rows), &rows.labels, &rows.weights))
        };
        let data = &self.rows.prepared.dataset;
        Errors {
            train: error(ensemble.first_training_scores(data), &data.labels, &data.weights),
            valid: watched(&self.rows.valid),
            test: watched(&self.rows.test),
        }
    }
}

/// Progress, trace and checkpoints.
struct TrainObserver<'a> {
    progress: Progress,
    saver: Option<Saver>,
    /// The rows, if these are all of them.
    dataset: Option<&'a Dataset>,
    beside: Beside<'a>,
    /// The rounds that rows which were not trained on were asked of last, and the best that they said.
    rungs: Option<(usize, Rung)>,
}

impl Observer for TrainObserver<'_> {
    fn round(&mut self, round: &Round<'_>) -> manyboost_data::Result<()> {
        self.progress.round(round);
        self.beside.round(round);
        let saved = match &mut self.saver {
            Some(saver) if interrupt::ASKED.load(std::sync::atomic::Ordering::Relaxed) => {
                saver.save(round.outcome)
            }
            Some(saver) => saver.round(round),
            None => Ok(()),
        };
        saved.unwrap_or_else(|error| self.beside.failed(error));
        Ok(())
    }

    fn rung(&mut self, rung: &Rung, best: Rung) {
        self.progress.rung(rung, best);
        self.rungs = Some((rung.rounds, best));
    }

    fn end(&mut self, outcome: &Trained, scores: &Scores) {
        if let (Some(_), Some(Dataset { labels, weights, .. })) = (&self.beside.trace, self.dataset) {
            self.beside.margins = margins(&outcome.ensemble, scores, labels, weights);
        }
    }
}

/// What came of it.
struct Summary<'a> {
    model: &'a Model,
    seconds: f64,
    errors: Errors,
}

impl Summary<'_> {
    fn document(&self) -> serde_json::Value {
        let mut document = json!({
            "booster": self.model.booster,
            "rounds": self.model.history.len(),
            "stopped": self.model.stop.name(),
            "train_error": self.errors.train,
            // Without test rows it is null, so that the key is always there.
            "test_error": self.errors.test,
        });
        if let Some(error) = self.errors.valid {
            document["valid_error"] = json!(error);
        }
        if self.model.history.iter().any(|record| record.promised.is_some()) {
            let broken = self.model.history.iter().filter(|record| record.short().is_some());
            document["broken_promises"] = json!(broken.count());
        }
        document["seconds"] = json!(self.seconds);
        document["warnings"] = json!(messages::warnings());
        document
    }

    fn text(&self, out: &Path) -> String {
        let mut table = TextTable::new(&[("", Align::Left), ("", Align::Left)]);
        let mut put = |name: &str, value: String| table.row([name.to_string(), value]);
        put("booster", self.model.booster.clone());
        put("rounds", messages::grouped(self.model.history.len()));
        put("stopped", messages::reason(self.model.stop, &self.model.booster));
        if let Some(promise) = messages::promise(&self.model.history) {
            put("promise", promise);
        }
        put("train error", messages::percent(self.errors.train));
        if let Some(error) = self.errors.valid {
            put("valid error", messages::percent(error));
        }
        if let Some(error) = self.errors.test {
            put("test error", messages::percent(error));
        }
        put("time", messages::seconds(self.seconds));
        put("model", out.display().to_string());
        table.text()
    }
}
