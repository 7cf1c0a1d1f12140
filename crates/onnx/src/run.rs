//! Computes a graph, operator by operator, as a runtime would.

use std::collections::HashMap;

use crate::graph::{Graph, GraphNode, Op};
use crate::trees::{Mode, Trees};

/// Rows to run a graph on.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// How many.
    pub rows: usize,
    /// Row by row, the columns of numbers; missing is NaN.
    pub numbers: Vec<f64>,
    /// Row by row, the columns of categories; missing is empty.
    pub categories: Vec<String>,
}

/// What a graph says of some rows, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// The class of each row, or the labels that it has by name.
    pub labels: Vec<String>,
    /// Scores of classes.
    pub scores: Vec<f64>,
    /// Probabilities of classes.
    pub probabilities: Vec<f64>,
}

/// Numbers or texts in rows of equal length.
#[derive(Clone, Debug)]
enum Tensor {
    Numbers { columns: usize, values: Vec<f64> },
    Texts { columns: usize, values: Vec<String> },
}

impl Tensor {
    fn numbers(&self) -> (usize, &[f64]) {
        match self {
            Self::Numbers { columns, values } => ((*columns).max(1), values),
            Self::Texts { .. } => (1, &[]),
        }
    }

    fn texts(&self) -> (usize, &[String]) {
        match self {
            Self::Texts { columns, values } => ((*columns).max(1), values),
            Self::Numbers { .. } => (1, &[]),
        }
    }
}

impl Graph {
    /// Computes the outputs for some rows.
    pub fn run(&self, input: &Input) -> Output {
        let rows = input.rows.max(1);
        let mut known: HashMap<&str, Tensor> = HashMap::new();
        let numbers = Tensor::Numbers { columns: input.numbers.len() / rows, values: input.numbers.clone() };
        let texts =
            Tensor::Texts { columns: input.categories.len() / rows, values: input.categories.clone() };
        known.insert("numbers", numbers);
        known.insert("categories", texts);
        for node in &self.nodes {
            let inputs: Vec<&Tensor> =
                node.inputs.iter().filter_map(|name| known.get(name.as_str())).collect();
            let output = compute(node, &inputs);
            known.insert(&node.output, output);
        }
        let values = |name: &str| known.get(name).map_or(Vec::new(), |tensor| tensor.numbers().1.to_vec());
        let labels = match known.get("label") {
            Some(Tensor::Texts { values, .. }) => values.clone(),
            Some(Tensor::Numbers { columns, values }) => {
                let row = |row: &[f64]| row.iter().map(|x| if *x > 0.0 { '1' } else { '0' }).collect();
                values.chunks(*columns).map(row).collect()
            }
            None => Vec::new(),
        };
        Output { labels, scores: values("scores"), probabilities: values("probabilities") }
    }
}

fn compute(node: &GraphNode, inputs: &[&Tensor]) -> Tensor {
    let each = |f: fn(f64) -> f64| {
        let (columns, values) = inputs[0].numbers();
        Tensor::Numbers { columns, values: values.iter().map(|&x| f(x)).collect() }
    };
    let flag = |x: bool| f64::from(u8::from(x));
    match &node.op {
        Op::Concat => concat(inputs),
        Op::Column(at) => match inputs[0] {
            Tensor::Texts { values, .. } => {
                let (columns, _) = inputs[0].texts();
                Tensor::Texts {
                    columns: 1,
                    values: values.iter().skip(*at).step_by(columns).cloned().collect(),
                }
            }
            Tensor::Numbers { values, .. } => {
                let (columns, _) = inputs[0].numbers();
                Tensor::Numbers {
                    columns: 1,
                    values: values.iter().skip(*at).step_by(columns).copied().collect(),
                }
            }
        },
        Op::Level(levels) => {
            let level =
                |text: &String| levels.iter().position(|l| l == text).map_or(f64::NAN, |at| at as f64);
            Tensor::Numbers { columns: 1, values: inputs[0].texts().1.iter().map(level).collect() }
        }
        Op::Name(names) => {
            let name = |&at: &f64| names.get(at as usize).cloned().unwrap_or_default();
            Tensor::Texts { columns: 1, values: inputs[0].numbers().1.iter().map(name).collect() }
        }
        // As texts: doubles do not have all of them.
        Op::Number(numbers) => {
            let number = |&at: &f64| numbers.get(at as usize).map(i64::to_string).unwrap_or_default();
            Tensor::Texts { columns: 1, values: inputs[0].numbers().1.iter().map(number).collect() }
        }
        Op::Trees(trees) => sums(trees, inputs[0]),
        Op::Double | Op::Whole => each(|x| x),
        Op::Single => each(|x| f64::from(x as f32)),
        Op::Constant(columns, values) => Tensor::Numbers { columns: *columns, values: values.clone() },
        Op::Add => broadcast(inputs, |x| x[0] + x[1]),
        Op::Sub => broadcast(inputs, |x| x[0] - x[1]),
        Op::Mul => broadcast(inputs, |x| x[0] * x[1]),
        Op::Div => broadcast(inputs, |x| x[0] / x[1]),
        Op::Max => broadcast(inputs, |x| x[0].max(x[1])),
        Op::Greater => broadcast(inputs, |x| flag(x[0] > x[1])),
        Op::Less => broadcast(inputs, |x| flag(x[0] < x[1])),
        Op::Equal => broadcast(inputs, |x| flag(x[0] == x[1])),
        Op::Where => broadcast(inputs, |x| if x[0] > 0.0 { x[1] } else { x[2] }),
        Op::MatMul => product(inputs),
        Op::Exp => each(f64::exp),
        Op::Floor => each(f64::floor),
        Op::Log => each(f64::ln),
        Op::Abs => each(f64::abs),
        Op::Neg => each(|x| -x),
        Op::Sigmoid => each(|x| 1.0 / (1.0 + (-x).exp())),
        Op::Softmax => by_row(inputs[0], |row| {
            let most = row.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
            let all: f64 = row.iter().map(|x| (x - most).exp()).sum();
            row.iter().map(|x| (x - most).exp() / all).collect()
        }),
        Op::RowMax => by_row(inputs[0], |row| vec![row.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b))]),
        Op::ArgMax => by_row(inputs[0], |row| vec![manyboost::engine::scores::argmax(row) as f64]),
    }
}

