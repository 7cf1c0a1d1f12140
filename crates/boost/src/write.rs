//! Files that are written whole or not at all.
//!
//! New bytes go into a temporary file in the same folder, onto the disk, and only then to their name, in one step. Whatever
//! happens (a full disk, a crash, a lost connection), the name stands for the old file or for the new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use polyboost_data::{Error, ErrorKind, Result};
use tempfile::NamedTempFile;

/// Writes a file, replacing the one of that name if there is one. On an error, that one is untouched and nothing is left.
pub fn write_beside(path: &Path, bytes: &[u8]) -> Result<()> {
    let path = &target(path)?;
    // The place was fine: what fails now is the work, not the input.
    replace(path, bytes).map_err(|error| {
        let said = failed(path, &error);
        Error::new(ErrorKind::Failed, said.what(), said.remedy())
    })
}

/// Refuses a path to which [`write_beside`] could not write, so that no work is done for nothing. Leaves nothing behind.
pub fn check_writable(path: &Path) -> Result<()> {
    let path = &target(path)?;
    temporary(path).map(drop).map_err(|error| failed(path, &error))
}

/// The file behind a path, following links; refuses what is there and is not a file to be replaced.
fn target(path: &Path) -> Result<PathBuf> {
    let wrong = |what: &str, remedy: &str| {
        Err(Error::new(ErrorKind::File, format!("{}: {what}", path.display()), remedy))
    };
    if path.file_name().is_none() {
        return wrong("not the name of a file", "give the path of a file");
    }
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => wrong("is a directory", "give the path of a file in it"),
        Ok(there) if !there.is_file() => wrong("is not a regular file", "give the path of a file"),
        Ok(there) if there.permissions().readonly() => {
            wrong("is read-only: permission denied", "make the file writable, or give another path")
        }
        Ok(_) => fs::canonicalize(path).map_err(|error| failed(path, &error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if folder(path).is_dir() {
                return Ok(path.to_path_buf());
            }
            let what = format!("there is no folder {}", folder(path).display());
            wrong(&what, "make the folder first, or give another path")
        }
        Err(error) => Err(failed(path, &error)),
    }
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// An empty file beside a path, which is gone when it is dropped.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".polyboost-").suffix(".tmp");
    #[cfg(unix)]
    {
        // What any new file would have: the user's mask takes away from it.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder(path))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = temporary(path)?;
    if let Ok(there) = fs::metadata(path) {
        file.as_file().set_permissions(there.permissions())?;
    }
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // The new name itself is on the disk only when the folder is; a file system that cannot promise this has still
    // written the whole file.
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder(path)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

fn failed(path: &Path, error: &io::Error) -> Error {
    let what = format!("{}: cannot be written: {error}", path.display());
    let remedy = match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "give a path in a folder that you may write to"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room on the disk",
        _ => "give a path that can be written to",
    };
    Error::new(ErrorKind::File, what, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn files_are_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        check_writable(&path).unwrap();
        assert_eq!(names(folder.path()), [""; 0]);
        for bytes in [&b"first"[..], b"second", b""] {
            write_beside(&path, bytes).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes);
            check_writable(&path).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        assert_eq!(names(folder.path()), ["model"]);
    }

    #[test]
    fn places_that_cannot_be_written_are_refused_before_and_after() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("no").join("model");
        let under_a_file = folder.path().join("file").join("model");
        fs::write(folder.path().join("file"), "x").unwrap();
        let read_only = folder.path().join("read_only");
        fs::write(&read_only, "old").unwrap();
        let mut permissions = fs::metadata(&read_only).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&read_only, permissions).unwrap();
        let cases: [(&Path, &str); 5] = [
            (&missing, "no folder"),
            (&under_a_file, ""),
            (folder.path(), "directory"),
            (&read_only, "permission"),
            (Path::new(".."), "not the name"),
        ];
        for (path, words) in cases {
            for error in [check_writable(path).unwrap_err(), write_beside(path, b"new").unwrap_err()] {
                assert_eq!(error.kind(), ErrorKind::File);
                assert!(error.what().contains(words) && !error.remedy().is_empty(), "{error}");
            }
        }
        assert_eq!(fs::read(&read_only).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["file", "read_only"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_and_file_systems_without_files_are_refused() {
        for path in ["/dev/null", "/dev/full", "/proc/model"] {
            assert!(check_writable(Path::new(path)).is_err(), "{path}");
            assert!(write_beside(Path::new(path), b"x").is_err(), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_beside(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
