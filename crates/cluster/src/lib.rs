//! Workers that train together over TCP: each is connected to each.
//!
//! A [`Mesh`] is an [`Exchange`](manyboost_kernel::Exchange) between processes. It knows nothing of boosting: it hands bytes from each
//! worker to each, and either all of them arrive as they were sent or every worker fails within the deadline, with the name of the
//! worker on whose account.
//!
//! 1. A worker binds its listener before anybody is told its address, and keeps it (`join.rs`).
//! 2. Whoever connects proves that it has the token of the run, and so does whoever answers (`handshake.rs`).
//! 3. Every message has a number, says what was asked for and has checksums (`message.rs`).
//! 4. Somebody reads each connection all the time. A worker that computes says now and then that it is alive; silence for longer than
//!    the deadline is a loss (`mesh.rs`).
//!
//! Workers that know only their number and how many they are find one another through a [`Folder`].

mod folder;
mod handshake;
mod join;
mod mesh;
mod message;
mod token;

pub use folder::Folder;
pub use join::{Membership, join};
pub use mesh::Mesh;
pub use token::Token;
