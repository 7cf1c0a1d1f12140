//! `manyboost codewords`: a set of codewords, its minimum distance and its margin capacity.

use manyboost::codes::codewords::{CodewordKind, Codewords};
use manyboost::spec::options::Options;
use serde_json::json;

use super::{print, print_json};
use crate::args::CodewordsArgs;
use crate::failure::Outcome;
use crate::inputs::number;
use crate::messages;
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
