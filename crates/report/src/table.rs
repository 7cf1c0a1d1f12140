//! Tables: words on the left, numbers on the right.

use crate::escape::escape;

/// Rows under a header.
pub struct Table {
    words: usize,
    head: Vec<String>,
    rows: Vec<Vec<(String, bool)>>,
}

impl Table {
    /// A table with these columns; the first `words` hold words, the others numbers.
    pub fn new(words: usize, head: &[&str]) -> Self {
        Self { words, head: head.iter().map(|h| escape(h)).collect(), rows: Vec::new() }
    }

    /// Adds a row of cells, each with whether it is the best of its column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = (String, bool)>) {
        self.rows.push(cells.into_iter().map(|(text, best)| (escape(&text), best)).collect());
    }

    /// The table.
    pub fn html(&self) -> String {
        let class = |at: usize, best: bool| match (at < self.words, best) {
            (true, true) => " class=\"left best\"",
            (true, false) => " class=\"left\"",
            (false, true) => " class=\"best\"",
            (false, false) => "",
        };
        let head = self.head.iter().enumerate().map(|(at, h)| format!("<th{}>{h}</th>", class(at, false)));
        let head: String = head.collect();
        let row = |row: &Vec<(String, bool)>| {
            let cells = row.iter().enumerate();
            let cells = cells.map(|(at, (text, best))| format!("<td{}>{text}</td>", class(at, *best)));
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let rows: String = self.rows.iter().map(row).collect();
        format!(
            "<div class=\"scroll\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_escaped() {
        let mut table = Table::new(0, &["a<b"]);
        table.row([("<i>".to_string(), true)]);
        let html = table.html();
        assert!(html.contains("<th>a&lt;b</th>") && html.contains("<td class=\"best\">&lt;i&gt;</td>"));
    }
}
