//! Trees as pictures of their own: SVG, and the language of Graphviz.
//!
//! A tree lies on its side: the root on the left, "yes" up and "no" down, a column for each depth that is as wide as its longest words. Nothing is left out.

use std::fmt::Write;

use manyboost::model::Model;
use manyboost::model::ensemble::parted;
use manyboost::model::hypothesis::{Cells, Hypothesis};
use manyboost::model::tree::{Child, Tree};
use manyboost_data::{Error, ErrorKind, Result};

use crate::{describe, escape, words};

/// Room for a letter, a line, around words and between columns.
const LETTER: f64 = 6.8;
const LINE: f64 = 34.0;
const PADDING: f64 = 8.0;
const GAP: f64 = 34.0;
/// Room for the name of a tree.
const NAME: f64 = 26.0;

/// The first trees of a model as one picture (SVG), one below the other.
pub fn svg(model: &Model, trees: usize) -> Result<String> {
    let (mut body, mut width, mut top) = (String::new(), 0.0_f64, 0.0);
    for tree in drawn(model, trees)? {
        let (picture, across, down) = tree.picture();
        let _ = writeln!(body, "<g transform=\"translate(10 {top})\">\n{picture}</g>");
        (width, top) = (width.max(across), top + down);
    }
    let style = "text{font:12px sans-serif;fill:#222}.leaf{fill:#eef4fb}.test{fill:#fff}rect{stroke:#8fa3ba}path{fill:none;stroke:#8fa3ba}.way{fill:#666}";
    let width = width + 20.0;
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {top}\" width=\"{width}\" height=\"{top}\">\n<style>{style}</style>\n\
         <rect width=\"100%\" height=\"100%\" style=\"fill:#fff;stroke:none\"/>\n{body}</svg>\n"
    ))
}

/// The first trees of a model as graphs in the language of Graphviz (DOT), one after the other.
pub fn dot(model: &Model, trees: usize) -> Result<String> {
    let mut text = String::new();
    for (number, tree) in (1..).zip(drawn(model, trees)?) {
        let _ = writeln!(text, "digraph tree{number} {{");
        let _ = writeln!(
            text,
            "  label={};\n  node [shape=box, fontname=sans];\n  edge [fontname=sans];",
            quoted(&tree.name)
        );
        for (at, spot) in tree.spots.iter().enumerate() {
            let told = quoted(&[&spot.words[..], &spot.rows].join("\n"));
            let _ = writeln!(text, "  {at} [label={told}];");
            for (child, way) in spot.children.iter().flatten().zip(["yes", "no"]) {
                let _ = writeln!(text, "  {at} -> {child} [label={way}];");
            }
        }
        text.push_str("}\n");
    }
    Ok(text)
}

/// A text between quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// A tree with the words at its nodes: tests, each before those below it, then leaves.
struct Drawn {
    name: String,
    spots: Vec<Spot>,
}

/// A test or a leaf.
struct Spot {
    words: String,
    /// How many training rows come here, if that is known.
    rows: String,
    /// Where "yes" and "no" lead.
    children: Option<[usize; 2]>,
}

/// The first trees, or why there are none.
fn drawn(model: &Model, trees: usize) -> Result<Vec<Drawn>> {
    let rounds = (1..).zip(&model.ensemble.rounds);
    let terms = rounds.flat_map(|(round, terms)| parted(terms).0.iter().map(move |term| (round, term)));
    let one = |(round, term): (usize, &manyboost::model::ensemble::Term)| {
        let Hypothesis { cells, answers } = &term.hypothesis;
        let Cells::Tree(tree) = cells else {
            let what = format!("the hypothesis of round {round} is no tree, and cannot be drawn as one");
            return Err(Error::new(ErrorKind::Model, what, "`inspect --trees N` has it in words"));
        };
        let name = format!("round {round}, step {}", words::short(term.alpha));
        Ok(Drawn { name, spots: spots(model, tree, |leaf| describe::answer(model, answers, leaf)) })
    };
    let found: Vec<Drawn> = terms.take(trees).map(one).collect::<Result<_>>()?;
    if found.is_empty() {
        let what = "the model has no trees: nothing was learnt";
        return Err(Error::new(ErrorKind::Model, what, "train it with other options or other rows"));
    }
    Ok(found)
}

