//! Training with other workers: who they are, and the way to them.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use manyboost_cluster::{Membership, Mesh, Token, join};
use manyboost_data::{Error, ErrorKind};
use manyboost_kernel::{Alone, Exchange};

use super::mpi::{Process, listen};
use crate::args::{TeamArgs, TrainArgs};
use crate::failure::{Outcome, wrong};
use crate::inputs::number;
use crate::messages;

/// Seconds of silence after which a worker is lost, if nothing is said.
const DEADLINE: f64 = 60.0;

/// Most bytes of a message.
const MOST_BYTES: u64 = 1 << 33;

/// A worker's place among others, if there are any.
pub enum Seat {
    /// There are none.
    Alone,
    /// As the arguments say.
    Told(Membership),
    /// As whoever has started the processes says.
    Started(Started),
}

/// A process that has been started with others, and what it knows before it finds them.
pub struct Started {
    process: Process,
    out: PathBuf,
    token: Option<Token>,
    job: String,
    deadline: Duration,
}

/// The way to other workers, if there are any.
pub struct Team(Option<Mesh>);

impl Seat {
    /// As the arguments say.
    pub fn new(args: &TrainArgs) -> Outcome<Self> {
        let TeamArgs { workers: Some(workers), rank, token_file, deadline } = &args.team else {
            return Ok(Self::Alone);
        };
        if args.report.is_some() {
            let remedy = "leave it out, or make it afterwards from the model";
            return Err(wrong("--report cannot be written by several workers", remedy));
        }
        let fine = |seconds: &f64| (1.0..=86_400.0).contains(seconds);
        let seconds = |text: &String| number("--deadline", text, fine, "1 to 86,400 seconds");
        let seconds = deadline.as_ref().map(seconds).transpose()?.unwrap_or(DEADLINE);
        let deadline = Duration::from_secs_f64(seconds);
        let job = job(args);
        if workers == "mpi" {
            if rank.is_some() {
                return Err(wrong("--rank: with --workers mpi it is known", "leave it out"));
            }
            let token = token_file.as_deref().map(Token::read).transpose()?;
            let process = Process::this()?;
            return Ok(Self::Started(Started { process, out: args.out.clone(), token, job, deadline }));
        }
        let addresses = addresses(workers)?;
        let (Some(rank), Some(token)) = (rank, token_file) else {
            let lacking = if rank.is_none() { "--rank" } else { "--token-file" };
            let remedy = "say which of them this is (--rank) and what only they know (--token-file)";
            return Err(wrong(format!("--workers {workers}: {lacking} is missing"), remedy));
        };
        let count = addresses.len();
        let range = format!("a whole number from 0 to {}, one less than there are workers", count - 1);
        let rank = number("--rank", rank, |rank| *rank < count, &range)?;
        Ok(Self::Told(membership(addresses, rank, Token::read(token)?, &job, deadline)))
    }

    /// Whether this worker is alone or the first: the one that writes.
    pub fn leads(&self) -> bool {
        match self {
            Self::Alone => true,
            Self::Told(membership) => membership.rank == 0,
            Self::Started(started) => started.process.rank == 0,
        }
    }

    /// Waits for the others.
    pub fn join(self) -> Outcome<Team> {
        match self {
            Self::Alone => Ok(Team(None)),
            Self::Told(membership) => {
                let (rank, own) = (membership.rank, &membership.addresses[membership.rank]);
                let listener = TcpListener::bind(own).map_err(|cause| {
                    let what = format!("worker {rank} cannot listen at {own}: {cause}");
                    Error::new(ErrorKind::Worker, what, "give an address of this machine and a free port")
                        .caused_by(&cause)
                })?;
                meet(&listener, &membership)
            }
            Self::Started(Started { process, out, token, job, deadline }) => {
                let mut folder = process.folder(&out, deadline)?;
                let (listener, addresses) = listen(&mut folder)?;
                let token = token.map_or_else(|| folder.token(), Ok)?;
                let team = meet(&listener, &membership(addresses, process.rank, token, &job, deadline));
                // All are there, or there is no hope: nobody looks any more.
                folder.remove();
                team
            }
        }
    }
}

fn membership(
    addresses: Vec<String>,
    rank: usize,
    token: Token,
    job: &str,
    deadline: Duration,
) -> Membership {
    let job = token.number(job);
    Membership { addresses, rank, token, job, deadline, patience: deadline, most_bytes: MOST_BYTES }
}

fn meet(listener: &TcpListener, membership: &Membership) -> Outcome<Team> {
    let (rank, workers) = (membership.rank, membership.addresses.len());
    let own = &membership.addresses[rank];
    messages::note(&format!(
        "worker {rank} of {workers} listens at {own}; what is exchanged is not encrypted"
    ));
    Ok(Team(Some(join(listener, membership)?)))
}

impl Team {
    /// What rows of all workers pass through.
    pub fn exchange(&self) -> &dyn Exchange {
        self.0.as_ref().map_or(&Alone, |mesh| mesh as &dyn Exchange)
    }
}

/// Where workers listen: the lines of a file, or a list.
fn addresses(workers: &str) -> Outcome<Vec<String>> {
    let text = if Path::new(workers).is_file() {
        std::fs::read_to_string(workers).map_err(|cause| {
            let what = format!("{workers}: cannot be read: {cause}");
            Error::new(ErrorKind::File, what, "give a file with a line HOST:PORT for each worker")
                .caused_by(&cause)
        })?
    } else {
        workers.replace(',', "\n")
    };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let addresses: Vec<String> = lines.map(String::from).collect();
    let port =
        |address: &String| address.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    match addresses.iter().find(|address| !port(address)) {
        None if !addresses.is_empty() => Ok(addresses),
        wrong_one => {
            let what =
                format!("--workers {workers}: {:?} is no HOST:PORT", wrong_one.map_or("", String::as_str));
            Err(wrong(what, "give a file with a line HOST:PORT for each worker, or a list A:1,B:2"))
        }
    }
}

/// What must be the same for all workers, in words.
fn job(args: &TrainArgs) -> String {
    let TrainArgs { data, booster, test, watch, learn, .. } = args;
    let watch = (
        &watch.valid,
        &watch.split,
        &watch.patience,
        &watch.metric,
        watch.checkpoint.is_some(),
        watch.resume,
    );
    let learn = (learn.run.seed, &learn.columns, &learn.class_weight, &learn.encode, &learn.given);
    let program = (env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    format!("{:?}", (program, data, booster, test, watch, learn))
}
