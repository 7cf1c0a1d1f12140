//! Colourings of the classes, black (−1) and white (+1): the columns of code matrices, and cuts of weighted graphs.

use manyboost_data::{Error, ErrorKind, Result};
use manyboost_kernel::Seed;

use super::CODE_HELP;
use crate::codes::matrix::Matrix;
use crate::spec::option::WordOrMatrix;
use crate::spec::options::{Options, WordOr};

/// With more classes an exhaustive code has too many columns to be meant.
const MOST_EXHAUSTIVE: usize = 16;
/// With so few classes every cut is tried.
const FEW: usize = 12;
/// Random beginnings of the search for a heavy cut, besides the greedy one.
const STARTS: u64 = 4;
/// Gains below this, relatively, are none.
const TIE: f64 = 1e-12;

const CODE: WordOrMatrix<Drawn> = WordOrMatrix::new(
    "code",
    CODE_HELP,
    &[
        ("random", Drawn::Random, "half of the classes each, drawn for every round"),
        ("max-cut", Drawn::MaxCut, "the cut of the greatest weight"),
        ("exhaustive", Drawn::Exhaustive, "all colourings, one after the other"),
    ],
    "+1 and −1",
);

/// Colourings that have names.
#[derive(Clone, Copy)]
enum Drawn {
    Random,
    MaxCut,
    Exhaustive,
}

/// Where colourings are from.
#[derive(Clone, Debug, PartialEq)]
pub enum Colouring {
    /// The cut of the greatest weight.
    MaxCut,
    /// All 2^(k−1) − 1 of them, one after the other.
    Exhaustive,
    /// Half of the classes each, drawn for every round.
    Random,
    /// The columns of a matrix with a row of ±1 for each class.
    Columns(Matrix),
}

impl Colouring {
    /// The one that options ask for.
    pub fn from_options(options: &mut Options) -> Result<Self> {
        Ok(match options.take_matrix(&CODE, "random", |code| Ok(code.text()))? {
            WordOr::Word(Drawn::Random) => Self::Random,
            WordOr::Word(Drawn::MaxCut) => Self::MaxCut,
            WordOr::Word(Drawn::Exhaustive) => Self::Exhaustive,
            WordOr::Matrix(code) => Self::Columns(code),
        })
    }

