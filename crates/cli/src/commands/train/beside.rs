//! What is written beside the model while it is trained. None of it is worth the training: what cannot be written is given up,
//! training goes on, and the command fails at its end.

use manyboost::engine::train::Round;
use manyboost::model::Model;
use manyboost::model::ensemble::Ensemble;
use manyboost::theory::margins::MarginsOf;
use manyboost_data::Error;

use crate::failure::{Failure, Outcome};
use crate::messages;
use crate::trace::Trace;

/// The trace, and what could not be written.
pub struct Beside<'a> {
    pub trace: Option<Trace<'a>>,
    /// Those of the training rows, for the trace.
    pub margins: Option<MarginsOf>,
    /// The first file that could not be written, trace or checkpoint.
    pub unwritten: Option<Error>,
}

impl Beside<'_> {
    /// Traces a round that has just been done.
    pub fn round(&mut self, round: &Round<'_>) {
        if let Some(trace) = &mut self.trace {
            let Ensemble { rounds, start, .. } = &round.outcome.ensemble;
            let traced = trace.round(rounds, round.record, start.len(), true);
            self.traced(traced);
        }
    }

    /// Ends the trace.
    pub fn finish(&mut self, model: &Model) {
        if let Some(trace) = self.trace.take() {
            let traced = trace.finish(model.stop, model.history.len(), self.margins.as_ref());
            self.traced(traced);
        }
    }

    fn traced(&mut self, traced: Outcome) {
        if let Err(Failure::Error(error)) = traced {
            // What was written of it takes room that the model may need.
            self.trace = None;
            self.failed(error);
        }
    }

    /// Remembers what could not be written.
    pub fn failed(&mut self, error: Error) {
        if self.unwritten.is_none() {
            messages::note(&format!("{}; training goes on", messages::parameters(&error.what())));
            self.unwritten = Some(error);
        }
    }

    /// Makes room for a model that could not be written; whether there is any hope in it.
    pub fn give_up_trace(&mut self, error: &Error) -> bool {
        let given_up = self.trace.take().is_some();
        if given_up {
            let what = "the trace was given up to make room for the model";
            self.failed(Error::new(error.kind(), what, error.remedy()));
        }
        given_up
    }
}
