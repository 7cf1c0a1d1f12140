//! The best boundary for [`Listed`]: lists and classes make hundreds of channels, of which a row has one.
//!
//! The plain scan converts and adds up all channels at every boundary. Here what a cell adds is added to the units of the left side
//! and of its classes, the classes of each side stay in order, and a list costs what the first class of that order costs that is on it.
//! Narrow units of all rows sum to less than 2³¹, and all have one step, a power of two: whole numbers are compared and summed where the
//! plain scan has the same numbers as floats, and the bits are the same.

use crate::search::scan::{Cells, Found, beats};
use crate::search::score::Listed;

/// The classes of one side, those of least cost first, the first of equals before the others.
struct Ranked {
    costs: [i32; Listed::MOST_CLASSES],
    order: [u8; Listed::MOST_CLASSES],
    classes: usize,
}

impl Ranked {
    fn new(classes: usize) -> Self {
        Self { costs: [0; Listed::MOST_CLASSES], order: std::array::from_fn(|class| class as u8), classes }
    }

    /// Puts the classes in order again; mostly they are nearly so.
    fn sort(&mut self) {
        for at in 1..self.classes {
            let class = self.order[at];
            let key = (self.costs[class as usize], class);
            let mut to = at;
            while to > 0 {
                let before = self.order[to - 1];
                if (self.costs[before as usize], before) < key {
                    break;
                }
                self.order[to] = before;
                to -= 1;
            }
            self.order[to] = class;
        }
    }

    /// What all lists cost, `costs` being those of channels. What lists with the first class of all pay for it is what that class costs:
    /// only those without it are looked at, class by class until none is `left`.
    #[inline(always)]
    fn cost(&self, lists: &Listed, left: &mut Vec<u64>, costs: impl Fn(usize) -> i32) -> i32 {
        let Some((&first, others)) = self.order[..self.classes].split_first() else { return 0 };
        left.clear();
        left.extend(lists.without(first));
        let mut sum = self.costs[first as usize];
        let mut open = left.iter().any(|&bits| bits != 0);
        for &class in others {
            if !open {
                break;
            }
            let before = (1u64 << class) - 1;
            open = false;
            for (at, (left, &with)) in left.iter_mut().zip(lists.with(class)).enumerate() {
                let mut here = *left & with;
                *left &= !with;
                open |= *left != 0;
                while here != 0 {
                    let list = 64 * at + here.trailing_zeros() as usize;
                    let place = (lists.lists()[list] & before).count_ones() as usize;
                    sum += costs(1 + list * lists.length() + place);
                    here &= here - 1;
                }
            }
        }
        sum
    }
}

/// Calls back with each channel of a cell that is not zero, and its sum.
#[inline(always)]
fn each(cell: &[i32], mut then: impl FnMut(usize, i32)) {
    const LANES: usize = 16;
    for (at, lanes) in cell.chunks(LANES).enumerate() {
        if lanes.iter().fold(0, |any, &x| any | x) != 0 {
            let bit = |(lane, &x): (usize, &i32)| u32::from(x != 0) << lane;
            let mut bits = lanes.iter().enumerate().map(bit).fold(0, |bits, bit| bits | bit);
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                then(LANES * at + lane, lanes[lane]);
                bits &= bits - 1;
            }
        }
    }
}

/// As the plain scan of prefixes; `left` is for the sums of the left side.
#[inline(always)]
pub(super) fn boundaries(lists: &Listed, cells: Cells<'_, i32>, left: &mut Vec<i32>) -> Option<Found> {
    let width = cells.steps.len();
    let (total, step) = (&cells.total[..width], cells.steps[1]);
    left.clear();
    left.resize(width, 0);
    let of_classes = |sums: &[i32]| {
        let mut ranked = Ranked::new(lists.classes());
        each(&sums[1..], |channel, x| ranked.costs[lists.class_of()[channel] as usize] += x);
        ranked
    };
    let (all, nothing) = (of_classes(total), of_classes(&[0]));
    let mut open = Vec::new();
    let missing = cells.missing.map(|missing| (missing, of_classes(missing)));
    let (mut low, mut high, mut prefix) =
        (Ranked::new(lists.classes()), Ranked::new(lists.classes()), nothing);
    let gone = cells.missing.map_or(0, |cell| cell[0]);
    let boundaries = cells.order.len().saturating_sub(usize::from(gone == 0));
    let least = cells.min_weight.max(1);
    let mut best: Option<Found> = None;
    for at in 0..boundaries {
        let cell = &cells.sums[cells.order[at] as usize * width..][..width];
        left[0] += cell[0];
        each(&cell[1..], |channel, x| {
            left[1 + channel] += x;
            prefix.costs[lists.class_of()[channel] as usize] += x;
        });
        let weight = left[0];
        let heavier_left = weight > total[0] - gone - weight;
        for missing_left in [heavier_left, !heavier_left] {
            let here = missing.as_ref().filter(|_| missing_left);
            let left_weight = i64::from(if missing_left { weight + gone } else { weight });
            if left_weight >= least && i64::from(total[0]) - left_weight >= least {
                for class in 0..lists.classes() {
                    low.costs[class] =
                        prefix.costs[class] + here.map_or(0, |(_, missing)| missing.costs[class]);
                    high.costs[class] = all.costs[class] - low.costs[class];
                }
                low.sort();
                high.sort();
                let of = |channel: usize| left[channel] + here.map_or(0, |(missing, _)| missing[channel]);
                let below = low.cost(lists, &mut open, of);
                let above = high.cost(lists, &mut open, |channel| total[channel] - of(channel));
                let score = f64::from(below) * step + f64::from(above) * step;
                if best.is_none_or(|b| beats(score, b.score)) {
                    best = Some(Found { score, at, missing_left });
                }
            }
            if gone == 0 {
                break;
            }
        }
    }
    best
}
