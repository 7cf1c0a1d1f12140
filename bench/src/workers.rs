//! Training among several workers: for real, in processes that are connected over loopback, or with machines that are not there.
//!
//! A round is the difference between trainings of many and of few rounds, so that whatever is done once cancels.
//!
//! **The model of `--simulate`.** All workers are threads of this process, and what each computes between two exchanges is its own processor
//! time. An exchange begins when the last worker comes to it, and takes [`LATENCY`] and the most bytes that a worker sends or gets
//! through its line at [`SHARE`] of the rate. An exchange that another thread of the worker makes runs beside what the worker computes; the
//! parts of a batch are taken to be equally much work. Copying, checksums and the system are not in it.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use manyboost::engine::train::{Training, Watched};
use manyboost::kernel::exchange::{Ask, Attendee, Meeting, Recorder, Traffic};
use manyboost::kernel::{Alone, Exchange};
use manyboost_cluster::{Membership, Token, join};
use manyboost_data::{Table, prepare_among};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use crate::args::{Args, Failure, table};
use crate::memory::{forget, peak};

/// Seconds that a message is on its way.
const LATENCY: f64 = 100e-6;

/// Bits a second.
const RATE: f64 = 1e10;

/// The part of them that messages have.
const SHARE: f64 = 0.85;

/// Rounds that are not counted, and the last one that is.
const ROUNDS: [usize; 2] = [6, 18];

/// Numbers of machines that are simulated.
const MACHINES: [usize; 3] = [4, 8, 16];

/// What rounds came to for a worker.
struct Round {
    seconds: f64,
    traffic: Traffic,
    /// The most bytes that the process held before the first round, its table among them, and after that.
    memory: [u64; 2],
}

/// The rows of a worker: every one of so many, as often as there are to be copies.
fn rows(args: &Args, rank: usize, workers: usize) -> Result<Table, Failure> {
    let table = table(args.train.as_ref().ok_or("--train FILE is missing")?)?;
    let own: Vec<u32> = (rank as u32..table.rows as u32).step_by(workers).collect();
    Ok(table.select(&own.repeat(args.copies)))
}

/// Trains as one of several workers; `now` is the time of this worker.
fn train(args: &Args, part: Table, exchange: &dyn Exchange, now: &dyn Fn() -> f64) -> Result<Round, Failure> {
    let prepared = prepare_among(part, &args.prepare(), exchange)?;
    let prepared_in = peak();
    forget();
    let mut ends = Vec::new();
    for rounds in ROUNDS {
        let recorder = Recorder::new(exchange);
        let exchange: &dyn Exchange = if exchange.alone() { exchange } else { &recorder };
        let setup = args.setup(Some(rounds))?.for_data_among(&prepared.dataset, exchange)?;
        let plan = setup.plan(args.seed, None);
        let training = Training {
            plan: &plan,
            data: &prepared.dataset,
            encoder: &prepared.encoder,
            watched: Watched::default(),
        };
        let start = now();
        training.run_among(exchange, None, &AtomicBool::new(false), &mut ())?;
        ends.push((now() - start, recorder.traffic()));
    }
    let [(few, before), (many, after)] = [ends[0], ends[1]];
    let rounds = (ROUNDS[1] - ROUNDS[0]) as u64;
    let traffic = Traffic {
        exchanges: (after.exchanges - before.exchanges) / rounds,
        sent: (after.sent - before.sent) / rounds,
        numbers: (after.numbers - before.numbers) / rounds,
    };
    let seconds = (many - few) / rounds as f64;
    Ok(Round { seconds, traffic, memory: [prepared_in, peak()] })
}

fn told(workers: usize, round: &Round) -> Value {
    json!({
        "workers": workers, "seconds": round.seconds, "exchanges": round.traffic.exchanges, "sent": round.traffic.sent,
        "before": round.memory[0], "memory": round.memory[1],
    })
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match (args.rank, args.simulate) {
        (Some(rank), _) => work(args, rank),
        (None, true) => simulate(args),
        (None, false) => processes(args),
    }
}

/// One process, then so many, by turns; the least of each counts.
fn processes(args: &Args) -> Result<(), Failure> {
    for _ in 0..args.repeat {
        for workers in [1, args.workers] {
            println!("{}", start(workers)?);
        }
    }
    Ok(())
}

/// Starts so many processes like this one and returns what the first says.
fn start(workers: usize) -> Result<String, Failure> {
    let begin = |rank: usize| -> std::io::Result<Child> {
        let words = std::env::args().skip(1);
        let place = ["--rank".to_string(), rank.to_string(), "--workers".to_string(), workers.to_string()];
        let mut command = Command::new(std::env::current_exe()?);
        command.args(words.chain(place)).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
    };
    let mut children = (0..workers).map(begin).collect::<Result<Vec<Child>, _>>()?;
    let mut ears = Vec::new();
    let mut addresses = Vec::new();
    for child in &mut children {
        let mut ear = BufReader::new(child.stdout.take().ok_or("a worker says nothing")?);
        let mut address = String::new();
        ear.read_line(&mut address)?;
        addresses.push(address.trim().to_string());
        ears.push(ear);
    }
    for child in &mut children {
        let mut mouth = child.stdin.take().ok_or("a worker does not listen")?;
        writeln!(mouth, "{}", addresses.join(" "))?;
    }
    let mut said = String::new();
    for ear in &mut ears {
        let mut line = String::new();
        ear.read_line(&mut line)?;
        if said.is_empty() {
            said = line.trim().to_string();
        }
    }
    for child in &mut children {
        if !child.wait()?.success() {
            return Err("a worker failed".into());
        }
    }
    Ok(said)
}

