//! Holding out rows for validation: those with the smallest seeded hashes of their numbers.

use crate::error::{Error, ErrorKind, Result};
use crate::fingerprint::mix;

/// Splits the rows `0..rows` into (kept, held out), both ascending; the second has about `fraction` of them, each
/// at least one.
pub fn split(rows: usize, fraction: f64, seed: u64) -> Result<(Vec<u32>, Vec<u32>)> {
    if !(fraction > 0.0 && fraction < 1.0) {
        let what = format!("the fraction of rows to hold out is {fraction}");
        return Err(Error::new(ErrorKind::Parameter, what, "it lies between 0 and 1"));
    }
    if rows < 2 || u32::try_from(rows).is_err() {
        let what = format!("{rows} row(s) cannot be split in two");
        return Err(Error::new(ErrorKind::Parameter, what, "train without validation"));
    }
    let wanted = ((rows as f64 * fraction).round() as usize).clamp(1, rows - 1);
    let mut hashes: Vec<(u64, u32)> =
        (0..rows as u32).map(|row| (mix(mix(seed) ^ u64::from(row)), row)).collect();
    hashes.select_nth_unstable(wanted);
    let mut held: Vec<u32> = hashes[..wanted].iter().map(|&(_, row)| row).collect();
    let mut kept: Vec<u32> = hashes[wanted..].iter().map(|&(_, row)| row).collect();
    held.sort_unstable();
    kept.sort_unstable();
    Ok((kept, held))
}

/// Deals rows to `parts` parts of nearly equal size, and so the rows of each stratum; gives the part of each row.
pub fn folds(strata: &[u64], parts: usize, seed: u64) -> Result<Vec<u32>> {
    if parts < 2 || parts > strata.len() || u32::try_from(strata.len()).is_err() {
        let what = format!("{} row(s) cannot be dealt to {parts} parts", strata.len());
        return Err(Error::new(ErrorKind::Parameter, what, "give at least 2 parts, and a row for each"));
    }
    let mut order: Vec<u32> = (0..strata.len() as u32).collect();
    order.sort_by_key(|&row| (strata[row as usize], mix(mix(seed) ^ u64::from(row)), row));
    let mut part = vec![0; strata.len()];
    for (at, row) in order.into_iter().enumerate() {
        part[row as usize] = (at % parts) as u32;
    }
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_exact_and_seeded() {
        let (kept, held) = split(1000, 0.2, 7).unwrap();
        assert_eq!((kept.len(), held.len()), (800, 200));
        let mut all = [kept, held.clone()].concat();
        all.sort_unstable();
        assert_eq!(all, (0..1000).collect::<Vec<u32>>());
        assert_eq!(split(1000, 0.2, 7).unwrap().1, held);
        assert_ne!(split(1000, 0.2, 8).unwrap().1, held);
        assert_eq!(split(2, 0.001, 1).unwrap().1.len(), 1);
    }

    #[test]
    fn folds_are_even_in_every_stratum() {
        let strata: Vec<u64> = (0..103).map(|row| u64::from(row % 7 == 0)).collect();
        let of = folds(&strata, 5, 3).unwrap();
        for part in 0..5 {
            let own =
                |stratum: u64| of.iter().zip(&strata).filter(|&(p, s)| *p == part && *s == stratum).count();
            assert!((17..=18).contains(&own(0)) && own(1) == 3, "{} and {}", own(0), own(1));
        }
        assert_eq!(of, folds(&strata, 5, 3).unwrap());
        assert_ne!(of, folds(&strata, 5, 4).unwrap());
        assert!(folds(&strata, 1, 3).is_err() && folds(&strata, 104, 3).is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        for fraction in [0.0, 1.0, 1.5, -1.0, f64::NAN] {
            assert!(split(10, fraction, 0).is_err());
        }
        assert!(split(1, 0.5, 0).is_err());
    }
}
