//! Which features a region may use.

use std::collections::HashMap;

use crate::bins::Place;
use crate::cells::Region;
use crate::search::{Search, Searchable};
use crate::seed::Seed;

impl<S: Searchable> Search<'_, S> {
    /// The features that a region may use, ascending. Where it is known which slots some of its rows are in, sparse features
    /// without any are left out, and nothing is done for each of them: there may be millions.
    pub(crate) fn draw(&self, region: &Region<'_, S>, touched: Option<&[u32]>) -> Vec<u32> {
        let (bins, layout) = (self.searcher.bins, &self.searcher.layout);
        let count = bins.features().len();
        let touched = touched.map(|slots| self.touched_features(slots));
        if self.rules.features < 1.0 {
            // At least one, but there may be none at all: text without a word in enough rows.
            let share = ((self.rules.features * count as f64).ceil() as usize).max(1).min(count);
            let mut drawn = some_of(count as u32, share, region.seed.part(1));
            drawn.sort_unstable();
            if let Some(touched) = touched {
                let is_dense = |f: u32| !matches!(bins.place(f as usize), Place::Sparse(_));
                drawn.retain(|f| is_dense(*f) || touched.binary_search(f).is_ok());
            }
            return drawn;
        }
        match touched {
            None => (0..count as u32).collect(),
            Some(touched) => merged(&layout.dense, &touched),
        }
    }

    /// The features of some slots; both ascend.
    fn touched_features(&self, slots: &[u32]) -> Vec<u32> {
        let (sparse, features) = (self.searcher.bins.sparse(), &self.searcher.layout.sparse);
        let mut touched: Vec<u32> = Vec::new();
        let mut index = 0;
        for &slot in slots {
            index = sparse.feature_of(slot as usize, index);
            if touched.last() != Some(&features[index]) {
                touched.push(features[index]);
            }
        }
        touched
    }
}

/// Some of the numbers below `count`, drawn by swapping each of the first places with a later one.
fn some_of(count: u32, share: usize, seed: Seed) -> Vec<u32> {
    let other = |i: usize| i + seed.part(i as u64).below((count as usize - i) as u64) as usize;
    if share >= count as usize / 8 {
        let mut numbers: Vec<u32> = (0..count).collect();
        (0..share).for_each(|i| numbers.swap(i, other(i)));
        numbers.truncate(share);
        return numbers;
    }
    // The same, of which only the places that were swapped are written down.
    let mut moved: HashMap<usize, u32> = HashMap::with_capacity(2 * share);
    let draw = |i: usize| {
        let own = moved.get(&i).copied().unwrap_or(i as u32);
        moved.insert(other(i), own).unwrap_or(other(i) as u32)
    };
    (0..share).map(draw).collect()
}

/// Two ascending lists without a number in common, as one.
fn merged(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let mut rest = a;
    for &x in b {
        let (before, after) = rest.split_at(rest.partition_point(|&y| y < x));
        all.extend_from_slice(before);
        all.push(x);
        rest = after;
    }
    all.extend_from_slice(rest);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_of_many_are_those_that_swapping_all_gives() {
        for (count, share) in [(1, 1), (9, 1), (100, 3), (1000, 124), (1000, 100), (4000, 499)] {
            for seed in (0..20).map(Seed::new) {
                let mut all: Vec<u32> = (0..count).collect();
                for i in 0..share {
                    let other = i + seed.part(i as u64).below(u64::from(count) - i as u64) as usize;
                    all.swap(i, other);
                }
                assert_eq!(some_of(count, share, seed), all[..share], "{share} of {count}");
            }
        }
        assert_eq!(some_of(0, 0, Seed::new(1)), []);
    }

    #[test]
    fn merging_keeps_the_order() {
        assert_eq!(merged(&[1, 4, 5, 9], &[0, 2, 3, 7, 10]), [0, 1, 2, 3, 4, 5, 7, 9, 10]);
        assert_eq!(merged(&[], &[3]), [3]);
        assert_eq!(merged(&[3], &[]), [3]);
    }
}
