//! Columns of numbers that stay in the narrowest exact type while they grow.
//!
//! The type of a column is a function of the set of its values, never of the order in which they came or of how
//! the file was cut into blocks: integers by range, then single precision if every value survives it, then double.

use crate::table::Numbers;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Width {
    I8,
    I16,
    I32,
    F32,
    F64,
}

/// Whether single precision holds a value exactly.
fn single(value: f64) -> bool {
    value.is_nan() || f64::from(value as f32) == value
}

fn width_of(value: f64) -> Width {
    let size = value.abs();
    if value.is_nan() {
        Width::I8
    } else if value.trunc() == value && size <= f64::from(i32::MAX) {
        if size <= f64::from(i8::MAX) {
            Width::I8
        } else if size <= f64::from(i16::MAX) {
            Width::I16
        } else {
            Width::I32
        }
    } else if single(value) {
        Width::F32
    } else {
        Width::F64
    }
}

impl Numbers {
    /// An empty column.
    pub fn new() -> Self {
        Self::I8(Vec::new())
    }

    /// Adds a finite value, or NaN for a missing one, and widens the column where it must. −0.0 becomes 0.0.
    pub fn push(&mut self, value: f64) {
        if let Self::F64(values) = self {
            values.push(value + 0.0);
            return;
        }
        let wanted = width_of(value);
        if wanted != self.width() {
            let width = join(self, wanted, || single(value));
            self.widen(width);
        }
        self.push_held(value);
    }

    /// Adds an integer that double precision may round.
    #[inline]
    pub(crate) fn push_integer(&mut self, value: i64) {
        match self {
            Self::I8(v) if i8::try_from(value.unsigned_abs()).is_ok() => v.push(value as i8),
            Self::I16(v) if i16::try_from(value.unsigned_abs()).is_ok() => v.push(value as i16),
            _ => self.push(value as f64),
        }
    }

    /// Adds the values of another column behind the ones of this.
    pub fn append(&mut self, other: &Self) {
        let wanted = other.width();
        if wanted != self.width() {
            let width = join(self, wanted, || other.all_single());
            self.widen(width);
        }
        match (&mut *self, other) {
            (Self::I8(a), Self::I8(b)) => a.extend_from_slice(b),
            (Self::I16(a), Self::I16(b)) => a.extend_from_slice(b),
            (Self::I32(a), Self::I32(b)) => a.extend_from_slice(b),
            (Self::F32(a), Self::F32(b)) => a.extend_from_slice(b),
            (Self::F64(a), Self::F64(b)) => a.extend_from_slice(b),
            _ => (0..other.len()).for_each(|row| self.push_held(other.get(row))),
        }
    }

    /// Gives spare room back.
    pub(crate) fn shrink(&mut self) {
        match self {
            Self::I8(v) => v.shrink_to_fit(),
            Self::I16(v) => v.shrink_to_fit(),
            Self::I32(v) => v.shrink_to_fit(),
            Self::F32(v) => v.shrink_to_fit(),
            Self::F64(v) => v.shrink_to_fit(),
        }
    }

    fn width(&self) -> Width {
        match self {
            Self::I8(_) => Width::I8,
            Self::I16(_) => Width::I16,
            Self::I32(_) => Width::I32,
            Self::F32(_) => Width::F32,
            Self::F64(_) => Width::F64,
        }
    }

    fn all_single(&self) -> bool {
        (0..self.len()).all(|row| single(self.get(row)))
    }

    fn widen(&mut self, width: Width) {
        if width <= self.width() {
            return;
        }
        let mut wider = match width {
            Width::I8 => Self::I8(Vec::with_capacity(self.len())),
            Width::I16 => Self::I16(Vec::with_capacity(self.len())),
            Width::I32 => Self::I32(Vec::with_capacity(self.len())),
            Width::F32 => Self::F32(Vec::with_capacity(self.len())),
            Width::F64 => Self::F64(Vec::with_capacity(self.len())),
        };
        (0..self.len()).for_each(|row| wider.push_held(self.get(row)));
        *self = wider;
    }

    /// Adds a value that the type is known to hold. (Adding 0.0 turns −0.0 into 0.0.)
    fn push_held(&mut self, value: f64) {
        match self {
            Self::I8(v) => v.push(if value.is_nan() { i8::MIN } else { value as i8 }),
            Self::I16(v) => v.push(if value.is_nan() { i16::MIN } else { value as i16 }),
            Self::I32(v) => v.push(if value.is_nan() { i32::MIN } else { value as i32 }),
            Self::F32(v) => v.push(value as f32 + 0.0),
            Self::F64(v) => v.push(value + 0.0),
        }
    }
}

impl Default for Numbers {
    fn default() -> Self {
        Self::new()
    }
}

/// The type that holds a column and newcomers of another width.
///
/// Single precision holds every 16-bit integer but not every 32-bit one, so those two meet in double precision
/// unless the integers at hand happen to be exact.
fn join(held: &Numbers, wanted: Width, newcomers_single: impl Fn() -> bool) -> Width {
    let have = held.width();
    match (have, wanted) {
        (Width::I32, Width::F32) if !held.all_single() => Width::F64,
        (Width::F32, Width::I32) if !newcomers_single() => Width::F64,
        _ => have.max(wanted),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn column(values: &[f64]) -> Numbers {
        let mut column = Numbers::new();
        for v in values {
            column.push(*v);
        }
        column
    }

    #[test]
    fn the_narrowest_exact_type() {
        for (values, width) in [
            (vec![1.0, -127.0, f64::NAN], Width::I8),
            (vec![1.0, -128.0], Width::I16),
            (vec![32_768.0], Width::I32),
            (vec![0.5, 32_767.0], Width::F32),
            (vec![0.5, 16_777_217.0], Width::F64),
            (vec![0.5, 16_777_218.0], Width::F32),
            (vec![0.1], Width::F64),
            (vec![1e10], Width::F32),
            (vec![], Width::I8),
        ] {
            assert_eq!(column(&values).width(), width, "{values:?}");
        }
        let zero = column(&[-0.0, 0.5]);
        assert!(zero.get(0).is_sign_positive());
    }

    fn value() -> impl Strategy<Value = f64> {
        prop_oneof![
            Just(f64::NAN),
            (-200_i32..200).prop_map(f64::from),
            any::<i32>().prop_map(|i| f64::from(i.max(-i32::MAX))),
            (-100_i32..100).prop_map(|i| f64::from(i) / 4.0),
            -1e9..1e9_f64,
        ]
    }

    proptest! {
        #[test]
        fn neither_order_nor_cuts_matter(values in prop::collection::vec(value(), 0..40), cut in 0_usize..40) {
            let whole = column(&values);
            let (head, tail) = values.split_at(cut.min(values.len()));
            let mut parts = column(head);
            parts.append(&column(tail));
            let mut backwards = values.clone();
            backwards.reverse();
            prop_assert_eq!(whole.width(), parts.width());
            prop_assert_eq!(whole.width(), column(&backwards).width());
            for (row, value) in values.iter().enumerate() {
                let same = |x: f64| x == *value || x.is_nan() && value.is_nan();
                prop_assert!(same(whole.get(row)) && same(parts.get(row)));
            }
        }
    }
}
