//! The loss e^{−⟨y^c, f⟩} of the own codeword alone (121), (186). With the simplex it is SAMME's, with unit vectors AdaBoost.M1's. It knows nothing
//! of the other classes, so that it proves no margin (section 8.1). A factor in the exponent is another length of f.

use super::GammaPhi;
use crate::model::reading::Link;

/// γ(v) = v, φ(v) = e⁻²ᵛ, where the only rival of the own class has u = 0.
#[derive(Clone, Copy, Debug)]
pub struct Codeword;

impl GammaPhi for Codeword {
    const RATE: f64 = 2.0;
    const CONVEX: bool = true;
    const COMPARES: bool = false;

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
