//! Straight lines as weak learners: they are those of least squares, and find what is straight.

mod common;

use common::{Choice, Training, numbers, prepared, trained};
use manyboost::model::Model;
use manyboost::model::answers::Answers;
use manyboost::model::hypothesis::Cells;
use manyboost::model::tree::Tree;
use manyboost_data::{Column, Kind, Labels, Numbers, Role, Table, Values, Words, generate};
use manyboost_kernel::Seed;

const LINE: &[(&str, &str)] = &[("learner", "line")];

/// Three features of a few whole numbers each, some of them missing, and classes that depend on sums of them.
fn straight(rows: usize, classes: u32) -> Table {
    let draw = |row: usize, part: u64| Seed::new(row as u64).part(part);
    let x = |row: usize, feature: u64| draw(row, feature).below(13) as f64 - 6.0;
    let class = |row: usize| {
        let sum = 0.5 * x(row, 0) - x(row, 1) + 3.0 * (draw(row, 9).unit() - 0.5);
        ((sum / 4.0 + f64::from(classes) / 2.0).floor().max(0.0) as u32).min(classes - 1)
    };
    let words = Words {
        codes: (0..rows).map(class).collect(),
        dictionary: (0..classes).map(|class| format!("class {class}").into()).collect(),
    };
    let mut columns = vec![Column { name: "class".into(), role: Role::Target, values: Values::Words(words) }];
    for feature in 0..3 {
        let missing = |row: usize| draw(row, 20 + feature).unit() < 0.05;
        let values = (0..rows).map(|row| if missing(row) { f64::NAN } else { x(row, feature) }).collect();
        let values = Values::Numbers(Numbers::F64(values));
        columns.push(Column { name: format!("x{feature}"), role: Role::Feature(Some(Kind::Number)), values });
    }
    Table { source: "straight".into(), columns, rows, notes: Vec::new() }
}

fn values(table: &Table, feature: u32) -> Vec<f64> {
    let Values::Numbers(numbers) = &table.column(&format!("x{feature}")).unwrap().values else {
        panic!("numbers")
    };
    (0..table.rows).map(|row| numbers.get(row)).collect()
}

/// The trees of the first round and the numbers of their leaves.
fn first(model: &Model) -> Vec<(&Tree, &[f64])> {
    let terms = model.ensemble.rounds[0].iter();
    let parts = terms.map(|term| match (&term.hypothesis.cells, &term.hypothesis.answers) {
        (Cells::Tree(tree), Answers::Along { values, .. }) => (tree, values.as_slice()),
        other => panic!("{other:?}"),
    });
    parts.collect()
}

/// Slope and level of the regression of y on x, and what it explains; a missing x is the mean.
fn regression(x: &[f64], y: &[f64]) -> (Vec<f64>, f64, f64, f64) {
    let there: Vec<f64> = x.iter().copied().filter(|x| !x.is_nan()).collect();
    let mean = there.iter().sum::<f64>() / there.len() as f64;
    let z: Vec<f64> = x.iter().map(|x| if x.is_nan() { 0.0 } else { x - mean }).collect();
    let level = y.iter().sum::<f64>() / y.len() as f64;
    let along: f64 = z.iter().zip(y).map(|(z, y)| z * (y - level)).sum();
    let width: f64 = z.iter().map(|z| z * z).sum();
    (z, along / width, level, along * along / width)
}

#[test]
fn the_first_lines_are_those_of_least_squares() {
    let table = straight(600, 4);
    let data = prepared(table.clone());
    let model = trained(&data, ("logitboost", LINE), 1);
    let Labels::Classes { of, .. } = &data.dataset.labels else { panic!("classes") };
    let lines = first(&model);
    assert_eq!(lines.len(), 4);
    for (class, (tree, answers)) in lines.into_iter().enumerate() {
        // The responses of LogitBoost where all probabilities are ¼.
        let response = |&y: &u32| if y as usize == class { 0.75 / 0.1875 } else { -0.25 / 0.1875 };
        let y: Vec<f64> = of.iter().map(response).collect();
        let found: Vec<_> = (0..3).map(|feature| regression(&values(&table, feature), &y)).collect();
        let best = (0..3).max_by(|&a, &b| found[a].3.total_cmp(&found[b].3)).unwrap();
        assert!(tree.nodes.iter().all(|node| node.feature as usize == best), "class {class}");
        assert_eq!((tree.nodes.len(), answers.len()), (12, 13));
        let (z, slope, level, _) = &found[best];
        let x = values(&table, best as u32);
        for (row, z) in z.iter().enumerate().filter(|(row, _)| !x[*row].is_nan()) {
            // A missing value has the answer of the step that is nearest to the mean: lines move a little.
            let (line, answer) = (level + slope * z, answers[tree.leaf(|_| x[row])]);
            assert!((line - answer).abs() < 0.02, "class {class}, row {row}: {line} {answer}");
        }
        let steps: Vec<f64> = answers.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(steps.iter().all(|step| (step - steps[0]).abs() < 1e-6), "{steps:?}");
    }
}

#[test]
fn a_missing_value_counts_as_the_mean_and_lines_end_level() {
    let model = trained(&prepared(straight(600, 3)), ("logitboost", LINE), 1);
    for (tree, answers) in first(&model) {
        let at = |value: f64| answers[tree.leaf(|_| value)];
        // Means of whole numbers from −6 to 6 are near 0.
        assert_eq!(at(f64::NAN), at(0.0));
        assert_eq!((at(6.0), at(-6.0)), (at(f64::INFINITY), at(-1e300)));
        assert_ne!(at(6.0), at(-6.0));
    }
}

/// The error on training rows after so many rounds.
fn error(table: &Table, choice: Choice, rounds: usize) -> f64 {
    let data = prepared(table.clone());
    let history = Training::new(&data, choice, rounds).run(None, &mut ()).history;
    history.last().map_or(1.0, |record| record.train_error)
}

#[test]
fn what_is_straight_needs_few_lines_and_many_stumps() {
    let table = straight(2000, 3);
    let squares: Choice = ("gd-mcboost", &[("learner", "line"), ("answers", "least-squares")]);
    let few = error(&table, squares, 20);
    let stumps = error(&table, ("gd-mcboost", &[("learner", "stump"), ("answers", "least-squares")]), 20);
    assert!(few < 0.2 && few < stumps - 0.01, "{few} {stumps}");
    assert!(error(&straight(2000, 2), ("adaboost", &[("learner", "line"), ("answers", "mean")]), 20) < 0.1);
    for choice in [("mcboost", LINE), ("logitboost", LINE)] {
        let lines = error(&table, choice, 150);
        assert!(lines < 0.2, "{choice:?}: {lines}");
    }
}

#[test]
fn risks_fall_along_lines() {
    let table = numbers(generate::mixed::mixed(300, 4, 11));
    for loss in ["exponential", "logistic", "savage"] {
        for booster in ["gd-mcboost", "cd-mcboost"] {
            let options: &[(&str, &str)] =
                &[("learner", "line"), ("answers", "least-squares"), ("loss", loss)];
            let leaked: &'static [(&'static str, &'static str)] = options.to_vec().leak();
            let data = prepared(table.clone());
            let history = Training::new(&data, (booster, leaked), 25).run(None, &mut ()).history;
            assert!(history.len() > 1, "{booster} {loss}");
            let falls = history.windows(2).all(|pair| pair[1].loss < pair[0].loss);
            assert!(falls, "{booster} {loss}");
        }
    }
}
