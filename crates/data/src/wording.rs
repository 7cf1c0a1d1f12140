//! How names from data and model files are shown: in messages quoted, on one line, never longer than a line; anywhere without a
//! character that a terminal obeys instead of showing it; in commands as one word of a shell. And how things are counted.

use std::ffi::OsStr;
use std::fmt::{Display, Write};

/// Longest part of a name that a message shows, in characters.
const SHOWN: usize = 60;

/// Most names that a message lists.
const LISTED: usize = 5;

/// Least similarity (Jaro–Winkler) for a name to be suggested.
const SIMILAR: f64 = 0.7;

/// Whether a character moves the cursor, changes how others are shown or cannot be seen: controls, line and paragraph
/// separators, overrides of the direction of writing. Joiners of letters and of emoji are harmless.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Text on one line, with nothing in it that a terminal would obey.
pub fn visible(text: &str) -> String {
    escaped(text, |_| false)
}

/// The same for several lines: their ends stay, and tabs.
pub fn visible_lines(text: &str) -> String {
    escaped(text, |c| c == '\n' || c == '\t')
}

fn escaped(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) && !stays(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// A JSON document on one line or several, in which hidden characters are escaped: it stays the same document.
pub fn visible_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && is_hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// A word as a shell takes it: bare if it can be, in quotes else. What cannot be seen or is no text is written by its bytes,
/// `$'\033'`, which the shells of today read (bash, zsh, ksh, and by POSIX 2024 all others).
pub fn quoted(word: impl AsRef<OsStr>) -> String {
    let bytes = word.as_ref().as_encoded_bytes();
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"-_./,=:+@%".contains(b);
    match std::str::from_utf8(bytes) {
        // zsh looks a command up for what follows a first "=".
        Ok(text) if bytes.iter().all(plain) && !text.is_empty() && !text.starts_with('=') => text.to_string(),
        Ok(text) if !text.contains(is_hidden) => format!("'{}'", text.replace('\'', "'\\''")),
        _ => by_bytes(bytes),
    }
}

fn by_bytes(bytes: &[u8]) -> String {
    let mut out = "$'".to_string();
    let octal = |out: &mut String, bytes: &[u8]| {
        for b in bytes {
            let _ = write!(out, "\\{b:03o}");
        }
    };
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_hidden(c) {
                octal(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                out.extend((c == '\'' || c == '\\').then_some('\\'));
                out.push(c);
            }
        }
        octal(&mut out, chunk.invalid());
    }
    out + "'"
}

/// An option and its value as words of a shell. A value that looks like an option is tied to its own.
pub fn option(name: &str, value: &str) -> String {
    let apart = if value.starts_with('-') { '=' } else { ' ' };
    format!("{}{apart}{}", quoted(format!("--{name}")), quoted(value))
}

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

/// A whole number with its thousands apart: "1,234".
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// "1 row", "2,000 rows", "3 classes".
pub fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{} {}", grouped(number), plural(thing)) }
}

/// The plural of a noun that is counted.
fn plural(thing: &str) -> String {
    match thing {
        "leaf" => "leaves".into(),
        _ if thing.ends_with('s') => format!("{thing}es"),
        _ => format!("{thing}s"),
    }
}

/// The name that is most like another, if one is like it at all.
pub fn alike<'a>(wanted: &str, there: &[&'a str]) -> Option<&'a str> {
    let similar = |name: &&'a str| strsim::jaro_winkler(&wanted.to_lowercase(), &name.to_lowercase());
    let best = there.iter().max_by(|a, b| similar(a).total_cmp(&similar(b)))?;
    (similar(best) >= SIMILAR).then_some(best)
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
    fn things_are_counted() {
        assert_eq!([grouped(0), grouped(123), grouped(1_234_567)], ["0", "123", "1,234,567"]);
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(
            [count(1, "row"), count(2000, "row"), count(0, "label")],
            ["1 row", "2,000 rows", "0 labels"]
        );
        assert_eq!(
            [count(1, "class"), count(3, "class"), count(2, "leaf")],
            ["1 class", "3 classes", "2 leaves"]
        );
    }

    #[test]
    fn nothing_hidden_is_left() {
        assert_eq!(
            visible("a\u{1b}[2Jb\nc\u{202e}d\u{9b}1m\u{7f}"),
            r"a\u{1b}[2Jb\nc\u{202e}d\u{9b}1m\u{7f}"
        );
        assert_eq!(visible_lines("a\tb\nc\rd"), "a\tb\nc\\rd");
        for plain in ["é😀", "e\u{301}", "می\u{200c}خواهم", "日本 \\ \"'"] {
            assert_eq!(visible(plain), plain);
        }
    }

    #[cfg(unix)]
    #[test]
    fn words_stay_words_in_a_shell() {
        let words = [
            "plain-1.0/x,y",
            "",
            "8; touch x",
            "it's",
            "$(touch x)",
            "`touch x`",
            "a\nb",
            "\u{1b}[31m'\\",
            "=ls",
            "~",
            "*",
            "a b",
            "!!",
            "\u{202e}é",
            "-",
            "#",
            "a&b|c>d",
        ];
        let lines: Vec<String> =
            words.iter().map(|word| format!("printf '%s\\0' {}\n", quoted(word))).collect();
        let line = lines.concat();
        assert!(!line.replace('\n', "").contains(is_hidden), "{line}");
        let done = std::process::Command::new("bash").args(["--norc", "-c", &line]).output().expect("bash");
        let said: Vec<&[u8]> = done.stdout.split(|b| *b == 0).collect();
        let words: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).chain([&b""[..]]).collect();
        assert_eq!(said, words, "{line}");
        assert_eq!(option("target", "-x"), "--target=-x");
        assert_eq!(option("depth", "8; touch x"), "--depth '8; touch x'");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_text_is_quoted_by_its_bytes() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(quoted(OsStr::from_bytes(b"a\xffb")), r"$'a\377b'");
    }

    #[test]
    fn suggests_what_is_alike() {
        let there = ["sepal_width".to_string(), "Class".to_string(), "petal".to_string()];
        assert_eq!(nearest("class", &there), r#"did you mean "Class"?"#);
        assert!(nearest("zzz", &there).starts_with("there is "));
    }
}
