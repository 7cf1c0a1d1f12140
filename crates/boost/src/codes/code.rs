//! Output codes: a word of signs for each class.

use manyboost_kernel::Seed;
use manyboost_kernel::numbers::math::{exp, ln};
use serde::{Deserialize, Serialize};

/// Longer words are refused.
pub const MOST_BITS: usize = 4096;

/// So many classes have exhaustive codes; those of more classes would be too long.
pub(crate) const MOST_EXHAUSTIVE: usize = 11;

/// Random codes are drawn so often, and the one of largest distance is taken, up to so many classes.
const DRAWS: (u64, usize) = (16, 64);

/// A word of signs, +1 or −1, for each class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    bits: u32,
    signs: Vec<i8>,
}

impl Code {
    /// From words of one length.
    pub fn new(words: &[Vec<i8>]) -> Option<Self> {
        let bits = words.first()?.len();
        let code = Self { bits: bits as u32, signs: words.concat() };
        let fits = (1..=MOST_BITS).contains(&bits) && words.iter().all(|word| word.len() == bits);
        (fits && code.is_valid()).then_some(code)
    }

    /// All ways to tell some classes from the others, each once: 2^(k − 1) − 1 bits. The first class is always +1.
    pub fn exhaustive(classes: usize) -> Self {
        let bits = ((1u32 << (classes.clamp(1, MOST_EXHAUSTIVE) - 1)) - 1).max(1);
        let sign = |class: usize, bit: u32| if class > 0 && (bit >> (class - 1)) & 1 == 1 { -1 } else { 1 };
        let signs = (0..classes).flat_map(|class| (1..=bits).map(move |bit| sign(class, bit))).collect();
        Self { bits, signs }
    }

    /// Random signs, 10 ⌈log₂ k⌉ for each class as Allwein, Schapire & Singer (2000) have it; of a few draws the code of
    /// largest distance.
    pub fn random(classes: usize, seed: Seed) -> Self {
        let bits = 10 * classes.next_power_of_two().ilog2().max(1);
        let draw = |number: u64| {
            let seed = seed.part(number);
            let sign = |i: u64| if seed.part(i).bits() & 1 == 0 { 1 } else { -1 };
            Self { bits, signs: (0..classes as u64 * u64::from(bits)).map(sign).collect() }
        };
        let first = draw(0);
        if classes > DRAWS.1 {
            return first;
        }
        let rest = (1..DRAWS.0).map(draw).map(|code| (code.distance(), code));
        let better = |best: (usize, Self), next: (usize, Self)| if next.0 > best.0 { next } else { best };
        rest.fold((first.distance(), first), better).1
    }

    /// Length of the words.
    pub fn bits(&self) -> usize {
        self.bits as usize
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.signs.len() / self.bits().max(1)
    }

    /// The words, class after class.
    pub fn words(&self) -> impl Iterator<Item = &[i8]> {
        self.signs.chunks_exact(self.bits().max(1))
    }

    /// For each class the bits that are +1, ascending.
    pub fn positive(&self) -> Vec<Vec<u32>> {
        let positive =
            |word: &[i8]| (0u32..).zip(word).filter(|(_, s)| **s > 0).map(|(bit, _)| bit).collect();
        self.words().map(positive).collect()
    }

    /// ρ: the fewest bits in which two words differ; all bits, if there is one word only.
    pub fn distance(&self) -> usize {
        let apart = |a: &[i8], b: &[i8]| a.iter().zip(b).filter(|(a, b)| a != b).count();
        let pairs =
            self.words().enumerate().flat_map(|(i, a)| self.words().take(i).map(move |b| apart(a, b)));
        pairs.min().unwrap_or(self.bits())
    }

    /// Whether it is made of signs, as many for each class.
    pub fn is_valid(&self) -> bool {
        let bits = self.bits();
        (1..=MOST_BITS).contains(&bits)
            && self.signs.len().is_multiple_of(bits)
            && self.signs.iter().all(|s| s.abs() == 1)
    }

