//! How names, numbers and events are shown, on a terminal and on a page.

use manyboost::engine::history::Record;
use manyboost::spec::booster::Stop;
use manyboost::spec::registry;
use manyboost_data::wording;
pub use manyboost_data::wording::{count, grouped};

/// The longest part of a name that tables show.
const SHOWN: usize = 32;

/// A name as tables show it: on one line, its end left out if it is long.
pub fn name(name: &str) -> String {
    let mut shown = wording::visible(&name.chars().take(SHOWN).collect::<String>());
    if name.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    if shown.is_empty() { "\"\"".into() } else { shown }
}

/// The same; nothing stays nothing.
pub fn name_or_nothing(text: &str) -> String {
    if text.is_empty() { String::new() } else { name(text) }
}

/// A sum of weights: a number of rows, if they weigh one each.
pub fn weight(x: f64) -> String {
    if x.fract() == 0.0 { grouped(x as usize) } else { format!("{x:.1}") }
}

/// A share in per cent.
pub fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// A figure with four significant digits, more or less.
pub fn figure(x: f64) -> String {
    if x == 0.0 || (1e-3..1e6).contains(&x.abs()) { format!("{x:.4}") } else { format!("{x:.3e}") }
}

/// A number as short as it can be without becoming another one for the eye.
pub fn short(x: f64) -> String {
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    if rounded == 0.0 || (1e-4..1e7).contains(&rounded.abs()) {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}

/// A time span.
pub fn seconds(seconds: f64) -> String {
    if seconds < 100.0 {
        format!("{seconds:.2} s")
    } else {
        let whole = seconds.round() as u64;
        format!("{} min {:02} s", whole / 60, whole % 60)
    }
}

/// A time span that is only guessed: "12 s", "3 min".
pub fn about(seconds: f64) -> String {
    match seconds {
        s if s < 99.5 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Whether the weak learner kept the edge that the booster counts on, if it counts on one.
pub fn promise(history: &[Record]) -> Option<String> {
    history.iter().find(|record| record.promised.is_some())?;
    let broken = || history.iter().enumerate().filter(|(_, record)| record.short().is_some());
    let Some((first, record)) = broken().next() else {
        return Some(format!("kept in {}", count(history.len(), "round")));
    };
    let edges = record.edge.zip(record.promised);
    let edges = edges.map_or(String::new(), |(edge, promised)| {
        format!(" (edge {} instead of {})", figure(edge), short(promised))
    });
    let (broken, all) = (grouped(broken().count()), count(history.len(), "round"));
    Some(format!("broken in {broken} of {all}, first in round {}{edges}", first + 1))
}

/// Why the training of a booster stopped.
pub fn reason(stop: Stop, booster: &str) -> String {
    let words = match stop {
        Stop::Rounds => "all rounds are done",
        Stop::Perfect => "perfect: a hypothesis without error, nothing is left to learn",
        Stop::NoEdge => {
            let what = registry::booster(booster).map_or("no hypothesis is good enough", |b| b.no_edge);
            return format!("no edge: {what}");
        }
        Stop::Patience => {
            "patience: the validation rows have not improved for too long; the best round is kept"
        }
        Stop::Interrupted => "interrupted: the rounds until then are kept",
        Stop::Found => "found: more rounds are no better for rows that were not trained on",
    };
    words.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers() {
        assert_eq!(name("a\nb"), "a\\nb");
        assert_eq!(name(&"x".repeat(100)).chars().count(), SHOWN + 1);
        assert_eq!(short(0.1 + 0.2), "0.3");
        assert_eq!(short(1e300), "1e300");
        assert_eq!(seconds(125.2), "2 min 05 s");
    }

    #[test]
    fn promises() {
        let record = |edge: f64| Record { edge: Some(edge), promised: Some(0.2), ..Record::default() };
        assert_eq!(promise(&[Record::default()]), None);
        assert_eq!(promise(&[record(0.2), record(0.3)]).unwrap(), "kept in 2 rounds");
        let broken = "broken in 1 of 2 rounds, first in round 2 (edge 0.1500 instead of 0.2)";
        assert_eq!(promise(&[record(0.3), record(0.15)]).unwrap(), broken);
    }
}
