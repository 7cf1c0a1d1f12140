//! Which class is answered where: the plane of two columns of numbers, round by round, for one ensemble or several side by side.

use manyboost::engine::scores::{Scores, argmax};
use manyboost::model::ensemble::Ensemble;
use manyboost_data::encode::{Codec, Encoder};
use manyboost_data::{Applied, Frame};
use serde_json::{Value, json};

use super::staged::{spread, stages};
use crate::numbers::number;
use crate::{Page, words};

/// Cells of a side of the plane.
const SIDE: usize = 56;
/// Rows that are drawn.
const ROWS: usize = 300;
/// The most classes: of more, colours would tell nothing.
const CLASSES: usize = 36;
/// Shades by probability.
const SHADES: f64 = 5.0;

/// An ensemble and what it is called.
pub(crate) struct Panel<'a> {
    pub name: &'a str,
    pub ensemble: &'a Ensemble,
}

/// Adds the section, if there are two columns, both of numbers, and rows of one class each.
pub(crate) fn section(
    page: &mut Page,
    panels: &[Panel<'_>],
    encoder: &Encoder,
    rows: &Applied,
    names: &[String],
) {
    let numbers = |column: &manyboost_data::encode::ColumnEncoder| matches!(column.codec, Codec::Number(_));
    let [first, second] = encoder.column_encoders() else { return };
    if !numbers(first) || !numbers(second) || rows.labels.is_sets() || names.len() > CLASSES {
        return;
    }
    let Some([across, up]) = reach(&rows.frame, 0).zip(reach(&rows.frame, 1)).map(|(x, y)| [x, y]) else {
        return;
    };
    let drawn: Vec<Value> = panels
        .iter()
        .map(|panel| {
            let rounds = stages(panel.ensemble.rounds.len());
            let regions = regions(panel.ensemble, &rounds, [across, up]);
            json!({"name": panel.name, "rounds": rounds, "stages": regions})
        })
        .collect();
    let place = |[low, high]: [f64; 2], x: f64| json!((1000.0 * (x - low) / (high - low)).round());
    let inside = |row: &u32| (0..2).all(|feature| rows.frame.value(*row as usize, feature).is_finite());
    let shown: Vec<u32> = spread(rows.frame.rows(), ROWS).into_iter().filter(inside).collect();
    let value = |row: &u32, feature: usize| rows.frame.value(*row as usize, feature);
    let points = shown.iter().flat_map(|row| [place(across, value(row, 0)), place(up, value(row, 1))]);
    let data = json!({
        "columns": [words::name(&first.name), words::name(&second.name)],
        "names": names,
        "x": across.map(number),
        "y": up.map(number),
        "side": SIDE,
        "panels": drawn,
        "points": points.collect::<Vec<_>>(),
        "of": shown.iter().map(|&row| rows.labels.class(row as usize)).collect::<Vec<_>>(),
    });
    let figure = page.figure("regions", "The answer at each place of the plane, after each round", data);
    let text = format!(
        "Both columns are numbers, so that all that the model can answer fits into a picture: the colour is the class that is answered there, the \
         deeper the surer. Dots are {} of this page, in the colours of their own classes.",
        words::count(shown.len(), "row")
    );
    page.section("regions", "Regions through the rounds", &text, &figure);
}

/// The range of a feature, and a little more.
fn reach(frame: &Frame, feature: usize) -> Option<[f64; 2]> {
    let values = || (0..frame.rows()).map(|row| frame.value(row, feature)).filter(|x| x.is_finite());
    let [low, high] = [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)];
    let more = 0.04 * (high - low);
    (more.is_finite() && more > 0.0).then_some([low - more, high + more])
}

/// The regions after each of some rounds: runs of cells, line by line from the top, each as class, shade and length.
fn regions(ensemble: &Ensemble, rounds: &[usize], [across, up]: [[f64; 2]; 2]) -> Vec<String> {
    let at = |[low, high]: [f64; 2], cell: usize| low + (high - low) * (cell as f64 + 0.5) / SIDE as f64;
    let value = |cell: usize, feature: u32| match feature {
        0 => at(across, cell % SIDE),
        _ => at(up, SIDE - 1 - cell / SIDE),
    };
    let mut raw = Scores::new(SIDE * SIDE, &ensemble.start);
    let look = |raw: &Scores| {
        let scores = ensemble.reading.scores(std::borrow::Cow::Borrowed(raw));
        let answer = |cell: usize| {
            let class = argmax(scores.row(cell));
            let mut p = scores.row(cell).to_vec();
            ensemble.reading.link.apply(&mut p);
            (class, (p[class] * SHADES).clamp(0.0, SHADES - 1.0) as usize)
        };
        runs((0..SIDE * SIDE).map(answer))
    };
    let mut found = vec![look(&raw)];
    for (round, stage) in ensemble.stages().enumerate() {
        stage.add_rows(value, &mut raw);
        if rounds.binary_search(&(round + 1)).is_ok() {
            found.push(look(&raw));
        }
    }
    found
}

/// Runs of equal answers, in digits of base 36: class, shade, length.
fn runs(answers: impl Iterator<Item = (usize, usize)>) -> String {
    let mut runs: Vec<((usize, usize), usize)> = Vec::new();
    for answer in answers {
        match runs.last_mut() {
            Some((last, length)) if *last == answer => *length += 1,
            _ => runs.push((answer, 1)),
        }
    }
    let digit = |n: usize| char::from_digit(n as u32, 36).unwrap_or('z');
    let length = |n: usize| {
        let digits = [n / 1296, n / 36 % 36, n % 36].map(digit);
        String::from_iter(digits).trim_start_matches('0').to_string()
    };
    let one = |((class, shade), n): ((usize, usize), usize)| {
        format!("{}{}{}", digit(class), digit(shade), length(n))
    };
    runs.into_iter().map(one).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn runs_are_class_shade_and_length() {
        let answers = [(0, 4), (0, 4), (0, 3), (35, 0)].into_iter();
        assert_eq!(runs(answers), "042 031 z01");
        assert_eq!(runs(std::iter::repeat_n((1, 2), 56 * 56)), "122f4");
    }
}
