//! The exponential loss Σ e^{−(u^c − u^l)} (Table 3). With two classes it is `AdaBoost`'s.

use super::GammaPhi;
use crate::model::reading::Link;

/// γ(v) = v, φ(v) = e⁻ᵛ.
#[derive(Clone, Copy, Debug)]
pub struct Exponential;

impl GammaPhi for Exponential {
    const RATE: f64 = 1.0;
    const CONVEX: bool = true;

    #[inline]
    fn gamma(v: f64) -> f64 {
        v
    }

    #[inline]
    fn gamma_slope(_: f64) -> f64 {
        1.0
    }

    fn link() -> Link {
        Link::Softmax(1.0)
    }
}
