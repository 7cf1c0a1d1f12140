//! The trace: one JSON object a round (`shift` is what it adds to all scores besides its hypothesis: the threshold of a ranking), and a last line that says why training stopped and what margins it came to.

use std::path::Path;
use std::time::Instant;

use manyboost::engine::history::{FIGURES, Record, Told};
use manyboost::model::answers::Answers;
use manyboost::model::ensemble::{Term, parted};
use manyboost::model::hypothesis::{Cells, Hypothesis};
use manyboost::model::linear::Linear;
use manyboost::model::tree::{Child, Test, Tree};
use manyboost::spec::booster::Stop;
use manyboost::spec::bounds::Bounds;
use manyboost::theory::margins::MarginsOf;
use manyboost_data::Encoder;
use serde_json::{Map, Value, json};

use crate::failure::Outcome;
use crate::output::Output;

/// A trace under way.
pub struct Trace<'a> {
    out: Output,
    encoder: &'a Encoder,
    bounds: Bounds,
    began: Instant,
}

impl<'a> Trace<'a> {
    /// To a file.
    pub fn new(path: &Path, encoder: &'a Encoder, bounds: Bounds, began: Instant) -> Outcome<Self> {
        Ok(Self { out: Output::new(Some(path))?, encoder, bounds, began })
    }

    /// The last of these rounds, which has just been done, or (`now` false) was one of an earlier run, whose time is not known.
    pub fn round(&mut self, rounds: &[Vec<Term>], record: &Record, width: usize, now: bool) -> Outcome {
        let Some(terms) = rounds.last() else { return Ok(()) };
        let bound = self.bounds.after(rounds, record);
        let mut line = figures(rounds.len(), &Told { record: *record, bound });
        if now {
            line.insert("seconds".into(), json!(self.began.elapsed().as_secs_f64()));
        }
        let (terms, shift) = parted(terms);
        if let Some(shift) = shift {
            line.insert("shift".into(), json!(shift));
        }
        if let [term] = terms {
            line.insert("hypothesis".into(), hypothesis(&term.hypothesis, self.encoder, width));
        } else {
            let each = |term| weighted(term, self.encoder, width);
            line.insert("hypotheses".into(), terms.iter().map(each).collect());
        }
        self.line(&Value::Object(line))
    }

    /// The last line, with the margins of the training rows where there are any; the trace takes its place now.
    pub fn finish(mut self, stop: Stop, rounds: usize, margins: Option<&MarginsOf>) -> Outcome {
        let seconds = self.began.elapsed().as_secs_f64();
        let mut line = json!({"stopped": stop.name(), "rounds": rounds, "seconds": seconds});
        if let Some(margins) = margins {
            line["margins"] = crate::margins::document(margins);
        }
        self.line(&line)?;
        self.out.finish()
    }

    fn line(&mut self, value: &Value) -> Outcome {
        self.out.write(|out| writeln!(out, "{value}"))
    }
}

/// The figures of a round by name; those that are not defined are absent.
pub fn figures(number: usize, shown: &Told) -> Map<String, Value> {
    let mut line = Map::new();
    line.insert("round".into(), json!(number));
    for (name, figure) in FIGURES {
        if let Some(value) = figure(shown) {
            line.insert(name.into(), json!(value));
        }
    }
    line
}

/// A hypothesis and its weight.
pub fn weighted(term: &Term, encoder: &Encoder, width: usize) -> Value {
    json!({"alpha": term.alpha, "hypothesis": hypothesis(&term.hypothesis, encoder, width)})
}

/// A tree: tests are objects, answers (in score space, before the step) are arrays. A tree of one leaf is
/// `{"answer":[…]}`. `"missing":"left"` says that missing values go left; they go right where it is absent. A linear
/// classifier has an intercept, slopes by feature, and the answers above and below 0. A product is
/// `{"factors":[…],"plus":[…],"minus":[…]}`: stumps that answer 1 or −1, and what is answered where their product is 1 and −1.
pub fn hypothesis(hypothesis: &Hypothesis, encoder: &Encoder, width: usize) -> Value {
    let Hypothesis { cells, answers } = hypothesis;
    let vector = |cell: u32| unsigned(answers.vector(cell as usize, width));
    match cells {
        Cells::Tree(tree) => self::tree(tree, encoder, vector),
        Cells::Linear(plane) => linear(plane, answers, encoder, width),
        Cells::Product(stumps) => {
            let sign = |side: u32| json!(1 - 2 * i64::from(side));
            let factors: Value = stumps.iter().map(|stump| self::tree(stump, encoder, sign)).collect();
            json!({"factors": factors, "plus": vector(0), "minus": vector(1)})
        }
    }
}

fn tree(tree: &Tree, encoder: &Encoder, answer: impl Fn(u32) -> Value) -> Value {
    if tree.nodes.is_empty() {
        return json!({"answer": answer(0)});
    }
    // Children have larger numbers than their parents: from the last node to the first, both are ready.
    let mut ready: Vec<Value> = vec![Value::Null; tree.nodes.len()];
    for (at, node) in tree.nodes.iter().enumerate().rev() {
        let mut child = |child: Child| match child {
            Child::Node(node) => ready[node as usize].take(),
            Child::Leaf(leaf) => answer(leaf),
        };
        let (left, right) = (child(node.left), child(node.right));
        let (feature, word) = encoder.describe(node.feature as usize).unwrap_or(("", None));
        let mut test = Map::new();
        test.insert("feature".into(), json!(feature));
        if let Some(word) = word {
            test.insert("word".into(), json!(word));
        }
        if let Some((_, Some(part))) = encoder.time(node.feature as usize) {
            test.insert("part".into(), json!(part.name()));
        }
        match &node.test {
            Test::AtMost(threshold) => test.insert("threshold".into(), json!(threshold)),
            Test::Levels(levels) => {
                let names = levels.iter().map(|&level| encoder.level(node.feature as usize, level));
                test.insert("levels".into(), names.flatten().collect())
            }
        };
        if node.missing_left {
            test.insert("missing".into(), json!("left"));
        }
        test.insert("left".into(), left);
        test.insert("right".into(), right);
        ready[at] = Value::Object(test);
    }
    ready[0].take()
}

/// A linear classifier in the units of the features.
fn linear(plane: &Linear, answers: &Answers, encoder: &Encoder, width: usize) -> Value {
    let (intercept, slopes) = plane.plain();
    let name = |feature: u32| encoder.describe(feature as usize).map_or("", |(column, _)| column).to_string();
    let slopes: Map<String, Value> =
        slopes.into_iter().map(|(feature, slope)| (name(feature), json!(slope))).collect();
    let (above, below) = (unsigned(answers.vector(0, width)), unsigned(answers.vector(1, width)));
    json!({"intercept": intercept, "slopes": slopes, "above": above, "below": below})
}

/// Numbers in which a zero has no sign: `-0.0` reads like a mistake, and added to 0 it is 0.
fn unsigned(numbers: impl IntoIterator<Item = f64>) -> Value {
    numbers.into_iter().map(|x| json!(x + 0.0)).collect()
}
