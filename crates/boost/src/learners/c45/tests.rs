//! Figures of Quinlan (1993), and tiny cases computed by hand.

use manyboost_kernel::{Alone, Bins, BinsBuilder, Codes, Feature, Order};

use super::C45Parameters;
use super::choose::{Candidate, Counts, Test, choose};
use super::grow::{Ground, Node};
use super::prune::more_errors;

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 6e-4, "{found}, not {expected}");
}

/// Section 4.2 of the book: U of leaves without errors, of a leaf with one in sixteen, and the tree that they make dearer than a leaf.
#[test]
fn errors_are_expected_as_in_the_book() {
    let all = |rows: f64, errors: f64| errors + more_errors(rows, errors, 0.25);
    close(all(6.0, 0.0) / 6.0, 0.206);
    close(all(9.0, 0.0) / 9.0, 0.143);
    close(all(1.0, 0.0), 0.750);
    close(all(16.0, 1.0) / 16.0, 0.157);
    assert!(all(6.0, 0.0) + all(9.0, 0.0) + all(1.0, 0.0) > all(16.0, 1.0));
    // Between none and one, and where nearly all are wrong.
    close(all(16.0, 0.5), 0.5 * (all(16.0, 0.0) + all(16.0, 1.0)));
    close(all(2.0, 1.6), 1.6 + 0.67 * 0.4);
    assert_eq!(more_errors(0.0, 0.0, 0.25), 0.0);
}

/// The golf data of chapter 2: play or not, by outlook (sunny 2:3, overcast 4:0, rain 3:2) and wind.
#[test]
fn gains_are_those_of_the_book() {
    let counts = |order, cells: &[i64]| Counts { order, cells, classes: 2 }.best(1.0, 2.0);
    let outlook = counts(Order::Nominal, &[2, 3, 4, 0, 3, 2, 0, 0]).expect("a test");
    close(outlook.gain, 0.2467);
    close(outlook.split_info, 1.5774);
    assert_eq!(outlook.test, Test::Levels(vec![0, 1, 2]));
    let windy = counts(Order::Nominal, &[6, 2, 3, 3, 0, 0]).expect("a test");
    close(windy.gain, 0.0481);
    // One row of a missing value: its share is not gained, and it is a part of its own (section 3.2: 0.199, 1.809).
    let missing = counts(Order::Nominal, &[2, 3, 3, 0, 3, 2, 1, 0]).expect("a test");
    close(missing.gain, 0.1989);
    close(missing.split_info, 1.8088);
    // Two branches must have two rows.
    assert_eq!(counts(Order::Nominal, &[5, 3, 1, 0, 0, 1, 0, 0]), None);
}

/// 2:0 | 0:3: one bit of 5 rows' entropy, 0.971, all gained at the second of two thresholds that leave two rows on each side.
#[test]
fn thresholds_pay_for_being_many() {
    let counts = Counts { order: Order::Ordered, cells: &[1, 0, 1, 0, 0, 1, 0, 2, 0, 0], classes: 2 };
    let found = counts.best(1.0, 2.0).expect("a test");
    assert_eq!(found.test, Test::AtMost { low: 1, high: 2 });
    // Tried: after the second code and after the third.
    close(found.gain, 0.971 - 1.0 / 5.0);
    close(found.split_info, 0.971);
    // Weights of twice as many units, each worth half a row, are the same.
    let twice = Counts { cells: &[2, 0, 2, 0, 0, 2, 0, 4, 0, 0], ..counts };
    assert_eq!(twice.best(0.5, 2.0), Some(found));
}

#[test]
fn the_best_ratio_wins_among_gains_above_the_average() {
    let of = |gain, split_info| Some(Candidate { gain, split_info, test: Test::Levels(vec![0, 1]) });
    // The first has the best ratio and gains less than the mean, 0.4.
    assert_eq!(choose(&[of(0.1, 0.1), of(0.5, 1.5), None, of(0.6, 2.0)], |_| false), Some(1));
    // One with a level for nearly every row raises no average.
    assert_eq!(choose(&[of(0.1, 0.1), of(0.9, 3.0)], |at| at == 1), Some(0));
    assert_eq!(choose(&[of(0.1, 1.0), of(0.9, 3.0)], |_| true), Some(1));
    assert_eq!(choose(&[None, None], |_| false), None);
}

struct Small {
    bins: Bins,
    labels: Vec<u32>,
    weights: Vec<i64>,
}

impl Small {
    fn new(columns: Vec<(Order, u32, Vec<u8>)>, labels: Vec<u32>) -> Self {
        let mut bins = BinsBuilder::new(labels.len());
        for (order, codes, column) in columns {
            bins.push(Feature { order, bins: codes, missing: true }, Codes::Bytes(column));
        }
        Self { bins: bins.finish(), weights: vec![8; labels.len()], labels }
    }

