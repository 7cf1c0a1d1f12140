//! Codewords: the direction in which the scores of each class are pushed.
//!
//! Saberian & Vasconcelos 2019, section 5. A set of M codewords of dimension d has a minimum distance (66) and a margin capacity (56): the largest
//! margin that a predictor of length 1 can have for the class that fares worst. Both are greatest for the regular simplex,
//! which needs d = M − 1 (Theorem 3); with fewer dimensions the codewords are spread over the sphere as far as they go.

mod capacity;
mod maxmin;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use manyboost_data::{Error, ErrorKind, Result};
use manyboost_kernel::Seed;

use crate::codes::matrix::Matrix;
use crate::spec::option::{Describe, Number, Range, WordOrMatrix};
use crate::spec::options::{Options, WordOr};

/// Draws of random codewords, of which the ones farthest apart are kept.
const DRAWS: u64 = 64;
/// Larger dimensions are refused.
pub(crate) const MOST_DIMENSIONS: usize = 4096;

const CODEWORDS: WordOrMatrix<Drawn> = WordOrMatrix::new(
    "codewords",
    "Codewords of the classes",
    &[
        ("simplex", Drawn::Simplex, "the regular simplex: as far apart as any"),
        ("canonical", Drawn::Canonical, "the unit vectors"),
        ("max-min", Drawn::MaxMin, "as far apart as they go in `dim` dimensions"),
        (
            "max-capacity",
            Drawn::MaxCapacity,
            "of the largest margin capacity that a search finds in `dim` dimensions",
        ),
        ("random", Drawn::Random, "random signs"),
    ],
    "numbers",
);

const DIM: Number<usize> =
    Number::new("dim", "Dimension of the codewords", Range::from_to(1, MOST_DIMENSIONS));

/// Codewords that have names.
#[derive(Clone, Copy)]
enum Drawn {
    Simplex,
    Canonical,
    MaxMin,
    MaxCapacity,
    Random,
}

/// Which codewords.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum CodewordKind {
    /// The regular simplex in M − 1 dimensions.
    #[default]
    Simplex,
    /// The unit vectors of M dimensions.
    Canonical,
    /// Random signs, divided by √d.
    Random {
        /// Dimensions; M if none are given.
        dim: Option<usize>,
    },
    /// As far apart as they go, centred.
    MaxMin {
        /// Dimensions.
        dim: usize,
    },
    /// Of the largest margin capacity that a search finds.
    MaxCapacity {
        /// Dimensions.
        dim: usize,
    },
    /// A row for each class.
    Given(Matrix),
}

impl CodewordKind {
    /// What options ask for. A dimension alone means codewords that are as far apart as they go in it.
    pub fn from_options(options: &mut Options) -> Result<Self> {
        let alone = !options.has(&CODEWORDS) && options.has(&DIM);
        let default = if alone { "max-min" } else { "simplex" };
        Ok(match options.take_matrix(&CODEWORDS, default, |given| Ok(given.text()))? {
            WordOr::Word(Drawn::Simplex) => Self::Simplex,
            WordOr::Word(Drawn::Canonical) => Self::Canonical,
            WordOr::Word(Drawn::Random) => Self::Random { dim: options.take_given(&DIM)? },
            WordOr::Word(Drawn::MaxMin) => Self::MaxMin { dim: options.take(&DIM, 2)? },
            WordOr::Word(Drawn::MaxCapacity) => Self::MaxCapacity { dim: options.take(&DIM, 2)? },
            WordOr::Matrix(given) => Self::Given(given),
        })
    }

    /// Those that a model remembers; `None` if it has none.
    pub fn remembered(parameters: &BTreeMap<String, String>) -> Option<Self> {
        let text = parameters.get("codewords")?;
        if !CODEWORDS.info().words.iter().any(|word| word.0 == text) {
            return Matrix::parse(&text.replace(';', "\n")).ok().map(Self::Given);
        }
        let named = parameters.iter().filter(|(name, _)| ["codewords", "dim"].contains(&name.as_str()));
        let named = named.map(|(name, value)| (name.clone(), value.clone())).collect();
        Self::from_options(&mut Options::remembered(named)).ok()
    }

