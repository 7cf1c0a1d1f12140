//! Tables for the eye: aligned columns, two spaces apart, no lines, no colour.

use manyboost_data::wording::visible;
use unicode_width::UnicodeWidthStr;

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows under a header.
pub struct TextTable {
    align: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table with these columns; a header that is empty throughout is not shown.
    pub fn new(columns: &[(&str, Align)]) -> Self {
        Self {
            align: columns.iter().map(|c| c.1).collect(),
            rows: vec![columns.iter().map(|c| visible(c.0)).collect()],
        }
    }

    /// Adds a row; a cell is one line, whatever is in it.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| visible(&cell)).collect());
    }

    /// The lines, each with its end; the last column of words is not padded.
    pub fn text(&self) -> String {
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.align.len()).map(width).collect();
        let mut text = String::new();
        for row in self.rows.iter().filter(|row| row.iter().any(|cell| !cell.is_empty())) {
            let mut line = String::new();
            for ((cell, &width), align) in row.iter().zip(&widths).zip(&self.align) {
                let room = " ".repeat(width - cell.width());
                line.push_str("  ");
                match align {
                    Align::Left => line.extend([cell.as_str(), &room]),
                    Align::Right => line.extend([room.as_str(), cell]),
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = TextTable::new(&[("name", Align::Left), ("n", Align::Right)]);
        table.row(["é".to_string(), "10".to_string()]);
        table.row(["long".to_string(), "7".to_string()]);
        assert_eq!(table.text(), "  name   n\n  é     10\n  long   7\n");
        let mut bare = TextTable::new(&[("", Align::Left)]);
        bare.row(["x".to_string()]);
        assert_eq!(bare.text(), "  x\n");
        bare.row(["a\u{1b}[2J\nb".to_string()]);
        assert_eq!(bare.text(), "  x\n  a\\u{1b}[2J\\nb\n");
    }
}
