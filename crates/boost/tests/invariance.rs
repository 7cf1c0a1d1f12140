//! What has no meaning has no effect: the names of classes, the order of columns, the scale of numbers.
//!
//! Rows have weights, so that ties between different hypotheses hardly occur. Where an algorithm itself depends on the order of
//! classes, or where ties are the rule, it says so here, and is left out.

mod common;

use common::{
    ALL, Choice, SETS, TWO, data, is_c45, is_linear, label_sets, looks_at_values, mixed, numbers,
    two_classes, weighted,
};
use manyboost::model::Model;
use manyboost::model::hypothesis::Cells;
use manyboost::model::tree::Test;
use manyboost_data::{Frame, Numbers, PrepareOptions, Role, Table, Values, Words, prepare};
use manyboost_kernel::Seed;

/// Scores that differ by less are the same: sums over classes are taken in another order.
const NEAR: f64 = 1e-6;

const ROWS: usize = 250;

/// The rows of a choice with weights that no two sums share.
fn rows(table: Table, seed: u64) -> Table {
    let draw = |row: u64| (64 + Seed::new(seed).part(row).below(64)) as f64;
    let weights = (0..table.rows as u64).map(draw).collect();
    weighted(table, weights)
}

/// Nothing is drawn at random: draws are by the number of a feature or a class.
fn plain((booster, options): Choice) -> Choice {
    match (booster, options) {
        // And sums keep all bits: fewer ones are rounded at random, by class.
        ("mcboost", _) => {
            ("mcboost", &[("leaves", "5"), ("cuts", "0"), ("features", "1"), ("precision", "wide")])
        }
        // Larger trees of C4.5 make no mistakes on so few rows, and training ends. (2,000 is the weight of some twenty rows.)
        _ if is_c45((booster, options)) => (booster, &[("learner", "c45"), ("min-rows", "2000")]),
        _ => (booster, options),
    }
}

/// Whether ties are the rule: at the best weights of rows several hypotheses have the same edge, and the first of them is taken.
fn ties((booster, _): Choice) -> bool {
    booster == "lp"
}

/// Every choice with its rows.
fn choices() -> Vec<(Choice, Table)> {
    let all = ALL.iter().filter(|&&choice| !ties(choice)).map(|&choice| (choice, data(choice, ROWS)));
    let two = TWO.iter().map(|&choice| (choice, two_classes(ROWS)));
    let linear: Choice = ("adaboost", &[("learner", "linear")]);
    let sets = SETS.iter().map(|&choice| (choice, label_sets(ROWS)));
    let all = all.chain(two).chain([(linear, numbers(two_classes(ROWS)))]).chain(sets);
    all.map(|(choice, table)| (plain(choice), table)).collect()
}

/// A model with exact cuts, and the scores of its rows.
fn model(table: &Table, choice: Choice, rounds: usize) -> (Model, Vec<Vec<f64>>) {
    let encode = manyboost_data::EncodeOptions { bins: 0, ..Default::default() };
    let prepared =
        prepare(table.clone(), &PrepareOptions { encode, values: true, ..PrepareOptions::default() })
            .unwrap();
    let model = common::trained(&prepared, choice, rounds);
    assert!(model.history.len() > 2, "{choice:?}");
    let frame = Frame::new(table.clone(), &model.encoder).unwrap();
    let scores = model.predictor().scores(&frame);
    let scores = (0..table.rows).map(|row| scores.row(row).to_vec()).collect();
    (model, scores)
}

/// The tests of each round by column, levels and threshold; `None` for hyperplanes. Hypotheses of a round are sorted:
/// with one for each class they come in the order of classes.
fn tests(model: &Model) -> Vec<Vec<Option<Vec<String>>>> {
    let tree = |cells: &Cells| {
        let test = |node: &manyboost::model::tree::Node| {
            let column = model.encoder.describe(node.feature as usize);
            match &node.test {
                Test::AtMost(threshold) => format!("{column:?} {threshold} {}", node.missing_left),
                Test::Levels(levels) => format!("{column:?} {levels:?} {}", node.missing_left),
            }
        };
        cells.tree().map(|tree| tree.nodes.iter().map(test).collect())
    };
    let round = |terms: &Vec<manyboost::model::ensemble::Term>| {
        let mut trees: Vec<_> = terms.iter().map(|term| tree(&term.hypothesis.cells)).collect();
        trees.sort();
        trees
    };
    model.ensemble.rounds.iter().map(round).collect()
}

fn same_scores(
    what: &str,
    choice: Choice,
    usual: &[Vec<f64>],
    other: &[Vec<f64>],
    place: impl Fn(usize) -> usize,
) {
    for (row, (a, b)) in usual.iter().zip(other).enumerate() {
        for (class, x) in a.iter().enumerate() {
            let y = b[place(class)];
            assert!((x - y).abs() <= NEAR * x.abs().max(1.0), "{what}: {choice:?}, row {row}: {a:?} {b:?}");
        }
    }
}

/// Names or labels in another order: the class that was number i is number `order[i]`.
fn renamed(mut table: Table, order: &[usize]) -> Table {
    let name = |class: usize| format!("class {}", order[class]);
    for column in &mut table.columns {
        if column.role == Role::Target {
            let Values::Words(Words { dictionary, .. }) = &mut column.values else { panic!("words") };
            let mut sorted = dictionary.clone();
            sorted.sort();
            for word in dictionary {
                *word = name(sorted.iter().position(|other| other == word).unwrap()).into();
            }
        }
    }
    let at: Vec<usize> =
        (0..table.columns.len()).filter(|&at| table.columns[at].role == Role::Label).collect();
    let labels: Vec<_> = at.iter().map(|&at| table.columns[at].clone()).collect();
    for (class, column) in labels.into_iter().enumerate() {
        table.columns[at[order[class]]] = column;
    }
    table
}

