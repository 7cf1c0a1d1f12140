//! What programs rely on: JSON keys, the trace, CSV that reads back.

mod common;

use std::fs;

use common::{fine, good, run};
use manyboost::spec::registry::BOOSTERS;
use serde_json::Value;
use tempfile::tempdir;

fn folder() -> tempfile::TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("d.csv"), good()).unwrap();
    folder
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn keys_of_train_and_evaluate() {
    let folder = folder();
    let train = "train d.csv --out m.pb --rounds 6 --test d.csv --valid 0.2 --patience 6 --json";
    let summary = json(&fine(folder.path(), train).stdout);
    for key in ["rounds", "stopped", "train_error", "test_error", "valid_error", "seconds"] {
        assert!(!summary[key].is_null(), "{key} in {summary}");
    }
    let measured = json(&fine(folder.path(), "evaluate m.pb d.csv --json").stdout);
    for key in ["error", "log_loss", "rows", "classes"] {
        assert!(measured[key].is_number(), "{key} in {measured}");
    }
    assert_eq!(measured["error"], summary["test_error"]);
    assert_eq!((&measured["rows"], &measured["classes"]), (&Value::from(90), &Value::from(3)));
    let support: f64 =
        measured["per_class"].as_array().unwrap().iter().map(|c| c["support"].as_f64().unwrap()).sum();
    assert_eq!(support, 90.0);
    for command in
        ["inspect m.pb --trees 2 --json", "predict m.pb d.csv --json", "boosters --json", "learners --json"]
    {
        json(&fine(folder.path(), command).stdout);
    }
}

#[test]
fn keys_of_label_sets() {
    let folder = tempdir().unwrap();
    let mut text = "x,label:a,label:b\n".to_string();
    for i in 0..60 {
        let line = format!("{},{},{}\n", i % 12, u8::from(i % 12 > 5), u8::from(i % 3 == 0));
        text.push_str(&line);
    }
    fs::write(folder.path().join("d.csv"), text).unwrap();
    fine(folder.path(), "train d.csv --out m.pb --rounds 20 --min-rows 1");
    let measured = json(&fine(folder.path(), "evaluate m.pb d.csv --json").stdout);
    for key in ["hamming", "one_error", "ranking_loss", "log_loss", "rows", "classes"] {
        assert!(measured[key].is_number(), "{key} in {measured}");
    }
    assert!(measured["hamming"].as_f64().unwrap() < 0.2);
    let predicted = fine(folder.path(), "predict m.pb d.csv").stdout;
    assert!(predicted.starts_with("label:a,label:b\n"), "{predicted}");
    // Predictions are a file that can be evaluated: with the inputs beside them, they are all right.
    let top = fine(folder.path(), "predict m.pb d.csv --top 1").stdout;
    assert!(top.starts_with("label_1,probability_1\n"));
    fine(folder.path(), "predict m.pb d.csv --staged");
}

/// The leaf that a trace's hypothesis leads a row to.
fn answer<'a>(node: &'a Value, row: &dyn Fn(&str) -> String) -> &'a Value {
    if node.is_array() {
        return node;
    }
    let cell = row(node["feature"].as_str().unwrap());
    let left = if cell.is_empty() {
        node["missing"] == "left"
    } else if let Some(levels) = node["levels"].as_array() {
        levels.iter().any(|level| level.as_str() == Some(&cell))
    } else {
        cell.parse::<f64>().unwrap() <= node["threshold"].as_f64().unwrap()
    };
    answer(if left { &node["left"] } else { &node["right"] }, row)
}

