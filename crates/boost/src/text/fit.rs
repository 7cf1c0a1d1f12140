//! Support vector machines of sparse rows, one per class, by dual coordinate descent.
//!
//! The machine of a class minimises ½|w|² + Σ cᵢ max(0, 1 − yᵢ w·xᵢ)², where y is +1 for rows of the class and −1 for others, and every row
//! has a 1 at its end for the offset. Its dual has a variable αᵢ ≥ 0 for each row, w = Σ αᵢ yᵢ xᵢ, and the best value of one variable for
//! given others is known (Hsieh, Chang, Lin, Keerthi & Sundararajan 2008, "A dual coordinate descent method for large-scale linear SVM",
//! algorithm 1). Several classes are fitted side by side: an entry of a row is then used for all of them at a time.

use manyboost_data::text::SparseRows;
use manyboost_kernel::Seed;
use manyboost_kernel::numbers::sparse::{add_product, spread_product};

/// Classes that are fitted side by side. What a class comes to does not depend on the others, but for rows that rest.
pub(super) const TOGETHER: usize = 32;

/// Most times that each row is looked at.
const EPOCHS: u64 = 15;

/// Where no gradient is larger, it is enough.
const ENOUGH: f32 = 0.2;

/// A row whose gradients are smaller rests for some epochs, once the first ones are over.
const QUIET: f32 = 0.03;
const REST: u64 = 4;
const RESTLESS: u64 = 1;

/// What machines are fitted to.
pub(super) struct Examples<'a> {
    pub(super) rows: &'a SparseRows,
    pub(super) labels: &'a [Vec<u32>],
    /// What an error of each row costs: c.
    pub(super) costs: &'a [f32],
    /// Columns of the rows.
    pub(super) columns: usize,
}

/// The machines of some classes: a row of coefficients for each column, and one for the offset.
pub(super) struct Machines {
    pub(super) first: u32,
    pub(super) width: usize,
    pub(super) table: Vec<f32>,
}

impl Machines {
    /// Fits those of `width` classes to some rows.
    pub(super) fn fit(examples: &Examples<'_>, of: &[u32], first: u32, width: usize) -> Self {
        let table = vec![0.0; (examples.columns + 1) * width];
        let mut descent = Descent {
            machines: Self { first, width, table },
            alphas: vec![0.0; of.len() * width],
            signs: vec![-1.0; width],
            steps: vec![0.0; width],
        };
        let mut order: Vec<u32> = (0..of.len() as u32).collect();
        let mut awake = vec![0u64; of.len()];
        for epoch in 0..EPOCHS {
            shuffle(&mut order, Seed::new(epoch));
            let mut most = 0f32;
            for &at in &order {
                if awake[at as usize] > epoch {
                    continue;
                }
                let gradient = descent.step(examples, at as usize, of[at as usize] as usize);
                most = most.max(gradient);
                if gradient < QUIET && epoch > RESTLESS {
                    awake[at as usize] = epoch + REST;
                }
            }
            if most < ENOUGH {
                break;
            }
        }
        descent.machines
    }

    /// What they say of a row.
    pub(super) fn scores(&self, rows: &SparseRows, row: usize, out: &mut [f32]) {
        let (columns, values) = rows.row(row);
        out.copy_from_slice(&self.table[self.table.len() - self.width..]);
        add_product(columns, values, &self.table, out);
    }
}

/// A descent under way.
struct Descent {
    machines: Machines,
    /// The variables of each row.
    alphas: Vec<f32>,
    /// +1 or −1 for each class.
    signs: Vec<f32>,
    steps: Vec<f32>,
}

impl Descent {
    /// Gives the variables of a row their best values; the largest gradient by which one of them has moved.
    fn step(&mut self, examples: &Examples<'_>, at: usize, row: usize) -> f32 {
        let Self { machines, alphas, signs, steps } = self;
        let width = machines.width;
        let (columns, values) = examples.rows.row(row);
        machines.scores(examples.rows, row, steps);
        signs.fill(-1.0);
        for &label in &examples.labels[row] {
            if let Some(sign) = label.checked_sub(machines.first).and_then(|at| signs.get_mut(at as usize)) {
                *sign = 1.0;
            }
        }
        let soft = 0.5 / examples.costs[row];
        let bend = 1.0 + soft + values.iter().map(|value| value * value).sum::<f32>();
        let own = &mut alphas[at * width..(at + 1) * width];
        let mut most = 0f32;
        for ((step, sign), alpha) in steps.iter_mut().zip(signs.iter()).zip(own) {
            let gradient = sign * *step - 1.0 + soft * *alpha;
            let next = (*alpha - gradient / bend).max(0.0);
            let change = next - *alpha;
            *alpha = next;
            *step = change * sign;
            most = most.max(change.abs());
        }
        if most > 0.0 {
            let offset = machines.table.len() - width;
            spread_product(columns, values, steps, &mut machines.table);
            machines.table[offset..].iter_mut().zip(&*steps).for_each(|(offset, step)| *offset += step);
        }
        most * bend
    }
}

/// Puts numbers into a random order.
fn shuffle(order: &mut [u32], seed: Seed) {
    for at in (1..order.len()).rev() {
        order.swap(at, seed.part(at as u64).below(at as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ½|w|² + Σ c max(0, 1 − y w·x)² of a class.
    fn objective(examples: &Examples<'_>, machines: &Machines, class: u32) -> f64 {
        let width = machines.width;
        let own = machines.table.iter().skip(class as usize).step_by(width);
        let mut sum: f64 = own.map(|&w| 0.5 * f64::from(w).powi(2)).sum();
        let mut scores = vec![0.0; width];
        for row in 0..examples.rows.rows() {
            machines.scores(examples.rows, row, &mut scores);
            let sign = if examples.labels[row].contains(&class) { 1.0 } else { -1.0 };
            let short = (1.0 - sign * f64::from(scores[class as usize])).max(0.0);
            sum += f64::from(examples.costs[row]) * short * short;
        }
        sum
    }

    #[test]
    fn no_coefficient_is_much_better_elsewhere() {
        let entry = |row: u32, column: u32| {
            ((row * 7 + column * 3) % 5 < 2).then_some((column, 0.3 + 0.1 * (row % 4) as f32))
        };
        let rows: Vec<Vec<(u32, f32)>> =
            (0..40).map(|row| (0..6).filter_map(|c| entry(row, c)).collect()).collect();
        let rows = SparseRows::new(&rows);
        let labels: Vec<Vec<u32>> = (0..40u32).map(|row| vec![row * row % 3]).collect();
        let costs: Vec<f32> = (0..40).map(|row| 0.5 + (row % 3) as f32).collect();
        let examples = Examples { rows: &rows, labels: &labels, costs: &costs, columns: 6 };
        let all: Vec<u32> = (0..40).collect();
        let mut machines = Machines::fit(&examples, &all, 0, 3);
        for class in 0..3 {
            let least = objective(&examples, &machines, class);
            for column in 0..7 {
                let at = column * 3 + class as usize;
                for step in [-0.05, 0.05] {
                    let before = machines.table[at];
                    machines.table[at] += step;
                    assert!(
                        objective(&examples, &machines, class) > 0.99 * least,
                        "column {column}, class {class}"
                    );
                    machines.table[at] = before;
                }
            }
        }
    }
}
