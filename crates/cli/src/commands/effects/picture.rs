//! Effects as a picture: a panel for each class, with a line, lines or a map of colours.

use std::fmt::Write;

use manyboost::explain::effects::{Axis, Effect};

/// The inside of a panel, what is around it, and how many stand side by side.
const WIDTH: f64 = 220.0;
const HEIGHT: f64 = 140.0;
const AROUND: f64 = 46.0;
const SIDE_BY_SIDE: usize = 4;

/// Most panels, and most curves of one.
const PANELS: usize = 24;
const CURVES: usize = 200;

/// The picture (SVG).
pub fn draw(effect: &Effect, classes: &[&str]) -> String {
    let panels = effect.classes.min(PANELS);
    let across = panels.clamp(1, SIDE_BY_SIDE);
    let (width, height) =
        (across as f64 * (WIDTH + AROUND) + 8.0, panels.div_ceil(across) as f64 * (HEIGHT + AROUND) + 8.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <style>text{{font:11px sans-serif;fill:#555}}polyline{{fill:none;stroke:#2563a8;stroke-width:1.5}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    let finite = effect.values.iter().copied().filter(|x| x.is_finite());
    let (low, high) = finite.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
    let range = if low < high { (low, high) } else { (low.min(0.0) - 1.0, high.max(0.0) + 1.0) };
    for (panel, name) in classes.iter().enumerate().take(panels) {
        let left = (panel % across) as f64 * (WIDTH + AROUND) + AROUND - 6.0;
        let top = (panel / across) as f64 * (HEIGHT + AROUND) + 20.0;
        let _ = writeln!(svg, "<g transform=\"translate({left} {top})\">");
        let _ = writeln!(svg, "<text y=\"-6\">{}</text>", escaped(name));
        match &effect.axes[..] {
            [axis] => lines(&mut svg, effect, axis, panel, range),
            [first, second] => map(&mut svg, effect, [first, second], panel, range),
            _ => {}
        }
        let frame = "fill=\"none\" stroke=\"#bbb\"";
        let _ = writeln!(svg, "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" {frame}/>\n</g>");
    }
    svg + "</svg>\n"
}

/// Where values of an axis are, between 0 and 1: numbers by size, levels one beside the other.
fn places(axis: &Axis) -> Vec<f64> {
    let numbers: Vec<f64> = axis.values.iter().copied().filter(|value| !value.is_nan()).collect();
    let share = |at: usize| (at as f64 + 0.5) / axis.values.len().max(1) as f64;
    match (&axis.levels, numbers.first(), numbers.last()) {
        (None, Some(&low), Some(&high)) if low < high && (high - low).is_finite() => {
            let place = |value: &f64| if value.is_nan() { 1.0 } else { (value - low) / (high - low) };
            axis.values.iter().map(place).collect()
        }
        _ => (0..axis.values.len()).map(share).collect(),
    }
}

/// One column: a line, or one for each row. Missing values are a point at the right end.
fn lines(svg: &mut String, effect: &Effect, axis: &Axis, class: usize, (low, high): (f64, f64)) {
    let (places, points) = (places(axis), effect.points().max(1));
    let curves = effect.values.len() / effect.classes.max(1) / points;
    let y = |at: usize| HEIGHT * (1.0 - (effect.at(at)[class] - low) / (high - low));
    let faint = if curves > 1 { " style=\"stroke-opacity:.25;stroke-width:1\"" } else { "" };
    for curve in 0..curves.min(CURVES) {
        let mut line = String::new();
        for (point, place) in places.iter().enumerate() {
            let y = y(curve * points + point);
            if axis.values[point].is_nan() {
                let _ = writeln!(svg, "<circle cx=\"{WIDTH}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"#c2571a\"/>");
            } else {
                let _ = write!(line, "{:.1},{y:.1} ", place * WIDTH);
            }
        }
        let _ = writeln!(svg, "<polyline{faint} points=\"{}\"/>", line.trim_end());
    }
    for (value, y) in [(low, HEIGHT), (high, 8.0)] {
        let _ = writeln!(svg, "<text x=\"-4\" y=\"{y}\" text-anchor=\"end\">{value:.2}</text>");
    }
    below(svg, axis);
}

/// Two columns: a rectangle for each pair, the darker the higher.
fn map(
    svg: &mut String,
    effect: &Effect,
    [first, second]: [&Axis; 2],
    class: usize,
    (low, high): (f64, f64),
) {
    let (n, m) = (first.values.len().max(1) as f64, second.values.len().max(1) as f64);
    for point in 0..effect.points() {
        let places = effect.places(point);
        let dark = (effect.at(point)[class] - low) / (high - low);
        let mixed = |end: f64| 255.0 + (end - 255.0) * dark;
        let (x, y) = (places[0] as f64 / n * WIDTH, (1.0 - (places[1] as f64 + 1.0) / m) * HEIGHT);
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"rgb({:.0},{:.0},{:.0})\"/>",
            WIDTH / n + 0.3,
            HEIGHT / m + 0.3,
            mixed(37.0),
            mixed(99.0),
            mixed(168.0)
        );
    }
    below(svg, first);
    let turned = format!("transform=\"translate(-6 {HEIGHT}) rotate(-90)\"");
    let _ = writeln!(svg, "<text {turned}>{}</text>", escaped(&second.name));
}

/// The name of a column and its ends, below a panel.
fn below(svg: &mut String, axis: &Axis) {
    let y = HEIGHT + 13.0;
    let last = axis.values.iter().rposition(|value| !value.is_nan()).unwrap_or(0);
    let middle = escaped(&axis.name);
    let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\" text-anchor=\"middle\">{middle}</text>", WIDTH / 2.0);
    for (place, x, anchor) in [(0, 0.0, "start"), (last, WIDTH, "end")] {
        let value = axis.values.get(place).map(|_| axis.shown(place)).unwrap_or_default();
        let short: String = value.chars().take(10).collect();
        let _ =
            writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>", escaped(&short));
    }
}

/// A name inside of a text; control characters are left out.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for letter in text.chars().filter(|letter| !letter.is_control()).take(40) {
        match letter {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            letter => safe.push(letter),
        }
    }
    safe
}
