//! The one way to write a file.
//!
//! A regular file is written whole or not at all: new bytes go into a temporary file in the same folder, onto the disk, and
//! only then to their name, in one step. Whatever happens (a full disk, a crash, a lost connection), the name stands for the
//! old file or for the new one. Links are followed and stay. A device or a pipe cannot be replaced and must not be: it is
//! opened and written as it is.

mod place;
mod temporary;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use manyboost_data::{Error, ErrorKind, Packing, Result};

pub use place::file_behind;
use place::{Place, folder};
pub use temporary::abandon;
use temporary::{Temporary, sweep};

const BUFFER: usize = 1 << 16;

/// Writes a file, replacing the one of that name if there is one. On an error, that one is untouched and nothing is left.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut writer = Writer::new(path)?;
    writer.write_all(bytes).map_err(|error| fault(path, &error))?;
    writer.finish()
}

/// Refuses a path to which nothing could be written, so that no work is done for nothing. Leaves nothing behind; what a
/// process that was killed left there is removed.
pub fn check_writable(path: &Path) -> Result<()> {
    match Place::of(path)? {
        Place::File(file) => {
            sweep(&file);
            Temporary::beside(&file).map(drop).map_err(|error| failed(path, &error))
        }
        // Opening a pipe would wait for its reader, or let it go.
        Place::Stream(_) => Ok(()),
    }
}

/// Refuses a name that promises a packed file: what is written is plain.
pub fn refuse_packed(path: &Path) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(ending) = Packing::promised(&name) else { return Ok(()) };
    let what = format!("{}: this file is not packed, as .{ending} promises", path.display());
    let remedy = format!("give a name without .{ending}, and pack the file when it is there");
    Err(Error::new(ErrorKind::File, what, remedy))
}

/// A file under way. Dropped before it is finished, it has never been there.
pub struct Writer {
    /// As it was asked for.
    path: PathBuf,
    to: To,
}

enum To {
    Beside(BufWriter<Temporary>, PathBuf),
    Straight(BufWriter<File>),
}

impl Writer {
    /// To a path.
    pub fn new(path: &Path) -> Result<Self> {
        // A place that was fine before: what fails now is the work, not the input.
        let fault = |error: io::Error| fault(path, &error);
        let to = match Place::of(path)? {
            Place::File(file) => {
                let temporary = Temporary::beside(&file).map_err(fault)?;
                if let Ok(there) = fs::metadata(&file) {
                    resemble(temporary.file(), &there).map_err(fault)?;
                }
                To::Beside(BufWriter::with_capacity(BUFFER, temporary), file)
            }
            Place::Stream(stream) => {
                let file = File::options().write(true).open(stream).map_err(fault)?;
                To::Straight(BufWriter::with_capacity(BUFFER, file))
            }
        };
        Ok(Self { path: path.to_path_buf(), to })
    }

    /// Ends the file: it takes its place now.
    pub fn finish(self) -> Result<()> {
        let Self { path, to } = self;
        let finished = match to {
            To::Beside(out, file) => finish_beside(out, &file),
            To::Straight(mut out) => out.flush(),
        };
        finished.map_err(|error| fault(&path, &error))
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Beside(out, _) => out.write(bytes),
            To::Straight(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Beside(out, _) => out.flush(),
            To::Straight(out) => out.flush(),
        }
    }
}

fn finish_beside(out: BufWriter<Temporary>, path: &Path) -> io::Result<()> {
    let temporary = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    temporary.file().sync_all()?;
    temporary.persist(path)?;
    // The new name itself is on the disk only when the folder is; a file system that cannot promise this has still
    // written the whole file.
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder(path)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Gives a new file the owner (where we may) and the permissions of the one that it replaces.
fn resemble(file: &File, there: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (there.uid(), there.gid()) {
            let _ = fchown(file, Some(there.uid()), Some(there.gid()));
        }
    }
    file.set_permissions(there.permissions())
}

/// The error of a write that failed: the place had been fine, so that it is the work that failed.
pub fn fault(path: &Path, error: &io::Error) -> Error {
    let said = failed(path, error);
    Error::new(ErrorKind::Failed, said.what(), said.remedy()).caused_by(error)
}

fn failed(path: &Path, error: &io::Error) -> Error {
    let what = format!("{}: cannot be written: {error}", path.display());
    let remedy = match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "give a path in a folder that you may write to"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room on the disk",
        io::ErrorKind::FileTooLarge => "raise the limit on the size of files (ulimit -f)",
        _ => "give a path that can be written to",
    };
    Error::new(ErrorKind::File, what, remedy).caused_by(error)
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
            write_atomic(&path, bytes).unwrap();
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
            for error in [check_writable(path).unwrap_err(), write_atomic(path, b"new").unwrap_err()] {
                assert_eq!(error.kind(), ErrorKind::File);
                assert!(error.what().contains(words) && !error.remedy().is_empty(), "{error}");
            }
        }
        assert_eq!(fs::read(&read_only).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["file", "read_only"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_written_and_stay_devices() {
        use std::os::unix::fs::FileTypeExt;
        let is_device = |path: &str| fs::metadata(path).unwrap().file_type().is_char_device();
        for (path, fine) in [("/dev/null", true), ("/dev/full", false)] {
            check_writable(Path::new(path)).unwrap();
            let written = write_atomic(Path::new(path), b"x");
            assert_eq!(
                written.as_ref().map_err(Error::kind),
                if fine { Ok(&()) } else { Err(ErrorKind::Failed) }
            );
            assert!(is_device(path) && file_behind(Path::new(path)).is_none(), "{path}");
        }
        for write in [check_writable, |path: &Path| write_atomic(path, b"x")] {
            assert!(write(Path::new("/proc/model")).is_err());
        }
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_written_and_stay_pipes() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        check_writable(&pipe).unwrap();
        write_atomic(&pipe, b"through").unwrap();
        assert_eq!(reader.join().unwrap(), b"through");
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(names(folder.path()), ["pipe"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_to_nothing_lead_to_a_new_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("far")).unwrap();
        let (link, end) = (folder.path().join("link"), folder.path().join("far").join("end"));
        std::os::unix::fs::symlink("far/end", &link).unwrap();
        assert_eq!(file_behind(&link), file_behind(&end));
        write_atomic(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&end).unwrap(), b"new");
        std::os::unix::fs::symlink("circle", folder.path().join("circle")).unwrap();
        assert!(write_atomic(&folder.path().join("circle"), b"x").is_err());
    }

    #[test]
    fn a_writer_that_is_dropped_was_never_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        fs::write(&path, "old").unwrap();
        let mut writer = Writer::new(&path).unwrap();
        writer.write_all(&vec![1; 3 * BUFFER]).unwrap();
        assert_eq!((names(folder.path()).len(), fs::read(&path).unwrap()), (2, b"old".to_vec()));
        drop(writer);
        assert_eq!((names(folder.path()).len(), fs::read(&path).unwrap()), (1, b"old".to_vec()));
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
        write_atomic(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
