//! `polyboost man`: the manual page, a section for each command.

use clap::{Command, CommandFactory};

use super::print;
use crate::args::Cli;
use crate::failure::Outcome;

pub fn run() -> Outcome {
    let mut whole = Cli::command();
    whole.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(whole.clone()).title("POLYBOOST").render(&mut page)?;
    for command in whole.get_subcommands().filter(|command| command.get_name() != "help") {
        section(command, command.get_name(), &mut page)?;
    }
    print(&String::from_utf8_lossy(&page))
}

/// A command's own section, and those of the commands below it.
fn section(command: &Command, name: &str, page: &mut Vec<u8>) -> std::io::Result<()> {
    let below: Vec<&Command> = command.get_subcommands().filter(|below| below.get_name() != "help").collect();
    if below.is_empty() {
        page.extend(format!(".SH \"POLYBOOST {}\"\n", name.to_uppercase()).bytes());
        let man = clap_mangen::Man::new(command.clone());
        man.render_description_section(page)?;
        man.render_synopsis_section(page)?;
        man.render_options_section(page)?;
    }
    below.iter().try_for_each(|one| section(one, &format!("{name} {}", one.get_name()), page))
}