    /// Minus the number of bits in which each word differs from the signs of the scores (0 counts as −1).
    pub fn agreements(&self, f: &[f64], classes: &mut Vec<f64>) {
        let wrong = |(s, f): (&i8, &f64)| f64::from(u8::from((*s > 0) != (*f > 0.0)));
        classes.clear();
        classes.extend(self.words().map(|word| -word.iter().zip(f).map(wrong).sum::<f64>()));
    }

    /// −ln Σ exp(−λ f) of each word λ: the class of the smallest loss has the highest score.
    pub fn losses(&self, f: &[f64], classes: &mut Vec<f64>) {
        let most = f.iter().fold(0.0f64, |most, f| if f.abs() > most { f.abs() } else { most });
        // The losses of both signs of each bit, behind the scores of the classes.
        let k = self.classes();
        classes.clear();
        classes.resize(k, 0.0);
        classes.extend(f.iter().flat_map(|f| [exp(f - most), exp(-f - most)]));
        let (scores, parts) = classes.split_at_mut(k);
        for (score, word) in scores.iter_mut().zip(self.words()) {
            let signs = word.iter().zip(parts.chunks_exact(2));
            let loss: f64 = signs.map(|(s, parts)| parts[usize::from(*s > 0)]).sum();
            *score = -(most + ln(loss.max(f64::MIN_POSITIVE)));
        }
        classes.truncate(k);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exhaustive_codes_are_far_apart() {
        let code = Code::exhaustive(4);
        let words: Vec<&[i8]> = code.words().collect();
        assert_eq!(words[0], [1; 7]);
        assert_eq!(words[1], [-1, 1, -1, 1, -1, 1, -1]);
        assert_eq!(words[3], [1, 1, 1, -1, -1, -1, -1]);
        for classes in 2..=MOST_EXHAUSTIVE {
            assert_eq!(Code::exhaustive(classes).distance(), 1 << (classes - 2));
        }
        assert_eq!((Code::exhaustive(1).bits(), Code::exhaustive(1).distance()), (1, 1));
    }

    #[test]
    fn random_codes_are_words_of_their_own() {
        for classes in [1, 2, 3, 26, 64, 100] {
            let code = Code::random(classes, Seed::new(3));
            assert!(code.is_valid() && code.classes() == classes && code.distance() > 0);
            assert_eq!(code, Code::random(classes, Seed::new(3)));
            assert_ne!(code, Code::random(classes, Seed::new(4)));
        }
        assert!(Code::random(26, Seed::new(3)).distance() >= 13);
    }

    #[test]
    fn scores_of_classes_are_losses() {
        let code = Code::new(&[vec![1, 1, 1], vec![-1, 1, -1], vec![1, -1, -1]]).unwrap();
        assert_eq!(code.positive(), [vec![0, 1, 2], vec![1], vec![0]]);
        let (f, mut scores) = ([0.5, -2.0, 0.0], Vec::new());
        code.agreements(&f, &mut scores);
        assert_eq!(scores, [-2.0, -2.0, 0.0]);
        code.losses(&f, &mut scores);
        for (score, word) in scores.iter().zip(code.words()) {
            let loss: f64 = word.iter().zip(f).map(|(&s, f)| (-f64::from(s) * f).exp()).sum();
            assert!((score + loss.ln()).abs() < 1e-12);
        }
        code.losses(&[500.0, -600.0, 700.0], &mut scores);
        assert!(scores.iter().all(|s| s.is_finite()));
    }

    #[test]
    fn what_is_not_a_code_is_refused() {
        assert!(Code::new(&[]).is_none() && Code::new(&[vec![]]).is_none());
        assert!(Code::new(&[vec![1, -1], vec![1]]).is_none());
        assert!(Code::new(&[vec![1, 0], vec![1, 1]]).is_none());
    }
}
