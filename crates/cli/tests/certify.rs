//! `manyboost certify`: values as they are in JSON, words as they are printed, and what is refused.

mod common;

use std::fs;
use std::path::Path;

use common::{fine, good, run, shell};
use serde_json::Value;
use tempfile::tempdir;

fn certified(folder: &Path, arguments: &str) -> Value {
    serde_json::from_str(&fine(folder, &format!("certify {arguments} --json")).stdout).unwrap()
}

fn close(value: &Value, expected: f64) {
    assert!((value.as_f64().unwrap() - expected).abs() < 1e-6, "{value}, not {expected}");
}

/// Three classes one after the other on a line. Four stumps err on one class each: b taken for a or c (weight μ each), a or c taken for b (λ each).
/// Margins 2μ of a and c, and 2λ − μ of b, are equal at μ = 1/5; accuracies λ + 2μ and 2λ at μ = 1/6; wrong votes at μ = λ = 1/4.
#[test]
fn values_of_a_line() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("line.csv"), "x,class\n1,a\n2,a\n3,b\n4,b\n5,c\n6,c\n").unwrap();
    let found = certified(folder.path(), "line.csv");
    assert_eq!((&found["boostable"], &found["exact"]), (&true.into(), &true.into()));
    close(&found["margin"], 0.4);
    close(&found["margin_at_most"], 0.4);
    close(&found["conditions"]["mr"], 0.4);
    close(&found["conditions"]["samme"], 2.0 / 3.0 - 1.0 / 3.0);
    close(&found["conditions"]["m1"], 1.0 / 3.0);
    close(&found["conditions"]["mh"], 1.0 / 3.0);
    close(&found["conditions"]["edge_over_random"], 0.25);
    // Signs for each class: a and c are told from the others by one cut each; b by a cut on either side, and no to all, a third of the weight each.
    close(&found["conditions"]["mh_of_sets"], 1.0 / 3.0);
    // Yes to b on its side of either cut, and yes to a (to c) on its side of both: each leads by one half.
    close(&found["conditions"]["mr_of_sets"], 0.5);
    close(&found["intervals"]["mr_of_sets"][1], 0.5);
    assert_eq!(found["subsets"].as_array().unwrap().len(), 4);
    let deep = certified(folder.path(), "line.csv --learner tree --depth 2");
    close(&deep["margin"], 1.0);
    assert_eq!(deep["space"], "all trees of depth 2");
    let grown = certified(folder.path(), "line.csv --learner tree --leaves 3");
    close(&grown["margin"], 1.0);
    assert_eq!(grown["exact"], false);
}

#[test]
fn verdicts_are_words() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("d.csv"), good()).unwrap();
    let text = fine(folder.path(), "certify d.csv").stdout;
    assert!(text.starts_with("90 rows, 3 classes; all stumps\n"), "{text}");
    assert!(text.contains("\nmm, mr, m2"), "{text}");
    fs::write(folder.path().join("same.csv"), "x,class\n1,a\n1,b\n2,a\n").unwrap();
    let text = fine(folder.path(), "certify same.csv").stdout;
    assert!(text.contains("rows 1 and 2 look the same and have different classes"), "{text}");
    assert!(text.contains("No booster that adds up answers"), "{text}");
}

/// The first 120 rows of vehicle: all classes are learnt by `iter --relabel position`, and one row or two stay wrong by
/// `restrict`, its default.
const VEHICLE: &str = "vehicle-120.csv";

fn vehicle(folder: &Path) {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(VEHICLE);
    fs::copy(kept, folder.join(VEHICLE)).unwrap();
}

#[test]
fn what_is_said_of_iter_is_so() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    vehicle(folder);
    let found = certified(folder, VEHICLE);
    let verdict = |name: &str| {
        let verdicts = found["verdicts"].as_array().unwrap();
        verdicts.iter().find(|verdict| verdict["boosters"].as_str().unwrap().contains(name)).unwrap().clone()
    };
    assert_eq!(verdict("restrict")["zero_training_error"], false);
    assert!(verdict("restrict")["commands"].as_array().unwrap().is_empty());
    assert_eq!(verdict("position")["zero_training_error"], true);
    let error = |relabel: &str, epoch: usize| {
        let options = format!("--booster iter --relabel {relabel} --epoch {epoch}");
        let done = fine(folder, &format!("train {VEHICLE} --out m.model --json -q {options}"));
        serde_json::from_str::<Value>(&done.stdout).unwrap()["train_error"].as_f64().unwrap()
    };
    for epoch in [100, 1000] {
        assert!(error("restrict", epoch) > 0.0, "restrict with epochs of {epoch}");
        assert_eq!(error("position", epoch), 0.0, "position with epochs of {epoch}");
    }
}

