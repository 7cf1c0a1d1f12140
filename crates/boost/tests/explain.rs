//! Explanations are exact: they sum up to the scores, and are Shapley values by their definition.

mod common;

use common::{ALL, Choice, SETS, TWO, data, label_sets, mixed, prepared, trained, two_classes};
use manyboost::explain::{Explainer, Explanation, Grain};
use manyboost::model::Model;
use manyboost::model::tree::{Child, Tree};
use manyboost_data::{Frame, Table, generate};

fn frame(table: Table, model: &Model) -> Frame {
    Frame::new(table, &model.encoder).unwrap()
}

/// What parts add, and what is expected, are the scores.
fn sums_up(explainer: &Explainer<'_>, explained: &Explanation, model: &Model, rows: &Frame, what: &str) {
    let scores = model.predictor().scores(rows);
    assert_eq!((explained.rows, explained.classes), (rows.rows(), scores.width()));
    for row in 0..rows.rows() {
        for (class, score) in scores.row(row).iter().enumerate() {
            let parts: f64 = (0..explained.parts).map(|part| explained.part(row, part)[class]).sum();
            let found = parts + explainer.expected()[class];
            assert!((found - score).abs() < 1e-9, "{what}, row {row}, class {class}: {found}, not {score}");
        }
    }
}

/// Every choice is explained, or refused with the reason.
fn every(choices: &[Choice], table: impl Fn(Choice) -> Table, refusals: &[&str]) {
    for &choice in choices {
        let prepared = prepared(table(choice));
        let model = trained(&prepared, choice, 8);
        let rows = frame(table(choice), &model).select(&(0..40).collect::<Vec<_>>());
        let what = format!("{choice:?}");
        match Explainer::new(&model, Grain::Columns) {
            Err(error) => {
                assert!(
                    error.what().contains("cannot be explained") && !error.remedy().is_empty(),
                    "{error}"
                );
                let known = refusals.iter().position(|words| error.what().contains(words));
                assert!(known.is_some(), "{what}: {error}");
                let background = Explainer::with_background(&model, Grain::Columns, &rows);
                assert_eq!(background.err().map(|error| error.to_string()), Some(error.to_string()));
            }
            Ok(explainer) => {
                let columns = explainer.values(&rows).unwrap();
                sums_up(&explainer, &columns, &model, &rows, &what);
                let words = Explainer::new(&model, Grain::Words).unwrap();
                sums_up(&words, &words.values(&rows).unwrap(), &model, &rows, &what);
                let background = rows.select(&[1, 5, 7, 8, 20, 33]);
                let explainer = Explainer::with_background(&model, Grain::Columns, &background).unwrap();
                sums_up(&explainer, &explainer.values(&rows).unwrap(), &model, &rows, &what);
            }
        }
    }
}

#[test]
fn values_sum_up_to_the_scores_of_every_booster() {
    every(
        ALL,
        |choice| data(choice, 300),
        &["hyperplanes", "products", "epochs", "signs of bits", "sum over bits", "formulas"],
    );
    every(TWO, |_| two_classes(300), &["products"]);
    every(SETS, |_| label_sets(300), &["products"]);
}

/// A tree where only some features are known.
struct Known<'a> {
    tree: &'a Tree,
    cover: Vec<u64>,
    values: &'a dyn Fn(usize) -> Vec<f64>,
    /// Whether a row goes left at a test, if the feature is known.
    goes: &'a dyn Fn(usize) -> Option<bool>,
}

impl Known<'_> {
    fn weight(&self, child: Child) -> f64 {
        match child {
            Child::Node(node) => self.cover[node as usize] as f64,
            Child::Leaf(leaf) => self.tree.cover[leaf as usize] as f64,
        }
    }

    /// What is expected behind a child, for each class.
    fn expected(&self, child: Child) -> Vec<f64> {
        let at = match child {
            Child::Leaf(leaf) => return (self.values)(leaf as usize),
            Child::Node(node) => node as usize,
        };
        let node = &self.tree.nodes[at];
        match (self.goes)(at) {
            Some(true) => self.expected(node.left),
            Some(false) => self.expected(node.right),
            None => {
                let [left, right] = [node.left, node.right].map(|child| self.weight(child));
                let sides = [node.left, node.right].map(|child| self.expected(child));
                sides[0].iter().zip(&sides[1]).map(|(l, r)| (left * l + right * r) / (left + right)).collect()
            }
        }
    }
}

/// What a model expects of a row of which the features of a set are known, the others being those of training rows.
fn conditional(model: &Model, rows: &Frame, row: usize, features: &[u32], set: usize) -> Vec<f64> {
    let mut sum = model.ensemble.start.clone();
    for term in model.trees().unwrap() {
        let goes = |at: usize| {
            let node = &term.tree.nodes[at];
            let place = features.iter().position(|&f| f == node.feature).unwrap();
            (set >> place & 1 == 1).then(|| node.goes_left(rows.value(row, node.feature as usize)))
        };
        let cover = term.tree.node_cover().unwrap();
        let known = Known { tree: term.tree, cover, values: &|leaf| term.values(leaf), goes: &goes };
        let part = known.expected(Child::Node(0));
        sum.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
    }
    sum
}

