//! Files under way: names that nobody can guess, made anew, gone unless they are finished.
//!
//! Whoever writes one holds a lock on it, which ends with the process however that ends. So a file without a lock was left by
//! a process that was killed, and the next one that writes to the same place removes it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use super::place::folder;

const ENDING: &str = ".tmp";

/// The files under way in this process.
static UNDER_WAY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn under_way() -> MutexGuard<'static, Vec<PathBuf>> {
    UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the files that are under way, for a process that ends now: none can be begun after it.
pub fn abandon() {
    let mut files = under_way();
    for file in files.drain(..) {
        // It may be gone already.
        let _ = fs::remove_file(file);
    }
    std::mem::forget(files);
}

/// Takes a file off the list when it is finished or gone.
struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        under_way().retain(|file| *file != self.0);
    }
}

/// A file beside a path, which is gone when it is dropped.
pub(super) struct Temporary {
    file: NamedTempFile,
    listed: Listed,
}

impl Temporary {
    /// An empty one.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        let beginning = beginning(path);
        builder.prefix(&beginning).suffix(ENDING);
        #[cfg(unix)]
        {
            // What any new file would have: the user's mask takes away from it.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        // Held while the file is made, so that none is made and not listed.
        let mut under_way = under_way();
        loop {
            let file = builder.tempfile_in(folder(path))?;
            if claimed(file.as_file()) {
                let listed = Listed(file.path().to_path_buf());
                under_way.push(listed.0.clone());
                return Ok(Self { file, listed });
            }
        }
    }

    /// The file.
    pub(super) fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Gives the file its name, in place of whatever has it.
    pub(super) fn persist(self, path: &Path) -> io::Result<()> {
        let Self { file, listed } = self;
        file.persist(path).map_err(|error| error.error)?;
        drop(listed);
        Ok(())
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

/// How the names of files beside a path begin: the same for the same name, whatever its length.
fn beginning(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    format!(".manyboost-{:08x}-", crc32fast::hash(name.as_encoded_bytes()))
}

/// Removes files beside a path that were left by processes that were killed. What cannot be removed stays.
pub(super) fn sweep(path: &Path) {
    let Ok(entries) = fs::read_dir(folder(path)) else { return };
    let beginning = beginning(path);
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let ours = name.starts_with(beginning.as_bytes()) && name.ends_with(ENDING.as_bytes());
        if ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            remove_if_left(&entry.path());
        }
    }
}

fn remove_if_left(path: &Path) {
    // The lock is held until the file is gone: whoever made it at this moment will notice.
    if let Ok(file) = File::open(path)
        && file.try_lock().is_ok()
    {
        let _ = fs::remove_file(path);
    }
}

/// Locks a file that was just made; false if somebody who sweeps was faster. File systems without locks have no sweepers.
fn claimed(file: &File) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let taken = matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock));
        !taken && file.metadata().is_ok_and(|there| there.nlink() > 0)
    }
    #[cfg(not(unix))]
    {
        let _ = file.try_lock();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        names.collect()
    }

    #[test]
    fn what_was_left_is_swept_and_what_is_under_way_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("model"), folder.path().join("other"));
        let under_way = Temporary::beside(&path).unwrap();
        let [name] = &names(folder.path())[..] else { panic!("one file") };
        // As a kill leaves them: nobody has a lock.
        let (left, of_other) =
            (format!("{}left.tmp", beginning(&path)), format!("{}left.tmp", beginning(&other)));
        for name in [&left, &of_other] {
            fs::write(folder.path().join(name), "half").unwrap();
        }
        sweep(&path);
        let mut there = names(folder.path());
        there.sort_unstable();
        let mut wanted = [name.clone(), of_other];
        wanted.sort_unstable();
        assert_eq!(there, wanted);
        under_way.persist(&path).unwrap();
        assert!(path.exists());
    }

    #[test]
    fn names_differ_and_are_short() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x".repeat(255));
        let files: Vec<Temporary> = (0..8).map(|_| Temporary::beside(&path).unwrap()).collect();
        assert_eq!(names(folder.path()).len(), 8);
        drop(files);
        assert!(names(folder.path()).is_empty() && under_way().is_empty());
    }
}
