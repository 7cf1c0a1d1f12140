//! `manyboost game`: the drifting game between a booster and a weak learner that keeps its promise, as numbers.

use std::fmt::Write;

use manyboost::theory::{
    Baseline, Condition, GameLoss, Walk, best_eta, degree_map, first_potential, kappa, light, minimal,
    plain_eta,
};
use serde_json::{Value, json};

use super::{print, print_json};
use crate::args::{BoundArgs, DegreeArgs, GameArgs, GameCommand, GameOutput, LossArgs, PotentialArgs};
use crate::failure::{Outcome, wrong};
use crate::inputs::number;
use crate::messages;
use crate::output::{Output, check_packable};
use crate::text_table::{Align, TextTable};

mod figure;
mod play;
mod svg;

use svg::{Curve, Panel};

/// The most states that a bound under the minimal condition is computed for without being asked: seconds each.
const QUICK: u64 = 1 << 23;

/// Rounds that a table shows, more or less.
const SHOWN: usize = 20;

pub fn run(command: &GameCommand) -> Outcome {
    match command {
        GameCommand::Potentials(args) => potentials(args),
        GameCommand::Degrees(args) => degrees(args),
        GameCommand::Bound(args) => bound(args),
        GameCommand::Figure(args) => figure::run(args),
        GameCommand::Play(args) => play::run(args),
    }
}

fn classes(text: &str) -> Outcome<usize> {
    number("--classes", text, |k| (1..=1000).contains(k), "a whole number from 1 to 1,000")
}

/// The edges of all rounds: one for all, or one for each.
fn edges(args: &GameArgs, rounds: usize) -> Outcome<Vec<f64>> {
    let edge = |text| number("--edge", text, |x| (0.0..1.0).contains(x), "a number from 0 to below 1");
    let edges = args.edge.split(',').map(edge).collect::<Outcome<Vec<f64>>>()?;
    match edges.len() {
        1 => Ok(vec![edges[0]; rounds]),
        several if several >= rounds => Ok(edges[..rounds].to_vec()),
        several => Err(wrong(
            format!("--edge has {several} edges, and there are {rounds} rounds"),
            "give one edge, or one for each round",
        )),
    }
}

/// The only edge of all rounds.
fn edge(args: &GameArgs) -> Outcome<f64> {
    Ok(edges(args, 1)?[0])
}

/// Edges as they are told: one, or all.
fn told(edges: &[f64]) -> Value {
    if edges.iter().all(|gamma| *gamma == edges[0]) { json!(edges[0]) } else { json!(edges) }
}

fn rounds(args: &GameArgs, most: usize) -> Outcome<usize> {
    let range = format!("a whole number from 1 to {most}");
    number("--rounds", &args.rounds, |n| (1..=most).contains(n), &range)
}

/// The loss; a vote counts by default what the mean edge makes of it.
fn loss(args: &LossArgs, edges: &[f64]) -> Outcome<GameLoss> {
    let eta = args.eta.as_deref().map(|eta| number("--eta", eta, |x| (0.0..=1.0).contains(x), "0 to 1"));
    let eta = eta.transpose()?;
    let mean = edges.iter().sum::<f64>() / edges.len() as f64;
    match (args.loss.as_str(), eta) {
        ("exponential", eta) => Ok(GameLoss::Exponential { eta: eta.unwrap_or_else(|| plain_eta(mean)) }),
        (_, Some(_)) => Err(wrong(
            "--eta is the weight of a vote under the exponential loss",
            "add --loss exponential, or leave --eta out",
        )),
        ("hinge", None) => Ok(GameLoss::Hinge),
        (_, None) => Ok(GameLoss::ZeroOne),
    }
}

/// The baseline that is given: one number for each class, the own class so far ahead as the edge says.
fn baseline(text: &str, classes: usize, gamma: f64) -> Outcome<Baseline> {
    let numbers =
        text.split(',').map(|x| number("--baseline", x, |p| (0.0..=1.0).contains(p), "numbers from 0 to 1"));
    let numbers = numbers.collect::<Outcome<Vec<f64>>>()?;
    let count = numbers.len();
    match Baseline::new(numbers) {
        Some(baseline) if count == classes && baseline.edge() >= gamma - 1e-9 => Ok(baseline),
        Some(baseline) if count == classes => Err(wrong(
            format!(
                "--baseline: the own class is {} ahead of every other, and --edge is {gamma}",
                baseline.edge()
            ),
            "give an edge that the baseline has",
        )),
        _ => Err(wrong(
            format!(
                "--baseline {text}: not a distribution over {classes} classes whose first is the likeliest"
            ),
            "give as many numbers as there are classes, which add up to 1, the own class first",
        )),
    }
}

