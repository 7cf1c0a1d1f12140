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
                bar.set_position(number as u64);
                bar.set_message(figures(record));
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
    let mut text = format!("loss {}  train {}", say::figure(record.loss), say::percent(record.train_error));
    if let Some(error) = record.valid_error {
        text += &format!("  valid {}", say::percent(error));
    }
    if let Some(error) = record.test_error {
        text += &format!("  test {}", say::percent(error));
    }
    text
}
