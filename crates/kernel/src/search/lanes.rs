//! Random cuts of a tile of features at once, in regions without histogram.
//!
//! The codes of a row are one vector of bytes, so ranges and sides of sixteen features cost what those of one do. The sides
//! of eight rows are one byte a feature, the bytes of a feature are a set of rows, and the smaller side is summed over it.

use crate::bins::{Place, TILE};
use crate::search::cells::{Region, Scratch};
use crate::search::scan::{Buffers, Found, ScanInput, beats};
use crate::search::{Search, Searchable};

/// A byte for each feature of a tile.
type Lanes = [u8; TILE];

/// Rows whose sides share a byte.
const EIGHT: usize = 8;

/// Buffers for the sides of a tile's rows.
#[derive(Debug, Default)]
pub(crate) struct LaneScratch {
    /// Rows up to the cut of each lane, eight a byte.
    below: Vec<Lanes>,
    /// Rows with missing values, likewise.
    gone: Vec<Lanes>,
    /// Rows of one lane, 64 a word.
    marks: Vec<u64>,
    gone_marks: Vec<u64>,
    /// The best cut of each lane of the tile that was looked at last.
    pub(crate) found: [Option<Found>; TILE],
}

impl<S: Searchable> Search<'_, S> {
    /// The tile and lane of a feature whose random cuts are counted with those of its tile.
    pub(crate) fn random_lane(&self, feature: usize, region: &Region<'_, S>) -> Option<(usize, usize)> {
        let Place::Tile { tile, lane } = self.searcher.bins.place(feature) else { return None };
        // The byte for missing values shall be no other code's.
        let fits = u8::try_from(self.searcher.bins.features()[feature].bins).is_ok();
        (fits && region.histogram.is_none() && self.is_random(feature))
            .then_some((tile as usize, lane as usize))
    }

    /// Finds the best random cut of each of these features that are in a tile; they ascend, and those of the tile come before
    /// those of the next.
    pub(crate) fn search_lanes(
        &self,
        tile: usize,
        features: &[u32],
        region: &Region<'_, S>,
        scratch: &mut Scratch<S>,
    ) {
        let mut drawn = [None; TILE];
        for &feature in features {
            match self.random_lane(feature as usize, region) {
                Some((own, lane)) if own == tile => drawn[lane] = Some(feature as usize),
                Some(_) => break,
                None => {}
            }
        }
        let codes = self.searcher.bins.tile(tile).as_chunks().0;
        let (missing, may_miss) = self.missing_codes(tile, &drawn);
        let ranges = if may_miss { ranges::<true> } else { ranges::<false> };
        let (least, most) = ranges(region.rows, codes, missing);
        scratch.lanes.found = [None; TILE];
        for (lane, drawn) in drawn.iter_mut().enumerate() {
            *drawn = drawn.filter(|_| least[lane] < most[lane]);
        }
        if drawn == [None; TILE] {
            return;
        }
        if may_miss {
            mark(region.rows, codes, &mut scratch.lanes.gone, |lane, code| code == missing[lane]);
        }
        let mut buffers = std::mem::take(&mut scratch.scan);
        for i in 0..self.rules.cuts {
            let mut cuts = [0; TILE];
            for (lane, feature) in drawn.iter().enumerate() {
                if let &Some(feature) = feature {
                    let range = (u32::from(least[lane]), u32::from(most[lane]));
                    cuts[lane] = Self::random_code(feature, i, range, region.seed) as u8;
                }
            }
            mark(region.rows, codes, &mut scratch.lanes.below, |lane, code| code <= cuts[lane]);
            for lane in (0..TILE).filter(|&lane| drawn[lane].is_some()) {
                self.sum_lane(lane, may_miss, region, scratch);
                let found = self.score_sides(cuts[lane], region, scratch, &mut buffers);
                let best = &mut scratch.lanes.found[lane];
                if let Some(found) = found.filter(|f| best.is_none_or(|b| beats(f.score, b.score))) {
                    *best = Some(found);
                }
            }
        }
        scratch.scan = buffers;
    }

    /// The score of a cut whose sides have been summed.
    fn score_sides(
        &self,
        cut: u8,
        region: &Region<'_, S>,
        scratch: &Scratch<S>,
        buffers: &mut Buffers<S>,
    ) -> Option<Found> {
        let cells = self.side_cells(region, &scratch.sides);
        let found = S::scan(self.criterion, ScanInput(cells, buffers)).0;
        found.map(|found| Found { at: usize::from(cut), ..found })
    }

    /// Sums the sides of one cut of one lane: codes up to `cut`, then missing values.
    pub(crate) fn count_lane(
        &self,
        (tile, lane): (usize, usize),
        cut: u32,
        region: &Region<'_, S>,
        scratch: &mut Scratch<S>,
    ) {
        let codes = self.searcher.bins.tile(tile).as_chunks().0;
        let feature = self.searcher.bins.lanes()[tile][lane] as usize;
        let mut drawn = [None; TILE];
        drawn[lane] = Some(feature);
        let (missing, may_miss) = self.missing_codes(tile, &drawn);
        mark(region.rows, codes, &mut scratch.lanes.below, |_, code| code <= cut as u8);
        if may_miss {
            mark(region.rows, codes, &mut scratch.lanes.gone, |lane, code| code == missing[lane]);
        }
        self.sum_lane(lane, may_miss, region, scratch);
    }

    /// The code that stands for missing values in each lane of a tile, and whether any of some features may have it.
    fn missing_codes(&self, tile: usize, drawn: &[Option<usize>; TILE]) -> (Lanes, bool) {
        let features = self.searcher.bins.features();
        let mut missing = [0; TILE];
        for (code, &feature) in missing.iter_mut().zip(&self.searcher.bins.lanes()[tile]) {
            *code = features[feature as usize].bins as u8;
        }
        (missing, drawn.iter().flatten().any(|&feature| features[feature].missing))
    }

    /// Sums two cells of one lane into the scratch, of which sides have been marked: codes up to the cut, and missing values.
    fn sum_lane(&self, lane: usize, may_miss: bool, region: &Region<'_, S>, scratch: &mut Scratch<S>) {
        let width = self.steps.len();
        let rows = region.rows;
        let Scratch { lanes: LaneScratch { below, gone, marks, gone_marks, .. }, sides, .. } = scratch;
        sides.clear();
        sides.resize(2 * width, S::default());
        let (low, middle) = sides.split_at_mut(width);
        let mut present = rows.len();
        let count = gather(below, lane, marks);
        if may_miss {
            let missing = gather(gone, lane, gone_marks);
            present -= missing;
            if missing > 0 {
                self.add_some(rows, Some(gone_marks), middle);
            }
        }
        // The smaller side is summed, and the other one is what is left.
        let smaller = 2 * count <= present;
        if !smaller {
            for word in marks.iter_mut() {
                *word = !*word;
            }
            if may_miss {
                marks.iter_mut().zip(gone_marks).for_each(|(word, gone)| *word &= !*gone);
            }
            let last = rows.len() % 64;
            if let (Some(word), true) = (marks.last_mut(), last > 0) {
                *word &= (1 << last) - 1;
            }
        }
        self.add_some(rows, Some(marks), low);
        if !smaller {
            for ((low, &middle), &total) in low.iter_mut().zip(&*middle).zip(region.total) {
                let mut left = total;
                left -= middle;
                left -= *low;
                *low = left;
            }
        }
    }
}

