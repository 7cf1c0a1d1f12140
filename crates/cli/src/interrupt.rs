//! Ctrl-C and SIGTERM: training ends after its round and keeps what it has; anything else ends at once and leaves
//! nothing half-written behind.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::{output, say};

/// The exit status of a command that a signal ended.
const ENDED: i32 = 130;

/// Whether the user asked for an end; training looks at it after every round.
pub static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether there is something under way that can end well.
static PATIENT: AtomicBool = AtomicBool::new(false);

/// Listens to the signals from now on.
pub fn install() {
    let listening = ctrlc::set_handler(|| {
        if PATIENT.load(Ordering::SeqCst) && !ASKED.swap(true, Ordering::SeqCst) {
            say::tell("\ninterrupted: this round is finished and the model written; once more ends at once");
            return;
        }
        output::clean();
        std::process::exit(ENDED);
    });
    if listening.is_err() {
        say::note("signals cannot be caught here: an interrupt will end training without a model");
    }
}

/// From now on the first signal only sets [`ASKED`].
pub fn be_patient() {
    PATIENT.store(true, Ordering::SeqCst);
}

/// From now on the first signal ends the process again.
pub fn be_quick() {
    PATIENT.store(false, Ordering::SeqCst);
}
