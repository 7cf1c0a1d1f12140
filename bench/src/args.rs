//! What is measured on what.

use std::collections::BTreeMap;
use std::error::Error;

use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::{Limits, PrepareOptions, Table, TrainingPlan, read};

/// Anything that goes wrong, as words.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// The command line, without the command.
#[derive(Default)]
pub(crate) struct Args {
    pub file: Option<String>,
    pub train: Option<String>,
    pub test: Option<String>,
    pub booster: String,
    pub threads: Option<usize>,
    pub bins: Option<u32>,
    pub seed: u64,
    pub rows: Option<usize>,
    pub wait: bool,
    /// Whether to print the test errors of all rounds.
    pub staged: bool,
    /// How many workers train together, and which of them this is.
    pub workers: usize,
    pub rank: Option<usize>,
    /// How often every row is there.
    pub copies: usize,
    pub repeat: usize,
    /// Whether workers are machines that are not there.
    pub simulate: bool,
    options: BTreeMap<String, String>,
}

impl Args {
    pub(crate) fn parse(words: Vec<String>) -> Result<Self, Failure> {
        let mut args =
            Self { booster: "mcboost".into(), seed: 1, workers: 2, copies: 1, repeat: 1, ..Self::default() };
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let Some(name) = word.strip_prefix("--") else {
                args.file = Some(word);
                continue;
            };
            let flag = match name {
                "wait" => Some(&mut args.wait),
                "staged" => Some(&mut args.staged),
                "simulate" => Some(&mut args.simulate),
                _ => None,
            };
            if let Some(flag) = flag {
                *flag = true;
                continue;
            }
            let value = words.next().ok_or_else(|| format!("--{name} needs a value"))?;
            match name {
                "train" => args.train = Some(value),
                "test" => args.test = Some(value),
                "booster" => args.booster = value,
                "threads" => args.threads = Some(value.parse()?),
                "bins" => args.bins = Some(value.parse()?),
                "seed" => args.seed = value.parse()?,
                "rows" => args.rows = Some(value.parse()?),
                "workers" => args.workers = value.parse()?,
                "rank" => args.rank = Some(value.parse()?),
                "copies" => args.copies = value.parse()?,
                "repeat" => args.repeat = value.parse()?,
                _ => {
                    args.options.insert(name.into(), value);
                }
            }
        }
        Ok(args)
    }

    /// The booster with all its options; `rounds` takes precedence over the option of that name.
    pub(crate) fn setup(&self, rounds: Option<usize>) -> Result<Setup, Failure> {
        let mut options = self.options.clone();
        if let Some(rounds) = rounds {
            options.insert("rounds".into(), rounds.to_string());
        }
        Ok(Setup::new(&self.booster, Options::new(options))?)
    }

    /// How tables are prepared.
    pub(crate) fn prepare(&self) -> PrepareOptions {
        let mut options = PrepareOptions::default();
        if let Some(bins) = self.bins {
            options.encode.bins = bins;
        }
        options.values = self.options.get("learner").is_some_and(|name| name == "linear");
        options
    }

    /// Training and test rows.
    pub(crate) fn tables(&self) -> Result<(Table, Table), Failure> {
        let train = self.train.as_ref().ok_or("--train FILE is missing")?;
        let table = table(train)?;
        if let Some(test) = &self.test {
            return Ok((table, self::table(test)?));
        }
        let (test, train): (Vec<u32>, Vec<u32>) = (0..table.rows as u32).partition(|row| row % 5 == 4);
        Ok((table.select(&train), table.select(&test)))
    }
}

/// A table whose class is the column `class`, or the last.
pub(crate) fn table(path: &str) -> Result<Table, Failure> {
    Ok(read(path, &TrainingPlan::default(), &Limits::default())?)
}
