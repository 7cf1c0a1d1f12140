//! Search on a line: where a risk stops falling, found from its slope alone.

/// Places at which the slope of a risk that is not convex is looked at.
const SCANS: f64 = 32.0;
/// How far to go beyond the place where the slope seems to be 0, and how many times farther than before at most.
const BEYOND: f64 = 1.25;
const FARTHER: f64 = 32.0;
/// Most evaluations to close in on a root.
const MOST: usize = 80;

/// Halvings of an interval: after so many its ends are neighbours.
const BISECTIONS: usize = 1100;

/// The first local minimum in (0, longest] of a risk with this slope, which is negative at 0; `longest` if it falls all the
/// way. A convex risk has no more than one, and is looked at `near` first. Nothing if `slope` gives up.
pub(crate) fn first_minimum(
    mut slope: impl FnMut(f64) -> Option<f64>,
    at_zero: f64,
    near: Option<f64>,
    longest: f64,
) -> Option<f64> {
    let (mut low, mut low_slope, mut high) = (0.0, at_zero, near.unwrap_or(longest / SCANS));
    while low < longest {
        high = high.min(longest);
        let high_slope = slope(high)?;
        if high_slope >= 0.0 {
            return root(slope, (low, low_slope), (high, high_slope));
        }
        // Where the slope would be 0 if it went on as it did since the last place.
        let ahead = -high_slope * (high - low) / (high_slope - low_slope);
        (low, low_slope) = (high, high_slope);
        high = match near {
            Some(_) => (low + BEYOND * ahead).clamp(2.0 * low, FARTHER * low),
            None => low + longest / SCANS,
        };
    }
    Some(longest)
}

/// Where on (0, `longest`] a convex function is least, given its slope, which falls at 0; `longest` if it falls all the
/// way. The slope may be infinite, but it must be a number.
pub(crate) fn least(slope: impl Fn(f64) -> f64, longest: f64) -> f64 {
    let (mut low, mut high) = (0.0, longest.min(1.0));
    while slope(high) < 0.0 {
        if high >= longest {
            return longest;
        }
        (low, high) = (high, (2.0 * high).min(longest));
    }
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if slope(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Brent's method: a root between two places where a function has different signs; nothing if the function gives up.
fn root(mut f: impl FnMut(f64) -> Option<f64>, from: (f64, f64), to: (f64, f64)) -> Option<f64> {
    let ((mut a, mut fa), (mut b, mut fb)) = (from, to);
    let (mut c, mut fc, mut step) = (a, fa, b - a);
    let mut before = step;
    for _ in 0..MOST {
        if fb * fc > 0.0 {
            (c, fc, step) = (a, fa, b - a);
            before = step;
        }
        if fc.abs() < fb.abs() {
            (a, fa) = (b, fb);
            (b, fb) = (c, fc);
            (c, fc) = (a, fa);
        }
        let (near, half) = (2.0 * f64::EPSILON * b.abs(), 0.5 * (c - b));
        if half.abs() <= near || fb == 0.0 {
            break;
        }
        if before.abs() < near || fa.abs() <= fb.abs() {
            (step, before) = (half, half);
        } else {
            let s = fb / fa;
            let (mut p, mut q) = if a == c {
                (2.0 * half * s, 1.0 - s)
            } else {
                let (q, r) = (fa / fc, fb / fc);
                (s * (2.0 * half * q * (q - r) - (b - a) * (r - 1.0)), (q - 1.0) * (r - 1.0) * (s - 1.0))
            };
            if p > 0.0 {
                q = -q;
            } else {
                p = -p;
            }
            if 2.0 * p < (3.0 * half * q - (near * q).abs()).min((before * q).abs()) {
                (before, step) = (step, p / q);
            } else {
                (step, before) = (half, half);
            }
        }
        (a, fa) = (b, fb);
        b += if step.abs() > near { step } else { near.copysign(half) };
        fb = f(b)?;
    }
    Some(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minima_are_found_to_the_last_digits() {
        for at in [1e-6, 0.01, 0.7, 3.0, 9.99] {
            let slope = |x: f64| (x - at) * (1.0 + x * x);
            for near in [1e-9, 0.5, 100.0] {
                let found = first_minimum(|x| Some(slope(x)), slope(0.0), Some(near), 10.0).unwrap();
                assert!((found - at).abs() <= 1e-14 * at.max(1e-3), "{found} for {at}");
            }
        }
        assert_eq!(first_minimum(|_| Some(-1.0), -1.0, Some(0.1), 10.0), Some(10.0));
        assert_eq!(first_minimum(|_| Some(-1.0), -1.0, None, 10.0), Some(10.0));
        assert_eq!(first_minimum(|x| (x < 3.0).then_some(x - 2.9), -2.9, Some(0.1), 10.0), None);
    }

    #[test]
    fn the_first_of_several_minima() {
        let slope = |x: f64| (x - 2.0) * (x - 4.0) * (x - 7.0);
        let found = first_minimum(|x| Some(slope(x)), slope(0.0), None, 10.0).unwrap();
        assert!((found - 2.0).abs() < 1e-14);
    }

    #[test]
    fn finds_the_least_place_to_the_last_bits() {
        for place in [1e-300, 1e-9, 0.3, 1.0, 7.5, 999.0] {
            let found = least(|x| x - place, 1024.0);
            assert!((found - place).abs() <= 2.0 * f64::EPSILON * place, "{found} for {place}");
        }
    }

    #[test]
    fn is_finite_where_there_is_none() {
        assert_eq!(least(|_| -1.0, 1024.0), 1024.0);
        assert_eq!(least(|_| -1.0, 0.25), 0.25);
        assert_eq!(least(|x| if x > 3.0 { f64::INFINITY } else { -1.0 }, 1024.0), 3.0f64.next_up());
    }
}
