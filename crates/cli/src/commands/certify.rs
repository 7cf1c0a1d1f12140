//! `manyboost certify`: is a weak learner strong enough for this data, and for which boosters?

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use manyboost::spec::options::Options;
use manyboost_certify::{Answer, ProvedRun, Question};
use manyboost_data::wording::{option, quoted};
use manyboost_data::{prepare, write_text};
use serde_json::Value;

use super::{print, print_json};
use crate::args::CertifyArgs;
use crate::failure::{Outcome, wrong};
use crate::inputs;
use crate::output::Output;
use crate::text_table::{Align, TextTable};
use crate::{interrupt, messages};

/// No cost is larger.
const DEAREST: f64 = 1e12;

/// Hard rows and pairs of classes that are named.
const NAMED: usize = 5;

pub fn run(args: &CertifyArgs) -> Outcome {
    let question = Question::new(options(args))?;
    let mut options = inputs::prepare_options(&args.columns, &args.encode)?;
    options.values = question.needs_values();
    let table = inputs::training(&args.data, &args.columns.plan())?;
    let rows = table.rows;
    let prepared = prepare(table, &options)?;
    messages::remarks(&prepared.remarks);
    let trained = Trained { args, dropped: prepared.dataset.rows() < rows };
    interrupt::be_patient("what is certain so far follows");
    let names = prepared.dataset.labels.names();
    let question = match &args.baseline {
        Some(path) => {
            let shares = |x: f64| (0.0..=1.0).contains(&x);
            question.with_baseline(matrix(path, names, shares, "numbers from 0 to 1")?)
        }
        None => question,
    };
    let question = match &args.costs {
        Some(path) => question.with_costs(matrix(path, names, |x| x.abs() <= DEAREST, "costs")?),
        None => question,
    };
    let answer = question.answer(&args.data, prepared, &interrupt::ASKED)?;
    interrupt::be_quick();
    if let Some(path) = &args.mixture {
        let mut out = Output::new(Some(path))?;
        out.write(|out| mixture(&answer, out))?;
        out.finish()?;
    }
    if args.json { print_json(&document(&answer, &trained)) } else { print(&text(&answer, &trained)) }
}

/// A number for each class from each line of a file, in the order of the classes.
fn matrix(path: &Path, classes: &[String], fits: fn(f64) -> bool, what: &str) -> Outcome<Vec<f64>> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| wrong(format!("{shown}: {error}"), "give a file that can be read"))?;
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let names: Vec<&str> =
        lines.next().unwrap_or_default().split(',').map(|name| name.trim().trim_matches('"')).collect();
    let place = |class: &String| names.iter().position(|name| name == class);
    let places: Option<Vec<usize>> = classes.iter().map(place).collect();
    let Some(places) = places.filter(|places| places.len() == names.len()) else {
        let what = format!("{shown}: the first line does not name the classes");
        return Err(wrong(what, format!("begin with a line of all of them: {}", classes.join(","))));
    };
    let mut all = Vec::new();
    for (at, line) in lines.enumerate() {
        let numbers = line.split(',').map(|x| x.trim().parse::<f64>().ok().filter(|x| fits(*x)));
        let numbers: Option<Vec<f64>> = numbers.collect();
        let Some(numbers) = numbers.filter(|numbers| numbers.len() == names.len()) else {
            let what = format!("{shown}: line {}: not {} {what}", at + 2, names.len());
            return Err(wrong(what, "give a number for each class"));
        };
        all.extend(places.iter().map(|&place| numbers[place]));
    }
    Ok(all)
}

/// The votes of the best mixture, row by row.
fn mixture(answer: &Answer, out: &mut dyn io::Write) -> io::Result<()> {
    for (at, name) in answer.names.iter().enumerate() {
        out.write_all(if at > 0 { b"," } else { b"" })?;
        write_text(out, name, b',', false)?;
    }
    writeln!(out)?;
    for votes in answer.findings.votes().chunks_exact(answer.findings.classes) {
        let shares: Vec<String> = votes.iter().map(f64::to_string).collect();
        writeln!(out, "{}", shares.join(","))?;
    }
    Ok(())
}

