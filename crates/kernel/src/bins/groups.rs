//! Groups of rows, such as the leaves of a tree, visited block by block: rows that lie together are handled together,
//! whatever their group, while what belongs to them is in the cache.

/// The parts of groups in one block of rows: the number of the group, and its rows.
pub type GroupParts<'a> = Vec<(usize, &'a [u32])>;

/// Blocks that one thread cuts off at a time.
const SOME: usize = 16;

/// Cuts groups of ascending rows at every `block`-th row; empty parts are left out. (Where rows do not ascend, every row
/// is still in one part of its group, but perhaps not in the one of its block.)
pub fn by_blocks<'a>(groups: &[&'a [u32]], rows: usize, block: usize) -> Vec<GroupParts<'a>> {
    let mut blocks = vec![GroupParts::new(); rows.div_ceil(block)];
    cut_off(groups.to_vec(), 0, block, &mut blocks);
    blocks
}

/// Cuts groups into these blocks, the first of which has this number. Halves of many are cut side by side.
fn cut_off<'a>(mut groups: Vec<&'a [u32]>, first: usize, block: usize, blocks: &mut [GroupParts<'a>]) {
    let start = |number: usize| ((first + number) * block) as u32;
    if blocks.len() > SOME && rayon::current_num_threads() > 1 {
        let (low, high) = blocks.split_at_mut(blocks.len() / 2);
        let middle = start(low.len());
        let halves = groups.iter().map(|rows| rows.split_at(rows.partition_point(|&row| row < middle)));
        let (here, there) = halves.unzip();
        let next = first + low.len();
        rayon::join(|| cut_off(here, first, block, low), || cut_off(there, next, block, high));
        return;
    }
    let last = blocks.len().saturating_sub(1);
    for (number, parts) in blocks.iter_mut().enumerate() {
        let part = |(group, rest): (usize, &mut &'a [u32])| {
            // A block has no more rows than this: the search stays in memory that is read next.
            let near = &rest[..rest.len().min(block)];
            let length = if number == last {
                rest.len()
            } else {
                near.partition_point(|&row| row < start(number + 1))
            };
            let (own, others) = rest.split_at(length);
            *rest = others;
            (!own.is_empty()).then_some((group, own))
        };
        *parts = groups.iter_mut().enumerate().filter_map(part).collect();
    }
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
    fn threads_cut_off_what_one_does() {
        let group = |group: u32| (0..3000u32).filter(|row| row * row % 7 == group).collect::<Vec<u32>>();
        let groups: Vec<Vec<u32>> = (0..7).map(group).collect();
        let groups: Vec<&[u32]> = groups.iter().map(Vec::as_slice).collect();
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| by_blocks(&groups, 3000, 32))
        };
        assert_eq!(on(1), on(3));
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
