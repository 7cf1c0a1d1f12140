//! `cargo xtask notices`: what the licences of other people's crates ask of whoever hands the wheel on, in one file.
//!
//! Every crate that is compiled into the Python module, on any platform, is listed with the text of its licence as its package
//! has it; where there is a choice of licences, MIT is chosen.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use crate::shell::{cargo, root};

/// The file, in the root; `pyproject.toml` puts it into the wheel.
const FILE: &str = "THIRD-PARTY-NOTICES";

const HEAD: &str = "Third-party notices\n\n\
    manyboost's Python module contains the Rust standard library (MIT OR Apache-2.0) and code of the crates below, each under its own \
    licence. The texts of\nthe licences follow the list. `cargo xtask notices` makes this file.\n";

/// The MIT licence, for crates that have it and no text of it.
const MIT: &str = "MIT License\n\n\
    Copyright (c) the authors of AUTHORS\n\n\
    Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation\n\
    files (the \"Software\"), to deal in the Software without restriction, including without limitation the rights to use, copy,\n\
    modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software\n\
    is furnished to do so, subject to the following conditions:\n\n\
    The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.\n\n\
    THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE\n\
    WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR\n\
    COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,\n\
    ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.";

/// What stands between the texts.
const RULE: &str = "\n────────────────────────────────────────────────────────────\n";

/// A crate of other people.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Crate {
    name: String,
    version: String,
    licence: String,
    repository: String,
}

impl Crate {
    fn line(&self) -> String {
        let Self { name, version, licence, repository } = self;
        format!("{name} {version} | {licence} | {repository}")
    }
}

pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let path = root().join(FILE);
    let crates = crates()?;
    fs::write(&path, file(&crates)?).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{FILE}: {} crates", crates.len());
    Ok(())
}

/// The crates of the wheel that are not of this workspace, by name.
fn crates() -> Result<Vec<Crate>, String> {
    let mut command = cargo();
    command.args([
        "tree",
        "--locked",
        "--package",
        "manyboost-python",
        "--edges",
        "normal",
        "--target",
        "all",
    ]);
    command.args(["--prefix", "none", "--no-dedupe", "--format", "{p}|{l}|{r}"]);
    let done = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !done.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&done.stderr)));
    }
    let said = String::from_utf8_lossy(&done.stdout);
    let mut crates: Vec<Crate> = said.lines().filter_map(parse).collect();
    crates.sort();
    crates.dedup();
    Ok(crates)
}

/// A line of the tree: `name v1.2.3|licence|repository`. Those of this workspace say where they are, in brackets.
fn parse(line: &str) -> Option<Crate> {
    let mut parts = line.split('|');
    let mut words = parts.next()?.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    if words.next().is_some_and(|word| word.starts_with('(') && word != "(proc-macro)") {
        return None;
    }
    let [licence, repository] = [parts.next()?, parts.next()?].map(str::to_string);
    Some(Crate { name: name.into(), version: version.into(), licence, repository })
}

/// The list, and each text once.
fn file(crates: &[Crate]) -> Result<String, String> {
    let mut out = String::from(HEAD);
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for one in crates {
        let _ = write!(out, "\n{}", one.line());
        for text in licences_of(one, crates)? {
            texts.entry(text).or_default().push(format!("{} {}", one.name, one.version));
        }
    }
    out.push('\n');
    let mut texts: Vec<(String, String)> =
        texts.into_iter().map(|(text, names)| (names.join(", "), text)).collect();
    texts.sort();
    for (names, text) in texts {
        let _ = write!(out, "{RULE}{names}\n\n{text}\n");
    }
    Ok(out)
}

/// The licences in a crate's package; where it has none, in that of another crate of the same repository.
fn licences_of(one: &Crate, crates: &[Crate]) -> Result<Vec<String>, String> {
    let kin =
        crates.iter().filter(|other| other.repository == one.repository && other.licence == one.licence);
    let own = licences(one).or_else(|none| kin.filter_map(|other| licences(other).ok()).next().ok_or(none));
    own.or_else(|none| {
        let may = one.licence.split(" OR ").any(|licence| licence == "MIT");
        if may { Ok(vec![MIT.replace("AUTHORS", &one.name)]) } else { Err(none) }
    })
}

/// The licences in a crate's package, of those between which one may choose the MIT licence.
fn licences(one: &Crate) -> Result<Vec<String>, String> {
    let package = package(one)?;
    let entries = fs::read_dir(&package).map_err(|error| format!("{}: {error}", package.display()))?;
    let files: Vec<(String, PathBuf)> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .filter_map(|path| Some((path.file_name()?.to_str()?.to_lowercase(), path)))
        .collect();
    let named = |words: &[&str]| -> Vec<&(String, PathBuf)> {
        files.iter().filter(|(name, _)| words.iter().any(|word| name.starts_with(word))).collect()
    };
    let mut found = named(&["licen", "copying", "unlicense", "notice"]);
    if found.iter().any(|(name, _)| name.contains("mit")) {
        found.retain(|(name, _)| !["apache", "unlicense", "boost"].iter().any(|other| name.contains(other)));
    }
    if found.is_empty() {
        // Some packages have it there.
        found = named(&["authors"]);
    }
    if found.is_empty() {
        return Err(format!("{}: no licence in {}", one.line(), package.display()));
    }
    found.sort();
    let read = |(_, path): &&(String, PathBuf)| {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_matches('\n').to_string())
    };
    found.iter().map(read).collect()
}

/// Where cargo keeps a crate's package.
fn package(one: &Crate) -> Result<PathBuf, String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home =
        home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).ok_or("there is no home folder")?;
    let sources = home.join("registry").join("src");
    let registries = fs::read_dir(&sources).map_err(|error| format!("{}: {error}", sources.display()))?;
    let folder = format!("{}-{}", one.name, one.version);
    let mut folders = registries.filter_map(|entry| Some(entry.ok()?.path().join(&folder)));
    folders.find(|path| path.is_dir()).ok_or(format!("{folder} is not in {}: cargo fetch", sources.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_lists_the_crates_of_the_wheel() {
        let file = fs::read_to_string(root().join(FILE)).unwrap();
        let list = file.strip_prefix(HEAD).unwrap().split(RULE).next().unwrap();
        let wanted: Vec<String> = crates().unwrap().iter().map(Crate::line).collect();
        assert!(wanted.len() > 30, "{wanted:?}");
        assert_eq!(list.trim().lines().collect::<Vec<_>>(), wanted, "cargo xtask notices makes it anew");
        for one in crates().unwrap() {
            let name = format!("{} {}", one.name, one.version);
            let has = |text: &str| {
                text.lines().next().is_some_and(|names| names.split(", ").any(|own| own == name))
            };
            assert!(file.split(RULE).skip(1).any(has), "{name} has no text");
        }
    }

    #[test]
    fn lines_of_the_tree() {
        let line = parse("serde_derive v1.0.2 (proc-macro)|MIT OR Apache-2.0|https://example.org").unwrap();
        assert_eq!(line.line(), "serde_derive 1.0.2 | MIT OR Apache-2.0 | https://example.org");
        assert_eq!(parse("manyboost v0.1.0 (/home/me/manyboost)|MIT|"), None);
        assert_eq!(parse(""), None);
    }
}
