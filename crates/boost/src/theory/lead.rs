//! The walk of one lead s(1) − s(l): what a loss needs that is a sum over the wrong classes, such as the hinge loss.
//!
//! A step to the own class adds 1, one to class l takes 1 off, and any other changes nothing. So each wrong class has a walk of its own on
//! the whole numbers, whatever the others do: O(T²) for all T rounds, however many classes there are.

/// What the rounds to go add to a lead.
#[derive(Clone, Debug)]
pub struct LeadWalk {
    /// The chance of each sum, from −T to T.
    chances: Vec<f64>,
}

impl LeadWalk {
    /// Rounds that go up and down with these chances.
    pub fn new(rounds: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut chances = vec![1.0];
        for (up, down) in rounds {
            let mut next = vec![0.0; chances.len() + 2];
            for (at, chance) in chances.iter().enumerate() {
                next[at] += down * chance;
                next[at + 1] += (1.0 - up - down) * chance;
                next[at + 2] += up * chance;
            }
            chances = next;
        }
        Self { chances }
    }

    /// Rounds of the uniform condition with these edges.
    pub fn uniform(classes: usize, edges: &[f64]) -> Self {
        let each = |gamma: f64| (1.0 - gamma) / classes.max(1) as f64;
        Self::new(edges.iter().map(|&gamma| (each(gamma) + gamma, each(gamma))))
    }

    /// The expected hinge loss of a lead at the end.
    pub fn hinge(&self, lead: i64) -> f64 {
        let least = -(self.chances.len() as i64 / 2);
        let ends = (least..).zip(&self.chances);
        ends.map(|(sum, chance)| chance * (1 - lead - sum).max(0) as f64).sum()
    }
}
