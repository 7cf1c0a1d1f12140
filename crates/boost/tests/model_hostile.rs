//! Files with good checksums whose content no training writes are refused, and cost nothing.

mod common;

use common::{mixed, prepared, trained};
use manyboost::model::Model;
use manyboost::model::answers::Answers;
use manyboost::model::epochs::Ballot;
use manyboost::model::file::{container, format};
use manyboost::model::hypothesis::{Cells, Hypothesis};
use manyboost::model::linear::{Linear, Slope};
use manyboost::model::reading::{Decode, Link};
use manyboost::model::tree::{Child, Node, Test, Tree};
use manyboost_data::{ErrorKind, Kind, TargetSpec};

fn model() -> Model {
    trained(&prepared(mixed(300)), ("mcboost", &[("leaves", "6")]), 4)
}

/// The number of a feature of a kind.
fn feature(model: &Model, kind: Kind) -> u32 {
    let columns = model.encoder.columns();
    columns.iter().position(|&(column, _)| model.schema.features[column].kind == kind).unwrap() as u32
}

/// A tree whose left sides are leaves.
fn chain(tests: u32, classes: usize, feature: u32) -> Hypothesis {
    let node = |number: u32| Node {
        feature,
        test: Test::AtMost(0.0),
        missing_left: false,
        left: Child::Leaf(number),
        right: if number + 1 < tests { Child::Node(number + 1) } else { Child::Leaf(tests) },
    };
    let values = vec![0.0; (tests as usize + 1) * classes];
    Hypothesis {
        cells: Cells::Tree(Tree::new((0..tests).map(node).collect())),
        answers: Answers::Vectors { width: classes as u32, values },
    }
}

/// The first test of a hypothesis, and stumps of it.
fn product(hypothesis: &Hypothesis, factors: usize) -> Vec<Tree> {
    let Cells::Tree(tree) = &hypothesis.cells else { panic!("a tree") };
    let stump = Node { left: Child::Leaf(0), right: Child::Leaf(1), ..tree.nodes[0].clone() };
    vec![Tree::new(vec![stump]); factors]
}

/// A product in place of the first tree, changed.
fn of_product(name: &'static str, cells: usize, change: impl Fn(&mut Vec<Tree>) + 'static) -> Change {
    of_first(name, move |hypothesis| {
        let mut stumps = product(hypothesis, 2);
        change(&mut stumps);
        let answers = Answers::Vectors { width: 4, values: vec![1.0; 4 * cells] };
        *hypothesis = Hypothesis { cells: Cells::Product(stumps), answers };
    })
}