/// The numbers of rounds to show: all if they are few, else some at equal distances; the last is among them.
fn shown(rounds: usize) -> impl Iterator<Item = usize> {
    let step = rounds.div_ceil(SHOWN);
    (1..=rounds).filter(move |t| (rounds - t).is_multiple_of(step))
}

/// Writes a picture, if one is wanted.
fn draw(wanted: &GameOutput, panels: impl FnOnce() -> Vec<Panel>) -> Outcome {
    let Some(path) = &wanted.svg else { return Ok(()) };
    check_packable(path)?;
    let mut out = Output::new(Some(path))?;
    out.write(|out| out.write_all(svg::picture(&panels()).as_bytes()))?;
    out.finish()
}

fn potentials(args: &PotentialArgs) -> Outcome {
    let (k, rounds) = (classes(&args.classes)?, rounds(&args.game, 10_000)?);
    let edges = edges(&args.game, rounds)?;
    let loss = loss(&args.loss, &edges)?;
    let condition = if args.condition == "minimal" { Condition::Minimal } else { Condition::Uniform };
    let most = edges.iter().fold(0.0f64, |most, &gamma| most.max(gamma));
    let given = args.baseline.as_deref().map(|text| baseline(text, k, most)).transpose()?;
    if loss == GameLoss::ZeroOne && condition == Condition::Uniform {
        messages::ahead(shown(rounds).map(|t| Walk::seconds(k, t)).sum(), "these potentials");
    }
    let phi = |t: usize| match &given {
        Some(baseline) => Ok(baseline.potential(t, loss, &vec![0; k.saturating_sub(1)])),
        None => first_potential(k, &edges[..t], loss, condition),
    };
    let last = phi(rounds)?;
    let mut all = Vec::new();
    for t in shown(rounds) {
        all.push((t, if t == rounds { last } else { phi(t)? }));
    }
    let name = if given.is_some() { "baseline" } else { &args.condition };
    draw(&args.game.out, || {
        let points = all.iter().map(|&(t, phi)| (t as f64, phi)).collect();
        vec![svg::curves(&[Curve { name, points }], "rounds", "potential of the first state")]
    })?;
    if args.game.out.json {
        let mut document = json!({
            "classes": k,
            "edge": told(&edges),
            "rounds": rounds,
            "loss": args.loss.loss,
            "condition": name,
        });
        if let GameLoss::Exponential { eta } = loss {
            document["eta"] = json!(eta);
            document["light"] = json!(light::is_light(k, rounds, eta));
            document["can_fall"] = json!(light::can_fall(k, most, eta));
            document["small_edge"] = json!(light::is_small_edge(k, rounds, most));
            if let Some(baseline) = &given {
                document["factors"] = json!(baseline.factors(eta));
            }
        }
        document["phi"] = json!(last);
        document["by_rounds"] = all.iter().map(|(t, phi)| json!({"rounds": t, "phi": phi})).collect();
        return print_json(&document);
    }
    let mut table = TextTable::new(&[("rounds", Align::Right), ("potential", Align::Right)]);
    for (t, phi) in all {
        table.row([t.to_string(), format!("{phi:.6}")]);
    }
    print(&(table.text() + &regime(k, rounds, most, loss)))
}

/// What the weight of a vote means under the exponential loss (Lemma 19, Theorems 20 and 21).
fn regime(k: usize, rounds: usize, gamma: f64, loss: GameLoss) -> String {
    let GameLoss::Exponential { eta } = loss else { return String::new() };
    let light = if light::is_light(k, rounds, eta) {
        "so light that the minimal condition is no harder than the uniform one"
    } else {
        "not light: the minimal condition may be harder than the uniform one"
    };
    let fall = if light::can_fall(k, gamma, eta) {
        "the bound falls from round to round"
    } else {
        "too heavy for the edge: the bound does not fall"
    };
    format!("  Votes count {eta:.6}: {light}; {fall}.\n")
}

fn degrees(args: &DegreeArgs) -> Outcome {
    let (gamma, rounds) = (edge(&args.game)?, rounds(&args.game, 500)?);
    let map = degree_map(rounds, gamma, loss(&args.loss, &[gamma])?);
    draw(&args.game.out, || vec![svg::map(&map, svg::CELL)])?;
    if args.game.out.json {
        return print_json(&json!({
            "classes": 3,
            "edge": gamma,
            "rounds": rounds,
            "loss": args.loss.loss,
            "degrees": map.rows().collect::<Vec<_>>(),
            "potentials": map.potentials.chunks_exact(2 * rounds + 1).collect::<Vec<_>>(),
        }));
    }
    print(&format!("{}{LEGEND}", states(rounds, |at| MARKS[map.degrees[at] as usize])))
}

