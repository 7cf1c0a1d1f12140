//! A toy: `AdaBoost` by a fixed step. It is no part of the library: `cargo xtask toy` adds it to a copy of the tree.

use manyboost_kernel::numbers::math::exp;

use crate::engine::train::Rounds;
use crate::learners::TreeParameters;
use crate::model::reading::{Link, Reading};
use crate::spec::booster::{Booster, Figures, Fits, Problem, Query, RoundState, Shape, Step, Stop, Target};
use crate::spec::option::{Choice, Number, Range};
use crate::spec::registry::BoosterEntry;
use crate::votes::{LabelCriterion, LabelVote};

#[derive(Clone, Copy, PartialEq)]
enum Mood {
    Calm,
    Eager,
}

struct Toy {
    nudge: f64,
    mood: Mood,
}

const NUDGE: Number<f64> = Number::new("nudge", "How much a vote of the toy counts", Range::above_to(0.0, 10.0));
const MOOD: Choice<Mood> = Choice::new(
    "mood",
    "How the toy feels",
    &[("calm", Mood::Calm, "a vote counts once"), ("eager", Mood::Eager, "a vote counts twice")],
);

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    defaults: |_| ("stump", TreeParameters::stump(), Rounds::Given(25)),
    ..BoosterEntry::new("toy", "AdaBoost by a fixed step", "nowhere", |options| {
        Ok(Box::new(Toy { nudge: options.take(&NUDGE, 0.25)?, mood: options.take(&MOOD, Mood::Calm)? }))
    })
};

impl Booster for Toy {
    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let y = now.classes();
        channels.clear();
        channels.extend((0..now.scores.rows()).map(|i| -exp(-now.scores.row(i)[y[i] as usize])));
        let weight = now.totals.sum(|i| -channels[i]);
        let vote = LabelVote(LabelCriterion::Cost);
        Target::one(Query::new(Shape::OneHot(now.labels.classes()), vote, weight), weight / now.totals.weight())
    }

    fn step(&self, _: &RoundState<'_>, target: &Target, _: &[f64], fits: &mut Fits) -> Step {
        if fits[0].cost >= 0.0 || target.loss <= 0.0 {
            return Step::Stop(Stop::NoEdge);
        }
        let times = if self.mood == Mood::Eager { 2.0 } else { 1.0 };
        Step::take(times * self.nudge, Figures::default())
    }

    fn reading(&self, _: &Problem<'_>) -> Reading {
        Link::Softmax(1.0).into()
    }
}
