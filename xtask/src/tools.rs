//! Programs that some checks need: found, or installed under `target/tools`, `target/axe` and `target/onnx-venv`.

use std::path::PathBuf;
use std::process::Command;

use crate::shell::{cargo, ci, program, root, run, target, works};

/// Why something cannot be checked here, or what went wrong.
pub(crate) enum Problem {
    Missing(String),
    Failed(String),
}

impl From<String> for Problem {
    fn from(what: String) -> Self {
        Self::Failed(what)
    }
}

/// A browser to try pages in. CI installs one, if it may.
pub(crate) fn browser() -> Result<(), Problem> {
    let there = || {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        names.iter().any(|name| works(program(name).arg("--version")))
    };
    if !there() && ci() {
        let _ = works(program("apt-get").args(["install", "--yes", "--no-install-recommends", "chromium"]));
    }
    let what = "pages are not tried, because chromium is not installed (apt install chromium)";
    if there() { Ok(()) } else { Err(Problem::Missing(what.into())) }
}

/// Java, which Spark runs on. CI installs one, if it may; its tests say if there is none.
pub(crate) fn java() {
    let there = std::env::var_os("JAVA_HOME").is_some() || works(program("java").arg("-version"));
    if !there && ci() {
        let package = "openjdk-17-jre-headless";
        let _ = works(program("apt-get").args(["install", "--yes", "--no-install-recommends", package]));
    }
}

/// A browser, and axe-core where the tests look for it.
pub(crate) fn axe() -> Result<(), Problem> {
    const PACKAGE: &str = "axe-core@^4.10";
    browser()?;
    let there = || root().join("target/axe/node_modules/axe-core/axe.min.js").is_file();
    if !there() {
        let install =
            ["install", "--prefix", "target/axe", "--no-save", "--no-audit", "--no-fund", "--silent"];
        let _ = works(program("npm").args(install).arg(PACKAGE));
    }
    let what = "pages are not looked at by axe-core, because it cannot be installed (npm and its registry are needed)";
    if there() { Ok(()) } else { Err(Problem::Missing(what.into())) }
}

/// Python with onnxruntime, where the tests look for it.
pub(crate) fn onnxruntime() -> Result<(), Problem> {
    let python = root().join("target/onnx-venv/bin/python").display().to_string();
    let there = || works(program(&python).args(["-c", "import onnxruntime"]));
    if !there() {
        let pip = ["-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20"];
        let _ = works(program("python3").args(["-m", "venv", "target/onnx-venv"]))
            && works(program(&python).args(pip).args(["onnxruntime>=1.19,<2", "numpy"]));
    }
    let what = "exports are run by our own evaluator only, because onnxruntime cannot be installed (python3 with venv and \
                a package index are needed)";
    if there() { Ok(()) } else { Err(Problem::Missing(what.into())) }
}

/// cargo-deny; compiled once, in some minutes, if it is not installed.
pub(crate) fn deny() -> Result<Command, Problem> {
    const VERSION: &str = "^0.20";
    if works(cargo().args(["deny", "--version"])) {
        let mut command = cargo();
        command.arg("deny");
        return Ok(command);
    }
    let path: PathBuf =
        target().join("tools/bin").join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
    let there = || works(program(&path.display().to_string()).arg("--version"));
    if !there() {
        println!("   cargo-deny is not installed: it is compiled into target/tools, once");
        let mut install = cargo();
        // Without optimisation: it runs for a second, and compiles in a third of the time.
        install
            .args(["install", "--quiet", "--locked", "--debug", "cargo-deny", "--version", VERSION])
            .arg("--root");
        install.arg(target().join("tools")).env("CARGO_PROFILE_DEV_DEBUG", "0");
        if run(install.env("CARGO_TARGET_DIR", target().join("tools/build"))).is_err() || !there() {
            let what = "cargo-deny cannot be installed: no registry of crates can be reached, or it does not compile";
            return Err(Problem::Missing(what.into()));
        }
        let _ = std::fs::remove_dir_all(target().join("tools/build"));
    }
    Ok(program(&path.display().to_string()))
}
