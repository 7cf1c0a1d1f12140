//! All stumps, and all trees of depth 2, exactly: sums are whole numbers, and every cut is tried.
//!
//! A stump's cuts are those of the stump learner: numbers up to a value, one category or all others, and missing values on
//! either side. Trees of depth 2 cut both sides of a first cut again, each as it likes: while the first cut moves on from value to
//! value, the sums of its sides follow.

use std::sync::atomic::AtomicBool;

use manyboost_kernel::{Bins, Order};
use rayon::prelude::*;

use crate::column::Column;
use crate::labellings::independent;
use crate::oracle::{HypothesisSpace, MOST_IN_SETS, Oracle, Says, cheapest, cheapest_set};

/// How often rows are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Once.
    One,
    /// Twice.
    Two,
}

/// All trees of a depth on the features of a data set.
#[derive(Debug)]
pub struct StumpSpace {
    columns: Vec<Column>,
    depth: Depth,
    /// Least rows of a side.
    least: usize,
    rows: usize,
}

impl StumpSpace {
    /// Of a data set; `least` rows must be on each side of a cut.
    pub fn new(bins: &Bins, depth: Depth, least: usize) -> Self {
        let columns = (0..bins.features().len()).map(|feature| Column::new(bins, feature));
        let columns = columns.filter(|column| column.places > 1).collect();
        Self { columns, depth, least: least.max(1), rows: bins.rows() }
    }

    /// The search on some rows for classifiers with k classes, or sets of them, to answer with.
    fn search(&self, rows: &[u32], k: usize, sets: bool) -> Search {
        let columns = self.columns.iter().map(|column| {
            let of = rows.iter().map(|&row| column.of[row as usize]).collect();
            Column { of, ..*column }
        });
        let columns: Vec<Column> = columns.collect();
        let starts = columns.iter().scan(0, |sum, column| {
            let start = *sum;
            *sum += column.places;
            Some(start)
        });
        let starts = starts.collect();
        Search { columns, starts, k, sets, depth: self.depth, least: self.least }
    }

    /// What two rows must have in common to be alike.
    fn same(&self, a: u32, b: u32) -> std::cmp::Ordering {
        let codes = |row: u32| self.columns.iter().map(move |column| column.of[row as usize]);
        codes(a).cmp(codes(b))
    }
}

impl HypothesisSpace for StumpSpace {
    fn is_exact(&self) -> bool {
        true
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn oracle(&self, rows: &[u32], classes: &[u32]) -> Option<Box<dyn Oracle + '_>> {
        Some(Box::new(self.search(rows, classes.len(), false)))
    }

    fn sets_oracle(&self, k: usize) -> Option<Box<dyn Oracle + '_>> {
        let rows: Vec<u32> = (0..self.rows as u32).collect();
        (k <= MOST_IN_SETS).then(|| Box::new(self.search(&rows, k + 1, true)) as Box<dyn Oracle>)
    }

    fn alike(&self, y: &[u32]) -> Option<[u32; 2]> {
        let mut rows: Vec<u32> = (0..self.rows as u32).collect();
        rows.sort_by(|&a, &b| self.same(a, b).then(a.cmp(&b)));
        let pairs = rows.windows(2).map(|pair| [pair[0], pair[1]]);
        let mut pairs = pairs.filter(|&[a, b]| y[a as usize] != y[b as usize]);
        pairs.find(|&[a, b]| self.same(a, b).is_eq())
    }

    /// A stump has two cells: what it says of a row does not matter to the others only if it cuts the row off alone, and is constant on
    /// the others. A tree of depth 2 may do so by other ways than those looked at here, which are between two cuts on one feature.
    fn separates(&self) -> Option<bool> {
        let mut alone = vec![self.rows < 2; self.rows];
        for column in self.columns.iter().filter(|_| self.least == 1) {
            column.mark_alone(self.depth == Depth::Two, &mut alone);
        }
        let all = alone.iter().all(|&alone| alone);
        (all || self.depth == Depth::One).then_some(all)
    }

    fn beats_guessing(&self, y: &[u32], stop: &AtomicBool) -> Option<bool> {
        let mut rows: Vec<u32> = (0..self.rows as u32).collect();
        let place = |row: u32| (y[row as usize], row);
        rows.sort_by(|&a, &b| self.same(a, b).then(place(a).cmp(&place(b))));
        rows.dedup_by(|a, b| self.same(*a, *b).is_eq() && y[*a as usize] == y[*b as usize]);
        let cells = |column: &Column| {
            let cells = column.cells(self.least);
            rows.iter().map(|&row| cells[column.of[row as usize] as usize]).collect()
        };
        let columns: Vec<Vec<u32>> = self.columns.iter().map(cells).collect();
        if columns.is_empty() { Some(rows.len() < 2) } else { independent(&columns, stop) }
    }
}

/// Which places of a column go left.
#[derive(Clone, Copy, Debug)]
struct Cut {
    column: usize,
    at: u32,
    missing_left: bool,
}

