//! Trees, lines, products and hyperplanes in words.

use manyboost::model::Model;
use manyboost::model::answers::Answers;
use manyboost::model::epochs::Ballot;
use manyboost::model::hypothesis::{Cells, Hypothesis};
use manyboost::model::linear::Linear;
use manyboost::model::tree::{Child, Node, Test, Tree};

use crate::words;

/// Answers of a leaf that are shown.
const SHOWN: usize = 3;
/// Levels of a test that are shown.
const LEVELS: usize = 4;
/// Slopes of a hyperplane that are shown.
const SLOPES: usize = 5;
/// Steps of a line that are shown, and the fewest that are not all shown.
const STEPS: usize = 5;
const MANY_STEPS: usize = 8;

/// A tree: a test a line, its "yes" side first, deeper tests indented. A hyperplane is one test; of a line a few steps are shown.
pub fn text(model: &Model, hypothesis: &Hypothesis) -> String {
    let Hypothesis { cells, answers } = hypothesis;
    let tree = match cells {
        Cells::Tree(tree) => tree,
        Cells::Linear(plane) => {
            let [above, below] = [0, 1].map(|side| answer(model, answers, side));
            return format!("  {}\n    yes: {above}\n    no:  {below}\n", sum(model, plane));
        }
        Cells::Product(stumps) => return product(model, stumps, answers),
    };
    if let Some(thresholds) = stairs(tree) {
        return steps(model, &tree.nodes[0], &thresholds, answers);
    }
    let mut lines = Vec::new();
    let root = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
    // What is still to be shown: a child, its depth, and the word before it.
    let mut open = vec![(root, 1, "")];
    while let Some((child, depth, word)) = open.pop() {
        let indent = "  ".repeat(depth);
        match child {
            Child::Leaf(leaf) => {
                lines.push(format!("{indent}{word}{}\n", answer(model, answers, leaf as usize)));
            }
            Child::Node(node) => {
                let node = &tree.nodes[node as usize];
                lines.push(format!("{indent}{word}{}\n", test(model, node)));
                open.push((node.right, depth + 1, "no:  "));
                open.push((node.left, depth + 1, "yes: "));
            }
        }
    }
    lines.concat()
}

/// The thresholds of a tree of many leaves on one feature, ascending as its leaves do.
fn stairs(tree: &Tree) -> Option<Vec<f64>> {
    let feature = tree.nodes.first()?.feature;
    if tree.nodes.len() + 1 < MANY_STEPS || tree.nodes.iter().any(|node| node.feature != feature) {
        return None;
    }
    let (mut thresholds, mut leaves) = (Vec::new(), 0);
    // What is still to be seen, and whether the left side of a test has been.
    let mut open = vec![(Child::Node(0), false)];
    while let Some((child, left_is_seen)) = open.pop() {
        match child {
            Child::Leaf(leaf) if leaf == leaves => leaves += 1,
            Child::Leaf(_) => return None,
            Child::Node(number) => {
                let node = &tree.nodes[number as usize];
                let Test::AtMost(threshold) = node.test else { return None };
                if left_is_seen {
                    thresholds.push(threshold);
                    open.push((node.right, false));
                } else {
                    open.extend([(child, true), (node.left, false)]);
                }
            }
        }
    }
    thresholds.is_sorted().then_some(thresholds)
}

/// A line: the answers of a few of its steps, from the lowest to the highest.
fn steps(model: &Model, node: &Node, thresholds: &[f64], answers: &Answers) -> String {
    let (column, _) = model.encoder.describe(node.feature as usize).unwrap_or(("", None));
    let column = words::name(column);
    let last = thresholds.len();
    let place = |step: usize| match step {
        0 => format!("≤ {}", words::short(thresholds[0])),
        step => format!("> {}", words::short(thresholds[step - 1])),
    };
    let shown: Vec<usize> = (0..STEPS).map(|at| at * last / (STEPS - 1)).collect();
    let width = shown.iter().map(|&step| place(step).chars().count()).max().unwrap_or(0);
    let line = |&step: &usize| format!("    {:width$}  {}\n", place(step), answer(model, answers, step));
    let lines: String = shown.iter().map(line).collect();
    format!("  {column} in {}, {STEPS} of which are:\n{lines}", words::count(last + 1, "step"))
}

