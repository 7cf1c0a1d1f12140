//! Ctrl-C and SIGTERM: work that can end well does (training after its round, a search with what it knows); anything else
//! ends at once and leaves nothing half-written behind.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{output, say};

/// The exit status of a command that a signal ended.
const ENDED: i32 = 130;

/// Whether the user asked for an end; whatever is patient looks at it often.
pub static ASKED: AtomicBool = AtomicBool::new(false);

/// How the work that is under way would end, if it can end well.
static PATIENT: Mutex<Option<&str>> = Mutex::new(None);

/// Listens to the signals from now on.
pub fn install() {
    let listening = ctrlc::set_handler(|| {
        let patient = PATIENT.lock().ok().and_then(|patient| *patient);
        if let Some(end) = patient
            && !ASKED.swap(true, Ordering::SeqCst)
        {
            say::tell(&format!("\ninterrupted: {end}; once more ends at once"));
            return;
        }
        output::clean();
        std::process::exit(ENDED);
    });
    if listening.is_err() {
        say::note("signals cannot be caught here: an interrupt will end training without a model");
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
