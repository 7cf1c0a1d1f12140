//! The targets under libFuzzer, which looks for bytes that reach new code. `cargo xtask fuzz` builds and runs this.
#![no_main]

use std::path::Path;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use manyboost_fuzz::{Target, target};

static TARGET: OnceLock<&Target> = OnceLock::new();

/// Takes the target's name from `MANYBOOST_FUZZ_TARGET`, and writes files to begin with to the folder `MANYBOOST_FUZZ_SEEDS`.
fn begin() {
    let name = std::env::var("MANYBOOST_FUZZ_TARGET").unwrap_or_default();
    let target =
        target(&name).unwrap_or_else(|| panic!("MANYBOOST_FUZZ_TARGET={name}: there is no such target"));
    if let Some(folder) = std::env::var_os("MANYBOOST_FUZZ_SEEDS") {
        for (number, file) in (target.seeds)().into_iter().enumerate() {
            std::fs::write(Path::new(&folder).join(format!("made-{number}")), file).expect("a file");
        }
    }
    TARGET.get_or_init(|| target);
}

fuzz_target!(init: begin(), |bytes: &[u8]| {
    let Some(target) = TARGET.get() else { return };
    if let Err(finding) = target.run(bytes) {
        // The hook of libFuzzer has been replaced by ours, which only counts.
        eprintln!("{:?}: {}", finding.wrong, finding.what);
        std::process::abort();
    }
});
