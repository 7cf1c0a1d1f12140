//! Workers that train together, for Python: a listener, bound before anybody is told its address, and the mesh that it joins.

use std::net::TcpListener;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use manyboost::model::Checkpoint;
use manyboost_cluster::{Membership, Mesh, Token, join};
use manyboost_data::agree::together;
use manyboost_data::{Error, ErrorKind, Result};
use manyboost_kernel::{Alone, Exchange};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::exception;
use crate::work::waited;

/// Most bytes of a message.
const MOST_BYTES: u64 = 1 << 33;

/// Seconds of silence that may be a loss, or of waiting for others.
const SECONDS: RangeInclusive<f64> = 1.0..=86_400.0;

/// A place where a worker can be reached.
#[pyclass(frozen, name = "Listener", module = "manyboost._core")]
pub struct PyListener {
    listener: Mutex<Option<TcpListener>>,
    /// `HOST:PORT`, for the others.
    #[pyo3(get)]
    address: String,
}

impl PyListener {
    /// The listener, as long as it has not joined.
    fn place(&self) -> MutexGuard<'_, Option<TcpListener>> {
        self.listener.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyListener {
    /// Listens at an address of this machine, at a free port of its own choice or the first one of a range.
    #[new]
    #[pyo3(signature = (host, ports=None))]
    fn new(host: &str, ports: Option<(u16, u16)>) -> PyResult<Self> {
        let (first, last) = ports.unwrap_or((0, 0));
        let mut found = (first..=last).map(|port| TcpListener::bind((host, port)));
        let wrong = |cause: &dyn std::fmt::Display| {
            let what = format!("a worker cannot listen at {host}, ports {first} to {last}: {cause}");
            exception(&Error::new(ErrorKind::Worker, what, "give an address of this machine and free ports"))
        };
        let mut listener = found.next().unwrap_or_else(|| Err(std::io::ErrorKind::InvalidInput.into()));
        while listener.is_err() {
            let Some(next) = found.next() else { break };
            listener = next;
        }
        let listener = listener.map_err(|cause| wrong(&cause))?;
        let port = listener.local_addr().map_err(|cause| wrong(&cause))?.port();
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_string() };
        Ok(Self { listener: Mutex::new(Some(listener)), address: format!("{host}:{port}") })
    }

    /// Connects with all workers at these addresses, of which this is number `rank`. `job` is everything that must be the same for all.
    /// They may come within `patience` seconds, or else within the deadline; whoever has waited in vain can join again.
    #[pyo3(signature = (addresses, rank, token, job, deadline, patience=None))]
    #[expect(clippy::too_many_arguments, reason = "Python calls it by name")]
    fn join(
        &self,
        py: Python<'_>,
        addresses: Vec<String>,
        rank: usize,
        token: &[u8],
        job: &str,
        deadline: f64,
        patience: Option<f64>,
    ) -> PyResult<PyMesh> {
        let deadline = seconds("deadline", deadline)?;
        let patience = patience.map_or(Ok(deadline), |patience| seconds("patience", patience))?;
        let token = Token::new(token).map_err(|error| exception(&error))?;
        let program = (env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
        let job = token.number(&format!("{:?}", (program, job)));
        let membership =
            Membership { addresses, rank, token, job, deadline, patience, most_bytes: MOST_BYTES };
        let listener = self.place().take();
        let listener = listener.ok_or_else(|| PyValueError::new_err("this listener has joined already"))?;
        let (mesh, listener) = waited(py, move || Ok((join(&listener, &membership), listener)))?;
        let mesh = mesh.map_err(|error| {
            *self.place() = Some(listener);
            exception(&error)
        })?;
        let workers = mesh.workers();
        Ok(PyMesh { mesh: Mutex::new(Some(Arc::new(mesh))), rank, workers })
    }
}

/// The way to other workers: open until training has ended, or until nobody holds it any more.
#[pyclass(frozen, name = "Mesh", module = "manyboost._core")]
pub struct PyMesh {
    mesh: Mutex<Option<Arc<Mesh>>>,
    #[pyo3(get)]
    rank: usize,
    #[pyo3(get)]
    workers: usize,
}

impl PyMesh {
    /// Takes the mesh over.
    pub fn take(&self) -> PyResult<Arc<Mesh>> {
        self.mesh.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(gone)
    }
}

#[pymethods]
impl PyMesh {
    /// What each worker says, in their order.
    fn gather<'py>(&self, py: Python<'py>, own: Vec<u8>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let mesh = self.mesh.lock().unwrap_or_else(PoisonError::into_inner).clone().ok_or_else(gone)?;
        let said: Vec<Vec<u8>> = waited(py, move || -> Result<_> { together(|| Ok(mesh.gather(&own))) })?;
        Ok(said.iter().map(|bytes| PyBytes::new(py, bytes)).collect())
    }

    /// Says goodbye, if training has not done so.
    fn leave(&self, py: Python<'_>) {
        // The others may keep this one waiting.
        py.detach(|| drop(self.take()));
    }
}

/// Who trains together, as Python says it.
#[derive(FromPyObject)]
pub struct TeamRequest {
    mesh: Py<PyMesh>,
    /// A checkpoint to go on from, and rounds between two of them; the same for all.
    resume: Option<Vec<u8>>,
    every: Option<usize>,
    /// Called with each checkpoint, by one of the workers.
    pub keep: Option<Py<PyAny>>,
}

/// Who trains together; nobody else, if nothing is said.
#[derive(Default)]
pub struct Team {
    mesh: Option<Arc<Mesh>>,
    pub resume: Option<Checkpoint>,
    pub every: Option<usize>,
    /// Whether this worker hands out checkpoints.
    pub keeps: bool,
}

impl Team {
    pub fn new(request: Option<&TeamRequest>) -> PyResult<Self> {
        let Some(TeamRequest { mesh, resume, every, keep }) = request else { return Ok(Self::default()) };
        let mesh = Some(mesh.get().take()?);
        let resume = resume.as_deref().map(Checkpoint::from_bytes).transpose();
        let resume = resume.map_err(|error| exception(&error))?;
        Ok(Self { mesh, resume, every: *every, keeps: keep.is_some() })
    }

    /// What rows of all workers pass through.
    pub fn exchange(&self) -> &dyn Exchange {
        self.mesh.as_ref().map_or(&Alone, |mesh| &**mesh as &dyn Exchange)
    }
}

/// A time that a parameter takes.
fn seconds(parameter: &str, seconds: f64) -> PyResult<Duration> {
    if !SECONDS.contains(&seconds) {
        return Err(PyValueError::new_err(format!(
            "{parameter}={seconds}: not a value that it takes\n{parameter} takes 1 to 86,400 seconds"
        )));
    }
    Ok(Duration::from_secs_f64(seconds))
}

fn gone() -> PyErr {
    PyValueError::new_err("these workers have trained already\njoin again")
}
