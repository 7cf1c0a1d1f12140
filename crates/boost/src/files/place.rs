//! Where the bytes of a path go.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use manyboost_data::{Error, ErrorKind, Result};

use super::failed;

/// Links that are followed before they are called a circle.
const LINKS: usize = 40;

/// Where the bytes of a path go.
#[derive(Debug, PartialEq)]
pub(super) enum Place {
    /// To a regular file, which is there or can be; no link.
    File(PathBuf),
    /// To a device or a pipe: it must stay what it is, and is written as it is.
    Stream(PathBuf),
}

impl Place {
    /// The place behind a path; refuses what is there and can be neither replaced nor written.
    pub(super) fn of(path: &Path) -> Result<Self> {
        let wrong = |what: &str, remedy: &str| {
            Err(Error::new(ErrorKind::File, format!("{}: {what}", path.display()), remedy))
        };
        if path.file_name().is_none() {
            return wrong("not the name of a file", "give the path of a file");
        }
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => wrong("is a directory", "give the path of a file in it"),
            Ok(there) if !there.is_file() => Ok(Self::Stream(path.to_path_buf())),
            Ok(there) if there.permissions().readonly() => {
                wrong("is read-only: permission denied", "make the file writable, or give another path")
            }
            Ok(_) => fs::canonicalize(path).map(Self::File).map_err(|error| failed(path, &error)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let end = end_of_links(path).map_err(|error| failed(path, &error))?;
                if folder(&end).is_dir() {
                    return Ok(Self::File(end));
                }
                let what = format!("there is no folder {}", folder(&end).display());
                wrong(&what, "make it first, or give another path")
            }
            Err(error) => Err(failed(path, &error)),
        }
    }
}

/// The file that would be made at a path which may be a link to nothing.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut end = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::read_link(&end) {
            Ok(next) => end = folder(&end).join(next),
            Err(_) => return Ok(end),
        }
    }
    Err(io::Error::other("too many links"))
}

/// The folder of a file.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The regular file that writing to a path would make or replace, in the one way to say it; none for devices and pipes.
pub fn file_behind(path: &Path) -> Option<PathBuf> {
    match Place::of(path) {
        Ok(Place::File(file)) => Some(folder(&file).canonicalize().ok()?.join(file.file_name()?)),
        Ok(Place::Stream(_)) => None,
        // What cannot be written may still be the same file as another.
        Err(_) => path.canonicalize().ok(),
    }
}
