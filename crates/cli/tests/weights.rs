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

/// Where a column of weights stands changes no split of label sets, and weights of 1 change nothing.
#[test]
fn weights_of_label_sets_may_stand_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let row = |i: usize| {
        [i * 7 % 30 + 10 * (i % 3), i * 11 % 17, usize::from(i.is_multiple_of(3)), usize::from(i * 5 % 8 > 3)]
    };
    let write = |name: &str, weight: usize, place: Option<usize>| {
        let line = |mut cells: Vec<String>, weight: String| {
            if let Some(place) = place {
                cells.insert(place, weight);
            }
            cells.join(",") + "\n"
        };
        let mut text = line(["x", "y", "label:a", "label:b"].map(String::from).to_vec(), "w".into());
        for i in 0..90 {
            let cells = line(row(i).map(|cell| cell.to_string()).to_vec(), weight.to_string());
            text += &cells.repeat(if place.is_some() { 1 } else { weight });
        }
        std::fs::write(folder.join(name), text).unwrap();
    };
    let model = |data: &str| {
        fine(folder, &format!("train {data} --out m --rounds 6 --valid 0.3 --quiet"));
        std::fs::read(folder.join("m")).unwrap()
    };
    for weight in [1, 2] {
        write("repeated.csv", weight, None);
        let wanted = model("repeated.csv");
        for place in [0, 1, 3, 4] {
            write("weighted.csv", weight, Some(place));
            assert!(model("weighted.csv --weight w") == wanted, "weight {weight} in column {place}");
        }
    }
}
