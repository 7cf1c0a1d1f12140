//! `exp` and `ln`: one implementation for every platform.
//!
//! The standard library's differ between systems, which would make models differ. [`exp`] is branch-free plain
//! arithmetic without fused operations, so loops over it vectorise and give the same bits with and without vectors.

/// 2 to the power of `n`, for `n` within the normal range.
#[inline]
pub fn pow2(n: i32) -> f64 {
    debug_assert!((-1022..=1023).contains(&n));
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// The largest `n` with 2ⁿ ≤ |x|, for finite `x` that is neither zero nor subnormal.
#[inline]
pub fn floor_log2(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

/// eˣ to within two units in the last place; 0 below −708, capped above 709.
#[inline]
pub fn exp(x: f64) -> f64 {
    const LOG2_E: f64 = std::f64::consts::LOG2_E;
    // ln 2 in two parts: the first has trailing zeros, so that n · LN2_HIGH is exact.
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    // Adding 1.5 · 2⁵² rounds to an integer and leaves it in the low bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    // (eʳ − 1 − r) / r² for |r| ≤ ln 2 / 2, to 4e−18 of eʳ: coefficients of even and of odd powers, the highest first. (Remez.)
    const EVEN: [f64; 5] = [
        2.763_030_628_452_468e-7,
        2.480_149_294_954_563_6e-5,
        1.388_888_894_376_003_8e-3,
        4.166_666_666_652_972_5e-2,
        0.500_000_000_000_001_1,
    ];
    const ODD: [f64; 5] = [
        2.500_001_650_525_696_7e-8,
        2.755_758_681_094_885e-6,
        1.984_126_950_576_627_6e-4,
        8.333_333_333_494_98e-3,
        1.666_666_666_666_641e-1,
    ];
    let low = x < -708.0;
    let bounded = if x > 709.0 { 709.0 } else { x };
    let bounded = if low { 0.0 } else { bounded };
    let shifted = bounded * LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (bounded - n * LN2_HIGH) - n * LN2_LOW;
    // Two short chains instead of a long one.
    let square = r * r;
    let (mut even, mut odd) = (EVEN[0], ODD[0]);
    for (a, b) in EVEN[1..].iter().zip(&ODD[1..]) {
        even = even * square + a;
        odd = odd * square + b;
    }
    let e = 1.0 + (r + square * (even + odd * r));
    let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1023 << 52));
    if low { 0.0 } else { e * power }
}

/// eˣ in single precision, to within 1e−6 of it, for −87 ≤ x ≤ 88, and that of the nearer end for others.
#[inline]
pub(crate) fn exp_single(x: f32) -> f32 {
    const LN2_HIGH: f32 = 355.0 / 512.0;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    // Adding 1.5 · 2²³ rounds to an integer and leaves it in the low bits.
    const ROUND: f32 = 12_582_912.0;
    // (eʳ − 1 − r) / r² for |r| ≤ ln 2 / 2, the highest power first.
    const P: [f32; 4] = [8.363_205e-3, 4.183_399_3e-2, 0.166_665_76, 0.499_997_5];
    let x = if x > 88.0 { 88.0 } else { x };
    let x = if x < -87.0 { -87.0 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * LN2_HIGH) - n * LN2_LOW;
    let mut p = P[0];
    for c in &P[1..] {
        p = p * r + c;
    }
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23));
    (1.0 + (r + r * r * p)) * power
}

