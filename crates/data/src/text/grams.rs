//! What there is to count in a text.
//!
//! A word is a run of letters and digits in lower case. Between characters of ASCII that is all there is to know. Where others stand, words end by the rules
//! of Unicode (UAX 29): marks belong to their letters, and where a script does not write spaces, signs are words.

use unicode_segmentation::UnicodeSegmentation;

use super::Grams;
use super::stop::is_stop_word;

/// Finds what there is to count, text after text.
#[derive(Default)]
pub(super) struct GramReader {
    /// The words of the text, with a space between two.
    joined: String,
    /// Where each word begins and ends.
    words: Vec<(usize, usize)>,
    /// A word between two spaces, and where its characters begin.
    padded: String,
    places: Vec<usize>,
}

impl GramReader {
    /// Calls `each` with every gram of a text, as often as it occurs.
    pub(super) fn read(&mut self, text: &str, grams: Grams, mut each: impl FnMut(&str)) {
        let drops = matches!(grams, Grams::Words { stop_words: true, .. });
        self.split(text, drops);
        match grams {
            Grams::Words { longest, .. } => {
                for (at, &(start, _)) in self.words.iter().enumerate() {
                    for &(_, end) in self.words[at..].iter().take(longest as usize) {
                        each(&self.joined[start..end]);
                    }
                }
            }
            Grams::Letters { shortest, longest } => {
                for &(start, end) in &self.words {
                    pad(&self.joined[start..end], &mut self.padded, &mut self.places);
                    letters(&self.padded, &self.places, shortest as usize..=longest as usize, &mut each);
                }
            }
        }
    }

    /// Finds the words of a text.
    fn split(&mut self, text: &str, drops: bool) {
        self.joined.clear();
        self.words.clear();
        let parts = text.split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric());
        for part in parts.filter(|part| !part.is_empty()) {
            if part.is_ascii() {
                self.push(part, drops);
            } else {
                part.unicode_words().for_each(|word| self.push(word, drops));
            }
        }
    }

    fn push(&mut self, word: &str, drops: bool) {
        let before = self.joined.len();
        if !self.words.is_empty() {
            self.joined.push(' ');
        }
        let start = self.joined.len();
        if word.is_ascii() {
            self.joined.push_str(word);
            self.joined[start..].make_ascii_lowercase();
        } else {
            self.joined.extend(word.chars().flat_map(char::to_lowercase));
        }
        if drops && is_stop_word(&self.joined[start..]) {
            self.joined.truncate(before);
        } else {
            self.words.push((start, self.joined.len()));
        }
    }
}

/// A word between two spaces, and where its characters begin and the last one ends.
fn pad(word: &str, padded: &mut String, places: &mut Vec<usize>) {
    padded.clear();
    padded.push(' ');
    padded.push_str(word);
    padded.push(' ');
    places.clear();
    places.extend(padded.char_indices().map(|(at, _)| at));
    places.push(padded.len());
}

/// The runs of so many characters; a shorter word is one run.
fn letters(
    padded: &str,
    places: &[usize],
    lengths: std::ops::RangeInclusive<usize>,
    each: &mut impl FnMut(&str),
) {
    let count = places.len() - 1;
    for length in lengths {
        if length >= count {
            each(padded);
            return;
        }
        places.windows(length + 1).for_each(|run| each(&padded[run[0]..run[length]]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grams(text: &str, grams: Grams) -> Vec<String> {
        let mut found = Vec::new();
        GramReader::default().read(text, grams, |gram| found.push(gram.to_string()));
        found
    }

    const WORDS: Grams = Grams::Words { longest: 1, stop_words: false };

    #[test]
    fn words_end_where_unicode_says() {
        assert_eq!(grams("Don't PANIC_42: a.b@c", WORDS), ["don", "t", "panic", "42", "a", "b", "c"]);
        assert_eq!(grams("Ünïcode, STRASSE Été", WORDS), ["ünïcode", "strasse", "été"]);
        // A mark belongs to its letter, and signs without spaces are words.
        assert_eq!(grams("e\u{301}te\u{301} 東京", WORDS), ["e\u{301}te\u{301}", "東", "京"]);
        assert_eq!(grams(" \n-- \u{2014}", WORDS), [""; 0]);
    }

    #[test]
    fn runs_of_words_leave_stop_words_out() {
        let of = |stop_words| grams("The card is not here", Grams::Words { longest: 2, stop_words });
        assert_eq!(
            of(false),
            ["the", "the card", "card", "card is", "is", "is not", "not", "not here", "here"]
        );
        assert_eq!(of(true), ["card"]);
    }

    #[test]
    fn letters_stay_within_words() {
        let found = grams("Öl ab", Grams::Letters { shortest: 3, longest: 4 });
        assert_eq!(found, [" öl", "öl ", " öl ", " ab", "ab ", " ab "]);
        assert_eq!(grams("a", Grams::Letters { shortest: 3, longest: 4 }), [" a "]);
        assert_eq!(grams("a", Grams::Letters { shortest: 4, longest: 5 }), [" a "]);
    }
}
