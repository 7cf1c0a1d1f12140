//! The values of a row as a reader knows them.

use manyboost::model::Model;
use manyboost_data::Frame;
use manyboost_data::encode::Codec;

use crate::words;

/// Words of a text that are shown.
const WORDS: usize = 6;

/// The first feature of a column.
pub fn first_feature(model: &Model, column: usize) -> usize {
    model.encoder.first_features().get(column).copied().unwrap_or(0)
}

/// The value of a column (by its place among the encoder's) in a row.
pub fn shown(model: &Model, frame: &Frame, row: usize, column: usize) -> String {
    let Some(encoder) = model.encoder.column_encoders().get(column) else { return String::new() };
    let first = first_feature(model, column);
    let value = frame.value(row, first);
    match &encoder.codec {
        Codec::Text(codec) => {
            let there = (0..codec.width()).filter(|word| frame.value(row, first + word) > 0.0);
            let shown: Vec<String> =
                there.take(WORDS + 1).map(|word| words::name(&codec.grams()[word])).collect();
            let more = if shown.len() > WORDS { " …" } else { "" };
            shown[..shown.len().min(WORDS)].join(" ") + more
        }
        _ if value.is_nan() => "–".into(),
        Codec::Number(_) => words::short(value),
        Codec::Time(codec) => codec.shown(value),
        Codec::Category(_) => words::name(model.encoder.level(first, value as u32).unwrap_or("–")),
    }
}
