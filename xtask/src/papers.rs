//! `cargo xtask papers`: hands its options to `bench/papers.py`.

use crate::shell::{program, run as execute};

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    execute(program("python3").arg("bench/papers.py").args(args))
}
