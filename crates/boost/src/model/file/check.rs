//! What a model must be before anything is done with it: whoever made the file, prediction can neither panic nor run in
//! circles on it, and gives finite scores and probabilities that are some.

use manyboost_data::encode::Codec;
use manyboost_data::{Result, TargetSpec, visible};

use super::format::broken;
use crate::engine::scores::FARTHEST;
use crate::learners::{MOST_DEPTH, MOST_FACTORS, MOST_LEAVES};
use crate::model::answers::Answers;
use crate::model::ensemble::Term;
use crate::model::epochs::{Ballot, Election};
use crate::model::hypothesis::Cells;
use crate::model::linear::{Linear, Slope};
use crate::model::reading::Link;
use crate::model::tree::{Child, Test, Tree};
use crate::model::{CHOICES, Model};
use crate::spec::options::Options;
use crate::spec::registry::Setup;

/// Figures of rounds are smaller: what pages make of them is finite too.
pub(crate) const LARGEST_FIGURE: f64 = 1e300;

/// Rows of a tree weigh less, in units.
const MOST_COVER: u64 = 1 << 53;

/// What the tests on a feature may be.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    /// Thresholds, and slopes too.
    Numbers,
    /// Thresholds between absence and presence.
    Words,
    /// Levels below this one.
    Levels(u32),
}

impl Model {
    /// Refuses what no training makes.
    pub fn validate(&self) -> Result<()> {
        if !(1..=64).contains(&self.version.len()) {
            return Err(broken("the version of its library is not one"));
        }
        self.schema.validate()?;
        self.encoder.validate(&self.schema)?;
        let classes = self.schema.target.names().len();
        if u32::try_from(classes).is_err() {
            return Err(broken("too many classes"));
        }
        let setup = self.setup()?;
        self.check_scores(classes)?;
        self.check_text()?;
        self.check_history(&setup)?;
        let takes = self.takes();
        for (number, terms) in self.ensemble.rounds.iter().enumerate() {
            terms
                .iter()
                .try_for_each(|term| check_term(term, &takes, self.ensemble.start.len()))
                .map_err(|what| broken(&format!("round {}: {what}", number + 1)))?;
        }
        self.check_reach()
    }

    /// The booster and the learner that it says it was trained with, if there are such.
    pub(in crate::model) fn setup(&self) -> Result<Setup> {
        let mut parameters = self.parameters.clone();
        parameters.retain(|name, _| !CHOICES.contains(&name.as_str()));
        // Names from a file may hold anything; a message is one line that a terminal can show.
        Setup::new(&self.booster, Options::remembered(parameters))
            .map_err(|error| broken(&visible(&error.what())))
    }

    /// However far the terms of all rounds go in one direction, scores stay in range.
    fn check_reach(&self) -> Result<()> {
        let start = self.ensemble.start.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let start = start + self.ensemble.text.as_ref().map_or(0.0, |text| text.most());
        let terms = self.ensemble.terms().map(|term| term.alpha.abs() * term.hypothesis.answers.most());
        let reach = terms.fold(start, |sum, term| sum + term);
        if reach <= FARTHEST { Ok(()) } else { Err(broken("its scores go beyond all bounds")) }
    }

    /// The start and the link.
    fn check_scores(&self, classes: usize) -> Result<()> {
        let start = &self.ensemble.start;
        let reading = &self.ensemble.reading;
        if start.is_empty() || !reading.is_valid(start.len()) || reading.classes(start.len()) != classes {
            return Err(broken(&format!("{} first scores for {classes} classes", start.len())));
        }
        if !start.iter().all(|s| s.is_finite()) {
            return Err(broken("a first score is not a finite number"));
        }
        let fits = matches!(
            (reading.link, &self.schema.target),
            (Link::Softmax(_) | Link::Odds(_) | Link::Savage, TargetSpec::Classes { .. })
                | (Link::Sigmoid(_), TargetSpec::Sets { .. })
        );
        if fits && reading.link.is_valid() {
            Ok(())
        } else {
            Err(broken("its probabilities do not fit its answers"))
        }
    }

    /// The linear function of texts.
    fn check_text(&self) -> Result<()> {
        let Some(text) = &self.ensemble.text else { return Ok(()) };
        let columns = self.encoder.column_encoders();
        let is_text = |at: usize| columns.get(at).is_some_and(|c| matches!(c.codec, Codec::Text(_)));
        let checked = text.check(self.ensemble.start.len(), is_text);
        checked.map_err(|what| broken(&format!("the linear function of texts: {what}")))
    }

    fn check_history(&self, setup: &Setup) -> Result<()> {
        let (rounds, records) = (self.ensemble.rounds.len(), self.history.len());
        if rounds != records {
            return Err(broken(&format!("{records} records of {rounds} rounds")));
        }
        for (number, record) in (1..).zip(&self.history) {
            if !record.figures().all(|x| x.abs() <= LARGEST_FIGURE) {
                return Err(broken(&format!("round {number}: a figure is not a finite number")));
            }
            if record.promised != setup.booster.promise(number) {
                return Err(broken(&format!("round {number}: {} counts on another edge", self.booster)));
            }
        }
        Ok(())
    }

    /// What the tests on each feature may be.
    fn takes(&self) -> Vec<Takes> {
        let columns = self.encoder.column_encoders().iter();
        columns
            .flat_map(|column| {
                let takes = match &column.codec {
                    Codec::Category(codec) => Takes::Levels(codec.bins()),
                    Codec::Number(_) | Codec::Time(_) => Takes::Numbers,
                    Codec::Text(_) => Takes::Words,
                };
                std::iter::repeat_n(takes, column.codec.width())
            })
            .collect()
    }
}

