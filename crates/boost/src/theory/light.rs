//! Light votes under the exponential loss (Mukherjee & Schapire 2013, section 7.2): where the minimal condition is no harder than the
//! uniform one.

use manyboost_kernel::numbers::math::exp;

/// (46): votes of this weight are so light that the worst walk always goes in all directions (Lemma 19). The potentials of the minimal
/// condition are then those of the uniform one, and so are the optimal strategies (Theorem 20).
pub fn is_light(classes: usize, rounds: usize, eta: f64) -> bool {
    4.0 * eta * (classes.saturating_sub(1).max(rounds)) as f64 <= 1.0
}

/// (54): whether the bound can be below k − 1 at all. κ(γ, η) ≤ 1 is exp(η) − 1 ≤ kγ/(1 − γ); of this, (54) has the part η ≤ kγ/(1 − γ)
/// that is necessary.
pub fn can_fall(classes: usize, gamma: f64, eta: f64) -> bool {
    exp(eta) - 1.0 <= classes as f64 * gamma / (1.0 - gamma)
}

/// (55): an edge so small that any weight of votes with which the bound falls is light (Theorem 21).
pub fn is_small_edge(classes: usize, rounds: usize, gamma: f64) -> bool {
    gamma <= 0.5 && 8.0 * classes as f64 * gamma * classes.max(rounds) as f64 <= 1.0
}
