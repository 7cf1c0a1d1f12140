//! Quantiles of the χ² distribution, by bisection on the regularised incomplete gamma function.

/// The `p` quantile for `degrees` of freedom, 0 < p < 1.
pub(super) fn quantile(degrees: usize, p: f64) -> f64 {
    let shape = degrees as f64 / 2.0;
    let (mut low, mut high) = (0.0, 1.0);
    while below(shape, high) < p {
        low = high;
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if below(shape, middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    2.0 * high
}

/// P(a, x), the share of the gamma distribution of shape `a` below `x`.
fn below(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let scale = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    if x < a + 1.0 {
        // The series x^a e^-x / Γ(a) · Σ xⁿ / (a (a+1) … (a+n)).
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        for _ in 0..10_000 {
            n += 1.0;
            term *= x / n;
            sum += term;
            if term < sum * f64::EPSILON {
                break;
            }
        }
        return scale * sum;
    }
    // Lentz's continued fraction of the rest.
    let tiny = 1e-300;
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1.0 / tiny, 1.0 / b);
    let mut h = d;
    for i in 1..10_000 {
        let i = f64::from(i);
        let factor = -i * (i - a);
        b += 2.0;
        d = 1.0 / guard(factor * d + b, tiny);
        c = guard(b + factor / c, tiny);
        h *= d * c;
        if (d * c - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    1.0 - scale * h
}

fn guard(x: f64, tiny: f64) -> f64 {
    if x.abs() < tiny { tiny } else { x }
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn tabled_quantiles() {
        for (degrees, p, expected) in [
            (1, 0.5, 0.454_936_423_119_572_8),
            (2, 0.95, 5.991_464_547_107_979),
            (10, 1.0 / 3.0, 7.612_109_033_424_631),
            (10, 0.95, 18.307_038_053_275_146),
        ] {
            let found = quantile(degrees, p);
            assert!((found - expected).abs() < 1e-12 * expected, "{degrees} {p}: {found}");
        }
    }
}
