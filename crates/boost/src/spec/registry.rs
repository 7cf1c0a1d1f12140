//! The only list of names: which boosters and learners there are, and what may be set on them.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use manyboost_data::agree::{together, total};
use manyboost_data::{Dataset, Error, ErrorKind, Labels, Result};
use manyboost_kernel::{Alone, Exchange};

use crate::boosters;
use crate::engine::calibration::{Calibration, TEMPERATURE};
use crate::engine::members::{Companions, MEMBERS, Members};
use crate::engine::train::{Rounds, RunPlan};
use crate::evaluate::metric::Metric;
pub use crate::learners::{LEARNERS, LearnerEntry};
use crate::learners::{LearnerParameters, OwnLearner, TreeParameters, take_learner};
use crate::spec::booster::Booster;
use crate::spec::bounds::{Bounds, Proved};
use crate::spec::option::{AskedRounds, Describe, ROUNDS};
use crate::spec::options::{Options, Value};
use crate::spec::taking::{TakenOption, Taking};
use crate::text::TextPlan;

/// How much there is to learn from: what defaults may depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Rows to train on, by weight.
    pub rows: usize,
    /// Classes or labels.
    pub classes: usize,
    /// Features, but for those that most rows do not have (words).
    pub features: usize,
}

impl Size {
    /// Where there is no data yet.
    const TYPICAL: Self = Self { rows: 10_000, classes: 10, features: 10 };

    /// Sizes for which defaults differ.
    const EXAMPLES: [Self; 3] = [
        Self { rows: 100, classes: 2, features: 2 },
        Self { rows: 100_000, classes: 100, features: 10 },
        Self { rows: 10_000_000, classes: 1000, features: 3000 },
    ];
}

/// What it means for most boosters that there is no edge.
pub(crate) const NO_EDGE: &str = "no hypothesis is better than chance";

/// One boosting algorithm.
pub struct BoosterEntry {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Where it is from.
    pub source: &'static str,
    /// What it means that training ended for want of an edge.
    pub no_edge: &'static str,
    /// Whether it takes label sets too.
    pub sets: bool,
    /// What the bounds of its history are proved to bound, with these options.
    pub proved: fn(&BTreeMap<String, String>) -> Proved,
    /// The learner, its trees and the rounds that it has by default.
    pub defaults: fn(Size) -> (&'static str, TreeParameters, Rounds),
    /// The trainings beside the main one, for data of a size, if its models may be the mean of several.
    pub companions: Option<fn(Size) -> Companions<TreeParameters>>,
    /// Makes it from options; it takes those that it knows.
    pub build: fn(&mut Options) -> Result<Box<dyn Booster>>,
    /// How its probabilities are calibrated by default.
    pub calibration: Calibration,
    /// Whether its scores may begin with a linear function of texts.
    pub texts: bool,
}

impl BoosterEntry {
    /// A booster of classes, by default with 200 stumps, of which nothing is proved; say what is different:
    /// `BoosterEntry { sets: true, ..BoosterEntry::new(…) }`.
    pub const fn new(
        name: &'static str,
        summary: &'static str,
        source: &'static str,
        build: fn(&mut Options) -> Result<Box<dyn Booster>>,
    ) -> Self {
        Self {
            name,
            summary,
            source,
            no_edge: NO_EDGE,
            sets: false,
            calibration: Calibration::Off,
            proved: |_| Proved::Nothing,
            defaults: |_| ("stump", TreeParameters::stump(), Rounds::Given(200)),
            companions: None,
            texts: false,
            build,
        }
    }

    /// The options that it takes, each with its default: one value, or those that it has for data of several sizes.
    pub fn options(&self) -> Vec<TakenOption> {
        let mut options = self.taking(&BTreeMap::new()).into_options();
        let mut asked: BTreeMap<_, Vec<&mut TakenOption>> = BTreeMap::new();
        for option in &mut options {
            asked.entry(option.with.clone()).or_default().push(option);
        }
        for (with, mut options) in asked {
            for size in Size::EXAMPLES {
                let mut said = Options::new(with.iter().map(|(name, word)| ((*name).to_string(), *word)));
                let fits = self.take(&mut said, size).is_ok();
                for option in options.iter_mut().filter(|_| fits) {
                    let default = said.taken(option.info.name).map(str::to_string);
                    option.defaults.extend(default.filter(|value| !option.defaults.contains(value)));
                }
            }
        }
        options
    }

    /// Which options it takes, when these are given; they fit it.
    pub fn taking(&self, given: &BTreeMap<String, Value>) -> Taking {
        Taking::of(given, |options| self.take(options, Size::TYPICAL).map(drop))
    }

