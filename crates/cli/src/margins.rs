//! Margins in few figures.

use manyboost::theory::margins::{Margins, MarginsOf};
use serde_json::{Value, json};

/// The shares of rows whose margins are shown.
pub const SHARES: [f64; 5] = [0.01, 0.1, 0.25, 0.5, 0.9];

/// The margins that there are, by name.
pub fn kinds(margins: &MarginsOf) -> impl Iterator<Item = (&'static str, &Margins)> {
    let kinds = [
        ("vote", margins.vote.as_ref()),
        ("label", Some(&margins.label)),
        ("codeword", margins.codeword.as_ref()),
    ];
    kinds.into_iter().filter_map(|(name, margins)| Some((name, margins?)))
}

/// All of them as JSON.
pub fn document(margins: &MarginsOf) -> Value {
    let mut document = json!({});
    for (name, margins) in kinds(margins) {
        let quantile = |&share: &f64| json!({"share": share, "margin": margins.quantile(share)});
        document[name] = json!({
            "least": margins.least(),
            "mean": margins.mean(),
            "at_most_0": margins.share_at_most(0.0),
            "quantiles": SHARES.iter().map(quantile).collect::<Vec<_>>(),
        });
    }
    document
}
