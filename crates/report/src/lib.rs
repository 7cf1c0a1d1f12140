//! Self-contained HTML pages: one file, no script, no outside request, everything from data escaped.

mod curve;
mod escape;
mod page;
mod table;

pub use curve::{Chart, Line};
pub use escape::escape;
pub use page::Page;
pub use table::Table;
