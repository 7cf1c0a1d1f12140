//! The options of texts.

use manyboost_data::Result;
use manyboost_data::text::{Grams, LONGEST, Recipe, Weighting};

use crate::spec::option::{Choice, Number, NumberOrAuto, Range};
use crate::spec::options::Options;

/// What is made of text columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Linear,
    Words,
}

const TEXT: Choice<Use> = Choice::new(
    "text-as",
    "What is made of text columns (linear if nothing is said)",
    &[
        ("linear", Use::Linear, "a linear function of all words is where boosting begins"),
        ("words", Use::Words, "nothing but the presence of words, for weak learners"),
    ],
);

const GRAMS: NumberOrAuto<u32> = NumberOrAuto::new(
    "text-ngrams",
    "Most words of a run that the linear function of texts looks at",
    Range::from_to(0, LONGEST),
    "2 where texts are short, else 1",
);

const LETTERS: NumberOrAuto<u32> = NumberOrAuto::new(
    "text-letters",
    "Most letters of a run within words that the linear function of texts looks at, from 3 on (0: none)",
    Range::from_to(0, LONGEST),
    "4 where texts are short, else 0",
);

const WEIGHTING: Choice<Weighting> = Choice::new(
    "text-weighting",
    "What a word counts in the linear function of texts (tf-idf if nothing is said)",
    &[
        ("tf-idf", Weighting::TfIdf, "1 + ln(how often it occurs), times its inverse document frequency"),
        ("counts", Weighting::Counts, "how often it occurs"),
        ("presence", Weighting::Presence, "1 if it occurs"),
    ],
);

const MIN_DOCS: Number<u32> = Number::new(
    "text-min-docs",
    "Rows in which a word must occur for the linear function of texts (2 if nothing is said)",
    Range::from_to(1, 1_000_000_000),
);

const MAX_SHARE: Number<f64> = Number::new(
    "text-max-share",
    "The largest share of rows in which a word may occur for the linear function of texts (1 if nothing is said)",
    Range::above_to(0.0, 1.0),
);

const STOP_WORDS: Choice<bool> = Choice::new(
    "text-stop-words",
    "Words that the linear function of texts leaves out (none if nothing is said)",
    &[("none", false, "no words"), ("english", true, "common English words, such as \"the\"")],
);

const COST: NumberOrAuto<f64> = NumberOrAuto::new(
    "text-cost",
    "What an error of the linear function of texts costs, beside large coefficients",
    Range::from_to(1e-6, 1e6),
    "1, or 2 for label sets",
);

/// Fewest letters of a run, if longer ones are looked at.
const SHORTEST: u32 = 3;

/// How the linear function of texts is found.
#[derive(Clone, Debug, PartialEq)]
pub struct TextPlan {
    grams: Option<u32>,
    letters: Option<u32>,
    weighting: Weighting,
    min_docs: u32,
    max_share: f64,
    stop_words: bool,
    cost: Option<f64>,
}

/// Takes the options of texts; none if there is to be no linear function.
pub(crate) fn take(options: &mut Options) -> Result<Option<TextPlan>> {
    if options.take_given(&TEXT)? == Some(Use::Words) {
        return Ok(None);
    }
    Ok(Some(TextPlan {
        grams: options.take_given(&GRAMS)?.flatten(),
        letters: options.take_given(&LETTERS)?.flatten(),
        weighting: options.take_given(&WEIGHTING)?.unwrap_or(Weighting::TfIdf),
        min_docs: options.take_given(&MIN_DOCS)?.unwrap_or(2),
        max_share: options.take_given(&MAX_SHARE)?.unwrap_or(1.0),
        stop_words: options.take_given(&STOP_WORDS)?.unwrap_or(false),
        cost: options.take_given(&COST)?.flatten(),
    }))
}

impl TextPlan {
    /// What is counted in texts, which may be short.
    pub(super) fn recipes(&self, short: bool) -> Vec<Recipe> {
        let Self { weighting, min_docs, max_share, stop_words, .. } = *self;
        let words = self.grams.unwrap_or(if short { 2 } else { 1 });
        let letters = self.letters.unwrap_or(if short { 4 } else { 0 });
        let words = (words > 0).then_some(Grams::Words { longest: words, stop_words });
        let letters =
            (letters > 0).then_some(Grams::Letters { shortest: SHORTEST.min(letters), longest: letters });
        let recipe = |grams| Recipe { grams, weighting, min_docs, max_share };
        words.into_iter().chain(letters).map(recipe).collect()
    }

    /// What an error costs.
    pub(super) fn cost(&self, sets: bool) -> f64 {
        self.cost.unwrap_or(if sets { 2.0 } else { 1.0 })
    }
}
