//! `manyboost game play`: the game round by round.

use manyboost::theory::lazy::{Demand, LazyTurn, lazy};
use manyboost::theory::play::{Strategy, Turn, play};
use manyboost::theory::{Condition, first_potential};
use serde_json::{Value, json};

use super::svg::{Curve, curves};
use super::{draw, edges, loss, rounds};
use crate::args::{LossArgs, PlayArgs};
use crate::commands::{print, print_json};
use crate::failure::{Outcome, wrong};
use crate::inputs::number;
use crate::text_table::{Align, TextTable};

/// The most rounds of a game that is played, and its most classes and examples.
const ROUNDS: usize = 300;
const CLASSES: usize = 10;
const EXAMPLES: usize = 100_000;

pub fn run(args: &PlayArgs) -> Outcome {
    let rounds = rounds(&args.game, ROUNDS)?;
    let edges = edges(&args.game, rounds)?;
    let of_os = [("--loss", &args.loss), ("--eta", &args.eta), ("--condition", &args.condition)];
    let of_adversary = [("--classes", &args.classes), ("--examples", &args.examples)];
    let unused =
        |options: &[(&str, &Option<String>)], whose: &str| match options.iter().find(|(_, x)| x.is_some()) {
            Some((name, _)) => Err(wrong(format!("{name} is an option of {whose}"), "leave it out")),
            None => Ok(()),
        };
    if args.booster != "os" {
        unused(&of_os, "game play os")?;
    }
    if args.learner == "lazy" {
        unused(&of_adversary, "--learner adversary")?;
        return lazily(args, edges[0], rounds);
    }
    adversary(args, &edges)
}

/// What a game comes to: a table, a picture, and a document.
struct Shown {
    table: TextTable,
    words: String,
    curves: Vec<(&'static str, Vec<f64>)>,
    document: Value,
}

fn show(args: &PlayArgs, shown: &Shown) -> Outcome {
    draw(&args.game.out, || {
        let points = |values: &[f64]| (1..).zip(values).map(|(t, &value)| (f64::from(t), value)).collect();
        let all: Vec<Curve<'_>> =
            shown.curves.iter().map(|(name, values)| Curve { name, points: points(values) }).collect();
        vec![curves(&all, "rounds", "share of the examples")]
    })?;
    if args.game.out.json {
        return print_json(&shown.document);
    }
    print(&format!("{}{}", shown.table.text(), shown.words))
}

fn adversary(args: &PlayArgs, edges: &[f64]) -> Outcome {
    let limit = |name: &str, text: &Option<String>, default: usize, least: usize, most: usize| {
        let allowed = format!("a whole number from {least} to {most}");
        text.as_ref().map_or(Ok(default), |text| number(name, text, |n| (least..=most).contains(n), &allowed))
    };
    let classes = limit("--classes", &args.classes, 3, 2, CLASSES)?;
    let examples = limit("--examples", &args.examples, 1000, 1, EXAMPLES)?;
    let strategy = match args.booster.as_str() {
        "os" => {
            let name = args.loss.clone().unwrap_or("zero-one".into());
            let loss = loss(&LossArgs { loss: name, eta: args.eta.clone() }, edges)?;
            let minimal = args.condition.as_deref() == Some("minimal");
            Strategy::Os { loss, condition: if minimal { Condition::Minimal } else { Condition::Uniform } }
        }
        "mm" => Strategy::Mm,
        _ => {
            let what = "the adversary of Theorem 9 plays against os and mm";
            return Err(wrong(what, "say game play os or mm, or --learner lazy"));
        }
    };
    let bound = match strategy {
        Strategy::Os { loss, condition } => first_potential(classes, edges, loss, condition)?,
        // Theorem 25.
        Strategy::Mm => {
            edges.iter().fold(classes as f64 - 1.0, |bound, gamma| bound * (1.0 - gamma * gamma).sqrt())
        }
    };
    let turns = play(strategy, classes, edges, examples)?;
    let columns = ["round", "vote", "cost", "allowed", "potential", "error"].map(|name| (name, Align::Right));
    let mut table = TextTable::new(&columns);
    for (t, turn) in (1..).zip(&turns) {
        let figures = [turn.alpha, turn.cost, turn.allowed, turn.potential(), turn.error];
        table.row([format!("{t}")].into_iter().chain(figures.map(|figure| format!("{figure:.6}"))));
    }
    let words = format!("  {examples} examples; the bound on the error at the end is {bound:.6}\n");
    let turn = |(t, turn): (usize, &Turn)| {
        json!({
            "round": t,
            "alpha": turn.alpha,
            "cost": turn.cost,
            "allowed": turn.allowed,
            "potential": turn.potential(),
            "error": turn.error,
            "potentials": turn.potentials,
        })
    };
    let document = json!({
        "booster": args.booster,
        "learner": "adversary",
        "classes": classes,
        "examples": examples,
        "bound": bound,
        "rounds": (1..).zip(&turns).map(turn).collect::<Vec<_>>(),
    });
    let curves = vec![
        ("potential", turns.iter().map(Turn::potential).collect()),
        ("error", turns.iter().map(|turn| turn.error).collect()),
    ];
    show(args, &Shown { table, words, curves, document })
}

fn lazily(args: &PlayArgs, gamma: f64, rounds: usize) -> Outcome {
    let demand = match args.booster.as_str() {
        "samme" => Demand::Accuracy,
        "mm" => Demand::Costs,
        _ => {
            return Err(wrong(
                "the lazy learner plays against samme and mm",
                "say game play samme or mm, or --learner adversary",
            ));
        }
    };
    let turns = lazy(demand, gamma, rounds);
    let columns = [
        ("round", Align::Right),
        ("says of a, b", Align::Left),
        ("edge", Align::Right),
        ("error", Align::Right),
    ];
    let mut table = TextTable::new(&columns);
    for (t, turn) in (1..).zip(&turns) {
        let says = turn.says.map(|class| (class + 1).to_string()).join(", ");
        table.row([format!("{t}"), says, format!("{:.6}", turn.edge), format!("{:.1}", turn.error)]);
    }
    let words = "  Row a is of class 1, row b of class 2, and there is a third class. The learner first tries to say 1 or 2 of both.\n";
    let turn = |(t, turn): (usize, &LazyTurn)| {
        let says = turn.says.map(|class| class + 1);
        json!({"round": t, "says": says, "edge": turn.edge, "alpha": turn.alpha, "error": turn.error})
    };
    let document = json!({
        "booster": args.booster,
        "learner": "lazy",
        "rounds": (1..).zip(&turns).map(turn).collect::<Vec<_>>(),
    });
    let curves = vec![
        ("edge", turns.iter().map(|turn| turn.edge).collect()),
        ("error", turns.iter().map(|turn| turn.error).collect()),
    ];
    show(args, &Shown { table, words: words.into(), curves, document })
}
