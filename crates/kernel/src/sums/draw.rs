//! Which features a region may use.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::numbers::seed::Seed;
use crate::search::{Search, Searchable};

impl<S: Searchable> Search<'_, S> {
    /// The features that a region may use, ascending. Where it is known which slots some of its rows are in, sparse features
    /// without any are left out, and nothing is done for each of them: there may be millions.
    pub(crate) fn draw(&self, seed: Seed, touched: Option<&[u32]>) -> Vec<u32> {
        let layout = &self.searcher.layout;
        let count = self.searcher.bins.features().len();
        let able = match touched {
            None => Cow::Borrowed(&layout.able),
            Some(slots) => Cow::Owned(merged(&layout.dense, &self.touched_features(slots))),
        };
        if self.rules.features >= 1.0 {
            return able.into_owned();
        }
        drawn_among(&able, count as u32, self.share(), seed.part(1))
    }

    /// How many features a region may use.
    fn share(&self) -> usize {
        let count = self.searcher.bins.features().len();
        // At least one, but there may be none at all: text without a word in enough rows.
        ((self.rules.features * count as f64).ceil() as usize).max(1).min(count)
    }

    /// Whether to draw the features of a region before it is known which slots its rows are in: other slots need not be counted
    /// then. Not where features are so many that the rows cannot be in most of them.
    pub(crate) fn draws_first(&self, rows: &[u32]) -> bool {
        self.rules.features < 1.0 && self.share() <= rows.len()
    }

    /// The features of some slots; both ascend.
    fn touched_features(&self, slots: &[u32]) -> Vec<u32> {
        let (sparse, features) = (self.searcher.sparse(), &self.searcher.layout.sparse);
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

/// So many fewer numbers than are drawn are followed one by one.
const FEWER: usize = 8;

/// Those of some numbers (ascending) that are among [`some_of`] the numbers below `count`, ascending.
fn drawn_among(able: &[u32], count: u32, share: usize, seed: Seed) -> Vec<u32> {
    let mut drawn = if FEWER * able.len() < share {
        followed(able, count, share, seed)
    } else {
        some_of(count, share, seed)
    };
    drawn.sort_unstable();
    if able.len() < count as usize {
        let mut rest = able;
        drawn.retain(|number| {
            rest = &rest[rest.partition_point(|other| other < number)..];
            rest.first() == Some(number)
        });
    }
    drawn
}

/// The place with which each of the first ones among `count` is swapped.
#[inline]
fn other(i: usize, count: u32, seed: Seed) -> usize {
    i + seed.part(i as u64).below((count as usize - i) as u64) as usize
}

/// Those of a few numbers that are among [`some_of`] the numbers below `count`: only their places are written down.
fn followed(few: &[u32], count: u32, share: usize, seed: Seed) -> Vec<u32> {
    let mut taken = Taken { bits: vec![0; count.div_ceil(64) as usize], moved: HashMap::new() };
    for &number in few {
        taken.put(number as usize, number);
    }
    let mut drawn = Vec::new();
    for i in 0..share {
        let to = other(i, count, seed);
        if !taken.is(to) && !taken.is(i) {
            continue;
        }
        drawn.extend(taken.take(to));
        if let Some(number) = taken.take(i) {
            taken.put(to, number);
        }
    }
    drawn
}

/// The places of a few numbers.
struct Taken {
    /// Whether one is at a place.
    bits: Vec<u64>,
    /// Those that are not at the place that is their own.
    moved: HashMap<usize, u32>,
}

impl Taken {
    #[inline]
    fn is(&self, place: usize) -> bool {
        self.bits[place / 64] >> (place % 64) & 1 == 1
    }

    fn put(&mut self, place: usize, number: u32) {
        self.bits[place / 64] |= 1 << (place % 64);
        if number as usize != place {
            self.moved.insert(place, number);
        }
    }

    fn take(&mut self, place: usize) -> Option<u32> {
        let is = self.is(place);
        self.bits[place / 64] &= !(1 << (place % 64));
        is.then(|| self.moved.remove(&place).unwrap_or(place as u32))
    }
}

/// Some of the numbers below `count`, drawn by swapping each of the first places with a later one.
fn some_of(count: u32, share: usize, seed: Seed) -> Vec<u32> {
    let other = |i: usize| other(i, count, seed);
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
    fn numbers_that_are_followed_are_drawn_as_all_are() {
        for (count, share) in [(1, 1), (9, 4), (100, 30), (1000, 300), (1000, 1000), (4000, 3999)] {
            for seed in (0..20).map(Seed::new) {
                let few: Vec<u32> = (0..count).filter(|&i| seed.part(u64::from(i)).below(40) == 0).collect();
                let mut all = some_of(count, share, seed);
                all.sort_unstable();
                all.retain(|number| few.contains(number));
                let mut drawn = followed(&few, count, share, seed);
                drawn.sort_unstable();
                assert_eq!(drawn, all, "{share} of {count}");
                assert_eq!(drawn_among(&few, count, share, seed), all, "{share} of {count}");
            }
        }
    }

    #[test]
    fn merging_keeps_the_order() {
        assert_eq!(merged(&[1, 4, 5, 9], &[0, 2, 3, 7, 10]), [0, 1, 2, 3, 4, 5, 7, 9, 10]);
        assert_eq!(merged(&[], &[3]), [3]);
        assert_eq!(merged(&[3], &[]), [3]);
    }
}
