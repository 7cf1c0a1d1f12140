//! Accumulated local effects (Apley & Zhu 2020): rows move to the ends of the interval that they are in, no further; what that changes is
//! averaged by interval, and added up from the first to the last.
//!
//! Levels have no intervals: between one and the next (by name) go the rows of both. Rows without a value are left out. All is centred:
//! the mean over the rows is zero.

use manyboost_data::Result;

use super::{Axis, Effect, Effects, check};
use crate::engine::scores::Scores;

impl Effects<'_> {
    /// What a column adds by local differences, at each of its values; of two columns of numbers, what they do together beyond what each
    /// does on its own.
    pub fn accumulated(&mut self, axes: &[Axis]) -> Result<Effect> {
        check(axes)?;
        let classes = self.classes;
        let axes: Vec<Axis> = axes.iter().map(Axis::present).collect();
        let values = match &axes[..] {
            [first, second] => self.together(first, second, classes)?,
            [axis] if axis.levels.is_some() => self.between_levels(axis, classes),
            [axis] => self.along(axis, classes),
            _ => Vec::new(),
        };
        Ok(Effect { axes, classes, values })
    }

    /// The interval of each row between values that ascend, where there is one.
    fn intervals(&self, axis: &Axis) -> Vec<Option<usize>> {
        let inner = axis.values.get(1..axis.values.len().saturating_sub(1)).unwrap_or_default();
        let place = |row: usize| {
            let value = self.frame.value(row, axis.feature);
            let found = axis.values.len() > 1 && !value.is_nan();
            found.then(|| inner.partition_point(|edge| *edge < value))
        };
        (0..self.frame.rows()).map(place).collect()
    }

    /// One column of numbers.
    fn along(&mut self, axis: &Axis, classes: usize) -> Vec<f64> {
        let places = self.intervals(axis);
        let [low, high] = [0, 1].map(|end| self.asked(vec![(axis.column, ends(axis, &places, end))]));
        let mut steps = Means::new(axis.values.len().saturating_sub(1), classes);
        for (row, place) in places.iter().enumerate() {
            if let Some(place) = place {
                steps.add(*place, |class| high.row(row)[class] - low.row(row)[class]);
            }
        }
        let sums = steps.accumulated();
        let middle = |place: usize, class: usize| {
            f64::midpoint(sums[place * classes + class], sums[(place + 1) * classes + class])
        };
        let means = mean(&steps.counts, classes, middle);
        centred(sums, &means)
    }

    /// One column of categories.
    fn between_levels(&mut self, axis: &Axis, classes: usize) -> Vec<f64> {
        let (rows, last) = (self.frame.rows(), axis.values.len().saturating_sub(1));
        let own = |row: usize| {
            let value = self.frame.value(row, axis.feature);
            axis.values.iter().position(|level| *level == value)
        };
        let own: Vec<Option<usize>> = (0..rows).map(own).collect();
        let moved = |by: isize| {
            let to = |place: usize| place.saturating_add_signed(by).min(last);
            own.iter().map(|place| place.map_or(f64::NAN, |place| axis.values[to(place)])).collect()
        };
        let (below, here, above): (Vec<f64>, Vec<f64>, Vec<f64>) = (moved(-1), moved(0), moved(1));
        let [below, here, above] = [below, here, above].map(|values| self.asked(vec![(axis.column, values)]));
        let (mut steps, mut counts) = (Means::new(last, classes), vec![0.0; axis.values.len()]);
        for (row, place) in own.iter().enumerate() {
            let Some(place) = *place else { continue };
            counts[place] += 1.0;
            let mut add = |at: usize, to: &Scores, from: &Scores| {
                steps.add(at, |class| to.row(row)[class] - from.row(row)[class]);
            };
            if place > 0 {
                add(place - 1, &here, &below);
            }
            if place < last {
                add(place, &above, &here);
            }
        }
        let sums = steps.accumulated();
        let means = mean(&counts, classes, |place, class| sums[place * classes + class]);
        centred(sums, &means)
    }

    /// Two columns of numbers: the second differences of the cells, added up, less what each column does on its own.
    fn together(&mut self, first: &Axis, second: &Axis, classes: usize) -> Result<Vec<f64>> {
        if let Some(axis) = [first, second].into_iter().find(|axis| axis.levels.is_some()) {
            let what =
                format!("column {:?} is of categories, which have no cells beside another column", axis.name);
            let remedy = "give two columns of numbers, or ask for partial effects";
            return Err(manyboost_data::Error::new(manyboost_data::ErrorKind::Parameter, what, remedy));
        }
        let (a, b) = (self.intervals(first), self.intervals(second));
        let corner = |this: &mut Self, i: usize, j: usize| {
            this.asked(vec![(first.column, ends(first, &a, i)), (second.column, ends(second, &b, j))])
        };
        let corners = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| corner(self, i, j));
        let (n, m) = (first.values.len(), second.values.len());
        let across = m.saturating_sub(1);
        let mut cells = Means::new(n.saturating_sub(1) * across, classes);
        for (row, place) in a.iter().zip(&b).enumerate() {
            let (Some(i), Some(j)) = place else { continue };
            let at = |corner: usize, class: usize| corners[corner].row(row)[class];
            cells.add(i * across + j, |class| at(3, class) - at(1, class) - at(2, class) + at(0, class));
        }
        let mut grid = vec![0.0; n * m * classes];
        for (i, j) in (1..n).flat_map(|i| (1..m).map(move |j| (i, j))) {
            for class in 0..classes {
                let at = |i: usize, j: usize| grid[(i * m + j) * classes + class];
                let own = cells.mean((i - 1) * across + j - 1, class);
                grid[(i * m + j) * classes + class] = at(i - 1, j) + at(i, j - 1) - at(i - 1, j - 1) + own;
            }
        }
        for class in 0..classes {
            alone_removed(&mut grid, &cells.counts, [n, m], classes, class);
        }
        Ok(grid)
    }
}

