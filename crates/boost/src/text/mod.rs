//! What texts say, as a linear function of their words: where boosting of tables with text begins.
//!
//! A tree looks at one word at a time, and a text has hundreds that each say a little. So the scores of `mcboost` begin with a linear function
//! of all of them, and trees only correct what is left. Its coefficients are those of one support vector machine per class (squared hinge
//! loss), found by dual coordinate descent (`fit.rs`; Hsieh, Chang, Lin, Keerthi & Sundararajan 2008).
//!
//! A model knows its training rows too well: scores that it gives to them would tell trees that nothing is left to do. So training rows
//! begin with what machines say that have not seen them (`rows.rs` deals them out), other rows with what the one says that has seen all.
//! The same scores tell how much the linear function counts (`calibrate.rs`).
//!
//! Coordinate descent goes from row to row, and what it comes to depends on their order. So rows are put into an order that follows from
//! what is in them, and equal ones become one of their weight: neither the order of rows, nor copies in place of weights, nor threads make a
//! difference. Several workers each do it with the texts of all.

mod calibrate;
mod fit;
mod head;
mod options;
mod rows;

pub(crate) use head::Head;
pub use options::TextPlan;
pub(crate) use options::take;
