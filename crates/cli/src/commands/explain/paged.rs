//! Explanations as a page: some rows one by one, and what columns add over all of them.

use manyboost::explain::Explainer;
use manyboost::files::write_atomic;
use manyboost::model::Model;
use manyboost_report::why::{Adds, CLASSES, ClassReasons, PARTS, ROWS, RowReasons, Subject, page};

use super::explained::Explained;
use super::table::classes;
use crate::args::ExplainArgs;
use crate::commands::report::command_line;
use crate::failure::Outcome;
use crate::messages;

/// A page under way.
#[derive(Default)]
pub struct Paged {
    rows: Vec<RowReasons>,
    explained: usize,
    /// For each part, how far it has moved the score of each class so far, and its name.
    moves: Vec<(String, Vec<f64>)>,
}

impl Paged {
    /// Adds a row by its place among those explained and its number in the file.
    pub fn put(&mut self, explained: &Explained<'_>, at: usize, number: usize) {
        let parts = 0..explained.parts().len();
        if self.moves.is_empty() {
            let none = vec![0.0; explained.expected().len()];
            self.moves = parts.clone().map(|part| (explained.shown(part), none.clone())).collect();
        }
        for (part, (_, moved)) in parts.zip(&mut self.moves) {
            moved.iter_mut().zip(explained.adds(at, part)).for_each(|(sum, x)| *sum += x.abs());
        }
        self.explained += 1;
        if self.rows.len() < ROWS {
            let classes = explained.contenders(at, CLASSES);
            let classes = classes.into_iter().map(|class| reasons(explained, at, class)).collect();
            self.rows.push(RowReasons { number, answer: explained.answer(at).into_owned(), classes });
        }
    }

    /// Writes the page.
    pub fn finish(mut self, args: &ExplainArgs, model: &Model, explainer: &Explainer<'_>) -> Outcome {
        let Some(out) = &args.page else { return Ok(()) };
        let rows = self.explained.max(1) as f64;
        self.moves.iter_mut().flat_map(|(_, moved)| moved).for_each(|sum| *sum /= rows);
        let names: Vec<String> = classes(model).into_iter().map(messages::name).collect();
        let by = match &args.background {
            Some(rows) => format!("beside the rows of {rows}"),
            None => "by the shares of the training rows".to_string(),
        };
        let lead = format!(
            "{} of {}, explained by {} {by}",
            messages::count(self.explained, "row"),
            args.data,
            args.model.display()
        );
        let subject = Subject {
            title: "Why these answers?",
            lead: &lead,
            names: &names,
            expected: explainer.expected(),
            rows: &self.rows,
            moves: &self.moves,
            explained: self.explained,
            command: &command_line(),
        };
        write_atomic(out, page(&subject).as_bytes())?;
        messages::tell(&format!("  the page is {}", out.display()));
        Ok(())
    }
}

/// What adds up to the score of a class.
fn reasons(explained: &Explained<'_>, at: usize, class: usize) -> ClassReasons {
    let amount = |part: usize| explained.adds(at, part)[class];
    let mut order: Vec<usize> = (0..explained.parts().len()).filter(|&part| amount(part) != 0.0).collect();
    order.sort_by(|&a, &b| amount(b).abs().total_cmp(&amount(a).abs()).then(a.cmp(&b)));
    let rest = order.split_off(order.len().min(PARTS));
    let adds = |&part: &usize| Adds {
        name: explained.shown(part),
        value: explained.value(at, part),
        amount: amount(part),
    };
    ClassReasons {
        class,
        probability: explained.probabilities(at)[class],
        parts: order.iter().map(adds).collect(),
        others: (rest.len(), rest.into_iter().map(amount).sum()),
    }
}