/// From the trace alone, the model's scores: numbers are written so that they read back to the bit.
#[test]
fn a_trace_is_the_model() {
    for options in
        ["--booster mm", "--booster samme --learner tree --leaves 4", "--booster mcboost --min-rows 1"]
    {
        let folder = folder();
        fine(
            folder.path(),
            &format!("train d.csv --out m.pb --rounds 7 --trace t.jsonl --test d.csv {options}"),
        );
        let inspected = json(&fine(folder.path(), "inspect m.pb --json").stdout);
        let trace = fs::read_to_string(folder.path().join("t.jsonl")).unwrap();
        let mut lines: Vec<Value> = trace.lines().map(json).collect();
        let last = lines.pop().unwrap();
        assert_eq!(last["stopped"], inspected["stopped"], "{options}");
        let scores = fine(folder.path(), "predict m.pb d.csv --scores").stdout;
        let text = good();
        let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
        for (row, scored) in text.lines().skip(1).zip(scores.lines().skip(1)) {
            let cells: Vec<&str> = row.split(',').collect();
            let cell = |name: &str| cells[header.iter().position(|n| *n == name).unwrap()].to_string();
            let mut sums: Vec<f64> =
                inspected["start"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
            for line in &lines {
                let alpha = line["alpha"].as_f64().unwrap();
                let answers = answer(&line["hypothesis"], &cell).as_array().unwrap();
                for (sum, a) in sums.iter_mut().zip(answers) {
                    *sum += alpha * a.as_f64().unwrap();
                }
            }
            for (sum, shown) in sums.iter().zip(scored.split(',').skip(1)) {
                assert!((sum - shown.parse::<f64>().unwrap()).abs() < 1e-9, "{options}: {sum} and {shown}");
            }
        }
        for (at, line) in lines.iter().enumerate() {
            assert_eq!(line["round"], Value::from(at + 1));
            for key in ["alpha", "loss", "train_error", "test_error", "seconds"] {
                assert!(line[key].is_number(), "{key} in {line}");
            }
            assert!(line.as_object().unwrap().values().all(|value| !value.is_null()));
        }
    }
}

#[test]
fn evaluation_agrees_with_training() {
    let folder = folder();
    let boosters = json(&fine(folder.path(), "boosters --json").stdout);
    let names: Vec<&str> = boosters.as_array().unwrap().iter().filter_map(|b| b["name"].as_str()).collect();
    assert!(names.len() > 12, "{names:?}");
    for name in names.into_iter().filter(|name| *name != "adaboost") {
        let train = format!("train d.csv --booster {name} --rounds 9 --out m.pb --json");
        let trained = json(&fine(folder.path(), &train).stdout);
        let measured = json(&fine(folder.path(), "evaluate m.pb d.csv --json").stdout);
        assert_eq!(measured["error"], trained["train_error"], "{name}");
    }
}

#[test]
fn the_cheapest_answer() {
    let folder = folder();
    let names = ["ant", "bee", "cat"];
    let line = |truth: &str, costs: [f64; 3]| format!("{truth},{},{},{}\n", costs[0], costs[1], costs[2]);
    let text = format!(
        "truth,{}\n{}",
        names.join(","),
        [line("ant", [0.0, 1.0, 1.0]), line("bee", [1e9, 0.0, 1e9]), line("cat", [1.0, 1.0, 0.0])].concat()
    );
    fs::write(folder.path().join("c.csv"), text).unwrap();
    for train in ["train d.csv --rounds 9 --out m.pb", "train d.csv --rounds 9 --costs c.csv --out m.pb"] {
        fine(folder.path(), train);
        let answers = fine(folder.path(), "predict m.pb d.csv --costs c.csv").stdout;
        assert!(answers.lines().skip(1).all(|answer| answer == "bee"), "{train}: {answers}");
        let plain = fine(folder.path(), "predict m.pb d.csv").stdout;
        assert!(plain.lines().any(|answer| answer == "ant"), "{train}: {plain}");
        let measured = json(&fine(folder.path(), "evaluate m.pb d.csv --costs c.csv --json").stdout);
        let (own, cheapest) = (&measured["cost"], &measured["cost_of_cheapest"]);
        assert!(own.is_number() && cheapest.as_f64().unwrap() < 1.0, "{measured}");
    }
}

#[test]
fn probabilities_name_the_class() {
    let folder = folder();
    fine(folder.path(), "train d.csv --out m.pb --rounds 9");
    let proba = fine(folder.path(), "predict m.pb d.csv --proba").stdout;
    let plain = fine(folder.path(), "predict m.pb d.csv").stdout;
    let top = fine(folder.path(), "predict m.pb d.csv --top 2").stdout;
    let staged = fine(folder.path(), "predict m.pb d.csv --staged").stdout;
    let names = ["ant", "bee", "cat"];
    let lines = proba.lines().zip(plain.lines()).zip(top.lines()).zip(staged.lines()).skip(1);
    assert_eq!(lines.clone().count(), 90);
    for (((proba, plain), top), staged) in lines {
        let cells: Vec<&str> = proba.split(',').collect();
        let p: Vec<f64> = cells[1..].iter().map(|x| x.parse().unwrap()).collect();
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let best = (0..3).max_by(|&a, &b| p[a].total_cmp(&p[b])).unwrap();
        assert_eq!((cells[0], plain), (names[best], names[best]));
        assert!(top.starts_with(names[best]));
        assert_eq!(staged.split(',').next_back(), Some(names[best]));
    }
    fine(folder.path(), "predict m.pb d.csv --proba --out p.csv");
    assert_eq!(fs::read_to_string(folder.path().join("p.csv")).unwrap(), proba);
}

#[test]
fn the_demo_is_a_page_that_asks_for_nothing() {
    let folder = tempdir().unwrap();
    let done = fine(folder.path(), "demo --json");
    assert!(json(&done.stdout)["results"].as_array().unwrap().len() >= 3);
    let model = fs::read_to_string(folder.path().join("demo-model.html")).unwrap();
    for words in ["data-figure=\"shapley\"", "data-figure=\"explorer\"", "default-src 'none'"] {
        assert!(model.contains(words), "{words}");
    }
    let page = fs::read_to_string(folder.path().join("demo.html")).unwrap();
    for words in ["data-figure=\"lines\"", "mcboost", "samme", "default-src 'none'"] {
        assert!(page.contains(words), "{words}");
    }
    for words in ["https://", "NaN", "src=\"", "<link"] {
        assert!(!page.contains(words), "{words}");
    }
}

#[test]
fn boosters_side_by_side() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fine(path, "generate waveform --rows 300 --out w.csv");
    fine(path, "generate waveform --rows 200 --seed 2 --out t.csv");
    let compare = "compare w.csv --boosters mcboost,mm:learner=tree:leaves=4 --test t.csv --rounds 8 --json";
    let both = json(&fine(path, compare).stdout);
    assert_eq!(both["results"][1]["options"], serde_json::json!({"learner": "tree", "leaves": "4"}));
    // The same as training and evaluating each by itself.
    for (at, options) in [(0, "--booster mcboost"), (1, "--booster mm --learner tree --leaves 4")] {
        let alone = json(
            &fine(path, &format!("train w.csv --out m.pb --test t.csv --rounds 8 --json {options}")).stdout,
        );
        let measured = json(&fine(path, "evaluate m.pb t.csv --json").stdout);
        assert_eq!(both["results"][at]["error"], alone["test_error"]);
        assert_eq!(both["results"][at]["train_error"], alone["train_error"]);
        assert_eq!(both["results"][at]["log_loss"], measured["log_loss"]);
    }
    let page = fs::read_to_string(path.join("compare.html")).unwrap();
    assert!(page.contains("--learner tree --leaves 4") && page.contains("compare w.csv"));
    for (wrong, words) in
        [("mm:leaves", "gives no value"), ("mcbost", "mcboost"), ("mm:leaves=4", "does not use --leaves")]
    {
        let done = run(path, &format!("compare w.csv --boosters {wrong}"));
        assert_eq!(done.status, Some(2));
        assert!(done.stderr.contains(words), "{wrong}: {}", done.stderr);
    }
}

