//! Which columns are encoded together: codes should hardly ever exist twice, and no thread be woken for next to nothing.

/// Columns that a thread encodes before they are stored: a few, so that codes hardly ever exist twice.
const AT_ONCE: usize = 2;

/// Values that are worth a thread's while: columns with few come together.
const WORTH: usize = 1 << 14;

/// What looking at a column costs whatever its values, in values.
const COLUMN: usize = 16;

/// Columns that are encoded together: few that have many values, or many that have few.
pub(super) fn groups<T>(
    columns: &[T],
    rows: usize,
    work: impl Fn(&T) -> usize,
) -> impl Iterator<Item = &[T]> {
    let threads = rayon::current_num_threads();
    let enough = threads * (AT_ONCE * rows).max(WORTH);
    let mut rest = columns;
    std::iter::from_fn(move || {
        let mut done = 0;
        let mut more = |column: &T| {
            let goes_on = done < enough;
            done += work(column).max(COLUMN);
            goes_on
        };
        let end = rest.iter().take_while(|column| more(column)).count();
        let (some, others) = rest.split_at(end);
        rest = others;
        (end > 0).then_some(some)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_once_and_in_order() {
        // Dense columns of a large table, and many sparse ones.
        let work: Vec<usize> = [vec![1_000_000; 50], vec![3; 100_000], vec![1_000_000; 5]].concat();
        let groups: Vec<&[usize]> = groups(&work, 1_000_000, |work| *work).collect();
        assert_eq!(groups.concat(), work);
        let dense = AT_ONCE * rayon::current_num_threads();
        assert!(groups[0].len() <= dense, "{} columns at once", groups[0].len());
        assert!(groups.len() < 60, "{} groups", groups.len());
    }
}
