//! What must not matter does not: the order of rows and columns, "twice" for "weight 2", weight 0 for "not there",
//! powers of two in the weights, the number of threads.

use manyboost_data::encode::Codec;
use manyboost_data::{
    ClassWeights, Column, Dataset, EncodeOptions, Encoder, ErrorKind, Frame, Kind, Labels, Numbers,
    PrepareOptions, Prepared, Role, Table, Values, Words, apply, fingerprint, prepare,
};
use proptest::prelude::*;

/// One row: number, category, text, class, weight.
type Row = (Option<i8>, u32, Vec<u32>, u32, u32);

fn row() -> impl Strategy<Value = Row> {
    (prop::option::weighted(0.9, -20i8..20), 0u32..4, prop::collection::vec(0u32..5, 0..4), 0u32..3, 0u32..4)
}

fn words(texts: &[String]) -> Words {
    let mut words = Words::default();
    for text in texts {
        let known = words.dictionary.iter().position(|d| d.as_ref() == text.as_str());
        let code = known.unwrap_or_else(|| {
            words.dictionary.push(text.as_str().into());
            words.dictionary.len() - 1
        });
        words.codes.push(code as u32);
    }
    words
}

fn column(name: &str, role: Role, values: Values) -> Column {
    Column { name: name.into(), role, values }
}

fn table(rows: &[Row], weight: Option<f64>) -> Table {
    let texts =
        |text: &dyn Fn(&Row) -> String| Values::Words(words(&rows.iter().map(text).collect::<Vec<_>>()));
    let numbers = rows.iter().map(|r| r.0.unwrap_or(i8::MIN)).collect();
    let sparse = (0u32..).zip(rows).filter(|(_, r)| r.1 == 3).map(|(at, r)| (at, f64::from(r.3))).collect();
    let mut columns = vec![
        column("n", Role::Feature(Some(Kind::Number)), Values::Numbers(Numbers::I8(numbers))),
        column("s", Role::Feature(Some(Kind::Number)), Values::SparseNumbers(sparse)),
        column("c", Role::Feature(Some(Kind::Category)), texts(&|r| format!("c{}", r.1))),
        column(
            "t",
            Role::Feature(Some(Kind::Text)),
            texts(&|r| r.2.iter().map(|w| format!("w{w}")).collect::<Vec<_>>().join(" ")),
        ),
        column("y", Role::Target, texts(&|r| format!("{}", r.3 * 7))),
    ];
    if let Some(scale) = weight {
        let weights = rows.iter().map(|r| f64::from(r.4) * scale).collect();
        columns.push(column("w", Role::Weight, Values::Numbers(Numbers::F64(weights))));
    }
    Table { source: "t".into(), columns, rows: rows.len(), notes: Vec::new() }
}

fn options() -> PrepareOptions {
    let encode = EncodeOptions { bins: 6, ngrams: 2, min_docs: 2, rare: 2 };
    PrepareOptions { encode, ..PrepareOptions::default() }
}

fn ready(table: Table) -> Prepared {
    prepare(table, &options()).unwrap()
}

/// All codes of a data set, row by row, by their definition.
fn codes(data: &Dataset) -> Vec<Vec<u32>> {
    let features = data.bins.features().len();
    (0..data.rows()).map(|row| (0..features).map(|f| data.bins.code(row, f)).collect()).collect()
}

/// All values of a frame, row by row, as bits (there is one kind of NaN).
fn bits(frame: &Frame, encoder: &Encoder) -> Vec<Vec<u64>> {
    let value = |row: usize, feature: usize| match frame.value(row, feature) {
        value if value.is_nan() => f64::NAN.to_bits(),
        value => (value + 0.0).to_bits(),
    };
    (0..frame.rows()).map(|row| (0..encoder.features()).map(|f| value(row, f)).collect()).collect()
}

/// The codes that a frame's values have by the definition of each codec.
fn codes_of(frame: &Frame, encoder: &Encoder) -> Vec<Vec<u32>> {
    let columns = encoder.columns();
    let code = |row: usize, feature: usize| {
        let value = frame.value(row, feature);
        match &encoder.column_encoders()[columns[feature].0].codec {
            Codec::Number(codec) => codec.code(value),
            Codec::Category(codec) if value.is_nan() => codec.bins(),
            _ => value as u32,
        }
    };
    (0..frame.rows()).map(|row| (0..columns.len()).map(|f| code(row, f)).collect()).collect()
}

