//! Workers that are connected each with each.
//!
//! A thread reads each connection all the time, so that whoever sends is never in the way of whoever else does; another says now and
//! then that this worker is alive. A worker that fails says so to all others, and why: all raise the same failure.

use std::collections::VecDeque;
use std::io::ErrorKind as Cause;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use manyboost_data::{Error, ErrorKind, Result};
use manyboost_kernel::Exchange;
use manyboost_kernel::exchange::{Ask, Failure};

use crate::message::{Broken, Kind, Message, Run, read, write};

/// Time in which whoever was told why others cannot go on says what it knows.
const GRACE: Duration = Duration::from_millis(500);

/// A connection that is closed.
const CLOSED: &str = "was lost: it closed the connection";

/// Signs of life within a deadline.
const BEATS: u32 = 6;

/// The longest text of a failure that is told.
const MOST_TOLD: usize = 1000;

/// A connection with a worker.
pub(crate) struct Link {
    pub(crate) stream: TcpStream,
    /// What messages that come in and that go out are marked with.
    pub(crate) runs: [Run; 2],
}

/// How to speak to a worker.
struct Voice {
    stream: Mutex<TcpStream>,
    /// The same connection, to be closed whoever is speaking.
    end: TcpStream,
    run: Run,
}

impl Voice {
    fn say(&self, kind: Kind, number: u64, bytes: &[u8]) -> std::io::Result<()> {
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        write(&mut *stream, self.run, kind, number, bytes)
    }

    fn hang_up(&self, how: Shutdown) {
        // It may be closed already.
        let _ = self.end.shutdown(how);
    }
}

/// What a worker has sent, or why it sends nothing more.
type Heard = (usize, std::result::Result<Message, String>);

/// What is going on.
struct Talk {
    /// Exchanges so far.
    number: u64,
    /// What has come from each worker and is not taken yet.
    waiting: Vec<VecDeque<Message>>,
    /// Why each worker sends nothing more, if so.
    silent: Vec<Option<String>>,
    heard: Receiver<Heard>,
    /// Why this worker cannot go on, if so.
    failed: Option<Failure>,
}

/// This worker, connected with all others.
pub struct Mesh {
    rank: usize,
    deadline: Duration,
    voices: Arc<Vec<Option<Voice>>>,
    talk: Mutex<Talk>,
    ended: Arc<AtomicBool>,
}

impl Mesh {
    /// Begins to listen to all others.
    pub(crate) fn new(
        rank: usize,
        links: Vec<Option<Link>>,
        deadline: Duration,
        most_bytes: u64,
    ) -> Result<Self> {
        let (tell, heard) = channel();
        let workers = links.len();
        let mut voices = Vec::with_capacity(workers);
        for (worker, link) in links.into_iter().enumerate() {
            let voice = link.map(|link| begin(worker, link, deadline, most_bytes, &tell)).transpose();
            voices.push(voice.map_err(|cause| {
                let what = format!("worker {worker} cannot be listened to: {cause}");
                Error::new(ErrorKind::Worker, what, "start all workers again").caused_by(&cause)
            })?);
        }
        let (voices, ended) = (Arc::new(voices), Arc::new(AtomicBool::new(false)));
        let (others, over) = (voices.clone(), ended.clone());
        std::thread::spawn(move || beat(&others, &over, deadline / BEATS));
        let waiting = (0..workers).map(|_| VecDeque::new()).collect();
        let talk = Talk { number: 0, waiting, silent: vec![None; workers], heard, failed: None };
        Ok(Self { rank, deadline, voices, talk: Mutex::new(talk), ended })
    }

