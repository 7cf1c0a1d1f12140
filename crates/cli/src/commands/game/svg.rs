//! Pictures of the game: curves over rounds, and maps of degrees. Each is one small SVG that stands alone.

use std::fmt::Write;

use polyboost::theory::DegreeMap;

/// Colours that stay apart for most eyes (after Okabe and Ito).
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];
const STYLE: &str = "<style>text{font:13px sans-serif;fill:#555}</style>";
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;
/// The side of a state.
const CELL: usize = 14;

/// A curve: its name and its points (rounds, value).
pub struct Curve<'a> {
    pub name: &'a str,
    pub points: Vec<(f64, f64)>,
}

/// Curves over rounds; values from 0 to 1, larger ones are cut off.
pub fn curves(curves: &[Curve<'_>], up: &str) -> String {
    let (right, foot) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    let all = || curves.iter().flat_map(|curve| &curve.points);
    let last = all().fold(1.0f64, |last, &(round, _)| last.max(round));
    let x = |round: f64| LEFT + (right - LEFT) * round / last;
    let y = |value: f64| foot - (foot - TOP) * value.clamp(0.0, 1.0);
    let mut svg = open(WIDTH, HEIGHT);
    for tenth in (0..=10).step_by(2) {
        let (value, at) = (f64::from(tenth) / 10.0, y(f64::from(tenth) / 10.0));
        let _ = writeln!(svg, "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#ddd\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
            LEFT - 7.0,
            at + 4.0
        );
    }
    for part in 0..=4 {
        let round = (last * f64::from(part) / 4.0).round();
        let at = x(round);
        let _ =
            writeln!(svg, "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{round}</text>", foot + 18.0);
    }
    let _ = writeln!(svg, "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\">rounds</text>", HEIGHT - 6.0);
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">{up}</text>", HEIGHT - 6.0);
    let mut taken: Vec<f64> = Vec::new();
    for (curve, colour) in curves.iter().zip(COLOURS.iter().cycle()) {
        let mut path = String::new();
        for (at, &(round, value)) in curve.points.iter().enumerate() {
            let _ = write!(path, "{}{:.1} {:.1}", if at == 0 { 'M' } else { 'L' }, x(round), y(value));
        }
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
        let mut at = curve.points.last().map_or(TOP, |&(_, value)| y(value));
        while taken.iter().any(|other| (other - at).abs() < 15.0) {
            at -= 15.0;
        }
        taken.push(at);
        let end = curve.points.last().map_or(LEFT, |&(round, _)| x(round));
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" style=\"fill:{colour}\">{}</text>",
            end + 6.0,
            at + 4.0,
            curve.name
        );
    }
    svg + "</svg>\n"
}

/// A map of degrees, as figures 3 and 6 of paper 000 have it.
pub fn map(map: &DegreeMap) -> String {
    let side = 2 * map.rounds + 1;
    let (width, left, top) = (side * CELL, 20, 6);
    let mut svg = open((width + left + 6) as f64, (width + top + 44) as f64);
    for (row, degrees) in map.rows().rev().enumerate() {
        for (column, &degree) in degrees.iter().enumerate() {
            let fill = match degree {
                2 => "#d55e00",
                3 => "#0072b2",
                _ => "#e8e8e8",
            };
            let (x, y, size) = (left + column * CELL, top + row * CELL, CELL - 1);
            let _ = writeln!(svg, "<path d=\"M{x} {y}h{size}v{size}h-{size}z\" fill=\"{fill}\"/>");
        }
    }
    let (middle, foot) = (left + width / 2, top + width);
    let _ =
        writeln!(svg, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">s(2) − s(1)</text>", foot + 16);
    let _ = writeln!(
        svg,
        "<text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">s(3) − s(1)</text>",
        top + width / 2
    );
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\"><tspan style=\"fill:#d55e00\">■ two</tspan>  <tspan style=\"fill:#0072b2\">■ three</tspan>  <tspan style=\"fill:#aaa\">■ same</tspan></text>",
        foot + 36
    );
    svg + "</svg>\n"
}

fn open(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         {STYLE}\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    )
}
