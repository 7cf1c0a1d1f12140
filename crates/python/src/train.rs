//! Training, for Python.
//!
//! First the columns become codes, which looks at Python's memory and therefore has to end before control goes back. Then
//! the rounds work on the codes alone, on a thread that owns them: an interrupt gives control back at once, and what is
//! left of the round ends by itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use manyboost::engine::history::{FIGURES, Told};
use manyboost::engine::job::{Choices, Job, advice};
use manyboost::engine::train::{Observer, Round, Watched};
use manyboost::model::Checkpoint;
use manyboost::spec::bounds::Bounds;
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::agree::{all_or_none, columns, together};
use manyboost_data::{
    Applied, ClassWeights, EncodeOptions, PrepareOptions, Prepared, Remarks, Result, RowSubset,
    prepare_columns_among,
};
use manyboost_kernel::Exchange;
use manyboost_kernel::exchange::Recorder;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rayon::{ThreadPool, Yield};

use crate::errors::{bug, exception};
use crate::mesh::{Team, TeamRequest};
use crate::model::PyModel;
use crate::numbers::{count, number, small, whole};
use crate::options::{GivenOption, values};
use crate::pool::{own_pool, pool};
use crate::rows::{HeldRows, Looked, Rows};
use crate::work::{Flag, borrowed, next, spawn};

/// What to do, as Python says it.
#[derive(FromPyObject)]
struct Request<'py> {
    booster: String,
    options: Vec<(String, GivenOption<'py>)>,
    seed: Bound<'py, PyAny>,
    bins: Option<Bound<'py, PyAny>>,
    ngrams: Option<Bound<'py, PyAny>>,
    patience: Option<Bound<'py, PyAny>>,
    /// What has to be better.
    metric: Option<String>,
    /// The share of the rows to hold out.
    valid: Option<Bound<'py, PyAny>>,
    /// Which rows these are.
    split: Option<String>,
    /// Whether classes weigh the same together, or how much some of them weigh.
    balanced: bool,
    class_weights: Option<Vec<(String, f64)>>,
    threads: Option<Bound<'py, PyAny>>,
    /// The names of the columns.
    names: Vec<String>,
    rows: Rows<'py>,
    /// Other rows to validate on.
    eval_rows: Option<Rows<'py>>,
    /// Whether training is to go on from this model, or may go on later.
    earlier: Option<Py<PyModel>>,
    resumable: bool,
    /// Called after each round with its number and figures; the answer true ends the training.
    callback: Option<Py<PyAny>>,
    /// Other workers, each with rows of its own.
    team: Option<TeamRequest>,
}

/// Trains a model.
#[pyfunction]
pub fn train(py: Python<'_>, job: &Bound<'_, PyAny>) -> PyResult<PyModel> {
    let job: Request<'_> = job.extract()?;
    let options = values(&job.options).map(Options::new);
    let setup =
        options.and_then(|options| Setup::new(&job.booster, options)).map_err(|error| exception(&error))?;
    let mut prepare = PrepareOptions {
        values: setup.learner.needs_values(),
        texts: setup.needs_texts(),
        ..PrepareOptions::default()
    };
    prepare.class_weights = match &job.class_weights {
        Some(given) => Some(ClassWeights::IfThere(given.clone())),
        None => job.balanced.then_some(ClassWeights::Balanced),
    };
    prepare.encode.bins = small("bins", job.bins.as_ref(), prepare.encode.bins)?;
    prepare.encode.ngrams = small("ngrams", job.ngrams.as_ref(), prepare.encode.ngrams)?;
    let choices = choices(&job, prepare.encode)?;
    let threads = job.threads.as_ref();
    let pool = if job.team.is_some() { own_pool(threads) } else { pool(py, threads) }?;
    let mut team = Team::new(job.team.as_ref())?;
    let data = Data::new(py, &job, &choices, &prepare, &pool, team.exchange())?;
    let earlier = job.earlier.as_ref().and_then(|earlier| {
        let PyModel { model, origin, .. } = earlier.get();
        Some(Checkpoint { model: model.clone(), origin: (*origin)? })
    });
    let earlier = earlier.filter(|_| job.resumable).or_else(|| team.resume.take());
    let listener = Callbacks {
        round: job.callback.as_ref(),
        keep: job.team.as_ref().and_then(|team| team.keep.as_ref()),
    };
    let run = Run { setup, data, choices, resumable: job.resumable, team, earlier };
    run.watched(py, pool, listener)
}