    fn talk(&self) -> MutexGuard<'_, Talk> {
        self.talk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells all others why this worker cannot go on, and gives up.
    fn fail(&self, mut talk: MutexGuard<'_, Talk>, failure: Failure) -> ! {
        if talk.failed.is_none() {
            let mut told = (failure.worker as u32).to_le_bytes().to_vec();
            told.extend(failure.what.bytes().take(MOST_TOLD));
            for voice in self.voices.iter().flatten() {
                // Whoever is lost cannot be told.
                let _ = voice.say(Kind::Abort, talk.number, &told);
            }
            talk.failed = Some(failure.clone());
        }
        drop(talk);
        failure.raise()
    }

    /// The part of a worker, once it is there; or why it will not be.
    fn part_of(&self, talk: &mut Talk, worker: usize, ask: Ask) -> std::result::Result<Vec<u8>, Failure> {
        loop {
            if let Some(message) = talk.waiting[worker].pop_front() {
                return fits(message, talk.number, ask, self.rank).map_err(|what| Failure { worker, what });
            }
            if let Some(what) = &talk.silent[worker] {
                let loss = Failure { worker, what: what.clone() };
                return Err(if what == CLOSED { cause(talk, loss) } else { loss });
            }
            let Ok((from, heard)) = talk.heard.recv() else {
                return Err(Failure { worker, what: "cannot be heard any more".into() });
            };
            match heard {
                Ok(Message { kind: Kind::Abort, bytes, .. }) => return Err(told(from, &bytes)),
                Ok(Message { kind: Kind::Bye, .. }) => talk.silent[from] = Some("has left".into()),
                Ok(message) => talk.waiting[from].push_back(message),
                Err(what) => talk.silent[from] = Some(what),
            }
        }
    }
}

/// Begins to listen to a worker.
fn begin(
    worker: usize,
    Link { stream, runs: [incoming, run] }: Link,
    deadline: Duration,
    most_bytes: u64,
    tell: &Sender<Heard>,
) -> std::io::Result<Voice> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(deadline))?;
    stream.set_write_timeout(Some(deadline))?;
    let (mut ear, tell) = (stream.try_clone()?, tell.clone());
    std::thread::spawn(move || {
        loop {
            let heard =
                read(&mut ear, incoming, most_bytes, deadline).map_err(|broken| said(&broken, deadline));
            if matches!(heard, Ok(Message { kind: Kind::Beat, .. })) {
                continue;
            }
            let last = !matches!(heard, Ok(Message { kind: Kind::Part(_), .. }));
            if tell.send((worker, heard)).is_err() || last {
                return;
            }
        }
    });
    Ok(Voice { end: stream.try_clone()?, stream: Mutex::new(stream), run })
}

/// Says that this worker is alive, until it has ended.
fn beat(voices: &[Option<Voice>], ended: &AtomicBool, every: Duration) {
    let mut last = Instant::now();
    while !ended.load(Ordering::Relaxed) {
        std::thread::sleep(every.min(Duration::from_millis(100)));
        if last.elapsed() < every {
            continue;
        }
        last = Instant::now();
        for voice in voices.iter().flatten() {
            // Somebody who is being spoken to hears that this worker is alive.
            if let Ok(mut stream) = voice.stream.try_lock() {
                let _ = write(&mut *stream, voice.run, Kind::Beat, 0, &[]);
            }
        }
    }
}

/// Why somebody is gone: it may have closed the connection because of another, and have said so, to this worker or to one that is there.
fn cause(talk: &mut Talk, loss: Failure) -> Failure {
    let until = Instant::now() + GRACE;
    loop {
        match talk.heard.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok((from, Ok(Message { kind: Kind::Abort, bytes, .. }))) => return told(from, &bytes),
            Ok((from, Err(what))) if what != CLOSED => return Failure { worker: from, what },
            Ok(_) => {}
            Err(_) => return loss,
        }
    }
}

/// What a broken connection is called.
fn said(broken: &Broken, deadline: Duration) -> String {
    match broken {
        Broken::Garbled(what) => (*what).to_string(),
        Broken::Lost(cause) if matches!(cause.kind(), Cause::WouldBlock | Cause::TimedOut) => {
            format!("was silent for {} seconds", deadline.as_secs_f64())
        }
        Broken::Lost(_) => CLOSED.to_string(),
    }
}

