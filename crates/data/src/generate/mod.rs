//! Data sets from a seed: the same on every machine, one file for each idea.

pub mod blobs;
mod chi_square;
pub mod gaussians;
pub mod mixed;
mod random;
pub mod spheres;
mod tables;
pub mod waveform;

use crate::table::Table;

/// A generator: name, one line on what it makes, and how (rows, seed).
pub type Generator = (&'static str, &'static str, fn(usize, u64) -> Table);

/// All generators.
pub const GENERATORS: &[Generator] = &[
    ("gaussians", "three overlapping Gaussians in the plane (Bayes error about 11 %)", gaussians::gaussians),
    ("spheres", "three nested spheres in ten dimensions", |rows, seed| spheres::spheres(rows, 10, 3, seed)),
    (
        "waveform",
        "Breiman's waveforms: 21 features, three classes (Bayes error about 14 %)",
        waveform::waveform,
    ),
    ("blobs", "ten classes of two clusters each, 20 features of which half are noise", |rows, seed| {
        blobs::blobs(rows, &blobs::BlobShape::default(), seed)
    }),
    (
        "clusters",
        "a hundred classes of one cluster each, 30 features of which a third is noise",
        |rows, seed| {
            let shape = blobs::BlobShape { classes: 100, clusters: 1, features: 30, noise: 10, spread: 1.5 };
            blobs::blobs(rows, &shape, seed)
        },
    ),
    ("mixed", "numbers, categories, text and missing values, four classes", |rows, seed| {
        mixed::mixed(rows, 4, seed)
    }),
];

/// The generator of a name.
pub fn generator(name: &str) -> Option<&'static Generator> {
    GENERATORS.iter().find(|g| g.0 == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{PrepareOptions, prepare};
    use crate::write::write_csv;

    fn csv(table: &Table) -> Vec<u8> {
        let mut out = Vec::new();
        write_csv(table, &mut out).unwrap();
        out
    }

    #[test]
    fn generators_are_seeded_and_can_be_prepared() {
        for (name, _, make) in GENERATORS {
            let table = make(400, 7);
            assert_eq!(table.rows, 400, "{name}");
            assert_eq!(csv(&table), csv(&make(400, 7)), "{name}");
            assert_ne!(csv(&table), csv(&make(400, 8)), "{name}");
            let prepared = prepare(table, &PrepareOptions::default()).unwrap();
            assert!(prepared.dataset.labels.classes() >= 3, "{name}");
            assert_eq!(make(0, 7).rows, 0);
        }
        assert!(generator("spheres").is_some() && generator("nothing").is_none());
    }
}