#[test]
fn folds_by_turns() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fine(path, "generate gaussians --rows 200 --out g.csv");
    let cv = json(&fine(path, "cv g.csv --booster samme --rounds 5 --folds 4 --repeats 2 --json").stdout);
    let folds = cv["folds"].as_array().unwrap();
    assert_eq!(folds.len(), 8);
    let errors: Vec<f64> = folds.iter().map(|fold| fold["error"].as_f64().unwrap()).collect();
    let mean = errors.iter().sum::<f64>() / 8.0;
    let sd = (errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / 7.0).sqrt();
    assert!((cv["error"]["mean"].as_f64().unwrap() - mean).abs() < 1e-12);
    assert!((cv["error"]["sd"].as_f64().unwrap() - sd).abs() < 1e-12);
    assert!(mean < 0.35 && sd > 0.0, "{mean} {sd}");
    // The second time the parts are others.
    assert_ne!(errors[..4], errors[4..]);
    let text = fine(path, "cv g.csv --rounds 5 --folds 2").stdout;
    assert!(text.contains("mean") && text.contains("sd"), "{text}");
    assert_eq!(run(path, "cv g.csv --folds 1").status, Some(2));
    assert_eq!(run(path, "cv g.csv --folds 999").status, Some(2));
}

#[test]
fn the_page_says_how_to_make_the_model_again() {
    let folder = folder();
    let path = folder.path();
    fine(path, "train d.csv --out m.pb --booster mm --rounds 4 --seed 7 --bins 0 --report trained.html");
    fine(path, "report m.pb --data d.csv --out later.html");
    let page = fs::read_to_string(path.join("trained.html")).unwrap();
    assert!(page.contains(
        "manyboost train d.csv --out m.pb --booster mm --rounds 4 --seed 7 --bins 0 --report trained.html"
    ));
    let page = fs::read_to_string(path.join("later.html")).unwrap();
    let command = page.split("<pre>").nth(1).and_then(|rest| rest.split("</pre>").next()).unwrap();
    let command = command
        .replace("manyboost ", "")
        .replace("DATA", "d.csv")
        .replace("m.pb", "again.pb")
        .replace("&#39;", "");
    fine(path, &command);
    assert!(fs::read(path.join("m.pb")).unwrap() == fs::read(path.join("again.pb")).unwrap());
}

