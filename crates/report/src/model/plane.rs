//! Predictions moving to their codewords: figure 4 of Saberian & Vasconcelos 2019.
//!
//! Only differences of scores count, so each row's mean is taken off. The plane is the one along which the final scores spread
//! most; what class k pushes is the direction of its own score. Scores of codewords in two dimensions (three classes with the
//! simplex, or any set of dimension 2) lie in a plane, and nothing is left out.

use manyboost::engine::scores::Scores;
use serde_json::{Value, json};

use super::staged::Staged;
use crate::Page;
use crate::numbers::numbers;
use crate::words;

/// Rows that are drawn.
const ROWS: usize = 420;
/// Steps towards the plane.
const STEPS: usize = 100;
/// The most classes: of more the plane would show nothing. Scores of two lie on a line, which is what margins show.
const CLASSES: usize = 60;

pub fn section(page: &mut Page, staged: &Staged<'_>, names: &[String]) {
    let k = names.len();
    if !(3..=CLASSES).contains(&k) || staged.rounds.len() < 2 {
        return;
    }
    let Some(last) = staged.scores.last() else { return };
    let axes = axes(last);
    let place = |centred: &[f64]| axes.clone().map(|axis| dot(&axis, centred));
    let rows: Vec<u32> = super::staged::spread(staged.rows.len(), ROWS);
    let of = |at: &u32| staged.labels().class(staged.rows[*at as usize] as usize);
    let rows: Vec<u32> = rows.into_iter().filter(|at| of(at).is_some()).collect();
    let (mut spread, mut held, mut sizes) = (0.0, 0.0, Vec::new());
    for at in 0..staged.rows.len() {
        let centred = centred(last.row(at));
        let [x, y] = place(&centred);
        spread += dot(&centred, &centred);
        held += x * x + y * y;
        sizes.push(x.abs().max(y.abs()));
    }
    // The few rows that are farther out than nearly all are drawn at the edge.
    sizes.sort_by(f64::total_cmp);
    let Some(&reach) = sizes.get(sizes.len() * 99 / 100).filter(|reach| **reach > 0.0) else { return };
    // Whole numbers of a thousandth of the picture: short, and exact enough.
    let stage = |scores: &Scores| -> Value {
        let points = rows.iter().flat_map(|&at| place(&centred(scores.row(at as usize))));
        points.map(|x| json!((1000.0 * x / reach).clamp(-1000.0, 1000.0).round() as i64)).collect()
    };
    let word = |class: usize| {
        let unit: Vec<f64> = (0..k).map(|l| if l == class { 1.0 } else { 0.0 }).collect();
        numbers(place(&centred(&unit)))
    };
    let data = json!({
        "rounds": staged.rounds,
        "names": names,
        "of": rows.iter().map(of).collect::<Vec<_>>(),
        "points": staged.scores.iter().map(stage).collect::<Vec<_>>(),
        "words": (0..k).map(word).collect::<Vec<_>>(),
    });
    let figure = page.figure("plane", "Predictions of rows after each round", data);
    let share = held / spread;
    let seen = if share > 0.9999 {
        "The plane holds all of the scores.".to_string()
    } else {
        format!("Seen along the two directions that hold most: {:.0} % of the spread.", 100.0 * share)
    };
    let text = format!(
        "Each dot is a row, at the place of its scores; lines are the directions in which classes push. In the beginning all \
         rows are in the middle, and boosting moves them out along the line of their class. {} are drawn. {seen}",
        words::count(rows.len(), "row")
    );
    page.section("plane", "Predictions moving to their classes", &text, &figure);
}

/// A row's scores without their mean.
fn centred(scores: &[f64]) -> Vec<f64> {
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    scores.iter().map(|s| s - mean).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The two orthogonal directions of the largest spread, by subspace iteration.
fn axes(scores: &Scores) -> [Vec<f64>; 2] {
    let k = scores.width();
    let rows: Vec<Vec<f64>> = (0..scores.rows()).map(|row| centred(scores.row(row))).collect();
    let mut covariance = vec![vec![0.0; k]; k];
    for row in &rows {
        for (sums, a) in covariance.iter_mut().zip(row) {
            sums.iter_mut().zip(row).for_each(|(sum, b)| *sum += a * b);
        }
    }
    // The first directions: class 0 against the rest, and an upward slope, neither of which is likely to miss.
    let mut axes = [
        centred(&(0..k).map(|l| if l == 0 { 1.0 } else { 0.0 }).collect::<Vec<_>>()),
        centred(&(0..k).map(|l| ((l * l) % 7) as f64 + l as f64).collect::<Vec<_>>()),
    ];
    for _ in 0..STEPS {
        for axis in &mut axes {
            *axis = covariance.iter().map(|line| dot(line, axis)).collect();
        }
        let [first, second] = &mut axes;
        unit(first);
        let (along, length) = (dot(first, second), dot(second, second).sqrt());
        second.iter_mut().zip(first.iter()).for_each(|(s, f)| *s -= along * f);
        // Where scores lie on a line, what is left is rounding, in any direction.
        if dot(second, second).sqrt() < 1e-9 * length {
            second.fill(0.0);
        }
        unit(second);
    }
    axes
}

/// Makes a vector one of length 1; if it has no length, it stays nothing.
fn unit(vector: &mut [f64]) {
    let length = dot(vector, vector).sqrt();
    for x in vector {
        *x = if length > 1e-300 { *x / length } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_on_a_line_have_one_axis() {
        let mut scores = Scores::new(9, &[0.0; 3]);
        for (row, own) in scores.values_mut().chunks_exact_mut(3).enumerate() {
            own.iter_mut().zip([0.3, -0.1, 0.7]).for_each(|(s, word)| *s = word * (row as f64 - 3.3));
        }
        let [first, second] = axes(&scores);
        assert!((dot(&first, &first) - 1.0).abs() < 1e-9);
        assert_eq!(second, [0.0; 3]);
    }

    #[test]
    fn scores_in_a_plane_are_held_whole() {
        // f in two dimensions, five codewords on a circle.
        let word = |k: usize| [(k as f64 * 1.256_637).cos(), (k as f64 * 1.256_637).sin()];
        let mut scores = Scores::new(40, &[0.0; 5]);
        for (row, own) in scores.values_mut().chunks_exact_mut(5).enumerate() {
            let f = [(row as f64).sin() * 3.0, (row as f64 * 0.7).cos()];
            own.iter_mut().enumerate().for_each(|(k, s)| *s = dot(&word(k), &f));
        }
        let axes = axes(&scores);
        assert!((dot(&axes[0], &axes[0]) - 1.0).abs() < 1e-9 && dot(&axes[0], &axes[1]).abs() < 1e-9);
        for row in 0..40 {
            let centred = centred(scores.row(row));
            let held: f64 = axes.iter().map(|axis| dot(axis, &centred).powi(2)).sum();
            assert!((held - dot(&centred, &centred)).abs() < 1e-9);
        }
    }
}
