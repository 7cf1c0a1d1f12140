//! Graphs as files: the messages of `onnx.proto`, by field number.

use crate::graph::{Graph, GraphNode, Op, Port, Type};
use crate::protobuf::ProtoMessage;

/// Versions: of the file format, of the plain operators, of those for trees.
const FORMAT: i64 = 8;
const PLAIN: i64 = 15;
const LEARNING: i64 = 3;

/// The domain of operators for trees and labels.
const DOMAIN: &str = "ai.onnx.ml";

/// Types of tensors.
const SINGLE: i64 = 1;
const WHOLE: i64 = 7;
const TEXT: i64 = 8;
const DOUBLE: i64 = 11;

impl Graph {
    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut graph = ProtoMessage::default();
        for one in &self.nodes {
            // What is gathered, or where from, is a constant of its own.
            let constant = match &one.op {
                Op::Column(column) => vec![*column as i64],
                Op::Number(numbers) => numbers.clone(),
                _ => Vec::new(),
            };
            if !constant.is_empty() {
                let value = [("value", Value::Wholes(&constant))];
                graph.message(1, &operator("Constant", "", &[], &constant_name(&one.output), &value));
            }
            graph.message(1, &node(one));
        }
        graph.bytes(2, b"manyboost");
        for (field, ports) in [(11, &self.inputs), (12, &self.outputs)] {
            for one in ports {
                graph.message(field, &port(one));
            }
        }
        let mut model = ProtoMessage::default();
        model.int(1, FORMAT);
        model.bytes(2, b"manyboost");
        model.bytes(3, env!("CARGO_PKG_VERSION").as_bytes());
        model.message(7, &graph);
        for (domain, version) in [("", PLAIN), (DOMAIN, LEARNING)] {
            let mut set = ProtoMessage::default();
            set.bytes(1, domain.as_bytes());
            set.int(2, version);
            model.message(8, &set);
        }
        for (key, value) in &self.notes {
            let mut entry = ProtoMessage::default();
            entry.bytes(1, key.as_bytes());
            entry.bytes(2, value.as_bytes());
            model.message(14, &entry);
        }
        model.into_bytes()
    }
}

fn tensor_type(kind: Type) -> i64 {
    match kind {
        Type::Single => SINGLE,
        Type::Double => DOUBLE,
        Type::Whole => WHOLE,
        Type::Text => TEXT,
    }
}

fn port(port: &Port) -> ProtoMessage {
    let mut shape = ProtoMessage::default();
    let mut rows = ProtoMessage::default();
    rows.bytes(2, b"rows");
    shape.message(1, &rows);
    if let Some(columns) = port.columns {
        let mut width = ProtoMessage::default();
        width.int(1, columns as i64);
        shape.message(1, &width);
    }
    let mut tensor = ProtoMessage::default();
    tensor.int(1, tensor_type(port.kind));
    tensor.message(2, &shape);
    let mut kind = ProtoMessage::default();
    kind.message(1, &tensor);
    let mut message = ProtoMessage::default();
    message.bytes(1, port.name.as_bytes());
    message.message(2, &kind);
    message
}