fn check_term(term: &Term, takes: &[Takes], scores: usize) -> std::result::Result<(), String> {
    if !term.alpha.is_finite() {
        return Err("its weight is not a finite number".into());
    }
    let leaves = check_answers(&term.hypothesis.answers, scores)?;
    match &term.hypothesis.cells {
        Cells::Tree(tree) => check_tree(tree, leaves, takes),
        Cells::Linear(linear) => check_linear(linear, leaves, takes),
        Cells::Product(stumps) if leaves != 2 || !(2..=MOST_FACTORS).contains(&stumps.len()) => {
            Err(format!("{} factors and {leaves} answers", stumps.len()))
        }
        Cells::Product(stumps) => stumps.iter().try_for_each(|stump| check_tree(stump, 2, takes)),
    }
}

fn check_linear(linear: &Linear, cells: usize, takes: &[Takes]) -> std::result::Result<(), String> {
    if cells != 2 {
        return Err(format!("a hyperplane with {cells} sides"));
    }
    let fits = |slope: &&Slope| takes.get(slope.feature as usize) == Some(&Takes::Numbers);
    match linear.slopes.iter().find(|slope| !fits(slope)) {
        Some(slope) => Err(format!("a slope does not fit feature {}", slope.feature)),
        None => linear.check(),
    }
}

fn check_tree(tree: &Tree, leaves: usize, takes: &[Takes]) -> std::result::Result<(), String> {
    check_shape(tree, leaves)?;
    check_cover(tree)?;
    tree.nodes.iter().enumerate().try_for_each(|(number, node)| {
        let fits = match (&node.test, takes.get(node.feature as usize)) {
            (Test::AtMost(threshold), Some(Takes::Numbers | Takes::Words)) => threshold.is_finite(),
            (Test::Levels(levels), Some(Takes::Levels(count))) => {
                levels.is_sorted_by(|a, b| a < b) && levels.last().is_none_or(|last| last < count)
            }
            _ => false,
        };
        if fits { Ok(()) } else { Err(format!("test {number} does not fit feature {}", node.feature)) }
    })
}

/// What leaves weigh is not known, or known of each; all of it together is a number that double precision has.
fn check_cover(tree: &Tree) -> std::result::Result<(), String> {
    let total = tree.cover.iter().try_fold(0u64, |sum, units| sum.checked_add(*units));
    if ![0, tree.leaves()].contains(&tree.cover.len()) || total.is_none_or(|total| total >= MOST_COVER) {
        return Err(format!("{} weights of {} leaves", tree.cover.len(), tree.leaves()));
    }
    Ok(())
}

/// The number of cells.
fn check_answers(answers: &Answers, scores: usize) -> std::result::Result<usize, String> {
    let (fits, values): (bool, &[f64]) = match answers {
        Answers::Labels(labels) => match labels.iter().find(|&&label| label as usize >= scores) {
            Some(label) => return Err(format!("an answer of class {label}, with {scores} classes")),
            None => return Ok(labels.len()),
        },
        Answers::Vectors { width, values } => {
            (*width as usize == scores && values.len() % scores == 0, values)
        }
        Answers::Coordinate { at, values } => ((*at as usize) < scores, values),
        Answers::Along { direction, values } => {
            (direction.len() == scores && direction.iter().all(|x| x.is_finite()), values)
        }
        Answers::Election(Election { ballot: Ballot::Places(places), .. }) => {
            let fits = scores.is_multiple_of(2) && places.iter().all(|&place| (place as usize) < scores / 2);
            (fits, &[])
        }
        Answers::Election(Election { ballot: Ballot::Weights { classes, values }, .. }) => {
            let classes = *classes as usize;
            (classes > 0 && 2 * classes == scores && values.len() % classes == 0, values)
        }
    };
    if !fits {
        return Err(format!("answers of {} numbers do not fit {scores} scores", values.len()));
    }
    if !values.iter().all(|x| x.is_finite()) {
        return Err("an answer is not a finite number".into());
    }
    Ok(answers.len())
}

/// Whether the nodes are a tree: every test but the first and every leaf is led to once, and always from before. That
/// leaves no room for circles, for shared branches and for loose ends.
fn check_shape(tree: &Tree, leaves: usize) -> std::result::Result<(), String> {
    let tests = tree.nodes.len();
    if leaves != tests + 1 || leaves > MOST_LEAVES {
        return Err(format!("{tests} tests and {leaves} leaves"));
    }
    let mut depth: Vec<Option<usize>> = vec![None; tests];
    let mut reached = vec![false; leaves];
    if let Some(root) = depth.first_mut() {
        *root = Some(0);
    } else {
        reached.fill(true);
    }
    for (number, node) in tree.nodes.iter().enumerate() {
        // All that lead to a test come before it: it is known by now whether any does.
        let Some(above) = depth[number] else { return Err(format!("nothing leads to test {number}")) };
        if above >= MOST_DEPTH {
            return Err(format!("test {number} is too deep"));
        }
        for child in [node.left, node.right] {
            let free = match child {
                Child::Leaf(leaf) => {
                    reached.get_mut(leaf as usize).is_some_and(|reached| !std::mem::replace(reached, true))
                }
                Child::Node(next) => {
                    next as usize > number
                        && depth.get_mut(next as usize).is_some_and(|d| d.replace(above + 1).is_none())
                }
            };
            if !free {
                return Err(format!("test {number} leads to {child:?}, where it cannot"));
            }
        }
    }
    if reached.iter().all(|&reached| reached) { Ok(()) } else { Err("nothing leads to a leaf".into()) }
}
