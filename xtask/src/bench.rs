//! `cargo xtask bench` and `cargo xtask figures`: hand their options to scripts of `bench`.

use crate::shell::{program, run as execute};

/// Whole data sets, all peers.
pub(crate) fn against(args: &[String]) -> Result<(), String> {
    execute(program("python3").arg("bench/against.py").args(args))
}

/// Single figures that must hold.
pub(crate) fn figures(args: &[String]) -> Result<(), String> {
    execute(program("python3").arg("bench/side_by_side.py").args(args))
}
