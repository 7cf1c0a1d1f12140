//! `docs/options.md` is made from the declarations of options. After a change that is meant, run with `UPDATE_SHOWN=1`. `docs/papers.md` counts its own lines.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use manyboost::spec::catalog::{self, CatalogOption};
use manyboost::spec::option::{Group, OptionKind};
use manyboost::spec::registry::BOOSTERS;
use manyboost_data::with_parameters;

const HEAD: &str = "# Options of boosters and weak learners

This page is made from the declarations in the code. The names are those of the command line; in Python dashes are underscores, in Rust an option is
`option(\"name\", value)`. `manyboost boosters NAME` and `manyboost learners NAME` show what one of them takes.
";

/// A cell of a table: parameters by their names, nothing that would end the cell.
fn cell(text: &str) -> String {
    let named = |name: &str, value: Option<&str>| match value {
        None => format!("`{name}`"),
        Some(value) => format!("`{name}={value}`"),
    };
    with_parameters(text, named).replace('|', "\\|")
}

/// Who takes an option, by its default.
fn defaults(option: &CatalogOption) -> String {
    let mut by_default: Vec<(String, Vec<&str>)> = Vec::new();
    for (booster, taken) in &option.boosters {
        let default = taken.default_text().unwrap_or_else(|| "–".to_string());
        match by_default.iter_mut().find(|(known, _)| *known == default) {
            Some((_, boosters)) => boosters.push(booster),
            None => by_default.push((default, vec![booster])),
        }
    }
    let all = option.boosters.len() == BOOSTERS.len();
    match by_default.as_slice() {
        [(default, _)] if all => format!("{default} (all boosters)"),
        several => {
            let each =
                several.iter().map(|(default, boosters)| format!("{default} ({})", boosters.join(", ")));
            each.collect::<Vec<_>>().join("; ")
        }
    }
}

fn page() -> String {
    let mut page = HEAD.to_string();
    let options = catalog::options(BOOSTERS);
    for group in [Group::Boosting, Group::Learner] {
        let _ = writeln!(
            page,
            "\n## {}\n\n| option | what it is | values | default |\n|---|---|---|---|",
            group.heading()
        );
        for option in options.iter().filter(|option| option.info.group == group) {
            let info = &option.info;
            let words = info.words.iter().map(|(word, meaning)| format!("**{word}**: {meaning}"));
            let words = words.collect::<Vec<_>>().join("<br>");
            let values = match info.kind {
                OptionKind::Word => words,
                _ if words.is_empty() => info.allowed.clone(),
                _ => format!("{}<br>{words}", info.allowed),
            };
            let line = [format!("`{}`", info.name), cell(info.help), cell(&values), cell(&defaults(option))];
            let _ = writeln!(page, "| {} |", line.join(" | "));
        }
    }
    page
}

/// One line for each item of the papers, with a number of its own and one of four states; and the table at the end counts them.
#[test]
fn the_counts_of_the_papers_are_those_of_their_lines() {
    const STATES: [&str; 4] = ["works", "partly", "missing", "not computable"];
    // By the first number of the items, in the order of the table.
    const PAPERS: [&str; 5] = ["0", "3", "1", "2", "4"];
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/papers.md")).unwrap();
    let cells = |line: &str| {
        line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_string()).collect::<Vec<_>>()
    };
    let (mut items, mut counts) = (BTreeMap::new(), Vec::new());
    for line in page.lines().filter(|line| line.starts_with("| ")) {
        let cells = cells(line);
        let number = cells[0]
            .split_once('.')
            .filter(|(paper, item)| PAPERS.contains(paper) && item.parse::<u32>().is_ok());
        if let Some((paper, item)) = number {
            let state = STATES.iter().position(|state| cells.last().unwrap() == state);
            let state = state.unwrap_or_else(|| panic!("no state: {line}"));
            let before = items.insert((paper.to_string(), item.parse::<u32>().unwrap()), state);
            assert_eq!(before, None, "twice: {line}");
        } else if cells[1..].iter().all(|cell| cell.parse::<usize>().is_ok()) {
            counts.push(cells[1..].iter().map(|cell| cell.parse().unwrap()).collect::<Vec<usize>>());
        }
    }
    let count = |of: &dyn Fn(&str) -> bool| {
        let states =
            items.iter().filter(|((paper, _), _)| of(paper)).map(|(_, state)| *state).collect::<Vec<_>>();
        let of_state = |state| states.iter().filter(|other| **other == state).count();
        std::iter::once(states.len()).chain((0..STATES.len()).map(of_state)).collect::<Vec<usize>>()
    };
    for (paper, shown) in PAPERS.iter().zip(&counts) {
        assert_eq!(&count(&|other| other == *paper), shown, "items {paper}.…");
        // No number is left out.
        assert!(
            (1..=shown[0] as u32).all(|item| items.contains_key(&(paper.to_string(), item))),
            "items {paper}.…"
        );
    }
    assert_eq!(counts.len(), PAPERS.len() + 1);
    assert_eq!(count(&|_| true), counts[PAPERS.len()]);
    assert_eq!(items.len(), 169);
}

#[test]
fn the_page_of_options_is_that_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/options.md");
    if std::env::var_os("UPDATE_SHOWN").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), page(), "UPDATE_SHOWN=1 writes it anew");
}