#[test]
fn generated_data_are_the_same_again() {
    let folder = tempdir().unwrap();
    fine(folder.path(), "generate waveform --rows 50 --seed 3 --out w.csv");
    let again = fine(folder.path(), "generate waveform --rows 50 --seed 3").stdout;
    assert_eq!(fs::read_to_string(folder.path().join("w.csv")).unwrap(), again);
    assert_eq!(again.lines().count(), 51);
}

#[test]
fn games() {
    let folder = folder();
    let run = |arguments: &str| json(&fine(folder.path(), arguments).stdout);
    let potentials = "game potentials --classes 3 --edge 0.1 --rounds 5 --json --loss";
    // As in the golden table of potentials.
    for (rest, phi) in [
        ("zero-one --condition uniform", 0.682_56),
        ("zero-one --condition minimal", 0.682_56),
        ("exponential --eta 0.3", 2.012_882_368_841_885_8),
        ("exponential --eta 0.3 --condition minimal", 2.012_882_368_841_884_4),
    ] {
        let ours = run(&format!("{potentials} {rest}"))["phi"].as_f64().unwrap();
        assert!((ours - phi).abs() < 1e-12, "{rest}: {ours}");
    }
    let degrees = run("game degrees --edge 0.4 --rounds 4 --json");
    assert_eq!(degrees["degrees"].as_array().unwrap().len(), 9);
    let bounds = run("game bound --classes 4 --edge 0.3 --rounds 10 --json");
    let last = &bounds["bounds"][9];
    assert_eq!(last["rounds"], 10);
    for key in ["exponential", "exponential_best", "zero_one_uniform", "zero_one_minimal"] {
        assert!(last[key].is_number(), "{key} in {last}");
    }
}

