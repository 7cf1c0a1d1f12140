//! Binned features of a set of rows: the only form in which the kernel sees data.
//!
//! Every value is a small code: bins `0..bins` in ascending order (or levels, for nominal features), and the
//! code `bins` for a missing value. Three layouts share one interface, each for what it is good at:
//!
//! - **tiles**: up to 255 bins, row-major in blocks of [`TILE`] features, so that a node's scattered rows touch one
//!   cache line for sixteen features and load their channels once;
//! - **columns**: more bins than a byte holds, one plain array of `u32` each;
//! - **sparse** features: most rows have the same *default* code; only the others are listed. Words of a text,
//!   one-hot columns and mostly-zero columns cost what they contain, not rows × columns.
//!
//! Codes that fit a byte are kept by column too, for passes over one feature; and features of few codes may be combined.

pub(crate) mod combined;
pub mod groups;
pub mod sparse;

use crate::bins::combined::Combined;
use crate::bins::sparse::{Sparse, SparseBuilder};
use crate::exchange::{Alone, Exchange};

/// Features in one row-major tile.
pub const TILE: usize = 16;

/// Share of rows with the same code from which a feature is stored sparsely.
const SPARSE_SHARE: f64 = 0.8;

/// Of more sparse features no codes are kept by column.
const FEW_SPARSE: usize = 256;

/// Whether codes have an order that a cut may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Numbers: a cut separates codes at most `b` from the rest.
    Ordered,
    /// Categories: a cut separates any subset from the rest.
    Nominal,
}

/// What the kernel knows about a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Numbers or categories.
    pub order: Order,
    /// How many codes a present value can have; the code `bins` itself means "missing".
    pub bins: u32,
    /// Whether the code for "missing" may occur among these rows.
    pub missing: bool,
}

impl Feature {
    /// Number of codes that may occur.
    pub fn codes(self) -> u32 {
        self.bins + u32::from(self.missing)
    }
}

/// Where a feature's codes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Lane of a tile.
    Tile {
        /// Index of the tile.
        tile: u32,
        /// Position within each row of the tile.
        lane: u32,
    },
    /// Index among the columns with an array of their own.
    Column(u32),
    /// Index among the sparse features.
    Sparse(u32),
}

/// One column of codes on its way in.
#[derive(Clone, Debug)]
pub enum Codes {
    /// For at most 255 bins.
    Bytes(Vec<u8>),
    /// For more bins than a byte holds.
    U32(Vec<u32>),
    /// `(row, code)` of every row whose code is not `default`, rows ascending.
    Sparse {
        /// The code of all rows that are not listed.
        default: u32,
        /// The other rows.
        entries: Vec<(u32, u32)>,
    },
}

/// Binned features of `rows` rows.
#[derive(Clone, Debug)]
pub struct Bins {
    rows: usize,
    features: Vec<Feature>,
    places: Vec<Place>,
    tiles: Vec<Vec<u8>>,
    lanes: Vec<Vec<u32>>,
    columns: Vec<Vec<u32>>,
    sparse: Sparse,
    listed: usize,
    /// By feature: its codes as they came, where they are bytes; else nothing.
    bytes: Vec<Vec<u8>>,
    combined: Option<Combined>,
}

impl Bins {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The features, in the order in which they were added.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// Where a feature is kept.
    pub fn place(&self, feature: usize) -> Place {
        self.places[feature]
    }

    /// A tile's bytes: row `r` is `tile[r * TILE..][..TILE]`.
    pub fn tile(&self, tile: usize) -> &[u8] {
        &self.tiles[tile]
    }

    /// The features of each tile, lane by lane.
    pub fn lanes(&self) -> &[Vec<u32>] {
        &self.lanes
    }

    /// The codes of a feature, where they are kept as bytes by column.
    #[inline]
    pub(crate) fn bytes(&self, feature: usize) -> Option<&[u8]> {
        Some(self.bytes[feature].as_slice()).filter(|bytes| bytes.len() == self.rows)
    }

    /// Combinations of features, if there are any.
    pub(crate) fn combined(&self) -> Option<&Combined> {
        self.combined.as_ref()
    }

    /// The codes of a column with an array of its own.
    pub fn column(&self, index: usize) -> &[u32] {
        &self.columns[index]
    }

    /// All sparse features.
    pub fn sparse(&self) -> &Sparse {
        &self.sparse
    }

    /// Slots of sparse features that a row has, on average.
    pub(crate) fn listed(&self) -> usize {
        self.listed
    }

