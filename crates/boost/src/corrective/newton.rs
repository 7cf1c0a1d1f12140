//! The exponential loss of a sum of hypotheses, least in all coefficients at once: Schapire & Singer (1999), appendix A.
//!
//! ```text
//! Z(α) = Σᵣ wᵣ exp(−Σⱼ αⱼ qᵣⱼ)                                                             (A.1)
//! ∂Z/∂αⱼ = −Σᵣ qᵣⱼ wᵣ(α),   ∂²Z/∂αⱼ∂αₖ = Σᵣ qᵣⱼ qᵣₖ wᵣ(α),   wᵣ(α) = wᵣ exp(−Σⱼ αⱼ qᵣⱼ)          (A.2), (A.3)
//! ```
//!
//! Z is convex, since its matrix of second derivatives is a sum of squares (A.4), and Newton's steps are halved until Z falls. Where some
//! coefficients are right on everything, Z has no least value: steps end when hardly anything is left of it.

use manyboost_kernel::dot;
use manyboost_kernel::numbers::math::exp;
use rayon::prelude::*;

use super::symmetric::Factor;

/// Most steps.
const STEPS: usize = 200;

/// No step changes an exponent by more.
const FARTHEST: f64 = 4.0;

/// What is left when Z counts as 0, and what a step promises when it is as good as none, as parts of the first Z and of the present one.
const NOTHING: f64 = 1e-9;
const LITTLE: f64 = 1e-14;

/// Squares are larger by this part: of hypotheses that follow from others, each takes a share.
const RIDGE: f64 = 1e-10;

/// The coefficients at which Z is least; `gains` has qᵣⱼ for each hypothesis j.
pub(crate) fn least_loss(gains: &[Vec<f64>], weights: &[f64]) -> Vec<f64> {
    let mut alphas = vec![0.0; gains.len()];
    let mut margins = vec![0.0; weights.len()];
    let lost = |margins: &[f64]| -> Vec<f64> {
        margins.iter().zip(weights).map(|(margin, w)| w * exp((-margin).min(300.0))).collect()
    };
    let (mut now, first) = (weights.to_vec(), weights.iter().sum::<f64>());
    let mut z = first;
    for _ in 0..STEPS {
        let (step, promise) = direction(gains, &now);
        if z <= NOTHING * first || promise <= LITTLE * z {
            break;
        }
        let moved = moves(gains, &step, margins.len());
        let farthest = moved.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let mut length = (FARTHEST / farthest).min(1.0);
        let next = loop {
            let tried: Vec<f64> = margins.iter().zip(&moved).map(|(m, d)| m + length * d).collect();
            let left = lost(&tried);
            let sum = left.iter().sum::<f64>();
            if sum < z {
                break Some((tried, left, sum));
            }
            length *= 0.5;
            if length < 1e-9 {
                break None;
            }
        };
        let Some((tried, left, sum)) = next else { break };
        alphas.iter_mut().zip(&step).for_each(|(alpha, d)| *alpha += length * d);
        (margins, now, z) = (tried, left, sum);
    }
    alphas
}

/// Newton's step, and what it promises to first order.
fn direction(gains: &[Vec<f64>], now: &[f64]) -> (Vec<f64>, f64) {
    let weighted = |gains: &Vec<f64>| gains.iter().zip(now).map(|(q, w)| q * w).collect::<Vec<f64>>();
    let weighted: Vec<Vec<f64>> = gains.iter().map(weighted).collect();
    let slopes: Vec<f64> = weighted.iter().map(|qw| qw.iter().sum()).collect();
    let row = |(j, qw): (usize, &Vec<f64>)| {
        let mut row: Vec<f64> = gains[..=j].iter().map(|q| dot(qw, q)).collect();
        row[j] *= 1.0 + RIDGE;
        row
    };
    let step = Factor::new(weighted.par_iter().enumerate().map(row).collect()).solve(&slopes);
    let promise = dot(&step, &slopes);
    (step, promise)
}

/// How a step moves each margin.
pub(super) fn moves(gains: &[Vec<f64>], step: &[f64], rows: usize) -> Vec<f64> {
    let mut moved = vec![0.0; rows];
    for (gains, by) in gains.iter().zip(step) {
        moved.iter_mut().zip(gains).for_each(|(moved, gain)| *moved += by * gain);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One hypothesis has the step of `adaboost`; of several, no slope is left.
    #[test]
    fn no_slope_is_left() {
        let alone = least_loss(&[vec![1.0, -1.0]], &[3.0, 1.0]);
        assert!((alone[0] - 0.5 * 3.0f64.ln()).abs() < 1e-9, "{alone:?}");
        let gains = [vec![1.0, 1.0, -1.0, 0.0], vec![1.0, -1.0, 1.0, 1.0], vec![-1.0, 1.0, 1.0, -1.0]];
        let weights = [1.0, 2.0, 0.5, 1.5];
        let alphas = least_loss(&gains, &weights);
        let margins = moves(&gains, &alphas, 4);
        for gains in &gains {
            let slope: f64 = (0..4).map(|r| gains[r] * weights[r] * (-margins[r]).exp()).sum();
            assert!(slope.abs() < 1e-6, "{slope} {alphas:?}");
        }
    }

    #[test]
    fn what_can_be_separated_ends() {
        let alphas = least_loss(&[vec![1.0, 1.0], vec![1.0, -1.0]], &[1.0, 1.0]);
        assert!(alphas.iter().all(|alpha| alpha.abs() < 50.0), "{alphas:?}");
    }
}
