//! `mcboost` where mistakes cost differently: [`CostMargins`] has the loss.
//!
//! With q(l) ∝ c(y, l) exp(f(l)), and 1 in place of c(y, y), residuals are `r = w (1_y − q)` and curvatures w q (1 − q).

use manyboost_kernel::numbers::math::{exp, ln};
use manyboost_kernel::{Criterion, Statistics, Totals};

use super::fill_blocks;
use crate::losses::cost_logistic::CostMargins;
use crate::model::answers::Answers;
use crate::spec::booster::{Query, RoundState, Shape, Target};
use crate::votes::{Means, NewtonVote, Sketch, Vote};

/// The question of a round.
pub(super) fn target(
    now: &RoundState<'_>,
    margins: CostMargins,
    newton: NewtonVote,
    channels: &mut Vec<f64>,
) -> Target {
    let (y, k) = (now.classes(), margins.classes());
    let losses = fill_blocks(now.scores, k + 1, channels, &|first, scores, channels, losses| {
        let rows = scores.chunks_exact(k).zip(channels.chunks_exact_mut(k + 1)).zip(losses).zip(&y[first..]);
        for (((f, c), loss), &y) in rows {
            let (y, worth) = (y as usize, margins.worth()[y as usize]);
            let (curvature, residuals) = c.split_at_mut(1);
            // A class that costs nothing may be far ahead, and does not count.
            let counted = f.iter().zip(margins.of(y)).filter(|&(_, &cost)| cost > 0.0);
            let most = counted.fold(f64::NEG_INFINITY, |most, (&f, _)| if f > most { f } else { most });
            let mut sum = 0.0;
            for ((r, f), cost) in residuals.iter_mut().zip(f).zip(margins.of(y)) {
                *r = if *cost > 0.0 { cost * exp(f - most) } else { 0.0 };
                sum += *r;
            }
            let share = worth / sum;
            *loss = -worth * ln((residuals[y] * share / worth).clamp(f64::MIN_POSITIVE, 1.0));
            curvature[0] = 0.0;
            for r in residuals.iter_mut() {
                *r *= -share;
                curvature[0] += -*r * (1.0 + *r / worth);
            }
            residuals[y] += worth;
        }
    });
    let norm = now.totals.weight();
    let loss = now.totals.sum(|i| losses[i]) / norm;
    let most = most(&margins);
    let vote = CostlyVote { newton, margins, of: y.to_vec() };
    let bounds = vec![most; k + 1];
    Target::one(Query { bounds: Some(bounds), ..Query::new(Shape::Dense(k + 1), vote, norm) }, loss)
}

/// The most that a row is worth.
fn most(margins: &CostMargins) -> f64 {
    margins.worth().iter().fold(0.0, |most, &worth| most.max(worth))
}

/// Newton steps of rows that are worth different amounts: their curvatures follow from their residuals.
struct CostlyVote {
    newton: NewtonVote,
    margins: CostMargins,
    /// The class of each row.
    of: Vec<u32>,
}

impl Vote for CostlyVote {
    fn criterion(&self) -> &dyn Criterion {
        self.newton.criterion()
    }

    fn sketch(&self) -> Sketch<'_> {
        self.newton.sketch()
    }

    fn leaf_sums(&self, totals: &Totals<'_>, statistics: &Statistics<'_>, groups: &[&[u32]]) -> Vec<f64> {
        let Statistics::Dense { values, width } = *statistics else {
            return totals.by_group(statistics, groups);
        };
        let (k, most) = (width - 1, most(&self.margins));
        let bounds = [vec![most; k], vec![0.25 * most; k]].concat();
        totals.by_group_of(groups, &bounds, |row, out| {
            let worth = self.margins.worth()[self.of[row] as usize];
            let residuals = &values[row * width + 1..(row + 1) * width];
            let (sums, curvatures) = out.split_at_mut(k);
            sums.copy_from_slice(residuals);
            curvatures.iter_mut().zip(residuals).for_each(|(h, r)| *h = r.abs() * (1.0 - r.abs() / worth));
        })
    }

    fn for_line(&self) -> Option<Means> {
        self.newton.for_line()
    }

    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        self.newton.answers(sums, stride)
    }
}
