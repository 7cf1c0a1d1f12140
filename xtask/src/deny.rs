//! Dependencies: their licences, where they come from, which are there twice, and what is known against them (`deny.toml`).

use crate::shell::{run, works};
use crate::tools::{self, Problem};

/// Checks; says whether advisories could be looked at.
pub(crate) fn check() -> Result<String, Problem> {
    let all = ["--locked", "--all-features", "--log-level", "error"];
    run(tools::deny()?.args(all).args(["check", "--hide-inclusion-graph", "licenses", "bans", "sources"]))?;
    if !works(tools::deny()?.args(all).args(["fetch", "db"])) {
        return Ok("licences, duplicates and sources; advisories were not looked at: their database cannot be reached".into());
    }
    run(tools::deny()?.args(all).args(["check", "--disable-fetch", "advisories"]))?;
    Ok("licences, duplicates, sources and advisories".into())
}