/// Takes from a grid of one class what each of two columns does on its own, and the mean over the rows.
fn alone_removed(grid: &mut [f64], counts: &[f64], [n, m]: [usize; 2], classes: usize, class: usize) {
    let across = m.saturating_sub(1);
    let at = |i: usize, j: usize| (i * m + j) * classes + class;
    let count = |i: usize, j: usize| counts[i * across + j];
    let share = |sum: f64, all: f64| if all > 0.0 { sum / all } else { 0.0 };
    let (mut first, mut second) = (vec![0.0; n], vec![0.0; m]);
    for i in 1..n {
        let step = |j: usize| {
            f64::midpoint(grid[at(i, j)] - grid[at(i - 1, j)], grid[at(i, j + 1)] - grid[at(i - 1, j + 1)])
        };
        let sum: f64 = (0..across).map(|j| count(i - 1, j) * step(j)).sum();
        first[i] = first[i - 1] + share(sum, (0..across).map(|j| count(i - 1, j)).sum());
    }
    for j in 1..m {
        let step = |i: usize| {
            f64::midpoint(grid[at(i, j)] - grid[at(i, j - 1)], grid[at(i + 1, j)] - grid[at(i + 1, j - 1)])
        };
        let sum: f64 = (0..n.saturating_sub(1)).map(|i| count(i, j - 1) * step(i)).sum();
        second[j] = second[j - 1] + share(sum, (0..n.saturating_sub(1)).map(|i| count(i, j - 1)).sum());
    }
    for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
        grid[at(i, j)] -= first[i] + second[j];
    }
    let middle = |i: usize, j: usize| {
        let corners = [(i, j), (i, j + 1), (i + 1, j), (i + 1, j + 1)];
        corners.iter().map(|&(i, j)| grid[at(i, j)]).sum::<f64>() / 4.0
    };
    let cells = || (0..n.saturating_sub(1)).flat_map(|i| (0..across).map(move |j| (i, j)));
    let sum: f64 = cells().map(|(i, j)| count(i, j) * middle(i, j)).sum();
    let mean = share(sum, counts.iter().sum());
    for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
        grid[at(i, j)] -= mean;
    }
}

/// The lower ends of the intervals of rows, or the upper ones.
fn ends(axis: &Axis, places: &[Option<usize>], end: usize) -> Vec<f64> {
    places.iter().map(|place| place.map_or(f64::NAN, |place| axis.values[place + end])).collect()
}

/// Means of differences by place and class.
struct Means {
    counts: Vec<f64>,
    sums: Vec<f64>,
    classes: usize,
}

impl Means {
    fn new(places: usize, classes: usize) -> Self {
        Self { counts: vec![0.0; places], sums: vec![0.0; places * classes], classes }
    }

    fn add(&mut self, place: usize, difference: impl Fn(usize) -> f64) {
        self.counts[place] += 1.0;
        let own = &mut self.sums[place * self.classes..(place + 1) * self.classes];
        own.iter_mut().enumerate().for_each(|(class, sum)| *sum += difference(class));
    }

    /// Zero where there are no rows.
    fn mean(&self, place: usize, class: usize) -> f64 {
        let count = self.counts[place];
        if count > 0.0 { self.sums[place * self.classes + class] / count } else { 0.0 }
    }

    /// Zeros, and then the sums of all means so far.
    fn accumulated(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.classes];
        for place in 0..self.counts.len() {
            for class in 0..self.classes {
                sums.push(sums[place * self.classes + class] + self.mean(place, class));
            }
        }
        sums
    }
}

/// The mean of each class, places weighted by their rows.
fn mean(counts: &[f64], classes: usize, value: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let all: f64 = counts.iter().sum();
    let sum = |class: usize| -> f64 { counts.iter().enumerate().map(|(at, n)| n * value(at, class)).sum() };
    (0..classes).map(|class| if all > 0.0 { sum(class) / all } else { 0.0 }).collect()
}

/// Values less the mean of their class.
fn centred(mut values: Vec<f64>, means: &[f64]) -> Vec<f64> {
    for own in values.chunks_exact_mut(means.len().max(1)) {
        own.iter_mut().zip(means).for_each(|(value, mean)| *value -= mean);
    }
    values
}