/// A value of an attribute.
enum Value<'a> {
    Int(i64),
    Float(f32),
    Text(&'a str),
    Ints(&'a [i64]),
    Floats(&'a [f32]),
    Texts(&'a [String]),
    /// Doubles, with their shape.
    Doubles(&'a [usize], &'a [f64]),
    /// Whole numbers as a tensor.
    Wholes(&'a [i64]),
}

fn tensor(shape: &[usize], kind: i64, raw: &[u8]) -> ProtoMessage {
    let mut message = ProtoMessage::default();
    message.ints(1, &shape.iter().map(|&n| n as i64).collect::<Vec<_>>());
    message.int(2, kind);
    message.bytes(9, raw);
    message
}

fn attribute(name: &str, value: &Value<'_>) -> ProtoMessage {
    let mut message = ProtoMessage::default();
    message.bytes(1, name.as_bytes());
    let kind = match value {
        Value::Float(x) => {
            message.float(2, *x);
            1
        }
        Value::Int(x) => {
            message.int(3, *x);
            2
        }
        Value::Text(text) => {
            message.bytes(4, text.as_bytes());
            3
        }
        Value::Doubles(shape, values) => {
            let raw: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
            message.message(5, &tensor(shape, DOUBLE, &raw));
            4
        }
        Value::Wholes(values) => {
            let raw: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
            message.message(5, &tensor(&[values.len()], WHOLE, &raw));
            4
        }
        Value::Floats(values) => {
            message.floats(7, values);
            6
        }
        Value::Ints(values) => {
            message.ints(8, values);
            7
        }
        Value::Texts(texts) => {
            texts.iter().for_each(|text| message.bytes(9, text.as_bytes()));
            8
        }
    };
    message.int(20, kind);
    message
}

/// A plain operator.
fn operator(
    name: &str,
    domain: &str,
    inputs: &[String],
    output: &str,
    attributes: &[(&str, Value<'_>)],
) -> ProtoMessage {
    let mut message = ProtoMessage::default();
    for input in inputs {
        message.bytes(1, input.as_bytes());
    }
    message.bytes(2, output.as_bytes());
    message.bytes(4, name.as_bytes());
    for (name, value) in attributes {
        message.message(5, &attribute(name, value));
    }
    message.bytes(7, domain.as_bytes());
    message
}

/// The name of the constant that an operator has of its own.
fn constant_name(output: &str) -> String {
    format!("{output}_constant")
}

fn node(node: &GraphNode) -> ProtoMessage {
    let GraphNode { op, inputs, output } = node;
    let plain = |name: &str, attributes: &[(&str, Value<'_>)]| operator(name, "", inputs, output, attributes);
    let learning =
        |name: &str, attributes: &[(&str, Value<'_>)]| operator(name, DOMAIN, inputs, output, attributes);
    let whole: Vec<i64>;
    match op {
        Op::Concat => plain("Concat", &[("axis", Value::Int(1))]),
        Op::Level(levels) => {
            let numbers: Vec<f32> = (0..levels.len()).map(|level| level as f32).collect();
            let attributes = [
                ("keys_strings", Value::Texts(levels)),
                ("values_floats", Value::Floats(&numbers)),
                ("default_float", Value::Float(f32::NAN)),
            ];
            learning("LabelEncoder", &attributes)
        }
        Op::Name(names) => {
            whole = (0..names.len() as i64).collect();
            let attributes = [
                ("keys_int64s", Value::Ints(&whole)),
                ("values_strings", Value::Texts(names)),
                ("default_string", Value::Text("")),
            ];
            learning("LabelEncoder", &attributes)
        }
        Op::Trees(trees) => {
            let ids = |values: &[u32]| values.iter().map(|&id| i64::from(id)).collect::<Vec<i64>>();
            let modes: Vec<String> = trees.modes.iter().map(|mode| mode.name().to_string()).collect();
            let missing: Vec<i64> = trees.missing.iter().map(|&yes| i64::from(yes)).collect();
            let attributes = [
                ("n_targets", Value::Int(trees.start.len() as i64)),
                ("aggregate_function", Value::Text("SUM")),
                ("post_transform", Value::Text("NONE")),
                ("base_values_as_tensor", Value::Doubles(&[trees.start.len()], &trees.start)),
                ("nodes_treeids", Value::Ints(&ids(&trees.tree))),
                ("nodes_nodeids", Value::Ints(&ids(&trees.node))),
                ("nodes_featureids", Value::Ints(&ids(&trees.feature))),
                ("nodes_modes", Value::Texts(&modes)),
                ("nodes_values_as_tensor", Value::Doubles(&[trees.value.len()], &trees.value)),
                ("nodes_truenodeids", Value::Ints(&ids(&trees.yes))),
                ("nodes_falsenodeids", Value::Ints(&ids(&trees.no))),
                ("nodes_missing_value_tracks_true", Value::Ints(&missing)),
                ("target_treeids", Value::Ints(&ids(&trees.leaf_tree))),
                ("target_nodeids", Value::Ints(&ids(&trees.leaf_node))),
                ("target_ids", Value::Ints(&ids(&trees.target))),
                ("target_weights_as_tensor", Value::Doubles(&[trees.weight.len()], &trees.weight)),
            ];
            learning("TreeEnsembleRegressor", &attributes)
        }
        Op::Double => plain("Cast", &[("to", Value::Int(DOUBLE))]),
        Op::Single => plain("Cast", &[("to", Value::Int(SINGLE))]),
        Op::Whole => plain("Cast", &[("to", Value::Int(WHOLE))]),
        Op::Constant(columns, values) => {
            let shape = [values.len() / (*columns).max(1), *columns];
            plain("Constant", &[("value", Value::Doubles(&shape, values))])
        }
        Op::RowMax => plain("ReduceMax", &[("axes", Value::Ints(&[1])), ("keepdims", Value::Int(1))]),
        Op::ArgMax => plain("ArgMax", &[("axis", Value::Int(1)), ("keepdims", Value::Int(0))]),
        Op::Softmax => plain("Softmax", &[("axis", Value::Int(1))]),
        Op::Column(_) => {
            let place = constant_name(output);
            operator("Gather", "", &[inputs[0].clone(), place], output, &[("axis", Value::Int(1))])
        }
        Op::Number(_) => {
            let numbers = constant_name(output);
            operator("Gather", "", &[numbers, inputs[0].clone()], output, &[("axis", Value::Int(0))])
        }
        Op::Add => plain("Add", &[]),
        Op::Sub => plain("Sub", &[]),
        Op::Mul => plain("Mul", &[]),
        Op::Div => plain("Div", &[]),
        Op::Max => plain("Max", &[]),
        Op::MatMul => plain("MatMul", &[]),
        Op::Greater => plain("Greater", &[]),
        Op::Less => plain("Less", &[]),
        Op::Equal => plain("Equal", &[]),
        Op::Where => plain("Where", &[]),
        Op::Exp => plain("Exp", &[]),
        Op::Floor => plain("Floor", &[]),
        Op::Log => plain("Log", &[]),
        Op::Abs => plain("Abs", &[]),
        Op::Neg => plain("Neg", &[]),
        Op::Sigmoid => plain("Sigmoid", &[]),
    }
}
