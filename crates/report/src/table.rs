//! Tables: words on the left, numbers on the right.

use crate::escape::escape;

/// Rows under a header.
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<(String, bool)>>,
}

impl Table {
    /// A table with these columns; the first holds names, the others numbers.
    pub fn new(head: &[&str]) -> Self {
        Self { head: head.iter().map(|h| escape(h)).collect(), rows: Vec::new() }
    }

    /// Adds a row of cells, each with whether it is the best of its column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = (String, bool)>) {
        self.rows.push(cells.into_iter().map(|(text, best)| (escape(&text), best)).collect());
    }

    /// The table.
    pub fn html(&self) -> String {
        let head: String = self.head.iter().map(|h| format!("<th>{h}</th>")).collect();
        let cell = |(text, best): &(String, bool)| {
            if *best { format!("<td class=\"best\">{text}</td>") } else { format!("<td>{text}</td>") }
        };
        let row = |row: &Vec<(String, bool)>| format!("<tr>{}</tr>\n", row.iter().map(cell).collect::<String>());
        let rows: String = self.rows.iter().map(row).collect();
        format!("<div class=\"scroll\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_escaped() {
        let mut table = Table::new(&["a<b"]);
        table.row([("<i>".to_string(), true)]);
        let html = table.html();
        assert!(html.contains("<th>a&lt;b</th>") && html.contains("<td class=\"best\">&lt;i&gt;</td>"));
    }
}
