//! Training with other workers: who they are, and the way to them.

use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use manyboost_cluster::{Membership, Mesh, Token, join};
use manyboost_data::{Error, ErrorKind};
use manyboost_kernel::{Alone, Exchange};

use crate::args::TrainArgs;
use crate::failure::{Outcome, wrong};
use crate::inputs::number;
use crate::messages;

/// Seconds of silence after which a worker is lost, if nothing is said.
const DEADLINE: f64 = 60.0;

/// Most bytes of a message.
const MOST_BYTES: u64 = 1 << 33;

/// A worker's place among others, if there are any.
pub struct Seat(Option<Membership>);

/// The way to other workers, if there are any.
pub struct Team(Option<Mesh>);

impl Seat {
    /// As the arguments say.
    pub fn new(args: &TrainArgs) -> Outcome<Self> {
        let (Some(workers), Some(rank), Some(token)) =
            (&args.team.workers, &args.team.rank, &args.team.token_file)
        else {
            return Ok(Self(None));
        };
        for (given, option) in [(args.trace.is_some(), "--trace"), (args.report.is_some(), "--report")] {
            if given {
                let remedy = "leave it out, or make it afterwards from the model";
                return Err(wrong(format!("{option} cannot be written by several workers"), remedy));
            }
        }
        if args.watch.valid.as_deref().is_some_and(|valid| valid.parse::<f64>().is_ok()) {
            let what = "--valid: several workers cannot hold out a fraction of the rows yet";
            return Err(wrong(what, "give --valid a file of rows to validate on"));
        }
        let addresses = addresses(workers)?;
        let count = addresses.len();
        let range = format!("a whole number from 0 to {}, one less than there are workers", count - 1);
        let rank = number("--rank", rank, |rank| *rank < count, &range)?;
        let seconds = args.team.deadline.as_deref();
        let fine = |seconds: &f64| (1.0..=86_400.0).contains(seconds);
        let seconds =
            seconds.map(|text| number("--deadline", text, fine, "1 to 86,400 seconds")).transpose()?;
        let token = Token::read(token)?;
        let job = token.number(&job(args));
        let deadline = Duration::from_secs_f64(seconds.unwrap_or(DEADLINE));
        let patience = deadline;
        Ok(Self(Some(Membership { addresses, rank, token, job, deadline, patience, most_bytes: MOST_BYTES })))
    }

    /// Whether this worker is alone or the first: the one that writes.
    pub fn leads(&self) -> bool {
        self.0.as_ref().is_none_or(|membership| membership.rank == 0)
    }

    /// Waits for the others.
    pub fn join(self) -> Outcome<Team> {
        let Some(membership) = self.0 else { return Ok(Team(None)) };
        let (rank, workers) = (membership.rank, membership.addresses.len());
        let own = &membership.addresses[rank];
        let listener = TcpListener::bind(own).map_err(|cause| {
            let what = format!("worker {rank} cannot listen at {own}: {cause}");
            Error::new(ErrorKind::Worker, what, "give an address of this machine and a free port")
                .caused_by(&cause)
        })?;
        messages::note(&format!(
            "worker {rank} of {workers} listens at {own}; what is exchanged is not encrypted"
        ));
        Ok(Team(Some(join(&listener, &membership)?)))
    }
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
    let watch = (&watch.valid, &watch.patience, watch.checkpoint.is_some(), watch.resume);
    let learn = (learn.run.seed, &learn.columns, &learn.class_weight, &learn.encode, &learn.given);
    let program = (env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    format!("{:?}", (program, data, booster, test, watch, learn))
}