/// The best stump of a region.
#[derive(Clone, Copy, Debug)]
struct Stump {
    cost: i64,
    cut: Option<Cut>,
    says: [u32; 2],
}

/// A first cut, and the stumps behind its sides.
type Tree = (Stump, [Stump; 2]);

/// The one that costs less, the first of equals.
fn cheaper(a: Tree, b: Tree) -> Tree {
    if b.0.cost < a.0.cost { b } else { a }
}

struct Search {
    columns: Vec<Column>,
    /// Where the cells of each column begin.
    starts: Vec<usize>,
    k: usize,
    /// Whether a side answers with a set of classes.
    sets: bool,
    depth: Depth,
    least: usize,
}

/// Sums of a region: for each column and place the costs, and how many rows there are.
#[derive(Clone)]
struct Sums {
    costs: Vec<i64>,
    counts: Vec<u32>,
    total: Vec<i64>,
    rows: usize,
}

impl Search {
    /// The cheapest answer of a side, and what it costs.
    fn answer(&self, sums: &[i64]) -> (u32, i64) {
        if self.sets { cheapest_set(sums) } else { cheapest(sums) }
    }

    /// No cut at all.
    fn leaf(&self, total: &[i64]) -> Stump {
        let (says, cost) = self.answer(total);
        Stump { cost, cut: None, says: [says; 2] }
    }

    fn empty(&self) -> Sums {
        let cells = self.columns.iter().map(|column| column.places).sum::<usize>();
        Sums { costs: vec![0; cells * self.k], counts: vec![0; cells], total: vec![0; self.k], rows: 0 }
    }

    /// Adds a row to a region (sign 1) or takes it away (−1).
    fn add(&self, sums: &mut Sums, row: usize, costs: &[i64], sign: i64) {
        let (k, costs) = (self.k, &costs[row * self.k..][..self.k]);
        for (column, start) in self.columns.iter().zip(&self.starts) {
            let cell = start + column.of[row] as usize;
            let sums_of = &mut sums.costs[cell * k..][..k];
            sums_of.iter_mut().zip(costs).for_each(|(sum, cost)| *sum += sign * cost);
            sums.counts[cell] = sums.counts[cell].wrapping_add_signed(sign as i32);
        }
        sums.total.iter_mut().zip(costs).for_each(|(sum, cost)| *sum += sign * cost);
        sums.rows = sums.rows.wrapping_add_signed(sign as isize);
    }

    /// The best stump of a region: the first of equals.
    fn best(&self, sums: &Sums, buffer: &mut Vec<i64>) -> Stump {
        let mut best = self.leaf(&sums.total);
        for column in 0..self.columns.len() {
            self.improve(&mut best, column, sums, buffer);
        }
        best
    }

    /// The best stump of a column, if it is better than another.
    fn improve(&self, best: &mut Stump, column: usize, sums: &Sums, buffer: &mut Vec<i64>) {
        self.scan(column, sums, buffer, |cut, left, right| {
            let ((a, x), (b, y)) = (self.answer(left), self.answer(right));
            if x + y < best.cost {
                *best = Stump { cost: x + y, cut: Some(cut), says: [a, b] };
            }
        });
    }

    /// Visits every cut of a column with the sums of its sides.
    fn scan(
        &self,
        at: usize,
        sums: &Sums,
        buffer: &mut Vec<i64>,
        mut visit: impl FnMut(Cut, &[i64], &[i64]),
    ) {
        let (column, start, k) = (&self.columns[at], self.starts[at], self.k);
        let present = column.places - usize::from(column.missing);
        let cell = |place: usize| (&sums.costs[(start + place) * k..][..k], sums.counts[start + place]);
        let missing = if column.missing { Some(cell(present)) } else { None };
        buffer.clear();
        buffer.resize(2 * k, 0);
        let mut count = 0;
        for place in 0..present {
            let (costs, rows) = cell(place);
            let (left, right) = buffer.split_at_mut(k);
            if column.order == Order::Nominal {
                left.fill(0);
                count = 0;
            }
            left.iter_mut().zip(costs).for_each(|(sum, cost)| *sum += cost);
            count += rows as usize;
            if rows == 0 {
                continue;
            }
            for missing_left in [false, true] {
                let moved = missing.filter(|_| missing_left);
                if missing_left && moved.is_none_or(|(_, rows)| rows == 0) {
                    break;
                }
                let in_left = count + moved.map_or(0, |(_, rows)| rows as usize);
                if let Some((costs, _)) = moved {
                    left.iter_mut().zip(costs).for_each(|(sum, cost)| *sum += cost);
                }
                if in_left >= self.least && sums.rows >= in_left + self.least {
                    let rest = sums.total.iter().zip(left.iter());
                    right.iter_mut().zip(rest).for_each(|(sum, (all, left))| *sum = all - left);
                    visit(Cut { column: at, at: place as u32, missing_left }, left, right);
                }
                if let Some((costs, _)) = moved {
                    left.iter_mut().zip(costs).for_each(|(sum, cost)| *sum -= cost);
                }
            }
        }
    }

