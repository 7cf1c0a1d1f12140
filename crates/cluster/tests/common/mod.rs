//! Workers of a mesh on this machine, and what they do.
#![allow(dead_code, missing_docs)]

use std::net::TcpListener;
use std::time::Duration;

use manyboost_cluster::{Membership, Token};
use manyboost_data::{Error, Result};
use manyboost_kernel::Exchange;

pub const DEADLINE: Duration = Duration::from_secs(2);

pub fn membership(addresses: &[String], rank: usize) -> Membership {
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

pub fn listeners(workers: usize) -> (Vec<TcpListener>, Vec<String>) {
    let all: Vec<TcpListener> = (0..workers).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let addresses = all.iter().map(|one| one.local_addr().unwrap().to_string()).collect();
    (all, addresses)
}

pub fn error<T>(result: &Result<T>) -> &Error {
    result.as_ref().err().expect("an error")
}

/// Sums of several lengths; each checks that they are right.
pub fn sums(exchange: &dyn Exchange) {
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
