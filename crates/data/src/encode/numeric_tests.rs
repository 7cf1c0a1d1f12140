//! Numeric bins: definition, torture values, independence of type, order and repetition.

use super::*;
use proptest::prelude::*;

fn fit(values: &[f64], units: &[u32], bins: u32) -> NumberCodec {
    let uniform = units.iter().all(|&u| u == 1);
    NumberCodec::fit(&Numbers::F64(values.to_vec()), units, uniform, bins).0
}

fn torture() -> impl Strategy<Value = f64> {
    prop_oneof![
        prop::sample::select(vec![
            0.0,
            -0.0,
            5e-324,
            -5e-324,
            1e-323,
            2.2e-308,
            1.0,
            1e308,
            f64::MAX,
            f64::MIN
        ]),
        Just(1.0 + f64::EPSILON),
        Just(f64::NAN),
        -3.0..3.0f64,
        (-4i32..4).prop_map(f64::from),
    ]
}

#[test]
fn all_missing_is_one_empty_bin() {
    let (codec, any) = NumberCodec::fit(&Numbers::F32(vec![f32::NAN; 3]), &[1; 3], true, 255);
    assert!(!any && codec.bins() == 1 && codec.code(f64::NAN) == 1 && codec.code(7.0) == 0);
    let (_, any) = NumberCodec::fit(&Numbers::I8(vec![i8::MIN; 3]), &[1; 3], true, 255);
    assert!(!any);
}

