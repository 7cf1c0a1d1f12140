//! A model as bytes: sections with checksums, what is in them, and what is refused.

pub(crate) mod check;
pub(crate) mod checkpoint;
pub mod container;
pub mod format;
