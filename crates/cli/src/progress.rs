//! Progress: a bar of rounds or a spinner on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use manyboost::engine::history::Told;
use manyboost::engine::train::{Observer, Round, Rounds};
use manyboost::engine::tuning::Rung;
use manyboost::spec::bounds::Bounds;
use manyboost_data::visible;
use unicode_width::UnicodeWidthStr;

use crate::{messages, threads};

/// Time between two lines.
const PAUSE: Duration = Duration::from_secs(5);
/// Time between two turns of a spinner.
const TURN: Duration = Duration::from_millis(250);

/// Columns that a line has beside its indentation, so that it fits the narrowest terminals.
const WIDTH: usize = 77;
/// Columns of a bar, and the one behind it.
const BAR: usize = 11;

/// Shows how training goes.
pub struct Progress {
    /// What is trained, if that must be said.
    what: String,
    rounds: Rounds,
    rows: usize,
    bounds: Bounds,
    /// What rows that were not trained on said last, and the best that they said.
    rungs: Option<(Rung, Rung)>,
    /// When the first round began to be looked at, and its number.
    began: Option<(Instant, usize)>,
    shown: Shown,
}

enum Shown {
    /// On a terminal.
    Bar(ProgressBar),
    /// Elsewhere: when the last line was.
    Lines(Instant),
    /// Not at all.
    Silent,
}

impl Progress {
    /// For so many rounds at most, on so many rows.
    pub fn new(what: &str, rounds: Rounds, rows: usize, bounds: Bounds) -> Self {
        let shown = if messages::is_quiet() {
            Shown::Silent
        } else if std::io::stderr().is_terminal() {
            Shown::Bar(bar(rounds.most()))
        } else {
            Shown::Lines(Instant::now())
        };
        let what = if what.is_empty() { String::new() } else { format!("{what}  ") };
        Self { what, rounds, rows, bounds, rungs: None, began: None, shown }
    }

    /// After a round.
    pub fn round(&mut self, round: &Round<'_>) {
        let bound = self.bounds.after(&round.outcome.ensemble.rounds, round.record);
        self.figures(round.number, &Told { record: *round.record, bound });
    }

    fn figures(&mut self, number: usize, round: &Told) {
        let (began, first) = *self.began.get_or_insert((Instant::now(), number));
        // How many rounds are left is not known where the data decide.
        let (of, left) = match self.rounds {
            Rounds::Given(rounds) => (format!("/{rounds}"), Some(rounds - number.min(rounds))),
            Rounds::Found(_) => (String::new(), None),
        };
        let pace = Pace::new(began.elapsed().as_secs_f64(), number - first, left, self.rows);
        let (what, aside) = (&self.what, self.rungs.map(told));
        let words = |room: usize| {
            let mut parts = vec![format!("{what}round {number}{of}{pace}")];
            parts.extend(aside);
            parts.extend(figures(round));
            parts.extend(pace.speed());
            fitted(&parts, room)
        };
        match &mut self.shown {
            Shown::Silent => {}
            Shown::Bar(bar) => {
                bar.set_message(words(WIDTH - BAR));
                bar.set_position(number as u64);
            }
            Shown::Lines(last) => {
                if last.elapsed() >= PAUSE {
                    *last = Instant::now();
                    messages::tell(&format!("  {}", words(WIDTH)));
                }
            }
        }
    }

    /// After rows that were not trained on were asked.
    pub fn rung(&mut self, rung: &Rung, best: Rung) {
        self.rungs = Some((*rung, best));
    }

    /// After the last round.
    pub fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Progress {
    fn round(&mut self, round: &Round<'_>) -> manyboost_data::Result<()> {
        Progress::round(self, round);
        Ok(())
    }

    fn rung(&mut self, rung: &Rung, best: Rung) {
        Progress::rung(self, rung, best);
    }
}

fn bar(rounds: usize) -> ProgressBar {
    let bar = ProgressBar::new(rounds as u64);
    if let Ok(style) = ProgressStyle::with_template("  {bar:10.cyan} {wide_msg}") {
        bar.set_style(style.progress_chars("━╸ "));
    }
    bar
}

/// What rows that were not trained on say.
fn told((rung, best): (Rung, Rung)) -> String {
    let Rung { rounds, loss, .. } = best;
    format!(
        "log loss aside {} (least {} after {rounds})",
        messages::figure(rung.loss),
        messages::figure(loss)
    )
}

/// As many of the parts as there is room for, the first ones first.
fn fitted(parts: &[String], room: usize) -> String {
    let mut line = String::new();
    for part in parts {
        let more = if line.is_empty() { part.clone() } else { format!("  {part}") };
        if line.is_empty() || line.width() + more.width() <= room {
            line.push_str(&more);
        }
    }
    line
}

/// The time that has passed and the time that is left, and rows a second, as soon as they can be told.
struct Pace {
    passed: f64,
    left: Option<f64>,
    speed: Option<f64>,
}

impl Pace {
    fn new(seconds: f64, done: usize, left: Option<usize>, rows: usize) -> Self {
        let known = done > 0 && seconds > 0.0;
        Self {
            passed: seconds,
            left: left.filter(|_| known).map(|left| seconds / done as f64 * left as f64),
            speed: known.then(|| (done * rows) as f64 / seconds),
        }
    }

