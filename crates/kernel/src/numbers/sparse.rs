//! Products of sparse rows and tables that have a row of numbers for each column.
//!
//! Every number of a result is a sum over the entries of a row in their order, whatever the vectors: the bits are the same on every
//! machine.

use crate::numbers::cpu::vectorised;

vectorised! {
    /// Adds to `out` the rows of a table that entries of a sparse row name, times their values.
    ///
    /// # Panics
    /// If the table has no such row.
    pub fn add_product = add_product_body<>(columns: &[u32], values: &[f32], table: &[f32], out: &mut [f32])
}

#[inline(always)]
fn add_product_body(columns: &[u32], values: &[f32], table: &[f32], out: &mut [f32]) {
    let width = out.len();
    for (&column, &value) in columns.iter().zip(values) {
        let row = &table[column as usize * width..][..width];
        for (sum, x) in out.iter_mut().zip(row) {
            *sum += value * x;
        }
    }
}

vectorised! {
    /// Adds `steps` to the rows of a table that entries of a sparse row name, times their values.
    ///
    /// # Panics
    /// If the table has no such row.
    pub fn spread_product = spread_product_body<>(columns: &[u32], values: &[f32], steps: &[f32], table: &mut [f32])
}

#[inline(always)]
fn spread_product_body(columns: &[u32], values: &[f32], steps: &[f32], table: &mut [f32]) {
    let width = steps.len();
    for (&column, &value) in columns.iter().zip(values) {
        let row = &mut table[column as usize * width..][..width];
        for (x, step) in row.iter_mut().zip(steps) {
            *x += value * step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_sums_over_entries() {
        let table: Vec<f32> = (0..12).map(|x| x as f32).collect();
        let mut out = vec![1.0, 0.0, 0.0];
        add_product(&[0, 3], &[2.0, 0.5], &table, &mut out);
        assert_eq!(out, [1.0 + 0.0 + 4.5, 2.0 + 5.0, 4.0 + 5.5]);
        let mut changed = table.clone();
        spread_product(&[1, 3], &[1.0, -2.0], &[1.0, 0.0, 0.5], &mut changed);
        let wanted = [0.0, 1.0, 2.0, 4.0, 4.0, 5.5, 6.0, 7.0, 8.0, 7.0, 10.0, 10.0];
        assert_eq!(changed, wanted);
    }
}
