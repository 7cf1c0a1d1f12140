//! Workers over TCP on this machine: they compute what threads of one process do, and whatever happens to a connection, all of them
//! have an error in time that names a worker.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use manyboost_cluster::{Membership, Token, join};
use manyboost_data::agree::together;
use manyboost_data::{Error, ErrorKind, Result};
use manyboost_kernel::Exchange;

const DEADLINE: Duration = Duration::from_secs(2);

fn membership(addresses: &[String], rank: usize) -> Membership {
    Membership {
        addresses: addresses.to_vec(),
        rank,
        token: Token::new(b"sixteen bytes and more").unwrap(),
        job: [7; 32],
        deadline: DEADLINE,
        patience: DEADLINE,
        most_bytes: 1 << 24,
    }
}

fn listeners(workers: usize) -> (Vec<TcpListener>, Vec<String>) {
    let all: Vec<TcpListener> = (0..workers).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let addresses = all.iter().map(|one| one.local_addr().unwrap().to_string()).collect();
    (all, addresses)
}

/// What each worker comes to; `change` may give a worker another membership.
fn among<T: Send>(
    workers: usize,
    change: impl Fn(&mut Membership),
    work: impl Fn(&dyn Exchange) -> T + Sync,
) -> Vec<Result<T>> {
    let (listeners, addresses) = listeners(workers);
    let work = &work;
    std::thread::scope(|scope| {
        let worker = |(rank, listener): (usize, TcpListener)| {
            let mut membership = membership(&addresses, rank);
            change(&mut membership);
            scope.spawn(move || {
                let mesh = join(&listener, &membership)?;
                together(|| Ok(work(&mesh)))
            })
        };
        let threads: Vec<_> = listeners.into_iter().enumerate().map(worker).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Sums of several lengths; each checks that they are right.
fn sums(exchange: &dyn Exchange) {
    for turn in 0..40usize {
        let length = [1, 700, 5, 30_000][turn % 4];
        let mut numbers: Vec<i64> = (0..length).map(|at| (at * (exchange.rank() + 1)) as i64).collect();
        exchange.sum(&mut numbers);
        let all = (exchange.workers() * (exchange.workers() + 1) / 2) as i64;
        assert!(numbers.iter().zip(0..).all(|(&sum, at)| sum == at * all), "a sum is right or is not there");
    }
    assert_eq!(
        exchange.gather(&[exchange.rank() as u8]).concat(),
        (0..exchange.workers() as u8).collect::<Vec<_>>()
    );
}

#[test]
fn workers_sum_over_tcp() {
    for workers in [1, 2, 4] {
        for result in among(workers, |_| {}, sums) {
            result.unwrap();
        }
    }
}

fn error<T>(result: &Result<T>) -> &Error {
    result.as_ref().err().expect("an error")
}

#[test]
fn whoever_has_another_token_or_job_is_refused() {
    let began = Instant::now();
    let stranger = |membership: &mut Membership| {
        if membership.rank == 1 {
            membership.token = Token::new(b"another sixteen bytes").unwrap();
        }
    };
    for result in among(2, stranger, |_| ()) {
        assert!(error(&result).what().contains("has not come"), "{}", error(&result));
    }
    let other = |membership: &mut Membership| {
        if membership.rank == 2 {
            membership.job = [8; 32];
        }
    };
    let refused = among(3, other, |_| ());
    assert!(error(&refused[2]).what().contains("another version"), "{}", error(&refused[2]));
    assert!(refused.iter().all(|result| error(result).kind() == ErrorKind::Worker));
    assert!(began.elapsed() < 4 * DEADLINE);
}

#[test]
fn somebody_who_comes_by_is_not_heard() {
    let (listeners, addresses) = listeners(2);
    let strangers: Vec<TcpStream> = (0..5).map(|_| TcpStream::connect(&addresses[0]).unwrap()).collect();
    (&strangers[0]).write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let addresses = &addresses;
    std::thread::scope(|scope| {
        for (rank, listener) in listeners.into_iter().enumerate() {
            scope.spawn(move || sums(&join(&listener, &membership(addresses, rank)).unwrap()));
        }
    });
}

#[test]
fn workers_that_do_different_things_all_fail() {
    let different = among(
        3,
        |_| {},
        |exchange| {
            exchange.sum(&mut [1]);
            exchange.sum(&mut vec![1; 1 + exchange.rank() / 2]);
            exchange.sum(&mut [1]);
        },
    );
    for result in &different {
        assert!(error(result).what().contains("asks for the sums of"), "{}", error(result));
    }
    // One that computes for longer than the deadline is not lost; one that leaves is.
    let slow = among(
        2,
        |_| {},
        |exchange| {
            if exchange.rank() == 0 {
                std::thread::sleep(DEADLINE + DEADLINE / 2);
            }
            exchange.sum(&mut [1]);
        },
    );
    assert!(slow.iter().all(Result::is_ok), "{slow:?}");
    let left = among(
        3,
        |_| {},
        |exchange| {
            if exchange.rank() != 1 {
                exchange.sum(&mut [1]);
            }
        },
    );
    assert!(error(&left[0]).what().contains("worker 1 has left"), "{}", error(&left[0]));
}

/// What happens to a connection.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Cut,
    Stall,
    Duplicate,
    Flip,
}

/// Carries bytes from one to the other until so many have passed; then something happens, once.
fn carry(mut from: TcpStream, mut to: TcpStream, mut left: usize, fault: Option<Fault>) {
    let mut buffer = [0; 4096];
    let mut fault = fault;
    while let Ok(some @ 1..) = from.read(&mut buffer) {
        let bytes = &mut buffer[..some];
        if fault.is_some() && left < some {
            match fault.take() {
                Some(Fault::Cut) => break,
                Some(Fault::Stall) => {
                    std::thread::sleep(3 * DEADLINE);
                    break;
                }
                Some(Fault::Duplicate) => drop(to.write_all(&bytes[left..])),
                Some(Fault::Flip) => bytes[left] ^= 0x10,
                None => {}
            }
        }
        left = left.saturating_sub(some);
        if to.write_all(bytes).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(std::net::Shutdown::Both), to.shutdown(std::net::Shutdown::Both));
}

/// A place that leads to another, where something happens to what those who call there say.
fn proxy(to: String, after: usize, fault: Fault) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        let mut first = true;
        while let Ok((caller, _)) = listener.accept() {
            let Ok(called) = TcpStream::connect(&to) else { continue };
            let (back, forth) = (called.try_clone().unwrap(), caller.try_clone().unwrap());
            let now = std::mem::take(&mut first).then_some(fault);
            std::thread::spawn(move || carry(caller, called, after, now));
            std::thread::spawn(move || carry(back, forth, 0, None));
        }
    });
    address
}

