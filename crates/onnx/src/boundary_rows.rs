//! Rows that no file has: values at the thresholds of a model and just beside them, where a graph that is not quite the model
//! would go another way.

use manyboost::model::Model;
use manyboost::model::tree::Test;
use manyboost_data::encode::Codec;
use manyboost_data::{Column, Kind, Numbers, Role, Table, Values, Words};
use manyboost_kernel::numbers::seed::mix;

/// Seconds that the calendar has on either side of 1970, about.
const CALENDAR: f64 = 8e12;

/// A table of so many rows.
pub fn boundary_rows(model: &Model, rows: usize) -> Table {
    let encoders = model.encoder.column_encoders();
    let of = model.encoder.columns();
    let mut thresholds: Vec<Vec<f64>> = vec![Vec::new(); encoders.len()];
    let trees = model.ensemble.terms().flat_map(|term| term.hypothesis.cells.trees());
    for node in trees.flat_map(|tree| &tree.nodes) {
        if let (Test::AtMost(threshold), Some((column, _))) = (&node.test, of.get(node.feature as usize)) {
            thresholds[*column].push(*threshold);
        }
    }
    for (own, encoder) in thresholds.iter_mut().zip(encoders) {
        if matches!(encoder.codec, Codec::Time(_)) {
            own.retain(|seconds| seconds.abs() < CALENDAR);
        }
    }
    let columns = encoders.iter().enumerate().map(|(at, encoder)| {
        // A number for each row that looks random.
        let draw = move |row: usize| mix(mix(at as u64 + 1) ^ row as u64);
        let (kind, values) = match &encoder.codec {
            Codec::Category(codec) => {
                let levels = codec.levels();
                let unseen = levels.len() as u64;
                let code = |row| match draw(row) % (unseen + 2) {
                    level if level <= unseen => level as u32,
                    _ => Words::MISSING,
                };
                let mut dictionary: Vec<Box<str>> =
                    levels.iter().map(|level| level.as_str().into()).collect();
                dictionary.push("(a level that was never seen)".into());
                (Kind::Category, Values::Words(Words { codes: (0..rows).map(code).collect(), dictionary }))
            }
            Codec::Number(_) | Codec::Text(_) | Codec::Time(_) => {
                let own = &thresholds[at];
                let value = |row| {
                    let x = own.get((draw(row) >> 8) as usize % own.len().max(1)).copied().unwrap_or(0.0);
                    match draw(row) % 8 {
                        // Any hour of some years.
                        4..=6 if matches!(encoder.codec, Codec::Time(_)) => {
                            x + ((draw(row) >> 16) % 100_000_000) as f64
                        }
                        0 => f64::NAN,
                        1 | 2 => x.next_up(),
                        3 => x.next_down(),
                        _ => x,
                    }
                };
                let kind = match &encoder.codec {
                    Codec::Time(codec) => Kind::Time(codec.clock()),
                    _ => Kind::Number,
                };
                (kind, Values::Numbers(Numbers::F64((0..rows).map(value).collect())))
            }
        };
        Column { name: encoder.name.clone(), role: Role::Feature(Some(kind)), values }
    });
    Table { source: "made up".into(), columns: columns.collect(), rows, notes: Vec::new() }
}
