//! Where classifiers come from: asked with what each answer costs, an oracle names a classifier that costs little.
//!
//! If no classifier of its space costs less, the oracle is *exact*, and its answer is a proof about the whole space. A learner
//! that grows trees greedily is not: its answer is a proof about the learner.

use std::sync::atomic::AtomicBool;

/// What a classifier says of each example: the place of a class in the list of classes, or a bit for each class of a set.
pub type Says = Vec<u32>;

/// A set of so many classes, and one more, has a bit for each in what is said of an example.
pub const MOST_IN_SETS: usize = 31;

/// Answers questions about some examples and some classes.
pub trait Oracle: Send {
    /// A classifier that costs little, given the cost of each class for each example.
    fn query(&mut self, costs: &[i64]) -> Says;

    /// A classifier that costs little, found much faster than by [`Oracle::query`]: nothing is proved by it. `None` if there is no
    /// faster way.
    fn guess(&mut self, _costs: &[i64]) -> Option<Says> {
        None
    }

    /// How many classifiers in a row are cheap beside the solution of a small game.
    fn patience(&self) -> usize;
}

/// A space of classifiers, or a learner that finds some.
pub trait HypothesisSpace: Sync {
    /// Whether its oracles are exact.
    fn is_exact(&self) -> bool;

    /// Whether every classifier is there under any other names of its classes too. Then constant classifiers are
    /// there, and no margin is below 0.
    fn is_symmetric(&self) -> bool;

    /// The oracle for these rows (ascending) and classifiers that know these classes only (ascending); `None` if there are no
    /// such classifiers.
    fn oracle(&self, rows: &[u32], classes: &[u32]) -> Option<Box<dyn Oracle + '_>>;

    /// The oracle for classifiers that say yes or no to each of k classes. Costs are those of yes, k for each row, and one more
    /// that all classifiers pay, as if they said yes to another class. `None` if there are none, or too many classes for a [`Says`].
    fn sets_oracle(&self, _k: usize) -> Option<Box<dyn Oracle + '_>> {
        None
    }

    /// Two rows of different classes that no classifier tells apart, if any are known.
    fn alike(&self, _y: &[u32]) -> Option<[u32; 2]> {
        None
    }

    /// The separation property on these rows (Cho, Libgober & Ding 2024, Definition 3.8): whether each of them can be given any class while a
    /// symmetric class of classifiers is left for the others. `None` if that is not known.
    fn separates(&self) -> Option<bool> {
        None
    }

    /// Whether on any weights of rows, for any labels of n kinds, some classifier (and what training would find) is right on more
    /// than 1/n; rows of one class that look the same have one label. `None` if that is not known.
    fn beats_guessing(&self, _y: &[u32], _stop: &AtomicBool) -> Option<bool> {
        None
    }
}

/// What a classifier costs.
pub fn cost(says: &[u32], costs: &[i64], classes: usize) -> i64 {
    says.iter().zip(costs.chunks_exact(classes)).map(|(&l, costs)| costs[l as usize]).sum()
}

/// The set of the classes whose costs are negative, and of the last one, and what it costs.
pub(crate) fn cheapest_set(costs: &[i64]) -> (u32, i64) {
    let last = costs.len() - 1;
    let chosen = |&(l, cost): &(usize, &i64)| *cost < 0 || l == last;
    costs.iter().enumerate().filter(chosen).fold((0, 0), |(set, sum), (l, cost)| (set | 1 << l, sum + cost))
}

/// The first of the least costs.
pub(crate) fn cheapest(costs: &[i64]) -> (u32, i64) {
    let mut best = (0, i64::MAX);
    for (l, &cost) in costs.iter().enumerate() {
        if cost < best.1 {
            best = (l as u32, cost);
        }
    }
    best
}

/// Classifiers one by one, as in the examples of papers.
#[derive(Clone, Debug)]
pub struct ListedClassifiers {
    /// What each says of each row.
    pub classifiers: Vec<Vec<u32>>,
}

struct ListedOracle(Vec<Says>, usize);

impl HypothesisSpace for ListedClassifiers {
    fn is_exact(&self) -> bool {
        true
    }

    fn is_symmetric(&self) -> bool {
        false
    }

    fn oracle(&self, rows: &[u32], classes: &[u32]) -> Option<Box<dyn Oracle + '_>> {
        let places = |says: &Vec<u32>| {
            let places: Vec<u32> = says
                .iter()
                .map(|l| classes.binary_search(l).ok().map(|p| p as u32))
                .collect::<Option<_>>()?;
            Some(rows.iter().map(|&row| places[row as usize]).collect())
        };
        let known: Vec<Says> = self.classifiers.iter().filter_map(places).collect();
        if known.is_empty() { None } else { Some(Box::new(ListedOracle(known, classes.len()))) }
    }
}

impl Oracle for ListedOracle {
    fn query(&mut self, costs: &[i64]) -> Says {
        let best = self.0.iter().min_by_key(|says| cost(says, costs, self.1));
        best.cloned().unwrap_or_default()
    }

    fn patience(&self) -> usize {
        200
    }
}
