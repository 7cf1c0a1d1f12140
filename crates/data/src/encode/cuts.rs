//! Where a numeric feature may be cut: midpoints of neighbouring distinct values.
//!
//! With few enough distinct values every midpoint is a cut. Otherwise bins hold about the same weight: a value that
//! is worth more than two average bins gets one of its own, the stretches between such values share the other bins by weight,
//! and within a stretch bins are filled in order. Only ratios of integer weights enter, so that neither
//! the order of rows nor "twice" for "weight 2" makes a difference.

/// Distinct values, ascending, with their weights; may be walked more than once.
pub(super) trait Runs: Iterator<Item = (f64, u64)> + Clone {}
impl<I: Iterator<Item = (f64, u64)> + Clone> Runs for I {}

/// A number `t` with `a ≤ t < b`, halfway if there is room; `a < b` are finite.
pub(super) fn midpoint(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let middle = if sum.is_finite() { sum / 2.0 } else { a / 2.0 + b / 2.0 };
    let inside = a <= middle && middle < b;
    // Plus zero: a cut is never -0.0.
    (if inside { middle } else { a }) + 0.0
}

/// The neighbouring values to cut between, for at most `bins` bins (0: as many as there are distinct values).
pub(super) fn gaps(runs: impl Runs, bins: u32) -> Vec<(f64, f64)> {
    let distinct = runs.clone().count();
    let bins = bins as usize;
    if bins == 0 || distinct <= bins {
        return pairs(runs).map(|(a, b)| (a.0, b.0)).collect();
    }
    let total: u128 = runs.clone().map(|(_, w)| u128::from(w)).sum();
    let heavy = |weight: u64| u128::from(weight) * bins as u128 > 2 * total;
    let (stretches, heavies) = stretches(runs.clone(), heavy);
    let shares = share(&stretches, bins - heavies);
    let mut fills = stretches.iter().zip(shares).map(|(stretch, bins)| Fill::new(*stretch, bins));
    let mut fill: Option<Fill> = None;
    let mut cuts = Vec::with_capacity(bins - 1);
    for (a, b) in pairs(runs) {
        let cut = if heavy(a.1) {
            fill = None;
            true
        } else {
            let current = fill.get_or_insert_with(|| fills.next().unwrap_or_default());
            current.take(a.1);
            heavy(b.1) || current.full(b.1)
        };
        if cut {
            cuts.push((a.0, b.0));
            if let Some(current) = &mut fill {
                current.close();
            }
        }
    }
    cuts
}

/// Neighbouring runs.
fn pairs(runs: impl Runs) -> impl Iterator<Item = ((f64, u64), (f64, u64))> {
    runs.clone().zip(runs.skip(1))
}

/// Light values without a heavy one between them.
#[derive(Clone, Copy, Debug, Default)]
struct Stretch {
    values: usize,
    weight: u128,
}

/// The stretches of light values, and the number of heavy ones.
fn stretches(runs: impl Runs, heavy: impl Fn(u64) -> bool) -> (Vec<Stretch>, usize) {
    let (mut all, mut heavies, mut current) = (Vec::new(), 0, Stretch::default());
    for (_, weight) in runs {
        if heavy(weight) {
            heavies += 1;
            all.push(std::mem::take(&mut current));
        } else {
            current.values += 1;
            current.weight += u128::from(weight);
        }
    }
    all.push(current);
    all.retain(|stretch| stretch.values > 0);
    (all, heavies)
}

/// The bins of each stretch: at least one (there are enough), the rest by weight, never more than values.
fn share(stretches: &[Stretch], mut bins: usize) -> Vec<usize> {
    let mut weight: u128 = stretches.iter().map(|s| s.weight).sum();
    let mut waiting = stretches.len();
    let mut shares = Vec::with_capacity(waiting);
    for stretch in stretches {
        waiting -= 1;
        let fair = (2 * stretch.weight * bins as u128 + weight) / (2 * weight).max(1);
        let share = (fair as usize).min(bins - waiting).min(stretch.values).max(1);
        shares.push(share);
        bins -= share;
        weight -= stretch.weight;
    }
    shares
}