/// Why another worker cannot go on, as it told.
fn told(from: usize, bytes: &[u8]) -> Failure {
    match bytes.split_first_chunk::<4>() {
        Some((worker, what)) => Failure {
            worker: u32::from_le_bytes(*worker) as usize,
            what: String::from_utf8_lossy(&what[..what.len().min(MOST_TOLD)]).into_owned(),
        },
        None => Failure { worker: from, what: "has failed".into() },
    }
}

/// The bytes of a message, if it is the one that is expected.
fn fits(message: Message, number: u64, ask: Ask, rank: usize) -> std::result::Result<Vec<u8>, String> {
    let Kind::Part(asked) = message.kind else { return Err("sent something else than its part".into()) };
    if message.number != number {
        return Err(format!("sent message {} where message {number} was due", message.number));
    }
    if asked != ask {
        return Err(format!("asks for {asked}, worker {rank} for {ask}"));
    }
    Ok(message.bytes)
}

impl Exchange for Mesh {
    fn rank(&self) -> usize {
        self.rank
    }

    fn workers(&self) -> usize {
        self.voices.len()
    }

    fn deal(&self, ask: Ask, parts: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut talk = self.talk();
        if let Some(failure) = talk.failed.clone() {
            self.fail(talk, failure);
        }
        talk.number += 1;
        let workers = self.workers();
        // Each begins with another, so that not all speak to one at a time.
        for to in (1..workers).map(|step| (self.rank + step) % workers) {
            let Some(voice) = &self.voices[to] else { continue };
            if voice.say(Kind::Part(ask), talk.number, parts[to]).is_err() {
                // Why is known to whoever listens; without that, it is that nothing could be said.
                let heard = self.part_of(&mut talk, to, ask).err();
                let unheard = |talk: &mut Talk| {
                    cause(talk, Failure { worker: to, what: "was lost: it takes nothing any more".into() })
                };
                let failure = heard.unwrap_or_else(|| unheard(&mut talk));
                self.fail(talk, failure);
            }
        }
        let mut dealt = Vec::with_capacity(workers);
        for (from, part) in parts.iter().enumerate() {
            if from == self.rank {
                dealt.push(part.to_vec());
                continue;
            }
            match self.part_of(&mut talk, from, ask) {
                Ok(bytes) => dealt.push(bytes),
                Err(failure) => self.fail(talk, failure),
            }
        }
        dealt
    }
}

impl Mesh {
    /// Waits until all others have said their last word, but no longer than so.
    fn see_off(&self, talk: &mut Talk, patience: Duration) {
        let until = Instant::now() + patience;
        let present = |talk: &Talk| {
            (0..self.voices.len()).any(|at| self.voices[at].is_some() && talk.silent[at].is_none())
        };
        while present(talk) {
            match talk.heard.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok((_, Ok(Message { kind: Kind::Part(_), .. }))) => {}
                Ok((from, _)) => talk.silent[from] = Some(String::new()),
                Err(_) => break,
            }
        }
    }
}

impl Drop for Mesh {
    /// Says goodbye and waits until all others have, so that nobody loses what was said last: also why this worker cannot go on, which a
    /// connection that is closed while others still speak would lose.
    fn drop(&mut self) {
        let mut talk = self.talk();
        if talk.failed.is_none() {
            for voice in self.voices.iter().flatten() {
                // Whoever is lost has no goodbye.
                let _ = voice.say(Kind::Bye, talk.number, &[]);
            }
            self.see_off(&mut talk, self.deadline);
        } else {
            self.voices.iter().flatten().for_each(|voice| voice.hang_up(Shutdown::Write));
            self.see_off(&mut talk, GRACE);
        }
        self.ended.store(true, Ordering::Relaxed);
        self.voices.iter().flatten().for_each(|voice| voice.hang_up(Shutdown::Both));
    }
}