proptest! {
    #[test]
    fn order_of_rows(rows in prop::collection::vec(row(), 1..40)) {
        let reversed: Vec<Row> = rows.iter().rev().cloned().collect();
        let (a, b) = (ready(table(&rows, None)), ready(table(&reversed, None)));
        prop_assert_eq!(&a.encoder, &b.encoder);
        prop_assert_eq!(&a.schema, &b.schema);
        let mut back = codes(&b.dataset);
        back.reverse();
        prop_assert_eq!(codes(&a.dataset), back);
        let frame = |rows: &[Row]| Frame::new(table(rows, None), &a.encoder).unwrap();
        let mut back = bits(&frame(&reversed), &a.encoder);
        back.reverse();
        prop_assert_eq!(bits(&frame(&rows), &a.encoder), back);
        prop_assert_eq!(fingerprint(&a.dataset), fingerprint(&b.dataset));
    }

    #[test]
    fn weights_are_repetitions(
        rows in prop::collection::vec(row(), 1..40), factor in 1u32..6, balanced in prop::option::of(any::<bool>())
    ) {
        let mut rows = rows;
        rows.push((Some(3), 1, vec![1], 1, 1));
        for row in &mut rows {
            row.4 *= factor;
        }
        let given = ClassWeights::Given(vec![("7".into(), 0.731_058_578_630_004_9)]);
        let class_weights = balanced.map(|balanced| if balanced { ClassWeights::Balanced } else { given });
        let options = PrepareOptions { class_weights, ..options() };
        let weighted = prepare(table(&rows, Some(1.0)), &options).unwrap();
        let repeated: Vec<Row> = rows.iter().flat_map(|r| vec![r.clone(); r.4 as usize]).collect();
        let repeated = prepare(table(&repeated, None), &options).unwrap();
        prop_assert_eq!(&weighted.encoder, &repeated.encoder);
        prop_assert_eq!(&weighted.schema, &repeated.schema);
        let (a, b) = (&weighted.dataset.weights, &repeated.dataset.weights);
        prop_assert_eq!((a.total(), a.one(), a.exponent()), (b.total(), b.one(), b.exponent()));
        prop_assert_eq!(fingerprint(&weighted.dataset), fingerprint(&repeated.dataset));
        let places = |data: &Dataset| {
            let bins = &data.bins;
            (0..bins.features().len()).map(|f| bins.place(f)).collect::<Vec<_>>()
        };
        prop_assert_eq!(places(&weighted.dataset), places(&repeated.dataset));
    }

    #[test]
    fn powers_of_two_in_fractional_weights(rows in prop::collection::vec(row(), 1..40), j in -40i32..-1) {
        let mut rows = rows;
        rows.push((Some(3), 1, vec![1], 1, 1));
        let (one, other) = (ready(table(&rows, Some(0.5))), ready(table(&rows, Some(2f64.powi(j)))));
        prop_assert_eq!(&one.encoder, &other.encoder);
        prop_assert_eq!(one.dataset.weights, other.dataset.weights);
    }

    #[test]
    fn weight_zero_is_not_there(rows in prop::collection::vec(row(), 1..40)) {
        let there: Vec<Row> = rows.iter().filter(|r| r.4 > 0).cloned().collect();
        prop_assume!(!there.is_empty());
        let (a, b) = (ready(table(&rows, Some(1.0))), ready(table(&there, Some(1.0))));
        prop_assert_eq!(&a.encoder, &b.encoder);
        prop_assert_eq!(&a.schema, &b.schema);
        prop_assert_eq!(codes(&a.dataset), codes(&b.dataset));
        let applied = apply(table(&rows, Some(1.0)), &b.schema, &b.encoder).unwrap();
        let wanted = Frame::new(table(&there, None), &b.encoder).unwrap();
        prop_assert_eq!(bits(&applied.frame, &b.encoder), bits(&wanted, &b.encoder));
        prop_assert_eq!(&applied.weights, &b.dataset.weights);
        prop_assert_eq!(&applied.labels, &b.dataset.labels);
        prop_assert_eq!(a.dataset.weights, b.dataset.weights);
        prop_assert_eq!(a.dataset.labels, b.dataset.labels);
    }

    #[test]
    fn columns_go_by_name_and_models_round_trip(rows in prop::collection::vec(row(), 1..40)) {
        let prepared = ready(table(&rows, None));
        let mut other = table(&rows, None);
        other.columns.reverse();
        let text = serde_json::to_string(&prepared.encoder).unwrap();
        let encoder: Encoder = serde_json::from_str(&text).unwrap();
        prop_assert!(encoder.validate(&prepared.schema).is_ok());
        // A model keeps levels and words but no bins, and written again it is the same.
        prop_assert_eq!(&serde_json::to_string(&encoder).unwrap(), &text);
        for (here, there) in encoder.column_encoders().iter().zip(prepared.encoder.column_encoders()) {
            prop_assert_eq!(&here.name, &there.name);
            let number = matches!(there.codec, Codec::Number(_));
            prop_assert!(number == matches!(here.codec, Codec::Number(_)) && (number || here == there));
        }
        let original = apply(table(&rows, None), &prepared.schema, &prepared.encoder).unwrap();
        let applied = apply(other, &prepared.schema, &encoder).unwrap();
        prop_assert_eq!(bits(&applied.frame, &encoder), bits(&original.frame, &prepared.encoder));
        prop_assert_eq!(&applied.labels, &prepared.dataset.labels);
        prop_assert_eq!(&applied.weights, &prepared.dataset.weights);
        prop_assert_eq!(applied.notes, original.notes);
        // What training saw as codes is what prediction sees as values.
        prop_assert_eq!(codes_of(&original.frame, &prepared.encoder), codes(&prepared.dataset));
        let described: Vec<_> = (0..encoder.features()).map(|f| encoder.describe(f).unwrap()).collect();
        let listed: Vec<_> =
            encoder.columns().into_iter().map(|(c, w)| (prepared.schema.features[c].name.as_str(), w)).collect();
        prop_assert_eq!(described, listed);
    }
}

