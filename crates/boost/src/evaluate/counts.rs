//! Counts of what rows are and what they are taken for.

use manyboost_data::{Applied, TargetSpec};

use crate::engine::scores::{Scores, argmax};

/// What rows are and what the model takes them for, by weight (the lightest row counts as one).
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    /// What classes or labels are called.
    pub names: Vec<String>,
    /// For classes: rows of each class by predicted class; the last are those of unknown classes.
    pub matrix: Vec<Vec<f64>>,
    /// For each label: has it and named, has it, named.
    pub labels: Vec<[f64; 3]>,
    /// Whether rows have sets of labels.
    pub sets: bool,
}

impl Counts {
    /// Counts rows by the scores of their classes.
    pub fn new(target: &TargetSpec, rows: &Applied, scores: &Scores) -> Self {
        let k = rows.labels.classes();
        let sets = rows.labels.is_sets();
        let names = (0..k).map(|class| target.label(class).unwrap_or("").to_string()).collect();
        let mut matrix = vec![vec![0.0; k]; if sets { 0 } else { k + 1 }];
        let mut labels = vec![[0.0; 3]; k];
        let one = f64::from(rows.weights.one() as u32);
        for (row, &units) in rows.weights.units().iter().enumerate() {
            let weight = f64::from(units) / one;
            let scores = scores.row(row);
            if sets {
                for (label, (counts, &score)) in labels.iter_mut().zip(scores).enumerate() {
                    let (has, named) = (rows.labels.has(row, label as u32), score > 0.0);
                    for (count, yes) in counts.iter_mut().zip([has && named, has, named]) {
                        *count += if yes { weight } else { 0.0 };
                    }
                }
            } else {
                let class = rows.labels.class(row).map_or(k, |class| class as usize);
                matrix[class][argmax(scores)] += weight;
            }
        }
        if !sets {
            for class in 0..k {
                let named = matrix.iter().map(|row| row[class]).sum();
                labels[class] = [matrix[class][class], matrix[class].iter().sum(), named];
            }
        }
        Self { names, matrix, labels, sets }
    }

    /// Weight of rows whose class the model does not know.
    pub fn unknown(&self) -> f64 {
        self.matrix.last().map_or(0.0, |row| row.iter().sum())
    }

    /// Classes that are taken for others, the most frequent first: the weight of such rows, what they are and what they are taken for.
    pub fn confusions(&self) -> Vec<(f64, usize, usize)> {
        let mut pairs = Vec::new();
        for (is, row) in self.matrix.iter().take(self.names.len()).enumerate() {
            let wrong = row.iter().enumerate().filter(|&(named, &x)| named != is && x > 0.0);
            pairs.extend(wrong.map(|(named, &x)| (x, is, named)));
        }
        pairs.sort_by(|a: &(f64, _, _), b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        pairs
    }
}

/// A ratio, if it is defined.
pub fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}
