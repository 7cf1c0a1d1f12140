//! Words for the user: notes on stderr, and how names and numbers are shown.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

pub use polyboost_report::words::{
    about, count, figure, grouped, name, percent, promise, reason, seconds, short, weight,
};

static QUIET: AtomicBool = AtomicBool::new(false);

/// Whether notes and progress are left out.
pub fn quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Whether notes and progress are left out.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Lines for the user, on stderr.
pub fn tell(lines: &str) {
    if !is_quiet() {
        // Without stderr there is nobody to tell.
        let _ = writeln!(std::io::stderr().lock(), "{lines}");
    }
}

/// Something that the user should know.
pub fn note(what: &str) {
    tell(&format!("note: {what}"));
}
