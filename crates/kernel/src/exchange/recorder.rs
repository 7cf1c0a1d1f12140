//! What exchanges come to: a figure that tests can demand.

use std::sync::{Mutex, PoisonError};

use super::{Ask, Exchange, Verb};

/// What was exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// How often workers met.
    pub exchanges: u64,
    /// Bytes that this worker sent to others.
    pub sent: u64,
}

/// Counts what a worker exchanges.
pub struct Recorder<'a> {
    of: &'a dyn Exchange,
    traffic: Mutex<Vec<(Verb, Traffic)>>,
}

impl<'a> Recorder<'a> {
    /// Of what goes through another exchange.
    pub fn new(of: &'a dyn Exchange) -> Self {
        Self { of, traffic: Mutex::default() }
    }

    /// What was exchanged so far.
    pub fn traffic(&self) -> Traffic {
        let all = self.traffic.lock().unwrap_or_else(PoisonError::into_inner);
        let add = |sum: Traffic, (_, one): &(Verb, Traffic)| Traffic {
            exchanges: sum.exchanges + one.exchanges,
            sent: sum.sent + one.sent,
        };
        all.iter().fold(Traffic::default(), add)
    }

    /// The same by what was done.
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
            }
        }
        self.of.deal(ask, parts)
    }
}
