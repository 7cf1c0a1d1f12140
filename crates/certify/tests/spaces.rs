//! Spaces of stumps and small trees on random tables: exhaustive search against its naive twin, certificates against training.

use std::sync::atomic::AtomicBool;

use manyboost::engine::train::{Outcome, Training};
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_certify::oracle::cost;
use manyboost_certify::{Depth, Findings, HypothesisSpace, Learner, Settings, StumpSpace, certify};
use manyboost_data::{Column, Kind, Numbers, PrepareOptions, Prepared, Role, Table, Values, Words, prepare};
use proptest::prelude::*;

/// Nobody wants an end.
static GO_ON: AtomicBool = AtomicBool::new(false);

/// Two numbers, the second of which may be missing, a category and a class.
type Row = (i8, Option<i8>, u8, u8);

fn rows(most: usize) -> impl Strategy<Value = Vec<Row>> {
    prop::collection::vec((-3i8..3, prop::option::weighted(0.9, -5i8..5), 0u8..3, 0u8..3), 4..most)
}

fn prepared(rows: &[Row]) -> Prepared {
    let words = |prefix: &str, of: &dyn Fn(&Row) -> u8| {
        let dictionary = (0..3).map(|i| format!("{prefix}{i}").into()).collect();
        Values::Words(Words { codes: rows.iter().map(|r| u32::from(of(r))).collect(), dictionary })
    };
    let number = |of: &dyn Fn(&Row) -> f64| Values::Numbers(Numbers::F64(rows.iter().map(of).collect()));
    let column = |name: &str, role, values| Column { name: name.into(), role, values };
    let columns = vec![
        column("a", Role::Feature(Some(Kind::Number)), number(&|r| f64::from(r.0))),
        column("b", Role::Feature(Some(Kind::Number)), number(&|r| r.1.map_or(f64::NAN, f64::from))),
        column("c", Role::Feature(Some(Kind::Category)), words("level", &|r| r.2)),
        column("class", Role::Target, words("class", &|r| r.3)),
    ];
    prepare(
        Table { source: "random".into(), columns, rows: rows.len(), notes: Vec::new() },
        &PrepareOptions::default(),
    )
    .unwrap()
}

fn classes(prepared: &Prepared) -> Vec<u32> {
    let labels = &prepared.dataset.labels;
    (0..prepared.dataset.rows()).filter_map(|row| labels.class(row)).collect()
}

/// Every way to divide rows by one cut: numbers as the values themselves tell it, categories by level (rare ones are missing).
fn divisions(rows: &[Row], prepared: &Prepared) -> Vec<Vec<bool>> {
    let mut all = vec![vec![true; rows.len()]];
    for cut in -6i8..6 {
        all.push(rows.iter().map(|row| row.0 <= cut).collect());
        for missing in [false, true] {
            all.push(rows.iter().map(|row| row.1.map_or(missing, |b| b <= cut)).collect());
        }
    }
    let bins = &prepared.dataset.bins;
    let levels = bins.features()[2].bins;
    for level in 0..levels {
        for missing in [false, true] {
            let side = |row: usize| match bins.code(row, 2) {
                code if code == levels => missing,
                code => code == level,
            };
            all.push((0..rows.len()).map(side).collect());
        }
    }
    all
}

/// The least cost of rows that say one class.
fn least(costs: &[i64], k: usize, within: impl Fn(usize) -> bool) -> i64 {
    let sum =
        |l: usize| costs.chunks_exact(k).enumerate().filter(|(i, _)| within(*i)).map(|(_, c)| c[l]).sum();
    (0..k).map(sum).min().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn exhaustive_search_misses_nothing(rows in rows(16), numbers in prop::collection::vec(-9i64..9, 48)) {
        let prepared = prepared(&rows);
        let k = 3;
        let costs = &numbers[..rows.len() * k];
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        let divisions = divisions(&rows, &prepared);
        let stump = |within: &dyn Fn(usize) -> bool| {
            let cost = |d: &Vec<bool>| least(costs, k, |i| within(i) && d[i]) + least(costs, k, |i| within(i) && !d[i]);
            divisions.iter().map(cost).min().unwrap()
        };
        let deep = divisions.iter().map(|d| stump(&|i| d[i]) + stump(&|i| !d[i])).min().unwrap();
        for (depth, best) in [(Depth::One, stump(&|_| true)), (Depth::Two, deep)] {
            let space = StumpSpace::new(&prepared.dataset.bins, depth, 1);
            let says = space.oracle(&all, &[0, 1, 2]).unwrap().query(costs);
            prop_assert_eq!(cost(&says, costs, k), best, "{:?}", depth);
        }
    }
}

