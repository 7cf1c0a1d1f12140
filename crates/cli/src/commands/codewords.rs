//! `manyboost codewords`: a set of codewords, its minimum distance and its margin capacity.

use std::fmt::Write;

use manyboost::codes::codewords::{CodewordKind, Codewords};
use manyboost::spec::options::Options;
use serde_json::json;

use super::{print, print_json};
use crate::args::CodewordsArgs;
use crate::failure::Outcome;
use crate::inputs::number;
use crate::messages;
use crate::output::{Output, check_packable};
use crate::text_table::{Align, TextTable};

const MOST_CLASSES: usize = 4096;

pub fn run(args: &CodewordsArgs) -> Outcome {
    let fine = |m: &usize| (2..=MOST_CLASSES).contains(m);
    let classes = number("--classes", &args.classes, fine, "a whole number from 2 to 4,096")?;
    let given = [("codewords", &args.codewords), ("dim", &args.dim)];
    let given = given.into_iter().filter_map(|(name, value)| Some((name.to_string(), value.clone()?)));
    let mut options = Options::new(given);
    let mut kind = CodewordKind::from_options(&mut options)?;
    options.finish("manyboost codewords", |options| CodewordKind::from_options(options).map(drop))?;
    // In as many dimensions as it needs the simplex is the best of all.
    if args.codewords.is_none() && matches!(kind, CodewordKind::MaxMin { dim } if dim + 1 == classes) {
        kind = CodewordKind::Simplex;
    }
    kind.check(classes)?;
    messages::ahead(kind.seconds(classes), "spreading them as far as they go");
    let words = kind.drawn(classes, args.seed);
    if let Some(path) = &args.svg {
        check_packable(path)?;
        let mut out = Output::new(Some(path))?;
        out.write(|out| out.write_all(picture(&words).as_bytes()))?;
        out.finish()?;
    }
    if args.json {
        let rows: Vec<&[f64]> = (0..classes).map(|k| words.word(k)).collect();
        return print_json(&json!({
            "classes": classes,
            "dim": words.dim(),
            "min_distance": words.min_distance(),
            "angle": angle(&words),
            "capacity": words.capacity(),
            "codewords": rows,
        }));
    }
    let mut table = TextTable::new(&[("class", Align::Right), ("codeword", Align::Left)]);
    for k in 0..classes {
        let word: Vec<String> = words.word(k).iter().map(|x| format!("{x:9.6}")).collect();
        table.row([(k + 1).to_string(), word.join(" ")]);
    }
    let measures = format!(
        "\n{classes} codewords of {} dimensions: minimum squared distance {:.6} (the most is {:.6}), least angle {:.4}°, margin capacity {:.6} (the most is {:.6})\n",
        words.dim(),
        words.min_distance(),
        2.0 * classes as f64 / (classes as f64 - 1.0),
        angle(&words),
        words.capacity(),
        0.5 * classes as f64 / (classes as f64 - 1.0),
    );
    print(&(table.text() + &measures))
}

/// The least angle between two codewords of length 1, in degrees.
fn angle(words: &Codewords) -> f64 {
    2.0 * (0.5 * words.min_distance().sqrt()).min(1.0).asin().to_degrees()
}

/// The side of a picture, and the length of a codeword of length 1.
const SIDE: f64 = 420.0;
const UNIT: f64 = 160.0;

/// Codewords as arrows in the unit circle (figures 1 and 2 of Saberian & Vasconcelos 2019). Of three dimensions and more, the first three are seen from
/// the side and a little from above.
fn picture(words: &Codewords) -> String {
    const TURN: f64 = 0.5;
    const TILT: f64 = 0.35;
    let middle = SIDE / 2.0;
    let place = |word: &[f64]| {
        let at = |j: usize| word.get(j).copied().unwrap_or(0.0);
        let (x, y) = if words.dim() <= 2 {
            (at(0), at(1))
        } else {
            let (right, away) =
                (at(0) * TURN.cos() - at(1) * TURN.sin(), at(0) * TURN.sin() + at(1) * TURN.cos());
            (right, at(2) * TILT.cos() + away * TILT.sin())
        };
        (middle + UNIT * x, middle - UNIT * y)
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIDE} {SIDE}\" width=\"{SIDE}\" height=\"{SIDE}\">\n\
         <style>text{{font:13px sans-serif;fill:#555}}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <circle cx=\"{middle}\" cy=\"{middle}\" r=\"{UNIT}\" fill=\"none\" stroke=\"#ddd\"/>\n"
    );
    for class in 0..words.classes() {
        let (x, y) = place(words.word(class));
        let _ = writeln!(
            svg,
            "<path d=\"M{middle} {middle}L{x:.1} {y:.1}\" stroke=\"#0072b2\" stroke-width=\"2\"/>"
        );
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#d55e00\"/>");
        let (right, down) = (middle + 1.12 * (x - middle), middle + 1.12 * (y - middle) + 4.0);
        let _ = writeln!(
            svg,
            "<text x=\"{right:.1}\" y=\"{down:.1}\" text-anchor=\"middle\">{}</text>",
            class + 1
        );
    }
    svg + "</svg>\n"
}
