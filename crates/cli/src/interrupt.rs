//! Ctrl-C and SIGTERM: work that can end well does (training after its round, a search with what it knows); anything else
//! ends at once and leaves nothing half-written behind.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use manyboost::files::abandon;

use crate::messages;

/// The exit status of a command that a signal ended.
const ENDED: i32 = 130;

/// Signals so soon after the first was answered are the same wish: timeout(1), container runtimes and batch systems signal a
/// process and then its group. Whoever read the answer needs longer.
const SAME_WISH: Duration = Duration::from_secs(1);

/// Whether the user asked for an end; whatever is patient looks at it often.
pub static ASKED: AtomicBool = AtomicBool::new(false);

/// How the work that is under way would end, if it can end well.
static PATIENT: Mutex<Option<&str>> = Mutex::new(None);

/// What a signal leads to.
#[derive(Debug, PartialEq)]
enum Reaction {
    /// The work is asked to end, and the user is told how it will.
    Ask(&'static str),
    /// It has been asked already.
    Wait,
    /// The process ends now.
    End,
}

/// Listens to the signals from now on.
pub fn install() {
    // Without a thread to listen, the signals would be caught and never heard.
    if std::thread::Builder::new().spawn(|| {}).is_err() {
        return messages::note(
            "signals cannot be listened to here: an interrupt will end training without a model",
        );
    }
    let mut answered: Option<Instant> = None;
    let listening = ctrlc::set_handler(move || {
        let patient = PATIENT.lock().ok().and_then(|patient| *patient);
        match reaction(patient, answered.map(|moment| moment.elapsed())) {
            Reaction::Ask(end) => {
                ASKED.store(true, Ordering::SeqCst);
                messages::tell(&format!("\ninterrupted: {end}; once more ends at once"));
                answered = Some(Instant::now());
            }
            Reaction::Wait => {}
            Reaction::End => {
                abandon();
                std::process::exit(ENDED);
            }
        }
    });
    if listening.is_err() {
        messages::note("signals cannot be caught here: an interrupt will end training without a model");
    }
}

/// What a signal leads to, given how the work would end and how long ago an earlier signal was answered.
fn reaction(patient: Option<&'static str>, answered: Option<Duration>) -> Reaction {
    match (answered, patient) {
        (Some(ago), _) if ago < SAME_WISH => Reaction::Wait,
        (None, Some(end)) => Reaction::Ask(end),
        _ => Reaction::End,
    }
}

/// From now on the first signal only sets [`ASKED`]; `end` says what will be done then.
pub fn be_patient(end: &'static str) {
    set(Some(end));
}

/// From now on the first signal ends the process again.
pub fn be_quick() {
    set(None);
}

fn set(end: Option<&'static str>) {
    if let Ok(mut patient) = PATIENT.lock() {
        *patient = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_signal_after_the_answer_is_impatience() {
        let (soon, later) = (Some(Duration::from_millis(5)), Some(Duration::from_millis(1500)));
        assert_eq!(reaction(Some("x"), None), Reaction::Ask("x"));
        assert_eq!(reaction(None, None), Reaction::End);
        for patient in [None, Some("x")] {
            assert_eq!(reaction(patient, soon), Reaction::Wait);
            assert_eq!(reaction(patient, later), Reaction::End);
        }
    }
}
