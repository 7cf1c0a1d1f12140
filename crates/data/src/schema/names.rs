//! Looking for names in a list that mostly has them in the order in which they are asked for.

use std::cell::OnceCell;
use std::collections::HashMap;

/// Names after the last one that was found, which are looked at first.
const NEAR: usize = 4;

/// A list of names. Two lists that go together, as those of a model and a table, mostly do so in step: with millions of names a
/// map, which is made once names are not in step, takes far longer than all else.
pub(crate) struct Names<'a, T> {
    list: &'a [T],
    name: fn(&T) -> &str,
    /// After the place that was found last.
    next: usize,
    map: OnceCell<HashMap<&'a str, usize>>,
}

impl<'a, T> Names<'a, T> {
    pub(crate) fn new(list: &'a [T], name: fn(&T) -> &str) -> Self {
        Self { list, name, next: 0, map: OnceCell::new() }
    }

    /// The place of a name in the list.
    pub(crate) fn find(&mut self, wanted: &str) -> Option<usize> {
        let near = self.list.iter().skip(self.next).take(NEAR).position(|item| (self.name)(item) == wanted);
        let (list, name) = (self.list, self.name);
        let map = || list.iter().enumerate().map(|(at, item)| (name(item), at)).collect();
        let found = match near {
            Some(steps) => self.next + steps,
            None => *self.map.get_or_init(map).get(wanted)?,
        };
        self.next = found + 1;
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_step_and_out_of_it() {
        let list: Vec<String> = (0..100).map(|i| format!("n{i}")).collect();
        let mut names = Names::new(&list, String::as_str);
        let order = (0..100).chain([3, 99, 0, 50]).chain((0..100).rev());
        for at in order {
            assert_eq!(names.find(&format!("n{at}")), Some(at));
            assert_eq!(names.find("n100"), None);
        }
        assert!(Names::new(&[], String::as_str).find("n1").is_none());
    }
}
