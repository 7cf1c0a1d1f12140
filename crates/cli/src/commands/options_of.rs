//! The options of a booster or a learner, for people and for programs.

use manyboost::spec::option::OptionKind;
use manyboost::spec::taking::TakenOption;
use manyboost_data::nearest;
use serde_json::{Value, json};

use crate::failure::{Failure, wrong};
use crate::messages::parameters;
use crate::text_table::{Align, TextTable};

/// A table of options: headings by group, and a line for each word that they take.
pub fn shown(options: &[TakenOption]) -> String {
    let mut text = String::new();
    let mut groups: Vec<_> = options.iter().map(|option| option.info.group).collect();
    groups.sort_unstable();
    groups.dedup();
    for group in groups {
        let mut table = TextTable::new(&[
            (group.heading(), Align::Left),
            ("default", Align::Left),
            ("what it is", Align::Left),
        ]);
        for option in options.iter().filter(|option| option.info.group == group) {
            let info = &option.info;
            let words_only = info.kind == OptionKind::Word;
            let values = if words_only { String::new() } else { format!(": {}", info.allowed) };
            let name = format!("--{}", info.name);
            table.row([
                name,
                option.default_text().unwrap_or_default(),
                format!("{}{values}", option.help()),
            ]);
            for (word, meaning) in &info.words {
                table.row([format!("    {word}"), String::new(), format!("  {meaning}")]);
            }
        }
        text += &table.text();
        text.push('\n');
    }
    parameters(&text)
}

/// The same for programs.
pub fn listed(options: &[TakenOption]) -> Value {
    let option = |TakenOption { info, defaults, with }: &TakenOption| {
        let words: Vec<Value> =
            info.words.iter().map(|(word, meaning)| json!({"word": word, "meaning": meaning})).collect();
        json!({
            "name": info.name,
            "help": info.help,
            "group": info.group.heading(),
            "kind": info.kind.name(),
            "allowed": info.allowed,
            "words": words,
            "defaults": defaults,
            "with": with,
        })
    };
    Value::Array(options.iter().map(option).collect())
}

/// There is nothing of this name.
pub fn nothing_named(what: &str, name: &str, names: impl Iterator<Item = &'static str>) -> Failure {
    let names: Vec<String> = names.map(String::from).collect();
    wrong(format!("there is no {what} \"{name}\""), nearest(name, &names))
}
