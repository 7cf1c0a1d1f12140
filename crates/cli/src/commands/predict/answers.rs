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

use super::kept::Kept;
use super::threshold::Thresholds;
use crate::args::PredictArgs;
use crate::failure::{Outcome, wrong};
use crate::inputs::number;

/// One cell of the result.
pub enum AnswerCell<'a> {
    Name(&'a str),
    Joined(String),
    Number(f64),
    Flag(bool),
    /// Text of the data, or none where it is missing.
    Kept(Option<&'a str>),
    /// A number of the data, NaN where it is missing.
    Value(f64),
}

/// How a class is chosen.
enum Choice {
    /// The one with the highest score.
    Likeliest,
    /// The one that costs least.
    Cheapest(CostMatrix),
    Thresholds(Thresholds),
}

/// What is asked for of every row.
enum Wanted<'a> {
    Answer,
    Probabilities,
    Scores,
    /// Below the highest, and no lower than this.
    Clamped(f64),
    Embedded(Embedding),
    /// So many of the likeliest, behind the probabilities of all or alone.
    Top(usize, bool),
    Staged(Vec<Stage<'a>>),
}

/// A model and what is asked of it.
pub struct Answers<'a> {
    model: &'a Model,
    predictor: Predictor,
    wanted: Wanted<'a>,
    choice: Choice,
}

/// The answers to some rows.
pub struct Block<'a> {
    of: &'a Answers<'a>,
    kept: Kept,
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
        } else if let Some(top) = top {
            Wanted::Top(top.min(model.schema.target.names().len()), args.proba)
        } else if args.proba {
            Wanted::Probabilities
        } else if args.scores {
            Wanted::Scores
        } else if args.staged {
            Wanted::Staged(model.ensemble.stages().collect())
        } else {
            Wanted::Answer
        };
        let thresholds = Thresholds::new(&args.threshold, &model.schema.target)?;
        let choice = match (costs, thresholds) {
            (Some(costs), _) => Choice::Cheapest(costs),
            (None, Some(thresholds)) => Choice::Thresholds(thresholds),
            (None, None) => Choice::Likeliest,
        };
        Ok(Self { model, predictor: model.predictor(), wanted, choice })
    }

    /// The answers to some rows, behind columns of the data.
    pub fn of(&'a self, kept: Kept, frame: Frame) -> Block<'a> {
        let likely = matches!(self.wanted, Wanted::Probabilities | Wanted::Top(..));
        let staged = matches!(self.wanted, Wanted::Staged(_));
        let scores = (!staged).then(|| self.predictor.scores(&frame));
        let link = self.model.ensemble.reading.link;
        let probabilities = scores.as_ref().filter(|_| likely).map(|scores| link.apply_rows(scores.clone()));
        Block { of: self, kept, scores, probabilities, frame }
    }

    fn sets(&self) -> bool {
        matches!(self.model.schema.target, TargetSpec::Sets { .. })
    }

    fn probabilities(&self, scores: &[f64]) -> Vec<f64> {
        let mut p = scores.to_vec();
        self.model.ensemble.reading.link.apply(&mut p);
        p
    }

    /// The class that is answered.
    fn class(&self, scores: &[f64]) -> usize {
        match &self.choice {
            Choice::Likeliest => argmax(scores),
            Choice::Cheapest(costs) => costs.cheapest(&self.probabilities(scores)),
            Choice::Thresholds(thresholds) => thresholds.class(&self.probabilities(scores), scores),
        }
    }

    /// Whether each label is answered.
    fn labels(&self, scores: &[f64]) -> Vec<bool> {
        match &self.choice {
            Choice::Thresholds(thresholds) => {
                let p = self.probabilities(scores);
                (0..p.len()).map(|label| thresholds.has(label, p[label], scores[label])).collect()
            }
            _ => scores.iter().map(|&x| x > 0.0).collect(),
        }
    }

    /// The name of the column of the class.
    fn target(&self) -> String {
        match &self.model.schema.target {
            TargetSpec::Classes { column, .. } => column.clone(),
            TargetSpec::Sets { .. } => String::new(),
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
        self.kept.header(self.answers())
    }

    /// The names of the answers.
    fn answers(&self) -> Vec<String> {
        let (of, names) = (self.of, self.of.model.schema.target.names());
        let with_class =
            |more: Vec<String>| (!of.sets()).then(|| of.target()).into_iter().chain(more).collect();
        match &of.wanted {
            Wanted::Top(n, all) => {
                let word = if of.sets() { "label" } else { "class" };
                let top = (1..=*n).flat_map(|i| [format!("{word}_{i}"), format!("probability_{i}")]);
                if *all { with_class(names.iter().cloned().chain(top).collect()) } else { top.collect() }
            }
            Wanted::Staged(stages) => (1..=stages.len()).map(|i| format!("round_{i}")).collect(),
            Wanted::Answer if !of.sets() => with_class(Vec::new()),
            Wanted::Embedded(embedding) => {
                with_class((1..=embedding.dim()).map(|j| format!("f_{j}")).collect())
            }
            _ => with_class(names.to_vec()),
        }
    }

    /// The cells of a row.
    pub fn row<'b>(&'b self, row: usize) -> Vec<AnswerCell<'b>> {
        let mut cells: Vec<AnswerCell<'b>> = self.kept.row(row).collect();
        let of = |scores: &'b Option<Scores>| scores.as_ref().map_or(&[][..], |scores| scores.row(row));
        let (scores, p) = (of(&self.scores), of(&self.probabilities));
        let with_class = |cells: &mut Vec<AnswerCell<'b>>, numbers: &[f64]| {
            let class = (!self.of.sets()).then(|| AnswerCell::Name(self.of.label(self.of.class(scores))));
            cells.extend(class.into_iter().chain(numbers.iter().map(|&x| AnswerCell::Number(x))));
        };
        match &self.of.wanted {
            Wanted::Answer if self.of.sets() => {
                cells.extend(self.of.labels(scores).into_iter().map(AnswerCell::Flag));
            }
            Wanted::Answer => with_class(&mut cells, &[]),
            Wanted::Probabilities => with_class(&mut cells, p),
            Wanted::Scores => with_class(&mut cells, scores),
            Wanted::Clamped(most) => with_class(&mut cells, &clamped(scores, *most)),
            Wanted::Embedded(embedding) => with_class(&mut cells, &embedding.of_scores(scores)),
            Wanted::Top(n, all) => {
                if *all {
                    with_class(&mut cells, p);
                }
                let mut order: Vec<usize> = (0..p.len()).collect();
                // The order of scores, which probabilities may round away.
                order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
                let top = order.iter().take(*n);
                cells.extend(top.flat_map(|&class| {
                    [AnswerCell::Name(self.of.label(class)), AnswerCell::Number(p[class])]
                }));
            }
            Wanted::Staged(stages) => cells.extend(self.staged(row, stages)),
        }
        cells
    }

    /// The answer after each round.
    fn staged(&self, row: usize, stages: &[Stage<'_>]) -> Vec<AnswerCell<'_>> {
        let Ensemble { reading, .. } = &self.of.model.ensemble;
        let (mut scores, mut buffer) = (self.of.predictor.first_scores(&self.frame, row), Vec::new());
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
