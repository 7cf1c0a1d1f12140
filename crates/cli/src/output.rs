//! Where results go: stdout, or a file, packed if its name says so.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use manyboost::files::{Writer, check_writable, fault, file_behind, refuse_packed};
use manyboost_data::{Error, ErrorKind, Form, Packer, Packing};
use manyboost_kernel::stdio;

use crate::failure::{Outcome, wrong};
use crate::terminal;

/// A result under way.
pub enum Output {
    /// For whoever reads stdout.
    Stdout(BufWriter<Box<dyn Write + Send>>),
    /// For a file.
    File(Packer<Writer>, PathBuf),
}

impl Output {
    /// To a file if a path is given, else to stdout.
    pub fn new(path: Option<&Path>) -> Outcome<Self> {
        let Some(path) = path else {
            check_stdout()?;
            return Ok(Self::Stdout(BufWriter::new(terminal::stdout())));
        };
        let name = path.to_string_lossy().to_ascii_lowercase();
        let packer = Packer::new(Writer::new(path)?, Packing::of(&name).1);
        Ok(Self::File(packer.map_err(|error| fault(path, &error))?, path.to_path_buf()))
    }

    /// Writes through a function.
    pub fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Outcome {
        match self {
            Self::Stdout(out) => Ok(write(out)?),
            Self::File(out, path) => Ok(write(out).map_err(|error| fault(path, &error))?),
        }
    }

    /// Ends the result: a file takes its place now.
    pub fn finish(self) -> Outcome {
        match self {
            Self::Stdout(mut out) => Ok(out.flush()?),
            Self::File(out, path) => Ok(out.finish().map_err(|error| fault(&path, &error))?.finish()?),
        }
    }
}

/// Refuses to print where nobody could read it: a process that is started without stdout gets one that leads nowhere, and
/// what is written there is lost without a word.
pub fn check_stdout() -> Outcome {
    if stdio::stdout_was_closed() {
        let what = "stdout is closed: the result has nowhere to go";
        let error =
            Error::new(ErrorKind::Failed, what, "leave stdout open, or send it to a file or /dev/null");
        return Err(error.into());
    }
    Ok(())
}

/// How a table goes to a file, or to stdout; refuses a place or a name for which nothing can be written.
pub fn table_form(path: Option<&Path>) -> Outcome<Form> {
    let Some(path) = path else { return Ok(Form::CSV) };
    let form = Form::of(path)?;
    check_file(path, "leave the option out, and the table goes to stdout")?;
    Ok(form)
}

/// Refuses a place for which nothing can be written, and a name that promises something else than a plain file.
pub fn check_plain(path: &Path) -> Outcome {
    refuse_packed(path)?;
    check_file(path, ELSEWHERE)
}

/// The same for a file that is packed if its name says so.
pub fn check_packable(path: &Path) -> Outcome {
    let name = path.to_string_lossy().to_ascii_lowercase();
    if Packing::of(&name).1 == Packing::Plain {
        refuse_packed(path)?;
    }
    check_file(path, ELSEWHERE)
}

/// What to do where stdout is for something else.
const ELSEWHERE: &str = "give the name of a file; ./- is a file of that name, and /dev/stdout a device";

/// Refuses `-`, which elsewhere stands for stdin, and a path to which nothing could be written.
fn check_file(path: &Path, remedy: &str) -> Outcome {
    if path.as_os_str() == "-" {
        return Err(wrong("-: this file cannot go to stdout", remedy));
    }
    Ok(check_writable(path)?)
}

/// Refuses files that would overwrite one another: none of `written` may be another of them or one of `read`.
pub fn distinct(written: &[(&str, Option<&Path>)], read: &[(&str, Option<&Path>)]) -> Outcome {
    for (at, (name, path)) in written.iter().enumerate() {
        let Some(own) = path.and_then(file_behind) else { continue };
        for (other, path) in written[..at].iter().chain(read) {
            if path.is_some_and(|path| file_behind(path).as_ref() == Some(&own)) {
                let what = format!("{}: {name} would overwrite {other}", own.display());
                return Err(wrong(what, "give it a path of its own"));
            }
        }
    }
    Ok(())
}
