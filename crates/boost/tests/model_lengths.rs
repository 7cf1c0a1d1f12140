//! No length that a file declares is believed. Alone in its file, so that memory is that of this test only.

mod common;

use common::{mixed, prepared, trained};
use manyboost::model::Model;
use manyboost::model::file::container;
use manyboost_data::ErrorKind;

/// A length of 2⁴⁰.
const HUGE: [u8; 6] = [0x80, 0x80, 0x80, 0x80, 0x80, 0x20];

/// Sections, and what they begin with before a length.
const LENGTHS: [(usize, &[u8], &str); 12] = [
    (0, &[], "booster"),
    (0, &[0], "parameters"),
    (1, &[], "columns"),
    (1, &[1], "a column's name"),
    (1, &[0, 0, 0], "classes"),
    (2, &[], "codes"),
    (2, &[1, 0, 1], "levels"),
    (3, &[], "first scores"),
    (3, &[0], "rounds"),
    (3, &[0, 1, 0, 0, 0, 0, 0, 0, 0, 0], "tests"),
    (3, &[0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 4], "answers"),
    (4, &[], "records"),
];

#[test]
fn declared_lengths_are_not_believed() {
    let model = trained(&prepared(mixed(300)), ("mcboost", &[("leaves", "6")]), 4);
    let file = model.to_bytes().unwrap();
    let parts = container::unpack(&file).unwrap();
    let before = peak_memory();
    for (at, prefix, what) in LENGTHS {
        for tail in [0usize, 10, 1000] {
            let mut sections: Vec<(&str, Vec<u8>)> =
                parts.sections.iter().map(|&(name, bytes)| (name, bytes.to_vec())).collect();
            sections[at].1 = [prefix, &HUGE, &vec![0; tail]].concat();
            let error = Model::from_bytes(&container::pack(parts.library, &sections)).expect_err(what);
            assert_eq!(error.kind(), ErrorKind::Model, "{what}");
        }
    }
    let grown = peak_memory().saturating_sub(before);
    assert!(grown < 16 << 10, "{grown} kB more");
}

/// The most address space that this process has had, in kB (0 where that is not known).
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
