//! The values that a column is given.

use manyboost_data::encode::{Codec, TimeCodec};
use manyboost_data::{Error, ErrorKind, Frame, Result};

use crate::model::Model;

/// A column and values of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The place of the column among those of the model.
    pub column: usize,
    /// Its name.
    pub name: String,
    /// The values, ascending; levels by their numbers; at the end NaN, where the value is missing.
    pub values: Vec<f64>,
    /// What levels are called, where values are levels.
    pub levels: Option<Vec<String>>,
    /// What values are, where they are the seconds of times.
    pub times: Option<TimeCodec>,
    /// Its feature.
    pub(super) feature: usize,
}

impl Axis {
    /// A value as a text; nothing where it is missing.
    pub fn shown(&self, place: usize) -> String {
        let value = self.values[place];
        match &self.levels {
            _ if value.is_nan() => String::new(),
            Some(levels) => levels.get(value as usize).cloned().unwrap_or_default(),
            None => self.times.as_ref().map_or_else(|| value.to_string(), |times| times.shown(value)),
        }
    }

    /// The same column with other values; levels by their numbers.
    #[must_use]
    pub fn with_values(self, values: Vec<f64>) -> Self {
        Self { values, ..self }
    }

    /// A column with values of some rows.
    pub(super) fn find(model: &Model, frame: &Frame, name: &str, most: usize) -> Result<Self> {
        let encoders = model.encoder.column_encoders();
        let Some(column) = encoders.iter().position(|column| column.name == name) else {
            let names: Vec<&str> = encoders.iter().take(8).map(|column| column.name.as_str()).collect();
            let more = if encoders.len() > 8 { ", …" } else { "" };
            let (what, remedy) = (
                format!("the model has no column {name:?}"),
                format!("give one of its columns: {}{more}", names.join(", ")),
            );
            return Err(Error::new(ErrorKind::Parameter, what, remedy));
        };
        let levels = match &encoders[column].codec {
            Codec::Number(_) | Codec::Time(_) => None,
            Codec::Category(codec) => Some(codec.levels().to_vec()),
            Codec::Text(_) => {
                let what = format!("column {name:?} is text, of which no single value has an effect");
                let remedy = "give a column of numbers or categories; `explain --words` is for words";
                return Err(Error::new(ErrorKind::Parameter, what, remedy));
            }
        };
        let feature = model.encoder.first_features()[column];
        let times = match &encoders[column].codec {
            Codec::Time(codec) => Some(codec.clone()),
            _ => None,
        };
        let mut values: Vec<f64> = (0..frame.rows()).map(|row| frame.value(row, feature)).collect();
        let missing = values.iter().any(|value| value.is_nan());
        values.retain(|value| !value.is_nan());
        values.sort_by(f64::total_cmp);
        let most = if levels.is_some() { usize::MAX } else { most.max(2) };
        let mut values = quantiles(&values, most);
        values.extend(missing.then_some(f64::NAN));
        Ok(Self { column, name: name.to_string(), values, levels, times, feature })
    }

    /// The same without the missing value.
    pub(super) fn present(&self) -> Self {
        let values = self.values.iter().copied().filter(|value| !value.is_nan()).collect();
        Self { values, ..self.clone() }
    }
}

/// The distinct ones of values that ascend; if there are too many, the lowest, the highest and quantiles between.
fn quantiles(values: &[f64], most: usize) -> Vec<f64> {
    let mut distinct = values.to_vec();
    distinct.dedup();
    if distinct.len() <= most {
        return distinct;
    }
    let last = values.len() - 1;
    let mut chosen: Vec<f64> =
        (0..most).map(|at| values[(at as u128 * last as u128 / (most as u128 - 1)) as usize]).collect();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::quantiles;

    #[test]
    fn ends_are_kept() {
        assert_eq!(quantiles(&[1.0, 1.0, 2.0], 5), [1.0, 2.0]);
        assert_eq!(
            quantiles(&(0..101).map(f64::from).collect::<Vec<_>>(), 5),
            [0.0, 25.0, 50.0, 75.0, 100.0]
        );
        assert!(quantiles(&[], 5).is_empty());
    }
}
