//! Files with good checksums whose content no training writes are refused, and cost nothing.

mod common;

use common::{mixed, prepared, trained};
use polyboost::booster::Link;
use polyboost::model::{Model, container, format};
use polyboost::tree::{Answers, Child, Node, Test, Tree};
use polyboost_data::{ErrorKind, Kind, TargetSpec};

fn model() -> Model {
    trained(&prepared(mixed(300)), ("mcboost", &[("leaves", "6")]), 4)
}

/// The number of a feature of a kind.
fn feature(model: &Model, kind: Kind) -> u32 {
    let columns = model.encoder.columns();
    columns.iter().position(|&(column, _)| model.schema.features[column].kind == kind).unwrap() as u32
}

/// A tree whose left sides are leaves.
fn chain(tests: u32, classes: usize, feature: u32) -> Tree {
    let node = |number: u32| Node {
        feature,
        test: Test::AtMost(0.0),
        missing_left: false,
        left: Child::Leaf(number),
        right: if number + 1 < tests { Child::Node(number + 1) } else { Child::Leaf(tests) },
    };
    let values = vec![0.0; (tests as usize + 1) * classes];
    Tree {
        nodes: (0..tests).map(node).collect(),
        answers: Answers::Vectors { width: classes as u32, values },
    }
}

#[test]
fn hostile_models_are_refused() {
    let good = model();
    assert!(Model::from_bytes(&format::encode(&good).unwrap()).is_ok());
    let (number, category, text) =
        (feature(&good, Kind::Number), feature(&good, Kind::Category), feature(&good, Kind::Text));
    let features = good.encoder.features() as u32;
    type Change = Box<dyn Fn(&mut Model)>;
    fn tree(change: impl Fn(&mut Tree) + 'static) -> Change {
        Box::new(move |model| change(&mut model.ensemble.terms[0].tree))
    }
    let levels = |levels: Vec<u32>| {
        tree(move |t| {
            t.nodes[0].feature = category;
            t.nodes[0].test = Test::Levels(levels.clone());
        })
    };
    let changes: Vec<(&str, Change)> = vec![
        ("child out of range", tree(|t| t.nodes[0].left = Child::Node(u32::MAX))),
        ("leaf out of range", tree(|t| t.nodes.last_mut().unwrap().right = Child::Leaf(77))),
        ("itself", tree(|t| t.nodes[1].left = Child::Node(1))),
        ("cycle", tree(|t| t.nodes.last_mut().unwrap().left = Child::Node(0))),
        ("shared child", tree(|t| t.nodes[0].left = t.nodes[0].right)),
        ("orphans", tree(|t| t.nodes[0].left = Child::Leaf(0))),
        (
            "too few leaves",
            tree(|t| {
                let _ = t.nodes.pop();
            }),
        ),
        ("no leaves", tree(|t| t.answers = Answers::Labels(vec![]))),
        ("chain", tree(move |t| *t = chain(1_000_000, 4, number))),
        ("deep", tree(move |t| *t = chain(65, 4, number))),
        ("no such feature", tree(move |t| t.nodes[0].feature = features)),
        ("last feature", tree(|t| t.nodes[0].feature = u32::MAX)),
        (
            "threshold for a category",
            tree(move |t| {
                t.nodes[0].feature = category;
                t.nodes[0].test = Test::AtMost(1.0);
            }),
        ),
        (
            "levels of a number",
            tree(move |t| {
                t.nodes[0].feature = number;
                t.nodes[0].test = Test::Levels(vec![0]);
            }),
        ),
        (
            "levels of a word",
            tree(move |t| {
                t.nodes[0].feature = text;
                t.nodes[0].test = Test::Levels(vec![0]);
            }),
        ),
        ("unknown level", levels(vec![0, 99])),
        ("levels in disorder", levels(vec![1, 0])),
        ("level twice", levels(vec![1, 1])),
        (
            "NaN threshold",
            tree(move |t| {
                t.nodes[0].feature = number;
                t.nodes[0].test = Test::AtMost(f64::NAN);
            }),
        ),
        (
            "infinite threshold",
            tree(move |t| {
                t.nodes[0].feature = number;
                t.nodes[0].test = Test::AtMost(f64::INFINITY);
            }),
        ),
        ("label out of range", tree(|t| t.answers = Answers::Labels(vec![4; 6]))),
        (
            "short leaf",
            tree(|t| {
                let Answers::Vectors { values, .. } = &mut t.answers else { return };
                values.pop();
            }),
        ),
        (
            "narrow leaves",
            tree(|t| {
                let Answers::Vectors { width, .. } = &mut t.answers else { return };
                *width = 2;
            }),
        ),
        (
            "no width",
            tree(|t| {
                let Answers::Vectors { width, .. } = &mut t.answers else { return };
                *width = 0;
            }),
        ),
        (
            "NaN leaf",
            tree(|t| {
                let Answers::Vectors { values, .. } = &mut t.answers else { return };
                values[3] = f64::NAN;
            }),
        ),
        ("NaN weight", Box::new(|m| m.ensemble.terms[1].alpha = f64::NAN)),
        ("NaN start", Box::new(|m| m.ensemble.start[0] = f64::NAN)),
        (
            "short start",
            Box::new(|m| {
                m.ensemble.start.pop();
            }),
        ),
        (
            "no classes",
            Box::new(|m| {
                let TargetSpec::Classes { names, .. } = &mut m.schema.target else { return };
                names.clear();
                m.ensemble.start.clear();
            }),
        ),
        (
            "class twice",
            Box::new(|m| {
                let TargetSpec::Classes { names, .. } = &mut m.schema.target else { return };
                names[0] = names[1].clone();
            }),
        ),
        ("column twice", Box::new(|m| m.schema.features[0].name = m.schema.features[1].name.clone())),
        ("other columns", Box::new(|m| m.schema.features[0].name = "other".into())),
        ("other kind", Box::new(|m| m.schema.features[0].kind = Kind::Text)),
        ("no columns", Box::new(|m| m.schema.features.clear())),
        ("link", Box::new(|m| m.ensemble.link = Link::Sigmoid)),
        ("scale", Box::new(|m| m.ensemble.link = Link::Softmax(f64::NAN))),
        ("no scale", Box::new(|m| m.ensemble.link = Link::Softmax(0.0))),
        (
            "short history",
            Box::new(|m| {
                m.history.pop();
            }),
        ),
        ("long history", Box::new(|m| m.history.push(m.history[0]))),
        ("NaN figure", Box::new(|m| m.history[0].valid_loss = Some(f64::NAN))),
        ("infinite figure", Box::new(|m| m.history[1].loss = f64::INFINITY)),
        ("no version", Box::new(|m| m.version.clear())),
    ];
    for (name, change) in changes {
        let mut model = good.clone();
        change(&mut model);
        assert!(model != good, "{name}: nothing changed");
        let file = format::encode(&model).unwrap();
        let error = Model::from_bytes(&file).expect_err(name);
        assert!(error.kind() == ErrorKind::Model && !error.remedy().is_empty(), "{name}: {error}");
        assert!(model.to_bytes().is_err(), "{name} can be saved");
    }
}

