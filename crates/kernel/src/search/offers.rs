//! What workers tell one another of the cuts that they have found among their features.
//!
//! The cut of a region is found by going through the best boundaries of all features in their order ([`beats`]), and ties depend on that
//! order: so everybody goes through the boundaries of all workers. But not all need be told. A boundary that costs no less than an
//! earlier one is never taken: whatever the earlier one did not beat, by more than a tie, this one does not beat either. So a worker
//! tells those that cost less than all its earlier ones, a few. And the one that is taken in the end is beaten by none: only those that
//! the worker's own best does not beat are told with all that it takes to make the cut.

use crate::bins::Bins;
use crate::exchange::Failure;
use crate::search::cut::{Cut, Sides};
use crate::search::scan::beats;

/// A boundary of a feature, with its cut if it may be taken.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Offer {
    pub(crate) feature: u32,
    pub(crate) score: f64,
    pub(crate) cut: Option<Cut>,
}

/// Which of some boundaries to tell, given their scores in the order of their features, and whether with their cuts.
pub(crate) fn worth_telling(scores: impl Iterator<Item = f64>) -> Vec<(usize, bool)> {
    let mut least = f64::INFINITY;
    let mut told: Vec<(usize, f64)> = Vec::new();
    for (at, score) in scores.enumerate() {
        if told.is_empty() || score < least {
            least = score;
            told.push((at, score));
        }
    }
    told.into_iter().map(|(at, score)| (at, !beats(least, score))).collect()
}

/// The cut that is taken of all that were offered.
pub(crate) fn taken(mut offers: Vec<Offer>) -> Option<Cut> {
    offers.sort_by_key(|offer| offer.feature);
    offers.into_iter().reduce(|best, next| if beats(next.score, best.score) { next } else { best })?.cut
}

/// Appends what is offered for a region; sums are of so many bytes.
pub(crate) fn write(offers: &[Offer], sum_bytes: usize, out: &mut Vec<u8>) {
    let word = |x: usize, out: &mut Vec<u8>| out.extend((x as u32).to_le_bytes());
    word(offers.len(), out);
    for Offer { feature, score, cut } in offers {
        out.extend(feature.to_le_bytes());
        out.extend(score.to_bits().to_le_bytes());
        let Some(Cut { sides, missing_left, left, .. }) = cut else {
            out.push(0);
            continue;
        };
        out.push(1 + u8::from(*missing_left));
        match sides {
            Sides::AtMost { low, high } => {
                out.push(u8::from(high.is_some()));
                out.extend(low.to_le_bytes());
                out.extend(high.unwrap_or(0).to_le_bytes());
            }
            Sides::Levels(levels) => {
                out.push(2);
                word(levels.len(), out);
                levels.iter().for_each(|level| out.extend(level.to_le_bytes()));
            }
        }
        left.iter().for_each(|sum| out.extend(&sum.to_le_bytes()[..sum_bytes]));
    }
}

/// What a worker has sent.
pub(crate) struct Reader<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) worker: usize,
    pub(crate) bins: &'a Bins,
    /// Sums of a cut, and the bytes of each.
    pub(crate) width: usize,
    pub(crate) sum_bytes: usize,
}

