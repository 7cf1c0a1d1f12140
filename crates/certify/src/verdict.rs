//! What the values mean for boosters, in words.

use crate::conditions::{Findings, Interval};

/// What a booster's own condition says of its training error.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The boosters, by the names of options.
    pub boosters: &'static [&'static str],
    /// Whether the condition promises that the training error can be driven to zero; `None` if that is not known.
    pub promised: Option<bool>,
    /// Why.
    pub why: String,
}

impl Findings {
    /// One verdict for each condition.
    pub fn verdicts(&self) -> Vec<Verdict> {
        vec![self.minimal(), self.uniform(), self.one_class(), self.of_samme(), self.of_iter()]
    }

    fn judge(&self, boosters: &'static [&'static str], value: Interval, [yes, no]: [String; 2]) -> Verdict {
        let promised = value.holds(self.tolerance);
        let why = match promised {
            Some(true) => yes,
            Some(false) => no,
            None => format!("not decided: the value is between {:.6} and {:.6}", value.lower, value.upper),
        };
        Verdict { boosters, promised, why }
    }

    fn minimal(&self) -> Verdict {
        let gamma = self.margin.lower;
        let rounds = self.rounds_of_mm().unwrap_or(f64::INFINITY);
        let promise = if self.exact { "" } else { "if the learner keeps this edge, " };
        let yes = format!(
            "boostable: some mixture leads by {gamma:.6} on every row; {promise}mm's bound is below one row after {rounds:.0} rounds"
        );
        let no = match self.alike {
            Some([a, b]) => format!(
                "not boostable: rows {} and {} look the same and have different classes",
                a + 1,
                b + 1
            ),
            None => format!(
                "not boostable: no mixture leads on every row by more than {:.1e}",
                self.margin.upper.max(0.0)
            ),
        };
        self.judge(&["mm", "mr", "m2", "os --condition minimal"], self.margin_interval(), [yes, no])
    }

    fn uniform(&self) -> Verdict {
        let edge = self.edge_over_random;
        let yes = format!("every wrong class can be held below uniform guessing, edge {:.6}", edge.lower);
        let no = format!("the edge over uniform guessing is {:.6}, not positive", edge.upper);
        self.judge(&["os --condition uniform"], edge, [yes, no])
    }

    fn one_class(&self) -> Verdict {
        let accuracy = self.accuracy;
        let yes = format!("accuracy above 1/2 on any weights of rows, at least {:.6}", accuracy.lower);
        let no = format!(
            "accuracy above 1/2 is asked for, and on the hardest weights of rows it is {:.6}",
            accuracy.upper
        );
        self.judge(&["m1", "mh --answers class"], self.m1(), [yes, no])
    }

    /// SAMME's condition is too weak for more than two classes: it may hold where nothing can be boosted.
    fn of_samme(&self) -> Verdict {
        let (accuracy, k) = (self.accuracy, self.classes);
        let beats = format!("accuracy above 1/{k} on any weights of rows, at least {:.6}", accuracy.lower);
        let no = format!(
            "accuracy above 1/{k} is asked for, and on the hardest weights it is {:.6}",
            accuracy.upper
        );
        let mut verdict = self.judge(&["samme"], self.samme(), [beats, no]);
        if k > 2 && verdict.promised == Some(true) {
            verdict.promised = Some(false);
            verdict.why += match self.boostable() {
                Some(false) => ": its condition holds, and yet nothing can be boosted",
                _ => {
                    ": its condition holds, but promises nothing (it also holds where nothing can be boosted)"
                }
            };
        }
        verdict
    }

    fn of_iter(&self) -> Verdict {
        let parts = self.iterative_on_parts();
        let both = match (self.iterative(), parts) {
            (Some(all), Some(parts)) => {
                Interval { lower: all.lower.min(parts.lower), upper: all.upper.min(parts.upper) }
            }
            (Some(all), None) => all,
            (None, _) => Interval { lower: f64::NEG_INFINITY, upper: f64::NEG_INFINITY },
        };
        let yes =
            format!("iteratively weakly learnable on the sets of classes looked at, by {:.6}", both.lower);
        let no = "not iteratively weakly learnable on some set of classes".to_string();
        self.judge(&["iter"], both, [yes, no])
    }
}
