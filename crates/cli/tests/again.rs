//! What is shown as a command can be run, makes the same model, and is nothing but that command; and no terminal obeys what is
//! written in a model.

#![cfg(unix)]

mod common;

use std::fs;
use std::path::Path;

use common::{fine, good, run, shell};
use manyboost::model::Model;
use manyboost::model::file::format;
use manyboost::spec::registry::{BOOSTERS, LEARNERS};
use manyboost_data::wording::is_hidden;
use tempfile::tempdir;

/// The command that a model says makes it again, for some data.
fn command(folder: &Path, model: &str, data: &str) -> String {
    let shown = fine(folder, &format!("inspect {model} --json")).stdout;
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    shown["command"].as_str().unwrap().replacen(" DATA ", &format!(" {data} "), 1)
}

/// Trains; the command that is shown then must write the same bytes. `false` if the options do not fit together.
fn again(folder: &Path, data: &str, options: &str) -> bool {
    let done = run(folder, &format!("train {data} --out m.model -q {options}"));
    if done.status == Some(2) {
        return false;
    }
    assert_eq!(done.status, Some(0), "{options}: {}", done.stderr);
    let bytes = fs::read(folder.join("m.model")).unwrap();
    let line = command(folder, "m.model", data);
    fs::remove_file(folder.join("m.model")).unwrap();
    let done = shell(folder, &line);
    assert_eq!(done.status, Some(0), "{line}: {}", done.stderr);
    assert!(fs::read(folder.join("m.model")).unwrap() == bytes, "{options}: {line}: another model");
    true
}

#[test]
fn a_shown_command_makes_the_model_again() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    fine(folder, "generate gaussians --rows 60 --out numbers.csv");
    fine(folder, "generate mixed --rows 90 --out mixed.csv");
    fs::write(folder.join("two.csv"), "x,y,class\n1,2,a\n2,1,b\n3,5,a\n4,1,b\n5,0,a\n6,3,b\n").unwrap();
    fs::write(folder.join("sets.csv"), "x,label:a,label:b\n1,1,0\n2,0,1\n3,1,1\n4,0,0\n5,1,0\n").unwrap();
    let (mut trained, mut learners) = (0, vec![""; LEARNERS.len()]);
    for booster in BOOSTERS {
        let data = if booster.name == "adaboost" { "two.csv" } else { "numbers.csv" };
        let mut any = false;
        for (at, learner) in LEARNERS.iter().enumerate() {
            for more in
                ["", "--depth 2", "--leaves 5", "--leaves 5 --depth 64", "--min-rows 2 --seed 7 --bins 0"]
            {
                let options =
                    format!("--booster {} --rounds 3 --learner {} {more}", booster.name, learner.name);
                if again(folder, data, &options) {
                    (any, learners[at]) = (true, learner.name);
                    trained += 1;
                }
            }
        }
        assert!(any, "{} was never trained", booster.name);
        trained += usize::from(again(folder, "sets.csv", &format!("--booster {} --rounds 2", booster.name)));
    }
    assert!(learners.iter().zip(LEARNERS).all(|(name, entry)| *name == entry.name), "{learners:?}");
    for options in [
        "--rounds 5",
        "--rounds 5 --valid 0.3 --patience 2",
        "--rounds 5 --temperature 0.5 --subsample 0.7 --features 0.5 --shrinkage 0.3 --sketch 0",
        "--booster os --loss zero-one --condition minimal --edge 0.3 --rounds 4 --horizon 6",
        "--booster os --edge 0.3,0.2,0.1 --rounds 2",
        "--booster gd-mcboost --codewords random --dim 3 --rounds 2 --loss savage",
        "--booster cd-mcboost --dim 2 --rounds 2 --answers least-squares",
        "--booster mo --code exhaustive --decode hamming --answers confidence --smoothing 0.1 --rounds 2",
        "--booster iter --relabel position --eliminate last-negative --epoch 3 --step opt",
        "--booster samme --criterion gini --learner tree --leaves 4 --rounds 3",
        "--booster mm --learner linear --regression resampled --rounds 2",
    ] {
        assert!(again(folder, "numbers.csv", options), "{options} is refused");
    }
    for options in ["--rounds 3", "--booster mh --rounds 3 --learner tree", "--rounds 3 --ngrams 2"] {
        assert!(again(folder, "mixed.csv", options), "{options} is refused");
    }
    assert!(trained > 100, "{trained} were trained");
}