#[test]
fn odd_but_possible_models_load() {
    let mut model = model();
    let number = feature(&model, Kind::Number);
    model.ensemble.terms[0].tree = chain(64, 4, number);
    model.ensemble.terms[1].tree = Tree { nodes: vec![], answers: Answers::Labels(vec![3]) };
    let read = Model::from_bytes(&model.to_bytes().unwrap()).unwrap();
    let frame = polyboost_data::Frame::new(mixed(50), &read.encoder).unwrap();
    assert!(read.predictor().scores(&frame).values().iter().all(|s| s.is_finite()));
    model.ensemble.terms.clear();
    model.history.clear();
    let read = Model::from_bytes(&model.to_bytes().unwrap()).unwrap();
    assert_eq!(read.predictor().scores(&frame).row(0), model.ensemble.start);
}

/// A length of 2⁴⁰.
const HUGE: [u8; 6] = [0x80, 0x80, 0x80, 0x80, 0x80, 0x20];

#[test]
fn declared_lengths_are_not_believed() {
    let file = model().to_bytes().unwrap();
    let parts = container::unpack(&file).unwrap();
    let before = peak_memory();
    for (at, prefix) in [
        (0, &[][..]),
        (1, &[]),
        (2, &[]),
        (3, &[]),                             // first scores
        (3, &[0]),                            // rounds
        (3, &[0, 1, 0, 0, 0, 0, 0, 0, 0, 0]), // tests of the first round
        (4, &[]),
    ] {
        for tail in [0usize, 10, 1000] {
            let mut sections: Vec<(&str, Vec<u8>)> =
                parts.sections.iter().map(|&(name, bytes)| (name, bytes.to_vec())).collect();
            sections[at].1 = [prefix, &HUGE, &vec![0; tail]].concat();
            let error = Model::from_bytes(&container::pack(parts.library, &sections)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Model);
        }
    }
    let grown = peak_memory() - before;
    assert!(grown < 32 << 10, "{grown} kB more");
}

/// The most memory that this process has had, in kB (0 where that is not known).
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

#[test]
fn there_is_one_file_for_a_model() {
    let model = model();
    let file = model.to_bytes().unwrap();
    let parts = container::unpack(&file).unwrap();
    for at in 0..5 {
        let mut sections: Vec<(&str, Vec<u8>)> =
            parts.sections.iter().map(|&(name, bytes)| (name, bytes.to_vec())).collect();
        // A byte more, and a first number that is longer than it need be.
        sections[at].1.push(0);
        assert!(Model::from_bytes(&container::pack(parts.library, &sections)).is_err(), "section {at}");
        sections[at].1.pop();
        if sections[at].1[0] < 0x80 {
            sections[at].1[0] |= 0x80;
            sections[at].1.insert(1, 0);
            assert!(Model::from_bytes(&container::pack(parts.library, &sections)).is_err(), "section {at}");
        }
    }
}
