//! Self-contained HTML pages: one file that asks for nothing, with everything from data escaped.
//!
//! Rust measures, and writes words and tables; figures are drawn in the reader's browser by the few small scripts of
//! `page/*.js`, from numbers that are in the page. So a figure fits the screen that it is on, and answers the pointer.

pub mod command;
pub mod compare;
pub mod describe;
pub mod drawing;
mod escape;
pub mod interval;
pub mod model;
mod numbers;
mod page;
mod table;
pub mod why;
pub mod words;

pub use escape::escape;
pub use page::Page;
pub use table::{HtmlCell, HtmlTable};
