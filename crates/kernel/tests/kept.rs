//! Kept sums are those of counting everything anew.

mod common;

use common::{ALL, Table, shapes};
use manyboost_kernel::search::score::LogOdds;
use manyboost_kernel::{Alone, CachedChannels, RowUpdate, RowWeights, Searcher, Seed, Totals};
use proptest::prelude::*;

proptest! {
    #[test]
    fn changes_lead_where_counting_does(shape in shapes(0..8), rounds in 1..6u64) {
        let table = Table::new(&shape);
        let (bins, channels) = (table.bins(), 2 * (1 + shape.channels / 2));
        let searcher = Searcher::<i64>::new(&bins);
        let totals = Totals::new(RowWeights { units: &table.units, step: 0.5 }, &Alone);
        let seed = Seed::new(shape.seed);
        let mut values: Vec<Vec<f64>> = vec![vec![1.0; channels]; table.rows];
        let mut kept = CachedChannels::default();
        for round in 0..rounds {
            let draw = |row: usize, c: usize| seed.part(round).part(row as u64).part(c as u64).unit();
            let changed: Vec<u32> = (0..table.rows as u32).filter(|&r| draw(r as usize, 99) < 0.3).collect();
            // Some values vanish; some are large enough for another grid.
            for &row in &changed {
                for (c, value) in values[row as usize].iter_mut().enumerate() {
                    let u = draw(row as usize, c);
                    *value = if u < 0.5 { 0.0 } else { *value * (40.0 * u - 24.0).exp2() };
                }
            }
            let worth: Vec<f64> = (0..channels).map(|c| 0.5 + draw(0, 100 + c)).collect();
            let write = |row: usize, out: &mut [f64]| out.copy_from_slice(&values[row]);
            let update = |changed| RowUpdate { changed, worth: &worth, write: &write };
            searcher.rewrite(&mut kept, &totals, &update(Some(&changed)));
            let mut anew = CachedChannels::default();
            searcher.rewrite(&mut anew, &totals, &update(None));
            prop_assert_eq!(kept.sums(&totals), anew.sums(&totals));
            prop_assert_eq!(kept.channels().steps(), anew.channels().steps());
            let rows: Vec<u32> = (0..table.rows as u32).collect();
            let search = |kept| searcher.round(kept, &LogOdds, ALL, &Alone);
            let counted = search(anew.channels());
            let with = search(kept.channels()).with(&kept);
            let total = counted.total(&rows);
            prop_assert_eq!(&with.total(&rows), &total);
            let best = counted.best(&rows, &total, &counted.histogram(&rows), seed);
            prop_assert_eq!(with.best(&rows, &total, &with.histogram(&rows), seed), best);
            for (sum, c) in kept.sums(&totals)[1..].iter().zip(0..) {
                let plain: f64 = values.iter().zip(&table.units).map(|(v, &u)| v[c] * f64::from(u)).sum();
                let plain = 0.5 * plain * worth[c];
                let largest = values.iter().flatten().fold(0.0f64, |m, &v| m.max(v));
                prop_assert!((sum - plain).abs() <= 1e-9 * largest * table.rows as f64, "{sum} and {plain}");
            }
        }
    }
}