/// The same, the others being those of background rows.
fn interventional(
    model: &Model,
    rows: &Frame,
    row: usize,
    others: &Frame,
    features: &[u32],
    set: usize,
) -> Vec<f64> {
    let mut sum = vec![0.0; model.ensemble.start.len()];
    for other in 0..others.rows() {
        let value = |feature: u32| {
            let place = features.iter().position(|&f| f == feature).unwrap();
            let (frame, row) = if set >> place & 1 == 1 { (rows, row) } else { (others, other) };
            frame.value(row, feature as usize)
        };
        let mut scores = model.ensemble.start.clone();
        for stage in model.ensemble.stages() {
            stage.add(value, &mut scores, |_, _| {});
        }
        sum.iter_mut().zip(scores).for_each(|(sum, x)| *sum += x / others.rows() as f64);
    }
    sum
}

/// Shapley values and interactions of all classes, by summing over all sets of features.
fn by_definition(features: usize, game: impl Fn(usize) -> Vec<f64>) -> (Vec<Vec<f64>>, Vec<Vec<Vec<f64>>>) {
    let worth: Vec<Vec<f64>> = (0..1 << features).map(game).collect();
    let classes = worth[0].len();
    let factorial = |n: usize| (1..=n).map(|i| i as f64).product::<f64>();
    let mut values = vec![vec![0.0; classes]; features];
    let mut pairs = vec![vec![vec![0.0; classes]; features]; features];
    for set in 0..worth.len() {
        let size = (set as u32).count_ones() as usize;
        for i in (0..features).filter(|i| set >> i & 1 == 0) {
            let weight = factorial(size) * factorial(features - size - 1) / factorial(features);
            for class in 0..classes {
                values[i][class] += weight * (worth[set | 1 << i][class] - worth[set][class]);
            }
            for j in (0..features).filter(|&j| j != i && set >> j & 1 == 0) {
                let weight =
                    factorial(size) * factorial(features - size - 2) / (2.0 * factorial(features - 1));
                for class in 0..classes {
                    let both = worth[set | 1 << i | 1 << j][class] + worth[set][class];
                    let each = worth[set | 1 << i][class] + worth[set | 1 << j][class];
                    pairs[i][j][class] += weight * (both - each);
                }
            }
        }
    }
    for i in 0..features {
        for class in 0..classes {
            let others: f64 = (0..features).filter(|&j| j != i).map(|j| pairs[i][j][class]).sum();
            pairs[i][i][class] = values[i][class] - others;
        }
    }
    (values, pairs)
}

fn near(found: &[f64], wanted: &[f64], what: &str) {
    assert_eq!(found.len(), wanted.len());
    assert!(
        found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-10),
        "{what}: {found:?}, not {wanted:?}"
    );
}

/// The features that a model looks at.
fn looked_at(model: &Model) -> Vec<u32> {
    let mut features: Vec<u32> =
        model.ensemble.terms().flat_map(|term| term.hypothesis.cells.features()).collect();
    features.sort_unstable();
    features.dedup();
    features
}

#[test]
fn values_and_interactions_are_those_of_the_definition() {
    let deep: Choice = ("mcboost", &[("leaves", "24"), ("min-rows", "1")]);
    let votes: Choice = ("samme", &[("learner", "tree"), ("leaves", "7")]);
    let numbers: Choice = ("logitboost", &[("learner", "tree"), ("depth", "3")]);
    for (choice, rounds) in [(deep, 3), (votes, 2), (numbers, 1)] {
        let table = mixed(400);
        let prepared = prepared(table.clone());
        let mut rounds = rounds;
        let model = loop {
            let model = trained(&prepared, choice, rounds);
            if looked_at(&model).len() <= 10 || rounds == 1 {
                break model;
            }
            rounds -= 1;
        };
        let features = looked_at(&model);
        assert!((3..=14).contains(&features.len()), "{choice:?}: {} features", features.len());
        let rows = frame(generate::mixed::mixed(6, 4, 77), &model);
        let words = Explainer::new(&model, Grain::Words).unwrap();
        let (values, pairs) = (words.values(&rows).unwrap(), words.interactions(&rows).unwrap());
        let others = frame(table, &model).select(&[3, 30, 31, 200, 301]);
        let beside = Explainer::with_background(&model, Grain::Words, &others).unwrap();
        let beside_values = beside.values(&rows).unwrap();
        assert!(beside.interactions(&rows).is_err());
        for row in 0..rows.rows() {
            let game = |set| conditional(&model, &rows, row, &features, set);
            let (wanted, together) = by_definition(features.len(), game);
            near(values.row(row), &wanted.concat(), &format!("{choice:?}, row {row}"));
            near(pairs.row(row), &together.concat().concat(), &format!("{choice:?}, row {row}, pairs"));
            if row < 2 {
                let game = |set| interventional(&model, &rows, row, &others, &features, set);
                let (wanted, _) = by_definition(features.len(), game);
                near(
                    beside_values.row(row),
                    &wanted.concat(),
                    &format!("{choice:?}, row {row}, beside others"),
                );
            }
        }
    }
}

