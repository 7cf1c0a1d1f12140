//! Laws of the readers: what is written is read back, however it is written and cut; no bytes make them panic.

mod common;

use common::{PLAN, cells, dump};
use manyboost_data::Limits;
use manyboost_data::read::{read_arff_from, read_csv_from, read_libsvm_from};
use proptest::prelude::*;

/// How a table is written.
#[derive(Clone, Debug)]
struct Form {
    mark: bool,
    end: &'static str,
    last_end: bool,
    quotes: Vec<bool>,
}

fn form() -> impl Strategy<Value = Form> {
    let end = prop_oneof![Just("\n"), Just("\r\n"), Just("\r")];
    let quotes = prop::collection::vec(any::<bool>(), 1..20);
    (any::<bool>(), end, any::<bool>(), quotes).prop_map(|(mark, end, last_end, quotes)| Form {
        mark,
        end,
        last_end,
        quotes,
    })
}

/// Rows of a number, a category and a class.
fn rows() -> impl Strategy<Value = Vec<(String, String, String)>> {
    let number = prop_oneof![
        Just("NA".to_owned()),
        any::<i16>().prop_map(|v| v.to_string()),
        any::<i64>().prop_map(|v| v.to_string()),
        (-1e6..1e6_f64).prop_map(|v| v.to_string()),
        (-50_i32..50).prop_map(|v| format!("{}", f64::from(v) / 8.0)),
    ];
    let word = "[a-c,\"\n\r é;]{1,5}";
    prop::collection::vec((number, word, word), 1..30)
}

fn write(rows: &[(String, String, String)], form: &Form) -> String {
    let mut text = String::from(if form.mark { "\u{FEFF}" } else { "" });
    text.push_str("n!,c!,class");
    let mut quotes = form.quotes.iter().cycle();
    for (number, word, class) in rows {
        text.push_str(form.end);
        for (i, field) in [number, word, class].into_iter().enumerate() {
            let needed = field.contains([',', '"', '\n', '\r']);
            let quoted = needed || quotes.next() == Some(&true);
            text.push_str(if i > 0 { "," } else { "" });
            if quoted {
                text.extend(["\"", &field.replace('"', "\"\""), "\""]);
            } else {
                text.push_str(field);
            }
        }
    }
    if form.last_end {
        text.push_str(form.end);
    }
    text
}

fn expected(field: &str) -> Option<String> {
    Some(field.to_owned()).filter(|f| !f.trim_ascii().is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn csv_reads_back(rows in rows(), form in form(), block in 1_usize..200) {
        let text = write(&rows, &form);
        let limits = Limits { block_bytes: block, sample_bytes: 40, ..Limits::default() };
        let table = read_csv_from(text.as_bytes(), "x", &PLAN, &limits).unwrap();
        prop_assert_eq!(table.rows, rows.len());
        let words = cells(&table, "c!");
        let classes = cells(&table, "class");
        let numbers = cells(&table, "n!");
        for (i, (number, word, class)) in rows.iter().enumerate() {
            prop_assert_eq!(&words[i], &expected(word));
            prop_assert_eq!(&classes[i], &expected(class));
            let value = number.parse::<f64>().ok().map(|v| (v + 0.0).to_string());
            prop_assert_eq!(&numbers[i], &value);
        }
    }

    #[test]
    fn neither_blocks_nor_threads_matter(rows in rows(), form in form(), block in 1_usize..100, threads in 1_usize..5) {
        let text = write(&rows, &form);
        let read = |block_bytes: usize, threads: usize| {
            let limits = Limits { block_bytes, sample_bytes: 60, ..Limits::default() };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| read_csv_from(text.as_bytes(), "x", &PLAN, &limits)).map(|t| dump(&t))
        };
        prop_assert_eq!(read(block, threads), read(1 << 20, 1));
    }

    #[test]
    fn faults_do_not_depend_on_blocks(
        text in "([0-9a\"\u{e9},]{0,6}[,\n\r]{0,2}){0,30}", block in 1_usize..60, flip in any::<(prop::sample::Index, u8)>()
    ) {
        let mut bytes = format!("x,class\n{text}").into_bytes();
        let at = flip.0.index(bytes.len());
        bytes[at] = flip.1;
        let read = |block_bytes: usize| {
            let limits = Limits { block_bytes, sample_bytes: 24, ..Limits::default() };
            read_csv_from(&bytes[..], "x", &PLAN, &limits).map(|t| dump(&t))
        };
        prop_assert_eq!(read(block), read(1 << 20));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let limits = Limits { block_bytes: 16, sample_bytes: 32, ..Limits::default() };
        let _ = read_csv_from(&bytes[..], "x", &PLAN, &limits);
        let _ = read_arff_from(&bytes[..], "x", &PLAN, &limits);
        let _ = read_libsvm_from(&bytes[..], "x", &PLAN, &limits);
    }

    #[test]
    fn no_text_panics(
        csv in "[a,\"\n\r1.?-]{0,60}",
        arff in "(@attribute [a-c'\"\\\\]{0,3} (numeric|string|\\{[ab,' ]{0,5}\\})\n){0,3}@data\n[a-c0-3,'\"\\\\{} \n%?]{0,60}",
        libsvm in "[0-9:. #a\n-]{0,60}",
    ) {
        let limits = Limits { block_bytes: 16, sample_bytes: 32, ..Limits::default() };
        let _ = read_csv_from(csv.as_bytes(), "x", &PLAN, &limits);
        let _ = read_arff_from(arff.as_bytes(), "x", &PLAN, &limits);
        let _ = read_libsvm_from(libsvm.as_bytes(), "x", &PLAN, &limits);
    }
}