#[test]
fn printed_commands_run_as_they_stand_and_keep_their_promise() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    vehicle(folder);
    fs::write(folder.join("line of three.csv"), "x,class\n1,a\n2,a\n3,b\n4,b\n5,c\n6,c\n").unwrap();
    fs::write(folder.join("two.csv"), "x,w,class\n1,1,a\n2,2,a\n3,9,b\n4,1,b\n5,2,a\n").unwrap();
    fs::write(folder.join("zero.csv"), "x,w,out put,class\n1,1,7,a\n2,2,8,a\n3,9,9,b\n3,0,1,a\n4,1,1,b\n")
        .unwrap();
    fs::write(folder.join("square.csv"), "x,y,class\n0,0,a\n0,1,b\n1,0,b\n1,1,c\n").unwrap();
    fs::write(folder.join("same.csv"), "x,class\n1,a\n1,b\n2,a\n").unwrap();
    fs::write(folder.join("d.csv"), good()).unwrap();
    let mut boosters = std::collections::BTreeSet::new();
    for arguments in [
        "line␣of␣three.csv",
        "line␣of␣three.csv --learner tree --depth 2",
        "line␣of␣three.csv --learner tree --leaves 3 --min-rows 2 --bins 4",
        "two.csv --weight w --target class",
        "zero.csv --weight w --ignore out␣put",
        "square.csv",
        "same.csv",
        "d.csv --categorical x,colour",
        "d.csv --learner tree --depth 2",
        VEHICLE,
    ] {
        let text = fine(folder, &format!("certify {arguments}")).stdout;
        let printed: Vec<&str> =
            text.lines().map(str::trim).filter(|line| line.starts_with("manyboost")).collect();
        let found = certified(folder, arguments);
        let listed: Vec<&str> = found["verdicts"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|verdict| verdict["commands"].as_array().unwrap())
            .map(|command| command.as_str().unwrap())
            .collect();
        assert_eq!(printed, listed, "{arguments}");
        let exact = found["exact"] == true;
        for command in listed {
            // What is promised of AdaBoost.Iter is promised of long epochs.
            let more = if command.contains("--relabel") { " --epoch 3000" } else { "" };
            let done = shell(folder, &format!("{command} --json -q{more}"));
            assert_eq!(done.status, Some(0), "{command}: {}", done.stderr);
            let said: Value = serde_json::from_str(&done.stdout).unwrap();
            assert!(!exact || said["train_error"] == 0.0, "{command}: {said}");
            boosters.insert(said["booster"].as_str().unwrap().to_string());
        }
    }
    let all = ["iter", "m1", "m2", "mh", "mm", "mr", "os", "samme"];
    assert!(boosters.iter().eq(all), "{boosters:?}");
}

#[test]
fn what_cannot_be_certified_is_refused() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("one.csv"), "x,class\n1,a\n2,a\n").unwrap();
    fs::write(folder.path().join("sets.csv"), "x,label:a,label:b\n1,1,0\n2,0,1\n").unwrap();
    fs::write(folder.path().join("line.csv"), "x,class\n1,a\n2,b\n").unwrap();
    for (arguments, words) in [
        ("one.csv", "one class"),
        ("sets.csv", "sets of labels"),
        ("line.csv --tolerance 0", "--tolerance 0"),
        ("line.csv --subsets 0", "--subsets 0"),
        ("line.csv --effort -1", "--effort -1"),
        ("line.csv --leaves 4", "does not use --leaves"),
        ("none.csv", "none.csv"),
    ] {
        let done = run(folder.path(), &format!("certify {arguments}"));
        assert_eq!(done.status, Some(2), "{arguments}: {}", done.stderr);
        assert!(done.stderr.contains(words), "{arguments}: {}", done.stderr);
    }
}