fn trained(prepared: &Prepared, booster: &str, rounds: usize) -> Outcome {
    with_options(prepared, booster, &[("rounds", &rounds.to_string())])
}

fn with_options(prepared: &Prepared, booster: &str, options: &[(&str, &str)]) -> Outcome {
    let options = options.iter().chain(&[("learner", "stump")]);
    let options = options.map(|(name, value)| (name.to_string(), value.to_string()));
    let setup = Setup::new(booster, Options::new(options)).unwrap();
    let data = &prepared.dataset;
    let plan = setup.plan(1, None);
    Training::new(&plan, data, &prepared.encoder).outcome().unwrap()
}

fn stumps(prepared: &Prepared) -> Findings {
    let settings = Settings { tolerance: 1e-7, ..Settings::default() };
    let space = StumpSpace::new(&prepared.dataset.bins, Depth::One, 1);
    certify(&space, &classes(prepared), prepared.dataset.labels.classes(), settings, &GO_ON)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Where rows are boostable, MM is right on all of them within the rounds of its bound, and has the edge γ in each; where
    /// they are not, nobody is ever right on all of them.
    #[test]
    fn training_does_what_certificates_say(rows in rows(28)) {
        let prepared = prepared(&rows);
        let k = prepared.dataset.labels.classes();
        prop_assume!(k > 1);
        let found = stumps(&prepared);
        let margin = found.margin_interval();
        prop_assert!(margin.upper - margin.lower < 1e-6, "{:?}", margin);
        match found.boostable() {
            Some(true) => {
                let bound = found.rounds_of_mm().unwrap();
                prop_assume!(bound < 20_000.0);
                let outcome = trained(&prepared, "mm", bound as usize);
                prop_assert_eq!(outcome.history.last().unwrap().train_error, 0.0);
                for record in &outcome.history {
                    prop_assert!(record.edge.unwrap() > margin.lower - 1e-6);
                }
            }
            Some(false) => {
                for booster in ["mm", "mr", "mh", "samme", "logitboost", "ova", "gd-mcboost"] {
                    let outcome = trained(&prepared, booster, 60);
                    let errors = outcome.history.iter().map(|record| record.train_error);
                    prop_assert!(errors.fold(1.0, f64::min) > 0.0, "{}", booster);
                }
            }
            None => prop_assert!(false, "not decided: {:?}", margin),
        }
        // Boostable implies iterative weak learnability, for stumps on all sets of classes.
        if margin.lower > 0.0 {
            for subset in &found.subsets {
                let needed = 2.0 * margin.lower * (1.0 - 1.0 / subset.classes.len() as f64);
                prop_assert!(subset.value.unwrap().upper > needed - 1e-6);
            }
        }
    }

    /// With a hard margin `LPBoost` ends at the margin of the certificate, and no edge on its way is below it.
    #[test]
    fn lpboost_finds_the_margin(rows in rows(24)) {
        let prepared = prepared(&rows);
        prop_assume!(prepared.dataset.labels.classes() > 1);
        let margin = stumps(&prepared).margin_interval();
        let outcome = with_options(&prepared, "lp", &[("nu", "0"), ("rounds", "400")]);
        for record in &outcome.history {
            prop_assert!(record.edge.unwrap() > margin.lower - 1e-6);
            prop_assert!(1.0 - record.loss < margin.upper + 1e-6);
        }
        // Without any edge there is nothing to mix.
        let found = outcome.history.last().map_or(0.0, |record| 1.0 - record.loss);
        prop_assert!((found - margin.lower).abs() < 1e-6, "{} {:?}", found, margin);
    }

    /// One class is a set of classes: those who may name sets have no less of a lead. With two classes, yes and no to each are the two classes,
    /// and MH's condition is that of one class; and whoever is right on every label ranks the own class first.
    #[test]
    fn sets_are_no_weaker_than_classes(rows in rows(24)) {
        let mut prepared = prepared(&rows);
        let k = prepared.dataset.labels.classes();
        prop_assume!(k > 1);
        let found = stumps(&prepared);
        let (mh, mr) = (found.mh_of_sets.unwrap(), found.mr_of_sets.unwrap());
        prop_assert!(mh.upper - mh.lower < 1e-5 && mr.upper - mr.lower < 1e-5);
        prop_assert!(mr.upper > found.margin.lower - 1e-9);
        prop_assert!(mr.upper > mh.lower - 1e-9);
        if k == 2 {
            prop_assert!((mh.lower - found.m1().lower).abs() < 1e-5, "{:?} {:?}", mh, found.m1());
        }
        // The stump learner of training finds as good ones.
        let y = classes(&prepared);
        let learner = Setup::new("mm", Options::default()).unwrap().learner;
        let space = Learner::new(learner, &mut prepared.dataset, &prepared.encoder).unwrap();
        let greedy = certify(&space, &y, k, Settings { tolerance: 1e-7, ..Settings::default() }, &GO_ON);
        prop_assert!((greedy.mh_of_sets.unwrap().lower - mh.lower).abs() < 1e-5);
        prop_assert!((greedy.mr_of_sets.unwrap().lower - mr.lower).abs() < 1e-5);
    }

    /// What the stump learner of training finds is as good as what exhaustive search finds.
    #[test]
    fn the_learner_of_stumps_is_exact(rows in rows(24)) {
        let mut prepared = prepared(&rows);
        let y = classes(&prepared);
        let k = prepared.dataset.labels.classes();
        prop_assume!(k > 1);
        let exact = stumps(&prepared).margin_interval();
        let learner = Setup::new("mm", Options::default()).unwrap().learner;
        let space = Learner::new(learner, &mut prepared.dataset, &prepared.encoder).unwrap();
        let greedy = certify(&space, &y, k, Settings { tolerance: 1e-7, ..Settings::default() }, &GO_ON).margin_interval();
        prop_assert!(greedy.lower <= greedy.upper + 1e-12);
        prop_assert!((exact.lower - greedy.lower).abs() < 1e-6 && (exact.upper - greedy.upper).abs() < 1e-6);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Stumps are said to beat guessing under every labelling exactly where they do under all labellings with two labels.
    #[test]
    fn labellings_are_judged_rightly(rows in rows(9), least in 1usize..3) {
        let prepared = prepared(&rows);
        let y = classes(&prepared);
        let space = StumpSpace::new(&prepared.dataset.bins, Depth::One, least);
        let bins = &prepared.dataset.bins;
        // Rows of one class that look the same have one label.
        let look = |row: usize| (y[row], (0..3).map(|feature| bins.code(row, feature)).collect::<Vec<_>>());
        let mut looks: Vec<_> = (0..y.len()).map(look).collect();
        looks.sort();
        looks.dedup();
        let group = |row: usize| looks.binary_search(&look(row)).unwrap();
        let settings = Settings { tolerance: 1e-7, ..Settings::default() };
        let beats = |labels: u32| {
            let labels: Vec<u32> = (0..y.len()).map(|row| labels >> group(row) & 1).collect();
            certify(&space, &labels, 2, settings, &GO_ON).accuracy.lower > 0.5 + 1e-6
        };
        let all = (1..(1u32 << looks.len()) - 1).all(beats);
        let said = space.beats_guessing(&y, &GO_ON);
        // With more rows to a side some cuts are not counted on: what is said to be so is so.
        if least == 1 {
            prop_assert_eq!(said, Some(all));
        } else {
            prop_assert!(said != Some(true) || all);
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Where AdaBoost.Iter by position is promised to err on no row, it does not, if only its epochs are long enough.
    #[test]
    fn iter_keeps_what_is_promised(rows in rows(12)) {
        let prepared = prepared(&rows);
        let found = stumps(&prepared);
        prop_assume!(found.classes > 2 && found.beats_guessing == Some(true));
        let options = [("relabel", "position"), ("epoch", "2000")].map(|(n, v)| (n.to_string(), v.to_string()));
        let setup = Setup::new("iter", Options::new(options)).unwrap();
        let plan = setup.plan(1, None);
        let outcome = Training::new(&plan, &prepared.dataset, &prepared.encoder).outcome().unwrap();
        prop_assert_eq!(outcome.history.last().unwrap().train_error, 0.0);
    }
}

#[test]
fn rows_that_look_alike_end_the_search() {
    let found =
        stumps(&prepared(&[(0, Some(0), 0, 0), (1, Some(1), 0, 1), (0, Some(0), 0, 2), (2, None, 1, 1)]));
    assert_eq!(found.alike, Some([0, 2]));
    assert_eq!((found.margin.lower, found.margin.upper), (0.0, 0.0));
    assert_eq!(found.boostable(), Some(false));
    assert!(found.verdicts()[0].why.contains("rows 1 and 3 look the same"));
}

/// Parity of two numbers: no stump is better than chance; every tree of depth 2 can be right.
#[test]
fn parity_needs_two_cuts() {
    let prepared =
        prepared(&[(0, Some(0), 0, 0), (0, Some(1), 0, 1), (1, Some(0), 0, 1), (1, Some(1), 0, 0)]);
    let one = stumps(&prepared);
    assert_eq!((one.boostable(), one.margin.lower), (Some(false), 0.0));
    assert!(one.margin.upper < 1e-9);
    let space = StumpSpace::new(&prepared.dataset.bins, Depth::Two, 1);
    let two = certify(&space, &classes(&prepared), 2, Settings::default(), &GO_ON);
    assert!(two.margin.lower > 1.0 - 1e-6 && two.boostable() == Some(true));
}

#[test]
fn threads_change_nothing() {
    let rows: Vec<Row> = (0..60u32)
        .map(|i| {
            ((i * 7 % 6) as i8 - 3, Some((i * i % 10) as i8 - 5), (i % 3) as u8, (i * i * i % 7 % 3) as u8)
        })
        .collect();
    let prepared = prepared(&rows);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(|| stumps(&prepared));
        (found.margin.lower, found.margin.upper, found.margin.weights, found.edge_over_random, found.accuracy)
    };
    assert_eq!(with(1), with(3));
}

/// Definition 3.8 against every way to divide the rows, and Corollary 3.9: what separates is iteratively weakly learnable.
#[test]
fn separation_is_what_single_cuts_can_do() {
    let some = |seed: u8| -> Vec<Row> {
        let row = |i: u8| {
            let mixed = u16::from(i) * u16::from(seed);
            ((mixed % 7) as i8 - 3, Some((i * 3 % 11) as i8 - 5), i % 3, (mixed / 3 % 3) as u8)
        };
        (0..4 + seed % 5).map(row).collect()
    };
    let mut seen = [0; 2];
    for seed in 1..60 {
        let rows = some(seed);
        let prepared = prepared(&rows);
        let y = classes(&prepared);
        let space = StumpSpace::new(&prepared.dataset.bins, Depth::One, 1);
        let divisions = divisions(&rows, &prepared);
        let cut_off = |row: usize| {
            let alone = |left: &Vec<bool>| {
                let with = left.iter().filter(|&&side| side == left[row]).count();
                with == 1
            };
            divisions.iter().any(alone)
        };
        let expected = (0..rows.len()).all(cut_off);
        assert_eq!(space.separates(), Some(expected), "{rows:?}");
        seen[usize::from(expected)] += 1;
        let k = prepared.dataset.labels.classes();
        if expected && k > 1 {
            let found = certify(&space, &y, k, Settings::default(), &GO_ON);
            assert!(found.symmetric && found.iterative().is_some_and(|value| value.lower > 0.0), "{rows:?}");
        }
    }
    assert!(seen[0] > 0, "{seen:?}");
}