/// A function of each row.
fn by_row(tensor: &Tensor, of: impl Fn(&[f64]) -> Vec<f64>) -> Tensor {
    let (columns, values) = tensor.numbers();
    let rows: Vec<Vec<f64>> = values.chunks(columns).map(of).collect();
    Tensor::Numbers { columns: rows.first().map_or(1, Vec::len), values: rows.concat() }
}

fn concat(inputs: &[&Tensor]) -> Tensor {
    let parts: Vec<(usize, &[f64])> = inputs.iter().map(|tensor| tensor.numbers()).collect();
    let rows = parts.iter().map(|(columns, values)| values.len() / columns).max().unwrap_or(0);
    let row = |row: usize| {
        parts.iter().flat_map(move |(columns, values)| &values[row * columns..(row + 1) * columns])
    };
    Tensor::Numbers {
        columns: parts.iter().map(|part| part.0).sum(),
        values: (0..rows).flat_map(row).copied().collect(),
    }
}

/// A function of numbers in the same place; a single row or column stands for all.
fn broadcast(inputs: &[&Tensor], of: impl Fn(&[f64]) -> f64) -> Tensor {
    let parts: Vec<(usize, &[f64])> = inputs.iter().map(|tensor| tensor.numbers()).collect();
    let columns = parts.iter().map(|part| part.0).max().unwrap_or(1);
    let rows = parts.iter().map(|(columns, values)| values.len() / columns).max().unwrap_or(0);
    let mut values = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let at = |&(own, values): &(usize, &[f64])| {
                let row = if values.len() == own { 0 } else { row };
                values[row * own + column.min(own - 1)]
            };
            values.push(of(&parts.iter().map(at).collect::<Vec<_>>()));
        }
    }
    Tensor::Numbers { columns, values }
}

fn product(inputs: &[&Tensor]) -> Tensor {
    let ((inner, left), (columns, right)) = (inputs[0].numbers(), inputs[1].numbers());
    let dot = |row: &[f64], column: usize| {
        row.iter().enumerate().map(|(i, x)| x * right[i * columns + column]).sum::<f64>()
    };
    let values =
        left.chunks(inner).flat_map(|row| (0..columns).map(move |column| dot(row, column))).collect();
    Tensor::Numbers { columns, values }
}

/// The sums of trees, in single precision.
fn sums(trees: &Trees, features: &Tensor) -> Tensor {
    let (width, values) = features.numbers();
    // Entries of a tree by number; trees and their entries come in any order.
    let count = trees.tree.iter().max().map_or(0, |last| *last as usize + 1);
    let mut entries: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (at, (&tree, &node)) in trees.tree.iter().zip(&trees.node).enumerate() {
        let own = &mut entries[tree as usize];
        own.resize(own.len().max(node as usize + 1), usize::MAX);
        own[node as usize] = at;
    }
    let mut added: HashMap<(u32, u32), Vec<(u32, f64)>> = HashMap::new();
    for (at, key) in trees.leaf_tree.iter().zip(&trees.leaf_node).enumerate() {
        added.entry((*key.0, *key.1)).or_default().push((trees.target[at], trees.weight[at]));
    }
    let goes = |at: usize, row: &[f64]| {
        let value = row[trees.feature[at] as usize];
        let yes = match trees.modes[at] {
            Mode::AtMost => value <= trees.value[at],
            Mode::Equal => value == trees.value[at],
            Mode::Leaf => false,
        };
        yes || (value.is_nan() && trees.missing[at])
    };
    let mut out = Vec::new();
    for row in values.chunks(width) {
        let mut scores = trees.start.clone();
        for (tree, own) in (0u32..).zip(&entries) {
            let mut at = own[0];
            while trees.modes[at] != Mode::Leaf {
                at = own[if goes(at, row) { trees.yes[at] } else { trees.no[at] } as usize];
            }
            for &(target, weight) in added.get(&(tree, trees.node[at])).into_iter().flatten() {
                scores[target as usize] += weight;
            }
        }
        out.extend(scores.iter().map(|&x| f64::from(x as f32)));
    }
    Tensor::Numbers { columns: trees.start.len(), values: out }
}
