//! A lazy weak learner (Mukherjee & Schapire 2013, section 9.1): what a condition costs that is too weak.
//!
//! The rows of figure 1 are a, of the first of three classes, and b, of the second. Every way to name a class of each is there, but the learner
//! first tries to get through with the two classifiers that say the same of both. SAMME's demand, to be right on more than 1/k of the weight,
//! is always met by one of them, and half of the rows stay wrong for ever. AdaBoost.MM asks for an edge on its cost matrix: once the third class
//! is behind, neither has one, and the learner must come up with a better classifier.

use manyboost_kernel::numbers::math::{exp, ln};

/// Number of classes.
const K: usize = 3;

/// What is asked of the learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// To be right on 1/k of the weight and the edge: SAMME.
    Accuracy,
    /// The edge on the cost matrix of AdaBoost.MM.
    Costs,
}

/// A round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LazyTurn {
    /// What the classifier says of a and b.
    pub says: [u32; 2],
    /// Its edge, as the booster counts it.
    pub edge: f64,
    /// What its votes count.
    pub alpha: f64,
    /// The share of rows whose own class is not ahead of all others after it.
    pub error: f64,
}

/// Rounds in which the learner has an edge of at least `gamma`: all that are asked for, or as many as it can.
pub fn lazy(demand: Demand, gamma: f64, rounds: usize) -> Vec<LazyTurn> {
    let rest = (0..K as u32).flat_map(|a| (0..K as u32).map(move |b| [a, b]));
    let tried: Vec<[u32; 2]> = [[0, 0], [1, 1]].into_iter().chain(rest).collect();
    let mut f = [[0.0f64; K]; 2];
    let mut turns = Vec::new();
    for _ in 0..rounds {
        let costs = costs(demand, &f);
        let fits = |says: &&[u32; 2]| edge(demand, &costs, **says) >= gamma;
        let Some(&says) = tried.iter().find(fits) else { break };
        let edge = edge(demand, &costs, says);
        let alpha = step(demand, edge);
        for (f, l) in f.iter_mut().zip(says) {
            f[l as usize] += alpha;
        }
        let ahead = |(own, f): (usize, &[f64; K])| (0..K).all(|l| l == own || f[l] < f[own]);
        let right = f.iter().enumerate().filter(|&(own, f)| ahead((own, f))).count();
        turns.push(LazyTurn { says, edge, alpha, error: 1.0 - right as f64 / 2.0 });
        if edge >= 1.0 - 1.0 / 1e9 {
            break;
        }
    }
    turns
}

/// What it costs to name each class of each row.
fn costs(demand: Demand, f: &[[f64; K]; 2]) -> [[f64; K]; 2] {
    let row = |own: usize| {
        let mut costs = f[own].map(|score| exp(score - f[own][own]));
        costs[own] = 0.0;
        let all: f64 = costs.iter().sum();
        match demand {
            // SAMME's weights are the geometric mean of the exponentials; being right saves as much, and mistakes are alike.
            Demand::Accuracy => {
                let lead = f[own].iter().map(|score| f[own][own] - score).sum::<f64>() / K as f64;
                costs = [0.0; K];
                costs[own] = -exp(-lead);
            }
            Demand::Costs => costs[own] = -all,
        }
        costs
    };
    [row(0), row(1)]
}

/// How much better than chance a classifier is, as the booster counts it.
fn edge(demand: Demand, costs: &[[f64; K]; 2], says: [u32; 2]) -> f64 {
    let norm: f64 = -(costs[0][0] + costs[1][1]);
    let gain = -(0..2).map(|row| costs[row][says[row] as usize]).sum::<f64>() / norm;
    match demand {
        Demand::Accuracy => gain - 1.0 / K as f64,
        Demand::Costs => gain,
    }
}

/// The weight of a vote: SAMME's, or (61). Where nothing is wrong, that of a little.
fn step(demand: Demand, edge: f64) -> f64 {
    const LEAST: f64 = 1e-9;
    match demand {
        Demand::Accuracy => {
            let error = (1.0 - 1.0 / K as f64 - edge).max(LEAST);
            ln((1.0 - error) / error) + ln(K as f64 - 1.0)
        }
        Demand::Costs => 0.5 * ln((1.0 + edge) / (1.0 - edge).max(LEAST)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samme_is_satisfied_with_nothing_and_mm_is_not() {
        let turns = lazy(Demand::Accuracy, 0.01, 200);
        assert_eq!(turns.len(), 200);
        // One of the two constant classifiers always has the edge 1/6 or more, and a row is wrong for ever.
        for turn in &turns {
            assert!(turn.says[0] == turn.says[1] && turn.edge > 1.0 / 6.0 - 1e-9, "{turn:?}");
            assert!(turn.error >= 0.5);
        }
        let turns = lazy(Demand::Costs, 0.05, 200);
        let first = turns.iter().position(|turn| turn.says == [0, 1]).expect("a better classifier");
        assert!(first > 1 && turns[..first].iter().all(|turn| turn.says[0] == turn.says[1]));
        assert_eq!(turns.last().unwrap().error, 0.0);
    }
}
