//! What a word is: a longest run of letters and digits (of any script), in lower case. Everything else separates words.

/// Calls `each` with every word of a text, in order.
pub(super) fn words(text: &str, buffer: &mut String, mut each: impl FnMut(&str)) {
    for run in text.split(|c: char| !c.is_alphanumeric()) {
        if run.is_empty() {
            continue;
        }
        buffer.clear();
        if run.is_ascii() {
            buffer.push_str(run);
            buffer.make_ascii_lowercase();
        } else {
            // A capital may become a letter and a mark (İ): the mark belongs to the word.
            buffer.extend(run.chars().flat_map(char::to_lowercase));
        }
        each(buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        let mut found = Vec::new();
        words("Don't PANIC: Ünïcode_42, 東京; İ", &mut String::new(), |w| found.push(w.to_string()));
        assert_eq!(found, ["don", "t", "panic", "ünïcode", "42", "東京", "i\u{307}"]);
        words(" \n--", &mut String::new(), |w| panic!("{w}"));
    }
}