    /// Which of the options that are given it does not take; an error if it refuses the value of one that it takes.
    pub fn unused(&self, given: BTreeMap<String, String>) -> Result<Vec<String>> {
        let mut options = Options::new(given);
        self.take(&mut options, Size::TYPICAL)?;
        Ok(options.left().cloned().collect())
    }

    /// Takes its options: the rounds, the learner, the algorithm, and how sure its probabilities are.
    fn take(&self, options: &mut Options, size: Size) -> Result<Taken> {
        options.set_size(size);
        let (learner, tree, rounds) = (self.defaults)(size);
        let default = match rounds {
            Rounds::Given(rounds) => AskedRounds::Given(rounds),
            Rounds::Found(_) => AskedRounds::Auto,
        };
        let rounds = match options.take(&ROUNDS, default)? {
            AskedRounds::Given(rounds) => Rounds::Given(rounds),
            AskedRounds::Auto => Rounds::Found(rounds.most()),
            AskedRounds::Root => {
                let rounds = (size.rows as f64).sqrt().ceil().max(1.0) as usize;
                options.remember(ROUNDS.name(), &rounds.to_string());
                Rounds::Given(rounds)
            }
        };
        let members = self.take_members(options, learner, size)?;
        let learner = take_learner(options, learner, tree)?;
        let booster = (self.build)(options)?;
        learner.check_booster(booster.as_ref())?;
        let text = if self.texts { crate::text::take(options)? } else { None };
        let calibration = match self.calibration {
            Calibration::Off => {
                options.take_given(&TEMPERATURE)?.map_or(Calibration::Off, Calibration::asked)
            }
            default => options.take(&TEMPERATURE, default.temperature())?.map_or(default, Calibration::Given),
        };
        Ok(Taken { rounds, members, learner, booster, calibration, text })
    }

    /// Takes the option that says of how many trainings a model is the mean. What is given of the learner holds for all of them.
    fn take_members(&self, options: &mut Options, learner: &'static str, size: Size) -> Result<Members> {
        let Some(companions) = self.companions else { return Ok(Members::default()) };
        if let Some(members) = options.take(&MEMBERS, None)? {
            return Ok(Members::Given(members));
        }
        let of = |tree| take_learner(&mut options.clone(), learner, tree);
        companions(size).try_map(of).map(Members::Found)
    }
}

/// What options ask for.
struct Taken {
    rounds: Rounds,
    members: Members,
    learner: LearnerParameters,
    booster: Box<dyn Booster>,
    calibration: Calibration,
    text: Option<TextPlan>,
}

/// Boosters of others.
static REGISTERED: RwLock<Vec<&'static BoosterEntry>> = RwLock::new(Vec::new());

/// The booster of a name, if there is one.
pub fn booster(name: &str) -> Option<&'static BoosterEntry> {
    let own = BOOSTERS.iter().find(|entry| entry.name == name);
    own.or_else(|| {
        let others = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        others.iter().find(|entry| entry.name == name).copied()
    })
}

/// Makes a booster of your own known by its name: to [`Boost::named`](crate::Boost::named), and where models of it are loaded. The
/// [guide](crate::guide::own_booster) has an example.
pub fn register(entry: &'static BoosterEntry) -> Result<()> {
    if booster(entry.name).is_some_and(|known| !std::ptr::eq(known, entry)) {
        let what = format!("there is a booster \"{}\" already", entry.name);
        return Err(Error::new(ErrorKind::Parameter, what, "give yours another name"));
    }
    let mut others = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    if !others.iter().any(|known| std::ptr::eq(*known, entry)) {
        others.push(entry);
    }
    Ok(())
}

/// All boosters.
pub static BOOSTERS: &[BoosterEntry] = &[
    boosters::mcboost::ENTRY,
    boosters::adaboost::ENTRY,
    boosters::iter::ENTRY,
    boosters::samme::M1,
    boosters::mh::ENTRY,
    boosters::mh::REAL,
    boosters::mm::ENTRY,
    boosters::mo::ENTRY,
    boosters::mr::ENTRY,
    boosters::mr::M2,
    boosters::os::ENTRY,
    boosters::samme::ENTRY,
    boosters::ova::ENTRY,
    boosters::ecc::ENTRY,
    boosters::logitboost::ENTRY,
    boosters::lp::ENTRY,
    boosters::gd_mcboost::ENTRY,
    boosters::cd_mcboost::ENTRY,
];

