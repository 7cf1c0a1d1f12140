//! The first hypotheses, drawn.

use manyboost::model::Model;
use manyboost::model::ensemble::parted;
use manyboost::model::hypothesis::{Cells, Hypothesis};
use manyboost::model::tree::{Child, Tree};
use serde_json::{Value, json};

use super::staged::Staged;
use crate::{Page, describe, words};

/// Hypotheses that are drawn.
const SHOWN: usize = 12;
/// Tests on the way to what is drawn; below, leaves are only counted.
const DEPTH: usize = 4;

pub fn section(page: &mut Page, model: &Model, staged: &Staged<'_>) {
    let mut drawn = Vec::new();
    'rounds: for (at, (terms, cells)) in model.ensemble.rounds.iter().zip(&staged.cells).enumerate() {
        for (term, rows) in parted(terms).0.iter().zip(cells) {
            if drawn.len() == SHOWN {
                break 'rounds;
            }
            let Hypothesis { cells, answers } = &term.hypothesis;
            let leaf = |leaf: u32| json!({"answer": describe::answer(model, answers, leaf as usize), "rows": rows[leaf as usize]});
            let root = match cells {
                Cells::Tree(tree) => node(model, tree, rows, &leaf),
                Cells::Linear(_) | Cells::Product(_) => {
                    json!({"text": describe::text(model, &term.hypothesis)})
                }
            };
            let name = format!("round {}, step {}", at + 1, words::short(term.alpha));
            drawn.push(json!({"name": name, "root": root}));
        }
    }
    if drawn.is_empty() {
        return;
    }
    let figure = page.figure("trees", "The first hypotheses", json!({"trees": drawn}));
    let text = "The first hypotheses that were found. A row goes up where the answer is yes, and down where it is no; the thicker a branch, the more \
                rows go there. Answers are scores before the step, the largest first.";
    page.section("trees", "First trees", text, &figure);
}

/// A tree as nested tests, down to the depth that is drawn.
fn node(model: &Model, tree: &Tree, rows: &[f64], leaf: &dyn Fn(u32) -> Value) -> Value {
    let mut depths = vec![0; tree.nodes.len()];
    for (at, node) in tree.nodes.iter().enumerate() {
        for child in [node.left, node.right] {
            if let Child::Node(child) = child {
                depths[child as usize] = depths[at] + 1;
            }
        }
    }
    // Children have larger numbers than their parents. Of each test: what it is, its rows, its leaves.
    let mut ready: Vec<(Value, f64, usize)> = vec![(Value::Null, 0.0, 0); tree.nodes.len()];
    for (at, node) in tree.nodes.iter().enumerate().rev() {
        let mut side = |child: Child| match child {
            Child::Node(node) => std::mem::take(&mut ready[node as usize]),
            Child::Leaf(number) => (leaf(number), rows[number as usize], 1),
        };
        let ((yes, a, left), (no, b, right)) = (side(node.left), side(node.right));
        let value = if depths[at] < DEPTH {
            json!({"test": describe::test(model, node), "rows": a + b, "yes": yes, "no": no})
        } else {
            json!({"more": words::count(left + right, "leaf"), "rows": a + b})
        };
        ready[at] = (value, a + b, left + right);
    }
    ready.first_mut().map_or_else(|| leaf(0), |root| root.0.take())
}
