//! Text from data is text, whatever it looks like.

use manyboost_data::wording::is_hidden;

/// Text as HTML shows it.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if is_hidden(c) && c != '\n' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_stays_markup() {
        assert_eq!(super::escape("<script>\"'&\0"), "&lt;script&gt;&quot;&#39;&amp;\u{fffd}");
    }
}
