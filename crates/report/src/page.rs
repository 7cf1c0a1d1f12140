//! The page around everything: title, style, sections, and the scripts that draw its figures.

use manyboost_data::wording::visible_json;
use serde_json::{Map, Value};

use crate::escape::escape;

/// Nothing may be loaded; style and scripts are the page's own.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'";

const STYLE: &str = include_str!("page/page.css");

/// What figures share, a file for each kind of figure, and what draws all of them.
const SCRIPTS: [&str; 14] = [
    include_str!("page/core.js"),
    include_str!("page/lines.js"),
    include_str!("page/rounds.js"),
    include_str!("page/matrix.js"),
    include_str!("page/reliability.js"),
    include_str!("page/thresholds.js"),
    include_str!("page/regions.js"),
    include_str!("page/bars.js"),
    include_str!("page/columns.js"),
    include_str!("page/reasons.js"),
    include_str!("page/explorer.js"),
    include_str!("page/trees.js"),
    include_str!("page/shapes.js"),
    include_str!("page/start.js"),
];

/// A page under construction.
pub struct Page {
    title: String,
    lead: String,
    /// Links to the sections.
    contents: String,
    body: String,
    /// What figures show, by their number in the page.
    figures: Map<String, Value>,
}

impl Page {
    /// A page with a title and a line below it.
    pub fn new(title: &str, lead: &str) -> Self {
        let (contents, body) = (String::new(), String::new());
        Self { title: escape(title), lead: escape(lead), contents, body, figures: Map::new() }
    }

    /// Adds a section; `content` is HTML that this crate made.
    pub fn section(&mut self, id: &str, heading: &str, text: &str, content: &str) {
        let text = if text.is_empty() { String::new() } else { format!("<p>{}</p>\n", escape(text)) };
        let heading = escape(heading);
        self.contents.extend(["<a href=\"#", id, "\">", &heading, "</a>\n"]);
        let section = format!("<section id=\"{id}\">\n<h2>{heading}</h2>\n{text}{content}\n</section>\n");
        self.body.push_str(&section);
    }

    /// The place of a figure of some kind (one of those in `page/*.js`), and a few words for those who cannot see it.
    pub fn figure(&mut self, kind: &str, label: &str, data: Value) -> String {
        let number = format!("figure{}", self.figures.len() + 1);
        let label = escape(label);
        let place = format!(
            "<div class=\"figure\" id=\"{number}\" data-figure=\"{kind}\" aria-label=\"{label}\"></div>"
        );
        self.figures.insert(number, data);
        place
    }

    /// Adds a section of commands or other text in a fixed width.
    pub fn text(&mut self, id: &str, heading: &str, about: &str, text: &str) {
        self.section(id, heading, about, &format!("<pre>{}</pre>", escape(text)));
    }

    /// The page.
    pub fn html(&self) -> String {
        let Self { title, lead, contents, body, figures } = self;
        // Within a script, only "<" could end it.
        let data = visible_json(&Value::Object(figures.clone()).to_string()).replace('<', "\\u003c");
        let scripts = SCRIPTS.concat();
        let version = env!("CARGO_PKG_VERSION");
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
             <header><h1>{title}</h1>\n<p class=\"lead\">{lead}</p></header>\n\
             <nav aria-label=\"Contents\">{contents}</nav>\n\
             <noscript><p class=\"lead\">Figures need JavaScript, which is off; words and tables are all here.</p></noscript>\n\
             {body}<footer>manyboost {version}</footer>\n</main>\n<div id=\"tip\" role=\"status\" hidden></div>\n\
             <script type=\"application/json\" id=\"data\">{data}</script>\n\
             <script>\n(() => {{\n'use strict';\n{scripts}}})();\n</script>\n</body>\n</html>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_data_is_markup() {
        let mut page = Page::new("<b>", "</main>");
        let figure =
            page.figure("lines", "\"><img>", serde_json::json!({"name": "</script><script>alert(1)"}));
        page.section("s", "<h>", "<p>", &figure);
        let html = page.html();
        for markup in ["<b>", "<img>", "</script><script>alert", "<h>", "<p><p>"] {
            assert!(!html.contains(markup), "{markup}");
        }
        assert!(html.contains("\\u003c/script>\\u003cscript>alert(1)"));
    }

    #[test]
    fn nothing_is_asked_for() {
        let html = Page::new("a", "b").html();
        for word in ["src=", "@import", "url(", "fetch(", "innerHTML"] {
            assert!(!html.contains(word), "{word}");
        }
        // Namespaces are names, not addresses.
        assert_eq!(html.matches("http").count(), 1 + html.matches("http://www.w3.org/2000/svg").count());
    }
}