/// A hyperplane as a sum, the features that matter most first.
fn sum(model: &Model, plane: &Linear) -> String {
    let (intercept, plain) = plane.plain();
    // Slopes can be compared where distances are about 1, not in the units of the features.
    let mut order: Vec<usize> = (0..plain.len()).collect();
    let size = |at: usize| plane.slopes[at].slope.abs();
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
    let term = |&at: &usize| {
        let (feature, slope) = plain[at];
        let (column, _) = model.encoder.describe(feature as usize).unwrap_or(("", None));
        let sign = if slope < 0.0 { "−" } else { "+" };
        format!(" {sign} {} · {}", words::short(slope.abs()), words::name(column))
    };
    let terms: String = order.iter().take(SLOPES).map(term).collect();
    let more = order.len().saturating_sub(SLOPES);
    let more = if more > 0 { format!(" + {}", words::count(more, "more term")) } else { String::new() };
    format!("{}{terms}{more} ≥ 0?", words::short(intercept))
}

/// A product: a factor a line, then the answers.
fn product(model: &Model, stumps: &[Tree], answers: &Answers) -> String {
    let sign = |child: Child| if child == Child::Leaf(0) { "+1" } else { "-1" };
    let factor = |node: &Node| {
        format!("  times {} yes: {}, no: {}\n", test(model, node), sign(node.left), sign(node.right))
    };
    let factors: String = stumps.iter().flat_map(|stump| &stump.nodes).map(factor).collect();
    format!("{factors}  +1: {}\n  -1: {}\n", answer(model, answers, 0), answer(model, answers, 1))
}

/// A test as a question.
pub fn test(model: &Model, node: &Node) -> String {
    let feature = node.feature as usize;
    let (column, word) = model.encoder.describe(feature).unwrap_or(("", None));
    let column = words::name(column);
    if let Some(word) = word {
        return format!("{column} lacks \"{}\"?", words::name(word));
    }
    let missing = if node.missing_left { " or missing" } else { "" };
    match &node.test {
        // What parts missing values from all others.
        Test::AtMost(threshold) if *threshold == f64::MAX => format!("{column} is known{missing}?"),
        Test::AtMost(threshold) => match model.encoder.time(feature) {
            Some((codec, None)) => format!("{column} ≤ {}{missing}?", codec.shown(*threshold)),
            Some((_, Some(part))) => {
                format!("{} of {column} ≤ {}{missing}?", part.name(), words::short(*threshold))
            }
            None => format!("{column} ≤ {}{missing}?", words::short(*threshold)),
        },
        Test::Levels(levels) => {
            let names =
                levels.iter().filter_map(|&level| model.encoder.level(feature, level)).map(words::name);
            let shown: Vec<String> = names.take(LEVELS).collect();
            let more = levels.len().saturating_sub(LEVELS);
            let more = if more > 0 { format!(" or {more} more") } else { String::new() };
            format!("{column} is {}{more}{missing}?", shown.join(" or "))
        }
    }
}

/// What a leaf answers, the largest numbers first.
pub fn answer(model: &Model, answers: &Answers, leaf: usize) -> String {
    let name = |class: usize| words::name(model.schema.target.label(class).unwrap_or(""));
    if let Answers::Labels(labels) = answers {
        return name(labels[leaf] as usize);
    }
    let mut answer = answers.vector(leaf, model.ensemble.start.len());
    if let Answers::Election(election) = answers {
        if let Ballot::Places(places) = &election.ballot {
            return format!("class {} of those left", places[leaf] + 1);
        }
        answer.truncate(model.schema.target.names().len());
    }
    let mut order: Vec<usize> = (0..answer.len()).collect();
    order.sort_by(|&a, &b| answer[b].abs().total_cmp(&answer[a].abs()).then(a.cmp(&b)));
    let shown = order.iter().take(SHOWN).map(|&class| format!("{} {:+.3}", name(class), answer[class]));
    let more = if answer.len() > SHOWN { ", …" } else { "" };
    shown.collect::<Vec<_>>().join(", ") + more
}