    /// Refuses a code that does not fit so many classes.
    pub fn check(&self, k: usize) -> Result<()> {
        let wrong = |what: String, remedy: &str| Err(Error::new(ErrorKind::Parameter, what, remedy));
        match self {
            Self::Exhaustive if k > MOST_EXHAUSTIVE => wrong(
                format!("`code=exhaustive`: {k} classes have 2^{} − 1 colourings", k - 1),
                "give `code=max-cut` or `code=random`",
            ),
            Self::Columns(code) => {
                let (rows, columns) = (code.rows(), code.width());
                if rows != k {
                    return wrong(
                        format!("`code`: {rows} rows for {k} classes"),
                        "give a row for each class, in the order of the classes",
                    );
                }
                code.signs("code")?;
                let constant =
                    (0..columns).find(|&j| k > 1 && (1..k).all(|l| code.at(l, j) == code.at(0, j)));
                match constant {
                    Some(j) => wrong(
                        format!("`code`: column {} has one colour for all classes", j + 1),
                        "leave it out",
                    ),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// The colouring of a round, from 1, of `k` classes. (A cut of greatest weight depends on more than that.)
    pub(super) fn column(&self, round: usize, k: usize, seed: Seed) -> Vec<f64> {
        match self {
            Self::Columns(code) => {
                let j = (round - 1) % code.width();
                (0..k).map(|l| code.at(l, j)).collect()
            }
            Self::Exhaustive => {
                let columns = (1usize << (k - 1).min(MOST_EXHAUSTIVE)) - 1;
                by_bits(1 + (round - 1) % columns.max(1), k)
            }
            Self::MaxCut | Self::Random => {
                let mut order: Vec<usize> = (0..k).collect();
                order.sort_by_key(|&l| (seed.part(l as u64).bits(), l));
                let mut mu = vec![1.0; k];
                order[..k / 2].iter().for_each(|&l| mu[l] = -1.0);
                mu
            }
        }
    }
}

/// The first class is white, class l + 1 black where bit l is set.
fn by_bits(bits: usize, k: usize) -> Vec<f64> {
    (0..k).map(|l| if l > 0 && bits >> (l - 1) & 1 == 1 { -1.0 } else { 1.0 }).collect()
}

/// The weight of the edges between black and white.
fn weight(weights: &[f64], mu: &[f64]) -> f64 {
    let k = mu.len();
    let across = |a: usize| (0..a).filter(move |&b| mu[a] != mu[b]).map(move |b| weights[a * k + b]);
    (0..k).flat_map(across).sum()
}

/// A colouring whose edges across weigh most, of a complete graph with these symmetric weights: the very best one for few
/// classes; for many, the best of several that no change of one colour improves.
pub(super) fn max_cut(weights: &[f64], k: usize, seed: Seed) -> Vec<f64> {
    let colourings: Box<dyn Iterator<Item = Vec<f64>>> = if k <= FEW {
        Box::new((1..1usize << (k.max(1) - 1)).map(|bits| by_bits(bits, k)))
    } else {
        let drawn = (0..STARTS).map(|start| Colouring::Random.column(1, k, seed.part(start)));
        Box::new(std::iter::once(greedy(weights, k)).chain(drawn).map(|mu| improved(weights, mu)))
    };
    let mut best = (by_bits(0, k), 0.0);
    for mu in colourings {
        let cut = weight(weights, &mu);
        if cut > best.1 * (1.0 + TIE) {
            best = (mu, cut);
        }
    }
    let white = best.0.first().copied().unwrap_or(1.0);
    best.0.iter().map(|mu| mu * white).collect()
}

/// Class after class takes the colour that cuts more.
fn greedy(weights: &[f64], k: usize) -> Vec<f64> {
    let mut mu = vec![1.0; k];
    for a in 1..k {
        let pull: f64 = (0..a).map(|b| mu[b] * weights[a * k + b]).sum();
        mu[a] = if pull > 0.0 { -1.0 } else { 1.0 };
    }
    mu
}

/// Changes the colour that gains most until none gains.
fn improved(weights: &[f64], mut mu: Vec<f64>) -> Vec<f64> {
    let k = mu.len();
    // Each change gains, so none is undone at once; the bound only keeps rounding from going in circles.
    for _ in 0..k * k {
        let gain = |a: usize| -> f64 {
            (0..k).filter(|&b| b != a).map(|b| mu[a] * mu[b] * weights[a * k + b]).sum()
        };
        let gains: Vec<f64> = (0..k).map(gain).collect();
        let best = (1..k).fold(0, |best, a| if gains[a] > gains[best] { a } else { best });
        if gains[best] <= TIE * weight(weights, &mu) {
            break;
        }
        mu[best] = -mu[best];
    }
    mu
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(k: usize, seed: u64) -> Vec<f64> {
        let of = |a: usize, b: usize| Seed::new(seed).part((a.min(b) * k + a.max(b)) as u64).unit();
        (0..k * k).map(|at| if at / k == at % k { 0.0 } else { of(at / k, at % k) }).collect()
    }

    #[test]
    fn exhaustive_codes_have_every_colouring_once() {
        for k in 2..7 {
            let columns: std::collections::BTreeSet<Vec<i8>> = (1..1usize << (k - 1))
                .map(|round| Colouring::Exhaustive.column(round, k, Seed::new(0)))
                .map(|mu| mu.iter().map(|&x| x as i8).collect())
                .collect();
            assert_eq!(columns.len(), (1 << (k - 1)) - 1);
            assert!(columns.iter().all(|mu| mu[0] == 1 && mu.contains(&-1)));
        }
    }

    #[test]
    fn drawn_colourings_halve_the_classes() {
        for k in 2..9 {
            let mu = Colouring::Random.column(3, k, Seed::new(k as u64));
            assert_eq!(mu.iter().filter(|&&x| x < 0.0).count(), k / 2);
        }
    }

    #[test]
    fn local_search_comes_close_to_the_heaviest_cut() {
        for seed in 0..20 {
            let (k, weights) = (12, random(12, seed));
            let best = weight(&weights, &max_cut(&weights, k, Seed::new(1)));
            let found = improved(&weights, greedy(&weights, k));
            assert!(weight(&weights, &found) >= 0.9 * best);
            assert!(weight(&weights, &found) <= best * (1.0 + 1e-9));
            // No single change of colour gains.
            for a in 0..k {
                let mut other = found.clone();
                other[a] = -other[a];
                assert!(weight(&weights, &other) <= weight(&weights, &found) * (1.0 + 1e-9));
            }
        }
        let weights = random(40, 3);
        let cut = weight(&weights, &max_cut(&weights, 40, Seed::new(1)));
        let all: f64 = weights.iter().sum::<f64>() / 2.0;
        assert!(cut > 0.5 * all && cut < all);
    }
}
