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
use std::time::Duration;

use manyboost::engine::history::{FIGURES, Told};
use manyboost::engine::job::{Choices, Job};
use manyboost::engine::train::{Observer, Round, Watched};
use manyboost::model::Checkpoint;
use manyboost::spec::bounds::Bounds;
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::{
    Applied, ClassWeights, EncodeOptions, Line, PrepareOptions, Prepared, Remarks, Result, RowSubset,
    prepare_columns,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::{ThreadPool, Yield};

use crate::errors::{bug, exception};
use crate::model::PyModel;
use crate::numbers::{count, number, small, whole};
use crate::options::{GivenOption, values};
use crate::pool::pool;
use crate::rows::{HeldRows, Rows};
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
    /// The share of the rows to hold out.
    valid: Option<Bound<'py, PyAny>>,
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
}

/// Trains a model.
#[pyfunction]
pub fn train(py: Python<'_>, job: &Bound<'_, PyAny>) -> PyResult<PyModel> {
    let job: Request<'_> = job.extract()?;
    let options = values(&job.options).map(Options::new);
    let setup =
        options.and_then(|options| Setup::new(&job.booster, options)).map_err(|error| exception(&error))?;
    let mut prepare = PrepareOptions { values: setup.learner.needs_values(), ..PrepareOptions::default() };
    prepare.class_weights = match &job.class_weights {
        Some(given) => Some(ClassWeights::IfThere(given.clone())),
        None => job.balanced.then_some(ClassWeights::Balanced),
    };
    prepare.encode.bins = small("bins", job.bins.as_ref(), prepare.encode.bins)?;
    prepare.encode.ngrams = small("ngrams", job.ngrams.as_ref(), prepare.encode.ngrams)?;
    let choices = choices(&job, prepare.encode)?;
    let pool = pool(py, job.threads.as_ref())?;
    let data = Data::new(py, &job, &choices, &prepare, &pool)?;
    let setup = setup.for_data(&data.prepared.dataset).map_err(|error| exception(&error))?;
    let earlier = job.earlier.as_ref().and_then(|earlier| {
        let PyModel { model, origin, .. } = earlier.get();
        Some(Checkpoint { model: model.clone(), origin: (*origin)? })
    });
    let run = Run { setup, data, choices, resumable: job.resumable };
    run.watched(py, pool, earlier, job.callback.as_ref())
}

/// What neither booster nor learner takes.
fn choices(request: &Request<'_>, encode: EncodeOptions) -> PyResult<Choices> {
    let patience = request.patience.as_ref().map(|n| count("patience", n, 1..=u64::MAX));
    let held_out = request.valid.as_ref().map(|x| number("valid", x, "a number above 0 and below 1"));
    Ok(Choices {
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
    ) -> PyResult<Self> {
        let stop = Flag::new(false);
        let own = HeldRows::new(&job.rows)?;
        let others = job.eval_rows.as_ref().map(HeldRows::new).transpose()?;
        let own = own.look(&job.names, &stop);
        let others = others.as_ref().map(|others| others.look(&job.names, &stop));
        let Choices { held_out, seed, .. } = *choices;
        borrowed(py, pool, &stop, || {
            let answers = own.answers()?;
            let Some(fraction) = held_out else {
                let prepared = prepare_columns(answers, &own.columns, prepare)?;
                let valid = others
                    .map(|others| others.applied(None, &prepared.schema, &prepared.encoder))
                    .transpose()?;
                return Ok(Self { prepared, valid });
            };
            let [kept, held] = Line::new(&answers, &own.columns, false, seed)?.split(fraction)?;
            let some = RowSubset { of: &own.columns, rows: &kept.rows };
            let prepared = prepare_columns(answers.part(&kept), &some, prepare)?;
            let valid = Some(own.applied(Some(&held), &prepared.schema, &prepared.encoder)?);
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
}

/// What a run says.
enum Message {
    Round(usize, Box<Told>),
    Done(Box<thread::Result<Result<PyModel>>>),
}

impl Run {
    /// Trains on a thread that owns everything, while this one listens to signals and calls back.
    fn watched(
        self,
        py: Python<'_>,
        pool: Arc<ThreadPool>,
        earlier: Option<Checkpoint>,
        callback: Option<&Py<PyAny>>,
    ) -> PyResult<PyModel> {
        let stop = Arc::new(Flag::new(false));
        let flag = Arc::clone(&stop);
        let wanted = callback.is_some();
        py.detach(move || {
            let (send, receive) = channel();
            let (answer, answers) = channel();
            spawn(move || {
                let bounds = self.setup.bounds(&self.data.prepared.dataset.labels);
                let mut teller = wanted.then(|| CallbackObserver { send: send.clone(), answers, bounds });
                let train = || self.train(earlier, &flag, teller.as_mut());
                let done = catch_unwind(AssertUnwindSafe(|| pool.install(train)));
                // Nobody listens any more after an interrupt.
                let _ = send.send(Message::Done(Box::new(done)));
            })?;
            let result = listen(&receive, &answer, &stop, callback);
            stop.store(true, Ordering::Relaxed);
            result
        })
    }

    fn train(
        &self,
        earlier: Option<Checkpoint>,
        stop: &Flag,
        teller: Option<&mut CallbackObserver>,
    ) -> Result<PyModel> {
        let watched = Watched { valid: self.data.valid.as_ref(), test: None };
        let job = Job { setup: &self.setup, prepared: &self.data.prepared, watched, choices: &self.choices };
        let origin = self.resumable.then(|| job.origin());
        let earlier = earlier.filter(|_| self.resumable).map(|earlier| job.resume(earlier)).transpose()?;
        let mut nobody = ();
        let observer: &mut dyn Observer = match teller {
            Some(teller) => teller,
            None => &mut nobody,
        };
        let outcome = job.train(earlier, stop, observer)?;
        let Remarks { notes, warnings, .. } = self.data.prepared.remarks.clone();
        Ok(PyModel::new(job.model(outcome), origin, notes).trained(warnings))
    }
}

/// How long a run rests before it looks again whether a round was heard.
const PAUSE: Duration = Duration::from_micros(50);

/// Tells of each round, and waits until it was heard.
struct CallbackObserver {
    send: Sender<Message>,
    answers: Receiver<()>,
    bounds: Bounds,
}

impl Observer for CallbackObserver {
    fn round(&mut self, round: &Round<'_>) -> Result<()> {
        let bound = self.bounds.after(&round.outcome.ensemble.rounds, round.record);
        let shown = Told { record: *round.record, bound };
        if self.send.send(Message::Round(round.number, Box::new(shown))).is_err() {
            return Ok(());
        }
        // Whoever listens may have work for this pool (a model that predicts), and no other thread may be there to do it.
        while self.answers.try_recv() == Err(TryRecvError::Empty) {
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
    callback: Option<&Py<PyAny>>,
) -> PyResult<PyModel> {
    loop {
        match (next(receive)?, callback) {
            (Message::Done(result), _) => {
                return result.map_err(|panic| bug(&*panic))?.map_err(|error| exception(&error));
            }
            (Message::Round(number, shown), Some(callback)) => {
                if Python::attach(|py| call(py, callback, number, &shown))? {
                    stop.store(true, Ordering::Relaxed);
                }
                let _ = answer.send(());
            }
            (Message::Round(..), None) => {}
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
