//! The worked examples of Mukherjee & Schapire 2013 and Cho, Libgober & Ding 2024, by value: small spaces of classifiers that are listed one by one.

use std::sync::atomic::AtomicBool;

use manyboost_certify::{Findings, Interval, ListedClassifiers, Settings, certify};
use serde_json::Value;

/// Nobody wants an end.
static GO_ON: AtomicBool = AtomicBool::new(false);

const SETTINGS: Settings = Settings { tolerance: 1e-9, subsets: 4, work: 1e10 };

fn examples() -> Vec<Value> {
    serde_json::from_str(include_str!("theory.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|x| x.as_u64().unwrap() as u32).collect()
}

fn findings(classifiers: Vec<Vec<u32>>, y: &[u32], k: usize) -> Findings {
    certify(&ListedClassifiers { classifiers }, y, k, SETTINGS, &GO_ON)
}

fn close(found: Interval, expected: f64, what: &str) {
    let near = |x: f64| (x - expected).abs() < 5e-9;
    assert!(near(found.lower) && near(found.upper), "{what}: {found:?}, not {expected}");
}

#[test]
fn conditions_have_the_values_of_the_golden_file() {
    for example in examples() {
        let name = example["name"].as_str().unwrap();
        let classifiers = example["P"].as_array().unwrap().iter().map(numbers).collect();
        let (y, k) = (numbers(&example["y"]), example["k"].as_u64().unwrap() as usize);
        let found = findings(classifiers, &y, k);
        let golden = |key: &str| example[key].as_f64().unwrap();
        close(found.margin_interval(), golden("boostability_margin"), name);
        close(found.margin_interval(), golden("mr_game_value"), name);
        close(found.samme(), golden("samme_gamma_prime"), name);
        close(found.m1(), golden("m1_gamma"), name);
        close(found.m1(), golden("mh_gamma"), name);
        close(found.edge_over_random, golden("eor_uniform_gamma"), name);
        for (classes, value) in example["iwl"].as_object().unwrap() {
            let classes: Vec<u32> = classes.chars().map(|c| c.to_digit(10).unwrap()).collect();
            let subset = found.subsets.iter().find(|subset| subset.classes == classes).unwrap();
            assert!(subset.whole);
            match value.as_f64() {
                Some(value) => close(subset.value.unwrap(), value, &format!("{name} on {classes:?}")),
                None => assert!(subset.value.is_none(), "{name} on {classes:?}"),
            }
        }
    }
}

#[test]
fn figure_1_satisfies_samme_and_is_not_boostable() {
    let found = findings(vec![vec![0, 0], vec![1, 1]], &[0, 1], 3);
    close(found.samme(), 1.0 / 6.0, "SAMME");
    assert_eq!(found.samme().holds(1e-9), Some(true));
    assert_eq!(found.boostable(), Some(false));
    assert_eq!(found.iterative().unwrap().holds(1e-9), Some(false));
}

/// Section 4.2.2: for every subset of a share 1/k + γ (1 − 1/k) of the examples, classifiers that are right on it, with their
/// mistakes spread evenly. The edge over random is γ; MH's condition is missed by (1 − γ)(1/2 − 1/k) of each example's cost.
#[test]
fn subsets_beat_random_guessing_and_not_mh() {
    let (m, k, right, gamma) = (5u32, 4u32, 2u32, 0.2);
    let mut classifiers = Vec::new();
    for set in (0u32..1 << m).filter(|set| set.count_ones() == right) {
        for wrong in 0..(k - 1).pow(m - right) {
            let mut rest = wrong;
            let says = (0..m).map(|i| {
                if set >> i & 1 == 1 {
                    return 0;
                }
                let class = 1 + rest % (k - 1);
                rest /= k - 1;
                class
            });
            classifiers.push(says.collect());
        }
    }
    let found = findings(classifiers, &vec![0; m as usize], k as usize);
    close(found.edge_over_random, gamma, "edge over random");
    close(found.margin_interval(), gamma, "margin");
    let short = |x: f64| 0.5 + 0.5 * gamma - x;
    let missed = Interval { lower: short(found.accuracy.lower), upper: short(found.accuracy.upper) };
    close(missed, (1.0 - gamma) * (0.5 - 1.0 / f64::from(k)), "MH");
    assert_eq!(found.m1().holds(1e-9), Some(false));
}
