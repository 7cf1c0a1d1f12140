//! Tables in many parts: the files of a folder, as other programs write them side by side.
//!
//! Columns are of the kinds that they have in the first file with rows, where the plan leaves them open.

use std::fs;
use std::path::Path;

use crate::error::{Error, ErrorKind, Result};
use crate::read::message::in_file;
use crate::read::roles::no_rows;
use crate::read::source::io_error;
use crate::read::{Limits, Take, format_of, read_blocks_of_file, read_file};
use crate::schema::dialect::Dialect;
use crate::schema::role::{Kind, Plan, Role};
use crate::table::Table;

/// The files of a folder by their names, or the path itself if it is no folder. Names that begin with `.` or `_` are marks that
/// programs leave behind.
pub fn parts(path: &str) -> Result<Vec<String>> {
    if path == "-" || !Path::new(path).is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut parts = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| io_error(path, &error))? {
        let entry = entry.map_err(|error| io_error(path, &error))?;
        let Ok(name) = entry.file_name().into_string() else {
            return Err(refused(path, "a file in this directory has a name that is not text", "rename it"));
        };
        if name.starts_with(['.', '_']) {
            continue;
        }
        if entry.path().is_dir() {
            let what = format!("the directory holds another one, '{name}'");
            return Err(refused(
                path,
                &what,
                "give the files that belong together, or move them to one directory",
            ));
        }
        let part = format!("{}/{name}", path.trim_end_matches('/'));
        format_of(&part)?;
        parts.push(part);
    }
    if parts.is_empty() {
        return Err(refused(
            path,
            "is a directory without files",
            "give the path of a file, or of a directory with some",
        ));
    }
    parts.sort_unstable();
    Ok(parts)
}

fn refused(path: &str, what: &str, remedy: &str) -> Error {
    Error::new(ErrorKind::File, in_file(path, what), remedy)
}

/// The rows of all parts, one after the other.
pub(super) fn read_whole(path: &str, parts: &[String], plan: &dyn Plan, limits: &Limits) -> Result<Table> {
    let mut whole: Option<Table> = None;
    for part in parts {
        let kinds = whole.as_ref().map(kinds).unwrap_or_default();
        let table = match read_file(part, &AsFirst { plan, kinds }, limits) {
            Err(error) if is_empty(part, &error) => continue,
            table => table?,
        };
        match &mut whole {
            Some(whole) => whole.append(table)?,
            None => whole = Some(table),
        }
    }
    let whole = whole.ok_or_else(|| no_rows(path))?;
    Ok(Table { source: path.to_owned(), ..whole })
}

/// The rows of all parts, some after the other.
pub(super) fn read_parts(
    path: &str,
    parts: &[String],
    plan: &dyn Plan,
    limits: &Limits,
    take: &mut Take<'_>,
) -> Result<()> {
    let mut any = false;
    for part in parts {
        match read_blocks_of_file(part, plan, limits, take) {
            Err(error) if is_empty(part, &error) => {}
            read => {
                read?;
                any = true;
            }
        }
    }
    if any { Ok(()) } else { Err(no_rows(path)) }
}

/// Whether a part only has no rows: programs write such parts where they had nothing to write.
fn is_empty(part: &str, error: &Error) -> bool {
    error.what() == no_rows(part).what() || fs::metadata(part).is_ok_and(|file| file.len() == 0)
}

/// The kinds of features, by name.
fn kinds(table: &Table) -> Vec<(String, Kind)> {
    let kind = |column: &crate::Column| match column.role {
        Role::Feature(Some(kind)) => Some((column.name.clone(), kind)),
        _ => None,
    };
    table.columns.iter().filter_map(kind).collect()
}

/// Roles as in the first part.
struct AsFirst<'a> {
    plan: &'a dyn Plan,
    kinds: Vec<(String, Kind)>,
}

impl Plan for AsFirst<'_> {
    fn roles(&self, header: &[String]) -> Result<Vec<Role>> {
        let mut roles = self.plan.roles(header)?;
        for (role, name) in roles.iter_mut().zip(header).filter(|(role, _)| **role == Role::Feature(None)) {
            let known = self.kinds.iter().find(|(known, _)| known == name);
            *role = Role::Feature(known.map(|(_, kind)| *kind));
        }
        Ok(roles)
    }

    fn dialect(&self) -> Option<&Dialect> {
        self.plan.dialect()
    }
}
