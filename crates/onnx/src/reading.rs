//! From the sums of trees to scores of classes, labels and probabilities: [`manyboost::model::reading`] as operators.

use manyboost::codes::code::Code;
use manyboost::model::reading::{Decode, Link, Reading};
use manyboost_data::Result;

use crate::graph::{Graph, Op};
use crate::trees::refused;

/// Below this all sigmoids vanish, and only their ratios count.
const FAR: f64 = -30.0;

/// Adds what makes scores of `classes` classes of the sums; gives their name.
pub fn scores(graph: &mut Graph, reading: &Reading, sums: &str) -> Result<String> {
    match &reading.decode {
        Decode::Hamming(code) | Decode::Loss(code) if code.is_ternary() => {
            Err(refused("bits of its code are not about all classes", "`code=pairs`"))
        }
        Decode::Hamming(code) => Ok(agreements(graph, code, sums)),
        Decode::Loss(code) => Ok(losses(graph, code, sums)),
        // The votes of epochs are counted as they come: what is here are the counts.
        Decode::Plain | Decode::Epochs => Ok(sums.to_string()),
        Decode::Margins(_) => {
            Err(refused("its probabilities are found step by step under the costs of training", "`costs`"))
        }
        Decode::Own(_) => Err(refused("its probabilities are solved for under formulas", "`loss=own`")),
    }
}

/// A column for each word, with a number for each of its bits.
fn words(graph: &mut Graph, code: &Code, of: impl Fn(i8) -> f64) -> String {
    let words: Vec<&[i8]> = code.words().collect();
    let values = (0..code.bits()).flat_map(|bit| words.iter().map(move |word| word[bit])).map(of);
    let values = values.collect();
    graph.put(Op::Constant(words.len(), values), &[])
}

/// Minus the number of bits in which words differ from the signs of the sums.
fn agreements(graph: &mut Graph, code: &Code, sums: &str) -> String {
    let zero = graph.number(0.0);
    let positive = graph.put(Op::Greater, &[sums, &zero]);
    let bits = graph.put(Op::Double, &[&positive]);
    // A bit that is set is wrong where the word has −1; all bits of the word that are +1 are wrong if none is set.
    let signs = words(graph, code, f64::from);
    let product = graph.put(Op::MatMul, &[&bits, &signs]);
    let ones: Vec<f64> = code.words().map(|word| word.iter().filter(|s| **s > 0).count() as f64).collect();
    let ones = graph.put(Op::Constant(ones.len(), ones), &[]);
    graph.put(Op::Sub, &[&product, &ones])
}

/// −ln Σ exp(−λ f) of each word λ.
fn losses(graph: &mut Graph, code: &Code, sums: &str) -> String {
    let sizes = graph.put(Op::Abs, &[sums]);
    let most = graph.put(Op::RowMax, &[&sizes]);
    let mut part = |sign: f64| {
        let factor = graph.number(sign);
        let signed = graph.put(Op::Mul, &[sums, &factor]);
        let less = graph.put(Op::Sub, &[&signed, &most]);
        let exp = graph.put(Op::Exp, &[&less]);
        // A bit whose sign is +1 costs exp(−f).
        let with = words(graph, code, |s| if f64::from(s) * sign < 0.0 { 1.0 } else { 0.0 });
        graph.put(Op::MatMul, &[&exp, &with])
    };
    let (up, down) = (part(1.0), part(-1.0));
    let loss = graph.put(Op::Add, &[&up, &down]);
    let least = graph.number(f64::MIN_POSITIVE);
    let loss = graph.put(Op::Max, &[&loss, &least]);
    let logarithm = graph.put(Op::Log, &[&loss]);
    let sum = graph.put(Op::Add, &[&most, &logarithm]);
    graph.put(Op::Neg, &[&sum])
}

/// Adds what makes probabilities of scores of so many classes; gives their name.
pub fn probabilities(graph: &mut Graph, link: Link, scores: &str, classes: usize) -> String {
    let scaled = |graph: &mut Graph, scale: f64| {
        let scale = graph.number(scale);
        graph.put(Op::Mul, &[scores, &scale])
    };
    match link {
        Link::Softmax(scale) => {
            let scaled = scaled(graph, scale);
            graph.put(Op::Softmax, &[&scaled])
        }
        Link::Sigmoid(scale) => {
            let scaled = scaled(graph, scale);
            graph.put(Op::Sigmoid, &[&scaled])
        }
        Link::Odds(scale) => {
            let scaled = scaled(graph, scale);
            let single = graph.put(Op::Sigmoid, &[&scaled]);
            let all = graph.sums(&single, classes);
            let shares = graph.put(Op::Div, &[&single, &all]);
            let ratios = graph.put(Op::Softmax, &[&scaled]);
            let most = graph.put(Op::RowMax, &[&scaled]);
            let limit = graph.number(FAR);
            let far = graph.put(Op::Less, &[&most, &limit]);
            graph.put(Op::Where, &[&far, &ratios, &shares])
        }
        Link::Savage => savage(graph, scores, classes),
    }
}

/// In proportion to 1/(1 − p), with p the softmax of the scores.
fn savage(graph: &mut Graph, scores: &str, classes: usize) -> String {
    let most = graph.put(Op::RowMax, &[scores]);
    let less = graph.put(Op::Sub, &[scores, &most]);
    let e = graph.put(Op::Exp, &[&less]);
    let (zero, one) = (graph.number(0.0), graph.number(1.0));
    // What the others have, if one of the best is left out.
    let other = graph.put(Op::Less, &[&e, &one]);
    let small = graph.put(Op::Where, &[&other, &e, &zero]);
    let best = graph.put(Op::Where, &[&other, &zero, &one]);
    let (small, best) = (graph.sums(&small, classes), graph.sums(&best, classes));
    let rest = graph.put(Op::Add, &[&small, &best]);
    let rest = graph.put(Op::Sub, &[&rest, &one]);
    let least = graph.number(f64::MIN_POSITIVE);
    let rest = graph.put(Op::Max, &[&rest, &least]);
    let without = graph.put(Op::Sub, &[&rest, &e]);
    let without = graph.put(Op::Max, &[&without, &zero]);
    let without = graph.put(Op::Add, &[&without, &one]);
    let odds = graph.put(Op::Div, &[&rest, &without]);
    let odds = graph.put(Op::Where, &[&other, &odds, &one]);
    let all = graph.sums(&odds, classes);
    graph.put(Op::Div, &[&odds, &all])
}