/// How the rows that were certified are trained on.
struct Trained<'a> {
    args: &'a CertifyArgs,
    /// Whether rows were left out because their weight is 0.
    dropped: bool,
}

impl Trained<'_> {
    /// A command that runs as it stands.
    fn command(&self, answer: &Answer, run: &ProvedRun) -> String {
        let CertifyArgs { data, columns, encode, .. } = self.args;
        let out = format!("{}.model", run.booster);
        let mut words = vec!["manyboost train".to_string(), quoted(data), option("out", &out)];
        let mut put = |name: &str, value: &str| words.push(option(name, value));
        put("booster", run.booster);
        answer.options(run).into_iter().for_each(|(name, value)| put(name, value));
        // All rows count the same here; but those of weight 0 not at all.
        let mut ignored = columns.ignore.clone();
        ignored.extend(columns.weight.clone().filter(|_| !self.dropped));
        let weight = columns.weight.as_deref().filter(|_| self.dropped);
        let one = [
            ("target", columns.target.as_deref()),
            ("labels", columns.labels.as_deref()),
            ("weight", weight),
            ("bins", encode.bins.as_deref()),
            ("ngrams", encode.ngrams.as_deref()),
        ];
        one.into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
            .for_each(|(name, value)| put(name, value));
        for (name, several) in
            [("ignore", &ignored), ("categorical", &columns.categorical), ("text", &columns.text)]
        {
            if !several.is_empty() {
                put(name, &several.join(","));
            }
        }
        words.join(" ")
    }
}

fn document(answer: &Answer, trained: &Trained<'_>) -> Value {
    let mut document = answer.document();
    for (at, verdict) in answer.findings.verdicts().iter().enumerate() {
        let commands: Vec<String> = verdict.runs.iter().map(|run| trained.command(answer, run)).collect();
        document["verdicts"][at]["commands"] = commands.into();
    }
    document
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

fn text(answer: &Answer, trained: &Trained<'_>) -> String {
    let f = &answer.findings;
    let (rows, k) = (messages::count(f.rows, "row"), f.classes);
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
        let _ = writeln!(text, "{}: {promise}\n    {}", verdict.boosters, verdict.why);
        for run in &verdict.runs {
            let _ = writeln!(text, "      {}", trained.command(answer, run));
        }
    }
    if f.boostable() == Some(false) && f.exact {
        text += "No booster that adds up answers of these classifiers is right on every row.\n";
    }
    text
}

fn against(answer: &Answer, own: u32, other: u32) -> String {
    let name = |class: u32| messages::name(&answer.names[class as usize]);
    format!("{} against {}", name(own), name(other))
}

fn hardest_pairs(answer: &Answer) -> String {
    let pair = |&(own, other, share): &(u32, u32, f64)| {
        format!("{} ({})", against(answer, own, other), messages::percent(share))
    };
    let pairs: Vec<String> = answer.pairs().iter().take(NAMED).map(pair).collect();
    format!("{} of the weight", pairs.join(", "))
}

fn hardest_rows(answer: &Answer) -> String {
    let hardest = answer.findings.hardest(&answer.y);
    let row = |&(row, other, share): &(usize, u32, f64)| {
        format!("{} ({}, {})", row + 1, against(answer, answer.y[row], other), messages::percent(share))
    };
    let rows: Vec<String> = hardest.iter().take(NAMED).map(row).collect();
    format!("rows {}; {} (row, class) have weight", rows.join(", "), messages::grouped(hardest.len()))
}

fn word(holds: Option<bool>) -> &'static str {
    match holds {
        Some(true) => "yes",
        Some(false) => "no",
        None => "open",
    }
}
