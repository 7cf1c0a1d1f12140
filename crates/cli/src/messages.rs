//! Words for the user: notes on stderr, and how names and numbers are shown.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use manyboost_data::wording::{visible, visible_lines};
use manyboost_data::{Remarks, with_parameters};
pub use manyboost_report::words::{
    about, count, figure, grouped, name, percent, promise, reason, seconds, short, weight,
};

static QUIET: AtomicBool = AtomicBool::new(false);

/// What was warned of.
static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());

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
        let _ = writeln!(std::io::stderr().lock(), "{}", visible_lines(lines));
    }
}

/// A parameter as it is written on a command line.
pub fn parameter(name: &str, value: Option<&str>) -> String {
    value.map_or_else(|| format!("--{name}"), |value| format!("--{name} {value}"))
}

/// A text of the library with parameters as they are written on a command line.
pub fn parameters(text: &str) -> String {
    with_parameters(text, parameter)
}

/// Something that the user should know.
pub fn note(what: &str) {
    tell(&format!("note: {}", visible(what)));
}

/// Waiting that is worth a word, in seconds.
const LONG: f64 = 10.0;

/// Says so if something will take long before anything is to be seen.
pub fn ahead(seconds: f64, what: &str) {
    if seconds > LONG {
        note(&format!("{what} may take {} or more; Ctrl-C stops it", about(seconds)));
    }
}

/// Something that looks like a mistake: it is said in any case.
pub fn warn(what: &str) {
    let _ = writeln!(std::io::stderr().lock(), "warning: {what}");
    WARNINGS.lock().unwrap_or_else(PoisonError::into_inner).push(what.to_string());
}

/// All that was warned of, for results in JSON.
pub fn warnings() -> Vec<String> {
    WARNINGS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// What there is to know about the columns of a table.
pub fn remarks(remarks: &Remarks) {
    remarks.notes.iter().for_each(|what| note(what));
    remarks.warnings.iter().for_each(|what| warn(&parameters(what)));
}