/// The marks of degrees: 0 where both are the same.
const MARKS: [char; 4] = ['·', ' ', '#', '+'];
const LEGEND: &str =
    "  + all three classes, # the own class and the more dangerous one, · both are the same\n";

/// All states of three classes, each with its mark.
fn states(rounds: usize, mark: impl Fn(usize) -> char) -> String {
    let (width, side) = ((-(rounds as i64)).to_string().len(), 2 * rounds + 1);
    let mut text = String::new();
    for row in (0..side).rev() {
        let _ = write!(text, "  {:>width$}", row as i64 - rounds as i64);
        for at in row * side..(row + 1) * side {
            let _ = write!(text, " {}", mark(at));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "  up: s(3) − s(1), right: s(2) − s(1), each from −{rounds} to {rounds}");
    text
}

/// The bounds of `game bound`: names for programs, for pictures and for people.
const BOUNDS: [(&str, &str, &str); 5] = [
    ("exponential", "exponential", "exponential"),
    ("exponential_best", "exponential, best", "best weights"),
    ("skewed_mh", "MH, skewed start", "MH, skewed"),
    ("zero_one_uniform", "zero-one, uniform", "zero-one"),
    ("zero_one_minimal", "zero-one, minimal", "zero-one, minimal"),
];

fn bound(args: &BoundArgs) -> Outcome {
    let (k, rounds) = (classes(&args.classes)?, rounds(&args.game, 10_000)?);
    let edges = edges(&args.game, rounds)?;
    let wrong = k as f64 - 1.0;
    let exponential = |t: usize, eta: &dyn Fn(f64) -> f64| {
        edges[..t].iter().fold(wrong, |bound, &gamma| bound * kappa(k, gamma, eta(gamma)))
    };
    // √(k − 1) exp(−Σ γ²/2), which Schapire & Singer 1999 have of their skewed start (section 6.2).
    let skewed =
        |t: usize| wrong.sqrt() * (-0.5 * edges[..t].iter().map(|gamma| gamma * gamma).sum::<f64>()).exp();
    let mut rows = Vec::new();
    // Once the states are too many to wait for, they are too many for all longer games.
    let mut minimal_ends = false;
    for t in shown(rounds) {
        let zero_one = |condition| first_potential(k, &edges[..t], GameLoss::ZeroOne, condition);
        minimal_ends |= !minimal::states(k, t).is_ok_and(|states| states <= QUICK);
        let least = if minimal_ends { None } else { zero_one(Condition::Minimal).ok() };
        let bounds = [
            Some(exponential(t, &plain_eta)),
            Some(exponential(t, &|gamma| best_eta(k, gamma))),
            Some(skewed(t)),
            Some(zero_one(Condition::Uniform)?),
            least,
        ];
        rows.push((t, bounds));
    }
    draw(&args.game.out, || {
        let curve = |(at, (_, name, _)): (usize, &(&str, &'static str, &str))| {
            let points = rows.iter().filter_map(|(t, bounds)| Some((*t as f64, bounds[at]?)));
            Curve { name, points: points.collect() }
        };
        let curves: Vec<Curve<'_>> = BOUNDS.iter().enumerate().map(curve).collect();
        vec![svg::curves(&curves, "rounds", "bound on the training error")]
    })?;
    if args.game.out.json {
        let row = |(t, bounds): &(usize, [Option<f64>; 5])| {
            let mut row = json!({"rounds": t});
            for ((name, _, _), bound) in BOUNDS.iter().zip(bounds) {
                row[name] = json!(bound);
            }
            row
        };
        let bounds: Vec<Value> = rows.iter().map(row).collect();
        return print_json(&json!({"classes": k, "edge": told(&edges), "rounds": rounds, "bounds": bounds}));
    }
    let columns = BOUNDS.map(|(_, _, name)| (name, Align::Right));
    let mut table = TextTable::new(&[&[("rounds", Align::Right)], columns.as_slice()].concat());
    for (t, bounds) in rows {
        let shown = bounds.map(|bound| bound.map_or("–".into(), |bound| format!("{bound:.6}")));
        table.row([t.to_string()].into_iter().chain(shown));
    }
    let kept = match told(&edges) {
        Value::Array(_) => "its edge".to_string(),
        one => format!("the edge {one}"),
    };
    print(&format!(
        "{}  Bounds on the training error after so many rounds, if every round keeps {kept}.\n",
        table.text()
    ))
}
