//! Tables in, encoded data out.

pub mod table;

pub use table::{Column, Numbers, Table, Values, Words};
