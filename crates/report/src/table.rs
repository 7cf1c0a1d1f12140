//! Tables: words on the left, numbers on the right.

use crate::escape::escape;

/// One cell.
pub struct HtmlCell {
    /// Parts that are not broken across lines.
    parts: Vec<String>,
    best: bool,
    bar: Option<f64>,
}

impl From<String> for HtmlCell {
    fn from(text: String) -> Self {
        Self::parts(vec![text])
    }
}

impl HtmlCell {
    /// Words that are each kept on one line.
    pub fn parts(parts: Vec<String>) -> Self {
        Self { parts, best: false, bar: None }
    }

    /// One that may be the best of its column.
    pub fn best(text: String, best: bool) -> Self {
        Self { best, ..text.into() }
    }

    /// One with a bar behind it, of a length between 0 and 1.
    pub fn bar(text: String, length: f64) -> Self {
        Self { bar: Some(length), ..text.into() }
    }

    fn html(&self, words: bool) -> String {
        let names = [("left", words), ("best", self.best), ("bar", self.bar.is_some())];
        let names: Vec<&str> = names.into_iter().filter(|name| name.1).map(|name| name.0).collect();
        let class = if names.is_empty() { String::new() } else { format!(" class=\"{}\"", names.join(" ")) };
        let length =
            self.bar.map_or(String::new(), |x| format!(" style=\"--w:{:.1}%\"", 100.0 * x.clamp(0.0, 1.0)));
        let parts = self.parts.iter().map(|part| format!("<span>{}</span>", escape(part)));
        format!("<td{class}{length}>{}</td>", parts.collect::<Vec<_>>().join(" "))
    }
}

/// Rows that are shown at once; more are scrolled.
const TALL: usize = 24;

/// Rows under a header.
pub struct HtmlTable {
    words: usize,
    head: Vec<String>,
    rows: Vec<Vec<HtmlCell>>,
}

impl HtmlTable {
    /// A table with these columns; the first `words` hold words, the others numbers.
    pub fn new(words: usize, head: &[&str]) -> Self {
        Self { words, head: head.iter().map(|h| escape(h)).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = HtmlCell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The table.
    pub fn html(&self) -> String {
        let left = |at: usize| if at < self.words { " class=\"left\"" } else { "" };
        let head = self.head.iter().enumerate().map(|(at, h)| format!("<th{}>{h}</th>", left(at)));
        let head: String = head.collect();
        let row = |row: &Vec<HtmlCell>| {
            let cells = row.iter().enumerate().map(|(at, cell)| cell.html(at < self.words));
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let rows: String = self.rows.iter().map(row).collect();
        let head = if self.head.iter().all(String::is_empty) {
            String::new()
        } else {
            format!("<thead><tr>{head}</tr></thead>\n")
        };
        let tall = if self.rows.len() > TALL { " tall" } else { "" };
        format!("<div class=\"scroll{tall}\"><table>\n{head}<tbody>\n{rows}</tbody>\n</table></div>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_escaped() {
        let mut table = HtmlTable::new(0, &["a<b"]);
        table.row([HtmlCell::best("<i>".to_string(), true), HtmlCell::bar("1".into(), 7.0)]);
        let html = table.html();
        assert!(html.contains("<th>a&lt;b</th>"));
        assert!(html.contains("<td class=\"best\"><span>&lt;i&gt;</span></td>"));
        assert!(html.contains("<td class=\"bar\" style=\"--w:100.0%\"><span>1</span></td>"));
    }
}
