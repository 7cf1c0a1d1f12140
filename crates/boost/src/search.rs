//! Search on a line.

/// Halvings of an interval: after so many its ends are neighbours.
const HALVINGS: usize = 1100;

/// Where on (0, `longest`] a convex function is least, given its slope, which falls at 0; `longest` if it falls all the
/// way. The slope may be infinite, but it must be a number.
pub fn least(slope: impl Fn(f64) -> f64, longest: f64) -> f64 {
    let (mut low, mut high) = (0.0, longest.min(1.0));
    while slope(high) < 0.0 {
        if high >= longest {
            return longest;
        }
        (low, high) = (high, (2.0 * high).min(longest));
    }
    for _ in 0..HALVINGS {
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

#[cfg(test)]
mod tests {
    use super::*;

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
