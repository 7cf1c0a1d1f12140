//! What is shown, to the letter. After a change that is meant, run with `UPDATE_SHOWN=1` and read the difference.

mod common;

use std::fs;
use std::path::Path;

use common::{fine, good, run};
use tempfile::tempdir;

fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shown").join(name);
    if std::env::var_os("UPDATE_SHOWN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        return;
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(kept, text, "{name} is shown differently; UPDATE_SHOWN=1 accepts it");
}

#[test]
fn help_and_lists() {
    let folder = tempdir().unwrap();
    for (name, arguments) in [
        ("help.txt", "--help"),
        ("help_train.txt", "train --help"),
        ("help_predict.txt", "predict --help"),
        ("help_evaluate.txt", "evaluate --help"),
        ("help_game.txt", "game potentials --help"),
        ("help_certify.txt", "certify --help"),
        ("help_compare.txt", "compare --help"),
        ("help_cv.txt", "cv --help"),
        ("help_explain.txt", "explain --help"),
        ("help_effects.txt", "effects --help"),
        ("help_why_not.txt", "why-not --help"),
        ("help_similar.txt", "similar --help"),
        ("help_importance.txt", "importance --help"),
        ("help_report.txt", "report --help"),
        ("help_export.txt", "export --help"),
        ("help_completions.txt", "completions --help"),
        ("completions.fish", "completions fish"),
        ("manyboost.1", "man"),
        ("game_potentials.txt", "game potentials --classes 6 --edge 0 --rounds 20"),
        ("game_minimal.txt", "game potentials --classes 6 --edge 0 --rounds 20 --condition minimal"),
        ("game_degrees.txt", "game degrees --edge 0 --rounds 5"),
        ("game_bound.txt", "game bound --classes 6 --edge 0.1 --rounds 100"),
        ("boosters.txt", "boosters"),
        ("boosters_mm.txt", "boosters mm"),
        ("help_train_mm.txt", "train --booster mm --help"),
        ("learners.txt", "learners"),
        ("learners_linear.txt", "learners linear"),
        ("losses.txt", "losses"),
        ("codewords.txt", "codewords --classes 4"),
        ("generators.txt", "generate --list"),
    ] {
        compare(name, &fine(folder.path(), arguments).stdout);
    }
}

#[test]
fn completions_are_scripts() {
    let folder = tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = fine(folder.path(), &format!("completions {shell}")).stdout;
        for word in ["train", "compare", "--booster", "checkpoint"] {
            assert!(script.contains(word.trim_start_matches('-')), "{shell}: {word}");
        }
        if shell == "bash" {
            fs::write(folder.path().join("c"), script).unwrap();
            let checked = std::process::Command::new("bash").arg("-n").arg(folder.path().join("c")).status();
            assert!(checked.unwrap().success());
        }
    }
}

#[test]
fn errors_say_what_where_and_what_to_do() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("d.csv"), good()).unwrap();
    fine(folder.path(), "train d.csv --out m.pb --rounds 2");
    let wrong = [
        "trian d.csv",
        "train d.csv --out m.pb --boster mm",
        "train d.csv --out m.pb --booster mcbost",
        "train d.csv --out m.pb --learner stamp",
        "train d.csv --out m.pb --booster samme --smoothing 0.1",
        "train d.csv --out m.pb --target clas",
        "train d.csv --out m.pb --class-weight bie=2",
        "train d.csv --out m.pb --report m.pb",
        "train missing.csv --out m.pb",
        "compare d.csv --boosters mcboost,mm:leaves",
        "compare d.csv --test 1.5",
        "cv d.csv --folds 1",
        "cv d.csv --folds 900",
        "explain m.pb d.csv --rows 5-2",
        "explain m.pb d.csv --rows 91",
        "report m.pb",
        "report d.csv --data d.csv",
        "report m.pb --data d.csv --out d.csv",
        "export m.pb --out m.onnx --format pmml",
        "predict m.pb d.csv --top 0",
        "generate blob",
        "completions tcsh",
    ];
    let place = folder.path().canonicalize().unwrap().display().to_string();
    let mut shown = String::new();
    for arguments in wrong {
        let done = run(folder.path(), arguments);
        assert_eq!(done.status, Some(2), "{arguments}");
        let said = done.stderr.replace(&place, "FOLDER");
        shown.extend(["$ manyboost ", arguments, "\n", &said, "\n"]);
    }
    compare("errors.txt", &shown);
}

#[test]
fn models_and_measures() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("d.csv"), good()).unwrap();
    let trained = fine(folder.path(), "train d.csv --out m.pb --rounds 5 --leaves 4 --test d.csv");
    compare("train_notes.txt", &trained.stderr);
    let summary: String =
        trained.stdout.lines().filter(|line| !line.contains("time ")).flat_map(|l| [l, "\n"]).collect();
    compare("train.txt", &summary);
    compare("inspect.txt", &fine(folder.path(), "inspect m.pb --trees 1").stdout);
    compare("evaluate.txt", &fine(folder.path(), "evaluate m.pb d.csv").stdout);
    compare("evaluate.json", &fine(folder.path(), "evaluate m.pb d.csv --json").stdout);
    compare("explain.txt", &fine(folder.path(), "explain m.pb d.csv --rows 2,4").stdout);
    compare("effects.txt", &fine(folder.path(), "effects m.pb d.csv --points 4 --feature x").stdout);
    compare("why_not.txt", &fine(folder.path(), "why-not m.pb d.csv --rows 1-3").stdout);
    compare(
        "similar.txt",
        &fine(folder.path(), "similar m.pb d.csv --among d.csv --rows 1-2 --top 3").stdout,
    );
    compare("importance.txt", &fine(folder.path(), "importance m.pb d.csv --classes --top 4").stdout);
    compare("export.txt", &fine(folder.path(), "export m.pb --out m.onnx --check d.csv").stdout);
    fine(folder.path(), "train d.csv --out s.pb --booster mm --rounds 20");
    compare("inspect_stumps.txt", &fine(folder.path(), "inspect s.pb --trees 1").stdout);
    compare("inspect_margins.txt", &fine(folder.path(), "inspect s.pb --data d.csv").stdout);
    fine(folder.path(), "generate gaussians --rows 200 --out g.csv");
    fine(folder.path(), "train g.csv --out l.pb --booster iter --learner linear --epoch 3");
    compare("inspect_linear.txt", &fine(folder.path(), "inspect l.pb --trees 2").stdout);
    fine(folder.path(), "train g.csv --out i.pb --booster logitboost --learner line --rounds 2");
    compare("inspect_line.txt", &fine(folder.path(), "inspect i.pb --trees 1").stdout);
    fine(folder.path(), "train d.csv --out p.pb --booster mh --start skewed --learner product --rounds 3");
    compare("inspect_product.txt", &fine(folder.path(), "inspect p.pb --trees 3").stdout);
    fine(folder.path(), "generate clusters --rows 2000 --out many.csv");
    let ended = |booster: &str| {
        let train = format!("train many.csv --out none.pb --booster {booster} --learner stump --rounds 3");
        fine(folder.path(), &train).stdout
    };
    // One cut tells two of ten classes apart: more than guessing, less than half.
    assert!(ended("m1").contains("no edge: no hypothesis errs on less than one half of the weight"));
    assert!(ended("samme").contains("all rounds are done"));
    fine(folder.path(), "train many.csv --out many.pb --rounds 2");
    compare("evaluate_many.txt", &fine(folder.path(), "evaluate many.pb many.csv").stdout);
}