#[test]
fn columns_are_the_sums_of_their_words_and_rows_stand_alone() {
    let prepared = prepared(mixed(300));
    let model = trained(&prepared, ("mcboost", &[("leaves", "12")]), 30);
    let rows = frame(mixed(300), &model);
    let [columns, words] = [Grain::Columns, Grain::Words].map(|grain| Explainer::new(&model, grain).unwrap());
    let [by_column, by_word] = [&columns, &words].map(|explainer| explainer.values(&rows).unwrap());
    for row in 0..300 {
        for (at, column) in columns.parts().iter().enumerate() {
            let mut sum = vec![0.0; 4];
            for (part, _) in words.parts().iter().enumerate().filter(|(_, part)| part.column == column.column)
            {
                sum.iter_mut().zip(by_word.part(row, part)).for_each(|(sum, x)| *sum += x);
            }
            near(by_column.part(row, at), &sum, &column.column);
        }
    }
    assert!(words.parts().iter().any(|part| part.word.is_some()));
    let some = columns.values(&rows.select(&[250, 3])).unwrap();
    assert_eq!([some.row(0), some.row(1)], [by_column.row(250), by_column.row(3)], "to the bit");
    let pairs = columns.interactions(&rows.select(&[3])).unwrap();
    let width = columns.parts().len();
    for part in 0..width {
        let mut sum = vec![0.0; 4];
        for other in 0..width {
            sum.iter_mut().zip(pairs.part(0, part * width + other)).for_each(|(sum, x)| *sum += x);
            near(pairs.part(0, part * width + other), pairs.part(0, other * width + part), "symmetric");
        }
        near(&sum, by_column.part(3, part), "a row of interactions");
    }
}

#[test]
fn trees_and_cells_are_those_of_the_scores() {
    let prepared = prepared(mixed(300));
    let model = trained(&prepared, ("mcboost", &[("leaves", "6")]), 9);
    let trees = model.trees().unwrap();
    let cells = model.apply(&mixed(300)).unwrap();
    let scores = model.scores(&mixed(300)).unwrap();
    assert_eq!((cells.rows, cells.terms, trees.len()), (300, trees.len(), 9));
    let mut weights: Vec<Vec<u64>> = trees.iter().map(|term| vec![0; term.tree.leaves()]).collect();
    for row in 0..300 {
        let mut sum = model.ensemble.start.clone();
        for (at, term) in trees.iter().enumerate() {
            let leaf = cells.cells[row * cells.terms + at] as usize;
            weights[at][leaf] += 1;
            sum.iter_mut().zip(term.values(leaf)).for_each(|(sum, x)| *sum += x);
        }
        assert_eq!(sum, scores.row(row));
    }
    for (term, weights) in trees.iter().zip(weights) {
        assert_eq!(term.tree.cover, weights, "leaves weigh their training rows");
        assert_eq!(term.tree.node_cover().unwrap()[0], 300);
    }
}

#[test]
fn models_that_do_not_know_what_their_leaves_weigh_say_so() {
    let prepared = prepared(mixed(200));
    let mut model = trained(&prepared, ("mcboost", &[("leaves", "4")]), 3);
    for term in model.ensemble.rounds.iter_mut().flatten() {
        let manyboost::model::hypothesis::Cells::Tree(tree) = &mut term.hypothesis.cells else {
            panic!("a tree")
        };
        tree.cover.clear();
    }
    let error = Explainer::new(&model, Grain::Columns).err().unwrap();
    assert!(error.what().contains("training rows") && error.remedy().contains("background"), "{error}");
    let rows = frame(mixed(200), &model);
    let explainer = Explainer::with_background(&model, Grain::Columns, &rows.select(&[0, 1])).unwrap();
    sums_up(&explainer, &explainer.values(&rows).unwrap(), &model, &rows, "beside others");
    assert!(Explainer::with_background(&model, Grain::Columns, &rows.select(&[])).is_err());
}

#[test]
fn models_that_learnt_nothing_expect_their_scores() {
    let prepared = prepared(mixed(100));
    let mut model = trained(&prepared, ("mcboost", &[]), 1);
    model.ensemble.rounds.clear();
    model.history.clear();
    let rows = frame(mixed(20), &model);
    let explainer = Explainer::new(&model, Grain::Columns).unwrap();
    let explained = explainer.values(&rows).unwrap();
    assert!(explained.values.iter().all(|x| *x == 0.0));
    assert_eq!(explainer.expected(), model.ensemble.start);
    assert!(Explainer::new(&model, Grain::Words).unwrap().values(&rows).unwrap().values.is_empty());
}
