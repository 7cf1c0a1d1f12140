//! Pictures of the game: curves over rounds or classes, and maps of states. One or several beside one another are one small SVG
//! that stands alone.

use std::fmt::Write;

use manyboost::theory::DegreeMap;

/// Colours that stay apart for most eyes (after Okabe and Ito).
const COLOURS: [&str; 5] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9"];
const STYLE: &str = "<style>text{font:13px sans-serif;fill:#555}</style>";
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;
/// The side of a state.
pub const CELL: usize = 14;

/// A part of a picture.
pub struct Panel {
    width: f64,
    height: f64,
    body: String,
}

impl Panel {
    /// The same below a title.
    pub fn titled(self, title: &str) -> Self {
        const ROOM: f64 = 26.0;
        let middle = self.width / 2.0;
        let body = format!(
            "<text x=\"{middle}\" y=\"18\" text-anchor=\"middle\">{title}</text>\n\
             <g transform=\"translate(0 {ROOM})\">\n{}</g>\n",
            self.body
        );
        Self { height: self.height + ROOM, body, ..self }
    }
}

/// Panels beside one another.
pub fn picture(panels: &[Panel]) -> String {
    let width: f64 = panels.iter().map(|panel| panel.width).sum();
    let height = panels.iter().fold(0.0f64, |most, panel| most.max(panel.height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         {STYLE}\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    let mut left = 0.0;
    for panel in panels {
        if left == 0.0 {
            svg += &panel.body;
        } else {
            let _ = write!(svg, "<g transform=\"translate({left} 0)\">\n{}</g>\n", panel.body);
        }
        left += panel.width;
    }
    svg + "</svg>\n"
}

/// A curve: its name and its points (rounds or classes, value).
pub struct Curve<'a> {
    pub name: &'a str,
    pub points: Vec<(f64, f64)>,
}

/// Curves over rounds (or what `along` says); values from 0 to 1, larger ones are cut off.
pub fn curves(curves: &[Curve<'_>], along: &str, up: &str) -> Panel {
    let (right, foot) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    let all = || curves.iter().flat_map(|curve| &curve.points);
    let last = all().fold(1.0f64, |last, &(round, _)| last.max(round));
    let x = |round: f64| LEFT + (right - LEFT) * round / last;
    let y = |value: f64| foot - (foot - TOP) * value.clamp(0.0, 1.0);
    let mut svg = String::new();
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
    let step = step(last);
    for round in (0..).map(|part| step * f64::from(part)).take_while(|&round| round <= last) {
        let at = x(round);
        let _ =
            writeln!(svg, "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{round}</text>", foot + 18.0);
    }
    let _ = writeln!(svg, "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\">{along}</text>", HEIGHT - 6.0);
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">{up}</text>", HEIGHT - 6.0);
    let ends =
        names(&curves.iter().map(|curve| curve.points.last().map_or(TOP, |p| y(p.1))).collect::<Vec<_>>());
    for ((curve, colour), at) in curves.iter().zip(COLOURS.iter().cycle()).zip(ends) {
        let mut path = String::new();
        for (at, &(round, value)) in curve.points.iter().enumerate() {
            let _ = write!(path, "{}{:.1} {:.1}", if at == 0 { 'M' } else { 'L' }, x(round), y(value));
        }
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
        let end = curve.points.last().map_or(LEFT, |&(round, _)| x(round));
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" style=\"fill:{colour}\">{}</text>",
            end + 6.0,
            at + 4.0,
            curve.name
        );
    }
    Panel { width: WIDTH, height: HEIGHT, body: svg }
}

/// A round distance between marks, of which there are five or six at most.
fn step(last: f64) -> f64 {
    let round = (0..).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)));
    round.take(30).find(|step| last / step <= 5.0).unwrap_or(last)
}

/// Where the names of curves go that end at these heights: close to the ends, in their order, and not over one another.
fn names(ends: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by(|&a, &b| ends[a].total_cmp(&ends[b]));
    let (mut at, mut last) = (ends.to_vec(), f64::NEG_INFINITY);
    // From the top down.
    for i in order {
        last = ends[i].max(last + 15.0);
        at[i] = last;
    }
    at
}

/// A map of degrees, as figures 3 and 6 of Mukherjee & Schapire 2013 have it.
pub fn map(map: &DegreeMap, cell: usize) -> Panel {
    let fill = |degree: u8| match degree {
        2 => "#d55e00",
        3 => "#0072b2",
        _ => "#e8e8e8",
    };
    let legend = "<tspan style=\"fill:#d55e00\">■ two</tspan>  <tspan style=\"fill:#0072b2\">■ three</tspan>  <tspan style=\"fill:#aaa\">■ same</tspan>";
    states(map.rounds, cell, |at| fill(map.degrees[at]).into(), legend)
}

/// A map of potentials from 0 to 1: figure 4 of Mukherjee & Schapire 2013, seen from above.
pub fn surface(map: &DegreeMap, cell: usize) -> Panel {
    // From white to the first colour.
    let fill = |at: usize| {
        let part = map.potentials[at].clamp(0.0, 1.0);
        let mixed = |low: f64| 255.0 + (low - 255.0) * part;
        format!("rgb({:.0},{:.0},{:.0})", mixed(0.0), mixed(114.0), mixed(178.0))
    };
    states(map.rounds, cell, fill, "white 0, blue 1")
}

/// All states of three classes, each with its colour.
fn states(rounds: usize, cell: usize, fill: impl Fn(usize) -> String, legend: &str) -> Panel {
    let side = 2 * rounds + 1;
    let (width, left, top) = (side * cell, 20, 6);
    let mut svg = String::new();
    for row in 0..side {
        for column in 0..side {
            let (x, y, size) = (left + column * cell, top + row * cell, cell - 1);
            // The largest s(3) − s(1) is at the top.
            let fill = fill((side - 1 - row) * side + column);
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
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{legend}</text>", foot + 36);
    Panel { width: (width + left + 6) as f64, height: (width + top + 44) as f64, body: svg }
}
