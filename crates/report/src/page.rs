//! The page around everything: title, style, sections.

use crate::escape::escape;

/// Nothing may be loaded or run; the style is the page's own.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1c2230;--soft:#5b6577;--line:#dfe3ea;--paper:#fff;--back:#f5f6f9}
@media(prefers-color-scheme:dark){:root{--ink:#e7eaf0;--soft:#9aa4b5;--line:#343b49;--paper:#1b202a;--back:#12161d}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .4rem}h2{font-size:1.15rem;margin:0 0 .8rem}
.lead{color:var(--soft);margin:0 0 1.8rem}
section{background:var(--paper);border:1px solid var(--line);border-radius:.6rem;padding:1.25rem 1.4rem;margin:0 0 1.25rem}
section p{margin:.2rem 0 .8rem;color:var(--soft)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.45rem .7rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th{font-weight:600;color:var(--soft);font-size:.88rem}
th.left,td.left{text-align:left}
tbody tr:last-child td{border-bottom:0}
.best{font-weight:700}
svg{display:block;width:100%;height:auto}
svg text{fill:var(--soft);font:13px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
svg .name{fill:var(--ink);font-weight:600}
svg .grid{stroke:var(--line);stroke-width:1}svg .axis{stroke:var(--soft);stroke-width:1}
svg .curve{fill:none;stroke-width:2.2;stroke-linejoin:round}
pre{margin:0;overflow-x:auto;font:14px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
footer{color:var(--soft);font-size:.85rem}";

/// A page under construction.
pub struct Page {
    title: String,
    body: String,
}

impl Page {
    /// A page with a title and a line below it.
    pub fn new(title: &str, lead: &str) -> Self {
        let body = format!("<h1>{}</h1>\n<p class=\"lead\">{}</p>\n", escape(title), escape(lead));
        Self { title: title.to_string(), body }
    }

    /// Adds a section; `content` is HTML that this crate made.
    #[must_use]
    pub fn section(mut self, heading: &str, text: &str, content: &str) -> Self {
        let text = if text.is_empty() { String::new() } else { format!("<p>{}</p>\n", escape(text)) };
        let section = format!("<section>\n<h2>{}</h2>\n{text}{content}\n</section>\n", escape(heading));
        self.body.push_str(&section);
        self
    }

    /// Adds a section of commands or other text in a fixed width.
    #[must_use]
    pub fn text(self, heading: &str, text: &str) -> Self {
        self.section(heading, "", &format!("<pre>{}</pre>", escape(text)))
    }

    /// The page.
    pub fn html(&self, footer: &str) -> String {
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n<main>\n{}<footer>{}</footer>\n\
             </main>\n</body>\n</html>\n",
            escape(&self.title),
            self.body,
            escape(footer)
        )
    }
}
