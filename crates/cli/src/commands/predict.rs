//! `polyboost predict`: one line a row.

use std::io::{self, Write};
use std::path::Path;

use polyboost::answers::Applied;
use polyboost::costs::CostMatrix;
use polyboost::ensemble::{Ensemble, Term};
use polyboost::model::Model;
use polyboost::scores::{Scores, argmax};
use polyboost_data::{Frame, TargetSpec};
use serde_json::{Value, json};

use super::print_json;
use crate::args::PredictArgs;
use crate::failure::Outcome;
use crate::inputs::{self, number};
use crate::output::{self, Output};
use crate::progress::Spinner;
use crate::say;

/// One cell of the result.
enum Cell<'a> {
    Name(&'a str),
    Joined(String),
    Number(f64),
    Flag(bool),
}

pub fn run(args: &PredictArgs) -> Outcome {
    if let Some(out) = &args.out {
        output::check(out)?;
        let (model, data) = (args.model.as_path(), Path::new(&args.data));
        let data = (args.data != "-").then_some(data);
        output::distinct(&[("--out", Some(out))], &[("the model", Some(model)), ("the data", data)])?;
    }
    let top = args.top.as_deref().map(|n| number("--top", n, |n| *n >= 1, "a whole number of at least 1"));
    let top: Option<usize> = top.transpose()?;
    let model = Model::load(&args.model)?;
    let table = inputs::unanswered(&args.data, &model.schema)?;
    model.encoder.unseen(&table)?.iter().for_each(|note| say::note(note));
    let frame = Frame::new(table, &model.encoder)?;
    let costs = args.costs.as_deref().map(|path| inputs::costs(path, &model.schema.target)).transpose()?;
    let spinner = Spinner::new(&format!("predicting {}", say::count(frame.rows(), "row")));
    let answers = Answers::new(&model, &frame, args, top, costs);
    drop(spinner);
    if args.json {
        return print_json(&answers.json());
    }
    let mut out = Output::new(args.out.as_deref())?;
    out.write(|out| answers.csv(out))?;
    out.finish()
}

/// What is asked for of every row.
enum Wanted {
    Answer,
    Probabilities(Scores),
    Scores,
    Top(usize, Scores),
    Staged(Vec<Vec<Applied>>),
}

struct Answers<'a> {
    model: &'a Model,
    frame: &'a Frame,
    scores: Scores,
    wanted: Wanted,
    costs: Option<CostMatrix>,
}

impl<'a> Answers<'a> {
    fn new(
        model: &'a Model,
        frame: &'a Frame,
        args: &PredictArgs,
        top: Option<usize>,
        costs: Option<CostMatrix>,
    ) -> Self {
        let predictor = model.predictor();
        let width = model.ensemble.start.len();
        let wanted = if args.proba {
            Wanted::Probabilities(predictor.probabilities(frame))
        } else if args.scores {
            Wanted::Scores
        } else if args.staged {
            let applied = |term: &Term| term.hypothesis.answers.applied(term.alpha, width);
            let rounds = model.ensemble.rounds.iter();
            Wanted::Staged(rounds.map(|terms| terms.iter().map(applied).collect()).collect())
        } else if let Some(top) = top {
            Wanted::Top(top.min(model.schema.target.names().len()), predictor.probabilities(frame))
        } else {
            Wanted::Answer
        };
        Self { model, frame, scores: predictor.scores(frame), wanted, costs }
    }

    fn sets(&self) -> bool {
        matches!(self.model.schema.target, TargetSpec::Sets { .. })
    }

    /// The likeliest class, or the one that costs least.
    fn class(&self, scores: &[f64]) -> usize {
        match &self.costs {
            Some(costs) => {
                let mut p = scores.to_vec();
                self.model.ensemble.reading.link.apply(&mut p);
                costs.cheapest(&p)
            }
            None => argmax(scores),
        }
    }

    fn label(&self, class: usize) -> &str {
        self.model.schema.target.label(class).unwrap_or("")
    }

