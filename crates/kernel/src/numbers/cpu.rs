//! Which instructions may be used: decided at run time, with the same bits either way.

use std::sync::atomic::{AtomicU8, Ordering};

/// Sets of instructions; each has those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Instructions {
    /// Those that every machine has.
    Plain,
    /// Vectors of 256 bits.
    Avx2,
    /// Vectors of 512 bits.
    Avx512,
}

impl Instructions {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Avx2, Self::Avx512];

    /// Whether they may be used: the machine has them, and they are not switched off.
    #[inline]
    pub fn usable(self) -> bool {
        self as u8 <= MOST.load(Ordering::Relaxed) && self.there()
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn there(self) -> bool {
        use std::arch::is_x86_feature_detected as has;
        match self {
            Self::Plain => true,
            Self::Avx2 => has!("avx2"),
            Self::Avx512 => has!("avx512bw") && has!("avx512dq"),
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn there(self) -> bool {
        self == Self::Plain
    }
}

static MOST: AtomicU8 = AtomicU8::new(Instructions::Avx512 as u8);

/// Switches off what is beyond these instructions (and the others on again), to check that they change nothing.
pub fn use_at_most(instructions: Instructions) {
    MOST.store(instructions as u8, Ordering::Relaxed);
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

/// Defines a function twice, with AVX2 and without, and a front that picks one: safe where the body is, `unsafe` where it
/// trusts its arguments.
///
/// The body is one `#[inline(always)]` function, so that both versions are the same arithmetic. With `or`, machines that could
/// have AVX2 and do not have it get another body of the same arithmetic: less code for the few.
macro_rules! vectorised {
    ($(#[$meta:meta])* $vis:vis fn $name:ident = $body:ident<$($g:ident: $b:path),*>($($arg:ident: $t:ty),* $(,)?) $(-> $r:ty)?) => {
        $crate::numbers::cpu::vectorised! { $(#[$meta])* $vis fn $name = $body or $body<$($g: $b),*>($($arg: $t),*) $(-> $r)? }
    };
    ($(#[$meta:meta])* $vis:vis fn $name:ident = $body:ident or $plain:ident<$($g:ident: $b:path),*>($($arg:ident: $t:ty),* $(,)?) $(-> $r:ty)?) => {
        $(#[$meta])*
        #[allow(clippy::too_many_arguments)]
        #[inline]
        $vis fn $name<$($g: $b),*>($($arg: $t),*) $(-> $r)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            #[allow(clippy::too_many_arguments)]
            fn with_avx2<$($g: $b),*>($($arg: $t),*) $(-> $r)? {
                $body::<$($g),*>($($arg),*)
            }
            #[cfg(target_arch = "x86_64")]
            if $crate::numbers::cpu::Instructions::Avx2.usable() {
                // SAFETY: the machine has AVX2.
                return unsafe { with_avx2::<$($g),*>($($arg),*) };
            }
            #[cfg(target_arch = "x86_64")]
            {
                $plain::<$($g),*>($($arg),*)
            }
            #[cfg(not(target_arch = "x86_64"))]
            $body::<$($g),*>($($arg),*)
        }
    };
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
            if $crate::numbers::cpu::Instructions::Avx2.usable() {
                // SAFETY: the machine has AVX2; the rest is forwarded from the caller.
                return unsafe { with_avx2::<$($g),*>($($arg),*) };
            }
            // SAFETY: forwarded from the caller.
            unsafe { $body::<$($g),*>($($arg),*) }
        }
    };
}
pub(crate) use vectorised;

/// As [`vectorised!`], and once more with AVX-512: for arithmetic on long rows, where twice the lanes do twice the work.
macro_rules! widened {
    ($(#[$meta:meta])* $vis:vis fn $name:ident = $body:ident<$($g:ident: $b:path),*>($($arg:ident: $t:ty),* $(,)?)) => {
        $(#[$meta])*
        #[inline]
        $vis fn $name<$($g: $b),*>($($arg: $t),*) {
            $crate::numbers::cpu::vectorised! { fn narrower = $body<$($g: $b),*>($($arg: $t),*) }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512bw,avx512dq")]
            fn with_avx512<$($g: $b),*>($($arg: $t),*) {
                $body::<$($g),*>($($arg),*);
            }
            #[cfg(target_arch = "x86_64")]
            if $crate::numbers::cpu::Instructions::Avx512.usable() {
                // SAFETY: the machine has AVX-512.
                return unsafe { with_avx512::<$($g),*>($($arg),*) };
            }
            narrower::<$($g),*>($($arg),*);
        }
    };
}
pub(crate) use widened;

/// Calls a function that is compiled for each small width, so that its loops over a row have a known length. Its first
/// parameter is that width, or 0 if it is not known when compiled.
macro_rules! by_width {
    ($width:expr, $f:ident <$t:ident> $arguments:tt) => {
        $crate::numbers::cpu::by_width!($width, $f [, $t] $arguments; 2 3 4 5 6 7 8 9 10 11 12)
    };
    ($width:expr, $f:ident $arguments:tt) => {
        $crate::numbers::cpu::by_width!($width, $f [] $arguments; 2 3 4 5 6 7 8 9 10 11 12)
    };
    ($width:expr, $f:ident $types:tt $arguments:tt; $($w:literal)*) => {
        match $width {
            $($w => $crate::numbers::cpu::by_width!(@ $f $w $types $arguments),)*
            _ => $crate::numbers::cpu::by_width!(@ $f 0 $types $arguments),
        }
    };
    (@ $f:ident $w:literal [$($types:tt)*] $arguments:tt) => {
        $f::<$w $($types)*> $arguments
    };
}
pub(crate) use by_width;
