//! The surest wrong answers: where a model is sure of another class, the row's own may have been written down wrongly.

use manyboost::engine::scores::{Scores, argmax};
use manyboost::model::Model;
use manyboost_data::Applied;

use super::gain::Gain;
use super::values;
use crate::{HtmlCell, HtmlTable, Page, words};

/// Rows that are listed.
const ROWS: usize = 20;
/// Columns whose values are shown.
const COLUMNS: usize = 5;

/// A row that is answered wrongly, and how sure the answer is.
pub struct Mistake {
    /// The row.
    pub row: usize,
    /// Its class, and the answer.
    pub classes: [usize; 2],
    /// The probabilities of both.
    pub p: [f64; 2],
}

/// The surest of them first.
pub fn surest(model: &Model, rows: &Applied, scores: &Scores, most: usize) -> Vec<Mistake> {
    let mut found = Vec::new();
    for row in 0..rows.frame.rows() {
        let (Some(is), named) = (rows.labels.class(row), argmax(scores.row(row))) else { continue };
        let is = is as usize;
        if is == named || is >= scores.width() {
            continue;
        }
        let mut p = scores.row(row).to_vec();
        model.ensemble.reading.link.apply(&mut p);
        found.push(Mistake { row, classes: [is, named], p: [p[is], p[named]] });
    }
    let apart = |mistake: &Mistake| mistake.p[1] - mistake.p[0];
    found.sort_by(|a, b| apart(b).total_cmp(&apart(a)).then(a.row.cmp(&b.row)));
    found.truncate(most);
    found
}

pub fn section(
    page: &mut Page,
    model: &Model,
    rows: &Applied,
    scores: &Scores,
    gains: &[Gain],
    names: &[String],
) {
    let found = surest(model, rows, scores, ROWS);
    if found.is_empty() {
        return;
    }
    let columns: Vec<&Gain> = gains.iter().take(COLUMNS).collect();
    let shown: Vec<String> = columns.iter().map(|column| words::name(&column.name)).collect();
    let mut head = vec!["Row", "Is", "Taken for", "Probability", "Of its own"];
    head.extend(shown.iter().map(String::as_str));
    let mut table = HtmlTable::new(3, &head);
    for Mistake { row, classes, p } in found {
        let mut cells: Vec<HtmlCell> = vec![words::grouped(row + 1).into()];
        cells.extend(classes.map(|class| HtmlCell::from(words::name(&names[class]))));
        cells.extend([HtmlCell::bar(words::percent(p[1]), p[1]), words::percent(p[0]).into()]);
        cells.extend(
            columns
                .iter()
                .map(|column| HtmlCell::from(values::shown(model, &rows.frame, row, column.column))),
        );
        table.row(cells);
    }
    let text = "Rows that the model is surest to know better, with the columns that do most. Some of them are hard; others have been given the wrong \
                class, and are worth a look. Rows are counted from 1, without those of weight 0.";
    page.section("mistakes", "Surest wrong answers", text, &table.html());
}
