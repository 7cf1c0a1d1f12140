//! Randomness by counting: every draw is a function of what it is for, never of when it happens.

/// A seed that can be narrowed: to a round, a node, a feature. Equal paths give equal seeds on any thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(u64);

impl Seed {
    /// From a user's number.
    pub fn new(seed: u64) -> Self {
        Self(mix(seed ^ 0x9e37_79b9_7f4a_7c15))
    }

    /// The seed of a part, by number.
    #[must_use]
    #[inline]
    pub fn part(self, number: u64) -> Self {
        Self(mix(self.0 ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03).wrapping_add(0x8cb9_2ba7_2f3d_8dd7)))
    }

    /// 64 random bits: a function of the seed.
    #[inline]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// A number in [0, 1).
    #[inline]
    pub fn unit(self) -> f64 {
        (self.0 >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A number below `n` (which must not be 0).
    #[inline]
    pub fn below(self, n: u64) -> u64 {
        ((u128::from(self.0) * u128::from(n)) >> 64) as u64
    }
}

/// Scrambles a number: Stafford's thirteenth variant of the `MurmurHash3` finaliser, which is the one of `SplitMix64`.
#[inline]
pub fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_spread_and_repeatable() {
        let seed = Seed::new(7).part(3);
        assert_eq!(seed, Seed::new(7).part(3));
        let n = 20_000;
        let mean = (0..n).map(|i| seed.part(i).unit()).sum::<f64>() / n as f64;
        assert!((mean - 0.5).abs() < 0.01, "mean {mean}");
        let mut counts = [0; 10];
        for i in 0..n {
            counts[seed.part(i).below(10) as usize] += 1;
        }
        assert!(counts.iter().all(|c| (1800..2200).contains(c)), "{counts:?}");
    }
}