#[test]
fn threads_do_not_matter() {
    let make = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (_, _, generate) = manyboost_data::generate::generator("mixed").unwrap();
        pool.install(|| prepare(generate(3000, 5), &PrepareOptions::default()).unwrap())
    };
    let one = make(1);
    for threads in [2, 3, 8] {
        let other = make(threads);
        assert_eq!(one.encoder, other.encoder);
        assert_eq!(codes(&one.dataset), codes(&other.dataset));
    }
}

#[test]
fn changed_data_have_another_fingerprint() {
    let rows: Vec<Row> = (0..20).map(|i| (Some(i), 1, vec![1], i as u32 % 3, 1)).collect();
    let before = fingerprint(&ready(table(&rows, None)).dataset);
    let mut other = rows.clone();
    other[7].3 = 2 - other[7].3 / 2;
    assert_ne!(before, fingerprint(&ready(table(&other, None)).dataset));
    let mut other = rows;
    other.pop();
    assert_ne!(before, fingerprint(&ready(table(&other, None)).dataset));
}

#[test]
fn weights_are_no_feature_of_the_same_name() {
    let rows: Vec<Row> = (0..9).map(|i| (Some(i), 1, vec![1], i as u32 % 3, 1 + i as u32)).collect();
    let prepared = ready(table(&rows, None));
    let mut other = table(&rows, Some(1.0));
    other.columns.last_mut().unwrap().name = "n".into();
    let applied = apply(other, &prepared.schema, &prepared.encoder).unwrap();
    assert_eq!(
        (0..9).map(|row| applied.frame.value(row, 0)).collect::<Vec<_>>(),
        [0., 1., 2., 3., 4., 5., 6., 7., 8.]
    );
    assert_eq!(applied.weights.total(), 45);
}

#[test]
fn small_and_constant_tables_are_accepted() {
    let one = ready(table(&[(Some(1), 0, vec![], 2, 1)], None));
    assert_eq!((one.dataset.rows(), one.dataset.labels.classes()), (1, 1));
    assert!(one.remarks.notes.iter().any(|n| n.contains("one class")));
    let missing: Vec<Row> = (0..5).map(|i| (None, 0, vec![], i, 1)).collect();
    let missing = ready(table(&missing, None));
    assert!(missing.remarks.notes.iter().any(|n| n.contains("\"n\"") && n.contains("no values")));
    assert_eq!(missing.dataset.bins.code(3, 0), 1);
    let empty = prepare(table(&[], None), &options()).unwrap_err();
    assert!(empty.what().contains("no rows"));
    let mut no_features = table(&[(Some(1), 0, vec![], 2, 1)], None);
    no_features.columns.retain(|c| c.role == Role::Target);
    assert!(prepare(no_features, &options()).unwrap_err().what().contains("0 feature(s)"));
}

