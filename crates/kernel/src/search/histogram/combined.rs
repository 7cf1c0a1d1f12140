//! Counting by combination: regions of many rows add each row once for several features.

use crate::bins::combined::{Combination, Combined};
use crate::bins::{Bins, Place, TILE};
use crate::search::accumulate::{Sign, TileLanes};
use crate::search::histogram::Builder;
use crate::search::source::Sum;

/// Where the sums of combinations go.
#[derive(Clone, Debug)]
pub(crate) struct Spread {
    /// Combinations of all lanes.
    cells: usize,
    /// The cells of the histogram that each of them is added to, and where those of the next one begin.
    into: Vec<u32>,
    ends: Vec<usize>,
    /// How many cells are added to fewer for each row.
    spared: usize,
}

impl Spread {
    /// Into histograms in which features begin at these cells.
    pub(crate) fn new(bins: &Bins, combined: &Combined, starts: &[usize]) -> Self {
        let cell = |feature: u32, code: u8| {
            let (start, code) = (starts[feature as usize], usize::from(code));
            match bins.place(feature as usize) {
                Place::Sparse(index) => {
                    let default = bins.sparse().default_code(index as usize) as usize;
                    (code != default).then(|| start + code - usize::from(code > default))
                }
                _ => Some(start + code),
            }
        };
        let (mut into, mut ends) = (Vec::new(), Vec::new());
        for lane in &combined.lanes {
            for codes in lane.combinations() {
                let cells = lane.features.iter().zip(codes);
                into.extend(
                    cells.filter_map(|(&feature, &code)| cell(feature, code)).map(|cell| cell as u32),
                );
                ends.push(into.len());
            }
        }
        let spared = combined.instead_of.saturating_sub(combined.lanes.len()).max(1);
        Self { cells: ends.len(), spared, into, ends }
    }
}

impl<S: Sum> Builder<'_, S> {
    /// Combinations by which so many rows are counted, if that is quicker: a row adds to fewer cells, and then all sums of all
    /// combinations are cleared and added to those of codes.
    pub(crate) fn combined(&self, rows: usize) -> Option<(&Combined, &Spread)> {
        let added = self.passes.sums_of_a_row();
        let pays = |spread: &Spread| {
            rows * spread.spared * added >= (spread.into.len() + spread.ends.len()) * self.width
        };
        self.bins.combined().zip(self.layout.spread.as_ref()).filter(|(_, spread)| pays(spread))
    }

    /// Codes that a row of a region of so many rows adds, and the cells that they are added to.
    pub(crate) fn work(&self, rows: usize) -> (usize, usize) {
        let (entries, cells) = (self.layout.entries, self.layout.cells);
        self.combined(rows).map_or((entries, cells), |(combined, spread)| {
            (entries - combined.instead_of.min(entries) + combined.lanes.len(), cells + spread.cells)
        })
    }

    /// Adds rows to the cells of all features that are combined, or takes them away.
    pub(crate) fn count_combined(
        &self,
        sign: Sign,
        rows: &[u32],
        histogram: &mut [S],
        (combined, spread): (&Combined, &Spread),
    ) {
        let width = self.width;
        let mut sums = self.pool.take();
        sums.clear();
        sums.resize(spread.cells * width, S::default());
        let mut rest = sums.as_mut_slice();
        for (codes, lanes) in combined.tiles() {
            let (mut starts, mut next) = ([0; TILE], 0);
            for (start, lane) in starts.iter_mut().zip(lanes) {
                *start = next * width;
                next += Combination::combinations(lane).len();
            }
            let own = rest.split_off_mut(..next * width).unwrap_or_default();
            let tile = TileLanes { codes, lanes: 0..lanes.len(), starts: &starts };
            // SAFETY: rows are those of the bins, which were checked; `own` has a cell for each combination of each lane.
            unsafe { self.passes.tile(sign, rows, tile, own) };
        }
        let mut from = 0;
        for (sums, &to) in sums.chunks_exact(width).zip(&spread.ends) {
            // Weights are positive, so a combination that has rows has weight.
            if sums[0] != S::default() {
                for &cell in &spread.into[from..to] {
                    let cell = &mut histogram[cell as usize * width..][..width];
                    cell.iter_mut().zip(sums).for_each(|(sum, &x)| *sum += x);
                }
            }
            from = to;
        }
        self.pool.give(sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bins::{BinsBuilder, Codes, Feature, Order};
    use crate::exchange::Alone;
    use crate::numbers::seed::Seed;
    use crate::search::score::LeastCost;
    use crate::search::{Rules, Searcher};
    use crate::sums::channels::{Channels, Precision, RowWeights, Statistics};

    const ROWS: usize = 5000;

    /// A board of columns that are filled from below (sparse features on top of nine dense ones), seven columns without any relation, and
    /// perhaps one of many codes, which is in a tile of its own.
    fn board(many: bool) -> Bins {
        let mut builder = BinsBuilder::new(ROWS);
        let mut push = |bins: u32, code: &dyn Fn(u64) -> u64| {
            let codes = (0..ROWS as u64).map(|row| code(row) as u8).collect();
            builder.push(Feature { order: Order::Nominal, bins, missing: false }, Codes::Bytes(codes));
        };
        let draw = |row: u64, part: u64, below: u64| Seed::new(3).part(row).part(part).below(below);
        for column in 0..3 {
            let height = move |row: u64| draw(row, column, 7).min(draw(row, 50 + column, 7));
            for cell in 0..5 {
                let code = move |row: u64| {
                    if cell < height(row) { 1 + draw(row, 100 + 10 * column + cell, 2) } else { 0 }
                };
                push(3, &code);
            }
        }
        (0..7).for_each(|loose| push(5, &move |row| draw(row, 200 + loose, 5)));
        if many {
            push(100, &|row| draw(row, 300, 100));
        }
        builder.finish()
    }

    #[test]
    fn combinations_have_the_sums_of_their_codes() {
        for many in [false, true] {
            let bins = board(many);
            let combined = bins.combined().expect("few combinations");
            // The tile with the column of many codes is counted as it is.
            assert_eq!(combined.covered.iter().filter(|covered| !**covered).count(), usize::from(many));
            assert!(combined.sparse && combined.lanes.len() < 9);
            let values: Vec<f64> = (0..3 * ROWS as u64).map(|i| Seed::new(4).part(i).unit() - 0.5).collect();
            let units: Vec<u32> = (0..ROWS as u32).map(|row| 1 + row % 3).collect();
            let mut channels = Channels::default();
            let statistics = Statistics::Dense { values: &values, width: 3 };
            let weights = RowWeights { units: &units, step: 1.0 };
            channels.quantise(&statistics, weights, Precision::Narrow, 1, &Alone);
            let rules = Rules { min_weight: 1, equality: false, min_level: 1, features: 1.0, cuts: 0 };
            let searcher = Searcher::<i32>::new(&bins);
            let search = searcher.round(&channels, &LeastCost, rules, &Alone);
            let rows: Vec<u32> = (0..ROWS as u32).filter(|row| row % 7 != 2).collect();
            let (some, others) = rows.split_at(3000);
            assert!(search.builder.combined(some.len()).is_some());
            let histogram = search.builder.build(some);
            let mut plain = search.builder.build(&[]);
            some.chunks(1).for_each(|row| search.builder.count(Sign::Plus, row, &mut plain));
            assert_eq!(histogram, plain);
            let mut rest = search.builder.build(&rows);
            search.builder.count(Sign::Minus, some, &mut rest);
            assert_eq!(rest, search.builder.build(others));
            assert_ne!(rest, histogram);
        }
    }
}
