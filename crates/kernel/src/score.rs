//! What split search minimises: the score of a region, as a function of its summed channels.
//!
//! `sums[0]` is always the region's weight; the rest is what the channels mean. Scores add up over regions and lower is
//! better. Each is one small type; loops over cuts are compiled for each, so nothing is looked up inside.

/// The score of a region.
pub trait Score: Send + Sync {
    /// Lower is better; scores of disjoint regions add up.
    fn score(&self, sums: &[f64]) -> f64;
}

/// Partial sums that a vector unit can keep side by side, combined in one fixed order.
const LANES: usize = 4;

#[inline(always)]
fn sum_by(values: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    let mut lanes = [0.0; LANES];
    let mut chunks = values.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane += f(x);
        }
    }
    for (lane, &x) in lanes.iter_mut().zip(chunks.remainder()) {
        *lane += f(x);
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

#[inline(always)]
fn smallest(values: &[f64]) -> f64 {
    let mut lanes = [f64::INFINITY; LANES];
    let mut chunks = values.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane = if x < *lane { x } else { *lane };
        }
    }
    for (lane, &x) in lanes.iter_mut().zip(chunks.remainder()) {
        *lane = if x < *lane { x } else { *lane };
    }
    lanes.into_iter().fold(f64::INFINITY, |a, b| if b < a { b } else { a })
}

/// Channels are the costs of the possible answers: the region takes the cheapest.
#[derive(Clone, Copy, Debug)]
pub struct LeastCost;

impl Score for LeastCost {
    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        smallest(&sums[1..])
    }
}

/// Channels are (minus) class weights: Gini impurity, the chance that two draws from the region differ.
#[derive(Clone, Copy, Debug)]
pub struct Gini;

impl Score for Gini {
    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        let (all, squares) = (sum_by(&sums[1..], |x| x).abs(), sum_by(&sums[1..], |x| x * x));
        if all > 0.0 { all - squares / all } else { 0.0 }
    }
}

/// Channels are (minus) class weights: entropy, as C4.5's information gain has it.
#[derive(Clone, Copy, Debug)]
pub struct Entropy;

impl Score for Entropy {
    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        let plain = |x: f64| if x > 0.0 { x * crate::math::ln(x) } else { 0.0 };
        plain(sum_by(&sums[1..], f64::abs)) - sum_by(&sums[1..], |x| plain(x.abs()))
    }
}

/// Channels are one curvature, then a gradient vector: what a Newton step in the region gains.
#[derive(Clone, Copy, Debug)]
pub struct Newton {
    /// Added to the curvature, so that thin regions do not win by accident.
    pub ridge: f64,
}

impl Score for Newton {
    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        let curvature = sums[1] + self.ridge;
        if curvature > 0.0 { -sum_by(&sums[2..], |g| g * g) / curvature } else { 0.0 }
    }
}

/// Channels are costs of the answer +1, and −1 costs the opposite: the region takes the better sign for each.
#[derive(Clone, Copy, Debug)]
pub struct Signs;

impl Score for Signs {
    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        -sum_by(&sums[1..], f64::abs)
    }
}

/// Channels are residuals: what their mean explains, in squares.
#[derive(Clone, Copy, Debug)]
pub struct LeastSquares;

impl Score for LeastSquares {
    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        if sums[0] > 0.0 { -sum_by(&sums[1..], |g| g * g) / sums[0] } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_follow_their_definitions() {
        let costs = [3.0, -1.0, -5.0, 2.0, 0.0, -4.5];
        assert_eq!(LeastCost.score(&costs), -5.0);
        let classes = [10.0, -2.0, -3.0, -5.0];
        assert!((Gini.score(&classes) - (10.0 - 38.0 / 10.0)).abs() < 1e-12);
        let entropy = 10.0 * 10f64.ln() - 2.0 * 2f64.ln() - 3.0 * 3f64.ln() - 5.0 * 5f64.ln();
        assert!((Entropy.score(&classes) - entropy).abs() < 1e-12);
        assert_eq!(Newton { ridge: 1.0 }.score(&[7.0, 3.0, 2.0, -4.0]), -5.0);
        assert_eq!(LeastSquares.score(&[4.0, 2.0, -4.0]), -5.0);
        assert_eq!(Signs.score(&[4.0, 2.0, -4.0]), -6.0);
    }

    #[test]
    fn empty_regions_cost_nothing() {
        assert_eq!(Gini.score(&[0.0; 4]), 0.0);
        assert_eq!(Entropy.score(&[0.0; 4]), 0.0);
        assert_eq!(Newton { ridge: 0.0 }.score(&[0.0; 4]), 0.0);
        assert_eq!(LeastSquares.score(&[0.0; 4]), 0.0);
    }
}
