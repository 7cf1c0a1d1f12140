//! Workers on threads of one process.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::{Ask, Exchange, Failure};

/// Where workers on threads of one process meet.
pub struct Meeting {
    state: Mutex<State>,
    changed: Condvar,
}

/// What a worker asks for, and a part for another.
type Parcel = (Ask, Vec<u8>);

struct State {
    /// What lies ready from each worker for each.
    boxes: Vec<Vec<Option<Parcel>>>,
    /// Who has gone.
    gone: Vec<bool>,
}

/// A worker who meets the others; the others fail if they wait for one that is dropped.
pub struct Attendee<'a> {
    meeting: &'a Meeting,
    rank: usize,
}

impl Meeting {
    /// For so many workers.
    pub fn new(workers: usize) -> Self {
        let boxes = (0..workers).map(|_| (0..workers).map(|_| None).collect()).collect();
        Self { state: Mutex::new(State { boxes, gone: vec![false; workers] }), changed: Condvar::new() }
    }

    /// A worker by its number.
    pub fn attend(&self, rank: usize) -> Attendee<'_> {
        Attendee { meeting: self, rank }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something is as it should be, unless a worker has gone for which it would have to wait.
    fn wait<T>(&self, worker: usize, look: impl Fn(&mut State) -> Option<T>) -> T {
        let mut state = self.state();
        loop {
            if let Some(found) = look(&mut state) {
                return found;
            }
            if state.gone[worker] {
                drop(state);
                Failure { worker, what: "has gone".into() }.raise();
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Attendee<'_> {
    fn drop(&mut self) {
        self.meeting.state().gone[self.rank] = true;
        self.meeting.changed.notify_all();
    }
}

impl Exchange for Attendee<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn workers(&self) -> usize {
        self.meeting.state().gone.len()
    }

    fn deal(&self, ask: Ask, parts: &[&[u8]]) -> Vec<Vec<u8>> {
        let Self { meeting, rank } = *self;
        for (to, part) in parts.iter().enumerate() {
            meeting.wait(to, |state| {
                let place = &mut state.boxes[rank][to];
                place.is_none().then(|| *place = Some((ask, part.to_vec())))
            });
            meeting.changed.notify_all();
        }
        let take = |from: usize| {
            let (asked, part) = meeting.wait(from, |state| state.boxes[from][rank].take());
            meeting.changed.notify_all();
            if asked != ask {
                let what = format!("asks for {asked}, worker {rank} for {ask}");
                Failure { worker: from, what }.raise();
            }
            part
        };
        (0..parts.len()).map(take).collect()
    }
}