/// Is one of the processes.
fn work(args: &Args, rank: usize) -> Result<(), Failure> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?);
    let mut addresses = String::new();
    std::io::stdin().lock().read_line(&mut addresses)?;
    let part = rows(args, rank, args.workers)?;
    let since = Instant::now();
    let now = || since.elapsed().as_secs_f64();
    let round = if args.workers == 1 {
        train(args, part, &Alone, &now)?
    } else {
        // Whoever else is on this machine learns nothing by listening, and nobody else is meant to measure.
        let token = Token::new(b"a token that is for measurements only")?;
        let membership = Membership {
            addresses: addresses.split_whitespace().map(str::to_string).collect(),
            rank,
            job: token.number("measurement"),
            token,
            deadline: Duration::from_secs(600),
            patience: Duration::from_secs(600),
            most_bytes: 1 << 33,
        };
        train(args, part, &join(&listener, &membership)?, &now)?
    };
    println!("{}", told(args.workers, &round));
    Ok(())
}

/// Machines of one core each, beside one such machine.
fn simulate(args: &Args) -> Result<(), Failure> {
    let one = on_one_core(|| train(args, rows(args, 0, 1)?, &Alone, &processor_time))?;
    println!("{}", told(1, &one));
    for workers in MACHINES {
        let parts = (0..workers).map(|rank| rows(args, rank, workers)).collect::<Result<Vec<_>, _>>()?;
        let meeting = &Meeting::new(workers);
        let rounds = std::thread::scope(|scope| {
            let machine = |(rank, part): (usize, Table)| {
                scope.spawn(move || {
                    on_one_core(|| {
                        let machine = Machine::new(meeting.attend(rank));
                        train(args, part, &machine, &|| machine.time())
                    })
                })
            };
            let threads: Vec<_> = parts.into_iter().enumerate().map(machine).collect();
            let joined = threads.into_iter().map(|thread| thread.join().map_err(|_| "a machine failed")?);
            joined.collect::<Result<Vec<Round>, Failure>>()
        })?;
        let last = rounds.into_iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
        if let Some(last) = last {
            let mut line = told(workers, &last);
            line["faster"] = json!(one.seconds / last.seconds);
            println!("{line}");
        }
    }
    Ok(())
}

fn on_one_core<T: Send>(work: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(work)
}

/// What this thread has computed, in seconds.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// A machine that is not there.
struct Machine<'a> {
    attendee: Attendee<'a>,
    thread: ThreadId,
    clock: Mutex<Clock>,
}

#[derive(Default)]
struct Clock {
    /// The time of the machine after the last exchange.
    time: f64,
    /// What its thread had computed by then.
    computed: f64,
    /// What each exchange sent since then that ran beside the work.
    beside: Vec<f64>,
}

impl<'a> Machine<'a> {
    fn new(attendee: Attendee<'a>) -> Self {
        let clock = Clock { computed: processor_time(), ..Clock::default() };
        Self { attendee, thread: std::thread::current().id(), clock: Mutex::new(clock) }
    }

    fn time(&self) -> f64 {
        let clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        clock.time + processor_time() - clock.computed
    }
}

impl Exchange for Machine<'_> {
    fn rank(&self) -> usize {
        self.attendee.rank()
    }

    fn workers(&self) -> usize {
        self.attendee.workers()
    }

    fn deal(&self, ask: Ask, parts: &[&[u8]]) -> Vec<Vec<u8>> {
        let dealt = self.attendee.deal(ask, parts);
        let others = |bytes: usize, at: usize| if at == self.rank() { 0 } else { bytes };
        let sent: usize = parts.iter().enumerate().map(|(at, part)| others(part.len(), at)).sum();
        let got: usize = dealt.iter().enumerate().map(|(at, part)| others(part.len(), at)).sum();
        let bytes = sent.max(got) as f64;
        let mut clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        if std::thread::current().id() != self.thread {
            clock.beside.push(bytes);
            return dealt;
        }
        let work = processor_time() - clock.computed;
        let beside = std::mem::take(&mut clock.beside);
        // All come to the same exchanges: when each does, and with how much, goes along.
        let mut own = Vec::new();
        for (at, bytes) in beside.iter().chain([&bytes]).enumerate() {
            own.push(clock.time + work * (at + 1) as f64 / (beside.len() + 1) as f64);
            own.push(*bytes);
        }
        let own: Vec<u8> = own.into_iter().flat_map(f64::to_le_bytes).collect();
        let all: Vec<Vec<f64>> = self
            .attendee
            .gather(&own)
            .iter()
            .map(|one| one.as_chunks().0.iter().map(|number| f64::from_le_bytes(*number)).collect())
            .collect();
        for at in 0..=beside.len() {
            let most = |which: usize| all.iter().fold(0.0, |most: f64, one| most.max(one[2 * at + which]));
            clock.time = most(0).max(clock.time) + LATENCY + 8.0 * most(1) / (RATE * SHARE);
        }
        clock.computed = processor_time();
        dealt
    }
}
