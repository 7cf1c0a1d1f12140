//! The search for the smallest changes of one row.

use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

use crate::explain::why_not::bounds::{Range, Space};
use crate::explain::why_not::steps::Choices;
use crate::explain::why_not::{Change, Found, Sought, WhyNot};

/// A class must be ahead by so much: sums of scores may be rounded otherwise elsewhere.
const AHEAD: f64 = 1e-9;

/// Columns that are changed at most when the time is over and one after the other is tried.
const GREEDY: usize = 16;

/// The search of one row.
pub(super) struct Search<'a> {
    asked: &'a WhyNot<'a>,
    row: Vec<f64>,
    /// The scores before all trees.
    begin: Vec<f64>,
    choices: Vec<Choices>,
    end: Instant,
}

/// Steps of some columns, and how far they are.
type Point = (f64, Vec<u32>);

impl<'a> Search<'a> {
    pub(super) fn new(
        asked: &'a WhyNot<'a>,
        row: Vec<f64>,
        begin: Vec<f64>,
        choices: Vec<Choices>,
        limit: Duration,
    ) -> Self {
        Self { asked, row, begin, choices, end: Instant::now() + limit }
    }

    /// The smallest changes after which one of these classes is answered.
    pub(super) fn run(&self, classes: &[usize]) -> Sought {
        let columns = self.choices.len();
        let all: Vec<usize> = (0..columns).collect();
        let whole = Group::new(self, &all);
        let classes: Vec<usize> =
            classes.iter().copied().filter(|&class| whole.may_win(class, &whole.ranges())).collect();
        for size in 1..=columns {
            let mut best: Option<(usize, Vec<usize>, Point)> = None;
            let mut columns_of = first_combination(size);
            loop {
                let group = Group::new(self, &columns_of);
                for &class in &classes {
                    let least = best.as_ref().map_or(f64::INFINITY, |(.., (distance, _))| *distance);
                    match group.nearest(class, least) {
                        Ok(Some(steps)) => best = Some((class, columns_of.clone(), steps)),
                        Ok(None) => {}
                        Err(OutOfTime) => {
                            let found = best.or_else(|| self.greedy(&classes));
                            return Sought { found: found.map(|best| self.found(best)), complete: false };
                        }
                    }
                }
                if !next_combination(&mut columns_of, columns) {
                    break;
                }
            }
            if best.is_some() {
                return Sought { found: best.map(|best| self.found(best)), complete: true };
            }
        }
        Sought { found: None, complete: true }
    }

    fn found(&self, (class, columns, (distance, steps)): (usize, Vec<usize>, Point)) -> Found {
        let change = |(&at, &step): (&usize, &u32)| {
            let own = &self.asked.columns[at];
            let from = self.row[own.feature as usize];
            Change { column: own.column, from, to: self.choices[at].values[step as usize] }
        };
        Found { class, changes: columns.iter().zip(&steps).map(change).collect(), distance }
    }

    /// The class that is answered now.
    pub(super) fn answer(&self) -> usize {
        let group = Group::new(self, &[]);
        (0..self.asked.width())
            .find(|&class| group.ahead(class, &[]).iter().all(|ahead| *ahead >= 0.0))
            .unwrap_or(0)
    }

    /// One column after the other is changed as it helps most, where the time is over.
    fn greedy(&self, classes: &[usize]) -> Option<(usize, Vec<usize>, Point)> {
        classes.iter().find_map(|&class| {
            let (mut columns, mut steps): (Vec<usize>, Vec<u32>) = (Vec::new(), Vec::new());
            while columns.len() < GREEDY.min(self.choices.len()) {
                let mut best: Option<(f64, usize, u32)> = None;
                for column in (0..self.choices.len()).filter(|column| !columns.contains(column)) {
                    let mut own = columns.clone();
                    own.push(column);
                    let group = Group::new(self, &own);
                    for step in 0..self.choices[column].values.len() as u32 {
                        let ranges: Vec<Range> =
                            steps.iter().copied().chain([step]).map(|step| (step, step)).collect();
                        let least = group.least_ahead(class, &ranges);
                        if best.is_none_or(|(most, ..)| least > most) {
                            best = Some((least, column, step));
                        }
                    }
                }
                let (least, column, step) = best?;
                columns.push(column);
                steps.push(step);
                if least >= AHEAD {
                    let distance = columns
                        .iter()
                        .zip(&steps)
                        .map(|(&at, &step)| self.choices[at].distances[step as usize]);
                    return Some((class, columns.clone(), (distance.sum(), steps)));
                }
            }
            None
        })
    }
}

/// The time is over.
struct OutOfTime;

/// Columns that may change together.
struct Group<'a> {
    search: &'a Search<'a>,
    columns: &'a [usize],
    places: Vec<Option<u32>>,
    /// The trees that look at any of them, and the scores of what the others add.
    trees: Vec<u32>,
    others: Vec<f64>,
}

