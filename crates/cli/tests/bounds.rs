//! A bound has the name of what it bounds, wherever it is shown: traces, `inspect`, pages.

mod common;

use std::fs;
use std::path::Path;

use common::{fine, good};
use serde_json::Value;
use tempfile::tempdir;

/// Three classes, and the same rows with label sets.
fn folder() -> tempfile::TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("d.csv"), good()).unwrap();
    let row = |i: usize| {
        let has = [i % 12 > 5, i.is_multiple_of(3), (i * 5) % 7 > 3].map(u8::from);
        format!("{},{},{},{},{}\n", i % 12, i * 7 % 10, has[0], has[1], has[2])
    };
    let sets = format!("x,y,label:a,label:b,label:c\n{}", (0..60).map(row).collect::<Vec<_>>().concat());
    fs::write(folder.path().join("s.csv"), sets).unwrap();
    folder
}

/// The rounds of a trace, and what `inspect` and the page say of its model.
fn trained(folder: &Path, options: &str) -> (Vec<Value>, String, String) {
    fine(folder, &format!("train {options} --out m.pb --trace t.jsonl --report r.html"));
    let trace = fs::read_to_string(folder.join("t.jsonl")).unwrap();
    let lines = trace.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rounds: Vec<Value> = lines.filter(|line| !line["round"].is_null()).collect();
    let last = rounds.last().unwrap();
    let seen: Value = serde_json::from_str(&fine(folder, "inspect m.pb --json").stdout).unwrap();
    for name in ["bound", "ranking_bound", "final_bound"] {
        assert_eq!(seen["last"][name], last[name], "{options}: {name}");
    }
    let inspected = fine(folder, "inspect m.pb").stdout;
    (rounds, inspected, fs::read_to_string(folder.join("r.html")).unwrap())
}

const ERROR: &str = "The training error cannot be above the bound";
const RANKING: &str = "The ranking loss cannot be above the bound";

#[test]
fn rankings() {
    let folder = folder();
    for booster in ["mr", "m2"] {
        let (rounds, inspected, page) =
            trained(folder.path(), &format!("d.csv --booster {booster} --rounds 5"));
        // Theorem 7: (k − 1) ∏ Z.
        let mut bound = 2.0;
        for round in &rounds {
            bound *= round["z"].as_f64().unwrap();
            assert!((round["bound"].as_f64().unwrap() - bound).abs() < 1e-12, "{round}");
            assert!(round["train_error"].as_f64().unwrap() <= bound, "{round}");
            assert!(round["ranking_bound"].is_null() && round["final_bound"].is_null(), "{round}");
        }
        assert!(inspected.contains("(bound ") && page.contains(ERROR) && !page.contains(RANKING));
    }
    let (rounds, inspected, page) = trained(folder.path(), "s.csv --booster mr --rounds 5");
    for round in &rounds {
        let (bound, loss) =
            (round["ranking_bound"].as_f64().unwrap(), round["ranking_loss"].as_f64().unwrap());
        assert!(loss <= bound && round["bound"].is_null() && round["final_bound"].is_null(), "{round}");
    }
    assert!(inspected.contains("(bound on the ranking loss "), "{inspected}");
    assert!(page.contains(RANKING) && !page.contains(ERROR));
}

#[test]
fn epochs_have_none_before_the_last() {
    let folder = folder();
    let (rounds, _, page) = trained(folder.path(), "d.csv --booster iter --epoch 4");
    let shown: Vec<bool> = rounds.iter().map(|round| !round["bound"].is_null()).collect();
    assert!(
        shown.len() > 4 && shown[..4].iter().all(|shown| !shown) && shown[4..].iter().all(|shown| *shown)
    );
    assert!(page.contains(ERROR));
    let (rounds, inspected, page) = trained(folder.path(), "d.csv --booster iter --epoch 4 --rounds 4");
    assert!(rounds.iter().all(|round| round["bound"].is_null()));
    assert!(!inspected.contains("(bound") && !page.contains(ERROR));
}

#[test]
fn games_are_bounded_at_their_end() {
    let folder = folder();
    fine(folder.path(), "generate waveform --rows 300 --out w.csv");
    let os = "w.csv --booster os --loss zero-one --edge 0.2 --horizon 6";
    let (rounds, inspected, page) = trained(folder.path(), &format!("{os} --rounds 6"));
    assert_eq!(rounds.len(), 6);
    for (at, round) in rounds.iter().enumerate() {
        assert!(round["final_bound"].is_number(), "{round}");
        assert_eq!(round["bound"].is_number(), at == 5, "{round}");
    }
    assert_eq!(rounds[5]["bound"], rounds[5]["final_bound"]);
    assert!(inspected.contains("(bound ") && page.contains("at the end at most") && !page.contains(ERROR));
    let (rounds, inspected, _) = trained(folder.path(), &format!("{os} --rounds 5"));
    assert!(rounds.iter().all(|round| round["bound"].is_null()));
    assert!(inspected.contains("(at the end at most ") && !inspected.contains("(bound"));
}

#[test]
fn hypotheses_that_name_classes_have_bounds_from_margins() {
    let folder = folder();
    for (options, named) in [
        ("gd-mcboost --answers codeword", true),
        ("gd-mcboost --answers codeword --dim 2", true),
        ("gd-mcboost --answers unit", false),
        ("ecc --votes one", true),
        ("ecc --votes two", false),
        ("ova", true),
        ("cd-mcboost --answers sign", true),
    ] {
        fine(folder.path(), &format!("train d.csv --out m.pb --rounds 30 --booster {options}"));
        let found = fine(folder.path(), "inspect m.pb --data d.csv --json").stdout;
        let margins = &serde_json::from_str::<Value>(&found).unwrap()["margins"];
        // Two numbers with 255 thresholds each, whichever of them the model kept.
        let ln_space = margins["ln_space"].as_f64();
        assert_eq!(ln_space.map(|ln| ln > 510f64.ln()), named.then_some(true), "{options}: {ln_space:?}");
        assert_eq!(margins["generalisation"]["bound"].is_number(), named, "{options}");
        for kind in ["vote", "label"] {
            let least = margins[kind]["least"].as_f64().unwrap();
            let most = margins[kind]["quantiles"][4]["margin"].as_f64().unwrap();
            assert!(-1.0 <= least && least <= most && most <= 1.0, "{options}: {kind} {least} to {most}");
        }
        let text = fine(folder.path(), "inspect m.pb --data d.csv").stdout;
        assert_eq!(
            text.contains(
                "no bound on the error from finitely many hypotheses: hypotheses answer real numbers"
            ),
            !named,
            "{text}"
        );
    }
    fine(folder.path(), "train s.csv --out s.pb --rounds 5 --booster mr");
    let text = fine(folder.path(), "inspect s.pb --data s.csv").stdout;
    assert!(text.contains("no bound on the error from finitely many hypotheses: labels are sets"), "{text}");
}
