//! Whether the process was started with a stdout.
//!
//! The standard library opens `/dev/null` in place of a stdout that is closed, before `main`: from then on nobody can tell it
//! from one that was sent there on purpose, and results are lost without a word. So this looks before it does, when the
//! program is loaded.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether stdout was closed when the program (or the library) was loaded.
pub fn stdout_was_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

#[cfg(unix)]
mod early {
    use super::{CLOSED, Ordering};

    const STDOUT: i32 = 1;
    /// The same on every Unix: asks for the flags of a descriptor, which fails if it is none.
    const F_GETFD: i32 = 1;

    // SAFETY: the signature is that of POSIX.
    unsafe extern "C" {
        fn fcntl(descriptor: i32, command: i32, ...) -> i32;
    }

    extern "C" fn look() {
        // SAFETY: F_GETFD takes no third argument, and any number may be asked about.
        CLOSED.store(unsafe { fcntl(STDOUT, F_GETFD) } == -1, Ordering::Relaxed);
    }

    // SAFETY: the section is a list of functions that the loader calls, and this is one: it takes nothing that they are
    // called with, gives nothing, cannot unwind, and needs nothing of the standard library that is not there yet.
    #[used]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    static LOOK: extern "C" fn() = look;
}
