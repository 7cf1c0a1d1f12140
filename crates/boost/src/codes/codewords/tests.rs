use super::*;

fn near(ours: f64, theirs: f64, by: f64) {
    assert!((ours - theirs).abs() <= by, "{ours}, not {theirs}");
}

/// The greatest length of the sum of all codewords' coordinates: 0 for a centred set.
fn off_centre(words: &Codewords) -> f64 {
    (0..words.dim()).map(|j| words.column(j).iter().sum::<f64>().abs()).fold(0.0, f64::max)
}

/// The golden table: simplices of 2 to 8 classes.
#[test]
fn simplices_are_those_of_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/codewords.json");
    let table: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let sets = table.as_array().unwrap();
    assert!(sets.len() >= 7);
    for set in sets {
        let m = set["M"].as_u64().unwrap() as usize;
        let words = CodewordKind::Simplex.of(m, Seed::new(0));
        let golden: Vec<f64> = set["simplex"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|row| row.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()))
            .collect();
        assert_eq!(words.matrix().values().len(), golden.len());
        words.matrix().values().iter().zip(golden).for_each(|(&a, b)| near(a, b, 1e-12));
        near(words.min_distance(), set["d_min"].as_f64().unwrap(), 1e-12);
        near(words.capacity(), set["capacity"].as_f64().unwrap(), 1e-9);
    }
}

/// Best known angles, in degrees: Tammes' problem, centred.
#[test]
fn max_min_sets_reach_the_best_known_angles() {
    let cases: [(usize, usize, f64); 8] = [
        (5, 2, 72.0),
        (8, 2, 45.0),
        (5, 3, 90.0),
        (6, 3, 90.0),
        (7, 3, 75.63),
        (8, 3, 74.8585),
        (12, 3, 63.4349),
        (8, 4, 90.0),
    ];
    for (m, d, degrees) in cases {
        let words = CodewordKind::MaxMin { dim: d }.of(m, Seed::new(0));
        let angle = 2.0 * (0.5 * words.min_distance().sqrt()).asin().to_degrees();
        assert!(angle >= degrees - 6e-3, "{m} in {d} dimensions: {angle}, not {degrees}");
        assert!(off_centre(&words) < 1e-9, "{}", off_centre(&words));
        (0..m).for_each(|k| near(dot(words.word(k), words.word(k)), 1.0, 1e-9));
        // Lemma 2, as corrected: ¼ d_min ≤ C ≤ ½ √d_min.
        let (least, capacity) = (words.min_distance(), words.capacity());
        assert!(capacity >= 0.25 * least - 1e-9 && capacity <= 0.5 * least.sqrt() + 1e-9);
    }
}

#[test]
fn capacities_of_other_sets() {
    for m in 2..7 {
        let canonical = CodewordKind::Canonical.of(m, Seed::new(0));
        near(canonical.capacity(), 0.5 * (m as f64 / (m as f64 - 1.0)).sqrt(), 1e-9);
        near(canonical.min_distance(), 2.0, 1e-12);
    }
}

#[test]
fn random_words_are_distinct_unit_vectors() {
    for (m, d) in [(2, 1), (4, 2), (5, 5), (8, 3), (30, 10)] {
        let kind = CodewordKind::Random { dim: Some(d) };
        kind.check(m).unwrap();
        let words = kind.of(m, Seed::new(4));
        assert!(words.min_distance() > 0.0, "{m} words of {d} signs");
        (0..m).for_each(|k| near(dot(words.word(k), words.word(k)), 1.0, 1e-12));
    }
}

#[test]
fn sets_that_do_not_fit_are_refused() {
    assert!(CodewordKind::MaxMin { dim: 1 }.check(3).is_err());
    assert!(CodewordKind::MaxMin { dim: 4 }.check(4).is_err());
    assert!(CodewordKind::MaxMin { dim: 3 }.check(4).is_ok());
    assert!(CodewordKind::Random { dim: Some(1) }.check(3).is_err());
    assert!(CodewordKind::Given(Matrix::new(1, vec![1.0, 1.0])).check(2).is_err());
    assert!(CodewordKind::Given(Matrix::new(1, vec![1.0, -1.0])).check(3).is_err());
}

#[test]
fn searched_sets_have_no_less_capacity() {
    for (m, dim) in [(4, 2), (5, 2), (6, 3), (9, 2)] {
        let [far, wide] =
            [CodewordKind::MaxMin { dim }, CodewordKind::MaxCapacity { dim }].map(|kind| kind.drawn(m, 1));
        assert!(wide.capacity() >= far.capacity(), "{m} {dim}");
        assert!((0..m).all(|k| (dot(wide.word(k), wide.word(k)) - 1.0).abs() < 1e-9));
        // Theorem 3: no set has more than the simplex.
        assert!(wide.capacity() < 0.5 * m as f64 / (m as f64 - 1.0));
        assert_eq!(wide, CodewordKind::MaxCapacity { dim }.drawn(m, 2), "the same for every seed");
    }
    assert_eq!(CodewordKind::MaxCapacity { dim: 3 }.drawn(4, 1), CodewordKind::Simplex.drawn(4, 1));
}
