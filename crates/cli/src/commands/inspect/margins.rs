//! Margins of a model on rows, and what they say of its error on others.

use std::fmt::Write;

use manyboost::engine::scores::Scores;
use manyboost::model::Model;
use manyboost::theory::capacity::{Capacity, RealBound};
use manyboost::theory::epochs::{Epoch, EpochBound, epochs, is_decided};
use manyboost::theory::margins::{Generalisation, MarginsOf, margins};
use manyboost::theory::space::Space;
use manyboost::theory::weightings::{Weighting, loss_of, weightings};
use manyboost_data::Labels;
use serde_json::{Value, json};

use crate::failure::{Outcome, wrong};
use crate::inputs::{self, Weight};
use crate::margins::{SHARES, document, kinds};
use crate::messages;
use crate::text_table::{Align, TextTable};

/// The chance that a bound fails.
const DELTA: f64 = 0.05;

/// Margins, and the bounds that follow from them.
pub enum Found {
    /// Of a sum.
    Sum(Box<OfSum>),
    /// Of epochs.
    Epochs(Vec<(Epoch, EpochBound)>),
}

/// Margins of a sum, and the bounds on the error that follow from them.
pub struct OfSum {
    margins: MarginsOf,
    /// What hypotheses were chosen from, or why there is no bound.
    space: Result<Space, &'static str>,
    bound: Option<Generalisation>,
    /// By the pseudodimension.
    real: Option<RealBound>,
    /// The training error, and by how much the error may exceed it by the VC dimension.
    vc: Option<(f64, f64)>,
    /// The least codeword margin that the loss on these rows proves, where it is one that does.
    proved: Option<f64>,
    /// What training with codewords looked at.
    weightings: Vec<Weighting>,
}

/// The margins of a model on rows with answers.
pub fn of(model: &Model, data: &str) -> Outcome<Found> {
    let rows = inputs::answered(data, &model.schema, &model.encoder, None, Weight::None)?;
    model.ensemble.claim(rows.frame.rows())?;
    let (labels, count) = (&rows.labels, rows.labels.rows());
    if let Some(epochs) = epochs(&model.ensemble, &rows.frame, labels, &rows.weights) {
        let sure = DELTA / epochs.len().max(1) as f64;
        let space = Space::of(model, count)
            .map_err(|why| wrong(format!("no bound of epochs: {why}"), "leave --data out"))?;
        let bounds = epochs.into_iter().map(|epoch| {
            let bound = epoch.bound(space.ln_size, count, sure);
            (epoch, bound)
        });
        return Ok(Found::Epochs(bounds.collect()));
    }
    let scores = model.predictor().raw_scores(&rows.frame);
    let Some(margins) = margins(&model.ensemble, &scores, labels, &rows.weights) else {
        let what = format!("{} has no margins on these rows", model.booster);
        return Err(wrong(what, "leave --data out, or inspect a model with rounds on rows of its classes"));
    };
    let space = match &margins.vote {
        Some(_) => Space::of(model, count),
        None if labels.is_sets() => Err("labels are sets"),
        None => Err("scores are bits of a code"),
    };
    let vote = margins.vote.as_ref().zip(space.ok());
    let bound = vote.and_then(|(vote, space)| vote.generalisation(labels.classes(), space, DELTA));
    let capacity = Capacity::of(model, count);
    let real = capacity
        .and_then(|capacity| capacity.margin_bound(&margins.label, model.ensemble.start.len(), count, DELTA));
    let error = margins.vote.as_ref().map(|vote| vote.share_at_most(0.0));
    let term = capacity.and_then(|capacity| capacity.vc_term(labels.classes(), count, DELTA));
    let proved = proved(model, &scores, labels);
    let weightings = weightings(model, &rows.frame, labels).unwrap_or_default();
    let vc = error.zip(term);
    Ok(Found::Sum(Box::new(OfSum { margins, space, bound, real, vc, proved, weightings })))
}

/// Theorem 5 of Saberian & Vasconcelos 2019: what the losses of all rows together say of the least margin.
fn proved(model: &Model, scores: &Scores, labels: &Labels) -> Option<f64> {
    let loss = loss_of(model)?;
    let cost = |row: usize| labels.class(row).map(|class| loss.of(scores.row(row), class as usize));
    loss.least_margin((0..labels.rows()).map(cost).sum::<Option<f64>>()?)
}

impl Found {
    /// As JSON.
    pub fn document(&self) -> Value {
        match self {
            Self::Sum(of) => of.document(),
            Self::Epochs(all) => {
                let epoch = |(epoch, bound): &(Epoch, EpochBound)| {
                    json!({
                        "classes": epoch.classes,
                        "listed": epoch.listed,
                        "least": epoch.margins.least(),
                        "mean": epoch.margins.mean(),
                        "at_most_0": epoch.margins.share_at_most(0.0),
                        "theta": bound.theta,
                        "draws": bound.draws,
                        "share_at_most_theta": bound.share,
                        "term": bound.term,
                    })
                };
                let each: Vec<Value> = all.iter().map(epoch).collect();
                json!({"epochs": each, "generalisation": total(all).map(|bound| json!({"confidence": 1.0 - DELTA, "bound": bound}))})
            }
        }
    }