/// What neither booster nor learner takes.
fn choices(request: &Request<'_>, encode: EncodeOptions) -> PyResult<Choices> {
    let patience = request.patience.as_ref().map(|n| count("patience", n, 1..=u64::MAX));
    let held_out = request.valid.as_ref().map(|x| number("valid", x, "a number above 0 and below 1"));
    let metric = request.metric.as_deref().map(str::parse).transpose().map_err(|error| exception(&error))?;
    let split = request.split.as_deref().map(str::parse).transpose().map_err(|error| exception(&error))?;
    Ok(Choices {
        metric: metric.unwrap_or_default(),
        split: split.unwrap_or_default(),
        seed: whole("random_state", &request.seed, 0..=u64::MAX)?,
        patience: patience.transpose()?,
        held_out: held_out.transpose()?,
        encode,
    })
}

/// The rows to train on and to validate on.
struct Data {
    prepared: Prepared,
    valid: Option<Applied>,
}

impl Data {
    /// Gives all rows their codes.
    fn new(
        py: Python<'_>,
        job: &Request<'_>,
        choices: &Choices,
        prepare: &PrepareOptions,
        pool: &ThreadPool,
        exchange: &dyn Exchange,
    ) -> PyResult<Self> {
        let stop = Flag::new(false);
        let own = HeldRows::new(&job.rows)?;
        let others = job.eval_rows.as_ref().map(HeldRows::new).transpose()?;
        let own = own.look(&job.names, &stop);
        let others = others.as_ref().map(|others| others.look(&job.names, &stop));
        let Choices { held_out, split, seed, .. } = *choices;
        borrowed(py, pool, &stop, || {
            let answers = together(|| all_or_none(exchange, own.answers()))?;
            let Some(fraction) = held_out else {
                let prepared = prepare_columns_among(answers, &own.columns, prepare, exchange)?;
                let applied =
                    |others: Looked<'_>| others.applied(None, &prepared.schema, &prepared.encoder, exchange);
                let valid = others.map(applied).transpose()?;
                return Ok(Self { prepared, valid });
            };
            let (answers, parts) = together(|| {
                let answers = columns(answers, exchange)?;
                let parts = split.parts(&answers, &own.columns, (fraction, seed), exchange)?;
                Ok((answers, parts))
            })?;
            let [kept, held] = parts;
            let some = RowSubset { of: &own.columns, rows: &kept.rows };
            let prepared = prepare_columns_among(answers.part(&kept), &some, prepare, exchange)?;
            let valid = Some(own.applied(Some(&held), &prepared.schema, &prepared.encoder, exchange)?);
            Ok(Self { prepared, valid })
        })
    }
}

/// A training run, with all that it needs.
struct Run {
    setup: Setup,
    data: Data,
    choices: Choices,
    resumable: bool,
    team: Team,
    earlier: Option<Checkpoint>,
}

/// What a run says.
enum Message {
    Round(usize, Box<Told>),
    Checkpoint(Vec<u8>),
    Done(Box<thread::Result<Result<PyModel>>>),
}

/// Whom it says that to.
struct Callbacks<'a> {
    round: Option<&'a Py<PyAny>>,
    keep: Option<&'a Py<PyAny>>,
}

impl Run {
    /// Trains on a thread that owns everything, while this one listens to signals and calls back.
    fn watched(self, py: Python<'_>, pool: Arc<ThreadPool>, callbacks: Callbacks<'_>) -> PyResult<PyModel> {
        let stop = Arc::new(Flag::new(false));
        let flag = Arc::clone(&stop);
        let wanted = callbacks.round.is_some();
        py.detach(move || {
            let (send, receive) = channel();
            let (answer, answers) = channel();
            spawn(move || {
                let told = send.clone();
                let train = || self.train(&flag, told, wanted.then_some(answers));
                let done = catch_unwind(AssertUnwindSafe(|| pool.install(train)));
                // Nobody listens any more after an interrupt.
                let _ = send.send(Message::Done(Box::new(done)));
            })?;
            let result = listen(&receive, &answer, &stop, &callbacks);
            stop.store(true, Ordering::Relaxed);
            result
        })
    }

