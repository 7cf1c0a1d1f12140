//! Which instructions may be used: decided at run time, with the same bits either way.

use std::sync::atomic::{AtomicBool, Ordering};

static PLAIN: AtomicBool = AtomicBool::new(false);

/// Switches vector instructions off (or on again), to check that they change nothing.
pub fn use_plain_code(plain: bool) {
    PLAIN.store(plain, Ordering::Relaxed);
}

/// Whether AVX2 code may run.
#[inline]
pub fn avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        !PLAIN.load(Ordering::Relaxed) && std::arch::is_x86_feature_detected!("avx2")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// Asks for a cache line that will be read soon.
#[inline(always)]
pub(crate) fn prefetch<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, harmless for any address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// Defines a function twice, with AVX2 and without, and a safe-to-dispatch front that picks one.
///
/// The body is one `#[inline(always)]` function, so that both versions are the same arithmetic.
macro_rules! vectorised {
    ($(#[$meta:meta])* $vis:vis unsafe fn $name:ident = $body:ident<$($g:ident: $b:path),*>($($arg:ident: $t:ty),* $(,)?) $(-> $r:ty)?) => {
        $(#[$meta])*
        #[allow(clippy::too_many_arguments)]
        #[inline]
        $vis unsafe fn $name<$($g: $b),*>($($arg: $t),*) $(-> $r)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            #[allow(clippy::too_many_arguments)]
            unsafe fn with_avx2<$($g: $b),*>($($arg: $t),*) $(-> $r)? {
                // SAFETY: forwarded from the caller.
                unsafe { $body::<$($g),*>($($arg),*) }
            }
            #[cfg(target_arch = "x86_64")]
            if $crate::cpu::avx2() {
                // SAFETY: the machine has AVX2; the rest is forwarded from the caller.
                return unsafe { with_avx2::<$($g),*>($($arg),*) };
            }
            // SAFETY: forwarded from the caller.
            unsafe { $body::<$($g),*>($($arg),*) }
        }
    };
}
pub(crate) use vectorised;
