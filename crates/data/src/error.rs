//! The one error type of the library: what is wrong and where, and what to do about it.
//!
//! A message names parameters between backticks, `` `rounds` `` or `` `rounds=0` ``, and nothing else stands between backticks. Whoever
//! shows a message to people writes them as these people do ([`Error::told`]): `--rounds 0`, `rounds=0`.

use std::fmt;

/// What went wrong, by the part of the input that is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// A file cannot be opened, read or written.
    File,
    /// A file's bytes are not what its format says.
    Syntax,
    /// A size beyond what is accepted.
    Limit,
    /// Columns: absent, repeated, of the wrong kind.
    Column,
    /// Labels.
    Label,
    /// Weights.
    Weight,
    /// Parameters and options.
    Parameter,
    /// A model file.
    Model,
    /// There is not enough memory for the work.
    Memory,
    /// The work itself failed (the input was fine).
    Failed,
}

/// An error: one line that says what is wrong and where, one that says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    what: String,
    remedy: String,
    os: Option<i32>,
}

/// Result with the library's error.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of a kind: `what` names file, line, column and value where there are any; `remedy` says what to do.
    pub fn new(kind: ErrorKind, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { kind, what: what.into(), remedy: remedy.into(), os: None }
    }

    /// A parameter has a value that it does not take; `allowed` says what it takes.
    pub fn parameter(name: &str, value: &str, allowed: &str) -> Self {
        Self::new(
            ErrorKind::Parameter,
            format!("`{name}={value}`: not a value that it takes"),
            format!("`{name}` takes {allowed}"),
        )
    }

    /// The same with the number that the operating system gave to what went wrong.
    #[must_use]
    pub fn caused_by(self, cause: &std::io::Error) -> Self {
        Self { os: cause.raw_os_error(), ..self }
    }

    /// Which part of the input is at fault.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What is wrong, and where: one line.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What to do about it: one line.
    pub fn remedy(&self) -> &str {
        &self.remedy
    }

    /// The two lines with each parameter as `parameter` writes its name and, where there is one, its value.
    pub fn told(&self, parameter: impl Fn(&str, Option<&str>) -> String) -> [String; 2] {
        [&self.what, &self.remedy].map(|text| with_parameters(text, &parameter))
    }

    /// The operating system's number (`errno`), where it was asked for something and refused.
    pub fn os_error(&self) -> Option<i32> {
        self.os
    }
}

/// A text in which parameters are written in another way (see [`Error::told`]).
pub fn with_parameters(text: &str, parameter: impl Fn(&str, Option<&str>) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, part) in text.split('`').enumerate() {
        let (name, value) = part.split_once('=').map_or((part, None), |(name, value)| (name, Some(value)));
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        if at % 2 == 1 && is_name {
            out.push_str(&parameter(name, value));
        } else {
            out.push_str(part);
        }
    }
    out
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.what, self.remedy)
    }
}

impl std::error::Error for Error {}
