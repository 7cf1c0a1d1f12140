//! The commands of the README run as they stand there, and the library makes what they make.

mod common;

use manyboost::prelude::*;

/// The lines of the first block of commands, without what is said of them.
fn commands() -> Vec<&'static str> {
    let readme = include_str!("../../../README.md");
    let block = readme.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("commands");
    block.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).collect()
}

#[test]
fn the_quick_start_runs() {
    let folder = tempfile::tempdir().unwrap();
    let all = commands();
    assert!(all.len() >= 8, "{all:?}");
    for command in all {
        let done = common::shell(folder.path(), command);
        assert_eq!(done.status, Some(0), "{command}: {}", done.stderr);
        if command.contains(" evaluate ") {
            assert!(done.stdout.contains("error") && !done.stderr.contains("trained on"), "{done:?}");
        }
    }
    for file in ["waveform.model", "waveform.html", "answers.csv", "compare.html", "waveform.onnx"] {
        assert!(folder.path().join(file).exists(), "{file}");
    }
}

/// Commands that a page shows, indented, run as they stand there.
#[test]
fn the_page_of_costs_runs() {
    let folder = tempfile::tempdir().unwrap();
    for (name, rows, seed) in [("train", 400, 1), ("rows", 50, 2), ("test", 200, 3)] {
        common::fine(
            folder.path(),
            &format!("generate waveform --rows {rows} --seed {seed} --out {name}.csv"),
        );
    }
    std::fs::write(folder.path().join("costs.csv"), "truth,1,2,3\n1,0,1,5\n2,1,0,1\n3,5,1,0\n").unwrap();
    let page = include_str!("../../../docs/costs.md");
    let lines: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("    manyboost ")).collect();
    assert!(lines.len() >= 3, "{lines:?}");
    for line in lines {
        let command = line.split('#').next().unwrap_or_default().trim();
        let done = common::shell(folder.path(), &format!("manyboost {command}"));
        assert_eq!(done.status, Some(0), "{command}: {}", done.stderr);
    }
}

#[test]
fn the_page_of_data_runs() {
    let folder = tempfile::tempdir().unwrap();
    let row = |i: usize| format!("{i:03},Ann,{},{}\n", i % 10, ["no", "yes"][usize::from(i % 10 > 5)]);
    let rows: String = (0..60).map(row).collect();
    std::fs::write(folder.path().join("train.csv"), format!("id,name,price,bought\n{rows}")).unwrap();
    std::fs::write(folder.path().join("new.csv"), format!("id,name,price,later\n{rows}")).unwrap();
    let page = include_str!("../../../docs/data.md");
    let lines: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("    manyboost ")).collect();
    let answers = lines.iter().filter(|line| line.contains("shop.model") || line.contains("--valid"));
    assert!(answers.clone().count() >= 10, "{lines:?}");
    for line in answers {
        let (command, wanted) = line.split_once('#').unwrap_or((line, ""));
        let done = common::shell(folder.path(), &format!("manyboost {}", command.trim()));
        assert_eq!(done.status, Some(0), "{line}: {}", done.stderr);
        let header = wanted.split(':').next().unwrap_or_default().replace(' ', "");
        if command.contains(" new.csv") && header.starts_with("id") {
            assert_eq!(done.stdout.lines().next(), Some(header.as_str()), "{line}");
        }
    }
}

#[test]
fn the_page_of_explanations_runs() {
    let folder = tempfile::tempdir().unwrap();
    let page = include_str!("../../../docs/explain.md");
    let lines: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("    manyboost ")).collect();
    assert!(lines.len() >= 5, "{lines:?}");
    for line in lines {
        let done = common::shell(folder.path(), &format!("manyboost {line}"));
        assert_eq!(done.status, Some(0), "{line}: {}", done.stderr);
    }
}

#[test]
fn the_library_makes_the_same_model() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    common::fine(folder.path(), "generate mixed --rows 300 --seed 3 --out d.csv");
    let table = Table::read(at("d.csv")).unwrap();
    let runs: [(&str, Boost); 3] = [
        (
            "--rounds 30 --leaves 8 --valid 0.2 --patience 5",
            McBoost::new().rounds(30).leaves(8).valid(0.2).patience(5),
        ),
        (
            "--booster mm --rounds 20 --step exact --seed 9",
            Boost::named("mm").rounds(20).option("step", "exact").seed(9),
        ),
        (
            "--booster samme --learner tree --rounds 10 --bins 16 --class-weight balanced",
            Boost::named("samme").learner("tree").rounds(10).bins(16).class_weights(ClassWeights::Balanced),
        ),
    ];
    for (options, run) in runs {
        common::fine(folder.path(), &format!("train d.csv --out d.model {options}"));
        let bytes = run.fit(&table).unwrap().to_bytes().unwrap();
        assert_eq!(bytes, std::fs::read(at("d.model")).unwrap(), "{options}");
    }
}

#[test]
fn the_library_goes_on_from_a_checkpoint_of_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    common::fine(folder.path(), "generate gaussians --rows 200 --out d.csv");
    common::fine(
        folder.path(),
        "train d.csv --booster mm --rounds 5 --out five.model --checkpoint c --every 5",
    );
    common::fine(folder.path(), "train d.csv --booster mm --rounds 12 --out whole.model");
    let table = Table::read(at("d.csv")).unwrap();
    let checkpoint = Checkpoint::load(at("c")).unwrap();
    let model = Boost::named("mm").rounds(12).resume(checkpoint.clone()).fit(&table).unwrap();
    assert_eq!(model.to_bytes().unwrap(), std::fs::read(at("whole.model")).unwrap());
    let other = Boost::named("mm").rounds(12).seed(2).resume(checkpoint).fit(&table);
    assert!(other.is_err_and(|error| error.what().contains("seed")));
}