impl<'a> Group<'a> {
    fn new(search: &'a Search<'a>, columns: &'a [usize]) -> Self {
        let asked = search.asked;
        let mut places = vec![None; asked.trees_of.len()];
        let mut trees = Vec::new();
        for (place, &column) in (0..).zip(columns) {
            let feature = asked.columns[column].feature as usize;
            places[feature] = Some(place);
            trees.extend_from_slice(&asked.trees_of[feature]);
        }
        trees.sort_unstable();
        trees.dedup();
        let mut others = search.begin.clone();
        let mut own = trees.iter().peekable();
        for (number, tree) in (0..).zip(&asked.trees) {
            if own.next_if(|tree| **tree == number).is_none() {
                tree.add_leaf(&search.row, &mut others);
            }
        }
        Self { search, columns, places, trees, others }
    }

    /// All steps of all columns.
    fn ranges(&self) -> Vec<Range> {
        let last = |&column: &usize| (0, self.search.choices[column].values.len().saturating_sub(1) as u32);
        self.columns.iter().map(last).collect()
    }

    /// By how much a class can be ahead of each other one at most; of itself by 0.
    fn ahead(&self, class: usize, ranges: &[Range]) -> Vec<f64> {
        let mut ahead: Vec<f64> = self.others.iter().map(|other| self.others[class] - other).collect();
        let mut most = vec![0.0; ahead.len()];
        let space = Space { places: &self.places, ranges, row: &self.search.row };
        for &tree in &self.trees {
            self.search.asked.trees[tree as usize].add_most(class, space, &mut most, &mut ahead);
        }
        ahead
    }

    /// The least of these, but for the class itself.
    fn least_ahead(&self, class: usize, ranges: &[Range]) -> f64 {
        let ahead = self.ahead(class, ranges);
        let others = ahead.iter().enumerate().filter(|(other, _)| *other != class);
        others.map(|(_, ahead)| *ahead).fold(f64::INFINITY, f64::min)
    }

    fn may_win(&self, class: usize, ranges: &[Range]) -> bool {
        self.least_ahead(class, ranges) >= AHEAD
    }

    /// The nearest steps by which a class wins, if they are nearer than `least`: ranges are halved, the nearest first.
    fn nearest(&self, class: usize, least: f64) -> Result<Option<Point>, OutOfTime> {
        let mut waiting = BinaryHeap::new();
        let all = self.ranges();
        if all.iter().zip(self.columns).any(|(_, &column)| self.search.choices[column].values.is_empty()) {
            return Ok(None);
        }
        self.wait(class, all, least, &mut waiting);
        while let Some(Waiting { distance, ranges }) = waiting.pop() {
            if Instant::now() >= self.search.end {
                return Err(OutOfTime);
            }
            let steps: Vec<u32> = self.nearest_steps(&ranges);
            let point: Vec<Range> = steps.iter().map(|&step| (step, step)).collect();
            if self.may_win(class, &point) {
                return Ok(Some((distance, steps)));
            }
            let widest = (0..ranges.len()).max_by_key(|&at| ranges[at].1 - ranges[at].0);
            let Some(at) = widest.filter(|&at| ranges[at].0 < ranges[at].1) else { continue };
            let (first, last) = ranges[at];
            let middle = first + (last - first) / 2;
            for half in [(first, middle), (middle + 1, last)] {
                let mut ranges = ranges.clone();
                ranges[at] = half;
                self.wait(class, ranges, least, &mut waiting);
            }
        }
        Ok(None)
    }

    /// Puts ranges among those that wait, unless they are too far or cannot win.
    fn wait(&self, class: usize, ranges: Vec<Range>, least: f64, waiting: &mut BinaryHeap<Waiting>) {
        let steps = self.nearest_steps(&ranges);
        let far = |(&column, step): (&usize, u32)| self.search.choices[column].distances[step as usize];
        let distance: f64 = self.columns.iter().zip(steps).map(far).sum();
        if distance < least && self.may_win(class, &ranges) {
            waiting.push(Waiting { distance, ranges });
        }
    }

    /// The nearest step of each range.
    fn nearest_steps(&self, ranges: &[Range]) -> Vec<u32> {
        let nearest = |(&column, &(first, last)): (&usize, &Range)| {
            let distances = &self.search.choices[column].distances;
            (first..=last)
                .reduce(
                    |best, step| {
                        if distances[step as usize] < distances[best as usize] { step } else { best }
                    },
                )
                .unwrap_or(first)
        };
        self.columns.iter().zip(ranges).map(nearest).collect()
    }
}

/// Ranges that wait, and how far the nearest of their steps are.
struct Waiting {
    distance: f64,
    ranges: Vec<Range>,
}

/// The nearest is the greatest; of equals, the one whose steps come first.
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.distance.total_cmp(&self.distance).then_with(|| other.ranges.cmp(&self.ranges))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}

/// The first of the combinations of so many.
fn first_combination(size: usize) -> Vec<usize> {
    (0..size).collect()
}

/// The next combination out of `of`, if there is one.
fn next_combination(combination: &mut [usize], of: usize) -> bool {
    let size = combination.len();
    let Some(at) = (0..size).rev().find(|&at| combination[at] < of - size + at) else { return false };
    combination[at] += 1;
    for next in at + 1..size {
        combination[next] = combination[next - 1] + 1;
    }
    true
}
