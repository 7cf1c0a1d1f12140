//! The game, played: a booster against the adversary of Theorem 9 (Mukherjee & Schapire 2013, appendix A.1).
//!
//! In every round the booster says what it costs to name each class of each example. The adversary names one class of each, at no more cost
//! than its promise allows, and so that potentials fall as little as possible:
//!
//! 1. For each example there is a distribution over the classes of the largest expected potential that costs no more than the baseline.
//!    It needs two classes at most, of which l⁺ is the cheaper one and l⁻ the dearer one (Lemma 31).
//! 2. Let l⁺ save a and lose b of potential. Examples name l⁺ in the order of b/a, until they save together what the distributions
//!    do; the others name l⁻ (Lemma 32).
//!
//! The average potential then falls by max b / m at most in a round: with many examples m the bound of OS is what happens.

use std::collections::BTreeMap;

use manyboost_data::Result;
use manyboost_kernel::numbers::math::{exp, ln};

use super::minimal::worst;
use super::{Baseline, Condition, GameLoss, Layers, LeadWalk, Walk, kappa, light};

/// Who plays against the adversary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strategy {
    /// The optimal strategy for a loss, under a condition.
    Os {
        /// What the end costs.
        loss: GameLoss,
        /// What is promised.
        condition: Condition,
    },
    /// AdaBoost.MM, with the step (61).
    Mm,
}

/// A round.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// What its votes count.
    pub alpha: f64,
    /// What the adversary's answers cost, a mean over the examples.
    pub cost: f64,
    /// What they may cost.
    pub allowed: f64,
    /// The potential of each example after it (of MM: the exponential loss).
    pub potentials: Vec<f64>,
    /// The share of examples whose own class is not ahead of all others after it.
    pub error: f64,
}

impl Turn {
    /// The average potential.
    pub fn potential(&self) -> f64 {
        self.potentials.iter().sum::<f64>() / self.potentials.len().max(1) as f64
    }
}

/// Plays all rounds, which have these edges, with so many examples of k ≥ 2 classes.
pub fn play(strategy: Strategy, classes: usize, edges: &[f64], examples: usize) -> Result<Vec<Turn>> {
    match strategy {
        Strategy::Os { loss, condition } => {
            Ok(os(&Potentials::new(classes, edges, loss, condition)?, examples))
        }
        Strategy::Mm => Ok(mm(classes, edges, examples)),
    }
}

/// What the adversary names, where naming a class costs so much, leads to this potential, and may cost so much for each example on
/// average; there are k numbers for each of them.
pub fn adversary(costs: &[f64], after: &[f64], allowed: &[f64], k: usize) -> Vec<u32> {
    let rows = costs.chunks_exact(k).zip(after.chunks_exact(k)).zip(allowed);
    let pairs: Vec<Pair> = rows.map(|((costs, after), &allowed)| Pair::best(costs, after, allowed)).collect();
    // Who loses nothing by the cheaper class names it; who saves nothing names the other.
    let mut torn: Vec<usize> =
        (0..pairs.len()).filter(|&i| pairs[i].saves > 0.0 && pairs[i].loses >= 0.0).collect();
    let ratio = |i: usize| pairs[i].loses / pairs[i].saves;
    torn.sort_by(|&i, &j| ratio(i).total_cmp(&ratio(j)).then(i.cmp(&j)));
    let wanted: f64 = torn.iter().map(|&i| pairs[i].cheap * pairs[i].saves).sum();
    let mut cheap: Vec<bool> = pairs.iter().map(|pair| pair.loses < 0.0).collect();
    let mut saved = 0.0;
    for &i in &torn {
        if saved >= wanted {
            break;
        }
        saved += pairs[i].saves;
        cheap[i] = true;
    }
    pairs.iter().zip(cheap).map(|(pair, cheap)| pair.classes[usize::from(!cheap)]).collect()
}

