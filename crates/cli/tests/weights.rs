//! Weights of rows through the command: whole numbers are counts, whatever else is asked for.

mod common;

use std::fmt::Write as _;
use std::path::Path;

use common::fine;
use serde_json::Value;

/// Rows of two numbers and a class, each with a weight, as text with weights and as text with repeated rows in another order.
fn write_both(folder: &Path, weight: impl Fn(usize) -> usize) {
    let (mut heavy, mut lines) = ("x,y,class,w\n".to_string(), Vec::new());
    for i in 0..120 {
        let row = format!(
            "{},{},{}",
            i * 7 % 30 + 10 * (i % 3),
            i * 11 % 17,
            ["ant", "bee", "cat"][(i + i / 29) % 3]
        );
        let _ = writeln!(heavy, "{row},{}", weight(i));
        lines.extend(std::iter::repeat_n(row, weight(i)));
    }
    let middle = lines.len() / 3;
    lines.rotate_left(middle);
    std::fs::write(folder.join("heavy.csv"), heavy).unwrap();
    std::fs::write(folder.join("twice.csv"), format!("x,y,class\n{}\n", lines.join("\n"))).unwrap();
}

#[test]
fn four_categories_of_weight_five() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("d.csv"), "c,class,w\nred,a,5\ngreen,b,5\nblue,a,5\nblack,b,5\n")
        .unwrap();
    let done =
        fine(folder.path(), "train d.csv --out m --booster samme --weight w --rounds 20 --json --quiet");
    let figures: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(figures["train_error"], 0.0, "{}", done.stdout);
}

#[test]
fn a_row_of_weight_two_is_the_row_twice() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let equal: fn(usize) -> usize = |_| 5;
    for weight in [equal, |i| 2 + 2 * (i % 3), |i| i % 4] {
        write_both(folder, weight);
        for options in [
            "",
            "--booster samme --class-weight balanced",
            "--class-weight bee=0.37",
            "--subsample 0.4",
            "--valid 0.25 --patience 3",
            "--booster iter --learner linear --regression resampled --seed 4",
        ] {
            let train = format!("--rounds 8 --quiet {options}");
            fine(folder, &format!("train heavy.csv --weight w --out a {train}"));
            fine(folder, &format!("train twice.csv --out b {train}"));
            let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
            assert!(read("a") == read("b"), "{options}");
        }
        let cv = |data: &str| {
            let done =
                fine(folder, &format!("cv {data} --booster samme --rounds 5 --folds 4 --json --quiet"));
            let mut figures: Value = serde_json::from_str(&done.stdout).unwrap();
            for fold in figures["folds"].as_array_mut().unwrap() {
                fold.as_object_mut().unwrap().remove("seconds");
            }
            figures
        };
        assert_eq!(cv("heavy.csv --weight w"), cv("twice.csv"));
    }
}
