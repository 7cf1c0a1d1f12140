//! Who is on the other end: both prove that they have the token before anything else is read.
//!
//! Each sends a hello with random bytes of its own, then a seal over both hellos that only somebody with the token can make. The caller
//! seals first after it has seen the other's hello; nothing that one has said can be said again to another, because each hello is new.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::message::Run;
use crate::token::Token;

/// Time for a handshake.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// What a hello begins with; another protocol has another one.
const MAGIC: [u8; 8] = *b"MBhello1";

/// Bytes of a hello.
const HELLO: usize = 8 + 4 + 4 + 4 + 32 + 32;

/// What a worker says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hello {
    pub(crate) rank: u32,
    /// Whom it means to speak to, if it calls.
    pub(crate) to: u32,
    pub(crate) workers: u32,
    /// A number for everything that must be the same everywhere.
    pub(crate) job: [u8; 32],
    random: [u8; 32],
}

/// Why there is no connection.
#[derive(Debug)]
pub(crate) enum Refused {
    /// Nobody who belongs here, or nobody at all.
    Stranger,
    /// A worker of this token that does something else.
    Other(u32, &'static str),
}

impl Hello {
    pub(crate) fn new(rank: usize, to: usize, workers: usize, job: [u8; 32]) -> Result<Self, Refused> {
        let mut random = [0; 32];
        getrandom::fill(&mut random).map_err(|_| Refused::Stranger)?;
        Ok(Self { rank: rank as u32, to: to as u32, workers: workers as u32, job, random })
    }

    fn bytes(&self) -> [u8; HELLO] {
        let mut bytes = [0; HELLO];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&self.rank.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.to.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.workers.to_le_bytes());
        bytes[20..52].copy_from_slice(&self.job);
        bytes[52..].copy_from_slice(&self.random);
        bytes
    }

    fn read(bytes: &[u8; HELLO]) -> Result<Self, Refused> {
        if bytes[..8] != MAGIC {
            return Err(Refused::Stranger);
        }
        let four = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let thirty_two = |at: usize| std::array::from_fn(|i| bytes[at + i]);
        let (job, random) = (thirty_two(20), thirty_two(52));
        Ok(Self { rank: four(8), to: four(12), workers: four(16), job, random })
    }
}

/// Speaks with whoever is on the other end; `calls` is whether this worker has called. Returns the other's rank and what messages of
/// both directions are marked with: those that come in, and those that go out.
pub(crate) fn meet(
    stream: &mut TcpStream,
    own: &Hello,
    token: &Token,
    calls: bool,
) -> Result<(usize, [Run; 2]), Refused> {
    let lost = |_: std::io::Error| Refused::Stranger;
    stream.set_read_timeout(Some(PATIENCE)).map_err(lost)?;
    stream.set_write_timeout(Some(PATIENCE)).map_err(lost)?;
    let said = own.bytes();
    stream.write_all(&said).map_err(lost)?;
    let mut heard = [0; HELLO];
    stream.read_exact(&mut heard).map_err(lost)?;
    let other = Hello::read(&heard)?;
    let [caller, called] = if calls { [&said, &heard] } else { [&heard, &said] };
    let parts: [&[u8]; 2] = [caller, called];
    let names: [&[u8]; 2] = if calls { [b"caller", b"called"] } else { [b"called", b"caller"] };
    // Whoever was called waits for a seal before it gives one away.
    let mut seal = [0; 32];
    if calls {
        stream.write_all(&token.seal(names[0], &parts)).map_err(lost)?;
        stream.read_exact(&mut seal).map_err(lost)?;
    } else {
        stream.read_exact(&mut seal).map_err(lost)?;
    }
    if !token.has_sealed(&seal, names[1], &parts) {
        return Err(Refused::Stranger);
    }
    if !calls {
        stream.write_all(&token.seal(names[0], &parts)).map_err(lost)?;
    }
    let meant = if calls { other.rank == own.to } else { other.to == own.rank };
    if other.workers != own.workers || !meant {
        return Err(Refused::Other(other.rank, "has other workers in its list, or the same rank as another"));
    }
    if other.job != own.job {
        return Err(Refused::Other(other.rank, "is of another version, or has other options or files"));
    }
    let run = |name: &[u8]| {
        let seal = token.seal(name, &parts);
        Run(std::array::from_fn(|i| seal[i]))
    };
    let [from_caller, from_called] = [run(b"from caller"), run(b"from called")];
    let runs = if calls { [from_called, from_caller] } else { [from_caller, from_called] };
    Ok((other.rank as usize, runs))
}
