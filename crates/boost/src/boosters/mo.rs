//! AdaBoost.MO: AdaBoost.MH on the bits of an output code, λ(y) ∈ {−1, +1}^k' for each class y.
//!
//! Schapire & Singer (1999), section 8, figure 3; [`Hamming`] has the rounds, with a row's labels being the bits of its
//! class that are +1. The scores f(x, y') of the bits are read in one of two ways:
//!
//! ```text
//! hamming   H(x) = argmin over y of the number of bits in which λ(y) differs from sign f(x, ·)     (variant 1)
//! loss      H(x) = argmin over y of Σ exp(−λ(y)[y'] f(x, y'))                                    (variant 2)
//! ```
//!
//! A code may have zeros: a bit is then not about the classes that have 0 there, and their rows weigh nothing in it. `pairs` has a bit for each pair of
//! classes (Allwein, Schapire & Singer 2000); a 0 costs 1 in the second variant and half a bit in the first.
//!
//! With ρ the fewest bits in which two words differ, the training error is at most (2 k'/ρ) ∏ Z for the first and (k'/ρ) ∏ Z
//! for the second (Theorem 5). With zeros, k' is the number of bits that are about a class, if all classes have as many; else there is no bound.

use manyboost_data::{Error, ErrorKind, Labels, Result};
use manyboost_kernel::Seed;

use super::hamming::{ABSTAIN, FACTORED, Hamming, LabelAnswers, Marks, SIGN, SMOOTHING, label_answers};
use super::{ANSWERS_HELP, CODE_HELP};
use crate::codes::code::{Code, MOST_BITS, MOST_EXHAUSTIVE};
use crate::codes::matrix::Matrix;
use crate::engine::fast::{Cache, FastPaths};
use crate::model::reading::{Decode, Link, Reading};
use crate::spec::booster::{Asks, Booster, Fits, Load, Problem, RoundState, Step, Target};
use crate::spec::bounds::Proved;
use crate::spec::option::{Choice, WordOrMatrix};
use crate::spec::options::{Options, WordOr};
use crate::spec::registry::BoosterEntry;
use crate::votes::OddsCriterion;

/// The part of the seed that codes are drawn with.
const CODE_SEED: u64 = 0x636f_6465;

/// Which code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MoCode {
    /// Random words.
    #[default]
    Random,
    /// Every way to tell some classes from the others.
    Exhaustive,
    /// A bit for each pair of classes.
    Pairs,
    /// These words.
    Given(Code),
}

/// How the scores of bits become a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoDecode {
    /// The word of the smallest exponential loss.
    #[default]
    Loss,
    /// The word with the most right signs.
    Hamming,
}

const ANSWERS: Choice<LabelAnswers> = Choice::new(
    "answers",
    ANSWERS_HELP,
    &[
        ("sign", LabelAnswers::Sign, SIGN),
        ("confidence", LabelAnswers::Confidence, "half the logarithm of the odds of each bit"),
        ("factored", LabelAnswers::Factored, FACTORED),
        ("abstain", LabelAnswers::Abstain, ABSTAIN),
    ],
);

const DECODE: Choice<MoDecode> = Choice::new(
    "decode",
    "How the scores of bits become a class",
    &[
        ("loss", MoDecode::Loss, "the word of the smallest exponential loss"),
        ("hamming", MoDecode::Hamming, "the word with the most right signs"),
    ],
);

const CODE: WordOrMatrix<Drawn> = WordOrMatrix::new(
    "code",
    CODE_HELP,
    &[
        ("random", Drawn::Random, "random words, far apart"),
        ("exhaustive", Drawn::Exhaustive, "every way to tell some classes from the others"),
        ("pairs", Drawn::Pairs, "one bit for each pair of classes, which is not about the others"),
    ],
    "+1, −1 and 0",
);

/// Codes that have names.
#[derive(Clone, Copy)]
enum Drawn {
    Random,
    Exhaustive,
    Pairs,
}

/// AdaBoost.MO.
#[derive(Clone, Debug, Default)]
pub struct Mo {
    /// Answers and smoothing.
    pub hamming: Hamming,
    /// The code.
    pub code: MoCode,
    /// How it is read.
    pub decode: MoDecode,
}

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    proved: |_| Proved::Error,
    ..BoosterEntry::new(
        "mo",
        "AdaBoost.MO: AdaBoost.MH on the bits of an output code",
        "Schapire & Singer 1999",
        |options| {
            let answers = label_answers(options, &ANSWERS)?;
            let smoothing = if answers.weighs_both() { options.take(&SMOOTHING, None)? } else { None };
            let criterion = match answers {
                LabelAnswers::Confidence => OddsCriterion::from_options(options)?,
                _ => OddsCriterion::Z,
            };
            let decode = options.take(&DECODE, MoDecode::Loss)?;
            let hamming = Hamming { answers, smoothing, criterion };
            Ok(Box::new(Mo { hamming, code: code(options)?, decode }))
        },
    )
};