/// A distribution over two classes, the cheaper one first.
struct Pair {
    classes: [u32; 2],
    /// The probability of the cheaper one.
    cheap: f64,
    /// How much less it costs.
    saves: f64,
    /// How much lower its potential is.
    loses: f64,
}

impl Pair {
    /// Of the largest expected potential, among those that cost no more than `allowed`.
    fn best(costs: &[f64], after: &[f64], allowed: f64) -> Self {
        let (mut best, mut most) = ((0, 0, 1.0), f64::NEG_INFINITY);
        let mut found = |value: f64, pair: (usize, usize, f64)| {
            if value > most {
                (best, most) = (pair, value);
            }
        };
        for low in (0..costs.len()).filter(|&l| costs[l] <= allowed) {
            found(after[low], (low, low, 0.0));
            for high in (0..costs.len()).filter(|&l| costs[l] > allowed) {
                let cheap = (costs[high] - allowed) / (costs[high] - costs[low]);
                found(cheap * after[low] + (1.0 - cheap) * after[high], (low, high, cheap));
            }
        }
        let (low, high, cheap) = best;
        let (saves, loses) = (costs[high] - costs[low], after[high] - after[low]);
        Self { classes: [low as u32, high as u32], cheap, saves, loses }
    }
}

/// The potential of a state.
type Potential<'a> = Box<dyn Fn(&[usize]) -> f64 + 'a>;

/// Potentials of states: the votes of the wrong classes after some rounds, most first.
struct Potentials<'a> {
    classes: usize,
    edges: &'a [f64],
    loss: GameLoss,
    condition: Condition,
    layers: Option<Layers>,
}

impl<'a> Potentials<'a> {
    fn new(classes: usize, edges: &'a [f64], loss: GameLoss, condition: Condition) -> Result<Self> {
        let light =
            matches!(loss, GameLoss::Exponential { eta } if light::is_light(classes, edges.len(), eta));
        let layers = match condition {
            Condition::Minimal if !light => Some(Layers::all(classes, edges, loss)?),
            _ => None,
        };
        Ok(Self { classes, edges, loss, condition, layers })
    }

    /// The potential of states after so many rounds.
    fn after(&self, done: usize) -> Potential<'_> {
        let leads = move |votes: &[usize]| -> Vec<i64> {
            let own = done as i64 - votes.iter().sum::<usize>() as i64;
            votes.iter().map(|&votes| own - votes as i64).collect()
        };
        let to_go = &self.edges[done..];
        if let Some(layers) = &self.layers {
            return Box::new(move |votes| layers.after(done, votes));
        }
        match self.loss {
            GameLoss::ZeroOne => {
                let walk = Walk::new(self.classes, to_go);
                Box::new(move |votes| walk.zero_one(&leads(votes)))
            }
            GameLoss::Hinge => {
                let walk = LeadWalk::uniform(self.classes, to_go);
                Box::new(move |votes| leads(votes).iter().map(|&lead| walk.hinge(lead)).sum())
            }
            GameLoss::Exponential { eta } => {
                let factor: f64 = to_go.iter().map(|&gamma| kappa(self.classes, gamma, eta)).product();
                Box::new(move |votes| factor * self.loss.of(leads(votes).into_iter()))
            }
        }
    }

    /// What the baseline pays where classes cost so much, the own one first.
    fn allowed(&self, gamma: f64, costs: &[f64]) -> f64 {
        match self.condition {
            Condition::Uniform => {
                gamma * costs[0] + (1.0 - gamma) * costs.iter().sum::<f64>() / costs.len() as f64
            }
            Condition::Minimal => worst(gamma, &mut costs.to_vec()).0,
        }
    }
}

