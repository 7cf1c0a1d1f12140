//! A number that tells data sets apart, whatever the order of their rows and the layout of their codes.
//!
//! Each row is hashed by its codes and labels; the fingerprint is the sum of the rows' hashes times their weights,
//! so a row twice is the same as weight 2. Code 0 adds nothing, which makes sparse features cheap. Where values are kept
//! beside the codes, they count too: a learner that works on them can tell values of one bin apart.

use manyboost_kernel::bins::{Bins, Place, TILE};
use manyboost_kernel::numbers::seed::mix;

use crate::dataset::Dataset;
use crate::table::contents::contents;
use crate::table::frame::Frame;

/// What a code of a feature adds to its row's hash.
fn term(feature: usize, code: u32) -> u64 {
    if code == 0 { 0 } else { mix(((feature as u64) << 32 | u64::from(code)) ^ 0x9e37_79b9_7f4a_7c15) }
}

/// The fingerprint of a data set.
pub fn fingerprint(data: &Dataset) -> u64 {
    let rows = contents(data).into_iter().zip(data.weights.units());
    rows.fold(0, |sum, (content, &units)| sum.wrapping_add(u64::from(units).wrapping_mul(content)))
}

/// Adds the values of each row to its hash.
pub(crate) fn add_values(hashes: &mut [u64], values: &Frame, features: usize) {
    const BLOCK: usize = 64;
    let all: Vec<u32> = (0..features as u32).collect();
    let mut block = Vec::new();
    for (at, hashes) in hashes.chunks_mut(BLOCK).enumerate() {
        values.fill(at * BLOCK..at * BLOCK + hashes.len(), &all, &mut block);
        for (hash, row) in hashes.iter_mut().zip(block.chunks_exact(features.max(1))) {
            for (&feature, &value) in all.iter().zip(row) {
                // Zero has one sign, and missing one form.
                let bits = if value.is_nan() { f64::NAN.to_bits() } else { (value + 0.0).to_bits() };
                *hash = hash.wrapping_add(mix(bits ^ mix(u64::from(feature) + 1)));
            }
        }
    }
}

/// A number for each row that hardly two rows with other codes share.
pub fn row_hashes(bins: &Bins) -> Vec<u64> {
    let mut hashes = vec![0u64; bins.rows()];
    for (tile, lanes) in bins.lanes().iter().enumerate() {
        for (hash, codes) in hashes.iter_mut().zip(bins.tile(tile).chunks_exact(TILE)) {
            for (&feature, &code) in lanes.iter().zip(codes) {
                *hash = hash.wrapping_add(term(feature as usize, u32::from(code)));
            }
        }
    }
    let mut everywhere = 0u64;
    for feature in 0..bins.features().len() {
        match bins.place(feature) {
            Place::Tile { .. } => {}
            Place::Column(index) => {
                for (hash, &code) in hashes.iter_mut().zip(bins.column(index as usize)) {
                    *hash = hash.wrapping_add(term(feature, code));
                }
            }
            Place::Sparse(index) => {
                let (sparse, index) = (bins.sparse(), index as usize);
                let usual = term(feature, sparse.default_code(index));
                everywhere = everywhere.wrapping_add(usual);
                for slot in sparse.slots_of(index) {
                    let change = term(feature, sparse.code_of(index, slot)).wrapping_sub(usual);
                    for &row in sparse.posting(slot) {
                        hashes[row as usize] = hashes[row as usize].wrapping_add(change);
                    }
                }
            }
        }
    }
    for hash in &mut hashes {
        *hash = hash.wrapping_add(everywhere);
    }
    hashes
}
