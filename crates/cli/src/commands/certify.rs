//! `polyboost certify`: is a weak learner strong enough for this data, and for which boosters?

use std::fmt::Write;

use polyboost::options::Options;
use polyboost_certify::{Answer, Question};
use polyboost_data::prepare;

use super::{print, print_json};
use crate::args::CertifyArgs;
use crate::failure::Outcome;
use crate::inputs;
use crate::text_table::{Align, TextTable};
use crate::{interrupt, say};

/// Hard rows and pairs of classes that are named.
const NAMED: usize = 5;

pub fn run(args: &CertifyArgs) -> Outcome {
    let question = Question::new(options(args))?;
    inputs::threads(args.threads.as_deref())?;
    let mut options = inputs::prepare_options(&args.columns, &args.encode)?;
    options.values = question.needs_values();
    let prepared = prepare(inputs::training(&args.data, &args.columns.plan())?, &options)?;
    prepared.notes.iter().for_each(|note| say::note(note));
    interrupt::be_patient("what is certain so far follows");
    let answer = question.answer(&args.data, prepared, &interrupt::ASKED)?;
    interrupt::be_quick();
    if args.json { print_json(&answer.document()) } else { print(&text(&answer)) }
}

fn options(args: &CertifyArgs) -> Options {
    let given = [
        ("learner", Some(&args.learner)),
        ("leaves", args.leaves.as_ref()),
        ("depth", args.depth.as_ref()),
        ("min-rows", args.min_rows.as_ref()),
        ("tolerance", Some(&args.tolerance)),
        ("subsets", Some(&args.subsets)),
        ("effort", Some(&args.effort)),
    ];
    Options::new(given.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?.clone()))))
}

fn text(answer: &Answer) -> String {
    let f = &answer.findings;
    let (rows, k) = (say::count(f.rows, "row"), f.classes);
    let mut text = format!("{rows}, {k} classes; {}\n\n", answer.space);
    let columns = [
        ("condition", Align::Left),
        ("value", Align::Right),
        ("at most", Align::Right),
        ("holds", Align::Left),
    ];
    let mut table = TextTable::new(&columns);
    for (_, what, value) in answer.conditions() {
        let holds = value.map_or(Some(false), |value| value.holds(f.tolerance));
        // No minus before a zero.
        let shown = |x: f64| format!("{:.7}", (x * 1e7).round() / 1e7 + 0.0);
        let (lower, upper) = value.map_or(("–".into(), "–".into()), |v| (shown(v.lower), shown(v.upper)));
        table.row([what.to_string(), lower, upper, word(holds).to_string()]);
    }
    text += &table.text();
    text += "  Values above 0 hold. The first is proved by a mixture of classifiers, the second by weights of rows.\n";
    if !f.exact {
        text += "  \"At most\" is about what the learner finds on the hardest weights: it grows greedily, and better trees may exist.\n";
    }
    let _ = writeln!(text, "\nhardest   {}", hardest_pairs(answer));
    let _ = writeln!(text, "          {}\n", hardest_rows(answer));
    for verdict in f.verdicts() {
        let promise = match verdict.promised {
            Some(true) => "can reach training error 0",
            Some(false) => "no promise",
            None => "open",
        };
        let _ = writeln!(text, "{}: {promise}\n    {}", verdict.boosters.join(", "), verdict.why);
    }
    if f.boostable() == Some(false) && f.exact {
        text += "No booster that adds up answers of these classifiers is right on every row.\n";
    }
    text
}

fn against(answer: &Answer, own: u32, other: u32) -> String {
    let name = |class: u32| say::name(&answer.names[class as usize]);
    format!("{} against {}", name(own), name(other))
}

fn hardest_pairs(answer: &Answer) -> String {
    let pair = |&(own, other, share): &(u32, u32, f64)| {
        format!("{} ({})", against(answer, own, other), say::percent(share))
    };
    let pairs: Vec<String> = answer.pairs().iter().take(NAMED).map(pair).collect();
    format!("{} of the weight", pairs.join(", "))
}

fn hardest_rows(answer: &Answer) -> String {
    let hardest = answer.findings.hardest(&answer.y);
    let row = |&(row, other, share): &(usize, u32, f64)| {
        format!("{} ({}, {})", row + 1, against(answer, answer.y[row], other), say::percent(share))
    };
    let rows: Vec<String> = hardest.iter().take(NAMED).map(row).collect();
    format!("rows {}; {} (row, class) have weight", rows.join(", "), say::grouped(hardest.len()))
}

fn word(holds: Option<bool>) -> &'static str {
    match holds {
        Some(true) => "yes",
        Some(false) => "no",
        None => "open",
    }
}
