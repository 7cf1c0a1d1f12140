//! Combinations: one code for what a row has in several features.
//!
//! Columns of few codes that belong together (one-hot columns, the cells of a board) have few combinations of codes between them.
//! A region that is counted by combination is updated once a row for all of these features, and the sums of one feature's codes are
//! sums over combinations: the same integers.

use crate::bins::{Bins, Place, TILE};

/// Each combination that occurs has a byte.
const MOST: usize = 256;

/// Features with more codes are not combined.
const FEW_CODES: u32 = 16;

/// Fewer rows are counted quickly anyway.
const MANY_ROWS: usize = 4096;

/// No number.
const NONE: u16 = u16::MAX;

/// Features, and the combinations of their codes that occur.
#[derive(Clone, Debug, Default)]
pub(crate) struct Combination {
    /// The features, ascending.
    pub(crate) features: Vec<u32>,
    /// The code of each feature, combination after combination.
    codes: Vec<u8>,
}

impl Combination {
    /// The codes of each combination, feature by feature.
    pub(crate) fn combinations(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.codes.chunks_exact(self.features.len())
    }
}

/// Combinations of a set of rows: those of all features of some tiles and, perhaps, of all sparse features.
#[derive(Clone, Debug)]
pub(crate) struct Combined {
    /// As the tiles of features are kept, a lane for each of `lanes`.
    tiles: Vec<Vec<u8>>,
    /// What each lane combines.
    pub(crate) lanes: Vec<Combination>,
    /// Tiles whose features are combined.
    pub(crate) covered: Vec<bool>,
    /// Whether the sparse features are combined.
    pub(crate) sparse: bool,
    /// How many codes of a row these lanes stand for, on average.
    pub(crate) instead_of: usize,
}

impl Combined {
    /// Combinations of features, if they are worth it.
    pub(crate) fn new(bins: &Bins) -> Option<Self> {
        if bins.rows() < MANY_ROWS {
            return None;
        }
        let few = |feature: u32| {
            bins.features()[feature as usize].codes() <= FEW_CODES && bins.bytes(feature as usize).is_some()
        };
        let covered: Vec<bool> =
            bins.lanes().iter().map(|features| features.iter().all(|&feature| few(feature))).collect();
        let is_sparse = |feature: u32| matches!(bins.place(feature as usize), Place::Sparse(_));
        let mut features = 0..bins.features().len() as u32;
        let sparse = !bins.sparse().is_empty() && features.all(|feature| !is_sparse(feature) || few(feature));
        let is_covered = |feature: u32| match bins.place(feature as usize) {
            Place::Tile { tile, .. } => covered[tile as usize],
            Place::Sparse(_) => sparse,
            Place::Column(_) => false,
        };
        let tiled = bins.lanes().iter().zip(&covered).filter(|(_, covered)| **covered);
        let instead_of =
            tiled.map(|(features, _)| features.len()).sum::<usize>() + if sparse { bins.listed() } else { 0 };
        // A lane has to stand for more than one and a half codes.
        let most = 2 * instead_of / 3;
        if most == 0 {
            return None;
        }
        let (mut done, mut growing) = (Vec::new(), Growing::new(bins.rows()));
        for feature in (0..bins.features().len() as u32).filter(|&feature| is_covered(feature)) {
            if !growing.take(bins, feature) {
                done.push(std::mem::replace(&mut growing, Growing::new(bins.rows())));
                growing.take(bins, feature);
            }
            if done.len() >= most {
                return None;
            }
        }
        done.push(growing);
        let (mut tiles, mut lanes) = (Vec::new(), Vec::new());
        for some in done.chunks(TILE) {
            let mut tile = vec![0; bins.rows() * TILE];
            for (lane, Growing { numbers, .. }) in some.iter().enumerate() {
                tile.iter_mut().skip(lane).step_by(TILE).zip(numbers).for_each(|(to, &from)| *to = from);
            }
            tiles.push(tile);
        }
        lanes.extend(done.into_iter().map(|growing| growing.combination));
        Some(Self { tiles, lanes, covered, sparse, instead_of })
    }

    /// Each tile, with the lanes that are in it.
    pub(crate) fn tiles(&self) -> impl Iterator<Item = (&[u8], &[Combination])> {
        self.tiles.iter().map(Vec::as_slice).zip(self.lanes.chunks(TILE))
    }
}

/// A combination that features are added to.
struct Growing {
    combination: Combination,
    /// How many there are.
    count: usize,
    /// That of each row.
    numbers: Vec<u8>,
}

impl Growing {
    /// Nothing is combined yet: there is one combination of no codes.
    fn new(rows: usize) -> Self {
        Self { combination: Combination::default(), count: 1, numbers: vec![0; rows] }
    }

    /// Takes in a feature, unless there would be too many combinations.
    fn take(&mut self, bins: &Bins, feature: u32) -> bool {
        let Some(column) = bins.bytes(feature as usize) else { return false };
        let codes = bins.features()[feature as usize].codes() as usize;
        let mut number_of = vec![NONE; self.count * codes];
        let mut made = Vec::new();
        let mut numbers = Vec::with_capacity(column.len());
        for (&before, &code) in self.numbers.iter().zip(column) {
            let number = &mut number_of[before as usize * codes + code as usize];
            if *number == NONE {
                if made.len() == MOST {
                    return false;
                }
                *number = made.len() as u16;
                made.push((before as usize, code));
            }
            numbers.push(*number as u8);
        }
        let Combination { features, codes } = &mut self.combination;
        let length = features.len();
        let all = made.iter().flat_map(|&(before, code)| {
            codes[before * length..(before + 1) * length].iter().copied().chain([code])
        });
        *codes = all.collect();
        features.push(feature);
        (self.count, self.numbers) = (made.len(), numbers);
        true
    }
}