impl Reader<'_> {
    /// What is offered for the next region.
    pub(crate) fn next(&mut self, offers: &mut Vec<Offer>) {
        if self.region(offers).is_none() {
            Failure { worker: self.worker, what: "sent cuts that cannot be read".into() }.raise();
        }
    }

    fn region(&mut self, offers: &mut Vec<Offer>) -> Option<()> {
        for _ in 0..self.word()? {
            let feature = self.word()?;
            let bins = self.bins.features().get(feature as usize)?.bins;
            let score = f64::from_bits(u64::from_le_bytes(self.take()?));
            let cut = match self.byte()? {
                0 => None,
                missing => {
                    let sides = self.sides(bins)?;
                    let left = (0..self.width).map(|_| self.sum()).collect::<Option<_>>()?;
                    Some(Cut { feature, sides, missing_left: missing > 1, left, score })
                }
            };
            offers.push(Offer { feature, score, cut });
        }
        Some(())
    }

    fn sides(&mut self, bins: u32) -> Option<Sides> {
        Some(match self.byte()? {
            2 => {
                let count = self.word()?;
                Sides::Levels(
                    (0..count).map(|_| self.word().filter(|&level| level < bins)).collect::<Option<_>>()?,
                )
            }
            known => {
                let (low, high) = (self.word()?, self.word()?);
                Sides::AtMost { low, high: (known == 1).then_some(high) }
            }
        })
    }

    fn sum(&mut self) -> Option<i64> {
        let sum = if self.sum_bytes == 4 {
            i64::from(i32::from_le_bytes(self.take()?))
        } else {
            i64::from_le_bytes(self.take()?)
        };
        Some(sum)
    }

    fn word(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take().map(u8::from_le_bytes)
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::seed::Seed;
    use crate::search::scan::TIE;

    fn cut(feature: u32, score: f64) -> Cut {
        let sides = match feature % 3 {
            0 => Sides::AtMost { low: feature, high: None },
            1 => Sides::AtMost { low: 2, high: Some(7) },
            _ => Sides::Levels(vec![1, 4]),
        };
        Cut {
            feature,
            sides,
            missing_left: feature.is_multiple_of(2),
            left: vec![-3, i64::from(feature)],
            score,
        }
    }

    /// Scores that are ties of ties of one another, dealt out anyhow: what is told is enough to find what going through all of them finds.
    #[test]
    fn what_is_told_is_enough() {
        for seed in (0..20_000).map(Seed::new) {
            let draw = |part: u64, i: usize, below: u64| seed.part(part).part(i as u64).below(below) as usize;
            let (features, workers) = (1 + draw(0, 0, 40), 1 + draw(0, 1, 5));
            let base = [1.0, -1.0, 1e-300, -37.5, 0.0][draw(0, 2, 5)];
            let ties = 1 + draw(0, 3, 12) as u64;
            let score = |i: usize| {
                base - (draw(1, i, ties) as f64) * 0.3 * TIE * f64::abs(base) + [0.0, 1.0][draw(2, i, 2)]
            };
            let scores: Vec<f64> = (0..features).map(score).collect();
            let all = scores.iter().enumerate().map(|(at, &score)| Offer {
                feature: at as u32,
                score,
                cut: Some(cut(at as u32, score)),
            });
            let mut told = Vec::new();
            for worker in 0..workers {
                let own: Vec<usize> =
                    (0..features).filter(|&i| draw(3, i, workers as u64) == worker).collect();
                let offers = worth_telling(own.iter().map(|&i| scores[i])).into_iter().map(|(at, whole)| {
                    let (feature, score) = (own[at] as u32, scores[own[at]]);
                    Offer { feature, score, cut: whole.then(|| cut(feature, score)) }
                });
                told.extend(offers);
            }
            let found = taken(told);
            assert!(found.is_some());
            assert_eq!(found, taken(all.collect()), "{scores:?}");
        }
    }

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let mut builder = crate::bins::BinsBuilder::new(1);
        let feature = crate::bins::Feature { order: crate::bins::Order::Nominal, bins: 5, missing: false };
        (0..6).for_each(|_| builder.push(feature, crate::bins::Codes::Bytes(vec![0])));
        let bins = builder.finish();
        let offers: Vec<Offer> = (0..6u32)
            .map(|feature| Offer {
                feature,
                score: f64::from(feature) / 3.0,
                cut: (feature != 4).then(|| cut(feature, f64::from(feature) / 3.0)),
            })
            .collect();
        for sum_bytes in [4, 8] {
            let mut bytes = Vec::new();
            write(&offers, sum_bytes, &mut bytes);
            write(&[], sum_bytes, &mut bytes);
            let reader = |bytes| Reader { bytes, worker: 1, bins: &bins, width: 2, sum_bytes };
            let mut whole = reader(&bytes);
            let mut read = Vec::new();
            whole.next(&mut read);
            assert_eq!(read, offers);
            whole.next(&mut read);
            assert!(read.len() == offers.len() && whole.bytes.is_empty());
            for end in 0..bytes.len() - 4 {
                assert!(reader(&bytes[..end]).region(&mut Vec::new()).is_none(), "{end} bytes");
            }
        }
    }
}
