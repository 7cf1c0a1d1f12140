//! A terminal as the place of a result: it shows what is written, and obeys none of it.
//!
//! Files and pipes get classes and columns by their exact names. Whoever looks at a terminal sees them with hidden characters
//! escaped.

use std::io::{self, IsTerminal, Result, Write};

use manyboost_data::visible_lines;

/// Where results go if not to a file.
pub fn stdout() -> Box<dyn Write + Send> {
    let stdout = io::stdout();
    if stdout.is_terminal() { Box::new(Terminal::new(stdout)) } else { Box::new(stdout) }
}

/// Writes lines so that a terminal shows them.
pub struct Terminal<W: Write> {
    to: W,
    /// The beginning of a line whose end is still to come: a character may be cut in two.
    begun: Vec<u8>,
}

impl<W: Write> Terminal<W> {
    pub fn new(to: W) -> Self {
        Self { to, begun: Vec::new() }
    }

    fn show(&mut self, bytes: usize) -> Result<()> {
        let shown = visible_lines(&String::from_utf8_lossy(&self.begun[..bytes]));
        self.begun.drain(..bytes);
        self.to.write_all(shown.as_bytes())
    }
}

impl<W: Write> Write for Terminal<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.begun.extend_from_slice(bytes);
        if let Some(end) = self.begun.iter().rposition(|&b| b == b'\n') {
            self.show(end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.show(self.begun.len())?;
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_shown_however_they_are_cut() {
        let text = "class\na\u{1b}[2J,é\u{202e}\n\u{9b}1m";
        for size in 1..text.len() {
            let mut terminal = Terminal::new(Vec::new());
            for part in text.as_bytes().chunks(size) {
                terminal.write_all(part).unwrap();
            }
            terminal.flush().unwrap();
            let shown = String::from_utf8(terminal.to).unwrap();
            assert_eq!(shown, "class\na\\u{1b}[2J,é\\u{202e}\n\\u{9b}1m");
        }
    }
}