/// The natural logarithm to within two units in the last place; the smallest normal number's below that, −∞ at 0.
///
/// Plain arithmetic without branches, as [`exp`] is: ln(2ᵉ m) = e ln 2 + 2 artanh((m − 1)/(m + 1)) with m near 1.
#[inline]
pub fn ln(x: f64) -> f64 {
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    // The minimax polynomial of Sun's fdlibm for |s| ≤ 0.1716.
    const L: [f64; 7] = [
        6.666_666_666_666_735e-1,
        3.999_999_999_940_942e-1,
        2.857_142_874_366_239e-1,
        2.222_219_843_214_978_4e-1,
        1.818_357_216_161_805e-1,
        1.531_383_769_920_937_3e-1,
        1.479_819_860_511_658_6e-1,
    ];
    let normal = if x < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { x };
    let bits = normal.to_bits();
    // The exponent after moving √½ … √2 around 1, and the mantissa in that range.
    let shifted = bits.wrapping_add(0x3ff0_0000_0000_0000 - 0x3fe6_a09e_667f_3bcd);
    let biased = shifted >> 52;
    // 2⁵² + n has n in its low bits: a conversion that vectorises.
    let e = f64::from_bits(biased | 0x4330_0000_0000_0000) - 4_503_599_627_370_496.0 - 1023.0;
    let m = f64::from_bits(bits.wrapping_sub(biased.wrapping_sub(1023) << 52));
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let mut r = L[6];
    for &l in L[..6].iter().rev() {
        r = r * z + l;
    }
    r *= z;
    let half = 0.5 * f * f;
    let result = e * LN2_HIGH - ((half - (s * (half + r) + e * LN2_LOW)) - f);
    if x > 0.0 { result } else { f64::NEG_INFINITY }
}

/// ln(1 + x) for x ≥ 0, to within a few units in the last place: what rounding took from 1 + x is made good (Kahan).
#[inline]
pub fn ln_1p(x: f64) -> f64 {
    let sum = 1.0 + x;
    let kept = sum - 1.0;
    if kept > 0.0 { ln(sum) * (x / kept) } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_agrees_with_libm_to_two_units_in_the_last_place() {
        for i in -70_000..=70_900 {
            let x = f64::from(i) * 0.01 + f64::from(i % 7) * 1e-5;
            let (ours, theirs) = (exp(x), libm::exp(x));
            if x <= -708.0 || x >= 709.0 {
                continue;
            }
            let apart = (ours.to_bits() as i64 - theirs.to_bits() as i64).abs();
            assert!(apart <= 2, "exp({x}): {ours:e} and {theirs:e} are {apart} apart");
        }
    }

    #[test]
    fn exp_in_single_precision() {
        for i in -8_700..=8_800 {
            let x = i as f32 * 0.01;
            let (ours, exact) = (f64::from(exp_single(x)), libm::exp(f64::from(x)));
            assert!((ours / exact - 1.0).abs() < 1e-6, "exp({x}): {ours:e} and {exact:e}");
        }
        assert_eq!(exp_single(0.0), 1.0);
        assert_eq!(exp_single(-1e9), exp_single(-87.0));
        assert!(exp_single(1e9).is_finite());
    }

    #[test]
    fn ln_agrees_with_libm_to_two_units_in_the_last_place() {
        let mut x = 3e-308;
        while x < 1e308 {
            let (ours, theirs) = (ln(x), libm::log(x));
            let apart = (ours.to_bits() as i64 - theirs.to_bits() as i64).abs();
            assert!(apart <= 2, "ln({x:e}): {ours} and {theirs} are {apart} apart");
            x *= 1.000_731;
        }
        for i in 1..2000 {
            let x = 1.0 + (f64::from(i) - 1000.0) * 1e-6;
            assert!((ln(x) - libm::log(x)).abs() <= 3e-16 * libm::log(x).abs() + 1e-19, "ln({x})");
        }
        assert_eq!(ln(1.0), 0.0);
        assert_eq!(ln(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn ln_1p_is_exact_for_small_numbers() {
        assert_eq!(ln_1p(0.0), 0.0);
        let mut x = 1e-300;
        while x < 1e300 {
            let theirs = libm::log1p(x);
            assert!((ln_1p(x) - theirs).abs() <= 4.0 * f64::EPSILON * theirs, "ln(1 + {x:e})");
            x *= 1.37;
        }
    }

    #[test]
    fn exp_is_exact_and_finite_at_the_ends() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-0.0), 1.0);
        assert_eq!(exp(-1e300), 0.0);
        assert_eq!(exp(f64::NEG_INFINITY), 0.0);
        assert!(exp(1e300).is_finite());
        assert!(exp(-708.0) > 0.0);
    }

    #[test]
    fn powers_and_logarithms_of_two() {
        for n in -1022..=1023 {
            assert_eq!(pow2(n), libm::ldexp(1.0, n));
            assert_eq!(floor_log2(pow2(n)), n);
            assert_eq!(floor_log2(pow2(n) * 1.999), n);
        }
    }
}
