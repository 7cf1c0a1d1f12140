//! Breiman's waveforms (Breiman et al. 1984): each class mixes two of three triangular waves of 21 points in random proportion
//! and adds noise; an error of about 14 % is the least possible.

use super::random::Random;
use super::tables;
use crate::table::Table;

/// Points of a wave.
const POINTS: usize = 21;

/// Where the three waves peak (counted from 1).
const PEAKS: [f64; 3] = [7.0, 15.0, 11.0];

/// The two waves of each class.
const MIXES: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

fn wave(number: usize, point: usize) -> f64 {
    (6.0 - (point as f64 + 1.0 - PEAKS[number]).abs()).max(0.0)
}

/// Rows of a class drawn at random, then of its mixture.
pub fn waveform(rows: usize, seed: u64) -> Table {
    let mut random = Random::new(seed, 3);
    let (mut values, mut classes) = (Vec::with_capacity(POINTS * rows), Vec::with_capacity(rows));
    for _ in 0..rows {
        let class = random.below(3);
        let (first, second) = MIXES[class];
        let share = random.uniform();
        for point in 0..POINTS {
            let mixed = share * wave(first, point) + (1.0 - share) * wave(second, point);
            values.push(mixed + random.normal());
        }
        classes.push(class as u32);
    }
    tables::table("waveform", tables::numbers(&values, POINTS), classes, tables::numbered(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_are_triangles_of_height_six() {
        for (number, peak) in [6usize, 14, 10].into_iter().enumerate() {
            assert_eq!((wave(number, peak), wave(number, peak - 5), wave(number, peak + 6)), (6.0, 1.0, 0.0));
        }
        assert_eq!(waveform(5, 1).columns.len(), 22);
    }
}
