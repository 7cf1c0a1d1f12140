//! GD-MCBoost: gradient descent on a multiclass margin loss, with vector-valued hypotheses.
//!
//! Saberian & Vasconcelos (2019), section 4.2 and Algorithm 1. Round t, with a codeword y^k of each class, a γ-φ loss
//! and the predictor f:
//!
//! ```text
//! r(i) = w(i) (y^c − Σ_{k ≠ c} τ_k(i) y^k)                                                (28)–(30)
//! g = the hypothesis that maximises Σᵢ ⟨g(xᵢ), r(i)⟩                                          (32)
//! α = argmin R[f + α g],   f ← f + α g                                                     (33), (34)
//! ```
//!
//! (32) has no bound unless the answers of g have one: they are codewords, or vectors of length 1, or (another problem) the
//! least-squares fit of r. The edge that is reported is −δR[f; g], which is above some δ > 0 in every round if and only if the
//! hypotheses are boostable (72). The loss of the own codeword alone (appendix E.2) makes it SAMME, if leaves answer codewords of the simplex. With the Savage loss the first local minimum is taken, no further than 4 / max‖g‖ away.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use manyboost_data::{Labels, Result};

use super::ANSWERS_HELP;
use super::descent::{Lines, fill};
use crate::codes::codewords::{CodewordKind, Codewords};
use crate::engine::train::Rounds;
use crate::learners::TreeParameters;
use crate::losses::AnyLoss;
use crate::model::answers::{Answers, Lift};
use crate::model::reading::Reading;
use crate::spec::booster::{
    Asks, Booster, Fits, Load, Problem, Query, RoundState, Shape, Step, Stop, Target,
};
use crate::spec::option::Choice;
use crate::spec::registry::BoosterEntry;
use crate::votes::{LabelCriterion, LabelVote, LeastSquaresVote, UnitVote};

/// What the leaves of GD-MCBoost answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GdAnswers {
    /// The codeword of a class.
    #[default]
    Codeword,
    /// The mean residual.
    LeastSquares,
    /// A vector of length 1.
    Unit,
}

const ANSWERS: Choice<GdAnswers> = Choice::new(
    "answers",
    ANSWERS_HELP,
    &[
        ("codeword", GdAnswers::Codeword, "the codeword of a class"),
        ("least-squares", GdAnswers::LeastSquares, "the mean residual"),
        ("unit", GdAnswers::Unit, "a vector of length 1"),
    ],
);

/// GD-MCBoost.
#[derive(Clone, Debug, Default)]
pub struct GdMcBoost {
    /// The loss.
    pub loss: AnyLoss,
    /// Which codewords.
    pub kind: CodewordKind,
    /// What leaves answer.
    pub answers: GdAnswers,
    /// The codewords, once they are known.
    codewords: OnceLock<Codewords>,
}

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    defaults: |_| ("tree", TreeParameters::tree(4), Rounds::Given(200)),
    ..BoosterEntry::new(
        "gd-mcboost",
        "GD-MCBoost: gradient descent with vector-valued hypotheses, codewords and a choice of losses",
        "Saberian & Vasconcelos 2019",
        |options| {
            Ok(Box::new(GdMcBoost {
                loss: AnyLoss::from_options(options)?,
                kind: CodewordKind::from_options(options)?,
                answers: options.take(&ANSWERS, GdAnswers::Codeword)?,
                codewords: OnceLock::new(),
            }))
        },
    )
};

/// Whether the hypotheses of a model name classes: their answers are then the codewords of these, as what they add to the scores.
pub(crate) fn names_classes(booster: &str, parameters: &BTreeMap<String, String>) -> bool {
    booster == ENTRY.name && parameters.get("answers").is_some_and(|answers| answers == "codeword")
}

/// The residual, from `w τ_k` and −w: minus the sum of the codewords with these weights.
pub(super) fn residual(words: &Codewords, weights: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for (k, w) in weights.iter().enumerate() {
        out.iter_mut().zip(words.word(k)).for_each(|(r, y)| *r -= w * y);
    }
}

