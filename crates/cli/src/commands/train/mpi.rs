//! Workers that `mpirun` or `srun` has started: which of them this is says the environment, where they are they tell one another
//! through a folder beside the model.

use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::time::Duration;

use manyboost_cluster::Folder;
use manyboost_data::{Error, ErrorKind};

use crate::failure::{Outcome, wrong};

/// Where launchers write the number of a process, and how many there are: Open MPI, MPICH and Intel's, Slurm.
const LAUNCHERS: [[&str; 2]; 3] = [
    ["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"],
    ["PMI_RANK", "PMI_SIZE"],
    ["SLURM_PROCID", "SLURM_NTASKS"],
];

/// A process among others.
pub struct Process {
    pub rank: usize,
    pub workers: usize,
}

impl Process {
    /// This one.
    pub fn this() -> Outcome<Self> {
        let number = |name: &str| std::env::var(name).ok()?.parse::<usize>().ok();
        let process = |[rank, size]: [&str; 2]| {
            let (rank, workers) = (number(rank)?, number(size)?);
            (rank < workers).then_some(Self { rank, workers })
        };
        LAUNCHERS.into_iter().find_map(process).ok_or_else(|| {
            let variables: Vec<&str> = LAUNCHERS.iter().map(|[rank, _]| *rank).collect();
            let what =
                format!("--workers mpi: no launcher says which process this is ({})", variables.join(", "));
            wrong(what, "start the command with mpirun or srun, or give --workers a list of hosts")
        })
    }

    /// The way to the others: a folder beside the model.
    pub fn folder(&self, out: &Path, patience: Duration) -> Outcome<Folder> {
        let mut path = out.as_os_str().to_os_string();
        path.push(".workers");
        Ok(Folder::new(&PathBuf::from(path), self.rank, self.workers, patience)?)
    }
}

/// Listens where the others can reach this process; says where they all listen.
pub fn listen(folder: &mut Folder) -> Outcome<(TcpListener, Vec<String>)> {
    let own = host_name();
    let names = folder.gather("host", &own)?;
    let fail = |what: String| Error::new(ErrorKind::Worker, what, "give --workers a list of hosts and ports");
    let host = match names.iter().find(|name| **name != own) {
        None => "127.0.0.1".to_string(),
        Some(other) => reached_from(other).map_err(|cause| {
            fail(format!("the host {other} of another worker is not known here: {cause}"))
        })?,
    };
    let listener = TcpListener::bind((host.as_str(), 0))
        .and_then(|listener| Ok((listener.local_addr()?.to_string(), listener)))
        .map_err(|cause| fail(format!("a worker cannot listen at {host}: {cause}")))?;
    let (address, listener) = listener;
    Ok((listener, folder.gather("address", &address)?))
}

/// The address from which this machine reaches another one. Nothing is sent: the system says which it would be.
fn reached_from(other: &str) -> std::io::Result<String> {
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    socket.connect((other, 9))?;
    Ok(socket.local_addr()?.ip().to_string())
}

/// What other machines call this one.
fn host_name() -> String {
    #[cfg(unix)]
    let name = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").ok();
    name.unwrap_or_default()
}
