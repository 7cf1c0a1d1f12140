//! Progress of training: a bar on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use polyboost::history::Record;

use crate::say;

/// Time between two lines.
const PAUSE: Duration = Duration::from_secs(5);

/// Shows how training goes.
pub enum Progress {
    /// On a terminal.
    Bar(ProgressBar),
    /// Elsewhere: when the last line was, and how many rounds there will be.
    Lines {
        /// When it was.
        last: Instant,
        /// Most rounds.
        rounds: usize,
    },
    /// Not at all.
    Silent,
}

impl Progress {
    /// For so many rounds at most.
    pub fn new(rounds: usize) -> Self {
        if say::is_quiet() {
            return Self::Silent;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines { last: Instant::now(), rounds };
        }
        let bar = ProgressBar::new(rounds as u64);
        let template = "  {wide_bar:.cyan} round {pos}/{len}  {msg}  {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸ "));
        }
        Self::Bar(bar)
    }

    /// After a round.
    pub fn round(&mut self, number: usize, record: &Record) {
        match self {
            Self::Silent => {}
            Self::Bar(bar) => {
                bar.set_message(figures(record));
                bar.set_position(number as u64);
            }
            Self::Lines { last, rounds } => {
                if last.elapsed() >= PAUSE {
                    *last = Instant::now();
                    say::tell(&format!("  round {number}/{rounds}  {}", figures(record)));
                }
            }
        }
    }

    /// After the last round.
    pub fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// The figures that matter.
fn figures(record: &Record) -> String {
    let errors =
        [("train", Some(record.train_error)), ("valid", record.valid_error), ("test", record.test_error)];
    let errors =
        errors.into_iter().filter_map(|(name, error)| Some(format!("{name} {}", say::percent(error?))));
    let all: Vec<String> =
        std::iter::once(format!("loss {}", say::figure(record.loss))).chain(errors).collect();
    all.join("  ")
}