/// Something that no training does.
type Change = (&'static str, Box<dyn Fn(&mut Model)>);

fn of_model(name: &'static str, change: impl Fn(&mut Model) + 'static) -> Change {
    (name, Box::new(change))
}

/// Another parameter, or another value of one.
fn of_parameter(name: &'static str, parameter: &'static str, value: &'static str) -> Change {
    of_model(name, move |model| drop(model.parameters.insert(parameter.into(), value.into())))
}

/// A change of the first hypothesis.
fn of_first(name: &'static str, change: impl Fn(&mut Hypothesis) + 'static) -> Change {
    of_model(name, move |model| change(&mut model.ensemble.rounds[0][0].hypothesis))
}

/// A change of the first tree.
fn of_tree(name: &'static str, change: impl Fn(&mut Tree) + 'static) -> Change {
    of_first(name, move |hypothesis| {
        let Cells::Tree(tree) = &mut hypothesis.cells else { panic!("a tree") };
        change(tree);
    })
}

/// A change of the first tree's answers.
fn of_answers(name: &'static str, change: impl Fn(&mut u32, &mut Vec<f64>) + 'static) -> Change {
    of_first(name, move |hypothesis| {
        let Answers::Vectors { width, values } = &mut hypothesis.answers else { panic!("vectors") };
        change(width, values);
    })
}

/// Another first test in the first tree.
fn of_test(name: &'static str, feature: u32, test: Test) -> Change {
    of_tree(name, move |tree| {
        tree.nodes[0].feature = feature;
        tree.nodes[0].test = test.clone();
    })
}

/// All of these are errors: when the file is read, and already when it is to be written.
fn refused(changes: Vec<Change>) {
    let good = model();
    assert!(Model::from_bytes(&format::encode(&good).unwrap()).is_ok());
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
fn trees_that_are_none() {
    let number = feature(&model(), Kind::Number);
    refused(vec![
        of_tree("child out of range", |t| t.nodes[0].left = Child::Node(u32::MAX)),
        of_tree("leaf out of range", |t| t.nodes.last_mut().unwrap().right = Child::Leaf(77)),
        of_tree("leads to itself", |t| t.nodes[1].left = Child::Node(1)),
        of_tree("cycle", |t| t.nodes.last_mut().unwrap().left = Child::Node(0)),
        of_tree("shared child", |t| t.nodes[0].left = t.nodes[0].right),
        of_tree("loose ends", |t| t.nodes[0].left = Child::Leaf(0)),
        of_tree("a test too few", |t| t.nodes.truncate(t.nodes.len() - 1)),
        of_first("no leaves", |h| h.answers = Answers::Labels(vec![])),
        of_tree("a leaf without a weight", |t| t.cover.truncate(1)),
        of_tree("weights beyond all rows", |t| t.cover[0] = 1 << 53),
        of_tree("weights that overflow", |t| t.cover.fill(u64::MAX)),
        of_first("chain of a million", move |h| *h = chain(1_000_000, 4, number)),
        of_first("too deep", move |h| *h = chain(65, 4, number)),
    ]);
}

#[test]
fn products_that_are_none() {
    refused(vec![
        of_product("no factor", 2, Vec::clear),
        of_product("one factor", 2, |stumps| stumps.truncate(1)),
        of_product("a thousand factors", 2, |stumps| stumps.resize(1000, stumps[0].clone())),
        of_product("one cell", 1, |_| ()),
        of_product("three cells", 3, |_| ()),
        of_product("a factor without a test", 2, |stumps| stumps[1].nodes.clear()),
        of_product("a factor of two tests", 2, |stumps| {
            let node = stumps[1].nodes[0].clone();
            stumps[1].nodes[0].right = Child::Node(1);
            stumps[1].nodes.push(Node { left: Child::Leaf(1), right: Child::Leaf(2), ..node });
        }),
        of_product("both sides to one leaf", 2, |stumps| stumps[0].nodes[0].right = Child::Leaf(0)),
        of_product("a side to the third cell", 2, |stumps| stumps[0].nodes[0].right = Child::Leaf(2)),
        of_product("a circle", 2, |stumps| stumps[0].nodes[0].right = Child::Node(0)),
        of_product("no such feature", 2, |stumps| stumps[1].nodes[0].feature = u32::MAX),
    ]);
}

#[test]
fn tests_that_do_not_fit() {
    let model = model();
    let [number, category, text] = [Kind::Number, Kind::Category, Kind::Text].map(|k| feature(&model, k));
    refused(vec![
        of_test("one feature too far", model.encoder.features() as u32, Test::AtMost(0.0)),
        of_test("last feature", u32::MAX, Test::AtMost(0.0)),
        of_test("threshold of a category", category, Test::AtMost(1.0)),
        of_test("levels of a number", number, Test::Levels(vec![0])),
        of_test("levels of a word", text, Test::Levels(vec![0])),
        of_test("unknown level", category, Test::Levels(vec![0, 99])),
        of_test("levels in disorder", category, Test::Levels(vec![1, 0])),
        of_test("level twice", category, Test::Levels(vec![1, 1])),
        of_test("NaN threshold", number, Test::AtMost(f64::NAN)),
        of_test("infinite threshold", number, Test::AtMost(f64::INFINITY)),
    ]);
}

/// A hyperplane instead of the first tree.
fn of_plane(name: &'static str, change: impl Fn(&mut Hypothesis, &mut Linear) + 'static) -> Change {
    let number = feature(&model(), Kind::Number);
    of_first(name, move |hypothesis| {
        *hypothesis = chain(1, 4, number);
        let mut plane = plane(number);
        change(hypothesis, &mut plane);
        hypothesis.cells = Cells::Linear(plane);
    })
}

fn plane(feature: u32) -> Linear {
    let slope = |feature| Slope { feature, mean: 1.5, exponent: -1, slope: 0.5 };
    Linear { slopes: vec![slope(feature), slope(feature + 1)], intercept: -0.25 }
}

#[test]
fn hyperplanes_that_are_none() {
    let model = model();
    let [category, text] = [Kind::Category, Kind::Text].map(|kind| feature(&model, kind));
    let features = model.encoder.features() as u32;
    refused(vec![
        of_plane("three sides", |h, _| {
            let Answers::Vectors { values, .. } = &mut h.answers else { panic!("vectors") };
            values.extend([0.0; 4]);
        }),
        of_plane("one side", |h, _| h.answers = Answers::Labels(vec![1])),
        of_plane("slope of a category", move |_, p| p.slopes[1].feature = category),
        of_plane("slope of a word", move |_, p| p.slopes[1].feature = text),
        of_plane("one feature too far", move |_, p| p.slopes[1].feature = features),
        of_plane("feature twice", |_, p| p.slopes[1].feature = p.slopes[0].feature),
        of_plane("features in disorder", |_, p| p.slopes.swap(0, 1)),
        of_plane("NaN slope", |_, p| p.slopes[0].slope = f64::NAN),
        of_plane("steep slope", |_, p| p.slopes[0].slope = 1e40),
        of_plane("infinite mean", |_, p| p.slopes[0].mean = f64::INFINITY),
        of_plane("NaN mean", |_, p| p.slopes[0].mean = f64::NAN),
        of_plane("exponent out of range", |_, p| p.slopes[0].exponent = i16::MIN),
        of_plane("NaN intercept", |_, p| p.intercept = f64::NAN),
        of_plane("high intercept", |_, p| p.intercept = -1e40),
    ]);
}

#[test]
fn answers_that_do_not_fit() {
    refused(vec![
        of_first("label out of range", |h| h.answers = Answers::Labels(vec![4; h.answers.len()])),
        of_answers("short leaf", |_, values| values.truncate(values.len() - 1)),
        of_answers("leaf too many", |_, values| values.extend([0.0; 4])),
        of_answers("narrow leaves", |width, _| *width = 2),
        of_answers("leaves without width", |width, _| *width = 0),
        of_answers("wide leaves", |width, _| *width = u32::MAX),
        of_answers("NaN in a leaf", |_, values| values[3] = f64::NAN),
        of_model("NaN weight", |m| m.ensemble.rounds[1][0].alpha = f64::NAN),
        of_model("infinite start", |m| m.ensemble.start[0] = f64::NEG_INFINITY),
        of_model("short start", |m| m.ensemble.start.truncate(3)),
        of_model("other link", |m| m.ensemble.reading.link = Link::Sigmoid(1.0)),
        of_model("NaN scale", |m| m.ensemble.reading.link = Link::Softmax(f64::NAN)),
        of_model("no scale", |m| m.ensemble.reading.link = Link::Softmax(0.0)),
        of_model("steep scale", |m| m.ensemble.reading.link = Link::Softmax(1e30)),
        of_model("far start", |m| m.ensemble.start[0] = -1e30),
        of_model("long step", |m| m.ensemble.rounds[1][0].alpha = 1e30),
        of_answers("large answer", |_, values| values[3] = -1e30),
        of_model("many large answers", |m| {
            for term in m.ensemble.rounds.iter_mut().flatten() {
                let Answers::Vectors { values, .. } = &mut term.hypothesis.answers else { panic!("vectors") };
                (term.alpha, values[0]) = (1.0, 6e18);
            }
        }),
        of_first("no step along a direction without end", |h| {
            h.answers = Answers::Along { direction: vec![1e200; 4], values: vec![1e200; h.answers.len()] };
        }),
    ]);
}

#[test]
fn epochs_that_do_not_fit() {
    let places = |places: Vec<u32>| Answers::Election(Ballot::Places(places).into());
    let weights = |classes, values| Answers::Election(Ballot::Weights { classes, values }.into());
    let with = move |name, answers: fn(usize) -> Vec<f64>, classes: u32| {
        of_first(name, move |h| h.answers = weights(classes, answers(h.answers.len())))
    };
    refused(vec![
        of_first("place out of range", move |h| h.answers = places(vec![2; h.answers.len()])),
        of_first("place too few", move |h| h.answers = places(vec![1; h.answers.len() - 1])),
        with("no classes", |_| vec![], 0),
        with("too many classes", |cells| vec![0.0; 4 * cells], 4),
        with("short cell", |cells| vec![0.0; 2 * cells - 1], 2),
        with("cell too many", |cells| vec![0.0; 2 * cells + 2], 2),
        with("NaN in a cell", |cells| vec![f64::NAN; 2 * cells], 2),
        of_model("half the scores", |m| m.ensemble.reading.decode = Decode::Epochs),
        of_model("an odd score", |m| {
            m.ensemble.reading.decode = Decode::Epochs;
            m.ensemble.start = vec![0.0; 9];
        }),
    ]);
}

#[test]
fn odd_epochs_do_no_harm() {
    // Votes where lists are broken or empty, and the end of an epoch in the middle of nothing.
    let mut model = trained(&prepared(mixed(300)), ("iter", &[("epoch", "2")]), 6);
    for start in [[-1.0; 8], [1e18; 8], [-1e18; 8]] {
        model.ensemble.start = start.to_vec();
        model.ensemble.rounds[1][0].hypothesis.answers =
            Answers::Vectors { width: 8, values: vec![1e18; 16] };
        let read = Model::from_bytes(&model.to_bytes().unwrap()).unwrap();
        let frame = manyboost_data::Frame::new(mixed(50), &read.encoder).unwrap();
        assert_eq!(read.predictor().scores(&frame).width(), 4);
        assert_eq!(read.predictor().probabilities(&frame).rows(), 50);
    }
}

#[test]
fn names_and_records_that_do_not_fit() {
    fn classes(model: &mut Model) -> &mut Vec<String> {
        let TargetSpec::Classes { names, .. } = &mut model.schema.target else { panic!("classes") };
        names
    }
    refused(vec![
        of_model("no classes", |m| {
            classes(m).clear();
            m.ensemble.start.clear();
        }),
        of_model("class twice", |m| classes(m)[0] = classes(m)[1].clone()),
        of_model("class too many", |m| classes(m).push("new".into())),
        of_model("column twice", |m| m.schema.features[0].name = m.schema.features[1].name.clone()),
        of_model("other column", |m| m.schema.features[0].name = "other".into()),
        of_model("other kind", |m| m.schema.features[0].kind = Kind::Text),
        of_model("no columns", |m| m.schema.features.clear()),
        of_model("short history", |m| m.history.truncate(3)),
        of_model("long history", |m| m.history.push(m.history[0])),
        of_model("NaN figure", |m| m.history[0].valid_loss = Some(f64::NAN)),
        of_model("infinite figure", |m| m.history[1].loss = f64::INFINITY),
        of_model("large figure", |m| m.history[1].loss = f64::MAX),
        of_model("NaN promise", |m| m.history[0].promised = Some(f64::NAN)),
        of_model("a promise that it does not know", |m| m.history[0].promised = Some(0.1)),
        of_model("no version", |m| m.version.clear()),
        of_model("no such booster", |m| m.booster = "\u{1b}[2Jmcboost".into()),
        of_model("another booster", |m| m.booster = "mm".into()),
        of_parameter("no such option", "anything", "1"),
        of_parameter("an option of others", "epoch", "5"),
        of_parameter("no such learner", "learner", "forest"),
        of_parameter("a command", "leaves", "8; touch x"),
        of_parameter("out of range", "shrinkage", "NaN"),
    ]);
}

#[test]
fn names_that_are_no_text() {
    let file = model().to_bytes().unwrap();
    let parts = container::unpack(&file).unwrap();
    for at in 0..3 {
        let mut sections: Vec<(&str, Vec<u8>)> =
            parts.sections.iter().map(|&(name, bytes)| (name, bytes.to_vec())).collect();
        // The first letter of the first text.
        let place = if at == 0 { 1 } else { 2 };
        assert!(sections[at].1[place].is_ascii_lowercase());
        sections[at].1[place] = 0xff;
        assert!(Model::from_bytes(&container::pack(parts.library, &sections)).is_err(), "section {at}");
    }
}

#[test]
fn odd_but_possible_models_load() {
    let mut model = model();
    let number = feature(&model, Kind::Number);
    model.ensemble.rounds[0][0].hypothesis = chain(64, 4, number);
    let cells = Cells::Tree(Tree::default());
    model.ensemble.rounds[1][0].hypothesis = Hypothesis { cells, answers: Answers::Labels(vec![3]) };
    // A product of as many factors as may be, some of them turned round.
    let mut stumps = product(&model.ensemble.rounds[2][0].hypothesis, 64);
    stumps.iter_mut().step_by(3).for_each(|stump| {
        let node = &mut stump.nodes[0];
        (node.left, node.right) = (node.right, node.left);
    });
    let cells = Cells::Product(stumps);
    model.ensemble.rounds[2][0].hypothesis = Hypothesis { cells, answers: Answers::Labels(vec![3, 1]) };
    let cells = Cells::Linear(plane(number));
    model.ensemble.rounds[3][0].hypothesis = Hypothesis { cells, answers: Answers::Labels(vec![3, 0]) };
    let read = Model::from_bytes(&model.to_bytes().unwrap()).unwrap();
    let frame = manyboost_data::Frame::new(mixed(50), &read.encoder).unwrap();
    assert!(read.predictor().scores(&frame).values().iter().all(|s| s.is_finite()));
    model.ensemble.rounds.clear();
    model.history.clear();
    let read = Model::from_bytes(&model.to_bytes().unwrap()).unwrap();
    assert_eq!(read.predictor().scores(&frame).row(0), model.ensemble.start);
}

#[test]
fn there_is_one_file_for_a_model() {
    let model = model();
    let file = model.to_bytes().unwrap();
    let parts = container::unpack(&file).unwrap();
    assert_eq!(parts.sections.len(), 6);
    for at in 0..6 {
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
