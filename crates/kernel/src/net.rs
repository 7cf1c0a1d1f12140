//! What happens when memory runs out all the same.
//!
//! Rust ends a program by SIGABRT when an allocation fails that nobody is prepared for. Large buffers are asked for beforehand
//! ([`can_have`]), but not every list of a few bytes can be; where the limit is met there, a program that has [`Net`] for its
//! allocator ends with a line on stderr and status 1, as after any other failure of its work.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Whether this thread is prepared for an allocation to fail.
    static PREPARED: Cell<bool> = const { Cell::new(false) };
}

/// Whether so many bytes can be had at once. They are given back.
pub fn can_have(bytes: u64) -> bool {
    let Ok(bytes) = usize::try_from(bytes) else { return false };
    PREPARED.set(true);
    let had = Vec::<u8>::new().try_reserve_exact(bytes).is_ok();
    PREPARED.set(false);
    had
}

/// The system's allocator; an allocation that fails ends the program in good order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Net;

// SAFETY: everything is passed on to the system's allocator as it is, and what comes back is passed back. Nothing unwinds.
unsafe impl GlobalAlloc for Net {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: promised by the caller, as for all calls below.
        had(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        had(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        had(unsafe { System.realloc(at, layout, size) }, size)
    }
}

#[inline]
fn had(at: *mut u8, size: usize) -> *mut u8 {
    if at.is_null() && !PREPARED.get() {
        end(size);
    }
    at
}

/// Says that memory ran out, without any, and ends the program. Elsewhere Rust ends it, in its own way.
#[cold]
fn end(size: usize) {
    #[cfg(unix)]
    {
        unsafe extern "C" {
            fn write(file: i32, bytes: *const u8, count: usize) -> isize;
            fn _exit(status: i32) -> !;
        }
        let mut digits = [0u8; 20];
        let text = decimal(size, &mut digits);
        let lines: [&[u8]; 3] = [
            b"error: out of memory: ",
            text,
            b" more bytes cannot be had\n  give the program more memory, or less to do: fewer rows, columns or classes\n",
        ];
        for line in lines {
            // SAFETY: the bytes are there; whether anybody reads them does not matter.
            unsafe { write(2, line.as_ptr(), line.len()) };
        }
        // SAFETY: always.
        unsafe { _exit(1) }
    }
    #[cfg(not(unix))]
    let _ = size;
}

/// A number in decimal digits.
#[cfg_attr(not(unix), allow(dead_code, reason = "only said where the program is ended here"))]
fn decimal(mut number: usize, digits: &mut [u8; 20]) -> &[u8] {
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return &digits[first..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_cannot_be_is_not_had() {
        assert!(can_have(1 << 20) && can_have(0));
        assert!(!can_have(u64::MAX) && !can_have(1 << 62));
    }

    #[test]
    fn numbers_are_written_without_memory() {
        for number in [0, 7, 10, 1_234_567_890, usize::MAX] {
            assert_eq!(decimal(number, &mut [0; 20]), number.to_string().as_bytes());
        }
    }

    #[test]
    fn memory_is_the_systems() {
        let layout = Layout::array::<u64>(100).unwrap();
        // SAFETY: the layout has a size, and the memory is given back with the layout that it has at the time.
        unsafe {
            let at = Net.alloc_zeroed(layout);
            assert!((0..layout.size()).all(|i| at.add(i).read() == 0));
            at.write(7);
            let at = Net.realloc(at, layout, 4000);
            assert_eq!(at.read(), 7);
            Net.dealloc(at, Layout::array::<u64>(500).unwrap());
        }
    }
}
