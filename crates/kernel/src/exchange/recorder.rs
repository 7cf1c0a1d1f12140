//! What exchanges come to: a figure that tests can demand.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Ask, Exchange, Verb};

/// What was exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// How often workers met.
    pub exchanges: u64,
    /// Bytes that this worker sent to others.
    pub sent: u64,
    /// Numbers that were asked for; zeros among them need not have travelled.
    pub numbers: u64,
}

/// Counts what a worker exchanges.
pub struct Recorder<'a> {
    of: &'a dyn Exchange,
    traffic: Mutex<Vec<(Verb, Traffic)>>,
    /// Nanoseconds.
    waited: AtomicU64,
}

impl<'a> Recorder<'a> {
    /// Of what goes through another exchange.
    pub fn new(of: &'a dyn Exchange) -> Self {
        Self { of, traffic: Mutex::default(), waited: AtomicU64::new(0) }
    }

    /// What was exchanged so far.
    pub fn traffic(&self) -> Traffic {
        let all = self.traffic.lock().unwrap_or_else(PoisonError::into_inner);
        let add = |sum: Traffic, (_, one): &(Verb, Traffic)| Traffic {
            exchanges: sum.exchanges + one.exchanges,
            sent: sum.sent + one.sent,
            numbers: sum.numbers + one.numbers,
        };
        all.iter().fold(Traffic::default(), add)
    }

    /// How long the worker did nothing but exchange. What goes on beside its work, on a thread of its own, does not count.
    pub fn waited(&self) -> Duration {
        Duration::from_nanos(self.waited.load(Ordering::Relaxed))
    }

    /// What was exchanged so far, by what was done.
    pub fn by_verb(&self) -> Vec<(Verb, Traffic)> {
        self.traffic.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Exchange for Recorder<'_> {
    fn rank(&self) -> usize {
        self.of.rank()
    }

    fn workers(&self) -> usize {
        self.of.workers()
    }

    fn deal(&self, ask: Ask, parts: &[&[u8]]) -> Vec<Vec<u8>> {
        let own = self.rank();
        let sent: usize =
            parts.iter().enumerate().filter(|&(to, _)| to != own).map(|(_, part)| part.len()).sum();
        {
            let mut traffic = self.traffic.lock().unwrap_or_else(PoisonError::into_inner);
            if !traffic.iter().any(|(verb, _)| *verb == ask.verb) {
                traffic.push((ask.verb, Traffic::default()));
            }
            for (_, one) in traffic.iter_mut().filter(|(verb, _)| *verb == ask.verb) {
                one.exchanges += 1;
                one.sent += sent as u64;
                one.numbers += ask.numbers;
            }
        }
        let start = Instant::now();
        let dealt = self.of.deal(ask, parts);
        if rayon::current_thread_index().is_some() {
            self.waited.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        }
        dealt
    }
}
