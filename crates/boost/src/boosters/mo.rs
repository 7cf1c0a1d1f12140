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
//! With ρ the fewest bits in which two words differ, the training error is at most (2 k'/ρ) ∏ Z for the first and (k'/ρ) ∏ Z
//! for the second (Theorem 5).

use manyboost_data::{Error, ErrorKind, Labels, Result};
use manyboost_kernel::Seed;

use super::hamming::{Hamming, LabelAnswers, label_answers, smoothing};
use crate::codes::code::{Code, MOST_BITS, MOST_EXHAUSTIVE};
use crate::learners::TreeParameters;
use crate::model::reading::{Decode, Link, Reading};
use crate::spec::booster::{Booster, FittedHypothesis, Load, Problem, RoundState, Step, Target};
use crate::spec::bounds::Proved;
use crate::spec::options::Options;
use crate::spec::registry::{BoosterEntry, NO_EDGE};

/// The part of the seed that codes are drawn with.
const CODE_SEED: u64 = 0x636f_6465;

/// Longer files are not codes.
const LONGEST_FILE: u64 = 64 << 20;

/// Which code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MoCode {
    /// Random words.
    #[default]
    Random,
    /// Every way to tell some classes from the others.
    Exhaustive,
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
    name: "mo",
    summary: "AdaBoost.MO: AdaBoost.MH on the bits of an output code",
    source: "Schapire & Singer 1999",
    no_edge: NO_EDGE,
    sets: false,
    proved: |_| Proved::Error,
    defaults: |_| ("stump", TreeParameters::stump(), 200),
    build: |options| {
        let answers = [
            ("sign", LabelAnswers::Sign),
            ("confidence", LabelAnswers::Confidence),
            ("factored", LabelAnswers::Factored),
        ];
        let answers = label_answers(options, &answers)?;
        let smoothing = match answers {
            LabelAnswers::Confidence => smoothing(options)?,
            _ => None,
        };
        let decode = options.choice("decode", &[("loss", MoDecode::Loss), ("hamming", MoDecode::Hamming)])?;
        Ok(Box::new(Mo { hamming: Hamming { answers, smoothing }, code: code(options)?, decode }))
    },
};

/// The code that options ask for. A model remembers the words of a file, not its name.
fn code(options: &mut Options) -> Result<MoCode> {
    match options.word_or_file("code", "random", &["random", "exhaustive"]).as_str() {
        "random" => Ok(MoCode::Random),
        "exhaustive" => Ok(MoCode::Exhaustive),
        path => {
            let code = read(path)?;
            let word = |word: &[i8]| word.iter().map(|s| if *s > 0 { '+' } else { '-' }).collect::<String>();
            let words: Vec<String> = code.words().map(word).collect();
            options.remember("code", &words.join(" "));
            Ok(MoCode::Given(code))
        }
    }
}

/// Reads a file of one word a line: +1 and −1 with blanks or commas between them.
fn read(path: &str) -> Result<Code> {
    let remedy = "--code takes random, exhaustive, or a file with a line of +1 and -1 for each class";
    let wrong = |what: String| Error::new(ErrorKind::Parameter, format!("--code {path}: {what}"), remedy);
    let there = std::fs::metadata(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    if !there.is_file() || there.len() > LONGEST_FILE {
        return Err(wrong("not a file of signs".into()));
    }
    let text = std::fs::read_to_string(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let sign = |line: usize, text: &str| match text {
        "1" | "+1" | "1.0" => Ok(1),
        "-1" | "-1.0" => Ok(-1),
        _ => Err(wrong(format!("line {}: \"{}\" is not a sign", line + 1, text.escape_debug()))),
    };
    let word = |(line, text): (usize, &str)| -> Result<Vec<i8>> {
        let parts = text.split([',', ' ', '\t', '\r']).filter(|part| !part.is_empty());
        parts.map(|part| sign(line, part)).collect()
    };
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let words: Vec<Vec<i8>> = lines.map(word).collect::<Result<_>>()?;
    Code::new(&words)
        .ok_or_else(|| wrong(format!("lines must be of one length, from 1 to {MOST_BITS} signs")))
}

impl Mo {
    /// The words of the classes.
    fn words(&self, classes: usize, seed: Seed) -> Code {
        match &self.code {
            MoCode::Random => Code::random(classes, seed.part(CODE_SEED)),
            MoCode::Exhaustive => Code::exhaustive(classes),
            MoCode::Given(code) => code.clone(),
        }
    }
}

impl Booster for Mo {
    fn check(&self, labels: &Labels) -> Result<()> {
        let k = labels.classes();
        let wrong = |what: String, remedy: &str| Err(Error::new(ErrorKind::Parameter, what, remedy));
        match &self.code {
            MoCode::Exhaustive if k > MOST_EXHAUSTIVE => wrong(
                format!("--code exhaustive would have {} bits for {k} classes", format_args!("2^{}", k - 1)),
                "say --code random, which is for any number of classes",
            ),
            MoCode::Given(code) if code.classes() != k => wrong(
                format!("--code: {} words for {k} classes", code.classes()),
                "give one line for each class, in the order in which `manyboost inspect` lists them",
            ),
            MoCode::Given(code) if code.distance() == 0 => {
                wrong("--code: two classes have the same word".into(), "give each class a word of its own")
            }
            _ => Ok(()),
        }
    }

    fn start(&self, task: &Problem<'_>) -> Vec<f64> {
        vec![0.0; self.words(task.labels.classes(), task.seed).bits()]
    }

    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let positive = self.words(now.labels.classes(), now.seed).positive();
        let y = now.classes();
        self.hamming.target(now, |i| &positive[y[i] as usize], channels)
    }

    fn load(&self, width: usize) -> Load {
        self.hamming.load(width)
    }

    /// The constant of Theorem 5 enters the bound with the first round.
    fn step(
        &self,
        now: &RoundState<'_>,
        target: &Target,
        channels: &[f64],
        fits: &mut Vec<FittedHypothesis>,
    ) -> Step {
        let mut step = self.hamming.step(now, target, channels, &fits[0]);
        if let (Step::Take { figures, .. }, true) = (&mut step, now.past.is_empty()) {
            let code = self.words(now.labels.classes(), now.seed);
            let constant = code.bits() as f64 / code.distance() as f64;
            let constant = if self.decode == MoDecode::Hamming { 2.0 * constant } else { constant };
            figures.bound_factor =
                figures.bound_factor.map(|z| constant * z).filter(|bound| bound.is_finite());
        }
        step
    }

    fn takes_signs(&self) -> bool {
        self.hamming.answers != LabelAnswers::Confidence
    }

    fn takes_sides(&self) -> bool {
        matches!(self.hamming.answers, LabelAnswers::Sign | LabelAnswers::Class)
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
