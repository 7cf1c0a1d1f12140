//! What a model answers, cell by cell.

use std::borrow::Cow;

use manyboost::codes::embedding::Embedding;
use manyboost::engine::scores::{Scores, argmax};
use manyboost::evaluate::costs::CostMatrix;
use manyboost::model::Model;
use manyboost::model::ensemble::Ensemble;
use manyboost::predict::Predictor;
use manyboost::predict::stages::Stage;
use manyboost::theory::clamped;
use manyboost_data::{Frame, TargetSpec};

use crate::args::PredictArgs;
use crate::failure::{Outcome, wrong};
use crate::inputs::number;

/// One cell of the result.
pub enum AnswerCell<'a> {
    Name(&'a str),
    Joined(String),
    Number(f64),
    Flag(bool),
}

/// What is asked for of every row.
enum Wanted<'a> {
    Answer,
    Probabilities,
    Scores,
    /// Below the highest, and no lower than this.
    Clamped(f64),
    Embedded(Embedding),
    Top(usize),
    Staged(Vec<Stage<'a>>),
}

/// A model and what is asked of it.
pub struct Answers<'a> {
    model: &'a Model,
    predictor: Predictor,
    wanted: Wanted<'a>,
    costs: Option<CostMatrix>,
}

/// The answers to some rows.
pub struct Block<'a> {
    of: &'a Answers<'a>,
    frame: Frame,
    /// Of the classes after all rounds, where they count.
    scores: Option<Scores>,
    /// Where they are asked for.
    probabilities: Option<Scores>,
}

impl<'a> Answers<'a> {
    pub fn new(
        model: &'a Model,
        args: &PredictArgs,
        top: Option<usize>,
        costs: Option<CostMatrix>,
    ) -> Outcome<Self> {
        let fine = |x: &f64| x.is_finite() && *x >= 0.0;
        let clamp = args.clamp.as_deref().map(|x| number("--clamp", x, fine, "a number of at least 0"));
        let wanted = if let Some(most) = clamp.transpose()? {
            Wanted::Clamped(most)
        } else if args.embed {
            let none = || {
                let what = format!("{} has no codewords, or they do not span their space", model.booster);
                wrong(what, "leave --embed out, or train gd-mcboost or cd-mcboost with --dim")
            };
            Wanted::Embedded(Embedding::of(model).ok_or_else(none)?)
        } else if args.proba {
            Wanted::Probabilities
        } else if args.scores {
            Wanted::Scores
        } else if args.staged {
            Wanted::Staged(model.ensemble.stages().collect())
        } else if let Some(top) = top {
            Wanted::Top(top.min(model.schema.target.names().len()))
        } else {
            Wanted::Answer
        };
        Ok(Self { model, predictor: model.predictor(), wanted, costs })
    }

    /// The answers to some rows.
    pub fn of(&'a self, frame: Frame) -> Block<'a> {
        let likely = matches!(self.wanted, Wanted::Probabilities | Wanted::Top(_));
        let staged = matches!(self.wanted, Wanted::Staged(_));
        let scores = (!staged).then(|| self.predictor.scores(&frame));
        let link = self.model.ensemble.reading.link;
        let probabilities = scores.as_ref().filter(|_| likely).map(|scores| link.apply_rows(scores.clone()));
        Block { of: self, scores, probabilities, frame }
    }

    fn sets(&self) -> bool {
        matches!(self.model.schema.target, TargetSpec::Sets { .. })
    }

    /// The likeliest class, or the one that costs least.
    fn class(&self, scores: &[f64]) -> usize {
        match &self.costs {
            Some(costs) => {
                let mut p = scores.to_vec();
                self.model.ensemble.reading.link.apply(&mut p);
                costs.cheapest(&p)
            }
            None => argmax(scores),
        }
    }

    fn label(&self, class: usize) -> &str {
        self.model.schema.target.label(class).unwrap_or("")
    }
}

impl Block<'_> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.frame.rows()
    }

    /// The names of the columns.
    pub fn header(&self) -> Vec<String> {
        let names = self.of.model.schema.target.names();
        match &self.of.wanted {
            Wanted::Top(n) => {
                let word = if self.of.sets() { "label" } else { "class" };
                (1..=*n).flat_map(|i| [format!("{word}_{i}"), format!("probability_{i}")]).collect()
            }
            Wanted::Staged(stages) => (1..=stages.len()).map(|i| format!("round_{i}")).collect(),
            _ if self.of.sets() => names.to_vec(),
            Wanted::Answer => vec!["class".into()],
            Wanted::Embedded(embedding) => std::iter::once("class".into())
                .chain((1..=embedding.dim()).map(|j| format!("f_{j}")))
                .collect(),
            _ => std::iter::once("class".into()).chain(names.iter().cloned()).collect(),
        }
    }

    /// The cells of a row.
    pub fn row<'b>(&'b self, row: usize) -> Vec<AnswerCell<'b>> {
        let of = |scores: &'b Option<Scores>| scores.as_ref().map_or(&[][..], |scores| scores.row(row));
        let scores = of(&self.scores);
        let with_class = |numbers: &[f64]| {
            let class = (!self.of.sets()).then(|| AnswerCell::Name(self.of.label(self.of.class(scores))));
            class.into_iter().chain(numbers.iter().map(|&x| AnswerCell::Number(x))).collect()
        };
        match &self.of.wanted {
            Wanted::Answer if self.of.sets() => scores.iter().map(|&x| AnswerCell::Flag(x > 0.0)).collect(),
            Wanted::Answer => with_class(&[]),
            Wanted::Probabilities => with_class(of(&self.probabilities)),
            Wanted::Scores => with_class(scores),
            Wanted::Clamped(most) => with_class(&clamped(scores, *most)),
            Wanted::Embedded(embedding) => with_class(&embedding.of_scores(scores)),
            Wanted::Top(n) => {
                let p = of(&self.probabilities);
                let mut order: Vec<usize> = (0..p.len()).collect();
                // The order of scores, which probabilities may round away.
                order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
                let cells = order.iter().take(*n);
                cells
                    .flat_map(|&class| [AnswerCell::Name(self.of.label(class)), AnswerCell::Number(p[class])])
                    .collect()
            }
            Wanted::Staged(stages) => self.staged(row, stages),
        }
    }

    /// The answer after each round.
    fn staged(&self, row: usize, stages: &[Stage<'_>]) -> Vec<AnswerCell<'_>> {
        let Ensemble { start, reading, .. } = &self.of.model.ensemble;
        let (mut scores, mut buffer) = (start.clone(), Vec::new());
        let after = |stage: &Stage<'_>| {
            stage.add(|feature| self.frame.value(row, feature as usize), &mut scores, |_, _| {});
            match self.of.model.answer(reading.class_scores(&scores, &mut buffer)) {
                Cow::Borrowed(name) => AnswerCell::Name(name),
                Cow::Owned(names) => AnswerCell::Joined(names),
            }
        };
        stages.iter().map(after).collect()
    }
}