    /// Refuses codewords that do not fit so many classes.
    pub fn check(&self, m: usize) -> Result<()> {
        let wrong = |what: String, remedy: &str| Err(Error::new(ErrorKind::Parameter, what, remedy));
        match self {
            Self::MaxMin { dim } | Self::MaxCapacity { dim } if *dim + 1 > m.max(2) => wrong(
                format!("`dim={dim}`: {m} classes need no more than {} dimensions", m.max(2) - 1),
                "give fewer, or `codewords=simplex`, which is the best of all",
            ),
            Self::MaxMin { dim: 1 } | Self::MaxCapacity { dim: 1 } if m > 2 => {
                wrong(format!("`dim=1`: two codewords at most, and {m} classes"), "give `dim=2` or more")
            }
            Self::Random { dim: Some(dim) } if *dim < 63 && 1u64 << dim < m as u64 => wrong(
                format!("`dim={dim}`: 2^{dim} words of signs, and {m} classes"),
                "give more dimensions, so that no two classes share a codeword",
            ),
            Self::Given(given) if given.rows() != m => wrong(
                format!("`codewords`: {} rows for {m} classes", given.rows()),
                "give a row for each class, in the order of the classes",
            ),
            Self::Given(given) if (1..m).any(|k| (0..k).any(|l| given.row(k) == given.row(l))) => {
                wrong("`codewords`: two classes share a codeword".into(), "give each class its own")
            }
            _ => Ok(()),
        }
    }

    /// As [`CodewordKind::of`], from a user's seed.
    pub fn drawn(&self, m: usize, seed: u64) -> Codewords {
        self.of(m, Seed::new(seed))
    }

    /// About how many seconds it takes to find them.
    pub fn seconds(&self, m: usize) -> f64 {
        match self {
            Self::MaxMin { dim } if *dim + 1 < m => maxmin::seconds(m, *dim),
            Self::MaxCapacity { dim } if *dim + 1 < m => capacity::seconds(m, *dim),
            _ => 0.0,
        }
    }

    /// The codewords of M classes, a row each; the kind has been checked.
    pub fn of(&self, m: usize, seed: Seed) -> Codewords {
        self.of_until(m, seed, &AtomicBool::new(false))
    }

    /// The same; if `stop` is set meanwhile, they are worse than they could be.
    pub(crate) fn of_until(&self, m: usize, seed: Seed, stop: &AtomicBool) -> Codewords {
        Codewords(match self {
            Self::Simplex => simplex(m),
            Self::MaxMin { dim } | Self::MaxCapacity { dim } if *dim + 1 >= m => simplex(m),
            Self::Canonical => {
                let m = m.max(1);
                Matrix::new(m, (0..m * m).map(|at| f64::from(u8::from(at / m == at % m))).collect())
            }
            Self::Random { dim } => random(m, dim.unwrap_or(m).max(1), seed),
            Self::MaxMin { dim } => maxmin::max_min(m, *dim, stop),
            Self::MaxCapacity { dim } => capacity::max_capacity(m, *dim, stop),
            Self::Given(given) => given.clone(),
        })
    }
}

/// The vertices of a regular simplex: each new axis sets one vertex apart from those that follow.
fn simplex(m: usize) -> Matrix {
    let d = m.saturating_sub(1).max(1);
    let mut values = vec![0.0; m.max(1) * d];
    if m < 2 {
        values[0] = 1.0;
    }
    for j in 0..m.saturating_sub(1) {
        let before: f64 = values[j * d..j * d + j].iter().map(|x| x * x).sum();
        let own = (1.0 - before).sqrt();
        values[j * d + j] = own;
        for k in j + 1..m {
            values[k * d + j] = -own / (m - 1 - j) as f64;
        }
    }
    Matrix::new(d, values)
}