/// OS: naming a class costs the potential that it leads to.
fn os(game: &Potentials<'_>, examples: usize) -> Vec<Turn> {
    let k = game.classes;
    let mut states = vec![vec![0usize; k - 1]; examples];
    let mut turns = Vec::with_capacity(game.edges.len());
    for (round, &gamma) in game.edges.iter().enumerate() {
        let potential = game.after(round + 1);
        let mut known: BTreeMap<&[usize], Vec<f64>> = BTreeMap::new();
        for state in &states {
            known.entry(state).or_insert_with(|| (0..k).map(|l| potential(&voted(state, l))).collect());
        }
        let after: Vec<f64> =
            states.iter().flat_map(|state| known[state.as_slice()].iter().copied()).collect();
        let allowed: Vec<f64> = after.chunks_exact(k).map(|costs| game.allowed(gamma, costs)).collect();
        let says = adversary(&after, &after, &allowed, k);
        let potentials: Vec<f64> =
            after.chunks_exact(k).zip(&says).map(|(after, &l)| after[l as usize]).collect();
        states = states.iter().zip(&says).map(|(state, &l)| voted(state, l as usize)).collect();
        let wrong = |state: &&Vec<usize>| state[0] + state.iter().sum::<usize>() > round;
        let error = states.iter().filter(wrong).count() as f64 / examples as f64;
        let cost = potentials.iter().sum::<f64>() / examples as f64;
        let allowed = allowed.iter().sum::<f64>() / examples as f64;
        turns.push(Turn { alpha: 1.0, cost, allowed, potentials, error });
    }
    turns
}

/// A state after a vote; class 0 is the own one.
fn voted(state: &[usize], class: usize) -> Vec<usize> {
    let mut state = state.to_vec();
    if class > 0 {
        state[class - 1] += 1;
        state.sort_unstable_by(|a, b| b.cmp(a));
    }
    state
}

/// AdaBoost.MM: naming a wrong class costs its exponential, naming the own one gains all of them (Algorithm 1).
fn mm(k: usize, edges: &[f64], examples: usize) -> Vec<Turn> {
    // What the other classes are behind by.
    let mut behind = vec![vec![0.0; k - 1]; examples];
    let step = |delta: f64| 0.5 * ln((1.0 + delta) / (1.0 - delta));
    let loss = |behind: &[f64]| behind.iter().map(|b| exp(-b)).sum::<f64>();
    let mut turns = Vec::with_capacity(edges.len());
    for &gamma in edges {
        let uniform = Baseline::uniform(k, gamma);
        let (mut costs, mut after, mut allowed) = (Vec::new(), Vec::new(), Vec::new());
        for behind in &behind {
            let others: Vec<f64> = behind.iter().map(|b| exp(-b)).collect();
            let all: f64 = others.iter().sum();
            let (up, down) = (exp(step(gamma)) - 1.0, exp(-step(gamma)));
            after.push(down * all);
            after.extend(others.iter().map(|l| all + up * l));
            allowed.push(-uniform.edge() * all);
            costs.push(-all);
            costs.extend(others);
        }
        let says = adversary(&costs, &after, &allowed, k);
        let cost: f64 = costs.chunks_exact(k).zip(&says).map(|(costs, &l)| costs[l as usize]).sum();
        let norm: f64 = costs.iter().step_by(k).map(|own| -own).sum();
        let alpha = step((-cost / norm).min(1.0 - f64::EPSILON));
        for (behind, &l) in behind.iter_mut().zip(&says) {
            match l as usize {
                0 => behind.iter_mut().for_each(|b| *b += alpha),
                l => behind[l - 1] -= alpha,
            }
        }
        let wrong = |behind: &&Vec<f64>| behind.iter().any(|b| *b <= 0.0);
        let error = behind.iter().filter(wrong).count() as f64 / examples as f64;
        let potentials = behind.iter().map(|behind| loss(behind)).collect();
        let allowed = allowed.iter().sum::<f64>() / examples as f64;
        turns.push(Turn { alpha, cost: cost / examples as f64, allowed, potentials, error });
    }
    turns
}
