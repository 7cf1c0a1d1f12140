//! Tables of arrays (the feature `ndarray`).

use ndarray::ArrayView2;

use crate::error::Result;
use crate::table::Table;
use crate::table::builder::TableBuilder;

impl TableBuilder {
    /// The columns of an array (`rows × features`) as features of numbers called `x1`, `x2`, …; NaN is missing.
    ///
    /// ```
    /// use manyboost_data::Table;
    /// use manyboost_data::ndarray::array;
    ///
    /// # fn main() -> manyboost_data::Result<()> {
    /// let rows = array![[0.5, 1.0], [f64::NAN, 2.0]];
    /// let table = Table::builder().array(rows.view()).label("red", [true, false]).weights([1.0, 2.0]).build()?;
    /// assert_eq!((table.rows, table.columns.len()), (2, 4));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "a view, of the size of a few words")]
    pub fn array<A: Copy + Into<f64>>(self, rows: ArrayView2<'_, A>) -> Self {
        let columns = rows.columns().into_iter().map(|column| column.into_iter().map(|&x| x.into()));
        self.unnamed(columns)
    }
}

impl Table {
    /// Rows of numbers (`rows × features`) with the class of each. Features are called `x1`, `x2`, …; NaN is missing.
    ///
    /// ```
    /// use manyboost_data::Table;
    /// use manyboost_data::ndarray::array;
    ///
    /// # fn main() -> manyboost_data::Result<()> {
    /// let table = Table::from_array(array![[0.0_f32], [1.0], [2.0]].view(), &["low", "low", "high"])?;
    /// assert_eq!(table.rows, 3);
    /// # Ok(())
    /// # }
    /// ```
    #[expect(clippy::needless_pass_by_value, reason = "a view, of the size of a few words")]
    pub fn from_array<A: Copy + Into<f64>, C: ToString>(
        rows: ArrayView2<'_, A>,
        classes: &[C],
    ) -> Result<Self> {
        Self::builder().array(rows).classes(classes.iter().map(ToString::to_string)).build()
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;

    #[test]
    fn an_array_is_its_rows() {
        let rows = [[1.0, f64::NAN, -0.0], [2.5, 4.0, 1e300]];
        let array = Array2::from_shape_fn((2, 3), |(i, j)| rows[i][j]);
        let wanted = format!("{:?}", Table::from_rows(&rows, &["a", "b"]).unwrap());
        assert_eq!(format!("{:?}", Table::from_array(array.view(), &["a", "b"]).unwrap()), wanted);
        // In any layout.
        let turned = array.t().as_standard_layout().into_owned();
        assert_eq!(format!("{:?}", Table::from_array(turned.t(), &["a", "b"]).unwrap()), wanted);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let of = |rows: Array2<f64>| Table::from_array(rows.view(), &["a", "b"]).unwrap_err().to_string();
        assert!(
            of(array![[1.0]]).contains("\"class\" has 2 values, and the first one 1"),
            "{}",
            of(array![[1.0]])
        );
        let infinite = of(array![[1.0, 1.0], [1.0, f64::INFINITY]]);
        assert!(infinite.contains("column \"x2\" is infinite in row 1"), "{infinite}");
    }
}