/// Whether the order of classes is part of an algorithm.
fn by_class_number((booster, options): Choice) -> bool {
    let has = |name: &str, value: &str| options.contains(&(name, value));
    match booster {
        // Codes that are drawn class by class, or that come in the order of class numbers.
        "mo" => !has("code", "exhaustive"),
        // At first every pair of classes counts the sum of their weights, and all even cuts of four classes are equal;
        // coordinates of codewords have no symmetry, and codewords in a smaller dimension neither.
        "ecc" | "cd-mcboost" => true,
        // A cut between rows of classes that neither side names may lie on either side of them: it costs the same.
        "gd-mcboost" => {
            options.is_empty() || has("loss", "codeword") || options.iter().any(|(name, _)| *name == "dim")
        }
        _ => false,
    }
}

/// Rounds before the first epoch ends: which class it takes off is decided by number where Ψ ties, and classes without
/// votes always tie.
fn rounds((booster, options): Choice) -> usize {
    let epoch = options.iter().find(|(name, _)| *name == "epoch").map_or(9, |(_, n)| n.parse().unwrap());
    if booster == "iter" { epoch - 1 } else { 8 }
}

#[test]
fn names_of_classes() {
    for (choice, table) in choices().into_iter().filter(|&(choice, _)| !by_class_number(choice)) {
        for (seed, turn) in [(1, 1), (2, 3), (3, 2)] {
            let table = rows(table.clone(), seed);
            let (usual, scores) = model(&table, choice, rounds(choice));
            let k = scores[0].len();
            let order: Vec<usize> = (0..k).map(|class| (k - 1 - class + turn) % k).collect();
            let (other, turned) = model(&renamed(table, &order), choice, rounds(choice));
            same_scores("names", choice, &scores, &turned, |class| order[class]);
            assert!(is_linear(choice) || tests(&usual) == tests(&other), "{choice:?}");
        }
    }
}

#[test]
fn coordinates_of_classes() {
    // With one coordinate for each class, even coordinate descent knows no first class.
    for answers in ["sign", "least-squares"] {
        let options: &[(&str, &str)] = match answers {
            "sign" => &[("codewords", "canonical"), ("answers", "sign")],
            _ => &[("codewords", "canonical"), ("answers", "least-squares")],
        };
        let table = rows(mixed(ROWS), 4);
        let (usual, scores) = model(&table, ("cd-mcboost", options), 8);
        let order = [2, 0, 3, 1];
        let (other, turned) = model(&renamed(table, &order), ("cd-mcboost", options), 8);
        same_scores("coordinates", ("cd-mcboost", options), &scores, &turned, |class| order[class]);
        assert_eq!(tests(&usual), tests(&other), "{answers}");
    }
}

/// Cuts of a small region may be worth the same to a Hamming tree, though they divide it differently: then the first column
/// decides. Until there is one, all rounds are the same, and the round in which there is one does as well.
fn as_good(choice: Choice, usual: &Model, other: &Model) {
    let (a, b) = (tests(usual), tests(other));
    let first = (0..a.len()).find(|&round| a[round] != b[round]).unwrap();
    for (a, b) in usual.history.iter().zip(&other.history).take(first + 1) {
        let figures =
            |r: &manyboost::engine::history::Record| [r.alpha, r.edge, r.z, Some(r.loss)].map(Option::unwrap);
        assert!(
            figures(a).iter().zip(figures(b)).all(|(a, b)| (a - b).abs() <= 1e-12),
            "{choice:?}: {a:?} {b:?}"
        );
    }
}

#[test]
fn order_of_columns() {
    for (choice, table) in choices() {
        for seed in 1..4 {
            let table = rows(table.clone(), seed);
            let (usual, scores) = model(&table, choice, 8);
            let mut turned = table;
            let is_feature = |table: &Table, at: usize| matches!(table.columns[at].role, Role::Feature(_));
            let features = (0..turned.columns.len()).take_while(|&at| is_feature(&turned, at)).count();
            turned.columns[..features].rotate_left(seed as usize);
            turned.columns.swap(0, 1);
            let (other, again) = model(&turned, choice, 8);
            if choice.1.contains(&("answers", "factored")) && tests(&usual) != tests(&other) {
                as_good(choice, &usual, &other);
                continue;
            }
            // Another column may cut the same rows apart; then it is the first one that does.
            same_scores("columns", choice, &scores, &again, |class| class);
        }
    }
}

/// Every number by a function that only keeps their order.
fn stretched(mut table: Table, f: impl Fn(f64) -> f64) -> Table {
    let rows = table.rows;
    for column in &mut table.columns {
        if let (Role::Feature(_), Values::Numbers(numbers)) = (&column.role, &mut column.values) {
            *numbers = Numbers::F64((0..rows).map(|row| f(numbers.get(row))).collect());
        }
    }
    table
}

#[test]
fn scale_of_numbers() {
    let stretches: [fn(f64) -> f64; 3] = [|x| 3.0 * x - 100.0, |x| x * x * x + x, f64::exp];
    for (choice, table) in choices().into_iter().filter(|&(choice, _)| !looks_at_values(choice)) {
        let table = rows(table, 5);
        let (usual, scores) = model(&table, choice, 8);
        for stretch in stretches {
            let (other, same) = model(&stretched(table.clone(), stretch), choice, 8);
            // To the bit: codes know nothing of values.
            assert!(scores == same, "{choice:?}");
            assert_eq!(usual.history, other.history, "{choice:?}");
        }
    }
}