/// The least and the largest code of each lane. With `MISSING`, the codes for missing values are the largest ones and do not
/// count as such: where there is nothing else, the largest code is 0.
fn ranges<const MISSING: bool>(rows: &[u32], codes: &[Lanes], missing: Lanes) -> (Lanes, Lanes) {
    let (mut least, mut most) = ([u8::MAX; TILE], [0; TILE]);
    for &row in rows {
        let codes = &codes[row as usize];
        for lane in 0..TILE {
            let code = codes[lane];
            least[lane] = least[lane].min(code);
            most[lane] = most[lane].max(if MISSING && code == missing[lane] { 0 } else { code });
        }
    }
    (least, most)
}

/// Writes for eight rows at a time, in each lane, which of them are marked: the first row is the lowest bit.
#[inline(always)]
fn mark(rows: &[u32], codes: &[Lanes], marks: &mut Vec<Lanes>, is_marked: impl Fn(usize, u8) -> bool) {
    marks.resize(rows.len().div_ceil(EIGHT), [0; TILE]);
    for (bytes, rows) in marks.iter_mut().zip(rows.chunks(EIGHT)) {
        let mut marked = [0; TILE];
        for &row in rows.iter().rev() {
            let codes = codes[row as usize];
            for lane in 0..TILE {
                marked[lane] = marked[lane] << 1 | u8::from(is_marked(lane, codes[lane]));
            }
        }
        *bytes = marked;
    }
}

/// The marks of one lane, 64 rows a word; returns how many there are.
fn gather(marks: &[Lanes], lane: usize, words: &mut Vec<u64>) -> usize {
    let (whole, rest) = marks.as_chunks::<8>();
    let word =
        |bytes: &[Lanes]| bytes.iter().rev().fold(0, |word, bytes| word << 8 | u64::from(bytes[lane % TILE]));
    words.clear();
    words.extend(whole.iter().map(|bytes| word(bytes)));
    if !rest.is_empty() {
        words.push(word(rest));
    }
    words.iter().map(|word| word.count_ones() as usize).sum()
}