/// Theorem 4: the votes of the mixture are a baseline, and have the margin that was found in every row.
#[test]
fn the_mixture_has_the_margin() {
    let folder = tempfile::tempdir().unwrap();
    let line = |i: usize| format!("{},{},c{}", i * 7 % 13, i % 5, (i * 7 % 13) / 5);
    let text = (0..40).map(line).collect::<Vec<_>>().join("\n");
    std::fs::write(folder.path().join("d.csv"), format!("x,z,class\n{text}\n")).unwrap();
    let found = common::fine(folder.path(), "certify d.csv --json --mixture v.csv").stdout;
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    let votes = std::fs::read_to_string(folder.path().join("v.csv")).unwrap();
    let mut lines = votes.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut least = f64::INFINITY;
    for (i, line) in lines.enumerate() {
        let shares: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let own = names.iter().position(|name| *name == format!("c{}", (i * 7 % 13) / 5)).unwrap();
        let others = (0..names.len()).filter(|&l| l != own).map(|l| shares[l]).fold(0.0, f64::max);
        least = least.min(shares[own] - others);
    }
    assert!((least - found["margin"].as_f64().unwrap()).abs() < 1e-9, "{least}");
    assert_eq!(found["symmetric"], true);
    assert!(found["conditions"]["weakly_boostable"].is_number());
    // Theorem 4 the other way round: the space satisfies the condition of this baseline, to the millionth part.
    let again = common::fine(folder.path(), "certify d.csv --json --baseline v.csv").stdout;
    let again: serde_json::Value = serde_json::from_str(&again).unwrap();
    assert!(again["conditions"]["baseline"].as_f64().unwrap() > -2e-6, "{}", again["conditions"]);
    // Nobody is as good as an oracle; and the uniform baseline with an edge leaves what the edge over random says.
    let write = |name: &str, own: f64, other: f64| {
        let line = |i: usize| {
            let y = (i * 7 % 13) / 5;
            let share = |l: usize| if names[l] == format!("c{y}") { own } else { other };
            (0..names.len()).map(|l| share(l).to_string()).collect::<Vec<_>>().join(",") + "\n"
        };
        let lines: String = (0..40).map(line).collect();
        std::fs::write(folder.path().join(name), format!("{}\n{lines}", names.join(","))).unwrap();
    };
    write("u.csv", 0.4, 0.3);
    let uniform = common::fine(folder.path(), "certify d.csv --json --baseline u.csv").stdout;
    let uniform: serde_json::Value = serde_json::from_str(&uniform).unwrap();
    let conditions = &uniform["conditions"];
    // 1 − k max V is the edge over random; 0.3 − max V is what is left.
    let edge = conditions["edge_over_random"].as_f64().unwrap();
    let left = conditions["baseline"].as_f64().unwrap();
    assert!((left - (0.3 - (1.0 - edge) / names.len() as f64)).abs() < 1e-5, "{left} {edge}");
    let done = common::run(folder.path(), "certify d.csv --baseline d.csv");
    assert!(done.status == Some(2) && done.stderr.contains("does not name the classes"), "{}", done.stderr);
}

/// One matrix for each mistake, which alone costs 1: the hardest mixture of them is the game of mistakes, and what uniform guessing costs more is the edge over random, by k.
#[test]
fn cost_matrices_of_all_mistakes_are_the_edge_over_random() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("line.csv"), "x,class\n1,a\n2,a\n3,b\n4,b\n5,c\n6,c\n").unwrap();
    let matrix = |row: usize, class: usize| -> String {
        let cost = |at: usize| if at == 3 * row + class { "1" } else { "0" };
        let lines = (0..6).map(|i| [cost(3 * i), cost(3 * i + 1), cost(3 * i + 2)].join(",") + "\n");
        lines.collect()
    };
    let mistakes = (0..18).filter(|at| at / 3 / 2 != at % 3);
    let all: String = mistakes.map(|at| matrix(at / 3, at % 3)).collect();
    fs::write(folder.path().join("all.csv"), format!("a,b,c\n{all}")).unwrap();
    let found = certified(folder.path(), "line.csv --costs all.csv");
    close(&found["conditions"]["costs"], 0.25 / 3.0);
    // A single matrix asks for a single classifier: b and c cost nothing together, which guessing does not know.
    fs::write(
        folder.path().join("one.csv"),
        "a,b,c\n".to_string() + &"0,1,1\n".repeat(2) + &"1,0,0\n".repeat(4),
    )
    .unwrap();
    let found = certified(folder.path(), "line.csv --costs one.csv");
    close(&found["conditions"]["costs"], (2.0 * 2.0 / 3.0 + 4.0 / 3.0) / 6.0);
    // Nobody is cheaper than those who are always right.
    let right = "1,0,0\n".repeat(2) + &"0,1,0\n".repeat(2) + &"0,0,1\n".repeat(2);
    fs::write(folder.path().join("right.csv"), format!("a,b,c\n{right}")).unwrap();
    let found = certified(folder.path(), "line.csv --costs all.csv --baseline right.csv");
    close(&found["conditions"]["costs"], -0.25);
    let done = run(folder.path(), "certify line.csv --costs line.csv");
    assert!(done.status == Some(2) && done.stderr.contains("does not name the classes"), "{}", done.stderr);
}
