//! `mcboost` where mistakes cost differently.
//!
//! With c(y, l) the cost of the answer l where y is true, an answer *gains* g(y, l) = maxⱼ c(y, j) − c(y, l). The loss is
//!
//! ```text
//! Σᵢ Σ_l g(yᵢ, l) (−ln p(xᵢ, l)),   p = softmax(f)
//! ```
//!
//! Its minimiser has p(x, l) ∝ Σ_y P(y | x) g(y, l) = a constant − the expected cost of l: the likeliest answer is the cheapest one. Costs
//! of 0 and 1 make it the plain loss, and costs that depend on the truth alone make it row weights. A row's residuals are
//! r = g − Wp with W = Σ_l g(y, l), and its curvatures W p (1 − p).

use polyboost_kernel::math::ln;
use polyboost_kernel::soft::softmax;
use polyboost_kernel::{Criterion, Statistics, Totals};

use super::fill_blocks;
use crate::answers::Answers;
use crate::booster::{Ask, Now, Shape, Target};
use crate::costs::CostMatrix;
use crate::votes::{NewtonVote, Sketch, Vote};

/// What answers gain.
#[derive(Debug)]
pub(super) struct Gains {
    classes: usize,
    /// Class after class, what each answer gains.
    values: Vec<f64>,
    /// Their sums.
    sums: Vec<f64>,
    /// The classes' shares of all weight.
    shares: Vec<f64>,
}

impl Gains {
    /// The gains of costs, scaled so that rows are worth 1 on average.
    pub fn new(costs: &CostMatrix, shares: Vec<f64>) -> Self {
        let classes = shares.len();
        let mut values: Vec<f64> = (0..classes)
            .flat_map(|y| {
                let own = costs.of(y);
                let most = own.iter().fold(0.0f64, |most, &cost| most.max(cost));
                own.iter().map(move |cost| most - cost)
            })
            .collect();
        let sums =
            |values: &[f64]| values.chunks_exact(classes).map(|own| own.iter().sum()).collect::<Vec<f64>>();
        let mean: f64 = sums(&values).iter().zip(&shares).map(|(sum, share)| sum * share).sum();
        if mean > 0.0 {
            values.iter_mut().for_each(|gain| *gain /= mean);
        }
        Self { classes, sums: sums(&values), values, shares }
    }

    /// What each answer gains where this class is true.
    fn of(&self, class: u32) -> &[f64] {
        &self.values[class as usize * self.classes..][..self.classes]
    }

    /// What each answer gains on average.
    pub fn mean(&self) -> Vec<f64> {
        let mut mean = vec![0.0; self.classes];
        for (own, share) in self.values.chunks_exact(self.classes).zip(&self.shares) {
            mean.iter_mut().zip(own).for_each(|(sum, gain)| *sum += share * gain);
        }
        mean
    }

    /// The most that a row is worth.
    fn most(&self) -> f64 {
        self.sums.iter().fold(0.0, |most, &sum| most.max(sum))
    }
}

/// The question of a round.
pub(super) fn target(now: &Now<'_>, gains: Gains, newton: NewtonVote, channels: &mut Vec<f64>) -> Target {
    let (y, k) = (now.classes(), gains.classes);
    let losses = fill_blocks(now.scores, k + 1, channels, &|first, scores, channels, losses| {
        let mut p = vec![0.0; scores.len()];
        softmax(scores, k, &mut p);
        let rows = p.chunks_exact(k).zip(channels.chunks_exact_mut(k + 1)).zip(losses).zip(&y[first..]);
        for (((p, c), loss), &y) in rows {
            let (own, worth) = (gains.of(y), gains.sums[y as usize]);
            let (curvature, residuals) = c.split_at_mut(1);
            curvature[0] = worth * p.iter().map(|p| p * (1.0 - p)).sum::<f64>();
            for ((r, &p), &gain) in residuals.iter_mut().zip(p).zip(own) {
                *r = gain - worth * p;
                if gain > 0.0 {
                    *loss -= gain * ln(p.max(f64::MIN_POSITIVE));
                }
            }
        }
    });
    let norm = now.totals.weight();
    let loss = now.totals.sum(|i| losses[i]) / norm;
    let bounds = vec![gains.most(); k + 1];
    let vote = GainsVote { newton, gains, of: y.to_vec() };
    Target::one(Ask { bounds: Some(bounds), ..Ask::new(Shape::Dense(k + 1), vote, norm) }, loss)
}

/// Newton steps whose curvatures follow from residuals and gains.
struct GainsVote {
    newton: NewtonVote,
    gains: Gains,
    /// The class of each row.
    of: Vec<u32>,
}

impl Vote for GainsVote {
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
        let (k, most) = (width - 1, self.gains.most());
        let bounds = [vec![most; k], vec![0.25 * most; k]].concat();
        totals.by_group_of(groups, &bounds, |row, out| {
            let y = self.of[row];
            let (own, worth) = (self.gains.of(y), self.gains.sums[y as usize]);
            let residuals = &values[row * width + 1..(row + 1) * width];
            let (sums, curvatures) = out.split_at_mut(k);
            sums.copy_from_slice(residuals);
            for ((h, r), gain) in curvatures.iter_mut().zip(residuals).zip(own) {
                let expected = gain - r;
                *h = if worth > 0.0 { expected * (1.0 - expected / worth) } else { 0.0 };
            }
        })
    }

    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        self.newton.answers(sums, stride)
    }
}
