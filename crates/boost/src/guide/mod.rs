//! Pages that teach: read them in this order, or take what you need.

#[doc = include_str!("quick_start.md")]
pub mod quick_start {}

#[doc = include_str!("data.md")]
pub mod data {}

#[doc = include_str!("boosters.md")]
pub mod boosters {}

#[doc = include_str!("own_booster.md")]
pub mod own_booster {}

#[doc = include_str!("own_learner.md")]
pub mod own_learner {}

#[doc = include_str!("own_loss.md")]
pub mod own_loss {}

#[doc = include_str!("reproducibility.md")]
pub mod reproducibility {}
