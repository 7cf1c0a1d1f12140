//! `manyboost losses`: what there is, with a line each.

use std::fmt::Write;

use manyboost::codes::codewords::CodewordKind;
use manyboost::losses::{Codeword, Exponential, GammaPhi, Logistic, Loss, Savage};
use serde_json::{Value, json};

use super::{print, print_json};
use crate::args::LossesArgs;
use crate::failure::Outcome;
use crate::output::{Output, check_packable};
use crate::text_table::{Align, TextTable};

pub fn run(args: &LossesArgs) -> Outcome {
    if let Some(path) = &args.svg {
        check_packable(path)?;
        let mut out = Output::new(Some(path))?;
        out.write(|out| out.write_all(picture().as_bytes()))?;
        out.finish()?;
    }
    if args.json {
        let entries =
            Loss::OPTION.words().iter().map(|(name, _, summary)| json!({"name": name, "summary": summary}));
        return print_json(&Value::Array(entries.collect()));
    }
    let mut table = TextTable::new(&[("loss", Align::Left), ("what it is", Align::Left)]);
    for (name, _, summary) in Loss::OPTION.words() {
        table.row([*name, summary].map(String::from));
    }
    print(&table.text())
}

/// Places of a panel along each axis, the side of one, and how far f goes.
const PLACES: usize = 60;
const CELL: usize = 5;
const REACH: f64 = 2.5;

/// Contours of the losses, as figure 3 of Saberian & Vasconcelos 2019 has them: bands of what a row of the first of three classes costs, whose codewords are drawn
/// as lines.
fn picture() -> String {
    let words = CodewordKind::Simplex.drawn(3, 1);
    let side = PLACES * CELL;
    let losses: [fn(&[f64]) -> f64; 4] =
        [cost::<Exponential>, cost::<Logistic>, cost::<Savage>, cost::<Codeword>];
    let (width, height, middle) = (losses.len() * (side + 10), side + 30, side / 2);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <style>text{{font:13px sans-serif;fill:#555}}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (panel, (loss, (name, _, _))) in losses.into_iter().zip(Loss::OPTION.words()).enumerate() {
        let left = panel * (side + 10);
        let _ = writeln!(svg, "<g transform=\"translate({left} 0)\">");
        let at = |place: usize| (place as f64 + 0.5) / PLACES as f64 * 2.0 * REACH - REACH;
        for (row, column) in (0..PLACES * PLACES).map(|place| (place / PLACES, place % PLACES)) {
            let f = [at(column), -at(row)];
            let score = |k: usize| words.word(k).iter().zip(f).map(|(y, f)| y * f).sum::<f64>();
            let value = loss(&[score(0), score(1), score(2)]);
            // Bands of equal width in the logarithm: twice as dear is the next.
            let band = (value.max(1e-3).log2().floor() + 10.0).clamp(0.0, 17.0) / 17.0;
            let mixed = |low: f64| 255.0 + (low - 255.0) * band;
            let _ = writeln!(
                svg,
                "<path d=\"M{} {}h{CELL}v{CELL}h-{CELL}z\" fill=\"rgb({:.0},{:.0},{:.0})\"/>",
                column * CELL,
                row * CELL,
                mixed(0.0),
                mixed(114.0),
                mixed(178.0)
            );
        }
        for k in 0..3 {
            let to =
                |j: usize, sign: f64| middle as f64 + sign * words.word(k)[j] / (2.0 * REACH) * side as f64;
            let (x, y) = (to(0, 1.0), to(1, -1.0));
            let _ = writeln!(
                svg,
                "<path d=\"M{middle} {middle}L{x:.1} {y:.1}\" stroke=\"#d55e00\" stroke-width=\"2\"/>"
            );
            let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", k + 1);
        }
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{name}</text>\n</g>",
            side + 20
        );
    }
    svg + "</svg>\n"
}

/// What a row of the first class costs.
fn cost<L: GammaPhi>(scores: &[f64]) -> f64 {
    L::row(scores, 0, &mut vec![0.0; scores.len()])
}