    fn speed(&self) -> Option<String> {
        self.speed.map(|speed| match speed {
            s if s >= 1e6 => format!("{:.1}M rows/s", s / 1e6),
            s if s >= 1e3 => format!("{:.0}k rows/s", s / 1e3),
            s => format!("{s:.0} rows/s"),
        })
    }
}

impl std::fmt::Display for Pace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.speed.is_some() {
            write!(f, "  {}", messages::about(self.passed))?;
        }
        self.left.map_or(Ok(()), |left| write!(f, ", {} left", messages::about(left)))
    }
}

/// The figures that matter, those first that matter most.
fn figures(Told { record, bound }: &Told) -> Vec<String> {
    // What is not below 1 says nothing.
    let below = |bound: Option<f64>| bound.filter(|bound| *bound <= 1.0);
    let errors = [
        ("valid", record.valid_error),
        ("test", record.test_error),
        ("train", Some(record.train_error)),
        ("bound", below(bound.error)),
        ("at the end at most", below(bound.at_end.filter(|_| bound.error.is_none()))),
        ("ranking loss", record.ranking_loss.filter(|_| bound.ranking_loss.is_some())),
        ("bound", below(bound.ranking_loss)),
    ];
    let errors =
        errors.into_iter().filter_map(|(name, error)| Some(format!("{name} {}", messages::percent(error?))));
    let others = [
        ("metric", record.valid_metric),
        ("valid loss", record.valid_loss),
        ("loss", Some(record.loss)),
        ("edge", record.edge),
    ];
    let others = others.into_iter().filter_map(|(name, x)| Some(format!("{name} {}", messages::figure(x?))));
    errors.chain(others).collect()
}

/// Turns on a terminal while something goes on that cannot be counted.
pub struct Spinner(Option<ProgressBar>);

impl Spinner {
    /// With these words beside it.
    pub fn new(what: &str) -> Self {
        if messages::is_quiet() || !std::io::stderr().is_terminal() || threads::scarce() {
            return Self(None);
        }
        let spinner = ProgressBar::new_spinner().with_message(format!("{} …", visible(what)));
        spinner.enable_steady_tick(TURN);
        Self(Some(spinner))
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        if let Some(spinner) = &self.0 {
            spinner.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use manyboost::engine::history::Record;
    use manyboost::spec::bounds::Bound;

    use super::*;

    #[test]
    fn pace_is_told_after_the_first_round() {
        let told = |pace: Pace| (pace.to_string(), pace.speed().unwrap_or_default());
        let words = |a: &str, b: &str| (a.to_string(), b.to_string());
        assert_eq!(told(Pace::new(0.0, 0, Some(10), 100)), words("", ""));
        assert_eq!(told(Pace::new(2.0, 4, Some(10), 1000)), words("  2 s, 5 s left", "2k rows/s"));
        assert_eq!(told(Pace::new(2.0, 1, Some(100), 7_000_000)), words("  2 s, 3 min left", "3.5M rows/s"));
        assert_eq!(told(Pace::new(2.0, 4, None, 1000)), words("  2 s", "2k rows/s"));
    }

    #[test]
    fn a_line_fits() {
        let parts = ["round 7", "valid 2.00 %", "a very long part of the line", "k"].map(String::from);
        assert_eq!(fitted(&parts, 25), "round 7  valid 2.00 %  k");
        assert_eq!(fitted(&parts, 5), "round 7");
        let full = Record {
            valid_error: Some(0.1),
            valid_loss: Some(0.2),
            test_error: Some(0.3),
            ..Record::default()
        };
        let all = figures(&Told { record: full, bound: Bound { error: Some(0.5), ..Bound::default() } });
        assert!(fitted(&all, WIDTH).starts_with("valid 10.00 %  test 30.00 %  train 0.00 %"));
        assert!(fitted(&all, WIDTH - BAR).width() <= 80 - 2 - BAR);
    }

    #[test]
    fn bounds_that_say_nothing_are_left_out() {
        let record = Record { loss: 1.0, train_error: 0.5, ranking_loss: Some(0.25), ..Record::default() };
        let figures = |bound| figures(&Told { record, bound }).join("  ");
        let (nothing, most) = (Bound::default(), Some(0.5));
        assert_eq!(figures(Bound { error: Some(1.5), ..nothing }), "train 50.00 %  loss 1.0000");
        assert_eq!(figures(Bound { error: most, ..nothing }), "train 50.00 %  bound 50.00 %  loss 1.0000");
        let at_end = "train 50.00 %  at the end at most 50.00 %  loss 1.0000";
        assert_eq!(figures(Bound { at_end: most, ..nothing }), at_end);
        let ranking = "train 50.00 %  ranking loss 25.00 %  bound 50.00 %  loss 1.0000";
        assert_eq!(figures(Bound { ranking_loss: most, ..nothing }), ranking);
    }
}
