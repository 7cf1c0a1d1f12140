//! How workers find one another: each calls those before it in the list, and is called by those after it.

use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use manyboost_data::{Error, ErrorKind, Result};

use crate::handshake::{Hello, PATIENCE, Refused, meet};
use crate::mesh::{Link, Mesh};
use crate::token::Token;

/// Callers who may be speaking at a time: strangers take no more.
const MOST_CALLERS: usize = 80;

/// Time between two looks for a caller, or two calls.
const PAUSE: Duration = Duration::from_millis(20);

/// Who trains together.
#[derive(Clone, Debug)]
pub struct Membership {
    /// Where each worker listens, in their order.
    pub addresses: Vec<String>,
    /// Which of them this is.
    pub rank: usize,
    /// What only they know.
    pub token: Token,
    /// A number for everything that must be the same everywhere: version, options, files.
    pub job: [u8; 32],
    /// Silence that is a loss.
    pub deadline: Duration,
    /// The time in which all must have come.
    pub patience: Duration,
    /// Most bytes of a message.
    pub most_bytes: u64,
}

/// A connection, or why there is none.
type Met = std::result::Result<(usize, Link), Refused>;

/// Connects this worker, which listens already, with all others.
pub fn join(listener: &TcpListener, membership: &Membership) -> Result<Mesh> {
    let (rank, workers) = (membership.rank, membership.addresses.len());
    if rank >= workers {
        let what = format!("there is no worker {rank} among {workers}");
        return Err(Error::new(ErrorKind::Parameter, what, "ranks are counted from 0"));
    }
    let until = Instant::now() + membership.patience;
    let (met, meeting) = channel();
    for other in 0..rank {
        let (membership, met) = (membership.clone(), met.clone());
        std::thread::spawn(move || call(other, &membership, until, &met));
    }
    let fail = |what: &str| wrong(rank, &format!("cannot listen: {what}"));
    listener.set_nonblocking(true).map_err(|error| fail(&error.to_string()))?;
    let links = gather(listener, membership, until, (met, &meeting))?;
    Mesh::new(rank, links, membership.deadline, membership.most_bytes)
}

/// All connections, once they are there.
fn gather(
    listener: &TcpListener,
    membership: &Membership,
    until: Instant,
    (met, meeting): (Sender<Met>, &Receiver<Met>),
) -> Result<Vec<Option<Link>>> {
    let (rank, workers) = (membership.rank, membership.addresses.len());
    let mut links: Vec<Option<Link>> = (0..workers).map(|_| None).collect();
    let mut callers = 0usize;
    loop {
        while let Ok(result) = meeting.try_recv() {
            match result {
                Ok((other, link)) if other < workers && other != rank => {
                    callers = callers.saturating_sub(usize::from(other > rank));
                    if links[other].is_some() {
                        return Err(wrong(other, "is there twice"));
                    }
                    links[other] = Some(link);
                }
                Err(Refused::Other(other, what)) => return Err(wrong(other as usize, what)),
                Ok(_) | Err(Refused::Stranger) => callers = callers.saturating_sub(1),
            }
        }
        let lacking = links.iter().enumerate().find(|(other, link)| *other != rank && link.is_none());
        let Some((lacking, _)) = lacking else { return Ok(links) };
        if Instant::now() > until {
            let seconds = membership.patience.as_secs_f64();
            let place = &membership.addresses[lacking];
            return Err(wrong(lacking, &format!("({place}) has not come within {seconds} seconds")));
        }
        match listener.accept() {
            Ok((stream, _)) if callers < MOST_CALLERS => {
                callers += 1;
                let (membership, met) = (membership.clone(), met.clone());
                std::thread::spawn(move || {
                    // Nobody waits for this any more if all are there.
                    let _ = met.send(answer(stream, &membership));
                });
            }
            _ => std::thread::sleep(PAUSE),
        }
    }
}

fn answer(mut stream: TcpStream, membership: &Membership) -> Met {
    stream.set_nonblocking(false).map_err(|_| Refused::Stranger)?;
    // Whom this worker speaks to is not known before; the caller says whom it means.
    let own = Hello::new(membership.rank, usize::MAX, membership.addresses.len(), membership.job)?;
    let (other, runs) = meet(&mut stream, &own, &membership.token, false)?;
    Ok((other, Link { stream, runs }))
}

/// Calls a worker until it answers or time is over.
fn call(other: usize, membership: &Membership, until: Instant, met: &Sender<Met>) {
    while Instant::now() < until {
        let result = reach(&membership.addresses[other]).and_then(|mut stream| {
            let own = Hello::new(membership.rank, other, membership.addresses.len(), membership.job)?;
            let (other, runs) = meet(&mut stream, &own, &membership.token, true)?;
            Ok((other, Link { stream, runs }))
        });
        if !matches!(result, Err(Refused::Stranger)) {
            // Nobody waits for this any more if another has failed.
            let _ = met.send(result);
            return;
        }
        std::thread::sleep(5 * PAUSE);
    }
}

fn reach(address: &str) -> std::result::Result<TcpStream, Refused> {
    let places: Vec<SocketAddr> = address.to_socket_addrs().map_err(|_| Refused::Stranger)?.collect();
    let reached = places.iter().find_map(|place| TcpStream::connect_timeout(place, PATIENCE).ok());
    reached.ok_or(Refused::Stranger)
}

fn wrong(worker: usize, what: &str) -> Error {
    let remedy = "start all workers with the same list, token, version, options and files";
    Error::new(ErrorKind::Worker, format!("worker {worker} {what}"), remedy)
}
