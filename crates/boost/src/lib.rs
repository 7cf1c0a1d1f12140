//! polyboost.
