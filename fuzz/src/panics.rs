//! Panics are counted where they begin, so that one that is caught on its way counts too.

use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::{Mutex, Once, PoisonError};

use manyboost_data::read::KNOWN_PANICS;

/// The panics since somebody last asked, each with its place.
static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn seen() -> std::sync::MutexGuard<'static, Vec<String>> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the reader of Parquet files is known to catch this one.
fn known(info: &PanicHookInfo<'_>, words: &str) -> bool {
    let file = info.location().map_or("", |place| place.file());
    KNOWN_PANICS.iter().any(|(place, known)| file.ends_with(place) && words.contains(known))
}

fn words(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    format!("{place}: {text}")
}

/// Keeps an eye on panics from now on, on all threads.
fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            let words = words(info);
            if known(info, &words) {
                return;
            }
            seen().push(words);
            if std::env::var_os("MANYBOOST_FUZZ_LOUD").is_some() {
                before(info);
            }
        }));
    });
}

/// Runs something; what it gave unless it panicked, and all panics on the way.
pub fn counted<T>(run: impl FnOnce() -> T) -> (Option<T>, Vec<String>) {
    // One at a time: panics are those of the whole process.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    watch();
    seen().clear();
    let done = catch_unwind(AssertUnwindSafe(run)).ok();
    (done, std::mem::take(&mut *seen()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caught_panics_count_too() {
        let (done, panics) = counted(|| {
            let inner = catch_unwind(|| panic!("within"));
            std::thread::spawn(|| panic!("elsewhere")).join().is_err() && inner.is_err()
        });
        assert_eq!(done, Some(true));
        assert_eq!(panics.len(), 2);
        assert!(panics[0].contains("within") && panics[0].contains("panics.rs"), "{panics:?}");
        assert_eq!(counted(|| 7), (Some(7), vec![]));
        assert_eq!(counted(|| -> u8 { panic!("out") }).0, None);
    }
}