    /// Outlook (sunny, overcast, rain), humidity by rank, and wind; class 0 plays.
    fn golf() -> Self {
        let outlook = vec![0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2];
        let humidity = [70, 90, 85, 95, 70, 90, 78, 65, 75, 80, 70, 80, 80, 96];
        let values = [65, 70, 75, 78, 80, 85, 90, 95, 96];
        let rank = |x: &i32| values.iter().position(|value| value == x).expect("a value") as u8;
        let windy = vec![1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0];
        let plays = vec![0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0];
        let columns = vec![
            (Order::Nominal, 3, outlook),
            (Order::Ordered, 9, humidity.iter().map(rank).collect()),
            (Order::Nominal, 2, windy),
        ];
        Self::new(columns, plays)
    }

    fn ground(&self, parameters: C45Parameters) -> Ground<'_> {
        Ground {
            bins: &self.bins,
            labels: &self.labels,
            weights: &self.weights,
            classes: 2,
            rows: self.labels.len() as f64,
            exchange: &Alone,
            parameters,
        }
    }
}

/// The tree of the book: outlook; then humidity where it is sunny, and wind where it rains.
#[test]
fn golf_has_the_tree_of_the_book() {
    let golf = Small::golf();
    for prune in [false, true] {
        let grown = golf.ground(C45Parameters { prune, ..C45Parameters::default() }).tree((0..14).collect());
        let features: Vec<u32> = grown.cuts.iter().map(|(cut, _)| cut.feature).collect();
        assert_eq!(
            features.iter().filter(|&&feature| feature == 0).count(),
            2,
            "three branches are two tests"
        );
        assert_eq!((grown.cuts.len(), grown.leaves.len()), (4, 5), "{prune}");
        for range in &grown.leaves {
            let classes: Vec<u32> =
                grown.rows[range.clone()].iter().map(|&row| golf.labels[row as usize]).collect();
            assert!(!classes.is_empty() && classes.iter().all(|&class| class == classes[0]), "{classes:?}");
        }
    }
}

/// Sixteen rows of section 4.2 (one of the other class): a test that tells it apart is pruned away.
#[test]
fn what_is_expected_to_err_more_is_a_leaf() {
    let level = vec![0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2];
    let labels = (0..16).map(|row| u32::from(row == 15)).collect();
    let data = Small::new(vec![(Order::Nominal, 3, level)], labels);
    let leaves = |prune| {
        let parameters = C45Parameters { prune, ..C45Parameters::default() };
        data.ground(parameters).tree((0..16).collect()).leaves.len()
    };
    assert_eq!((leaves(false), leaves(true)), (3, 1));
}

/// Weights are what counts: a row of twice the weight is the row twice.
#[test]
fn weights_are_rows() {
    let golf = Small::golf();
    let mut doubled = Small::golf();
    doubled.weights = (0..14).map(|row| if row % 3 == 0 { 16 } else { 8 }).collect();
    let plain = |data: &Small, rows: &[u32]| {
        let ground = data.ground(C45Parameters::default());
        let mut all = rows.to_vec();
        all.sort_unstable();
        ground.tree(all).cuts
    };
    assert_ne!(doubled.weights, golf.weights);
    let columns = |of: &dyn Fn(usize) -> u32| -> Vec<u8> {
        (0..14).flat_map(|row| vec![of(row) as u8; if row % 3 == 0 { 2 } else { 1 }]).collect()
    };
    let column = |feature: usize, order, codes| (order, codes, columns(&|row| golf.bins.code(row, feature)));
    let labels = columns(&|row| golf.labels[row]).into_iter().map(u32::from).collect();
    let twice = Small::new(
        vec![column(0, Order::Nominal, 3), column(1, Order::Ordered, 9), column(2, Order::Nominal, 2)],
        labels,
    );
    let mut scaled = doubled.ground(C45Parameters::default());
    scaled.rows = twice.labels.len() as f64;
    let found = scaled.tree((0..14).collect()).cuts;
    assert_eq!(found, plain(&twice, &(0..twice.labels.len() as u32).collect::<Vec<_>>()));
}

#[test]
fn branches_without_rows_are_taken_out() {
    let data = Small::new(vec![(Order::Nominal, 3, vec![0, 0, 2, 2])], vec![0, 0, 1, 1]);
    let ground = data.ground(C45Parameters::default());
    let split = super::grow::Split { feature: 0, test: Test::Levels(vec![0, 1, 2]), heaviest: 1 };
    let mut node = Node { split: Some((split, vec![Node::leaf(), Node::leaf(), Node::leaf()])) };
    ground.tidy(&mut node, &[0, 1, 2, 3]);
    let (split, branches) = node.split.expect("two levels are left");
    assert_eq!((split.test, split.heaviest, branches.len()), (Test::Levels(vec![0, 2]), 0, 2));
}
