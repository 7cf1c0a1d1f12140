use manyboost_data::{Column, Kind, Numbers, PrepareOptions, Prepared, Role, Table, Values, Words, prepare};
use manyboost_kernel::{Alone, RowWeights};

use super::*;
use crate::spec::booster::Shape;
use crate::votes::{LabelCriterion, LabelVote};

/// Two numbers, and classes of which each is there.
fn data(rows: usize, classes: u32) -> Prepared {
    let draw = |at: u64, row: usize| Seed::new(at).part(row as u64).unit();
    let number = |name: &str, at: u64| {
        let values = Values::Numbers(Numbers::F64((0..rows).map(|row| draw(at, row)).collect()));
        Column { name: name.into(), role: Role::Feature(Some(Kind::Number)), values }
    };
    let dictionary = (0..classes).map(|class| format!("{class:03}").into()).collect();
    let words = Words { codes: (0..rows as u32).map(|row| row % classes).collect(), dictionary };
    let target = Column { name: "class".into(), role: Role::Target, values: Values::Words(words) };
    let columns = vec![number("a", 1), number("b", 2), target];
    let table = Table { source: "random".into(), columns, rows, notes: Vec::new() };
    prepare(table, &PrepareOptions { values: true, ..PrepareOptions::default() }).unwrap()
}

/// A question about rows with one class each, whose names cost these (negative) weights.
fn round<T>(
    regression: Regression,
    classes: usize,
    labels: &[u32],
    values: &[f64],
    seed: u64,
    look: impl Fn(&Round<'_>) -> T,
) -> T {
    let prepared = data(labels.len(), 3);
    let units = vec![1; labels.len()];
    let totals = Totals::new(RowWeights { units: &units, step: 1.0 }, &Alone);
    let parameters = LinearParameters { regression, subsample: 1.0 };
    let learner = LinearLearner::new(parameters, &prepared.dataset, &prepared.encoder, &totals).unwrap();
    let norm = -values.iter().sum::<f64>();
    let query = Query::new(Shape::OneHot(classes), LabelVote(LabelCriterion::Cost), norm);
    let statistics = Statistics::OneHot { values, labels, width: classes };
    let halves = query.vote.for_hyperplane(classes).unwrap();
    let rows: Vec<u32> = (0..labels.len() as u32).collect();
    look(&Round {
        learner: &learner,
        query: &query,
        statistics: &statistics,
        totals: &totals,
        halves,
        rows: &rows,
        seed: Seed::new(seed),
    })
}

/// The equations of two pairs of classes with the same rows: all are of the first class.
fn of_two_pairs(regression: Regression, seed: u64) -> [Equations; 2] {
    let values: Vec<f64> = (0..60).map(|row| -1.0 - f64::from(row % 3)).collect();
    round(regression, 3, &[0; 60], &values, seed, |round| {
        let by_class = round.by_class();
        [1, 2].map(|below| {
            let seed = round.seed.part(u64::from(below));
            by_class.of_pair(round, &values, Pair { above: 0, below }, seed)
        })
    })
}

#[test]
fn each_pair_of_classes_draws_its_own_rows() {
    let [first, second] = of_two_pairs(Regression::Resampled, 5);
    assert_ne!(first, second);
    assert_eq!([first, second], of_two_pairs(Regression::Resampled, 5));
    // By their weights rows are the same for every pair.
    let [first, second] = of_two_pairs(Regression::Weighted, 5);
    assert_eq!(first, second);
}

#[test]
fn the_heaviest_classes_are_paired() {
    // A row for each class, in an order of weights that is not theirs.
    let labels: Vec<u32> = (0..60).collect();
    let values: Vec<f64> = labels.iter().map(|class| -1.0 - f64::from(class * 7 % 60)).collect();
    let pairs = round(Regression::Weighted, 60, &labels, &values, 1, |round: &Round<'_>| round.pairs());
    let mut heaviest = labels.clone();
    heaviest.sort_by_key(|class| std::cmp::Reverse(class * 7 % 60));
    heaviest.truncate(MOST_CLASSES);
    heaviest.sort_unstable();
    let named: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.above, pair.below)).collect();
    let each = |at: usize| heaviest[at + 1..].iter().map(move |&below| (at, below));
    let expected: Vec<(u32, u32)> =
        (0..heaviest.len()).flat_map(each).map(|(at, below)| (heaviest[at], below)).collect();
    assert_eq!(expected.len(), 45 * 44 / 2);
    assert_eq!(named, expected);
}
