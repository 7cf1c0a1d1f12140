//! Figures 2 to 6 of Mukherjee & Schapire 2013, redrawn.

use manyboost::theory::{Condition, DegreeMap, GameLoss, degree_map, first_potential};
use serde_json::{Value, json};

use super::svg::{self, Curve, Panel};
use super::{LEGEND, MARKS, draw, states};
use crate::args::FigureArgs;
use crate::commands::{print, print_json};
use crate::failure::Outcome;
use crate::text_table::{Align, TextTable};

/// The most rounds of curves, and those of maps under the exponential loss.
const ROUNDS: usize = 20;

/// A part of a figure.
enum Part {
    /// First potentials of the named conditions along rounds or classes.
    Curves { title: String, along: &'static str, names: Vec<&'static str>, points: Vec<(usize, Vec<f64>)> },
    /// Degrees of all states.
    Degrees { title: String, map: DegreeMap },
    /// Potentials of all states.
    Potentials { title: String, map: DegreeMap },
}

pub fn run(args: &FigureArgs) -> Outcome {
    let parts = match args.figure.as_str() {
        "2" => curves(&UNIFORM, (0.0, 0.1))?,
        "3" => vec![degrees(3, 0.0, None), degrees(ROUNDS, 0.0, None), degrees(ROUNDS, 0.4, None)],
        "4" => vec![potentials(3), potentials(ROUNDS)],
        "5" => curves(&BOTH, (0.0, 0.0))?,
        _ => [0.08, 0.1, 0.3].map(|eta| degrees(ROUNDS, 0.1, Some(eta))).into(),
    };
    draw(&args.out, || parts.iter().map(Part::panel).collect())?;
    if args.out.json {
        let panels: Vec<Value> = parts.iter().map(Part::document).collect();
        return print_json(&json!({"figure": args.figure.parse::<u32>().ok(), "panels": panels}));
    }
    let texts: Vec<String> = parts.iter().map(Part::text).collect();
    print(&texts.join("\n"))
}

type Named = (&'static str, Condition);
const UNIFORM: [Named; 1] = [("uniform", Condition::Uniform)];
const BOTH: [Named; 2] = [("minimal", Condition::Minimal), ("uniform", Condition::Uniform)];

/// Six classes along rounds, and ten rounds along classes, with these edges.
fn curves(conditions: &[Named], (first, second): (f64, f64)) -> Outcome<Vec<Part>> {
    let names: Vec<&'static str> = conditions.iter().map(|(name, _)| *name).collect();
    let values = |k: usize, gamma: f64, rounds: usize| {
        let value =
            |&(_, condition): &Named| first_potential(k, &vec![gamma; rounds], GameLoss::ZeroOne, condition);
        conditions.iter().map(value).collect::<Result<Vec<f64>, _>>()
    };
    let by_rounds = (1..=ROUNDS).map(|t| Ok((t, values(6, first, t)?))).collect::<Outcome<_>>()?;
    let by_classes = (2..=10).map(|k| Ok((k, values(k, second, 10)?))).collect::<Outcome<_>>()?;
    let titles = [format!("6 classes, edge {first}"), format!("10 rounds, edge {second}")];
    let parts = titles.into_iter().zip(["rounds", "classes"]).zip([by_rounds, by_classes]);
    Ok(parts
        .map(|((title, along), points)| Part::Curves { title, along, names: names.clone(), points })
        .collect())
}

fn degrees(rounds: usize, gamma: f64, eta: Option<f64>) -> Part {
    let (loss, of) = match eta {
        Some(eta) => (GameLoss::Exponential { eta }, format!(", η = {eta}")),
        None => (GameLoss::ZeroOne, String::new()),
    };
    let title = format!("{rounds} rounds, edge {gamma}{of}");
    Part::Degrees { title, map: degree_map(rounds, gamma, loss) }
}

fn potentials(rounds: usize) -> Part {
    let title = format!("{rounds} rounds, edge 0");
    Part::Potentials { title, map: degree_map(rounds, 0.0, GameLoss::ZeroOne) }
}

/// The side of a state, so that maps of few rounds are not much smaller than others.
fn cell(map: &DegreeMap) -> usize {
    let widest = 2 * ROUNDS + 1;
    (svg::CELL * widest / (2 * map.rounds + 1)).min(3 * svg::CELL)
}

impl Part {
    fn panel(&self) -> Panel {
        match self {
            Self::Curves { title, along, names, points } => {
                let curve = |(at, &name): (usize, &&'static str)| {
                    let points = points.iter().map(|(x, values)| (*x as f64, values[at]));
                    Curve { name, points: points.collect() }
                };
                let curves: Vec<Curve<'_>> = names.iter().enumerate().map(curve).collect();
                svg::curves(&curves, along, "potential of the first state").titled(title)
            }
            Self::Degrees { title, map } => svg::map(map, cell(map)).titled(title),
            Self::Potentials { title, map } => svg::surface(map, cell(map)).titled(title),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Curves { title, along, names, points } => {
                let mut columns = vec![(*along, Align::Right)];
                columns.extend(names.iter().map(|name| (*name, Align::Right)));
                let mut table = TextTable::new(&columns);
                for (x, values) in points {
                    table.row([x.to_string()].into_iter().chain(values.iter().map(|v| format!("{v:.6}"))));
                }
                format!("{title}\n{}", table.text())
            }
            Self::Degrees { title, map } => {
                format!("{title}\n{}{LEGEND}", states(map.rounds, |at| MARKS[map.degrees[at] as usize]))
            }
            Self::Potentials { title, map } => {
                // One digit: a potential of 1 is a 9.
                let digit = |at: usize| {
                    char::from_digit((10.0 * map.potentials[at]).clamp(0.0, 9.0) as u32, 10).unwrap_or('9')
                };
                format!("{title}\n{}  tenths of the potential\n", states(map.rounds, digit))
            }
        }
    }

    fn document(&self) -> Value {
        match self {
            Self::Curves { title, along, names, points } => {
                let row = |(x, values): &(usize, Vec<f64>)| {
                    let mut row = json!({*along: x});
                    names.iter().zip(values).for_each(|(name, value)| row[*name] = json!(value));
                    row
                };
                json!({"title": title, "points": points.iter().map(row).collect::<Vec<_>>()})
            }
            Self::Degrees { title, map } => {
                json!({"title": title, "degrees": map.rows().collect::<Vec<_>>()})
            }
            Self::Potentials { title, map } => {
                let rows = map.potentials.chunks_exact(2 * map.rounds + 1);
                json!({"title": title, "potentials": rows.collect::<Vec<_>>()})
            }
        }
    }
}
