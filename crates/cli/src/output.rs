//! Where results go: stdout, or a file that is written beside its place and renamed when it is complete.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use polyboost_data::{Error, ErrorKind};

use crate::failure::{Outcome, wrong};

/// Files under way, to be removed if the process must end early.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the files that are under way.
pub fn clean() {
    if let Ok(mut files) = UNFINISHED.lock() {
        for file in files.drain(..) {
            // It may be gone already.
            let _ = std::fs::remove_file(file);
        }
    }
}

/// A result under way.
pub struct Output {
    writer: BufWriter<Box<dyn Write + Send>>,
    /// The file's place, and where it is written.
    place: Option<(PathBuf, PathBuf)>,
}

impl Output {
    /// To a file if a path is given, else to stdout.
    pub fn new(path: Option<&Path>) -> Outcome<Self> {
        let Some(path) = path else {
            return Ok(Self { writer: BufWriter::new(Box::new(io::stdout())), place: None });
        };
        check(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let beside = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let file = File::create(&beside).map_err(|error| unwritable(path, &error))?;
        if let Ok(mut files) = UNFINISHED.lock() {
            files.push(beside.clone());
        }
        let writer = BufWriter::with_capacity(1 << 16, Box::new(file) as Box<dyn Write + Send>);
        Ok(Self { writer, place: Some((path.to_path_buf(), beside)) })
    }

    /// Writes through a function.
    pub fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Outcome {
        write(&mut self.writer).map_err(|error| match &self.place {
            Some((path, _)) => unwritable(path, &error).into(),
            None => error.into(),
        })
    }

    /// Ends the result: a file takes its place now.
    pub fn finish(mut self) -> Outcome {
        self.write(|out| out.flush())?;
        let Some((path, beside)) = &self.place else { return Ok(()) };
        let sync = File::open(beside).and_then(|file| file.sync_all());
        sync.and_then(|()| std::fs::rename(beside, path)).map_err(|error| unwritable(path, &error))?;
        if let Ok(mut files) = UNFINISHED.lock() {
            files.retain(|file| file != beside);
        }
        Ok(())
    }
}

/// Refuses a place where no file can be.
pub fn check(path: &Path) -> Outcome {
    let shown = path.display();
    if path.is_dir() {
        return Err(file_error(format!("{shown}: is a directory"), "give the path of a file").into());
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !parent.is_dir() {
        let what = format!("{shown}: there is no directory {}", parent.display());
        return Err(file_error(what, "create it, or write elsewhere").into());
    }
    if path.file_name().is_none() {
        return Err(file_error(format!("{shown}: names no file"), "give the path of a file").into());
    }
    Ok(())
}

/// Refuses files that would overwrite one another: none of `written` may be another of them or one of `read`.
pub fn distinct(written: &[(&str, Option<&Path>)], read: &[(&str, Option<&Path>)]) -> Outcome {
    let real = |path: &Path| {
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let whole = path.canonicalize().ok();
        whole.or_else(|| Some(parent.canonicalize().ok()?.join(path.file_name()?)))
    };
    for (at, (name, path)) in written.iter().enumerate() {
        let Some(own) = path.and_then(real) else { continue };
        for (other, path) in written[..at].iter().chain(read) {
            if path.is_some_and(|path| real(path).as_ref() == Some(&own)) {
                let what = format!("{}: {name} would overwrite {other}", own.display());
                return Err(wrong(what, "give it a path of its own"));
            }
        }
    }
    Ok(())
}

fn file_error(what: String, remedy: &str) -> Error {
    Error::new(ErrorKind::File, what, remedy)
}

/// A fault in writing: a place that is not ours is the user's to change, a full disk is work that failed.
fn unwritable(path: &Path, error: &io::Error) -> Error {
    let place = matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::NotFound | io::ErrorKind::ReadOnlyFilesystem
    );
    let kind = if place { ErrorKind::File } else { ErrorKind::Failed };
    let what = format!("{}: cannot be written ({error})", path.display());
    Error::new(kind, what, "check the folder's permissions and the room on the disk")
}
