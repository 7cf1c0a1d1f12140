//! Rows that a model treats alike: those that share most leaves.
//!
//! How alike two rows are is the share of a model's hypotheses that put both of them into the same cell (Breiman's proximity). Of rows that are equally
//! alike, the one that comes first counts as more so.

use manyboost_data::{Error, ErrorKind, Result};
use rayon::prelude::*;

use super::RowCells;

/// A row, and how alike it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similar {
    /// Its number among the rows that were searched.
    pub row: usize,
    /// The share of hypotheses in which it is in the same cell, from 0 to 1.
    pub share: f64,
}

/// For each row the rows of `among` that share most cells with it, as many as `top`. Both are what [`Model::apply`](crate::model::Model::apply) says
/// of the same model.
pub fn similar(rows: &RowCells, among: &RowCells, top: usize) -> Result<Vec<Vec<Similar>>> {
    if rows.terms != among.terms || rows.terms == 0 {
        let what = "rows cannot be compared by their leaves: the model has none, or there are two models";
        return Err(Error::new(
            ErrorKind::Parameter,
            what,
            "apply one model, with one round or more, to both",
        ));
    }
    let terms = rows.terms;
    let of = |row: &[u32]| {
        let same = |other: &[u32]| row.iter().zip(other).map(|(a, b)| u32::from(a == b)).sum::<u32>();
        let mut shared: Vec<(u32, u32)> =
            among.cells.chunks_exact(terms).map(same).zip(0..).map(|(same, at)| (same, at)).collect();
        let order = |a: &(u32, u32), b: &(u32, u32)| (b.0, a.1).cmp(&(a.0, b.1));
        let top = top.min(shared.len());
        if top > 0 && top < shared.len() {
            shared.select_nth_unstable_by(top - 1, order);
        }
        shared.truncate(top);
        shared.sort_unstable_by(order);
        let found = shared.into_iter();
        found
            .map(|(same, row)| Similar { row: row as usize, share: f64::from(same) / terms as f64 })
            .collect()
    };
    Ok(rows.cells.par_chunks_exact(terms).map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_counted_and_the_first_of_equals_comes_first() {
        let cells = |rows: &[[u32; 4]]| RowCells { rows: rows.len(), terms: 4, cells: rows.concat() };
        let rows = cells(&[[0, 1, 2, 3]]);
        let among = cells(&[[9, 9, 9, 9], [0, 1, 9, 9], [0, 1, 2, 3], [9, 9, 2, 3], [0, 9, 9, 9]]);
        let found = similar(&rows, &among, 3).unwrap();
        let wanted = [(2, 1.0), (1, 0.5), (3, 0.5)].map(|(row, share)| Similar { row, share });
        assert_eq!(found, [wanted.to_vec()]);
        assert_eq!(similar(&rows, &among, 99).unwrap()[0].len(), 5);
        assert_eq!(similar(&rows, &among, 0).unwrap(), [vec![]]);
        let other = RowCells { rows: 1, terms: 1, cells: vec![0] };
        assert!(similar(&rows, &other, 1).is_err());
    }
}
