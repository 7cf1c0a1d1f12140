//! Groups of rows, such as the leaves of a tree, visited block by block: rows that lie together are handled together,
//! whatever their group, while what belongs to them is in the cache.

/// The parts of groups in one block of rows: the number of the group, and its rows.
pub type GroupParts<'a> = Vec<(usize, &'a [u32])>;

/// Cuts groups of ascending rows at every `block`-th row; empty parts are left out. (Where rows do not ascend, every row
/// is still in one part of its group, but perhaps not in the one of its block.)
pub fn by_blocks<'a>(groups: &[&'a [u32]], rows: usize, block: usize) -> Vec<GroupParts<'a>> {
    let mut rest = groups.to_vec();
    let blocks = rows.div_ceil(block);
    (1..=blocks)
        .map(|number| {
            let end = if number == blocks { u32::MAX } else { (number * block) as u32 };
            let part = |(group, rest): (usize, &mut &'a [u32])| {
                // A block has no more rows than this: the search stays in memory that is read next.
                let most = if number == blocks { rest.len() } else { rest.len().min(block) };
                let (own, others) = rest.split_at(rest[..most].partition_point(|&row| row < end));
                *rest = others;
                (!own.is_empty()).then_some((group, own))
            };
            rest.iter_mut().enumerate().filter_map(part).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_the_part_of_its_block() {
        let groups: [&[u32]; 3] = [&[0, 3, 4, 9], &[], &[1, 2, 5, 6, 7, 8]];
        let blocks = by_blocks(&groups, 10, 4);
        assert_eq!(blocks[0], [(0, &[0u32, 3][..]), (2, &[1, 2])]);
        assert_eq!(blocks[1], [(0, &[4u32][..]), (2, &[5, 6, 7])]);
        assert_eq!(blocks[2], [(0, &[9u32][..]), (2, &[8])]);
    }

    #[test]
    fn no_row_is_lost_out_of_order() {
        let groups: [&[u32]; 2] = [&[7, 1, 0, 5], &[6, 2, 4, 3]];
        let mut seen: Vec<u32> =
            by_blocks(&groups, 8, 2).iter().flatten().flat_map(|part| part.1).copied().collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..8).collect::<Vec<u32>>());
    }
}