impl GdMcBoost {
    fn words(&self, now: &RoundState<'_>) -> &Codewords {
        self.codewords.get_or_init(|| self.kind.of_until(now.labels.classes(), now.seed, now.stop))
    }

    /// The answers as vectors of the predictor's space, and the length of the longest.
    fn in_predictor_space(words: &Codewords, answers: &Answers) -> (Vec<f64>, f64) {
        let values: Vec<f64> = match answers {
            Answers::Labels(labels) => labels.iter().flat_map(|&l| words.word(l as usize)).copied().collect(),
            Answers::Vectors { values, .. } => values.clone(),
            Answers::Coordinate { .. } | Answers::Along { .. } | Answers::Election(_) => Vec::new(),
        };
        let length = |g: &[f64]| g.iter().map(|x| x * x).sum::<f64>().sqrt();
        let longest = values.chunks_exact(words.dim()).map(length).fold(0.0, f64::max);
        (values, longest)
    }
}

impl Booster for GdMcBoost {
    fn check(&self, labels: &Labels) -> Result<()> {
        self.loss.check(labels.classes())?;
        self.kind.check(labels.classes())
    }

    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let m = now.labels.classes();
        let words = self.words(now);
        let (d, norm) = (words.dim(), now.totals.weight());
        let (losses, query) = match self.answers {
            GdAnswers::Codeword => {
                // Naming a class costs −⟨y^l, r⟩.
                let losses = fill(&self.loss, now, m, channels, |weights, costs| {
                    costs.fill(0.0);
                    for j in 0..d {
                        let r: f64 = (0..m).map(|k| weights[k] * words.word(k)[j]).sum();
                        costs.iter_mut().enumerate().for_each(|(l, cost)| *cost += words.word(l)[j] * r);
                    }
                });
                (losses, Query::new(Shape::Dense(m), LabelVote(LabelCriterion::Cost), norm))
            }
            GdAnswers::LeastSquares | GdAnswers::Unit => {
                let losses = fill(&self.loss, now, d, channels, |weights, out| residual(words, weights, out));
                let query = match self.answers {
                    GdAnswers::Unit => Query::new(Shape::Dense(d), UnitVote, norm),
                    _ => Query::new(Shape::Dense(d), LeastSquaresVote, norm),
                };
                (losses, query)
            }
        };
        Target::one(query, now.totals.sum(|i| losses[i]) / norm)
    }

    fn load(&self, width: usize) -> Load {
        // Channels, and the exponentials that the step is searched with.
        Load::dense(2 * width + 1, width)
    }

    fn step(&self, now: &RoundState<'_>, _: &Target, _: &[f64], fits: &mut Fits) -> Step {
        let words = self.words(now);
        let answers = &mut fits[0].hypothesis.answers;
        let (values, longest) = Self::in_predictor_space(words, answers);
        let width = words.dim();
        let lift = Lift::Map { width, rows: words.matrix().values().to_vec() };
        *answers = lift.lift(Answers::Vectors { width: width as u32, values });
        match Lines::new(&self.loss, now).lowest(fits, |_| longest) {
            Some((_, found)) => {
                let last = found.separates.then_some(Stop::Perfect);
                Step::take_last(found.alpha, found.figures(), last)
            }
            None => Step::Stop(Stop::NoEdge),
        }
    }

    fn asks(&self) -> Asks {
        match self.answers {
            GdAnswers::Codeword => Asks::Classes,
            GdAnswers::LeastSquares => Asks::Numbers,
            GdAnswers::Unit => Asks::Odds,
        }
    }

    fn seconds_ahead(&self, labels: &Labels) -> f64 {
        self.kind.seconds(labels.classes())
    }

    /// The inverse link of the loss (Theorem 7, Table 3). With fewer than M − 1 dimensions the scores cannot take all values, and
    /// probabilities are those of the best scores that the codewords allow: an approximation, in the right order.
    fn reading(&self, _: &Problem<'_>) -> Reading {
        self.loss.reading()
    }
}
