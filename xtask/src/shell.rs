//! Running other programs from the root of the workspace.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Where builds go.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |path| root().join(path))
}

/// Whether this is a run that nobody looks at, in which what is missing is a failure.
pub(crate) fn ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// The cargo that runs this.
pub(crate) fn cargo() -> Command {
    program(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
}

/// A program that runs in the root.
pub(crate) fn program(name: &str) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// Whether a command runs at all, silently.
pub(crate) fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Runs a command to its end; its output goes where ours goes.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}

/// Runs a command to its end, shows its lines as they come, and gives them back; the error has them too.
pub(crate) fn run_and_read(command: &mut Command) -> (String, Result<(), String>) {
    let spawned = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => return (String::new(), Err(format!("{command:?}: {error}"))),
    };
    let out = child.stdout.take().map(|pipe| thread::spawn(move || echo(pipe, false)));
    let err = child.stderr.take().map(|pipe| thread::spawn(move || echo(pipe, true)));
    let text = [out, err].into_iter().flatten().filter_map(|thread| thread.join().ok()).collect();
    let result = match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    };
    (text, result)
}

fn echo(pipe: impl Read, to_stderr: bool) -> String {
    let mut text = String::new();
    for line in BufReader::new(pipe).lines().map_while(Result::ok) {
        if to_stderr {
            eprintln!("{line}");
        } else {
            println!("{line}");
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}
