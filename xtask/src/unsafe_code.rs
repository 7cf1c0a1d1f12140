//! `unsafe` lives in the kernel only, and its amount does not rise unnoticed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::root;

/// The only crate that may hold `unsafe`.
const KERNEL: &str = "crates/kernel";

/// The number of `unsafe` blocks and impls that was agreed to.
const AGREED: &str = "xtask/unsafe-count";

/// Checks both; says the count.
pub(crate) fn check() -> Result<String, String> {
    let root = root();
    let lacking = lacking(&root)?;
    if !lacking.is_empty() {
        return Err(format!(
            "these crates do not forbid unsafe code: {}\ngive each `[lints] workspace = true`, where \
             `unsafe_code = \"forbid\"` is",
            lacking.join(", ")
        ));
    }
    let mut count = 0;
    for file in rust_files(&root.join(KERNEL))? {
        count += blocks(&read(&file)?);
    }
    let agreed = read(&root.join(AGREED))?;
    let agreed: usize = agreed.trim().parse().map_err(|_| format!("{AGREED}: not a number"))?;
    if count > agreed {
        return Err(format!(
            "{count} unsafe blocks in {KERNEL}, but {agreed} were agreed to\nuse a safe form, or argue for more and \
             write the number to {AGREED}"
        ));
    }
    if count < agreed {
        return Ok(format!("{count} unsafe blocks in {KERNEL}; {AGREED} says {agreed} and may be lowered"));
    }
    Ok(format!("{count} unsafe blocks in {KERNEL}, none elsewhere"))
}

/// Members of the workspace that might hold unsafe code.
fn lacking(root: &Path) -> Result<Vec<String>, String> {
    let workspace = read(&root.join("Cargo.toml"))?;
    let forbidden = workspace.lines().any(|line| line.replace(' ', "") == "unsafe_code=\"forbid\"");
    let mut members = vec![root.join("xtask"), root.join("bench"), root.join("fuzz")];
    let crates = fs::read_dir(root.join("crates")).map_err(|error| format!("crates: {error}"))?;
    members.extend(crates.filter_map(|entry| Some(entry.ok()?.path())));
    members.retain(|member| member.join("Cargo.toml").is_file() && *member != root.join(KERNEL));
    members.sort();
    let mut lacking = Vec::new();
    for member in members {
        let manifest = read(&member.join("Cargo.toml"))?;
        if !(forbidden && inherits_lints(&manifest)) {
            lacking.push(member.strip_prefix(root).unwrap_or(&member).display().to_string());
        }
    }
    Ok(lacking)
}

/// Whether a manifest takes its lints from the workspace.
fn inherits_lints(manifest: &str) -> bool {
    let mut section = "";
    manifest.lines().map(str::trim).any(|line| {
        if line.starts_with('[') {
            section = line;
        }
        let line = line.replace(' ', "");
        (section == "[lints]" && line == "workspace=true") || line == "lints.workspace=true"
    })
}

/// `unsafe` blocks and impls of a source file; declarations only pass a duty on, and comments are words.
fn blocks(source: &str) -> usize {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.map(|line| line.matches("unsafe {").count() + line.matches("unsafe impl").count()).sum()
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    Ok(files)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_counted_and_comments_are_not() {
        let source = "// unsafe { no }\nunsafe fn f() {\n    unsafe { g() };\n}\nunsafe impl Send for X {}\n";
        assert_eq!(blocks(source), 2);
    }

    #[test]
    fn lints_are_found_in_their_section() {
        assert!(inherits_lints("[package]\nname = \"x\"\n\n[lints]\nworkspace = true\n"));
        assert!(inherits_lints("[package]\nlints.workspace = true\n"));
        assert!(!inherits_lints("[dependencies]\nworkspace = true\n[lints.rust]\nmissing_docs = \"warn\"\n"));
    }
}