/// Random signs over √d: of several draws the one with the greatest minimum distance.
fn random(m: usize, d: usize, seed: Seed) -> Matrix {
    let unit = 1.0 / (d as f64).sqrt();
    let draw = |number: u64| {
        let seed = seed.part(number);
        let sign = |at: u64| if seed.part(at).bits() >> 63 == 1 { unit } else { -unit };
        Codewords(Matrix::new(d, (0..(m.max(1) * d) as u64).map(sign).collect()))
    };
    let first = draw(0);
    let least = first.min_distance();
    let (mut best, _) = (1..DRAWS).map(draw).fold((first, least), |(best, least), drawn| {
        let distance = drawn.min_distance();
        if distance > least { (drawn, distance) } else { (best, least) }
    });
    // In few dimensions every draw may have repeated a word: count on from it until it is new.
    for k in 1..m {
        while (0..k).any(|l| best.0.row(l) == best.0.row(k)) {
            best.0.next_signs(k);
        }
    }
    best.0
}

/// A row of numbers for each class.
#[derive(Clone, Debug, PartialEq)]
pub struct Codewords(Matrix);

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

impl Codewords {
    /// The numbers.
    pub fn matrix(&self) -> &Matrix {
        &self.0
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.0.rows()
    }

    /// Dimension.
    pub fn dim(&self) -> usize {
        self.0.width()
    }

    /// The codeword of a class.
    pub fn word(&self, class: usize) -> &[f64] {
        self.0.row(class)
    }

    /// The `j`th numbers of all codewords.
    pub fn column(&self, j: usize) -> Vec<f64> {
        (0..self.classes()).map(|k| self.0.at(k, j)).collect()
    }

    /// The least squared distance of two codewords (66); 0 if there is but one.
    pub fn min_distance(&self) -> f64 {
        let m = self.classes();
        let apart = |k: usize, l: usize| -> f64 {
            self.word(k).iter().zip(self.word(l)).map(|(x, y)| (x - y) * (x - y)).sum()
        };
        let pairs = (1..m).flat_map(|k| (0..k).map(move |l| (k, l)));
        let least = pairs.map(|(k, l)| apart(k, l)).fold(f64::INFINITY, f64::min);
        if least.is_finite() { least } else { 0.0 }
    }

    /// The margin capacity (56): for each class the largest margin min ½⟨y^k − y^l, v⟩ of a v of length 1, and the least of these.
    /// The largest margin is half the distance from the origin to the hull of the differences y^k − y^l.
    pub fn capacity(&self) -> f64 {
        let m = self.classes();
        let margin = |k: usize| {
            let difference = |l: usize| self.word(k).iter().zip(self.word(l)).map(|(x, y)| x - y).collect();
            let differences: Vec<Vec<f64>> = (0..m).filter(|&l| l != k).map(difference).collect();
            0.5 * distance_to_hull(&differences)
        };
        if m < 2 { 0.0 } else { (0..m).map(margin).fold(f64::INFINITY, f64::min) }
    }
}

/// The distance from the origin to the convex hull of points, by moving weight from the point farthest along the present
/// nearest point to the one least far.
fn distance_to_hull(points: &[Vec<f64>]) -> f64 {
    const ROUNDS: usize = 20_000;
    let mut weights = vec![1.0 / points.len() as f64; points.len()];
    let d = points[0].len();
    let mut nearest: Vec<f64> =
        (0..d).map(|j| points.iter().map(|p| p[j]).sum::<f64>() / points.len() as f64).collect();
    for _ in 0..ROUNDS {
        let along: Vec<f64> = points.iter().map(|p| dot(p, &nearest)).collect();
        let low = (1..along.len()).fold(0, |best, i| if along[i] < along[best] { i } else { best });
        let held = (0..along.len()).filter(|&i| weights[i] > 0.0);
        let high = held.fold(low, |best, i| if along[i] > along[best] { i } else { best });
        if along[high] - along[low] <= 1e-15 * (1.0 + dot(&nearest, &nearest)) {
            break;
        }
        let towards: Vec<f64> = points[low].iter().zip(&points[high]).map(|(a, b)| a - b).collect();
        let by = ((along[high] - along[low]) / dot(&towards, &towards)).min(weights[high]);
        weights[low] += by;
        weights[high] = if by >= weights[high] { 0.0 } else { weights[high] - by };
        nearest.iter_mut().zip(&towards).for_each(|(x, t)| *x += by * t);
    }
    dot(&nearest, &nearest).sqrt()
}

#[cfg(test)]
mod tests;
