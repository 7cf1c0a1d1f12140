//! A graph: operators one after the other, each with the names of what it takes and gives.

use crate::trees::Trees;

/// A kind of operator, with what it needs to know besides its inputs.
#[derive(Clone, Debug)]
pub enum Op {
    /// Columns side by side.
    Concat,
    /// One column.
    Column(usize),
    /// Texts to numbers; other texts are missing.
    Level(Vec<String>),
    /// Numbers 0, 1, … to texts.
    Name(Vec<String>),
    /// Numbers 0, 1, … to other whole numbers.
    Number(Vec<i64>),
    /// The sums of trees.
    Trees(Box<Trees>),
    /// To double precision.
    Double,
    /// To single precision.
    Single,
    /// To whole numbers.
    Whole,
    /// A matrix of constants, row by row, with so many columns.
    Constant(usize, Vec<f64>),
    /// Sum, difference, product, quotient and larger of two.
    Add,
    /// See `Add`.
    Sub,
    /// See `Add`.
    Mul,
    /// See `Add`.
    Div,
    /// See `Add`.
    Max,
    /// Product of matrices.
    MatMul,
    /// Whether the first is greater, or less, or both are equal.
    Greater,
    /// See `Greater`.
    Less,
    /// See `Greater`.
    Equal,
    /// The second where the first is true, else the third.
    Where,
    /// Of each number.
    Exp,
    /// See `Exp`.
    Floor,
    /// See `Exp`.
    Log,
    /// See `Exp`.
    Abs,
    /// See `Exp`.
    Neg,
    /// See `Exp`.
    Sigmoid,
    /// Of each row.
    Softmax,
    /// The largest of each row.
    RowMax,
    /// The place of the largest of each row; the first of equals.
    ArgMax,
}

/// An operator in its place.
#[derive(Clone, Debug)]
pub struct GraphNode {
    pub op: Op,
    pub inputs: Vec<String>,
    pub output: String,
}

/// What kind of values something has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Single,
    Double,
    Whole,
    Text,
}

/// A named input or output, with its number of columns; without one it is a plain list.
#[derive(Clone, Debug)]
pub struct Port {
    pub name: String,
    pub kind: Type,
    pub columns: Option<usize>,
}

/// A graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub(crate) inputs: Vec<Port>,
    pub(crate) outputs: Vec<Port>,
    pub(crate) nodes: Vec<GraphNode>,
    /// What the file says of itself.
    pub(crate) notes: Vec<(String, String)>,
}

impl Graph {
    /// Adds an operator; gives the name of its result.
    pub(crate) fn put(&mut self, op: Op, inputs: &[&str]) -> String {
        let output = format!("t{}", self.nodes.len());
        self.put_as(op, inputs, &output);
        output
    }

    /// Adds an operator with a name for its result.
    pub(crate) fn put_as(&mut self, op: Op, inputs: &[&str], output: &str) {
        let inputs = inputs.iter().map(|&name| name.to_string()).collect();
        self.nodes.push(GraphNode { op, inputs, output: output.to_string() });
    }

    /// Adds the sums of rows of so many columns.
    pub(crate) fn sums(&mut self, rows: &str, columns: usize) -> String {
        let ones = self.put(Op::Constant(1, vec![1.0; columns]), &[]);
        self.put(Op::MatMul, &[rows, &ones])
    }

    /// Adds a single constant.
    pub(crate) fn number(&mut self, value: f64) -> String {
        self.put(Op::Constant(1, vec![value]), &[])
    }
}
