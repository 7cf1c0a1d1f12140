//! A damaged file is an error, whichever bit it is that changed and wherever it was cut.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use common::{Choice, Training, data, mixed, prepared};
use manyboost::model::file::{container, format};
use manyboost::model::{Checkpoint, Model};
use manyboost_data::{ErrorKind, Result};
use proptest::prelude::*;

const BOOSTERS: [(Choice, usize); 4] = [
    (("samme", &[("learner", "tree"), ("leaves", "8")]), 110),
    (("mm", &[("learner", "tree"), ("leaves", "8")]), 110),
    (("mcboost", &[("leaves", "16")]), 20),
    (("samme", &[("learner", "linear"), ("regression", "resampled")]), 110),
];

/// A file of about 20 kB.
fn file((choice, rounds): (Choice, usize)) -> Vec<u8> {
    let prepared = prepared(data(choice, 400));
    let bytes = common::trained(&prepared, choice, rounds).to_bytes().unwrap();
    assert!((12_000..40_000).contains(&bytes.len()), "{choice:?}: {} bytes", bytes.len());
    bytes
}

/// Loads; `Err(())` if that panics.
fn load<T>(load: impl Fn(&[u8]) -> Result<T>, bytes: &[u8]) -> std::result::Result<Result<T>, ()> {
    catch_unwind(AssertUnwindSafe(|| load(bytes))).map_err(|_| ())
}

#[test]
fn every_flipped_bit_is_an_error() {
    for booster in BOOSTERS {
        let mut bytes = file(booster);
        assert!(Model::from_bytes(&bytes).is_ok());
        let (mut panics, mut silent) = (0, 0);
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            match load(Model::from_bytes, &bytes) {
                Err(()) => panics += 1,
                Ok(Ok(_)) => silent += 1,
                Ok(Err(error)) => {
                    assert!(error.kind() == ErrorKind::Model && !error.remedy().is_empty(), "{error}");
                }
            }
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        assert_eq!((panics, silent), (0, 0), "{booster:?}");
    }
}

#[test]
fn every_cut_is_an_error() {
    for booster in BOOSTERS {
        let bytes = file(booster);
        for length in 0..bytes.len() {
            let error = load(Model::from_bytes, &bytes[..length]).expect("no panic").expect_err("an error");
            let word = if length == 0 { "not a model" } else { "truncated" };
            assert!(error.what().contains(word), "{length} bytes: {error}");
        }
    }
}

#[test]
fn checkpoints_are_as_safe() {
    let prepared = prepared(mixed(60));
    let training = Training::new(&prepared, ("mm", &[]), 5);
    let checkpoint = training.checkpoint(training.run(None, &mut ()));
    let mut bytes = checkpoint.to_bytes().unwrap();
    assert_eq!(Checkpoint::from_bytes(&bytes).unwrap().to_bytes().unwrap(), bytes);
    for bit in 0..8 * bytes.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(load(Checkpoint::from_bytes, &bytes).expect("no panic").is_err(), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert!((0..bytes.len()).all(|n| load(Checkpoint::from_bytes, &bytes[..n]).is_ok_and(|r| r.is_err())));
    // The two kinds of files are told apart.
    assert!(Model::from_bytes(&bytes).unwrap_err().what().contains("checkpoint"));
    let model = checkpoint.model.to_bytes().unwrap();
    assert!(Checkpoint::from_bytes(&model).unwrap_err().what().contains("not a checkpoint"));
}

#[test]
fn files_that_are_no_models() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m");
    let write = |bytes: &[u8]| std::fs::write(&path, bytes).unwrap();
    let bytes = file(BOOSTERS[0]);
    let mut newer = bytes.clone();
    newer[8] += 1;
    let cases: [(&[u8], &str); 5] = [
        (b"", "not a model"),
        (b"x1,x2,class\n1,2,a\n", "not a model"),
        (&bytes[..bytes.len() / 2], "truncated"),
        (&[&bytes[..], b"\n"].concat(), "after its end"),
        (&newer, "format 2"),
    ];
    for (content, words) in cases {
        write(content);
        let error = Model::load(&path).unwrap_err();
        assert!(error.what().contains(words) && error.what().contains(&*path.to_string_lossy()), "{error}");
        assert_eq!(error.kind(), ErrorKind::Model);
    }
    for path in [folder.path(), &folder.path().join("none")] {
        assert_eq!(Model::load(path).unwrap_err().kind(), ErrorKind::File);
    }
}

