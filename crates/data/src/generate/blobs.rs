//! Clusters of points: each class is one or more Gaussian balls with centres drawn at random; some features tell nothing.

use super::random::Random;
use super::tables;
use crate::table::Table;

/// How many of what.
#[derive(Clone, Debug, PartialEq)]
pub struct BlobShape {
    /// Classes.
    pub classes: usize,
    /// Clusters of each class.
    pub clusters: usize,
    /// Features in all.
    pub features: usize,
    /// Features that are pure noise (the last ones).
    pub noise: usize,
    /// Standard deviation of the centres' coordinates; points scatter around them with 1.
    pub spread: f64,
}

impl Default for BlobShape {
    fn default() -> Self {
        Self { classes: 10, clusters: 2, features: 20, noise: 10, spread: 1.5 }
    }
}

/// Rows of a cluster drawn at random.
pub fn blobs(rows: usize, shape: &BlobShape, seed: u64) -> Table {
    let (classes, clusters, features) = (shape.classes.max(1), shape.clusters.max(1), shape.features.max(1));
    let informative = features.saturating_sub(shape.noise);
    // Centres have random numbers of their own, so that more rows leave them where they are.
    let mut random = Random::new(seed, 4);
    let centres: Vec<f64> =
        (0..classes * clusters * informative).map(|_| shape.spread * random.normal()).collect();
    let mut random = Random::new(seed, 5);
    let (mut values, mut of) = (Vec::with_capacity(rows * features), Vec::with_capacity(rows));
    for _ in 0..rows {
        let cluster = random.below(classes * clusters);
        for feature in 0..features {
            let centre = if feature < informative { centres[cluster * informative + feature] } else { 0.0 };
            values.push(centre + random.normal());
        }
        of.push((cluster / clusters) as u32);
    }
    tables::table("blobs", tables::numbers(&values, features), of, tables::numbered(classes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_classes() {
        let shape = BlobShape { classes: 1000, clusters: 1, features: 5, noise: 2, spread: 2.0 };
        let table = blobs(20_000, &shape, 1);
        assert_eq!((table.columns.len(), table.rows), (6, 20_000));
        let crate::table::Values::Words(words) = &table.columns[5].values else { panic!("words") };
        let mut seen = words.codes.clone();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 1000);
    }
}