/// Runs three workers, where the second reaches the first through a proxy; says whether they failed.
fn with_fault(after: usize, fault: Fault) -> bool {
    let (listeners, addresses) = listeners(3);
    let detour = proxy(addresses[0].clone(), after, fault);
    let began = Instant::now();
    let results: Vec<Result<()>> = std::thread::scope(|scope| {
        let (addresses, detour) = (&addresses, &detour);
        let worker = |(rank, listener): (usize, TcpListener)| {
            scope.spawn(move || {
                let mut membership = membership(addresses, rank);
                if rank == 1 {
                    membership.addresses[0].clone_from(detour);
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
    assert!(took < 3 * DEADLINE + Duration::from_secs(5), "{fault:?} after {after}: {took:?}");
    for result in results.iter().filter(|result| result.is_err()) {
        let error = error(result);
        assert_eq!(error.kind(), ErrorKind::Worker);
        assert!(
            ["worker 0", "worker 1", "worker 2"].iter().any(|name| error.what().contains(name)),
            "{error}"
        );
    }
    results.iter().any(Result::is_err)
}

#[test]
fn two_hundred_faults_and_no_hang() {
    const FAULTS: usize = 200;
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..10 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= FAULTS {
                        return;
                    }
                    // Within handshakes, heads and parts; after all that is said in some.
                    let after = (number * number * 7919 + number) % 900_000 / (1 + number % 50);
                    let fault = [Fault::Cut, Fault::Duplicate, Fault::Flip, Fault::Stall][number % 4];
                    failed.fetch_add(usize::from(with_fault(after, fault)), Ordering::Relaxed);
                }
            });
        }
    });
    assert!(failed.into_inner() > FAULTS / 2, "most faults are within what is said");
}
