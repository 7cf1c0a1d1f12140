//! `cargo xtask bench`: hands its options to `bench/side_by_side.py`.

use crate::shell::{program, run as execute};

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    execute(program("python3").arg("bench/side_by_side.py").args(args))
}