#[test]
fn the_page_shows_the_same_command_and_its_options() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("d.csv"), good()).unwrap();
    fine(folder, "train d.csv --out m.model --rounds 3 --learner tree --leaves 4 -q");
    fine(folder, "report m.model --data d.csv --out m.html -q");
    let page = fs::read_to_string(folder.join("m.html")).unwrap();
    let shown = command(folder, "m.model", "DATA");
    assert!(page.contains(&format!("<pre>{shown}</pre>")), "{shown}");
    // This depth means no limit; alone it would be refused.
    assert!(!page.contains("--depth 64") && !fine(folder, "inspect m.model").stdout.contains("--depth"));
    fine(folder, "train d.csv --out a␣b'c.model --rounds 3 --report p.html -q");
    let page = fs::read_to_string(folder.join("p.html")).unwrap();
    let line = page.split("<pre>manyboost ").nth(1).unwrap().split("</pre>").next().unwrap();
    let line = line.replace("&#39;", "'").replace("&quot;", "\"");
    let (name, bytes) = ("a b'c.model", fs::read(folder.join("a b'c.model")).unwrap());
    fs::remove_file(folder.join(name)).unwrap();
    let done = shell(folder, &format!("manyboost {line}"));
    assert_eq!(done.status, Some(0), "{line}: {}", done.stderr);
    assert!(fs::read(folder.join(name)).unwrap() == bytes);
}

/// A model of odd names, with a parameter that would be a command if it were not quoted.
fn odd(folder: &Path) {
    let (column, level, class) = ("\u{1b}[2Jcol\u{9b}1m", "\u{202e}level\u{7f}", "\u{1b}]0;class\u{7}");
    let mut text = format!("x,{column},\"$(touch x)\n{class}\"\n");
    for i in 0..60 {
        let colour = if i % 3 == 0 { level } else { "green\u{2028}" };
        text.extend([format!("{},{colour},{}\n", i * 7 % 30, if i % 2 == 0 { class } else { "b\u{200f}" })]);
    }
    fs::write(folder.join("odd.csv"), text).unwrap();
    fine(folder, "train odd.csv --out odd.model --booster mo --rounds 3 --learner tree --leaves 3 -q");
    let mut model = Model::load(folder.join("odd.model")).unwrap();
    model.parameters.insert("code".into(), "a; touch x\n`touch x`\u{1b}[31m".into());
    fs::write(folder.join("odd.model"), format::encode(&model).unwrap()).unwrap();
    model.parameters.insert("min-rows".into(), "8; touch x\u{1b}[31m".into());
    fs::write(folder.join("broken.model"), format::encode(&model).unwrap()).unwrap();
}

#[test]
fn nothing_of_a_model_is_a_command() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    odd(folder);
    let line = command(folder, "odd.model", "odd.csv");
    assert!(line.contains(r"--code $'a; touch x\012`touch x`\033[31m'"), "{line}");
    let done = shell(folder, &line);
    assert_eq!(done.status, Some(2), "{}", done.stderr);
    assert!(done.stderr.contains(r"--code a; touch x\n`touch x`\u{1b}[31m"), "{}", done.stderr);
    let text = fine(folder, "inspect odd.model").stdout;
    let options: String = text.lines().filter(|line| line.contains("--")).collect();
    shell(folder, &format!("true {}", options.replace("parameters", "")));
    assert!(!folder.join("x").exists(), "a parameter was run");
}

#[test]
fn no_terminal_obeys_a_model() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    odd(folder);
    fs::write(folder.join("other.csv"), "x,class\n1,a\n2,b\n").unwrap();
    for (arguments, status) in [
        ("inspect odd.model --trees 3", 0),
        ("inspect odd.model --data odd.csv", 0),
        ("inspect odd.model --json", 0),
        ("inspect broken.model", 2),
        ("evaluate odd.model odd.csv", 0),
        ("evaluate odd.model odd.csv --json", 0),
        ("evaluate odd.model other.csv", 2),
        ("predict odd.model other.csv", 2),
        ("predict odd.model odd.csv --json", 0),
        ("report odd.model --data odd.csv --out p.html", 0),
        ("export odd.model --out o.onnx", 0),
        ("train odd.csv --out n.model --rounds 2", 0),
        ("train odd.csv --out n.model --rounds 2 --target nothing", 2),
        ("compare odd.csv --boosters samme --rounds 2", 0),
        ("certify odd.csv", 0),
        ("inspect \u{1b}[31m.model", 2),
        ("train odd.csv --out n.model --booster \u{1b}[31m", 2),
    ] {
        let done = run(folder, arguments);
        assert_eq!(done.status, Some(status), "{arguments}: {}", done.stderr);
        for said in [done.stdout, done.stderr] {
            let hidden = said.chars().find(|&c| c != '\n' && is_hidden(c));
            assert_eq!(hidden, None, "{arguments}: {said:?}");
        }
    }
    let json = fine(folder, "inspect odd.model --json").stdout;
    let shown: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(shown["columns"][1]["name"], "\u{1b}[2Jcol\u{9b}1m");
    let page = fs::read_to_string(folder.join("p.html")).unwrap();
    assert!(!page.chars().any(|c| c != '\n' && is_hidden(c)));
}
