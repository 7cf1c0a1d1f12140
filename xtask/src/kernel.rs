//! `cargo xtask kernel`: what the row loops cost.

use crate::shell::{cargo, run as execute};

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    execute(cargo().args(["bench", "--locked", "-p", "manyboost-kernel", "--"]).args(args))
}
