//! Tables of which one is the rows after the other's.

use std::collections::HashMap;

use crate::error::{Error, ErrorKind, Result};
use crate::schema::role::{Kind, Role};
use crate::table::{Column, Numbers, Table, Values, Words};
use crate::time::turned_all;
use crate::wording;

impl Table {
    /// Adds the rows of another table with the same columns.
    pub fn append(&mut self, other: Self) -> Result<()> {
        let alike = |(a, b): (&Column, &Column)| a.name == b.name && a.role.beside(b.role).is_some();
        if self.columns.len() != other.columns.len() || !self.columns.iter().zip(&other.columns).all(alike) {
            let what = format!("{}: other columns than in {}", other.source, self.source);
            return Err(Error::new(
                ErrorKind::Column,
                what,
                "give files with the same columns in the same order",
            ));
        }
        let (before, after) = (self.rows, other.rows);
        if before + after >= u32::MAX as usize {
            let what = format!("{}: {} rows with those of {}", other.source, before + after, self.source);
            return Err(Error::new(ErrorKind::Limit, what, "at most 4,294,967,294 rows are accepted"));
        }
        for (own, mut column) in self.columns.iter_mut().zip(other.columns) {
            let role = own.role.beside(column.role).unwrap_or(own.role);
            own.settle(role);
            column.settle(role);
            let values = std::mem::replace(&mut own.values, Values::SparseNumbers(Vec::new()));
            own.values = values.followed_by(column.values, before, after).ok_or_else(|| {
                let name = wording::name(&column.name);
                let what =
                    format!("{}: column {name} is of another kind than in {}", other.source, self.source);
                Error::new(ErrorKind::Column, what, "give files whose columns are of the same kinds")
            })?;
        }
        self.rows += after;
        Ok(())
    }
}

impl Column {
    /// Gives the column another role that it can have; dates that left open what the day is are read anew.
    pub(crate) fn settle(&mut self, role: Role) {
        if let (Role::Feature(Some(Kind::Time(own))), Role::Feature(Some(Kind::Time(other)))) =
            (self.role, role)
            && own.turns(other)
            && let Values::Numbers(seconds) = &self.values
        {
            self.values = Values::Numbers(turned_all(seconds));
        }
        self.role = role;
    }
}

impl Values {
    /// The values of parts of a column, each with its rows, as one; none if they are of different kinds, or there is no part.
    pub fn joined(mut parts: Vec<(usize, Self)>) -> Option<Self> {
        // In pairs, so that few values are copied often.
        while parts.len() > 1 {
            let mut pairs = Vec::with_capacity(parts.len().div_ceil(2));
            let mut rest = parts.into_iter();
            while let Some((before, first)) = rest.next() {
                pairs.push(match rest.next() {
                    Some((after, second)) => (before + after, first.followed_by(second, before, after)?),
                    None => (before, first),
                });
            }
            parts = pairs;
        }
        parts.pop().map(|(_, values)| values)
    }

    /// The values of so many rows, and those of so many others after them.
    fn followed_by(self, other: Self, before: usize, after: usize) -> Option<Self> {
        Some(match (self, other) {
            (Self::Words(a), Self::Words(b)) => Self::Words(a.followed_by(b)),
            (Self::Numbers(a), Self::Numbers(b)) => Self::Numbers(a.followed_by(b)),
            (Self::SparseNumbers(mut a), Self::SparseNumbers(b)) => {
                a.extend(b.into_iter().map(|(row, value)| (row + before as u32, value)));
                Self::SparseNumbers(a)
            }
            (Self::Numbers(a), Self::SparseNumbers(b)) => Self::Numbers(a.followed_by(spelt_out(&b, after))),
            (Self::SparseNumbers(a), Self::Numbers(b)) => Self::Numbers(spelt_out(&a, before).followed_by(b)),
            _ => return None,
        })
    }
}

fn spelt_out(entries: &[(u32, f64)], rows: usize) -> Numbers {
    let mut values = vec![0.0; rows];
    for &(row, value) in entries {
        values[row as usize] = value;
    }
    Numbers::F64(values)
}

impl Numbers {
    fn followed_by(self, other: Self) -> Self {
        match (self, other) {
            (Self::I8(a), Self::I8(b)) => Self::I8([a, b].concat()),
            (Self::I16(a), Self::I16(b)) => Self::I16([a, b].concat()),
            (Self::I32(a), Self::I32(b)) => Self::I32([a, b].concat()),
            (Self::F32(a), Self::F32(b)) => Self::F32([a, b].concat()),
            (a, b) => {
                let values =
                    |numbers: &Self| (0..numbers.len()).map(|row| numbers.get(row)).collect::<Vec<_>>();
                Self::F64([values(&a), values(&b)].concat())
            }
        }
    }
}

impl Words {
    fn followed_by(mut self, other: Self) -> Self {
        let mut codes: HashMap<Box<str>, u32> = self.dictionary.iter().cloned().zip(0..).collect();
        let mut code = |text: Box<str>| {
            *codes.entry(text).or_insert_with_key(|text| {
                self.dictionary.push(text.clone());
                self.dictionary.len() as u32 - 1
            })
        };
        let renumbered: Vec<u32> = other.dictionary.into_iter().map(&mut code).collect();
        let code = |code: u32| renumbered.get(code as usize).copied().unwrap_or(Self::MISSING);
        self.codes.extend(other.codes.into_iter().map(code));
        self
    }
}

#[cfg(test)]
mod tests {
    use crate::generate::mixed::mixed;
    use crate::{Numbers, PrepareOptions, Values, Words, fingerprint, prepare};

    #[test]
    fn parts_of_a_column_make_the_column() {
        let part =
            |range: std::ops::Range<i32>| (range.len(), Values::Numbers(Numbers::I32(range.collect())));
        let joined = Values::joined(vec![part(0..3), part(3..3), part(3..4), part(4..9), part(9..10)]);
        assert_eq!(format!("{joined:?}"), format!("{:?}", Some(part(0..10).1)));
        assert!(Values::joined(vec![part(0..1), (0, Values::Words(Words::default()))]).is_none());
        assert!(Values::joined(Vec::new()).is_none());
    }

    #[test]
    fn parts_of_a_table_make_the_table() {
        let whole = mixed(120, 4, 5);
        let rows = |range: std::ops::Range<u32>| whole.select(&range.collect::<Vec<_>>());
        let mut parts = rows(0..50);
        parts.append(rows(50..51)).unwrap();
        parts.append(rows(51..120)).unwrap();
        let [a, b] = [whole.clone(), parts].map(|table| prepare(table, &PrepareOptions::default()).unwrap());
        assert_eq!((a.schema, a.encoder), (b.schema, b.encoder));
        assert_eq!(fingerprint(&a.dataset), fingerprint(&b.dataset));
        let mut other = rows(0..3);
        other.columns.swap(0, 1);
        assert!(rows(3..5).append(other).is_err());
    }
}
