//! A run on prepared rows that makes a model, assembled in one place: `train` of the command line, Python, the builder and random training go
//! through this. What only measures a run (`compare`, `cv`) needs no model, and uses [`Training`] itself.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use manyboost_data::agree::together;
use manyboost_data::{EncodeOptions, Prepared, Result, Split};
use manyboost_kernel::exchange::Recorder;
use manyboost_kernel::{Alone, Exchange};

use crate::engine::train::{Observer, Outcome, RunPlan, Training, Watched};
use crate::evaluate::metric::Metric;
use crate::model::{Checkpoint, Model, Origin};
use crate::spec::registry::Setup;

/// What a run is, beside its rows and the options of its booster and learner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choices {
    /// Makes every random choice.
    pub seed: u64,
    /// Rounds without a better [`metric`](Self::metric) on the validation rows after which to stop.
    pub patience: Option<usize>,
    /// What is to be better.
    pub metric: Metric,
    /// The share of the rows that was held out to validate on.
    pub held_out: Option<f64>,
    /// Which rows these were.
    pub split: Split,
    /// How values became codes.
    pub encode: EncodeOptions,
}

/// A run that is about to begin.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The booster and its options, [for these rows](Setup::for_data).
    pub setup: &'a Setup,
    /// The rows to train on.
    pub prepared: &'a Prepared,
    /// The rows to watch.
    pub watched: Watched<'a>,
    /// Everything else.
    pub choices: &'a Choices,
}

impl<'a> Job<'a> {
    /// What the engine does.
    pub fn plan(&self) -> RunPlan<'a> {
        let Choices { seed, patience, metric, .. } = *self.choices;
        RunPlan { metric, ..self.setup.plan(seed, patience) }
    }

    /// Trains; `earlier` is where another run of this job left off.
    pub fn train(
        &self,
        earlier: Option<Outcome>,
        interrupt: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<Outcome> {
        self.train_among(&Alone, earlier, interrupt, observer)
    }

    /// Trains as one of several workers, each with rows of its own.
    pub fn train_among(
        &self,
        exchange: &dyn Exchange,
        earlier: Option<Outcome>,
        interrupt: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<Outcome> {
        let Prepared { dataset, encoder, .. } = self.prepared;
        let plan = self.plan();
        let training = Training { plan: &plan, data: dataset, encoder, watched: self.watched };
        training.run_among(exchange, earlier, interrupt, observer)
    }

    /// The model of what training came to.
    pub fn model(&self, outcome: Outcome) -> Model {
        let (Prepared { schema, encoder, .. }, choices) = (self.prepared, self.choices);
        let model = Model::new(schema.clone(), encoder.clone(), self.setup, choices.seed, outcome);
        model.with_choices(choices)
    }

    /// What tells these rows from others.
    pub fn origin(&self) -> Origin {
        Origin::new(&self.prepared.dataset, &self.prepared.encoder)
    }

    /// What training can be taken up from again.
    pub fn checkpoint(&self, outcome: Outcome) -> Checkpoint {
        Checkpoint { model: self.model(outcome), origin: self.origin() }
    }

    /// The run before its first round: what checkpoints are made from, and compared with.
    pub fn start(&self) -> Checkpoint {
        self.checkpoint(Outcome::nothing(&self.plan(), &self.prepared.dataset))
    }

    /// The same of the rows of all workers.
    pub fn start_among(&self, exchange: &dyn Exchange) -> Result<Checkpoint> {
        let Prepared { dataset, encoder, .. } = self.prepared;
        together(|| {
            let outcome = Outcome::nothing_among(exchange, &self.plan(), dataset);
            let origin = Origin::among(dataset, encoder, exchange);
            Ok(Checkpoint { model: self.model(outcome), origin })
        })
    }

    /// Where a checkpoint left off, if it is one of this job.
    pub fn resume(&self, checkpoint: Checkpoint) -> Result<Outcome> {
        checkpoint.resume(&self.start())
    }
}

/// What to say of a training among workers that took so long, if one of them would have been quicker with all rows.
pub fn advice(recorder: &Recorder<'_>, took: Duration) -> Option<String> {
    let workers = recorder.workers();
    let waited = recorder.waited().min(took);
    // The work of all: they have about the same.
    let alone = took.saturating_sub(waited) * workers as u32;
    (workers > 1 && alone < took).then(|| {
        let seconds = |time: Duration| time.as_secs_f64();
        format!(
            "rounds are too short to share: {workers} workers exchanged for {:.2} of {:.2} seconds, and one with all rows would take about {:.2}",
            seconds(waited),
            seconds(took),
            seconds(alone),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use manyboost_kernel::exchange::{Ask, Verb};

    /// Whoever talks to this one waits.
    struct Slow;

    impl Exchange for Slow {
        fn rank(&self) -> usize {
            0
        }
        fn workers(&self) -> usize {
            4
        }
        fn deal(&self, _: Ask, parts: &[&[u8]]) -> Vec<Vec<u8>> {
            std::thread::sleep(Duration::from_millis(80));
            parts.iter().map(|part| part.to_vec()).collect()
        }
    }

    #[test]
    fn short_rounds_are_told() {
        let recorder = Recorder::new(&Slow);
        let ask = Ask { verb: Verb::Gather, numbers: 0 };
        let deal = || recorder.deal(ask, &[&[0][..]; 4]);
        // What another thread exchanges beside the work costs nothing.
        deal();
        assert_eq!(advice(&recorder, Duration::from_millis(85)), None);
        rayon::scope(|_| deal());
        let told = advice(&recorder, Duration::from_millis(100)).expect("most of the time is waiting");
        assert!(told.contains("4 workers exchanged for 0.0"), "{told}");
        assert_eq!(advice(&recorder, Duration::from_secs(1)), None);
    }
}
