//! Degree maps of three classes (figures 3 and 6): in how many directions the worst walk goes on from each state.
//!
//! A state is the pair u = s(2) − s(1), v = s(3) − s(1), and a step is one of (−1, −1), (1, 0), (0, 1).

use super::GameLoss;
use super::minimal::worst;

/// How close two expectations must be, relatively, for both degrees to be right.
const TIE: f64 = 1e-12;

/// The degrees of all states with |u|, |v| ≤ T when T rounds are to go.
#[derive(Clone, Debug, PartialEq)]
pub struct DegreeMap {
    /// T.
    pub rounds: usize,
    /// Row after row, v from −T to T; in a row u from −T to T: 2 or 3, or 0 where both are the same.
    pub degrees: Vec<u8>,
    /// The potentials, in the same order.
    pub potentials: Vec<f64>,
}

impl DegreeMap {
    /// The rows, from the smallest v.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u8]> + DoubleEndedIterator {
        self.degrees.chunks_exact(2 * self.rounds + 1)
    }
}

/// The map of `rounds` rounds to go with this edge.
pub fn degree_map(rounds: usize, gamma: f64, loss: GameLoss) -> DegreeMap {
    // In T steps no state leaves this square by more than its margin.
    let (reach, side) = (2 * rounds as i64, 4 * rounds + 1);
    let at = |u: i64, v: i64| (v + reach) as usize * side + (u + reach) as usize;
    let mut now = vec![0.0; side * side];
    for v in -reach..=reach {
        for u in -reach..=reach {
            now[at(u, v)] = loss.of([-u, -v].into_iter());
        }
    }
    let mut map = DegreeMap { rounds, degrees: Vec::new(), potentials: Vec::new() };
    for t in 1..=rounds as i64 {
        let inner = reach - t;
        let mut next = vec![0.0; side * side];
        for v in -inner..=inner {
            for u in -inner..=inner {
                let mut values = [now[at(u - 1, v - 1)], now[at(u + 1, v)], now[at(u, v + 1)]];
                let (value, degree) = worst(gamma, &mut values);
                next[at(u, v)] = value;
                if t == rounds as i64 {
                    // The other classes are in descending order now.
                    let (two, three) = (values[0].midpoint(values[1]), values.iter().sum::<f64>() / 3.0);
                    let tie = (two - three).abs() <= TIE * two.abs().max(three.abs());
                    map.degrees.push(if tie { 0 } else { degree as u8 });
                    map.potentials.push(value);
                }
            }
        }
        now = next;
    }
    map
}
