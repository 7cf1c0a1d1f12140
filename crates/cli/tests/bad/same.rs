//! Inputs that look different and are the same: the models have the same bytes, the predictions are the same.

use crate::common::{fine, good};

/// Trains on a text; gives the model's bytes.
fn model(text: impl AsRef<[u8]>, options: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("d.csv"), text).expect("a file");
    fine(folder.path(), &format!("train d.csv --out m.pb --rounds 4 --leaves 5 {options}"));
    std::fs::read(folder.path().join("m.pb")).expect("a model")
}

#[test]
fn case_6_a_byte_order_mark() {
    assert_eq!(model(good(), ""), model(format!("\u{feff}{}", good()), ""));
}

#[test]
fn case_10_line_ends() {
    let text = good();
    let plain = model(&text, "");
    assert_eq!(plain, model(text.replace('\n', "\r\n"), ""));
    assert_eq!(plain, model(text.replace('\n', "\r"), ""));
    assert_eq!(plain, model(text.trim_end(), ""));
}

/// The table with a column of weights.
fn weighted(weight: impl Fn(usize) -> String) -> String {
    let lines = good().lines().map(String::from).collect::<Vec<_>>();
    let line = |(at, line): (usize, &String)| {
        if at == 0 { format!("w,{line}\n") } else { format!("{},{line}\n", weight(at - 1)) }
    };
    lines.iter().enumerate().map(line).collect()
}

#[test]
fn case_42_very_large_and_very_small_weights() {
    let ones = model(good(), "");
    for weight in ["1", "1e300", "1e-310", "0.1"] {
        assert_eq!(ones, model(weighted(|_| weight.into()), "--weight w"), "{weight}");
    }
}

#[test]
fn a_row_twice_is_weight_2_and_weight_0_is_no_row() {
    let lines: Vec<String> = good().lines().map(String::from).collect();
    let some = |keep: &dyn Fn(usize) -> usize| {
        let rows = lines[1..].iter().enumerate().flat_map(|(at, line)| vec![line.clone() + "\n"; keep(at)]);
        format!("{}\n{}", lines[0], rows.collect::<String>())
    };
    let weights = [1, 2, 0, 1, 3];
    let written = weighted(|at| weights[at % 5].to_string());
    assert_eq!(model(some(&|at| weights[at % 5]), ""), model(written, "--weight w"));
}

#[test]
fn case_50_columns_in_another_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let turned: String =
        good().lines().map(|line| line.split(',').rev().collect::<Vec<_>>().join(",") + "\n").collect();
    std::fs::write(folder.path().join("d.csv"), good()).expect("a file");
    std::fs::write(folder.path().join("turned.csv"), turned).expect("a file");
    fine(folder.path(), "train d.csv --out m.pb --rounds 4");
    let plain = fine(folder.path(), "predict m.pb d.csv --proba").stdout;
    assert_eq!(plain, fine(folder.path(), "predict m.pb turned.csv --proba").stdout);
}

#[test]
fn case_19_missing_is_alike_everywhere() {
    let holes = |token: &str| good().replace("\n14,", &format!("\n{token},")).replace("red", token);
    let plain = model(holes(""), "");
    for token in ["NA", "?", "nan"] {
        assert_eq!(plain, model(holes(token), ""), "{token}");
    }
}
