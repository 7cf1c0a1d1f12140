//! A training run drawn from bytes: data, booster, learner, options, and what else can be chosen.

use std::fmt;
use std::fs;
use std::sync::atomic::AtomicBool;

use manyboost::engine::job::{Choices, Job};
use manyboost::engine::train::{Observer, Outcome as Trained, Round, Watched};
use manyboost::model::{Checkpoint, Model};
use manyboost::spec::options::Options;
use manyboost::spec::registry::{BOOSTERS, BoosterEntry, Setup};
use manyboost_data::{
    Applied, ClassWeights, EncodeOptions, PrepareOptions, Prepared, Result, Table, apply, prepare, write_csv,
};
use tempfile::TempDir;

use crate::Draw;
use crate::options::{self, Given};
use crate::rows::{Plan, Question, Rows};

/// What rows weigh.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Weighing {
    /// Nothing is said.
    Alike,
    /// Whole numbers, zero among them: how often a row is there.
    Counts(Vec<u32>),
    /// Any numbers.
    Values(Vec<f64>),
}

/// The rows to validate on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Valid {
    None,
    Fraction(f64),
    Others,
}

/// A training run.
pub struct Case {
    booster: &'static str,
    options: Given,
    pub(crate) rows: Rows,
    pub(crate) others: Rows,
    pub(crate) weighing: Weighing,
    class_weights: Option<ClassWeights>,
    encode: EncodeOptions,
    valid: Valid,
    patience: Option<usize>,
    seed: u64,
    /// The round after which a second run goes on.
    pub(crate) pause: usize,
    /// Another order of the rows.
    pub(crate) order: Vec<u32>,
    /// Files that options name.
    _files: TempDir,
}

/// A file to train on: which rows, and what they weigh.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) rows: Vec<u32>,
    pub(crate) weights: Option<Vec<f64>>,
}

/// What came of a run.
pub(crate) struct Run {
    pub(crate) model: Model,
    pub(crate) prepared: Prepared,
    /// The rows that were trained on, and those that were validated on, as the model looks at them.
    pub(crate) trained: Applied,
    pub(crate) valid: Option<Applied>,
    /// The run after the round of [`Case::pause`].
    pub(crate) paused: Option<Checkpoint>,
}

impl Case {
    /// The run that bytes stand for.
    ///
    /// # Panics
    /// If no temporary folder can be made.
    pub fn draw(bytes: &[u8]) -> Self {
        let draw = &mut Draw::new(bytes);
        let files = tempfile::tempdir().expect("a temporary folder");
        let entry = &BOOSTERS[draw.below(BOOSTERS.len())];
        let question = question(draw, entry);
        let names = Plan::draw(&mut draw.clone(), question, true);
        let options = options::draw(draw, entry.name, |draw, word| file(draw, &files, word, &names));
        let by_values =
            options.iter().any(|(name, value)| name == "learner" && matches!(&**value, "linear" | "line"));
        let numbers_only = by_values && !draw.one_in(8);
        let plan = Plan::draw(draw, question, numbers_only);
        let count = draw.of(&[12, 8, 20, 5, 33, 3, 60, 2, 1]);
        let rows = plan.rows(draw, count);
        let few = draw.within(1..=8);
        let others = plan.rows(draw, few);
        let valid = draw.of(&[Valid::None, Valid::None, Valid::Others, Valid::Fraction(0.3)]);
        let patience = (valid != Valid::None && draw.one_in(2)).then(|| draw.within(1..=3));
        Self {
            booster: entry.name,
            options,
            weighing: weighing(draw, count),
            class_weights: class_weights(draw, &plan),
            encode: encode(draw),
            valid,
            patience,
            seed: u64::from(draw.byte()),
            pause: draw.within(1..=8),
            order: draw.order(count),
            rows,
            others,
            _files: files,
        }
    }

    /// The file as it was drawn.
    pub(crate) fn file(&self) -> File {
        let weights = match &self.weighing {
            Weighing::Alike => None,
            Weighing::Counts(counts) => Some(counts.iter().map(|&count| f64::from(count)).collect()),
            Weighing::Values(values) => Some(values.clone()),
        };
        File { rows: (0..self.rows.len() as u32).collect(), weights }
    }

    /// Trains on a file; `earlier` is a run that is to go on.
    pub(crate) fn run(&self, file: &File, earlier: Option<&Checkpoint>) -> Result<Run> {
        let setup = Setup::new(self.booster, Options::new(self.options.clone()))?;
        let (table, held) = self.hold_out(self.rows.table(&file.rows, file.weights.as_deref()))?;
        let options = PrepareOptions {
            encode: self.encode,
            class_weights: self.class_weights.clone(),
            values: setup.learner.needs_values(),
            ..PrepareOptions::default()
        };
        let prepared = prepare(table.clone(), &options)?;
        let setup = setup.for_data(&prepared.dataset)?;
        let seen = |table: Table| apply(table, &prepared.schema, &prepared.encoder);
        let trained = seen(table)?;
        let valid =
            held.or_else(|| (self.valid == Valid::Others).then(|| self.probes())).map(seen).transpose()?;
        let watched = Watched { valid: valid.as_ref(), test: None };
        let choices = Choices {
            seed: self.seed,
            patience: self.patience,
            held_out: if let Valid::Fraction(fraction) = self.valid { Some(fraction) } else { None },
            encode: self.encode,
            ..Choices::default()
        };
        let job = Job { setup: &setup, prepared: &prepared, watched, choices: &choices };
        let earlier = earlier.map(|checkpoint| job.resume(checkpoint.clone())).transpose()?;
        let mut keeper = Keeper { round: self.pause, kept: None };
        let model = job.model(job.train(earlier, &AtomicBool::new(false), &mut keeper)?);
        let paused = keeper.kept.map(|outcome| job.checkpoint(outcome));
        Ok(Run { model, prepared, trained, valid, paused })
    }

