//! The page of explanations: what the columns of rows add to the scores of their likeliest classes.

use serde_json::{Value, json};

use crate::numbers::{number, numbers};
use crate::{Page, words};

/// Rows that a page has at most.
pub const ROWS: usize = 300;
/// Parts that are shown of each row.
pub const PARTS: usize = 10;
/// Classes that are shown of each row.
pub const CLASSES: usize = 3;
/// Parts of the summary, and its numbers at most.
const SUMMARY: usize = 15;
const NUMBERS: usize = 20_000;

/// What a part of a row adds to a score.
pub struct Adds {
    /// The name of the column, or of the word.
    pub name: String,
    /// Its value; empty where there is nothing to show.
    pub value: String,
    /// What it adds.
    pub amount: f64,
}

/// What adds up to the score of a class.
pub struct ClassReasons {
    /// The number of the class.
    pub class: usize,
    /// Its probability.
    pub probability: f64,
    /// What adds most, the strongest first.
    pub parts: Vec<Adds>,
    /// How many others add something, and how much they add together.
    pub others: (usize, f64),
}

/// A row.
pub struct RowReasons {
    /// Its number in the file.
    pub number: usize,
    /// Its class, or its labels.
    pub answer: String,
    /// The likeliest classes, the answer first.
    pub classes: Vec<ClassReasons>,
}

/// What a page is made of.
pub struct Subject<'a> {
    /// The title, and a line below it.
    pub title: &'a str,
    /// What was explained, by what.
    pub lead: &'a str,
    /// The classes, or the labels.
    pub names: &'a [String],
    /// What is expected of the score of each.
    pub expected: &'a [f64],
    /// The rows that are shown.
    pub rows: &'a [RowReasons],
    /// Names of parts with how far they move the score of each class, on average over all rows.
    pub moves: &'a [(String, Vec<f64>)],
    /// The number of all rows that were explained.
    pub explained: usize,
    /// A command that makes the page again.
    pub command: &'a str,
}

/// The page.
pub fn page(subject: &Subject<'_>) -> String {
    let Subject { names, rows, moves, explained, .. } = subject;
    let mut page = Page::new(subject.title, subject.lead);
    let shown: Vec<Value> = rows.iter().map(row).collect();
    let data = json!({"names": names, "expected": numbers(subject.expected.iter().copied()), "rows": shown});
    let figure = page.figure("reasons", "What the columns of a row add to a score", data);
    let few = if rows.len() < *explained {
        format!(" The first {} of {} are here.", words::grouped(rows.len()), words::count(*explained, "row"))
    } else {
        String::new()
    };
    let text = format!(
        "Pick a row: from what is expected of any row, its columns take the score of a class to what it is, each by its exact Shapley value.{few}"
    );
    page.section("reasons", "Why this answer?", &text, &figure);
    summary(&mut page, names, moves, *explained);
    page.text("reproduce", "Make it again", "The same model and rows give the same page.", subject.command);
    page.html()
}

fn row(row: &RowReasons) -> Value {
    let part = |part: &Adds| {
        json!([words::name(&part.name), words::name_or_nothing(&part.value), number(part.amount)])
    };
    let class = |class: &ClassReasons| {
        let (others, rest) = class.others;
        let parts: Vec<Value> = class.parts.iter().map(part).collect();
        json!({"class": class.class, "p": number(class.probability), "parts": parts, "others": others, "rest": number(rest)})
    };
    let classes: Vec<Value> = row.classes.iter().map(class).collect();
    json!({"number": row.number, "answer": words::name(&row.answer), "classes": classes})
}

/// How far parts move scores over all rows.
fn summary(page: &mut Page, names: &[String], moves: &[(String, Vec<f64>)], explained: usize) {
    let sum = |moved: &[f64]| moved.iter().sum::<f64>();
    let mut order: Vec<&(String, Vec<f64>)> = moves.iter().filter(|(_, moved)| sum(moved) > 0.0).collect();
    order.sort_by(|a, b| sum(&b.1).total_cmp(&sum(&a.1)));
    order.truncate(SUMMARY.min(NUMBERS / names.len().max(1)));
    if order.is_empty() || explained < 2 {
        return;
    }
    let column = |(name, moved): &&(String, Vec<f64>)| {
        let rises = vec![Value::Null; moved.len()];
        json!({"name": words::name(name), "mean": numbers(moved.iter().copied()), "rises": rises, "values": []})
    };
    let columns: Vec<Value> = order.iter().map(column).collect();
    let data = json!({"names": names, "columns": columns, "reach": [], "swarms": []});
    let figure = page.figure("shapley", "How far columns move scores", data);
    let text = format!(
        "How far each column moves scores away from what is expected, on average over {}.",
        words::count(explained, "row")
    );
    page.section("shapley", "What columns add", &text, &figure);
}