    fn header(&self) -> Vec<String> {
        let names = self.model.schema.target.names();
        match &self.wanted {
            Wanted::Top(n, _) => {
                let word = if self.sets() { "label" } else { "class" };
                (1..=*n).flat_map(|i| [format!("{word}_{i}"), format!("probability_{i}")]).collect()
            }
            Wanted::Staged(rounds) => (1..=rounds.len()).map(|i| format!("round_{i}")).collect(),
            _ if self.sets() => names.to_vec(),
            Wanted::Answer => vec!["class".into()],
            _ => std::iter::once("class".into()).chain(names.iter().cloned()).collect(),
        }
    }

    fn row(&self, row: usize) -> Vec<Cell<'_>> {
        let scores = self.scores.row(row);
        let with_class = |numbers: &[f64]| {
            let class = (!self.sets()).then(|| Cell::Name(self.label(self.class(scores))));
            class.into_iter().chain(numbers.iter().map(|&x| Cell::Number(x))).collect()
        };
        match &self.wanted {
            Wanted::Answer if self.sets() => scores.iter().map(|&x| Cell::Flag(x > 0.0)).collect(),
            Wanted::Answer => with_class(&[]),
            Wanted::Probabilities(p) => with_class(p.row(row)),
            Wanted::Scores => with_class(scores),
            Wanted::Top(n, p) => {
                let p = p.row(row);
                let mut order: Vec<usize> = (0..p.len()).collect();
                // The order of scores, which probabilities may round away.
                order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
                let cells = order.iter().take(*n);
                cells.flat_map(|&class| [Cell::Name(self.label(class)), Cell::Number(p[class])]).collect()
            }
            Wanted::Staged(rounds) => self.staged(row, rounds),
        }
    }

    /// The answer after each round.
    fn staged(&self, row: usize, rounds: &[Vec<Applied>]) -> Vec<Cell<'_>> {
        let (mut scores, mut buffer) = (self.model.ensemble.start.clone(), Vec::new());
        let Ensemble { rounds: terms, reading, .. } = &self.model.ensemble;
        let after = |(terms, applied): (&Vec<Term>, &Vec<Applied>)| {
            for (term, applied) in terms.iter().zip(applied) {
                let cell = term.hypothesis.cells.cell(|feature| self.frame.value(row, feature as usize));
                applied.add(cell, &mut scores);
            }
            let scores = reading.class_scores(&scores, &mut buffer);
            if self.sets() {
                let has = scores.iter().enumerate().filter(|&(_, &x)| x > 0.0);
                Cell::Joined(has.map(|(label, _)| self.label(label)).collect::<Vec<_>>().join(" "))
            } else {
                Cell::Name(self.label(argmax(scores)))
            }
        };
        terms.iter().zip(rounds).map(after).collect()
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let header = self.header();
        write_line(out, &header.iter().map(|name| Cell::Name(name)).collect::<Vec<_>>())?;
        (0..self.frame.rows()).try_for_each(|row| write_line(out, &self.row(row)))
    }

    fn json(&self) -> Value {
        let value = |cell: Cell<'_>| match cell {
            Cell::Name(name) => json!(name),
            Cell::Joined(text) => json!(text),
            Cell::Number(x) => json!(x),
            Cell::Flag(x) => json!(u8::from(x)),
        };
        let rows = (0..self.frame.rows()).map(|row| self.row(row).into_iter().map(value).collect::<Value>());
        json!({"columns": self.header(), "rows": rows.collect::<Vec<_>>()})
    }
}

fn write_line(out: &mut dyn Write, cells: &[Cell<'_>]) -> io::Result<()> {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            out.write_all(b",")?;
        }
        match cell {
            Cell::Name(text) => write_text(out, text, cells.len())?,
            Cell::Joined(text) => write_text(out, text, cells.len())?,
            Cell::Number(x) => write!(out, "{x}")?,
            Cell::Flag(x) => out.write_all(if *x { b"1" } else { b"0" })?,
        }
    }
    out.write_all(b"\n")
}

/// Text, quoted where it must be; nothing alone on its line is quoted too, or readers would skip the line.
fn write_text(out: &mut dyn Write, text: &str, cells: usize) -> io::Result<()> {
    let odd = |c: char| matches!(c, ',' | '"' | '\n' | '\r');
    let alone = text.is_empty() && cells == 1;
    if alone || text.contains(odd) || text.trim() != text {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        out.write_all(text.as_bytes())
    }
}