    /// Other rows than those to train on.
    pub(crate) fn probes(&self) -> Table {
        self.others.table(&(0..self.others.len() as u32).collect::<Vec<_>>(), None)
    }

    fn hold_out(&self, table: Table) -> Result<(Table, Option<Table>)> {
        let Valid::Fraction(fraction) = self.valid else { return Ok((table, None)) };
        let [kept, held] = table.split(fraction, self.seed)?;
        Ok((kept, Some(held)))
    }
}

/// Keeps what a run had come to after one of its rounds.
struct Keeper {
    round: usize,
    kept: Option<Trained>,
}

impl Observer for Keeper {
    fn round(&mut self, round: &Round<'_>) -> Result<()> {
        if round.number == self.round {
            self.kept = Some(round.outcome.clone());
        }
        Ok(())
    }
}

fn question(draw: &mut Draw<'_>, entry: &BoosterEntry) -> Question {
    let sets = if entry.sets { draw.one_in(2) } else { draw.one_in(32) };
    if sets {
        return Question::Labels(draw.within(1..=4));
    }
    let any = draw.of(&[3, 2, 4, 6, 1]);
    Question::Classes(if entry.name == "adaboost" && any != 1 && !draw.one_in(8) { 2 } else { any })
}

fn weighing(draw: &mut Draw<'_>, rows: usize) -> Weighing {
    const FLOATS: [f64; 8] = [1.0, 0.5, 0.1, 0.3, 7.25, 1e-300, 1e300, 5e-324];
    match draw.below(6) {
        0 | 1 => Weighing::Alike,
        2 => Weighing::Counts((0..rows).map(|_| draw.below(4) as u32).collect()),
        3 => Weighing::Counts((0..rows).map(|_| 1 + draw.below(3) as u32).collect()),
        // All alike, or all even: counts all the same.
        4 => {
            let times = draw.within(1..=3) as u32;
            let spread = draw.within(1..=2);
            Weighing::Counts((0..rows).map(|_| times * (1 + draw.below(spread) as u32)).collect())
        }
        _ => {
            let most = draw.of(&[5, 8]);
            Weighing::Values((0..rows).map(|_| FLOATS[draw.below(most)]).collect())
        }
    }
}

fn class_weights(draw: &mut Draw<'_>, plan: &Plan) -> Option<ClassWeights> {
    match draw.below(8) {
        6 => Some(ClassWeights::Balanced),
        7 => {
            let weight = |name: &&str| ((*name).to_string(), draw.of(&[1.0, 2.0, 0.1, 3.5]));
            Some(ClassWeights::Given(plan.classes().iter().take(2).map(weight).collect()))
        }
        _ => None,
    }
}

fn encode(draw: &mut Draw<'_>) -> EncodeOptions {
    EncodeOptions {
        bins: draw.of(&[255, 0, 2, 3, 16]),
        ngrams: draw.of(&[1, 2, 3]),
        min_docs: draw.of(&[3, 1, 2]),
        rare: draw.of(&[3, 0, 1, 2]),
    }
}

/// Writes the file of an option; its path.
fn file(draw: &mut Draw<'_>, folder: &TempDir, word: &str, plan: &Plan) -> String {
    let classes = plan.classes();
    let lines = |value: &mut dyn FnMut(usize, usize) -> f64, columns: usize| {
        let line = |row| (0..columns).map(|at| value(row, at).to_string()).collect::<Vec<_>>().join(",");
        (0..classes.len()).map(line).collect::<Vec<_>>()
    };
    let quoted = |name: &&str| format!("\"{}\"", name.replace('"', "\"\""));
    let text = match word {
        "@costs" => {
            const COSTS: [f64; 6] = [1.0, 0.0, 20.0, 0.5, 1e-100, 1e100];
            let names: Vec<String> = classes.iter().map(quoted).collect();
            let mut cost = |row, at| if row == at { 0.0 } else { draw.of(&COSTS) };
            let lines = lines(&mut cost, classes.len());
            let lines: Vec<String> =
                names.iter().zip(lines).map(|(name, line)| format!("{name},{line}")).collect();
            format!("truth,{}\n{}\n", names.join(","), lines.join("\n"))
        }
        "@code" => lines(&mut |_, _| draw.of(&[1.0, -1.0]), 4).join("\n"),
        _ => lines(&mut |_, _| draw.of(&[1.0, -1.0, 0.25, 1e-3, -7.0]), 3).join("\n"),
    };
    let path = folder.path().join(format!("{}.csv", &word[1..]));
    fs::write(&path, text).expect("a temporary file");
    path.display().to_string()
}

impl fmt::Display for Case {
    /// The command, and the file to run it on.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--booster {}", self.booster)?;
        for (name, value) in &self.options {
            match fs::read_to_string(value) {
                Ok(text) => write!(f, " --{name} {text:?}")?,
                Err(_) => write!(f, " --{name} {value:?}")?,
            }
        }
        let EncodeOptions { bins, ngrams, min_docs, rare } = self.encode;
        write!(f, " --seed {} --bins {bins} --ngrams {ngrams}", self.seed)?;
        writeln!(
            f,
            " (min_docs {min_docs}, rare {rare}, {:?}, patience {:?}, {:?}, pause {})",
            self.valid, self.patience, self.class_weights, self.pause
        )?;
        let File { rows, weights } = self.file();
        let mut text = Vec::new();
        for table in [self.rows.table(&rows, weights.as_deref()), self.probes()] {
            write_csv(&table, &mut text).map_err(|_| fmt::Error)?;
            text.push(b'\n');
        }
        f.write_str(&String::from_utf8_lossy(&text))
    }
}
