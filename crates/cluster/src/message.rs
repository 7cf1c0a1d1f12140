//! What is said on a connection: a head of fixed length with a checksum of its own, then the bytes that it announces.

use std::io::{ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use manyboost_kernel::exchange::{Ask, Verb};

/// What every message begins with.
const MAGIC: [u8; 4] = *b"MBx1";

/// Bytes of a head.
const HEAD: usize = 48;

/// Bytes that are read before room for more is made: a length alone takes no memory.
const AT_ONCE: usize = 1 << 20;

/// Bytes of a message that come in a second at least: fewer, and something is missing that signs of life will not make up for.
const LEAST_PACE: f64 = 1e5;

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A part of what is dealt.
    Part(Ask),
    /// "I am alive."
    Beat,
    /// "I have all that I need."
    Bye,
    /// "I cannot go on", and why.
    Abort,
}

/// A message that has arrived.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) kind: Kind,
    pub(crate) number: u64,
    pub(crate) bytes: Vec<u8>,
}

/// What goes round in one run on one connection, in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run(pub(crate) [u8; 8]);

const VERBS: [Verb; 5] = [Verb::Sum, Verb::Max, Verb::ScatterSum, Verb::Gather, Verb::Deal];

impl Kind {
    fn code(self) -> (u8, u64) {
        match self {
            Self::Beat => (0, 0),
            Self::Bye => (1, 0),
            Self::Abort => (2, 0),
            Self::Part(ask) => {
                let verb = VERBS.iter().position(|verb| *verb == ask.verb).unwrap_or(0);
                (3 + verb as u8, ask.numbers)
            }
        }
    }

    fn of_code(code: u8, numbers: u64) -> Option<Self> {
        Some(match code {
            0 => Self::Beat,
            1 => Self::Bye,
            2 => Self::Abort,
            verb => Self::Part(Ask { verb: *VERBS.get(usize::from(verb) - 3)?, numbers }),
        })
    }
}

/// The head of a message.
fn head(run: Run, kind: Kind, number: u64, bytes: &[u8]) -> [u8; HEAD] {
    let (code, numbers) = kind.code();
    let mut head = [0; HEAD];
    head[..4].copy_from_slice(&MAGIC);
    head[4] = code;
    head[8..16].copy_from_slice(&run.0);
    head[16..24].copy_from_slice(&number.to_le_bytes());
    head[24..32].copy_from_slice(&numbers.to_le_bytes());
    head[32..40].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    head[40..44].copy_from_slice(&crc32fast::hash(bytes).to_le_bytes());
    let sum = crc32fast::hash(&head[..44]);
    head[44..].copy_from_slice(&sum.to_le_bytes());
    head
}

/// Says something.
pub(crate) fn write(
    out: &mut impl Write,
    run: Run,
    kind: Kind,
    number: u64,
    bytes: &[u8],
) -> std::io::Result<()> {
    let head = head(run, kind, number, bytes);
    if bytes.len() <= AT_ONCE / 16 {
        return out.write_all(&[&head[..], bytes].concat());
    }
    out.write_all(&head)?;
    out.write_all(bytes)
}

/// Why a message cannot be read.
#[derive(Debug)]
pub(crate) enum Broken {
    /// The connection.
    Lost(std::io::Error),
    /// What came over it.
    Garbled(&'static str),
}

/// Reads what is said next: no more than so many bytes, which come within the deadline and what their number takes at least.
pub(crate) fn read(from: &mut impl Read, run: Run, most: u64, deadline: Duration) -> Result<Message, Broken> {
    let mut head = [0; HEAD];
    from.read_exact(&mut head).map_err(Broken::Lost)?;
    let four = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let eight = |at: usize| u64::from(four(at)) | u64::from(four(at + 4)) << 32;
    if head[..4] != MAGIC || crc32fast::hash(&head[..44]) != four(44) {
        return Err(Broken::Garbled("sent something that is no message, or was changed on the way"));
    }
    if head[8..16] != run.0 {
        return Err(Broken::Garbled("sent a message of another run"));
    }
    let (number, numbers, length) = (eight(16), eight(24), eight(32));
    let Some(kind) = Kind::of_code(head[4], numbers) else {
        return Err(Broken::Garbled("sent a message of an unknown kind"));
    };
    if length > most {
        return Err(Broken::Garbled("sent a message that is longer than any may be"));
    }
    let until = Instant::now() + deadline + Duration::from_secs_f64(length as f64 / LEAST_PACE);
    let (mut bytes, mut there) = (Vec::new(), 0);
    while (there as u64) < length {
        if there == bytes.len() {
            bytes.resize(there + (length - there as u64).min(AT_ONCE as u64) as usize, 0);
        }
        there += match from.read(&mut bytes[there..]) {
            Ok(0) => return Err(Broken::Lost(ErrorKind::UnexpectedEof.into())),
            Ok(some) => some,
            Err(error) if error.kind() == ErrorKind::Interrupted => 0,
            Err(error) => return Err(Broken::Lost(error)),
        };
        if (there as u64) < length && Instant::now() > until {
            return Err(Broken::Garbled("began a message and did not end it in time"));
        }
    }
    if crc32fast::hash(&bytes) != four(40) {
        return Err(Broken::Garbled("sent bytes that were changed on the way"));
    }
    Ok(Message { kind, number, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: Run = Run(*b"one  run");
    const LONG: Duration = Duration::from_secs(60);

    fn said(kind: Kind, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        write(&mut out, RUN, kind, 7, bytes).unwrap();
        out
    }

    #[test]
    fn what_is_said_is_heard() {
        let asks = VERBS.map(|verb| Kind::Part(Ask { verb, numbers: 12 }));
        for kind in asks.into_iter().chain([Kind::Beat, Kind::Bye, Kind::Abort]) {
            for bytes in [vec![], vec![1, 2, 3], vec![9; 3 * AT_ONCE + 1]] {
                let heard = read(&mut said(kind, &bytes).as_slice(), RUN, u64::MAX, LONG).unwrap();
                assert_eq!((heard.kind, heard.number, heard.bytes), (kind, 7, bytes));
            }
        }
    }

    #[test]
    fn every_changed_bit_is_noticed() {
        let whole = said(Kind::Part(Ask { verb: Verb::Sum, numbers: 2 }), &[1, 2, 3, 4]);
        for bit in 0..8 * whole.len() {
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&mut changed.as_slice(), RUN, 1000, LONG).is_err(), "bit {bit}");
        }
        for end in 0..whole.len() {
            assert!(matches!(read(&mut &whole[..end], RUN, 1000, LONG), Err(Broken::Lost(_))));
        }
        assert!(matches!(read(&mut whole.as_slice(), Run([0; 8]), 1000, LONG), Err(Broken::Garbled(_))));
        assert!(matches!(read(&mut whole.as_slice(), RUN, 3, LONG), Err(Broken::Garbled(_))));
    }

    /// Signs of life that are taken for the rest of a message.
    struct Drips;

    impl Read for Drips {
        fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
            std::thread::sleep(Duration::from_millis(5));
            bytes[0] = 0;
            Ok(1)
        }
    }

    #[test]
    fn a_message_that_never_ends_is_noticed() {
        let whole = said(Kind::Part(Ask { verb: Verb::Sum, numbers: 2 }), &[0; 20_000]);
        let mut cut = whole[..60].chain(Drips);
        let began = Instant::now();
        let heard = read(&mut cut, RUN, 1 << 20, Duration::from_millis(100));
        assert!(matches!(heard, Err(Broken::Garbled(_))));
        assert!(began.elapsed() < Duration::from_secs(5));
    }
}
