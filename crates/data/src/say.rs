//! How names from the data are shown in messages: quoted, on one line, never longer than a line.

/// Longest part of a name that a message shows, in characters.
const SHOWN: usize = 60;

/// Most names that a message lists.
const LISTED: usize = 5;

/// Least similarity (Jaro–Winkler) for a name to be suggested.
const SIMILAR: f64 = 0.7;

/// A name in quotes, control characters escaped, its end left out if it is long.
pub(crate) fn name(name: &str) -> String {
    let end = name.char_indices().nth(SHOWN).map_or(name.len(), |(at, _)| at);
    let more = if end < name.len() { "…" } else { "" };
    format!("{:?}{more}", &name[..end])
}

/// Some names in quotes, and how many more there are.
pub(crate) fn names<S: AsRef<str>>(all: &[S]) -> String {
    let shown: Vec<String> = all.iter().take(LISTED).map(|n| name(n.as_ref())).collect();
    with_rest(&shown, all.len())
}

/// The first items of a list of `total`, and how many more there are.
pub(crate) fn with_rest(shown: &[String], total: usize) -> String {
    let rest = if total > shown.len() { format!(" and {} more", total - shown.len()) } else { String::new() };
    shown.join(", ") + &rest
}

/// "1 row", "2 rows".
pub(crate) fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// What to do about a name that is not there: the names most like it, or some of those there are.
pub fn nearest(wanted: &str, there: &[String]) -> String {
    let wanted = wanted.to_lowercase();
    let mut alike: Vec<(f64, &String)> =
        there.iter().map(|n| (strsim::jaro_winkler(&wanted, &n.to_lowercase()), n)).collect();
    alike.retain(|&(similarity, _)| similarity >= SIMILAR);
    alike.sort_by(|a, b| b.0.total_cmp(&a.0));
    if alike.is_empty() {
        format!("there is {}", names(there))
    } else {
        let best: Vec<&str> = alike.iter().take(3).map(|(_, n)| n.as_str()).collect();
        format!("did you mean {}?", names(&best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_odd_names_stay_on_one_line() {
        let shown = name(&"x\n".repeat(5000));
        assert!(shown.chars().count() < 100 && !shown.contains('\n'));
        assert_eq!(name("é😀"), "\"é😀\"");
        assert_eq!(names(&["a", "b", "c", "d", "e", "f", "g"]), r#""a", "b", "c", "d", "e" and 2 more"#);
    }

    #[test]
    fn suggests_what_is_alike() {
        let there = ["sepal_width".to_string(), "Class".to_string(), "petal".to_string()];
        assert_eq!(nearest("class", &there), r#"did you mean "Class"?"#);
        assert!(nearest("zzz", &there).starts_with("there is "));
    }
}
