//! Tables in, encoded data out.

pub mod error;
pub mod read;
pub mod role;
pub mod table;

pub use error::{Error, ErrorKind, Result};
pub use read::{Limits, read};
pub use role::{Kind, Plan, Role};
pub use table::{Column, Numbers, Table, Values, Words};
