//! A small generator of random numbers that is the same everywhere: `SplitMix64`, and Box–Muller on `libm`.

use manyboost_kernel::numbers::seed::mix;

/// Random numbers from a seed.
#[derive(Clone, Debug)]
pub(super) struct Random {
    state: u64,
    spare: Option<f64>,
}

impl Random {
    /// Numbers of their own for each seed and stream.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let state = mix(seed ^ mix(stream.wrapping_add(0x5851_f42d_4c95_7f2d)));
        Self { state, spare: None }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// Uniform on [0, 1).
    pub(super) fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform on 0..n.
    pub(super) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// Standard normal.
    pub(super) fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.uniform()));
        let angle = std::f64::consts::TAU * self.uniform();
        self.spare = Some(radius * libm::sin(angle));
        radius * libm::cos(angle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_right() {
        let mut random = Random::new(1, 2);
        let n = 100_000;
        let (mut mean, mut square, mut uniform) = (0.0, 0.0, 0.0);
        for _ in 0..n {
            let x = random.normal();
            mean += x / f64::from(n);
            square += x * x / f64::from(n);
            uniform += random.uniform() / f64::from(n);
        }
        assert!(mean.abs() < 0.02 && (square - 1.0).abs() < 0.02 && (uniform - 0.5).abs() < 0.01);
        assert!((0..1000).all(|_| random.below(7) < 7));
    }
}
