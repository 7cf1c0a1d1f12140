//! The Savage loss (1 − 1/(1 + Σ e^{−2(u^c − u^l)}))² (Table 3). With two classes it is `SavageBoost`'s. It is bounded by 1,
//! so that hopeless rows lose their weight.

use super::GammaPhi;
use crate::model::reading::Link;

/// γ(v) = (v/(1 + v))², φ(v) = e⁻²ᵛ.
#[derive(Clone, Copy, Debug)]
pub struct Savage;

impl GammaPhi for Savage {
    const RATE: f64 = 2.0;
    const CONVEX: bool = false;

    #[inline]
    fn gamma(v: f64) -> f64 {
        let share = v / (1.0 + v);
        share * share
    }

    #[inline]
    fn gamma_slope(v: f64) -> f64 {
        let q = 1.0 / (1.0 + v);
        2.0 * (v * q) * q * q
    }

    fn link() -> Link {
        Link::Savage
    }
}