fn spots(model: &Model, tree: &Tree, answer: impl Fn(usize) -> String) -> Vec<Spot> {
    let cover = tree.node_cover();
    let rows =
        |weight: Option<u64>| weight.map_or(String::new(), |weight| words::count(weight as usize, "row"));
    let place = |child: Child| match child {
        Child::Node(node) => node as usize,
        Child::Leaf(leaf) => tree.nodes.len() + leaf as usize,
    };
    let tests = tree.nodes.iter().enumerate().map(|(at, node)| Spot {
        words: describe::test(model, node),
        rows: rows(cover.as_ref().map(|cover| cover[at])),
        children: Some([place(node.left), place(node.right)]),
    });
    let leaves = (0..tree.leaves()).map(|leaf| Spot {
        words: answer(leaf),
        rows: rows(tree.cover.get(leaf).copied()),
        children: None,
    });
    tests.chain(leaves).collect()
}

impl Drawn {
    /// The tree with its name above, and the room that it takes.
    fn picture(&self) -> (String, f64, f64) {
        let (depths, lines, leaves) = self.places();
        let deepest = depths.iter().copied().max().unwrap_or(0);
        let room = |spot: &Spot| {
            spot.words.chars().count().max(spot.rows.chars().count()) as f64 * LETTER + 2.0 * PADDING
        };
        let mut widths = vec![0.0_f64; deepest + 1];
        for (spot, &depth) in self.spots.iter().zip(&depths) {
            widths[depth] = widths[depth].max(room(spot));
        }
        let left = |depth: usize| widths[..depth].iter().map(|width| width + GAP).sum::<f64>();
        let middle = |at: usize| NAME + (lines[at] + 0.5) * (LINE + 6.0);
        let mut svg = format!("<text y=\"16\" font-weight=\"bold\">{}</text>\n", escape(&self.name));
        for (at, spot) in self.spots.iter().enumerate() {
            let (x, y, width) = (left(depths[at]), middle(at), room(spot));
            for (&child, way) in spot.children.iter().flatten().zip(["yes", "no"]) {
                let (from, to, end) = (x + width, left(depths[child]), middle(child));
                let bend = to - GAP / 2.0;
                let _ = writeln!(
                    svg,
                    "<path d=\"M{from:.1},{y:.1} H{:.1} C{bend:.1},{y:.1} {bend:.1},{end:.1} {to:.1},{end:.1}\"/>",
                    bend - GAP / 2.0
                );
                let _ = writeln!(
                    svg,
                    "<text class=\"way\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{way}</text>",
                    to - 3.0,
                    end - 4.0
                );
            }
            let kind = if spot.children.is_some() { "test" } else { "leaf" };
            let _ = writeln!(
                svg,
                "<rect class=\"{kind}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{LINE}\" rx=\"4\"/>",
                y - LINE / 2.0
            );
            for (text, down) in [(&spot.words, -3.0), (&spot.rows, 12.0)] {
                let _ = writeln!(
                    svg,
                    "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                    x + PADDING,
                    y + down,
                    escape(text)
                );
            }
        }
        (svg, left(deepest + 1), NAME + leaves as f64 * (LINE + 6.0) + 14.0)
    }

    /// The depth and the line of each node, and how many lines there are: leaves in order from "yes" to "no", tests half way between their sides.
    fn places(&self) -> (Vec<usize>, Vec<f64>, usize) {
        let (mut depths, mut lines, mut leaves) = (vec![0; self.spots.len()], vec![0.0; self.spots.len()], 0);
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            if let Some([yes, no]) = self.spots[at].children {
                depths[yes] = depths[at] + 1;
                depths[no] = depths[at] + 1;
                open.extend([no, yes]);
            } else {
                lines[at] = f64::from(leaves);
                leaves += 1;
            }
        }
        // Children come after their parents.
        for at in (0..self.spots.len()).rev() {
            if let Some([yes, no]) = self.spots[at].children {
                lines[at] = f64::midpoint(lines[yes], lines[no]);
            }
        }
        (depths, lines, leaves as usize)
    }
}
