//! The logistic loss ln(1 + Σ e^{−2(u^c − u^l)}) (Table 3). With two classes it is `LogitBoost`'s.

use manyboost_kernel::numbers::math::ln_1p;

use super::GammaPhi;
use crate::model::reading::Link;

/// γ(v) = ln(1 + v), φ(v) = e⁻²ᵛ.
#[derive(Clone, Copy, Debug)]
pub struct Logistic;

impl GammaPhi for Logistic {
    const RATE: f64 = 2.0;
    const CONVEX: bool = true;

    #[inline]
    fn gamma(v: f64) -> f64 {
        ln_1p(v)
    }

    #[inline]
    fn gamma_slope(v: f64) -> f64 {
        1.0 / (1.0 + v)
    }

    fn link() -> Link {
        Link::Softmax(1.0)
    }
}
