//! What stands for a class: words of signs, codewords, matrices of numbers.

pub mod code;
pub mod codewords;
pub mod embedding;
pub mod matrix;