#[test]
fn a_model_keeps_nothing_of_the_bins() {
    let codec = fit(&[1.0, 2.0, 3.0], &[1; 3], 0);
    assert_eq!(codec.cuts(), [1.5, 2.5]);
    let text = serde_json::to_string(&codec).unwrap();
    assert_eq!(text, "{}");
    let back: NumberCodec = serde_json::from_str(r#"{"cuts":[9.0],"gaps":[[1.0,2.0]]}"#).unwrap();
    assert_eq!(back, NumberCodec::default());
}

#[test]
fn thresholds_are_midpoints_of_what_the_rows_hold() {
    // Values 0, 1, …, 9; a region that lacks the values 3 to 5 is cut halfway between 2 and 6.
    let values: Vec<f64> = (0..10).map(f64::from).collect();
    let codec = fit(&values, &[1; 10], 0);
    assert_eq!(codec.between(2, Some(3)), 2.5);
    assert_eq!(codec.between(2, Some(6)), 4.0);
    assert_eq!(codec.between(9, None), f64::MAX);
    assert_eq!(codec.codes_up_to(2.5), 3);
    assert_eq!(codec.codes_up_to(4.0), 5);
    assert_eq!((codec.codes_up_to(-1.0), codec.codes_up_to(8.9), codec.codes_up_to(9.0)), (0, 9, 10));
    let constant = fit(&[4.0; 3], &[1; 3], 255);
    assert_eq!(
        (constant.bins(), constant.between(0, None), constant.codes_up_to(f64::MAX)),
        (1, f64::MAX, 1)
    );
}

#[test]
fn columns_of_many_values_have_u32_codes() {
    let values: Vec<f64> = (0..1000).map(f64::from).collect();
    let codec = fit(&values, &vec![1; 1000], 0);
    let (feature, codes) = codec.encode(&Numbers::F64(values));
    assert_eq!(feature.bins, 1000);
    let Codes::U32(codes) = codes else { panic!("u32") };
    assert_eq!(codes, (0..1000).collect::<Vec<u32>>());
}

proptest! {
    #[test]
    fn codes_are_the_number_of_cuts_below(values in prop::collection::vec(torture(), 1..60), bins in 2u32..9) {
        for bins in [bins, 0] {
            let codec = fit(&values, &vec![1; values.len()], bins);
            prop_assert!(codec.cuts().windows(2).all(|w| w[0] < w[1]));
            prop_assert!(codec.cuts().iter().all(|c| c.is_finite()));
            for &x in &values {
                let code = codec.code(x);
                if x.is_nan() {
                    prop_assert_eq!(code, codec.bins());
                    continue;
                }
                for (b, &cut) in codec.cuts().iter().enumerate() {
                    prop_assert_eq!(x <= cut, code <= b as u32);
                }
                if bins == 0 {
                    for &y in &values {
                        prop_assert!(y.is_nan() || (x < y) == (code < codec.code(y)));
                    }
                }
            }
        }
    }

    /// Codes and thresholds say the same of every training value, whatever codes a region lacks.
    #[test]
    fn thresholds_separate_what_codes_separate(
        values in prop::collection::vec(torture(), 1..40), bins in 2u32..9, exact in any::<bool>(),
    ) {
        let codec = fit(&values, &vec![1; values.len()], if exact { 0 } else { bins });
        let known: Vec<(f64, u32)> =
            values.iter().filter(|v| !v.is_nan()).map(|&v| (v, codec.code(v))).collect();
        prop_assert!(known.iter().all(|&(v, _)| v <= codec.between(codec.bins() - 1, None)));
        for low in 0..codec.bins() {
            for high in low + 1..codec.bins() {
                let threshold = codec.between(low, Some(high));
                prop_assert!(threshold.is_finite());
                for &(value, code) in &known {
                    prop_assert!(code > low || value <= threshold, "{value} of code {code}, {low} | {high}");
                    prop_assert!(code < high || value > threshold, "{value} of code {code}, {low} | {high}");
                }
                // The other way round: the code that the threshold stands for separates the same rows.
                let codes = codec.codes_up_to(threshold);
                prop_assert!(low < codes && codes <= high, "{codes} codes, {low} | {high}");
                // Beside all bins: rows of every code are on the same side by value as by code, also of codes that a region lacks.
                let beside = codec.beside_bins(threshold);
                prop_assert_eq!(codec.codes_up_to(beside), codes);
                for &(value, code) in &known {
                    prop_assert_eq!(code < codes, value <= beside, "{} of code {}, {} | {}", value, code, low, high);
                }
                if high == low + 1 {
                    prop_assert_eq!(beside, threshold);
                    prop_assert_eq!(codes, low + 1);
                    prop_assert_eq!(threshold, codec.cuts()[low as usize]);
                }
            }
        }
        prop_assert_eq!(codec.codes_up_to(f64::MAX), codec.bins());
        for &(value, code) in &known {
            // Its own code counts if no larger value shares it; above the last cut nothing is left to separate.
            let largest = code + 1 == codec.bins() || known.iter().all(|&(v, c)| c != code || v <= value);
            prop_assert_eq!(codec.codes_up_to(value), code + u32::from(largest));
        }
    }

    #[test]
    fn every_type_gives_the_same_bins(values in prop::collection::vec(-127i8..=127, 1..80), bins in 2u32..20,
        weight in 1u32..4) {
        let units: Vec<u32> = (0..values.len()).map(|i| 1 + (i as u32 * weight) % 3).collect();
        let uniform = units.iter().all(|&u| u == 1);
        let dense = [
            Numbers::I8(values.clone()),
            Numbers::I16(values.iter().map(|&v| v.into()).collect()),
            Numbers::I32(values.iter().map(|&v| v.into()).collect()),
            Numbers::F32(values.iter().map(|&v| v.into()).collect()),
            Numbers::F64(values.iter().map(|&v| v.into()).collect()),
        ];
        let (codec, _) = NumberCodec::fit(&dense[0], &units, uniform, bins);
        let codes = |numbers: &Numbers| match codec.encode(numbers) {
            (feature, Codes::Bytes(codes)) => (feature, codes),
            _ => panic!("bytes"),
        };
        for other in &dense[1..] {
            prop_assert_eq!(&NumberCodec::fit(other, &units, uniform, bins).0, &codec);
            prop_assert_eq!(codes(other), codes(&dense[0]));
        }
        let entries: Vec<(u32, f64)> =
            (0u32..).zip(&values).filter(|&(_, &v)| v != 0).map(|(r, &v)| (r, v.into())).collect();
        let total = units.iter().map(|&u| u64::from(u)).sum();
        prop_assert_eq!(&NumberCodec::fit_sparse(&entries, &units, total, bins).0, &codec);
        let (_, Codes::Sparse { default, entries }) = codec.encode_sparse(&entries) else { panic!("sparse") };
        let mut dense_codes = vec![default as u8; values.len()];
        for (row, code) in entries {
            dense_codes[row as usize] = code as u8;
        }
        prop_assert_eq!(dense_codes, codes(&dense[0]).1);
    }

    #[test]
    fn order_and_repetition_do_not_matter(rows in prop::collection::vec((torture(), 1u32..4), 1..60), bins in 2u32..9) {
        let (values, units): (Vec<f64>, Vec<u32>) = rows.iter().copied().unzip();
        let codec = fit(&values, &units, bins);
        let repeated: Vec<f64> = rows.iter().rev().flat_map(|&(v, u)| vec![v; u as usize]).collect();
        prop_assert_eq!(&codec, &fit(&repeated, &vec![1; repeated.len()], bins));
        let doubled: Vec<u32> = units.iter().map(|u| 2 * u).collect();
        prop_assert_eq!(&codec, &fit(&values, &doubled, bins));
    }
}
