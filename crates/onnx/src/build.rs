//! The graph of a model: columns in, label, scores and probabilities out.

use manyboost::model::Model;
use manyboost::model::reading::Decode;
use manyboost_data::encode::Codec;
use manyboost_data::{Kind, Result, TargetSpec};

use crate::graph::{Graph, Op, Port, Type};
use crate::trees::{Trees, refused};
use crate::{calendar, elections, reading};

/// The names of a model's columns of one kind, in the order of the training file. Times are numbers: their seconds.
pub(crate) fn columns(model: &Model, kind: Kind) -> Vec<&str> {
    let own = |of: Kind| of == kind || kind == Kind::Number && matches!(of, Kind::Time(_));
    model.schema.features.iter().filter(|f| own(f.kind)).map(|f| f.name.as_str()).collect()
}

/// What labels are given as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassNames {
    /// Whole numbers if all names of classes are such, to the letter; else texts.
    AsTheyRead,
    /// Texts.
    Texts,
}

impl ClassNames {
    /// Names that are whole numbers: 7 and -1, but not 007 or 7.0.
    fn numbers(self, names: &[String]) -> Option<Vec<i64>> {
        let number = |name: &String| name.parse().ok().filter(|number: &i64| number.to_string() == *name);
        (self == Self::AsTheyRead).then(|| names.iter().map(number).collect())?
    }
}

/// The graph of a model, or why there is none.
pub fn build(model: &Model, labels: ClassNames) -> Result<Graph> {
    if let Some(text) = model.schema.features.iter().find(|feature| feature.kind == Kind::Text) {
        let why = format!(
            "the words of the text column {:?} are found by rules that ONNX does not have",
            text.name
        );
        return Err(refused(&why, "text columns (`ignore`)"));
    }
    let mut graph = Graph::default();
    let numbers = columns(model, Kind::Number);
    let categories = columns(model, Kind::Category);
    let features = inputs(&mut graph, model, &numbers, &categories);
    // Where the values of a feature are: first the numbers, then the categories, then the parts of times.
    let place = |name: &str| {
        let of = |names: &[&str]| names.iter().position(|own| *own == name);
        of(&numbers).or_else(|| Some(numbers.len() + of(&categories)?)).unwrap_or(0) as u32
    };
    let mut parts = (numbers.len() + categories.len()) as u32..;
    let columns = model.encoder.columns();
    let own = |(feature, (at, _)): (usize, &(usize, Option<&str>))| match model.encoder.time(feature) {
        Some((_, Some(_))) => parts.next().unwrap_or(0),
        _ => place(&model.encoder.column_encoders()[*at].name),
    };
    let places: Vec<u32> = columns.iter().enumerate().map(own).collect();
    let ensemble = &model.ensemble;
    let place = |feature: u32| places.get(feature as usize).copied().unwrap_or(0);
    let sums = if ensemble.reading.decode == Decode::Epochs {
        elections::counts(&mut graph, ensemble, &features, &place)?
    } else {
        let trees = Trees::new(ensemble, &place)?;
        let sums = graph.put(Op::Trees(Box::new(trees)), &[&features]);
        graph.put(Op::Double, &[&sums])
    };
    let scores = reading::scores(&mut graph, &ensemble.reading, &sums)?;
    let classes = ensemble.reading.classes(ensemble.start.len());
    let probabilities = reading::probabilities(&mut graph, ensemble.reading.link, &scores, classes);
    outputs(&mut graph, model, labels, &scores, &probabilities);
    let names = |names: &[&str]| names.join("\n");
    graph.notes = vec![
        ("booster".into(), model.booster.clone()),
        ("numbers".into(), names(&numbers)),
        ("categories".into(), names(&categories)),
        (
            "classes".into(),
            (0..classes).filter_map(|k| model.schema.target.label(k)).collect::<Vec<_>>().join("\n"),
        ),
    ];
    Ok(graph)
}

/// The inputs, as one matrix of numbers; gives its name.
fn inputs(graph: &mut Graph, model: &Model, numbers: &[&str], categories: &[&str]) -> String {
    let mut parts = Vec::new();
    if !numbers.is_empty() {
        graph.inputs.push(Port { name: "numbers".into(), kind: Type::Double, columns: Some(numbers.len()) });
        parts.push("numbers".to_string());
    }
    if !categories.is_empty() {
        graph.inputs.push(Port {
            name: "categories".into(),
            kind: Type::Text,
            columns: Some(categories.len()),
        });
    }
    for (at, name) in categories.iter().enumerate() {
        let column = model.encoder.column_encoders().iter().find(|column| column.name == *name);
        let levels = match column.map(|column| &column.codec) {
            Some(Codec::Category(codec)) => codec.levels().to_vec(),
            _ => Vec::new(),
        };
        let column = graph.put(Op::Column(at), &["categories"]);
        let level = graph.put(Op::Level(levels), &[&column]);
        parts.push(graph.put(Op::Double, &[&level]));
    }
    for column in model.encoder.column_encoders() {
        let place = numbers.iter().position(|name| *name == column.name);
        let (Codec::Time(codec), Some(place)) = (&column.codec, place) else { continue };
        if !codec.parts().is_empty() {
            let seconds = graph.put(Op::Column(place), &["numbers"]);
            parts.extend(codec.parts().iter().map(|part| calendar::part(graph, &seconds, *part)));
        }
    }
    if parts.len() == 1 {
        return parts.remove(0);
    }
    graph.put(Op::Concat, &parts.iter().map(String::as_str).collect::<Vec<_>>())
}

fn outputs(graph: &mut Graph, model: &Model, labels: ClassNames, scores: &str, probabilities: &str) {
    let classes = model.schema.target.names().len();
    match &model.schema.target {
        TargetSpec::Classes { names, .. } => {
            let best = graph.put(Op::ArgMax, &[scores]);
            let (op, kind) = match labels.numbers(names) {
                Some(numbers) => (Op::Number(numbers), Type::Whole),
                None => (Op::Name(names.clone()), Type::Text),
            };
            graph.put_as(op, &[&best], "label");
            graph.outputs.push(Port { name: "label".into(), kind, columns: None });
        }
        TargetSpec::Sets { .. } => {
            let zero = graph.number(0.0);
            let has = graph.put(Op::Greater, &[scores, &zero]);
            graph.put_as(Op::Whole, &[&has], "label");
            graph.outputs.push(Port { name: "label".into(), kind: Type::Whole, columns: Some(classes) });
        }
    }
    for (name, of) in [("scores", scores), ("probabilities", probabilities)] {
        graph.put_as(Op::Single, &[of], name);
        graph.outputs.push(Port { name: name.into(), kind: Type::Single, columns: Some(classes) });
    }
}
