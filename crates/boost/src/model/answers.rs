//! What the cells of a hypothesis answer, and where an answer lands in score space.

use manyboost_kernel::loss::softmax::add_parts;
use serde::{Deserialize, Serialize};

use crate::engine::scores::applied;
use crate::model::epochs::{AppliedElection, Election};

/// Answers of cells, in score space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answers {
    /// One class each: a vote of 1 for it, 0 for the others.
    Labels(Vec<u32>),
    /// One number for each score.
    Vectors {
        /// Numbers a cell has.
        width: u32,
        /// Cell after cell.
        values: Vec<f64>,
    },
    /// One number each, for one score.
    Coordinate {
        /// The score.
        at: u32,
        /// Cell after cell.
        values: Vec<f64>,
    },
    /// One number each, for all scores along one direction.
    Along {
        /// What a 1 adds to each score.
        direction: Vec<f64>,
        /// Cell after cell.
        values: Vec<f64>,
    },
    /// Votes for the classes that a row still has; the order of such terms matters.
    Election(Election),
}

/// Where the answers of a vote land in score space.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Lift {
    /// They are scores already.
    #[default]
    Whole,
    /// A number is for this score.
    Coordinate(u32),
    /// A number is for all scores, along this direction.
    Along(Vec<f64>),
    /// A vector is mapped: one row of coefficients for each score.
    Map {
        /// Coefficients a row has: the numbers of an answer.
        width: usize,
        /// Row after row.
        rows: Vec<f64>,
    },
}

impl Lift {
    /// The answers of a vote, in score space.
    pub fn lift(&self, answers: Answers) -> Answers {
        match (self, answers) {
            (Self::Coordinate(at), Answers::Vectors { values, .. }) => {
                Answers::Coordinate { at: *at, values }
            }
            (Self::Along(direction), Answers::Vectors { values, .. }) => {
                Answers::Along { direction: direction.clone(), values }
            }
            (Self::Map { width, rows }, Answers::Vectors { values, .. }) => {
                let dot = |row: &[f64], x: &[f64]| row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
                let mapped = |answer| rows.chunks_exact(*width).map(move |row| dot(row, answer));
                Answers::Vectors {
                    width: (rows.len() / width) as u32,
                    values: values.chunks_exact(*width).flat_map(mapped).collect(),
                }
            }
            (_, answers) => answers,
        }
    }
}

impl Answers {
    /// Number of cells.
    pub fn len(&self) -> usize {
        match self {
            Self::Labels(labels) => labels.len(),
            Self::Vectors { width, values } => values.len() / (*width).max(1) as usize,
            Self::Coordinate { values, .. } | Self::Along { values, .. } => values.len(),
            Self::Election(election) => election.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number that a cell answers, where it answers one number.
    #[inline]
    pub fn number(&self, cell: usize) -> f64 {
        match self {
            Self::Coordinate { values, .. } | Self::Along { values, .. } => values[cell],
            Self::Labels(_) | Self::Vectors { .. } | Self::Election(_) => 0.0,
        }
    }

    /// The most that any cell answers for any score, by absolute value.
    pub fn most(&self) -> f64 {
        // Unlike `max`, this keeps what is not a number.
        let most =
            |values: &[f64]| values.iter().fold(0.0, |m: f64, x| if x.abs() <= m { m } else { x.abs() });
        match self {
            Self::Labels(_) | Self::Election(_) => 1.0,
            Self::Vectors { values, .. } | Self::Coordinate { values, .. } => most(values),
            Self::Along { direction, values } => most(values) * most(direction),
        }
    }

    /// Bytes of what all cells add to a row of `width` scores: a direction is as long for each of them.
    pub(crate) fn applied_bytes(&self, width: usize) -> u64 {
        let numbers = match self {
            Self::Labels(_) | Self::Coordinate { .. } => 1,
            Self::Vectors { .. } | Self::Along { .. } | Self::Election(_) => width,
        };
        (self.len() as u64).saturating_mul(8 * numbers as u64)
    }

    /// What each cell adds to a row of `width` scores when the step is `alpha`.
    pub fn applied(&self, alpha: f64, width: usize) -> ScoreUpdate {
        let scaled = |values: &[f64]| values.iter().map(|&a| applied(alpha, a)).collect();
        match self {
            Self::Labels(labels) => ScoreUpdate::One { labels: labels.clone(), value: applied(alpha, 1.0) },
            Self::Vectors { values, .. } => ScoreUpdate::All { width, values: scaled(values) },
            Self::Coordinate { at, values } => ScoreUpdate::At { at: *at as usize, values: scaled(values) },
            Self::Along { direction, values } => {
                let each = |&a: &f64| direction.iter().map(move |d| applied(alpha, a * d));
                ScoreUpdate::All { width, values: values.iter().flat_map(each).collect() }
            }
            Self::Election(election) => ScoreUpdate::Election(election.applied(alpha, width)),
        }
    }

    /// The answer of a cell in score space, before the step.
    pub fn vector(&self, cell: usize, width: usize) -> Vec<f64> {
        let mut vector = vec![0.0; width];
        match self {
            Self::Labels(labels) => vector[labels[cell] as usize] = 1.0,
            Self::Vectors { values, .. } => vector.copy_from_slice(&values[cell * width..(cell + 1) * width]),
            Self::Coordinate { at, values } => vector[*at as usize] = values[cell],
            Self::Along { direction, values } => {
                vector.iter_mut().zip(direction).for_each(|(v, d)| *v = values[cell] * d);
            }
            Self::Election(election) => election.write(cell, &mut vector),
        }
        vector
    }
}

/// What cells add to scores, the step included.
#[derive(Clone, Debug, PartialEq)]
pub enum ScoreUpdate {
    /// The same number to the score of one class.
    One {
        /// The class of each cell.
        labels: Vec<u32>,
        /// The number.
        value: f64,
    },
    /// A number of each cell to the same score.
    At {
        /// The score.
        at: usize,
        /// Cell after cell.
        values: Vec<f64>,
    },
    /// One number to each score.
    All {
        /// Numbers a cell has.
        width: usize,
        /// Cell after cell.
        values: Vec<f64>,
    },
    /// A vote for one of the classes that the row still has.
    Election(AppliedElection),
}

impl ScoreUpdate {
    /// Adds to each of some rows of `width` scores the part of its cell.
    pub fn add_rows(&self, cells: &[u32], width: usize, scores: &mut [f64]) {
        if let Self::All { values, .. } = self {
            return add_parts(cells, values, width, scores);
        }
        for (row, &cell) in scores.chunks_exact_mut(width).zip(cells) {
            self.add(cell as usize, row);
        }
    }

    /// Adds a cell's part to a row of scores.
    #[inline]
    pub fn add(&self, cell: usize, scores: &mut [f64]) {
        match self {
            Self::One { labels, value } => scores[labels[cell] as usize] += value,
            Self::At { at, values } => scores[*at] += values[cell],
            Self::All { width, values } => {
                for (score, x) in scores.iter_mut().zip(&values[cell * width..(cell + 1) * width]) {
                    *score += x;
                }
            }
            Self::Election(election) => election.add(cell, scores),
        }
    }
}
