//! `manyboost game`: the drifting game between a booster and a weak learner that keeps its promise, as numbers.

use std::fmt::Write;

use manyboost::theory::{
    Condition, GameLoss, Walk, best_eta, degree_map, first_potential, kappa, minimal, plain_eta,
};
use serde_json::{Value, json};

use super::{print, print_json};
use crate::args::{BoundArgs, DegreeArgs, GameArgs, GameCommand, GameOutput, LossArgs, PotentialArgs};
use crate::failure::Outcome;
use crate::inputs::number;
use crate::messages;
use crate::output::{Output, check_packable};
use crate::text_table::{Align, TextTable};

mod figure;
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
    }
}

fn classes(text: &str) -> Outcome<usize> {
    number("--classes", text, |k| (1..=1000).contains(k), "a whole number from 1 to 1,000")
}

fn edge(args: &GameArgs) -> Outcome<f64> {
    number("--edge", &args.edge, |x| (0.0..1.0).contains(x), "a number from 0 to below 1")
}

fn rounds(args: &GameArgs, most: usize) -> Outcome<usize> {
    let range = format!("a whole number from 1 to {most}");
    number("--rounds", &args.rounds, |n| (1..=most).contains(n), &range)
}

fn loss(args: &LossArgs, gamma: f64) -> Outcome<GameLoss> {
    let eta = args.eta.as_deref().map(|eta| number("--eta", eta, |x| (0.0..=1.0).contains(x), "0 to 1"));
    let eta = eta.transpose()?;
    if args.loss == "exponential" {
        return Ok(GameLoss::Exponential { eta: eta.unwrap_or_else(|| plain_eta(gamma)) });
    }
    match eta {
        None => Ok(GameLoss::ZeroOne),
        Some(_) => Err(crate::failure::wrong(
            "--eta is the weight of a vote under the exponential loss",
            "add --loss exponential, or leave --eta out",
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
    let (k, gamma, rounds) = (classes(&args.classes)?, edge(&args.game)?, rounds(&args.game, 10_000)?);
    let loss = loss(&args.loss, gamma)?;
    let condition = if args.condition == "minimal" { Condition::Minimal } else { Condition::Uniform };
    if (loss, condition) == (GameLoss::ZeroOne, Condition::Uniform) {
        messages::ahead(shown(rounds).map(|t| Walk::seconds(k, t)).sum(), "these potentials");
    }
    let phi = |t: usize| first_potential(k, &vec![gamma; t], loss, condition);
    let last = phi(rounds)?;
    let mut all = Vec::new();
    for t in shown(rounds) {
        all.push((t, if t == rounds { last } else { phi(t)? }));
    }
    draw(&args.game.out, || {
        let points = all.iter().map(|&(t, phi)| (t as f64, phi)).collect();
        vec![svg::curves(
            &[Curve { name: &args.condition, points }],
            "rounds",
            "potential of the first state",
        )]
    })?;
    if args.game.out.json {
        let mut document = json!({
            "classes": k,
            "edge": gamma,
            "rounds": rounds,
            "loss": args.loss.loss,
            "condition": args.condition,
        });
        if let GameLoss::Exponential { eta } = loss {
            document["eta"] = json!(eta);
        }
        document["phi"] = json!(last);
        document["by_rounds"] = all.iter().map(|(t, phi)| json!({"rounds": t, "phi": phi})).collect();
        return print_json(&document);
    }
    let mut table = TextTable::new(&[("rounds", Align::Right), ("potential", Align::Right)]);
    for (t, phi) in all {
        table.row([t.to_string(), format!("{phi:.6}")]);
    }
    print(&table.text())
}

fn degrees(args: &DegreeArgs) -> Outcome {
    let (gamma, rounds) = (edge(&args.game)?, rounds(&args.game, 500)?);
    let map = degree_map(rounds, gamma, loss(&args.loss, gamma)?);
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

fn bound(args: &BoundArgs) -> Outcome {
    let (k, gamma, rounds) = (classes(&args.classes)?, edge(&args.game)?, rounds(&args.game, 10_000)?);
    let exponential = |t: usize, eta: f64| (k as f64 - 1.0) * kappa(k, gamma, eta).powi(t as i32);
    let mut rows = Vec::new();
    // Once the states are too many to wait for, they are too many for all longer games.
    let mut minimal_ends = false;
    for t in shown(rounds) {
        let zero_one = |condition| first_potential(k, &vec![gamma; t], GameLoss::ZeroOne, condition);
        minimal_ends |= !minimal::states(k, t).is_ok_and(|states| states <= QUICK);
        let least = if minimal_ends { None } else { zero_one(Condition::Minimal).ok() };
        let bounds = [
            Some(exponential(t, plain_eta(gamma))),
            Some(exponential(t, best_eta(k, gamma))),
            Some(zero_one(Condition::Uniform)?),
            least,
        ];
        rows.push((t, bounds));
    }
    let names = ["exponential", "exponential_best", "zero_one_uniform", "zero_one_minimal"];
    draw(&args.game.out, || {
        let shown = ["exponential", "exponential, best", "zero-one, uniform", "zero-one, minimal"];
        let curve = |(at, name): (usize, &&'static str)| {
            let points = rows.iter().filter_map(|(t, bounds)| Some((*t as f64, bounds[at]?)));
            Curve { name, points: points.collect() }
        };
        let curves: Vec<Curve<'_>> = shown.iter().enumerate().map(curve).collect();
        vec![svg::curves(&curves, "rounds", "bound on the training error")]
    })?;
    if args.game.out.json {
        let row = |(t, bounds): &(usize, [Option<f64>; 4])| {
            let mut row = json!({"rounds": t});
            for (name, bound) in names.iter().zip(bounds) {
                row[name] = json!(bound);
            }
            row
        };
        let bounds: Vec<Value> = rows.iter().map(row).collect();
        return print_json(&json!({"classes": k, "edge": gamma, "rounds": rounds, "bounds": bounds}));
    }
    let mut table = TextTable::new(&[
        ("rounds", Align::Right),
        ("exponential", Align::Right),
        ("best weights", Align::Right),
        ("zero-one", Align::Right),
        ("zero-one, minimal", Align::Right),
    ]);
    for (t, bounds) in rows {
        let shown = bounds.map(|bound| bound.map_or("–".into(), |bound| format!("{bound:.6}")));
        table.row([t.to_string()].into_iter().chain(shown));
    }
    print(&format!(
        "{}  Bounds on the training error after so many rounds, if every round keeps the edge {gamma}.\n",
        table.text()
    ))
}
