//! The page of several boosters on the same rows.

use manyboost::engine::history::{Figure, Told};
use manyboost::model::ensemble::Ensemble;
use manyboost_data::Applied;
use manyboost_data::encode::Encoder;
use serde_json::{Value, json};

use crate::model::regions;
use crate::numbers::numbers;
use crate::words;
use crate::{HtmlCell, HtmlTable, Page};

/// What one booster came to.
pub struct BoosterResult<'a> {
    /// Its name.
    pub name: String,
    /// The options that were given to it.
    pub options: String,
    /// What each round did.
    pub history: &'a [Told],
    /// The hypotheses that were found.
    pub ensemble: &'a Ensemble,
    /// Error on the rows that are measured.
    pub error: f64,
    /// Log loss on them.
    pub log_loss: f64,
    /// Time of training.
    pub seconds: f64,
    /// Why training ended, in words.
    pub stopped: String,
}

/// What surrounds the runs.
pub struct PageHeading<'a> {
    /// The title.
    pub title: &'a str,
    /// What was learnt from, and what was measured on.
    pub lead: &'a str,
    /// What the errors are, such as "Test error".
    pub measure: &'a str,
    /// What to run next, or again.
    pub command: (&'a str, &'a str),
}

/// The rows that are measured, and what boosters know of columns and classes.
pub struct Measured<'a> {
    /// The rows.
    pub rows: &'a Applied,
    /// How values are read.
    pub encoder: &'a Encoder,
    /// The classes.
    pub names: &'a [String],
}

/// The most points of a curve.
const POINTS: usize = 400;

/// A curve of some figure of each round: the rounds and the values, few enough to draw.
pub(crate) fn curve(history: &[Told], of: Figure) -> Option<(Value, Value)> {
    let all: Vec<(usize, f64)> =
        history.iter().enumerate().filter_map(|(at, round)| Some((at + 1, of(round)?))).collect();
    let every = all.len().div_ceil(POINTS).max(1);
    let last = all.len().checked_sub(1)?;
    let kept =
        || all.iter().enumerate().filter(|(at, _)| at % every == 0 || *at == last).map(|(_, point)| point);
    Some((kept().map(|point| json!(point.0)).collect(), numbers(kept().map(|point| point.1))))
}

/// The page.
pub fn page(frame: &PageHeading<'_>, runs: &[BoosterResult<'_>], measured: &Measured<'_>) -> String {
    let mut page = Page::new(frame.title, frame.lead);
    let least = |of: fn(&BoosterResult<'_>) -> f64| runs.iter().map(of).fold(f64::INFINITY, f64::min);
    let (error, log_loss) = (least(|run| run.error), least(|run| run.log_loss));
    let head = ["Booster", "Options", frame.measure, "Log loss", "Rounds", "Seconds"];
    let mut table = HtmlTable::new(2, &head);
    for run in runs {
        table.row([
            run.name.clone().into(),
            if run.options.is_empty() { "defaults".to_string().into() } else { run.options.clone().into() },
            HtmlCell::best(words::percent(run.error), run.error == error),
            HtmlCell::best(words::figure(run.log_loss), run.log_loss == log_loss),
            words::grouped(run.history.len()).into(),
            format!("{:.2}", run.seconds).into(),
        ]);
    }
    page.section("boosters", "Boosters", "Lower is better; the best figures are bold.", &table.html());
    let curves = |of: Figure| -> Vec<Value> {
        let line = |(at, run): (usize, &BoosterResult<'_>)| {
            let (x, y) = curve(run.history, of)?;
            Some(json!({"name": run.name, "x": x, "y": y, "colour": at}))
        };
        runs.iter().enumerate().filter_map(line).collect()
    };
    let groups: [(&str, bool, Figure); 6] = [
        ("test error", true, |round| round.record.test_error),
        ("training error", true, |round| Some(round.record.train_error)),
        ("bound on the training error", true, |round| round.bound.error),
        ("bound on the training error at the end", true, |round| round.bound.at_end),
        ("bound on the ranking loss", true, |round| round.bound.ranking_loss),
        ("loss", false, |round| Some(round.record.loss)),
    ];
    let groups = groups
        .into_iter()
        .map(|(name, percent, of)| json!({"name": name, "percent": percent, "lines": curves(of)}));
    let groups: Vec<Value> =
        groups.filter(|group| group["lines"].as_array().is_some_and(|l| !l.is_empty())).collect();
    let figure = page.figure("lines", "Learning curves of all boosters", json!({"groups": groups}));
    let text = "What each booster comes to, round by round. Losses are each booster's own: their heights cannot be compared.";
    page.section("curves", "Learning curves", text, &figure);
    let panels: Vec<_> =
        runs.iter().map(|run| regions::Panel { name: &run.name, ensemble: run.ensemble }).collect();
    let names: Vec<String> = measured.names.iter().map(|name| words::name(name)).collect();
    regions::section(&mut page, &panels, measured.encoder, measured.rows, &names);
    let mut table = HtmlTable::new(2, &["Booster", "Why it stopped"]);
    for run in runs {
        table.row([run.name.clone().into(), run.stopped.clone().into()]);
    }
    page.section("stopped", "Why training stopped", "", &table.html());
    page.text("reproduce", frame.command.0, "", frame.command.1);
    page.html()
}
