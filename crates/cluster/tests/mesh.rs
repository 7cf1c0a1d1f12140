//! Workers over TCP on this machine: they compute what threads of one process do, and refuse whoever does not belong to them.

mod common;

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::time::Instant;

use common::{DEADLINE, error, listeners, membership, sums};
use manyboost_cluster::{Membership, Token, join};
use manyboost_data::agree::together;
use manyboost_data::{ErrorKind, Result};
use manyboost_kernel::Exchange;

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

#[test]
fn workers_sum_over_tcp() {
    for workers in [1, 2, 4] {
        for result in among(workers, |_| {}, sums) {
            result.unwrap();
        }
    }
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
