//! From coefficients of leaves to what parts add to scores: the only place where classes come in.

use manyboost_kernel::sums::weighted::add_weighted;

use crate::model::answers::ScoreUpdate;

/// What the leaves of a tree add to scores, laid out to be summed by the slots that their features belong to.
#[derive(Clone, Debug)]
pub(super) struct LeafSums {
    pub(super) updates: ScoreUpdate,
    /// Slots, and where their pairs end.
    groups: Vec<(u32, u32)>,
    /// Places of coefficients, and leaves.
    pairs: Vec<(u32, u32)>,
}

impl LeafSums {
    /// For coefficients with these slots and leaves.
    pub(super) fn new(updates: ScoreUpdate, coefficients: impl Iterator<Item = (u32, usize)>) -> Self {
        let mut entries: Vec<(u32, u32, u32)> =
            coefficients.zip(0..).map(|((slot, leaf), place)| (slot, place, leaf as u32)).collect();
        entries.sort_unstable();
        let mut groups: Vec<(u32, u32)> = Vec::new();
        for (end, &(slot, ..)) in (1..).zip(&entries) {
            match groups.last_mut() {
                Some(group) if group.0 == slot => group.1 = end,
                _ => groups.push((slot, end)),
            }
        }
        Self { updates, groups, pairs: entries.into_iter().map(|(_, place, leaf)| (place, leaf)).collect() }
    }

    /// Number of coefficients.
    pub(super) fn coefficients(&self) -> usize {
        self.pairs.len()
    }

    /// Adds a share of what a leaf adds to scores.
    pub(super) fn add_leaf(&self, leaf: usize, share: f64, width: usize, out: &mut [f64]) {
        let mut values = vec![0.0; width];
        self.updates.add(leaf, &mut values);
        out.iter_mut().zip(values).for_each(|(out, value)| *out += share * value);
    }

    /// Adds each coefficient times what its leaf adds to the scores of its slot.
    pub(super) fn add(&self, coefficients: &[f64], width: usize, out: &mut [f64]) {
        if let ScoreUpdate::All { values, .. } = &self.updates {
            return add_weighted(&self.groups, &self.pairs, coefficients, values, width, out);
        }
        let mut first = 0;
        for &(slot, end) in &self.groups {
            let out = &mut out[slot as usize * width..][..width];
            for &(place, leaf) in &self.pairs[first..end as usize] {
                let (c, leaf) = (coefficients[place as usize], leaf as usize);
                match &self.updates {
                    ScoreUpdate::One { labels, value } => out[labels[leaf] as usize] += c * value,
                    ScoreUpdate::At { at, values } => out[*at] += c * values[leaf],
                    ScoreUpdate::All { .. } | ScoreUpdate::Election(_) => {}
                }
            }
            first = end as usize;
        }
    }
}