    /// The code of one value: the plain definition that every layout obeys.
    #[inline]
    pub fn code(&self, row: usize, feature: usize) -> u32 {
        self.codes_of(feature).code(row)
    }

    /// The codes of a feature.
    #[inline]
    pub fn codes_of(&self, feature: usize) -> CodesOf<'_> {
        let bytes = &self.bytes[feature];
        match self.places[feature] {
            Place::Column(index) => CodesOf::Column(&self.columns[index as usize]),
            Place::Sparse(index) if bytes.is_empty() => CodesOf::Sparse(&self.sparse, index as usize),
            _ => CodesOf::Bytes(bytes),
        }
    }
}

/// Where the codes of a feature are.
#[derive(Clone, Copy, Debug)]
pub enum CodesOf<'a> {
    /// In a column of bytes.
    Bytes(&'a [u8]),
    /// In a column of their own.
    Column(&'a [u32]),
    /// In a feature of the sparse ones.
    Sparse(&'a Sparse, usize),
}

impl CodesOf<'_> {
    /// That of a row.
    #[inline(always)]
    pub fn code(&self, row: usize) -> u32 {
        match *self {
            Self::Bytes(codes) => u32::from(codes[row]),
            Self::Column(codes) => codes[row],
            Self::Sparse(sparse, feature) => sparse.code(row, feature),
        }
    }
}

/// Collects columns and chooses a layout for each.
#[derive(Debug)]
pub struct BinsBuilder {
    bins: Bins,
    sparse: SparseBuilder,
    /// How often each row is there; once each if empty.
    copies: Vec<u32>,
}

impl BinsBuilder {
    /// For so many rows.
    pub fn new(rows: usize) -> Self {
        Self::counted(rows, Vec::new())
    }

    /// For rows that are there so often each (once each if empty): layouts are those that all copies would have as rows.
    pub fn counted(rows: usize, copies: Vec<u32>) -> Self {
        let bins = Bins {
            rows,
            features: Vec::new(),
            places: Vec::new(),
            tiles: Vec::new(),
            lanes: Vec::new(),
            columns: Vec::new(),
            sparse: Sparse::default(),
            listed: 0,
            bytes: Vec::new(),
            combined: None,
        };
        Self { bins, sparse: SparseBuilder::default(), copies }
    }

    /// Adds a feature.
    ///
    /// # Panics
    /// As [`Self::push_among`] does.
    pub fn push(&mut self, feature: Feature, codes: Codes) {
        self.push_among(vec![(feature, codes)], &Alone);
    }

    /// Adds features of which other workers have rows too: missing is what is missing anywhere, and layouts are those that all
    /// rows would have.
    ///
    /// # Panics
    /// If the number of codes is not the number of rows, a code is not below `feature.codes()`, or sparse entries do not
    /// ascend or have the default code: callers encode, so each is a bug of ours.
    pub fn push_among(&mut self, features: Vec<(Feature, Codes)>, exchange: &dyn Exchange) {
        let mut missing: Vec<i64> = features.iter().map(|(feature, _)| i64::from(feature.missing)).collect();
        let bytes = features
            .iter()
            .filter_map(|(_, codes)| if let Codes::Bytes(codes) = codes { Some(codes) } else { None });
        let mut counts: Vec<i64> = bytes.flat_map(|codes| counts(codes, &self.copies)).collect();
        exchange.max(&mut missing);
        exchange.sum(&mut counts);
        let mut counts = counts.chunks_exact(CODES);
        for ((feature, codes), missing) in features.into_iter().zip(missing) {
            let feature = Feature { missing: missing > 0, ..feature };
            let counted = if matches!(codes, Codes::Bytes(_)) { counts.next() } else { None };
            self.lay_out(feature, codes, counted.and_then(|counts| usual(feature, counts)));
        }
    }

    /// Adds a feature, sparsely if most rows have its usual code.
    fn lay_out(&mut self, feature: Feature, codes: Codes, usual: Option<u32>) {
        let index = self.bins.features.len() as u32;
        self.bins.features.push(feature);
        let mut bytes = Vec::new();
        let place = match codes {
            Codes::Bytes(codes) => {
                assert_eq!(codes.len(), self.bins.rows, "one code per row");
                assert!(
                    codes.iter().all(|&c| u32::from(c) < feature.codes()),
                    "codes within the feature's bins"
                );
                let place = match usual {
                    Some(default) => {
                        let entries = list_others(codes.iter().map(|&c| u32::from(c)), default);
                        self.sparse.push(feature.codes(), default, &entries)
                    }
                    None => self.push_lane(index, &codes),
                };
                if !matches!(place, Place::Sparse(index) if index as usize >= FEW_SPARSE) {
                    bytes = codes;
                }
                place
            }
            Codes::U32(codes) => {
                assert_eq!(codes.len(), self.bins.rows, "one code per row");
                assert!(codes.iter().all(|&c| c < feature.codes()), "codes within the feature's bins");
                self.bins.columns.push(codes);
                Place::Column(self.bins.columns.len() as u32 - 1)
            }
            Codes::Sparse { default, entries } => {
                assert!(default < feature.codes(), "the default within the feature's bins");
                assert!(
                    entries
                        .iter()
                        .all(|&(row, code)| (row as usize) < self.bins.rows && code < feature.codes()),
                    "entries within the rows and the feature's bins"
                );
                assert!(entries.iter().all(|&(_, code)| code != default), "no entry has the default");
                assert!(entries.windows(2).all(|pair| pair[0].0 < pair[1].0), "rows ascend");
                self.sparse.push(feature.codes(), default, &entries)
            }
        };
        self.bins.places.push(place);
        self.bins.bytes.push(bytes);
    }

    fn push_lane(&mut self, feature: u32, codes: &[u8]) -> Place {
        let full = self.bins.lanes.last().is_none_or(|lanes| lanes.len() == TILE);
        if full {
            self.bins.tiles.push(vec![0; self.bins.rows * TILE]);
            self.bins.lanes.push(Vec::with_capacity(TILE));
        }
        let tile = self.bins.tiles.len() - 1;
        let lane = self.bins.lanes[tile].len();
        self.bins.lanes[tile].push(feature);
        for (slot, &code) in self.bins.tiles[tile].iter_mut().skip(lane).step_by(TILE).zip(codes) {
            *slot = code;
        }
        Place::Tile { tile: tile as u32, lane: lane as u32 }
    }

    /// The finished features.
    pub fn finish(self) -> Bins {
        self.finish_among(&Alone)
    }

    /// The finished features, of which other workers have rows too.
    pub fn finish_among(mut self, exchange: &dyn Exchange) -> Bins {
        let (rows, copies) = (self.bins.rows, self.copies);
        let sparse = self.sparse.finish(rows);
        let lists = (0..sparse.slots()).map(|slot| sparse.posting(slot));
        let mut listed = if copies.is_empty() {
            [lists.map(<[u32]>::len).sum::<usize>() as i64, rows as i64]
        } else {
            let of = |list: &[u32]| list.iter().map(|&row| i64::from(copies[row as usize])).sum::<i64>();
            [lists.map(of).sum(), copies.iter().map(|&copies| i64::from(copies)).sum()]
        };
        exchange.sum(&mut listed);
        self.bins.listed = (listed[0] as u64).div_ceil(listed[1].max(1) as u64) as usize;
        self.bins.sparse = sparse;
        if self.bins.sparse.len() > FEW_SPARSE {
            let places = self.bins.places.iter().zip(&mut self.bins.bytes);
            let sparse = places.filter(|(place, _)| matches!(place, Place::Sparse(_)));
            sparse.for_each(|(_, bytes)| *bytes = Vec::new());
        }
        self.bins.combined = Combined::new(&self.bins);
        self.bins
    }
}

fn list_others(codes: impl Iterator<Item = u32>, default: u32) -> Vec<(u32, u32)> {
    codes.enumerate().filter(|&(_, c)| c != default).map(|(row, c)| (row as u32, c)).collect()
}

/// Codes that a byte has.
const CODES: usize = 256;

/// How many rows have each code.
fn counts(codes: &[u8], copies: &[u32]) -> [i64; CODES] {
    let mut counts = [0; CODES];
    if copies.is_empty() {
        for &code in codes {
            counts[code as usize] += 1;
        }
    } else {
        for (&code, &copies) in codes.iter().zip(copies) {
            counts[code as usize] += i64::from(copies);
        }
    }
    counts
}

/// The code that most rows share, if there is one.
fn usual(feature: Feature, counts: &[i64]) -> Option<u32> {
    let all: i64 = counts.iter().sum();
    if all < 64 {
        return None;
    }
    let (code, &count) =
        counts[..(feature.codes() as usize).min(CODES)].iter().enumerate().max_by_key(|&(_, n)| n)?;
    (count as f64 >= SPARSE_SHARE * all as f64).then_some(code as u32)
}
