//! Whatever happens to a connection, all workers have an error in time that names one of its ends, or no error and the right sums.
//!
//! Workers reach one another through proxies, of which one does something once, after so many bytes in one direction.

mod common;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::{DEADLINE, error, listeners, membership, sums};
use manyboost_cluster::join;
use manyboost_data::agree::together;
use manyboost_data::{ErrorKind, Result};

const WORKERS: usize = 3;

/// What happens to a connection.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// It is closed.
    Cut,
    /// Nothing more passes, and nobody closes it.
    Stall,
    /// Some bytes pass twice.
    Duplicate,
    /// A bit changes.
    Flip,
    /// Some bytes are lost, and what follows them passes.
    Truncate,
}

/// What happens, and where.
#[derive(Clone, Copy, Debug)]
struct Fault {
    kind: Kind,
    /// Who calls, and who is called.
    ends: (usize, usize),
    /// Whether it happens to what the caller says, or to what it hears.
    forth: bool,
    /// Bytes that pass before.
    after: usize,
}

/// Numbers that look random, from a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % most as u64) as usize
    }
}

impl Fault {
    fn drawn(seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        let kinds = [Kind::Cut, Kind::Stall, Kind::Duplicate, Kind::Flip, Kind::Truncate];
        let caller = 1 + numbers.below(WORKERS - 1);
        // In handshakes, in heads, in parts, and sometimes after all that is said.
        let scale = 1 << (4 + numbers.below(18));
        Self {
            kind: kinds[numbers.below(kinds.len())],
            ends: (caller, numbers.below(caller)),
            forth: numbers.below(2) == 0,
            after: numbers.below(scale),
        }
    }
}

/// Carries bytes from one to the other until so many have passed; then something happens, once.
fn carry(mut from: TcpStream, mut to: TcpStream, mut left: usize, mut kind: Option<Kind>) {
    let mut buffer = [0; 4096];
    while let Ok(some @ 1..) = from.read(&mut buffer) {
        let bytes = &mut buffer[..some];
        let mut passes = 0..some;
        if kind.is_some() && left < some {
            match kind.take() {
                Some(Kind::Cut) => break,
                Some(Kind::Stall) => {
                    std::thread::sleep(3 * DEADLINE);
                    break;
                }
                Some(Kind::Duplicate) => drop(to.write_all(&bytes[left..])),
                Some(Kind::Flip) => bytes[left] ^= 0x10,
                Some(Kind::Truncate) => passes = 0..left,
                None => {}
            }
        }
        left = left.saturating_sub(some);
        if to.write_all(&bytes[passes]).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// A place that leads to another, where something happens to the first connection.
fn proxy(to: String, fault: Fault) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        let mut first = Some(fault.kind);
        while let Ok((caller, _)) = listener.accept() {
            let Ok(called) = TcpStream::connect(&to) else { continue };
            let (back, forth) = (called.try_clone().unwrap(), caller.try_clone().unwrap());
            let kind = first.take();
            let [said, heard] = if fault.forth { [kind, None] } else { [None, kind] };
            std::thread::spawn(move || carry(caller, called, fault.after, said));
            std::thread::spawn(move || carry(back, forth, fault.after, heard));
        }
    });
    address
}

/// Runs the workers with a fault between two of them; says whether they failed.
fn with(fault: Fault) -> bool {
    let (listeners, addresses) = listeners(WORKERS);
    let (caller, called) = fault.ends;
    let detour = proxy(addresses[called].clone(), fault);
    let began = Instant::now();
    let results: Vec<Result<()>> = std::thread::scope(|scope| {
        let (addresses, detour) = (&addresses, &detour);
        let worker = |(rank, listener): (usize, TcpListener)| {
            scope.spawn(move || {
                let mut membership = membership(addresses, rank);
                if rank == caller {
                    membership.addresses[called].clone_from(detour);
                }
                let mesh = join(&listener, &membership)?;
                together(|| {
                    sums(&mesh);
                    Ok(())
                })
            })
        };
        let threads: Vec<_> = listeners.into_iter().enumerate().map(worker).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let took = began.elapsed();
    // The time to come together, the silence, and what a busy machine takes.
    assert!(took < 2 * DEADLINE + Duration::from_secs(5), "{fault:?}: {took:?}");
    for result in results.iter().filter(|result| result.is_err()) {
        let error = error(result);
        assert_eq!(error.kind(), ErrorKind::Worker, "{fault:?}: {error}");
        let ends = [caller, called].map(|end| format!("worker {end}"));
        assert!(ends.iter().any(|end| error.what().contains(end)), "{fault:?}: {error}");
    }
    results.iter().any(Result::is_err)
}

/// So many faults, some at a time.
fn many(faults: u64) {
    let (next, failed) = (AtomicU64::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..10 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= faults {
                        return;
                    }
                    failed.fetch_add(usize::from(with(Fault::drawn(seed))), Ordering::Relaxed);
                }
            });
        }
    });
    let failed = failed.into_inner() as u64;
    assert!(failed > faults / 2, "most faults are within what is said: {failed} of {faults}");
}

#[test]
fn twenty_faults_and_no_hang() {
    many(20);
}

#[test]
#[ignore = "slow: for cargo xtask test --all"]
fn two_hundred_faults_and_no_hang() {
    many(200);
}