#[test]
fn thresholds_by_feature() {
    let rows: Vec<Row> = (0..12).map(|i| (Some(i), i as u32 % 2, vec![1], i as u32 % 3, 1)).collect();
    let options =
        PrepareOptions { encode: EncodeOptions { bins: 0, ..options().encode }, ..PrepareOptions::default() };
    let encoder = prepare(table(&rows, None), &options).unwrap().encoder;
    assert_eq!(encoder.threshold(0, 3, Some(4)), 3.5);
    assert_eq!(encoder.threshold(0, 3, Some(8)), 5.5);
    assert_eq!(encoder.codes_up_to(0, 3.5), 4);
    assert_eq!(encoder.codes_up_to(0, 5.5), 6);
    let presence = encoder.columns().iter().position(|c| c.1.is_some()).unwrap();
    assert_eq!(encoder.threshold(presence, 0, Some(1)), 0.5);
    assert_eq!(encoder.codes_up_to(presence, 0.5), 1);
}

#[test]
fn parameters_out_of_range_are_refused() {
    for encode in [
        EncodeOptions { bins: 1, ..EncodeOptions::default() },
        EncodeOptions { bins: 65_537, ..EncodeOptions::default() },
        EncodeOptions { ngrams: 0, ..EncodeOptions::default() },
    ] {
        let error =
            prepare(table(&[], None), &PrepareOptions { encode, ..PrepareOptions::default() }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter);
    }
}

#[test]
fn unknown_things_at_prediction() {
    let rows: Vec<Row> = (0..12).map(|i| (Some(i), 1, vec![1], i as u32 % 3, 1)).collect();
    let prepared = ready(table(&rows, None));
    let strange = [(Some(100), 9, vec![77], 5, 1)];
    let applied = apply(table(&strange, None), &prepared.schema, &prepared.encoder).unwrap();
    assert_eq!(applied.labels.class(0), None);
    assert!(matches!(&applied.labels, Labels::Classes { of, .. } if of == &[u32::MAX]));
    // A number is itself however far away; an unknown category is missing, unknown words are not there.
    let values: Vec<f64> = (0..prepared.encoder.features()).map(|f| applied.frame.value(0, f)).collect();
    assert_eq!((values[0], values[1]), (100.0, 0.0));
    assert!(values[2].is_nan());
    assert!(values.len() > 3 && values[3..].iter().all(|&v| v == 0.0), "{values:?}");
    assert_eq!(applied.notes.len(), 2, "{:?}", applied.notes);
    let mut lacking = table(&rows, None);
    lacking.columns.remove(2);
    let error = apply(lacking, &prepared.schema, &prepared.encoder).unwrap_err();
    assert!(error.what().contains("\"c\""));
    let mut unlike = table(&rows, None);
    unlike.columns[0].values = unlike.columns[2].values.clone();
    let error = apply(unlike, &prepared.schema, &prepared.encoder).unwrap_err();
    assert!(error.what().contains("\"n\" does not hold numbers"));
}

#[test]
fn hostile_encoders_are_refused() {
    let prepared = ready(table(&(0..12).map(|i| (Some(i), 1, vec![1], 0, 1)).collect::<Vec<Row>>(), None));
    let good = serde_json::to_value(&prepared.encoder).unwrap();
    let broken = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut value = good.clone();
        change(&mut value);
        assert_ne!(value, good);
        let encoder: Encoder = serde_json::from_value(value).unwrap();
        assert_eq!(encoder.validate(&prepared.schema).unwrap_err().kind(), ErrorKind::Model);
    };
    broken(&|v| v[0]["name"] = "other".into());
    broken(&|v| v[0]["codec"] = v[2]["codec"].clone());
    broken(&|v| v[2]["codec"]["Category"]["levels"] = vec!["b", "a"].into());
    broken(&|v| v[3]["codec"]["Text"]["grams"] = vec!["a", "a"].into());
    broken(&|v| v[3]["codec"] = v[0]["codec"].clone());
    broken(&|v| {
        v.as_array_mut().unwrap().pop();
    });
}