/// A training run by name: everything that a user may choose, resolved.
pub struct Setup {
    /// The booster's name.
    pub booster_name: &'static str,
    /// The algorithm.
    pub booster: Box<dyn Booster>,
    /// The learner.
    pub learner: LearnerParameters,
    /// How many rounds.
    pub rounds: Rounds,
    /// The trainings whose mean is the model.
    pub members: Members,
    /// How sure its probabilities are.
    pub calibration: Calibration,
    /// How the linear function of texts is found, if scores begin with one.
    pub text: Option<TextPlan>,
    /// Every option with the value that counts.
    pub parameters: BTreeMap<String, String>,
    entry: &'static BoosterEntry,
    given: Options,
}

impl Setup {
    /// Resolves names and options; anything unknown or out of range is an error that says so. Defaults are those for data
    /// of no special size.
    pub fn new(booster: &str, options: Options) -> Result<Self> {
        let Some(entry) = self::booster(booster) else {
            let names: Vec<String> = BOOSTERS.iter().map(|e| e.name.to_string()).collect();
            let what = format!("there is no booster \"{booster}\"");
            return Err(Error::new(ErrorKind::Parameter, what, manyboost_data::nearest(booster, &names)));
        };
        Self::sized(entry, options, Size::TYPICAL)
    }

    /// The same choices for a data set: defaults are those for its size. Answers that the booster is not made for are
    /// refused.
    pub fn for_data(&self, data: &Dataset) -> Result<Self> {
        self.for_data_among(data, &Alone)
    }

    /// The same for a worker's part of a data set.
    pub fn for_data_among(&self, data: &Dataset, exchange: &dyn Exchange) -> Result<Self> {
        self.check(&data.labels)?;
        // A row of weight 2 is the row twice.
        let units = together(|| Ok(total(exchange, data.weights.total())))?;
        let rows = (units / data.weights.one().max(1)) as usize;
        let features = data.bins.features().len() - data.bins.sparse().len();
        let size = Size { rows, classes: data.labels.classes(), features };
        let sized = Self::sized(self.entry, self.given.clone(), size)?;
        match &self.learner {
            LearnerParameters::Own(learner) => sized.with_learner(Arc::clone(learner)),
            _ => Ok(sized),
        }
    }

    fn sized(entry: &'static BoosterEntry, given: Options, size: Size) -> Result<Self> {
        let mut options = given;
        let Taken { rounds, members, learner, booster, calibration, text } =
            entry.take(&mut options, size)?;
        // What was in files is not read again.
        let given = options.read();
        let user = format!("`booster={}`", entry.name);
        let parameters = options.finish(&user, |options| entry.take(options, size).map(drop))?;
        Ok(Self {
            booster_name: entry.name,
            booster,
            learner,
            rounds,
            members,
            calibration,
            text,
            parameters,
            entry,
            given,
        })
    }

    /// The same with a weak learner of your own.
    pub fn with_learner(mut self, learner: Arc<dyn OwnLearner>) -> Result<Self> {
        self.learner = LearnerParameters::Own(learner);
        if let Members::Found(_) = self.members {
            self.members = Members::default();
        }
        self.learner.check_booster(self.booster.as_ref())?;
        Ok(self)
    }

    /// Whether the texts of rows are needed beside their codes (see [`PrepareOptions::texts`](manyboost_data::PrepareOptions)).
    pub fn needs_texts(&self) -> bool {
        self.text.is_some() && self.booster.begins_with_text()
    }

    /// The run.
    pub fn plan(&self, seed: u64, patience: Option<usize>) -> RunPlan<'_> {
        RunPlan {
            booster: self.booster.as_ref(),
            learner: self.learner.clone(),
            calibration: self.calibration,
            rounds: self.rounds,
            members: self.members.clone(),
            seed,
            patience,
            metric: Metric::default(),
            text: self.text.clone(),
        }
    }

    /// Reads the bounds of such a run on these answers.
    pub fn bounds(&self, labels: &Labels) -> Bounds {
        Bounds::new(self.booster_name, &self.parameters, labels.classes(), labels.is_sets())
    }

    fn check(&self, labels: &Labels) -> Result<()> {
        if labels.is_sets() && !self.entry.sets {
            let what =
                format!("{} learns one class per row, and these rows have sets of labels", self.booster_name);
            let with: Vec<&str> = BOOSTERS.iter().filter(|e| e.sets).map(|e| e.name).collect();
            return Err(Error::new(
                ErrorKind::Parameter,
                what,
                format!("choose `booster={}`", with.join("` or `booster=")),
            ));
        }
        self.booster.check(labels)
    }
}

#[cfg(test)]
mod tests;