#[test]
fn figures_of_the_paper() {
    let folder = folder();
    for (figure, panels, key) in
        [(2, 2, "points"), (3, 3, "degrees"), (4, 2, "potentials"), (5, 2, "points"), (6, 3, "degrees")]
    {
        let document = json(&fine(folder.path(), &format!("game figure {figure} --svg f.svg --json")).stdout);
        assert_eq!(document["figure"], figure);
        let found = document["panels"].as_array().unwrap();
        assert!(found.len() == panels && found.iter().all(|panel| !panel[key].is_null()), "figure {figure}");
        let svg = fs::read_to_string(folder.path().join("f.svg")).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert!(fine(folder.path(), &format!("game figure {figure}")).stdout.lines().count() > 10);
    }
    let both = json(&fine(folder.path(), "game figure 5 --json").stdout);
    let ten = &both["panels"][0]["points"][9];
    let alone = "game potentials --classes 6 --edge 0 --rounds 10 --json --condition";
    for condition in ["uniform", "minimal"] {
        let phi = json(&fine(folder.path(), &format!("{alone} {condition}")).stdout)["phi"].clone();
        assert_eq!(ten[condition], phi);
    }
}

/// A zero is written without a sign: `-0.0` reads like a mistake.
#[test]
fn zeros_have_no_sign() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("d.csv"), good()).unwrap();
    // Rows that are all right: a share of none; and rows that nothing tells apart: margins of 0.
    fs::write(folder.path().join("same.csv"), "x,class\n1,a\n1,b\n1,c\n2,a\n2,b\n2,c\n3,a\n").unwrap();
    for data in ["d.csv", "same.csv"] {
        for booster in BOOSTERS.iter().map(|booster| booster.name).filter(|name| *name != "adaboost") {
            let command =
                format!("train {data} --booster {booster} --rounds 40 --out z.pb --trace z.jsonl --json -q");
            let trained = fine(folder.path(), &command).stdout;
            let trace = fs::read_to_string(folder.path().join("z.jsonl")).unwrap();
            // Some have no margins of a sum, and print nothing.
            let inspected = run(folder.path(), &format!("inspect z.pb --data {data} --json -q")).stdout;
            for text in [trained, trace, inspected] {
                let signed = text
                    .find("-0.0")
                    .filter(|at| !text.as_bytes().get(at + 4).is_some_and(u8::is_ascii_digit));
                assert_eq!(signed.map(|at| &text[at.saturating_sub(80)..at + 4]), None, "{booster} {data}");
            }
        }
    }
}

/// The trace ends with the margins that `inspect` finds on the training rows.
#[test]
fn margins_are_in_the_trace() {
    let folder = folder();
    for booster in ["mm", "mh", "mcboost"] {
        fine(
            folder.path(),
            &format!("train d.csv --out m.pb --booster {booster} --rounds 8 --trace t.jsonl"),
        );
        let trace = fs::read_to_string(folder.path().join("t.jsonl")).unwrap();
        let last = json(trace.lines().last().unwrap());
        let found = json(&fine(folder.path(), "inspect m.pb --data d.csv --json").stdout);
        for kind in ["vote", "label", "codeword"] {
            for figure in ["least", "mean", "at_most_0"] {
                let value = |document: &Value| document["margins"][kind][figure].as_f64();
                let (ours, theirs) = (value(&last).unwrap(), value(&found).unwrap());
                assert!((ours - theirs).abs() < 1e-6, "{booster}, {kind} {figure}: {ours} {theirs}");
            }
        }
    }
}

#[test]
fn broken_promises_are_in_the_trace() {
    let folder = folder();
    let train = "train d.csv --out m.pb --booster os --edge 0.8 --rounds 8 --trace t.jsonl --json";
    let summary = json(&fine(folder.path(), train).stdout);
    let trace = fs::read_to_string(folder.path().join("t.jsonl")).unwrap();
    let rounds: Vec<Value> = trace.lines().map(json).filter(|line| !line["round"].is_null()).collect();
    let short = |line: &&Value| !line["short"].is_null();
    assert!(rounds.iter().any(|line| short(&line)));
    assert_eq!(summary["broken_promises"], rounds.iter().filter(short).count());
    for line in &rounds {
        let (edge, promised) = (line["edge"].as_f64().unwrap(), line["promised"].as_f64().unwrap());
        assert_eq!(promised, 0.8);
        assert_eq!(line["short"].is_null(), edge >= promised);
        assert!(line["short"].as_f64().is_none_or(|short| (short - (promised - edge)).abs() < 1e-12));
    }
}
