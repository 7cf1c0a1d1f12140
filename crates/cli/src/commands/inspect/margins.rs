//! Margins of a model on rows, and what they say of its error on others.

use manyboost::model::Model;
use manyboost::theory::margins::{Generalisation, MarginsOf, margins};
use manyboost::theory::space::Space;
use serde_json::{Value, json};

use crate::failure::{Outcome, wrong};
use crate::inputs::{self, Weight};
use crate::margins::{SHARES, document, kinds};
use crate::messages;
use crate::text_table::{Align, TextTable};

/// The chance that a bound fails.
const DELTA: f64 = 0.05;

/// Margins, and the bound on the error that follows from them.
pub struct Found {
    margins: MarginsOf,
    /// What hypotheses were chosen from, or why there is no bound.
    space: Result<Space, &'static str>,
    bound: Option<Generalisation>,
}

/// The margins of a model on rows with answers.
pub fn of(model: &Model, data: &str) -> Outcome<Found> {
    let rows = inputs::answered(data, &model.schema, &model.encoder, None, Weight::None)?;
    model.ensemble.claim(rows.frame.rows())?;
    let scores = model.predictor().scores(&rows.frame);
    let Some(margins) = margins(&model.ensemble, &scores, &rows.labels, &rows.weights) else {
        let what = format!(
            "{} reads its scores as codes or epochs: its margins are not those of a sum",
            model.booster
        );
        return Err(wrong(what, "leave --data out, or inspect a model of another booster"));
    };
    let space =
        if margins.vote.is_some() { Space::of(model, rows.labels.rows()) } else { Err("labels are sets") };
    let bound = margins
        .vote
        .as_ref()
        .zip(space.ok())
        .and_then(|(vote, space)| vote.generalisation(rows.labels.classes(), space, DELTA));
    Ok(Found { margins, space, bound })
}

impl Found {
    /// As JSON.
    pub fn document(&self) -> Value {
        let mut document = document(&self.margins);
        document["ln_space"] = json!(self.space.ok().map(|space| space.ln_size));
        document["generalisation"] = json!(self.bound.map(|bound| json!({
            "confidence": 1.0 - DELTA,
            "theta": bound.theta,
            "draws": bound.draws,
            "share_at_most_theta": bound.share,
            "term": bound.term,
            "bound": bound.bound(),
        })));
        document
    }

    /// As a table.
    pub fn text(&self) -> String {
        let mut columns = vec![("margins", Align::Left), ("least", Align::Right)];
        columns.extend(["1 %", "10 %", "25 %", "50 %", "90 %", "≤ 0"].map(|name| (name, Align::Right)));
        let mut table = TextTable::new(&columns);
        for (name, margins) in kinds(&self.margins) {
            let mut row = vec![name.to_string(), messages::figure(margins.least())];
            row.extend(SHARES.iter().map(|&share| messages::figure(margins.quantile(share))));
            row.push(messages::percent(margins.share_at_most(0.0)));
            table.row(row);
        }
        let bound = match (self.bound, self.space) {
            (Some(bound), Ok(space)) => format!(
                "  error on other rows, with {} confidence: at most {} = {} with a vote margin up to {} + {} (ln|H| = {}){}\n",
                messages::percent(1.0 - DELTA),
                messages::figure(bound.bound()),
                messages::figure(bound.share),
                bound.theta,
                messages::figure(bound.term),
                messages::figure(space.ln_size),
                if bound.bound() >= 1.0 { ", which says nothing: too few rows" } else { "" },
            ),
            (_, Err(why)) => format!("  no bound on the error: {why}\n"),
            (None, Ok(_)) => String::new(),
        };
        table.text() + &bound
    }
}
