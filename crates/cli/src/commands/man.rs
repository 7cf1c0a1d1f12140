//! `manyboost man`: the manual page, a section for each command.

use std::io;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::print;
use crate::args::Cli;
use crate::failure::Outcome;

/// What each part of a page begins with; once is enough.
const BEGIN: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

pub fn run() -> Outcome {
    let mut whole = Cli::command();
    whole.build();
    let man = Man::new(whole.clone()).title("MANYBOOST");
    let mut page = BEGIN.to_string();
    for part in [
        Man::render_title,
        Man::render_name_section,
        Man::render_synopsis_section,
        Man::render_options_section,
    ] {
        page += &text(&man, part)?;
    }
    page += &notes(&whole, &man)?;
    section(&whole, "manyboost", &mut page)?;
    print(&page)
}

/// One part of a page.
fn text(man: &Man, render: fn(&Man, &mut dyn io::Write) -> io::Result<()>) -> io::Result<String> {
    let mut part = Vec::new();
    render(man, &mut part)?;
    Ok(String::from_utf8_lossy(&part).replace(BEGIN, ""))
}

/// What help says at its end, line by line as it is there.
fn notes(command: &Command, man: &Man) -> io::Result<String> {
    if command.get_after_help().is_none() {
        return Ok(String::new());
    }
    Ok(text(man, Man::render_extra_section)?.replace(".SH EXTRA\n", ".SH NOTES\n.nf\n") + ".fi\n")
}

/// The sections of the commands below a command.
fn section(command: &Command, name: &str, page: &mut String) -> io::Result<()> {
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        let name = format!("{name} {}", below.get_name());
        if !below.has_subcommands() {
            let man = Man::new(below.clone());
            let mut parts = String::new();
            for part in
                [Man::render_description_section, Man::render_synopsis_section, Man::render_options_section]
            {
                parts += &text(&man, part)?;
            }
            parts += &notes(below, &man)?;
            page.extend([".SH \"", &name.to_uppercase(), "\"\n", &parts.replace(".SH ", ".SS ")]);
        }
        section(below, &name, page)?;
    }
    Ok(())
}
