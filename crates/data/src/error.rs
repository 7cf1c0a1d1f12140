//! The one error type of the library: what is wrong and where, and what to do about it.
//!
//! A message names parameters between backticks, `` `rounds` `` or `` `rounds=0` ``, and nothing else stands between backticks. Whoever
//! shows a message to people writes them as these people do ([`Error::told`]): `--rounds 0`, `rounds=0`.

use std::borrow::Cow;
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
    /// Another worker: it was lost, or works on something else.
    Worker,
    /// The work itself failed (the input was fine).
    Failed,
}

/// What an error says: one line that says what is wrong and where, one that says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What is wrong, and where: it names file, line, column and value where there are any.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

/// An error of the library.
///
/// Match on it where it matters what went wrong; [`what`](Self::what) and [`remedy`](Self::remedy) are for people.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A parameter has a value that it does not take.
    Parameter {
        /// Its name, without dashes in front.
        name: String,
        /// The value.
        value: String,
        /// What it takes, in words.
        allowed: String,
        /// The value that was probably meant.
        meant: Option<String>,
    },
    /// A file cannot be opened, read or written.
    File {
        /// What there is to say.
        message: Message,
        /// The operating system's number (`errno`), where it was asked for something and refused.
        os: Option<i32>,
    },
    /// Anything else, by the part of the input that is at fault.
    Other {
        /// The part of the input.
        kind: ErrorKind,
        /// What there is to say.
        message: Message,
        /// The operating system's number (`errno`), where it was asked for something and refused.
        os: Option<i32>,
    },
}

/// Result with the library's error.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of a kind: `what` names file, line, column and value where there are any; `remedy` says what to do.
    pub fn new(kind: ErrorKind, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        let message = Message { what: what.into(), remedy: remedy.into() };
        match kind {
            ErrorKind::File => Self::File { message, os: None },
            kind => Self::Other { kind, message, os: None },
        }
    }

    /// A parameter has a value that it does not take; `allowed` says what it takes.
    pub fn parameter(name: &str, value: &str, allowed: &str) -> Self {
        let [name, value, allowed] = [name, value, allowed].map(str::to_string);
        Self::Parameter { name, value, allowed, meant: None }
    }

    /// The same with the number that the operating system gave to what went wrong.
    #[must_use]
    pub fn caused_by(self, cause: &std::io::Error) -> Self {
        let os = cause.raw_os_error();
        match self {
            Self::File { message, .. } => Self::File { message, os },
            Self::Other { kind, message, .. } => Self::Other { kind, message, os },
            parameter @ Self::Parameter { .. } => parameter,
        }
    }

    /// Which part of the input is at fault.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Parameter { .. } => ErrorKind::Parameter,
            Self::File { .. } => ErrorKind::File,
            Self::Other { kind, .. } => *kind,
        }
    }

    /// What is wrong, and where: one line.
    pub fn what(&self) -> Cow<'_, str> {
        match self {
            Self::Parameter { name, value, .. } => {
                format!("`{name}={value}`: not a value that it takes").into()
            }
            Self::File { message, .. } | Self::Other { message, .. } => message.what.as_str().into(),
        }
    }

    /// What to do about it: one line.
    pub fn remedy(&self) -> Cow<'_, str> {
        match self {
            Self::Parameter { name, allowed, meant: None, .. } => format!("`{name}` takes {allowed}").into(),
            Self::Parameter { name, allowed, meant: Some(meant), .. } => {
                format!("did you mean {meant}? `{name}` takes {allowed}").into()
            }
            Self::File { message, .. } | Self::Other { message, .. } => message.remedy.as_str().into(),
        }
    }

    /// The two lines with each parameter as `parameter` writes its name and, where there is one, its value.
    pub fn told(&self, parameter: impl Fn(&str, Option<&str>) -> String) -> [String; 2] {
        [self.what(), self.remedy()].map(|text| with_parameters(&text, &parameter))
    }

    /// The operating system's number (`errno`), where it was asked for something and refused.
    pub fn os_error(&self) -> Option<i32> {
        match self {
            Self::Parameter { .. } => None,
            Self::File { os, .. } | Self::Other { os, .. } => *os,
        }
    }
}

/// A text in which parameters are written in another way (see [`Error::told`]).
pub fn with_parameters(text: &str, parameter: impl Fn(&str, Option<&str>) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('`') {
        let (before, inside) = (&rest[..at], &rest[at + 1..]);
        out.push_str(before);
        let (name, value) = match closing(inside).map(|end| &inside[..end]) {
            Some(within) => {
                within.split_once('=').map_or((within, None), |(name, value)| (name, Some(value)))
            }
            None => ("", None),
        };
        if !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-') {
            out.push_str(&parameter(name, value));
            rest = &inside[name.len() + value.map_or(0, |value| 1 + value.len()) + 1..];
        } else {
            out.push('`');
            rest = inside;
        }
    }
    out + rest
}

/// Where a parameter ends: at a backtick before a space, punctuation or the end, since values may have backticks too.
fn closing(text: &str) -> Option<usize> {
    let ends = |at: &usize| {
        text[at + 1..].chars().next().is_none_or(|next| next.is_whitespace() || ":,.;)?".contains(next))
    };
    text.match_indices('`').map(|(at, _)| at).find(ends)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.what(), self.remedy())
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_written_as_people_write_them() {
        let flag = |name: &str, value: Option<&str>| match value {
            None => format!("--{name}"),
            Some(value) => format!("--{name} {value}"),
        };
        for (text, told) in [
            ("`min-rows=5`: no", "--min-rows 5: no"),
            ("give `rounds`, `edge=0.1,0.2` or (`step`)", "give --rounds, --edge 0.1,0.2 or (--step)"),
            ("`code=a;`b`c`: no such file", "--code a;`b`c: no such file"),
            ("the column `Age` and `", "the column `Age` and `"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(with_parameters(text, flag), told);
        }
        let error = Error::parameter("step", "big", "edge, exact");
        assert_eq!(error.told(flag), ["--step big: not a value that it takes", "--step takes edge, exact"]);
        assert_eq!(error.to_string(), "`step=big`: not a value that it takes\n`step` takes edge, exact");
    }
}
