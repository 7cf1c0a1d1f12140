//! Output codes: a word of signs for each class, in which a 0 says that a bit is not about the class (Allwein, Schapire & Singer 2000).

use manyboost_kernel::Seed;
use manyboost_kernel::numbers::math::{exp, ln};
use serde::{Deserialize, Serialize};

/// Longer words are refused.
pub const MOST_BITS: usize = 4096;

/// So many classes have exhaustive codes; those of more classes would be too long.
pub(crate) const MOST_EXHAUSTIVE: usize = 11;

/// Random codes are drawn so often, and the one of largest distance is taken, up to so many classes.
const DRAWS: (u64, usize) = (16, 64);

/// A word of signs, +1 or −1 (or 0), for each class.
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

    /// A bit for each pair of classes, +1 for the first of them, −1 for the second and 0 for all others.
    pub fn pairs(classes: usize) -> Self {
        let pairs: Vec<(usize, usize)> = (1..classes).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        if pairs.is_empty() {
            return Self::exhaustive(classes);
        }
        let sign = |class: usize, &(a, b): &(usize, usize)| i8::from(class == a) - i8::from(class == b);
        let word = |class: usize| pairs.iter().map(move |pair| sign(class, pair));
        Self { bits: pairs.len() as u32, signs: (0..classes).flat_map(word).collect() }
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
        self.where_sign(|s| s > 0)
    }

    /// For each class the bits that are 0, ascending.
    pub fn silent(&self) -> Vec<Vec<u32>> {
        self.where_sign(|s| s == 0)
    }

    fn where_sign(&self, is: impl Fn(i8) -> bool) -> Vec<Vec<u32>> {
        let bits = |word: &[i8]| (0u32..).zip(word).filter(|(_, s)| is(**s)).map(|(bit, _)| bit).collect();
        self.words().map(bits).collect()
    }

    /// Whether there are zeros.
    pub fn is_ternary(&self) -> bool {
        self.signs.contains(&0)
    }

    /// How many times the loss of a bit the training error can be, read by losses: n/ρ, where each class has n bits that are about it. Say that
    /// a class r has no more loss than the own one, y. Bits that are about one of the two only cost 1 as often for r as for y; so the bits of y
    /// cost at least what the ρ bits or more cost r in which they differ, and both together cost 2 for each of these. `None` if classes have
    /// different numbers of bits.
    pub fn constant(&self) -> Option<f64> {
        let mut about = self.words().map(|word| word.iter().filter(|s| **s != 0).count());
        let first = about.next()?;
        let even = about.all(|bits| bits == first);
        even.then(|| first as f64 / self.distance() as f64).filter(|constant| constant.is_finite())
    }

    /// ρ: the fewest bits in which two words have opposite signs; all bits, if there is one word only.
    pub fn distance(&self) -> usize {
        let apart = |a: &[i8], b: &[i8]| a.iter().zip(b).filter(|(a, b)| **a * **b < 0).count();
        let pairs =
            self.words().enumerate().flat_map(|(i, a)| self.words().take(i).map(move |b| apart(a, b)));
        pairs.min().unwrap_or(self.bits())
    }

    /// Whether it is made of signs (or 0), as many for each class, of which not all are 0.
    pub fn is_valid(&self) -> bool {
        let bits = self.bits();
        (1..=MOST_BITS).contains(&bits)
            && self.signs.len().is_multiple_of(bits)
            && self.signs.iter().all(|s| (-1..=1).contains(s))
            && self.words().all(|word| word.iter().any(|s| *s != 0))
    }

    /// Minus the number of bits in which each word differs from the signs of the scores (of which 0 counts as −1); a 0 of the word is half
    /// wrong.
    pub fn agreements(&self, f: &[f64], classes: &mut Vec<f64>) {
        let wrong = |(s, f): (&i8, &f64)| match s {
            0 => 0.5,
            s => f64::from(u8::from((*s > 0) != (*f > 0.0))),
        };
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
        let silent = exp(-most);
        for (score, word) in scores.iter_mut().zip(self.words()) {
            let signs = word.iter().zip(parts.chunks_exact(2));
            let loss: f64 =
                signs.map(|(s, parts)| if *s == 0 { silent } else { parts[usize::from(*s > 0)] }).sum();
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
    fn pairs_of_classes_are_ternary() {
        for classes in 2..8 {
            let code = Code::pairs(classes);
            assert!(code.is_valid() && code.bits() == classes * (classes - 1) / 2 && code.distance() == 1);
            assert_eq!(code.constant(), Some(classes as f64 - 1.0));
            assert_eq!(code.is_ternary(), classes > 2);
            assert!(code.silent().iter().all(|bits| bits.len() == code.bits() + 1 - classes));
        }
        let code = Code::pairs(3);
        assert_eq!(code.words().collect::<Vec<_>>(), [[1, 1, 0], [-1, 0, 1], [0, -1, -1]]);
        let (f, mut scores) = ([0.5, -2.0, 0.3], Vec::new());
        code.losses(&f, &mut scores);
        for (score, word) in scores.iter().zip(code.words()) {
            let loss: f64 = word.iter().zip(f).map(|(&s, f)| (-f64::from(s) * f).exp()).sum();
            assert!((score + loss.ln()).abs() < 1e-12);
        }
        code.agreements(&f, &mut scores);
        assert_eq!(scores, [-1.5; 3]);
        assert_eq!(Code::exhaustive(4).constant(), Some(7.0 / 4.0));
        assert_eq!(Code::new(&[vec![1, 1], vec![-1, 0]]).unwrap().constant(), None);
    }

    #[test]
    fn what_is_not_a_code_is_refused() {
        assert!(Code::new(&[]).is_none() && Code::new(&[vec![]]).is_none());
        assert!(Code::new(&[vec![1, -1], vec![1]]).is_none());
        assert!(Code::new(&[vec![1, 2], vec![1, 1]]).is_none());
        assert!(Code::new(&[vec![0, 0], vec![1, 1]]).is_none(), "a word that says nothing");
    }
}