    /// As a table.
    pub fn text(&self) -> String {
        match self {
            Self::Sum(of) => of.text(),
            Self::Epochs(all) => of_epochs(all),
        }
    }
}

/// The sum of the bounds of epochs, where it bounds the error (Corollary 6.4).
fn total(all: &[(Epoch, EpochBound)]) -> Option<f64> {
    let epochs: Vec<Epoch> = all.iter().map(|(epoch, _)| epoch.clone()).collect();
    is_decided(&epochs).then(|| all.iter().map(|(_, bound)| bound.share + bound.term).sum())
}

fn of_epochs(all: &[(Epoch, EpochBound)]) -> String {
    let columns = ["epoch", "classes", "rows", "least", "10 %", "50 %", "≤ 0", "bound"]
        .map(|name| (name, Align::Right));
    let mut table = TextTable::new(&columns);
    for (at, (epoch, bound)) in all.iter().enumerate() {
        let margins = &epoch.margins;
        table.row([
            (at + 1).to_string(),
            epoch.classes.to_string(),
            messages::percent(epoch.listed),
            messages::figure(margins.least()),
            messages::figure(margins.quantile(0.1)),
            messages::figure(margins.quantile(0.5)),
            messages::percent(margins.share_at_most(0.0)),
            messages::figure(bound.share + bound.term),
        ]);
    }
    let end = match total(all) {
        Some(bound) => format!(
            "  error on other rows, with {} confidence: at most {}, the sum of all epochs{}\n",
            messages::percent(1.0 - DELTA),
            messages::figure(bound),
            nothing(bound)
        ),
        None => {
            "  no bound on the error: the last epoch has more than two classes, or one took off several\n"
                .into()
        }
    };
    table.text() + &end
}

/// What to add to a bound that says nothing.
fn nothing(bound: f64) -> &'static str {
    if bound >= 1.0 { ", which says nothing: too few rows" } else { "" }
}

impl OfSum {
    fn document(&self) -> Value {
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
        document["real"] = json!(self.real.map(|real| json!({
            "confidence": 1.0 - DELTA,
            "pseudodimension": real.dimension,
            "theta": real.theta,
            "share_at_most_theta": real.share,
            "term": real.term,
            "bound": real.bound(),
        })));
        document["vc"] = json!(self.vc.map(|(error, term)| json!({
            "confidence": 1.0 - DELTA,
            "train_error": error,
            "term": term,
            "bound": error + term,
        })));
        document["codeword_at_least"] = json!(self.proved);
        let weighting = |w: &Weighting| json!({"round": w.round, "rows": w.rows, "classes": w.classes});
        document["weightings"] = self.weightings.iter().map(weighting).collect();
        document
    }

    fn text(&self) -> String {
        let mut columns = vec![("margins", Align::Left), ("least", Align::Right)];
        columns.extend(["1 %", "10 %", "25 %", "50 %", "90 %", "≤ 0"].map(|name| (name, Align::Right)));
        let mut table = TextTable::new(&columns);
        for (name, margins) in kinds(&self.margins) {
            let mut row = vec![name.to_string(), messages::figure(margins.least())];
            row.extend(SHARES.iter().map(|&share| messages::figure(margins.quantile(share))));
            row.push(messages::percent(margins.share_at_most(0.0)));
            table.row(row);
        }
        table.text() + &self.bounds() + &self.looked_at()
    }

    /// The two weightings of training with codewords.
    fn looked_at(&self) -> String {
        if self.weightings.is_empty() {
            return String::new();
        }
        let columns =
            ["round", "rows that count", "wrong classes that count"].map(|name| (name, Align::Right));
        let mut table = TextTable::new(&columns);
        for w in &self.weightings {
            table.row([w.round.to_string(), messages::percent(w.rows), format!("{:.2}", w.classes)]);
        }
        format!("\n{}", table.text())
    }

    fn bounds(&self) -> String {
        let sure = messages::percent(1.0 - DELTA);
        let mut text = match (self.bound, self.space) {
            (Some(bound), Ok(space)) => format!(
                "  error on other rows, with {sure} confidence: at most {} = {} with a vote margin up to {} + {} (ln|H| = {}){}\n",
                messages::figure(bound.bound()),
                messages::figure(bound.share),
                bound.theta,
                messages::figure(bound.term),
                messages::figure(space.ln_size),
                nothing(bound.bound()),
            ),
            (_, Err(why)) => format!("  no bound on the error from finitely many hypotheses: {why}\n"),
            (None, Ok(_)) => String::new(),
        };
        if let Some(real) = self.real {
            let _ = writeln!(
                text,
                "  wrong labels on other rows: at most {} = {} with a label margin up to {} + {} (pseudodimension {}){}",
                messages::figure(real.bound()),
                messages::figure(real.share),
                real.theta,
                messages::figure(real.term),
                real.dimension,
                nothing(real.bound()),
            );
        }
        if let Some((error, term)) = self.vc {
            let _ = writeln!(
                text,
                "  error on other rows by the VC dimension: at most {} = {} on these + {}{}",
                messages::figure(error + term),
                messages::figure(error),
                messages::figure(term),
                nothing(error + term),
            );
        }
        if let Some(proved) = self.proved {
            let _ = writeln!(
                text,
                "  the loss alone proves that no codeword margin is below {}",
                messages::figure(proved)
            );
        }
        text
    }
}
