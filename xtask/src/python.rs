//! The Python package: built into an environment of its own under `target`, and tested there.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{cargo, program, root, run, target, works};
use crate::tools::Problem;

/// pytest in an environment that has the package as it is now.
pub(crate) fn pytest() -> Result<Command, Problem> {
    if !works(program("python3").args(["-c", "import sys; sys.exit(sys.version_info < (3, 10))"])) {
        return Err(Problem::Missing("there is no Python 3.10 or newer (python3)".into()));
    }
    let environment = target().join("python");
    let python = python_of(&environment);
    if !works(program("python3").args(["-m", "venv"]).arg(&environment)) {
        return Err(Problem::Missing("python3 has no venv module".into()));
    }
    let pip = |args: &[&str]| {
        let mut command = Command::new(&python);
        command.current_dir(root()).args(["-m", "pip", "--disable-pip-version-check"]);
        // Most of what is installed is never imported: it need not be compiled.
        command.args(["install", "--quiet", "--no-compile"]).args(args);
        command
    };
    // Packages without a wheel are built by the setuptools that is there.
    if !works(&mut pip(&["maturin>=1.9,<2", "setuptools>=70.1,<81"])) {
        return Err(Problem::Missing("maturin cannot be installed: no package index can be reached".into()));
    }
    // What a user does, but for the profile and for building with the maturin that is there.
    let mut install = pip(&["--no-build-isolation", ".[test]"]);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = python.parent().map(Path::to_path_buf).into_iter().chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).map_err(|error| error.to_string())?;
    run(install.env("MATURIN_PEP517_ARGS", "--profile wheel").env("PATH", path))?;
    // The command line, to compare with: a test of it has it built, as all tests of the workspace have.
    run(cargo().args(["test", "--locked", "--workspace", "--no-run", "--quiet", "--test", "bad"]))?;
    let mut command = Command::new(python);
    command.current_dir(root()).args(["-m", "pytest", "--no-header", "-p", "no:cacheprovider"]);
    let cli = format!("manyboost{}", std::env::consts::EXE_SUFFIX);
    command.env("MANYBOOST_CLI", target().join("debug").join(cli));
    Ok(command)
}

fn python_of(environment: &Path) -> PathBuf {
    let windows = environment.join("Scripts").join("python.exe");
    if cfg!(windows) { windows } else { environment.join("bin").join("python") }
}

/// `cargo xtask estimators`: scikit-learn's checks of all estimators, boosters and learners.
pub(crate) fn estimators(args: &[String]) -> Result<(), String> {
    match pytest() {
        Ok(mut command) => {
            command.env("MANYBOOST_CHECKS", "all").arg("python/tests/test_estimator_checks.py").args(args);
            run(&mut command)
        }
        Err(Problem::Missing(why)) => Err(format!("not checked: {why}")),
        Err(Problem::Failed(what)) => Err(what),
    }
}
