//! Reads a table and says how long it took and how much memory: `cargo run --release --example read_time -- FILE`.

use std::time::Instant;

use manyboost_data::{Limits, Plan, Result, Role, read};

/// The last column is the target, everything else a feature.
struct LastIsTarget;

impl Plan for LastIsTarget {
    fn roles(&self, header: &[String]) -> Result<Vec<Role>> {
        let mut roles = vec![Role::Feature(None); header.len()];
        if let Some(last) = roles.last_mut() {
            *last = Role::Target;
        }
        Ok(roles)
    }
}

/// The most memory the process has held, in bytes (Linux; 0 elsewhere).
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: read_time FILE");
        std::process::exit(2);
    };
    let start = Instant::now();
    match read(&path, &LastIsTarget, &Limits::default()) {
        Ok(table) => {
            let seconds = start.elapsed().as_secs_f64();
            let values = (table.rows * table.columns.len()).max(1);
            let peak = peak_bytes();
            println!("rows {}  columns {}  seconds {seconds:.3}", table.rows, table.columns.len());
            println!("peak {:.1} MB, {:.2} bytes per value", peak as f64 / 1e6, peak as f64 / values as f64);
        }
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    }
}