/// The code that options ask for. A model remembers the words of a file, not its name.
fn code(options: &mut Options) -> Result<MoCode> {
    let remembered = |matrix: &Matrix| {
        let word = |word: &[i8]| word.iter().map(|s| ['-', '0', '+'][(1 + *s) as usize]).collect::<String>();
        Ok(words(matrix)?.words().map(word).collect::<Vec<_>>().join(" "))
    };
    Ok(match options.take_matrix(&CODE, "random", remembered)? {
        WordOr::Word(Drawn::Random) => MoCode::Random,
        WordOr::Word(Drawn::Exhaustive) => MoCode::Exhaustive,
        WordOr::Word(Drawn::Pairs) => MoCode::Pairs,
        WordOr::Matrix(matrix) => MoCode::Given(words(&matrix)?),
    })
}

/// The words of a matrix of signs.
fn words(matrix: &Matrix) -> Result<Code> {
    matrix.ternary("code")?;
    let word = |row: usize| matrix.row(row).iter().map(|x| *x as i8).collect();
    let words: Vec<Vec<i8>> = (0..matrix.rows()).map(word).collect();
    Code::new(&words).ok_or_else(|| {
        let what = format!("`code`: words of {} signs", matrix.width());
        let remedy = format!("give words of at most {MOST_BITS} signs, of which not all are 0");
        Error::new(ErrorKind::Parameter, what, remedy)
    })
}

impl Mo {
    /// The words of the classes.
    fn words(&self, classes: usize, seed: Seed) -> Code {
        match &self.code {
            MoCode::Random => Code::random(classes, seed.part(CODE_SEED)),
            MoCode::Exhaustive => Code::exhaustive(classes),
            MoCode::Pairs => Code::pairs(classes),
            MoCode::Given(code) => code.clone(),
        }
    }
}

impl FastPaths for Mo {
    fn cached(&self, now: &RoundState<'_>, cache: &Cache<'_>) -> Option<Target> {
        let code = self.words(now.labels.classes(), now.seed);
        if code.is_ternary() {
            return None;
        }
        let (positive, y) = (code.positive(), now.classes());
        self.hamming.cached(now, |i| &positive[y[i] as usize], cache)
    }
}

impl Booster for Mo {
    fn check(&self, labels: &Labels) -> Result<()> {
        let k = labels.classes();
        let wrong = |what: String, remedy: &str| Err(Error::new(ErrorKind::Parameter, what, remedy));
        match &self.code {
            MoCode::Exhaustive if k > MOST_EXHAUSTIVE => wrong(
                format!("`code=exhaustive` would have {} bits for {k} classes", format_args!("2^{}", k - 1)),
                "say `code=random`, which is for any number of classes",
            ),
            MoCode::Pairs if k * k.saturating_sub(1) / 2 > MOST_BITS => wrong(
                format!("`code=pairs` would have {} bits for {k} classes", k * (k - 1) / 2),
                "say `code=random`, which is for any number of classes",
            ),
            MoCode::Given(code) if code.classes() != k => wrong(
                format!("`code`: {} words for {k} classes", code.classes()),
                "give one line for each class, in the order of the classes",
            ),
            MoCode::Given(code) if code.distance() == 0 => wrong(
                "`code`: no bit tells two of the classes apart".into(),
                "give each class a word of its own",
            ),
            _ => Ok(()),
        }
    }

    fn start(&self, task: &Problem<'_>) -> Vec<f64> {
        vec![0.0; self.words(task.labels.classes(), task.seed).bits()]
    }

    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let code = self.words(now.labels.classes(), now.seed);
        let (positive, silent, y) = (code.positive(), code.silent(), now.classes());
        let marks = |i: usize| Marks { own: &positive[y[i] as usize], silent: &silent[y[i] as usize] };
        self.hamming.target(now, marks, channels)
    }

    fn load(&self, width: usize) -> Load {
        self.hamming.load(width)
    }

    fn fast_paths(&self) -> Option<&dyn FastPaths> {
        Some(self)
    }

    /// The constant of Theorem 5 enters the bound with the first round.
    fn step(&self, now: &RoundState<'_>, target: &Target, channels: &[f64], fits: &mut Fits) -> Step {
        let mut step = self.hamming.step(now, target, channels, &fits[0]);
        if let (Step::Take { figures, .. }, true) = (&mut step, now.past.is_empty()) {
            let code = self.words(now.labels.classes(), now.seed);
            let times = if self.decode == MoDecode::Hamming { 2.0 } else { 1.0 };
            figures.bound_factor =
                figures.bound_factor.zip(code.constant()).map(|(z, constant)| times * constant * z);
        }
        step
    }

    fn asks(&self) -> Asks {
        self.hamming.asks()
    }

    fn first_bound(&self, _: &Labels) -> Option<f64> {
        Some(1.0)
    }

    /// Classes are as likely as their losses L are small, P ∝ 1/L: with two classes and one bit that is the link of
    /// `AdaBoost`.
    /// Read by signs, a class loses the factor e for each wrong one.
    fn reading(&self, task: &Problem<'_>) -> Reading {
        let code = self.words(task.labels.classes(), task.seed);
        let decode = match self.decode {
            MoDecode::Loss => Decode::Loss(code),
            MoDecode::Hamming => Decode::Hamming(code),
        };
        Reading { decode, link: Link::Softmax(1.0) }
    }
}
