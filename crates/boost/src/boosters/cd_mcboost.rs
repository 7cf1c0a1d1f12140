//! CD-MCBoost: coordinate descent on a multiclass margin loss, with scalar hypotheses.
//!
//! Saberian & Vasconcelos (2019), section 4.3 and Algorithm 1. Round t, with the residuals r of GD-MCBoost:
//!
//! ```text
//! for each coordinate j:  g_j = the hypothesis that maximises Σᵢ g(xᵢ) r_j(i)                      (39)
//!                         α_j = argmin R[f + α g_j 1_j]                                           (40)
//! j* = the coordinate of the least risk,   f ← f + α_j* g_j* 1_j*                                (41)
//! ```
//!
//! A step along coordinate j changes the scores ⟨y^k, f⟩ along the `j`th numbers of the codewords.

use std::sync::OnceLock;

use manyboost_data::{Labels, Result};
use rayon::prelude::*;

use super::ANSWERS_HELP;
use super::descent::{Lines, fill};
use super::gd_mcboost::residual;
use crate::codes::codewords::{CodewordKind, Codewords};
use crate::losses::AnyLoss;
use crate::model::answers::{Answers, Lift};
use crate::model::reading::Reading;
use crate::spec::booster::{
    Asks, Booster, Fits, FittedHypothesis, Load, Problem, Query, RoundState, Shape, Step, Stop, Target,
};
use crate::spec::option::Choice;
use crate::spec::registry::BoosterEntry;
use crate::votes::{LeastSquaresVote, SignVote};

/// What the leaves of CD-MCBoost answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CdAnswers {
    /// +1 or −1.
    #[default]
    Sign,
    /// The mean residual.
    LeastSquares,
}

const ANSWERS: Choice<CdAnswers> = Choice::new(
    "answers",
    ANSWERS_HELP,
    &[("sign", CdAnswers::Sign, "+1 or −1"), ("least-squares", CdAnswers::LeastSquares, "the mean residual")],
);

/// CD-MCBoost.
#[derive(Clone, Debug, Default)]
pub struct CdMcBoost {
    /// The loss.
    pub loss: AnyLoss,
    /// Which codewords.
    pub kind: CodewordKind,
    /// What leaves answer.
    pub answers: CdAnswers,
    /// The codewords, once they are known.
    codewords: OnceLock<Codewords>,
}

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    ..BoosterEntry::new(
        "cd-mcboost",
        "CD-MCBoost: coordinate descent with scalar hypotheses, codewords and a choice of losses",
        "Saberian & Vasconcelos 2019",
        |options| {
            Ok(Box::new(CdMcBoost {
                loss: AnyLoss::from_options(options)?,
                kind: CodewordKind::from_options(options)?,
                answers: options.take(&ANSWERS, CdAnswers::Sign)?,
                codewords: OnceLock::new(),
            }))
        },
    )
};

impl CdMcBoost {
    fn words(&self, now: &RoundState<'_>) -> &Codewords {
        self.codewords.get_or_init(|| self.kind.of_until(now.labels.classes(), now.seed, now.stop))
    }
}

impl Booster for CdMcBoost {
    fn check(&self, labels: &Labels) -> Result<()> {
        self.loss.check(labels.classes())?;
        self.kind.check(labels.classes())
    }

    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let words = self.words(now);
        let (d, rows, norm) = (words.dim(), now.scores.rows(), now.totals.weight());
        let mut residuals = Vec::new();
        let losses = fill(&self.loss, now, d, &mut residuals, |weights, out| residual(words, weights, out));
        // What +1 costs is minus the residual.
        let sign = if self.answers == CdAnswers::Sign { -1.0 } else { 1.0 };
        channels.resize(rows * d, 0.0);
        channels.par_chunks_mut(rows.max(1)).enumerate().for_each(|(j, own)| {
            own.iter_mut().zip(residuals.iter().skip(j).step_by(d)).for_each(|(c, r)| *c = sign * r);
        });
        let query = |j: usize| {
            let query = match self.answers {
                CdAnswers::Sign => Query::new(Shape::Dense(1), SignVote, norm),
                CdAnswers::LeastSquares => Query::new(Shape::Dense(1), LeastSquaresVote, norm),
            };
            Query { lift: Lift::Along(words.column(j)), ..query }
        };
        Target { queries: (0..d).map(query).collect(), loss: now.totals.sum(|i| losses[i]) / norm }
    }

    fn load(&self, width: usize) -> Load {
        // Channels and cells of all coordinates, and the exponentials that lines are searched with.
        Load::dense(2 * width + width.div_ceil(2) + 1, 1)
    }

    fn step(&self, now: &RoundState<'_>, _: &Target, _: &[f64], fits: &mut Fits) -> Step {
        let longest = |fit: &FittedHypothesis| match &fit.hypothesis.answers {
            Answers::Along { values, .. } => values.iter().fold(0.0, |a: f64, x| a.max(x.abs())),
            _ => 0.0,
        };
        let Some((j, found)) = Lines::new(&self.loss, now).lowest(fits, longest) else {
            return Step::Stop(Stop::NoEdge);
        };
        *fits = vec![fits.swap_remove(j)];
        Step::take_last(found.alpha, found.figures(), found.separates.then_some(Stop::Perfect))
    }

    fn asks(&self) -> Asks {
        match self.answers {
            CdAnswers::Sign => Asks::Signs,
            CdAnswers::LeastSquares => Asks::Numbers,
        }
    }

    fn seconds_ahead(&self, labels: &Labels) -> f64 {
        self.kind.seconds(labels.classes())
    }

    /// As GD-MCBoost: the inverse link of the loss, exact where the codewords have M − 1 dimensions.
    fn reading(&self, _: &Problem<'_>) -> Reading {
        self.loss.reading()
    }
}
