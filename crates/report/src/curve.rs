//! Line charts as inline SVG: axes with round numbers, names at the ends of the lines.

use std::fmt::Write;

use crate::escape::escape;

/// Colours that stay apart for most eyes, on light and dark paper (after Okabe and Ito).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8f98"];

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 400.0;
/// Room for the numbers of the axes and for the names of the lines.
const LEFT: f64 = 62.0;
const RIGHT: f64 = 110.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 50.0;
/// Points of a line that are drawn.
const POINTS: usize = 600;
/// Least distance of two names.
const APART: f64 = 17.0;

/// One line: its name and its values at 1, 2, 3, …
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its values; those that are not finite are left out.
    pub values: Vec<f64>,
}

/// A chart of lines.
pub struct Chart {
    /// What the horizontal axis shows.
    pub across: String,
    /// What the vertical axis shows, from zero on.
    pub up: String,
    /// Whether values are shares, to be shown in per cent.
    pub percent: bool,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A round distance between marks, for about `marks` of them up to `most`.
fn distance(most: f64, marks: f64) -> f64 {
    let raw = most / marks;
    let power = 10f64.powf(raw.log10().floor());
    let round = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|m| m * power >= raw * 0.999).unwrap_or(10.0);
    round * power
}

fn label(value: f64, percent: bool) -> String {
    let value = if percent { 100.0 * value } else { value };
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{}", if percent { " %" } else { "" })
}

impl Chart {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let points = self.lines.iter().map(|line| line.values.len()).max().unwrap_or(0).max(2) as f64;
        let highest = self.lines.iter().flat_map(|line| &line.values).filter(|v| v.is_finite());
        let highest = highest.fold(0.0f64, |most, &v| most.max(v));
        let highest = if highest > 0.0 { highest } else { 1.0 };
        let step = distance(highest, 5.0);
        let most = (highest / step).ceil() * step;
        let x = |round: f64| LEFT + (WIDTH - LEFT - RIGHT) * (round - 1.0) / (points - 1.0);
        let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (value / most).clamp(0.0, 1.0);
        let title = format!("{} by {}", self.up, self.across);
        let mut svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n",
            escape(&title)
        );
        self.axes(&mut svg, (points, &x), (most, step, &y));
        for (line, colour) in self.lines.iter().zip(COLOURS.iter().cycle()) {
            draw(&mut svg, line, colour, &x, &y);
        }
        self.names(&mut svg, &y);
        svg + "</svg>"
    }

    fn axes(
        &self,
        svg: &mut String,
        (points, x): (f64, &dyn Fn(f64) -> f64),
        (most, step, y): (f64, f64, &dyn Fn(f64) -> f64),
    ) {
        let (end, foot) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let marks = (most / step).round() as usize;
        for mark in 0..=marks {
            let (value, class) = (mark as f64 * step, if mark == 0 { "axis" } else { "grid" });
            let at = y(value);
            let _ = writeln!(
                svg,
                "<line class=\"{class}\" x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{end}\" y2=\"{at:.1}\"/>"
            );
            let (text, low) = (label(value, self.percent), at + 4.5);
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{low:.1}\" text-anchor=\"end\">{text}</text>",
                LEFT - 9.0
            );
        }
        let step = distance(points, 6.0).max(1.0).round();
        let mut rounds = vec![1.0];
        rounds.extend(
            (1..).map(|i| f64::from(i) * step).take_while(|&r| r <= points).filter(|&r| r > 1.0 + step / 3.0),
        );
        for round in rounds {
            let at = x(round);
            let _ = writeln!(
                svg,
                "<line class=\"axis\" x1=\"{at:.1}\" y1=\"{foot}\" x2=\"{at:.1}\" y2=\"{}\"/>",
                foot + 5.0
            );
            let _ = writeln!(
                svg,
                "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{round}</text>",
                foot + 20.0
            );
        }
        let middle = f64::midpoint(LEFT, end);
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - 8.0,
            escape(&self.across)
        );
        let (x0, y0) = (15.0, f64::midpoint(TOP, foot));
        let _ = writeln!(
            svg,
            "<text x=\"{x0}\" y=\"{y0}\" text-anchor=\"middle\" transform=\"rotate(-90 {x0} {y0})\">{}</text>",
            escape(&self.up)
        );
    }

    /// Names at the ends of the lines, moved apart where they would meet.
    fn names(&self, svg: &mut String, y: &dyn Fn(f64) -> f64) {
        let mut names: Vec<(f64, &str, &str)> = self
            .lines
            .iter()
            .zip(COLOURS.iter().cycle())
            .filter_map(|(line, colour)| Some((y(*line.values.last()?), line.name.as_str(), *colour)))
            .collect();
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Downwards first, then up again from the foot of the chart.
        let mut least = TOP;
        for name in &mut names {
            name.0 = name.0.max(least);
            least = name.0 + APART;
        }
        let mut most = HEIGHT - BOTTOM;
        for name in names.iter_mut().rev() {
            name.0 = name.0.min(most);
            most = name.0 - APART;
        }
        let end = WIDTH - RIGHT;
        for (at, name, colour) in names {
            let _ = writeln!(svg, "<circle cx=\"{}\" cy=\"{at:.1}\" r=\"4\" fill=\"{colour}\"/>", end + 12.0);
            let _ = writeln!(
                svg,
                "<text class=\"name\" x=\"{}\" y=\"{:.1}\">{}</text>",
                end + 22.0,
                at + 4.5,
                escape(name)
            );
        }
    }
}

fn draw(svg: &mut String, line: &Line, colour: &str, x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) {
    let count = line.values.len();
    let every = count.div_ceil(POINTS).max(1);
    let shown = line.values.iter().enumerate();
    let shown = shown.filter(|&(at, value)| value.is_finite() && (at % every == 0 || at + 1 == count));
    let points: Vec<String> =
        shown.map(|(at, &v)| format!("{:.1},{:.1}", x(at as f64 + 1.0), y(v))).collect();
    let _ = writeln!(svg, "<polyline class=\"curve\" stroke=\"{colour}\" points=\"{}\"/>", points.join(" "));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(lines: Vec<Line>) -> String {
        Chart { across: "round".into(), up: "error".into(), percent: true, lines }.svg()
    }

    #[test]
    fn marks_are_round() {
        assert_eq!(distance(0.37, 5.0), 0.1);
        assert_eq!(distance(200.0, 6.0), 50.0);
        assert_eq!(label(0.1 + 0.2, true), "30 %");
        assert_eq!(label(2.5, false), "2.5");
    }

    #[test]
    fn names_are_escaped_and_nothing_is_not_a_number() {
        let line = |name: &str, values: &[f64]| Line { name: name.into(), values: values.to_vec() };
        let svg = chart(vec![line("<b>", &[0.5, f64::NAN, 0.2]), line("flat", &[0.0]), line("none", &[])]);
        assert!(svg.contains("&lt;b&gt;") && !svg.contains("<b>") && !svg.contains("NaN"));
        assert!(!chart(Vec::new()).contains("NaN"));
    }
}
