//! Options of boosters and learners, as their declarations in the library have them: passed on by name, and only those that were
//! given.
//!
//! The library decides which booster takes what, and refuses the rest; here they become arguments with help and completions.

use std::sync::LazyLock;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser, ValueParserFactory};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, ValueHint};
use manyboost::spec::catalog::{self, CatalogOption};
use manyboost::spec::option::{OptionInfo, OptionKind};
use manyboost::spec::options::Options;
use manyboost::spec::registry::{BOOSTERS, BoosterEntry};
use manyboost::spec::taking::TakenOption;

use crate::messages::parameters;

/// Every option of a booster or a learner.
static KNOWN: LazyLock<Vec<CatalogOption>> = LazyLock::new(|| catalog::options(BOOSTERS));

/// The options that were given.
#[derive(Clone, Debug, Default)]
pub struct Given(Vec<(String, String)>);

impl Given {
    /// Names and values.
    pub fn pairs(self) -> Vec<(String, String)> {
        self.0
    }

    /// For the library.
    pub fn options(self) -> Options {
        Options::new(self.0)
    }
}

/// What a value is called in help.
fn placeholder(info: &OptionInfo) -> &'static str {
    match info.kind {
        OptionKind::Whole => "N",
        OptionKind::Number if info.words.is_empty() => "X",
        OptionKind::Number => "X|auto",
        OptionKind::Numbers => "X,Y,…",
        OptionKind::Formula => "FORMULA",
        OptionKind::Word => "WORD",
        OptionKind::Matrix => "WORD|FILE",
        OptionKind::Costs => "FILE",
    }
}

/// What an option is for, whoever takes it.
fn help(info: &OptionInfo) -> String {
    let words: Vec<&str> = info.words.iter().map(|word| word.0).collect();
    parameters(&match info.kind {
        OptionKind::Costs => info.help.to_string(),
        OptionKind::Word | OptionKind::Matrix => format!("{} ({})", info.help, words.join(", ")),
        OptionKind::Whole | OptionKind::Number | OptionKind::Numbers | OptionKind::Formula => {
            format!("{}: {}", info.help, info.allowed)
        }
    })
}

/// What an option is for where its booster is known.
fn help_for(option: &TakenOption) -> String {
    let info = &option.info;
    let words: Vec<String> = info.words.iter().map(|(word, meaning)| format!("{word}: {meaning}")).collect();
    let values = match info.kind {
        OptionKind::Word => words.join("; "),
        _ if words.is_empty() => info.allowed.clone(),
        _ => format!("{} ({})", info.allowed, words.join("; ")),
    };
    let default = option.default_text().map_or_else(String::new, |value| format!(" [default: {value}]"));
    parameters(&format!("{}: {values}{default}", option.help()))
}

/// Takes any text, and offers words to shells.
#[derive(Clone)]
struct Offered(Vec<&'static str>);

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(PossibleValue::new)))
    }
}

/// An option as an argument.
fn argument(info: &OptionInfo) -> Arg {
    let arg = Arg::new(info.name)
        .long(info.name)
        .value_name(placeholder(info))
        .help(help(info))
        .help_heading(info.group.heading())
        .allow_hyphen_values(true);
    match info.kind {
        OptionKind::Word => {
            let words = info.words.iter().map(|word| word.0).collect();
            arg.value_parser(Offered(words)).hide_possible_values(true)
        }
        OptionKind::Matrix | OptionKind::Costs => {
            arg.value_parser(String::value_parser()).value_hint(ValueHint::FilePath)
        }
        OptionKind::Whole | OptionKind::Number | OptionKind::Numbers | OptionKind::Formula => arg,
    }
}

/// The command with the options of one booster, and what they are there.
pub fn only_of(booster: &BoosterEntry, command: Command) -> Command {
    let own = booster.options();
    KNOWN.iter().fold(command, |command, known| {
        let own = own.iter().find(|option| option.info.name == known.info.name);
        command.mut_arg(known.info.name, |arg| match own {
            Some(option) => arg
                .help(help_for(option))
                .value_name(placeholder(&option.info))
                .help_heading(known.info.group.heading()),
            None => arg.hide(true),
        })
    })
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = |CatalogOption { info, .. }: &CatalogOption| {
            let value = matches.get_one::<String>(info.name)?;
            Some((info.name.to_string(), value.clone()))
        };
        Ok(Self(KNOWN.iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        KNOWN.iter().fold(command, |command, option| command.arg(argument(&option.info)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