/// The bins of one stretch while they are filled.
#[derive(Clone, Copy, Debug, Default)]
struct Fill {
    /// Bins that are left, the open one included.
    bins: usize,
    /// Weight of these bins.
    weight: u128,
    /// Values that are in no bin yet.
    values: usize,
    /// Weight in the open bin.
    open: u128,
}

impl Fill {
    fn new(stretch: Stretch, bins: usize) -> Self {
        Self { bins, weight: stretch.weight, values: stretch.values, open: 0 }
    }

    /// Puts a value into the open bin.
    fn take(&mut self, weight: u64) {
        self.open += u128::from(weight);
        self.values = self.values.saturating_sub(1);
    }

    /// Whether the open bin is nearer to its share without the next value.
    fn full(&self, next: u64) -> bool {
        let bins = self.bins as u128;
        self.bins > 1
            && (self.values < self.bins || (2 * self.open + u128::from(next)) * bins > 2 * self.weight)
    }

    /// Closes the open bin.
    fn close(&mut self) {
        self.weight = self.weight.saturating_sub(self.open);
        self.bins = self.bins.saturating_sub(1);
        self.open = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn midpoints_separate_whatever_floats_there_are() {
        let small = f64::from_bits(1);
        let mut values =
            vec![0.0, small, 3.0 * small, 4.0 * small, f64::MIN_POSITIVE, 1.0, 1.0 + f64::EPSILON];
        values.extend([1.0 - f64::EPSILON / 2.0, 1e308, f64::MAX]);
        values.extend(values.clone().iter().map(|v| -v));
        for &a in &values {
            for &b in &values {
                if a < b {
                    let t = midpoint(a, b);
                    assert!(a <= t && t < b, "{a} <= {t} < {b}");
                    assert!(t.to_bits() != (-0.0f64).to_bits());
                }
            }
        }
        assert_eq!(midpoint(1.0, 2.0), 1.5);
    }

    fn runs(weights: &[u64]) -> Vec<(f64, u64)> {
        weights.iter().enumerate().map(|(v, &w)| (v as f64, w)).collect()
    }

    fn cut(weights: &[u64], bins: u32) -> Vec<f64> {
        gaps(runs(weights).into_iter(), bins).into_iter().map(|(a, b)| midpoint(a, b)).collect()
    }

    #[test]
    fn bins_hold_equal_weight() {
        assert_eq!(cut(&[1; 12], 4), [2.5, 5.5, 8.5]);
        assert_eq!(cut(&[1; 4], 4), [0.5, 1.5, 2.5]);
        assert_eq!(cut(&[1; 4], 0), [0.5, 1.5, 2.5]);
        assert_eq!(cut(&[7], 2), [0.0; 0]);
        assert_eq!(cut(&[], 2), [0.0; 0]);
        assert_eq!(cut(&[1, 1, 100, 1, 1], 3), [1.5, 2.5]);
    }

    proptest! {
        #[test]
        fn enough_bins_and_none_too_many(
            weights in prop::collection::vec(prop_oneof![1u64..4, 1u64..1000], 1..200),
            bins in 2u32..40,
        ) {
            let cuts = cut(&weights, bins);
            let wanted = weights.len().min(bins as usize) - 1;
            prop_assert!(cuts.len() <= wanted);
            prop_assert!(cuts.windows(2).all(|w| w[0] < w[1]));
            // Heavy values are alone in their bins.
            let total: u64 = weights.iter().sum();
            for (value, &weight) in weights.iter().enumerate() {
                if weight * u64::from(bins) > 2 * total {
                    let v = value as f64;
                    prop_assert!(value == 0 || cuts.contains(&(v - 0.5)));
                    prop_assert!(value + 1 == weights.len() || cuts.contains(&(v + 0.5)));
                }
            }
            let scaled: Vec<u64> = weights.iter().map(|w| w * 12).collect();
            prop_assert_eq!(cuts, cut(&scaled, bins));
        }

        #[test]
        fn equal_weights_use_every_bin(values in 1usize..300, bins in 2u32..40) {
            prop_assert_eq!(cut(&vec![3; values], bins).len(), values.min(bins as usize) - 1);
        }
    }
}