#[test]
fn other_sections_are_refused() {
    let bytes = file(BOOSTERS[0]);
    let parts = container::unpack(&bytes).unwrap();
    let sections = || parts.sections.iter().map(|&(name, bytes)| (name, bytes.to_vec())).collect::<Vec<_>>();
    assert_eq!(container::pack(parts.library, &sections()), bytes);
    let mut more = sections();
    more.push(("extra", vec![1]));
    let mut swapped = sections();
    swapped.swap(0, 1);
    let mut fewer = sections();
    fewer.truncate(4);
    for sections in [more, swapped, fewer] {
        let error = format::decode(&container::pack(parts.library, &sections)).unwrap_err();
        assert!(error.what().contains("sections"), "{error}");
    }
}

#[test]
fn files_of_before_leaves_had_weights_are_read() {
    let prepared = prepared(mixed(300));
    let mut model = common::trained(&prepared, ("mcboost", &[("leaves", "6")]), 4);
    let with = model.to_bytes().unwrap();
    let parts = container::unpack(&with).unwrap();
    assert_eq!(parts.sections[5].0, "cover");
    let sections: Vec<_> = parts.sections[..5].iter().map(|&(name, bytes)| (name, bytes.to_vec())).collect();
    let old = container::pack(parts.library, &sections);
    let read = Model::from_bytes(&old).unwrap();
    assert!(read.to_bytes().unwrap() == old);
    for term in model.ensemble.rounds.iter_mut().flatten() {
        let manyboost::model::hypothesis::Cells::Tree(tree) = &mut term.hypothesis.cells else {
            panic!("a tree")
        };
        let weight: u64 = std::mem::take(&mut tree.cover).iter().sum();
        assert_eq!(weight, 300);
    }
    assert!(read.ensemble == model.ensemble);
    let with_none = [sections, vec![("cover", vec![0])]].concat();
    assert!(Model::from_bytes(&container::pack(parts.library, &with_none)).is_err());
}

/// The sections of a small model, one of them replaced.
fn with_section(model: &Model, at: usize, bytes: Vec<u8>) -> Vec<u8> {
    let file = model.to_bytes().unwrap();
    let parts = container::unpack(&file).unwrap();
    let mut sections: Vec<(&str, Vec<u8>)> = parts.sections.iter().map(|&(n, b)| (n, b.to_vec())).collect();
    sections[at].1 = bytes;
    container::pack(parts.library, &sections)
}

/// A model of trees, or one of products.
fn small(products: bool) -> &'static Model {
    static SMALL: std::sync::LazyLock<[Model; 2]> = std::sync::LazyLock::new(|| {
        let choices: [common::Choice; 2] =
            [("mcboost", &[("leaves", "4")]), ("mh", &[("learner", "product"), ("start", "skewed")])];
        choices.map(|choice| common::trained(&prepared(mixed(60)), choice, 3))
    });
    &SMALL[usize::from(products)]
}

proptest! {
    #[test]
    fn random_bytes_with_good_checksums_never_panic(
        at in 0usize..6,
        bytes in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let _ = Model::from_bytes(&with_section(small(false), at, bytes));
    }

    #[test]
    fn sections_with_changed_bytes_never_panic(
        at in 0usize..6,
        products in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let small = small(products);
        let file = small.to_bytes().unwrap();
        let mut section = container::unpack(&file).unwrap().sections[at].1.to_vec();
        for (place, byte) in changes {
            let place = place.index(section.len());
            section[place] = byte;
        }
        // What loads is another valid model, whose file is the one that was read.
        let changed = with_section(small, at, section);
        if let Ok(model) = Model::from_bytes(&changed) {
            prop_assert_eq!(model.to_bytes().unwrap(), changed);
            let frame = manyboost_data::Frame::new(mixed(20), &model.encoder);
            if let Ok(frame) = frame {
                let _ = model.predictor().probabilities(&frame);
            }
        }
    }

    #[test]
    fn random_bytes_after_a_good_beginning_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut file = container::MAGIC.to_vec();
        file.extend(container::FORMAT.to_le_bytes());
        file.extend(bytes);
        prop_assert!(Model::from_bytes(&file).is_err());
    }
}