    fn train(self, stop: &Flag, send: Sender<Message>, answers: Option<Receiver<()>>) -> Result<PyModel> {
        let Self { setup, data, choices, resumable, team, earlier } = self;
        let exchange = team.exchange();
        let setup = together(|| setup.for_data_among(&data.prepared.dataset, exchange))?;
        let watched = Watched { valid: data.valid.as_ref(), test: None };
        let job = Job { setup: &setup, prepared: &data.prepared, watched, choices: &choices };
        let begins = resumable || team.every.is_some() || earlier.is_some();
        let start = begins.then(|| job.start_among(exchange)).transpose()?;
        let origin = start.as_ref().filter(|_| resumable).map(|start| start.origin);
        let earlier = match (earlier, &start) {
            (Some(earlier), Some(start)) => Some(earlier.resume(start)?),
            _ => None,
        };
        let bounds = setup.bounds(&data.prepared.dataset.labels);
        let saved = start.zip(team.every).filter(|_| team.keeps);
        let mut teller = Teller { send, answers, bounds, saved };
        let began = Instant::now();
        let recorder = Recorder::new(exchange);
        let seam: &dyn Exchange = if exchange.alone() { exchange } else { &recorder };
        let outcome = job.train_among(seam, earlier, stop, &mut teller)?;
        let Remarks { mut notes, warnings, .. } = data.prepared.remarks.clone();
        notes.extend(advice(&recorder, began.elapsed()));
        Ok(PyModel::new(job.model(outcome), origin, notes).trained(warnings))
    }
}

/// How long a run rests before it looks again whether a round was heard.
const PAUSE: Duration = Duration::from_micros(50);

/// Tells of each round, if that is wanted, and waits until it was heard; hands out checkpoints.
struct Teller {
    send: Sender<Message>,
    answers: Option<Receiver<()>>,
    bounds: Bounds,
    /// What checkpoints are made from, and the rounds between two.
    saved: Option<(Checkpoint, usize)>,
}

impl Observer for Teller {
    fn round(&mut self, round: &Round<'_>) -> Result<()> {
        if let Some((start, every)) = &mut self.saved
            && round.number.is_multiple_of((*every).max(1))
        {
            start.advance(round.outcome);
            // Nobody listens any more after an interrupt.
            let _ = self.send.send(Message::Checkpoint(start.to_bytes()?));
        }
        let Some(answers) = &self.answers else { return Ok(()) };
        let bound = self.bounds.after(&round.outcome.ensemble.rounds, round.record);
        let shown = Told { record: *round.record, bound };
        if self.send.send(Message::Round(round.number, Box::new(shown))).is_err() {
            return Ok(());
        }
        // Whoever listens may have work for this pool (a model that predicts), and no other thread may be there to do it.
        while answers.try_recv() == Err(TryRecvError::Empty) {
            if rayon::yield_now() != Some(Yield::Executed) {
                thread::sleep(PAUSE);
            }
        }
        Ok(())
    }
}

/// Hears what a run says, up to its end.
fn listen(
    receive: &Receiver<Message>,
    answer: &Sender<()>,
    stop: &Flag,
    callbacks: &Callbacks<'_>,
) -> PyResult<PyModel> {
    loop {
        match next(receive)? {
            Message::Done(result) => {
                return result.map_err(|panic| bug(&*panic))?.map_err(|error| exception(&error));
            }
            Message::Round(number, shown) => {
                let Some(callback) = callbacks.round else { continue };
                if Python::attach(|py| call(py, callback, number, &shown))? {
                    stop.store(true, Ordering::Relaxed);
                }
                let _ = answer.send(());
            }
            Message::Checkpoint(bytes) => {
                let keep = |keep: &Py<PyAny>| {
                    Python::attach(|py| keep.call1(py, (PyBytes::new(py, &bytes),)).map(drop))
                };
                callbacks.keep.map_or(Ok(()), keep)?;
            }
        }
    }
}

/// Calls back; says whether training is to end.
fn call(py: Python<'_>, callback: &Py<PyAny>, number: usize, shown: &Told) -> PyResult<bool> {
    let figures = PyDict::new(py);
    for (name, figure) in FIGURES {
        if let Some(value) = figure(shown) {
            figures.set_item(name, value)?;
        }
    }
    callback.call1(py, (number, figures))?.is_truthy(py)
}