    fn goes_left(&self, cut: Cut, row: usize) -> bool {
        let column = &self.columns[cut.column];
        let place = column.of[row];
        if column.missing && place as usize + 1 == column.places {
            return cut.missing_left;
        }
        if column.order == Order::Nominal { place == cut.at } else { place <= cut.at }
    }

    fn side(&self, stump: &Stump, row: usize) -> usize {
        stump.cut.map_or(0, |cut| usize::from(!self.goes_left(cut, row)))
    }

    /// The best stump as a tree, whose sides are not cut again.
    fn shallow(&self, all: &Sums) -> Tree {
        let stump = self.best(all, &mut Vec::new());
        (stump, stump.says.map(|says| Stump { cost: 0, cut: None, says: [says; 2] }))
    }

    /// The best tree of depth 2.
    fn deep(&self, all: &Sums, costs: &[i64]) -> Tree {
        let trees: Vec<Tree> =
            (0..self.columns.len()).into_par_iter().map(|at| self.deep_of(at, all, costs)).collect();
        trees.into_iter().fold(self.shallow(all), cheaper)
    }

    /// The best tree with the first cut on a column: the best stump behind each side of every cut.
    fn deep_of(&self, at: usize, all: &Sums, costs: &[i64]) -> Tree {
        let mut buffer = Vec::new();
        let nothing = self.leaf(&all.total);
        let mut best = (nothing, [nothing; 2]);
        let column = &self.columns[at];
        let mut by_place = vec![Vec::new(); column.places];
        column.of.iter().enumerate().for_each(|(row, &place)| by_place[place as usize].push(row));
        let present = column.places - usize::from(column.missing);
        for missing_left in [false, true] {
            if missing_left && (!column.missing || by_place[present].is_empty()) {
                break;
            }
            let (mut left, mut right) = (self.empty(), all.clone());
            let shift = |rows: &[usize], left: &mut Sums, right: &mut Sums, sign: i64| {
                for &row in rows {
                    self.add(left, row, costs, sign);
                    self.add(right, row, costs, -sign);
                }
            };
            if missing_left {
                shift(&by_place[present], &mut left, &mut right, 1);
            }
            for (place, rows) in by_place[..present].iter().enumerate() {
                if rows.is_empty() {
                    continue;
                }
                shift(rows, &mut left, &mut right, 1);
                if left.rows >= self.least && right.rows >= self.least {
                    let sides = [self.best(&left, &mut buffer), self.best(&right, &mut buffer)];
                    let cost = sides[0].cost + sides[1].cost;
                    let cut = Some(Cut { column: at, at: place as u32, missing_left });
                    best = cheaper(best, (Stump { cost, cut, says: [0; 2] }, sides));
                }
                if column.order == Order::Nominal {
                    shift(rows, &mut left, &mut right, -1);
                }
            }
        }
        best
    }

    /// A good tree of depth 2: the first cut is the best stump of some column.
    fn likely(&self, all: &Sums, costs: &[i64]) -> Tree {
        let mut buffer = Vec::new();
        let mut best = self.shallow(all);
        for at in 0..self.columns.len() {
            let mut first = Stump { cost: i64::MAX, cut: None, says: [0; 2] };
            self.improve(&mut first, at, all, &mut buffer);
            if first.cut.is_some() {
                let mut sides = [self.empty(), self.empty()];
                for row in 0..self.columns[at].of.len() {
                    self.add(&mut sides[self.side(&first, row)], row, costs, 1);
                }
                let sides = sides.map(|sums| self.best(&sums, &mut buffer));
                best = cheaper(best, (Stump { cost: sides[0].cost + sides[1].cost, ..first }, sides));
            }
        }
        best
    }

    /// All costs by place.
    fn sums(&self, costs: &[i64]) -> Sums {
        let mut all = self.empty();
        (0..costs.len() / self.k).for_each(|row| self.add(&mut all, row, costs, 1));
        all
    }

    /// What a tree says of each row.
    fn says(&self, (first, sides): &Tree, rows: usize) -> Says {
        let says = |row: usize| {
            let second = &sides[self.side(first, row)];
            second.says[self.side(second, row)]
        };
        (0..rows).map(says).collect()
    }
}

impl Oracle for Search {
    fn query(&mut self, costs: &[i64]) -> Says {
        let all = self.sums(costs);
        let tree = match self.depth {
            Depth::One => self.shallow(&all),
            Depth::Two => self.deep(&all, costs),
        };
        self.says(&tree, costs.len() / self.k)
    }

    fn guess(&mut self, costs: &[i64]) -> Option<Says> {
        (self.depth == Depth::Two)
            .then(|| self.says(&self.likely(&self.sums(costs), costs), costs.len() / self.k))
    }

    fn patience(&self) -> usize {
        match self.depth {
            Depth::One => 200,
            Depth::Two => 60,
        }
    }
}
