//! The `polyboost` command.
fn main() {}
