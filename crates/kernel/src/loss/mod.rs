//! What a booster computes for every row: softmax and residuals, a block of rows at a time.

pub mod residuals;
pub mod softmax;
