//! The pieces of an ARFF file: names and values in either kind of quotes, attribute types, sparse items.

/// What an attribute holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// `numeric`, `real` or `integer`.
    Number,
    /// `{a, b, …}`: the declared values.
    Nominal(Vec<String>),
    /// `string`.
    Text,
    /// A type that is not read.
    Other(String),
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// Its text, without quotes and escapes.
    pub text: String,
    /// Whether it stood in quotes.
    pub quoted: bool,
}

/// Takes one value off the front: quoted, or up to one of `ends` with blanks around it trimmed.
///
/// `None` when a quote is not closed or something other than an end follows it.
pub(crate) fn value<'a>(text: &'a str, ends: &[char]) -> Option<(Value, &'a str)> {
    let text = text.trim_start();
    let Some(quote @ ('\'' | '"')) = text.chars().next() else {
        let end = text.find(ends).unwrap_or(text.len());
        let (value, rest) = text.split_at(end);
        return Some((Value { text: value.trim_end().to_owned(), quoted: false }, rest));
    };
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == quote {
            let rest = text.get(at + 1..)?;
            let ended =
                rest.trim_start().is_empty() || rest.trim_start().starts_with(ends) || rest.starts_with(ends);
            let rest = if rest.starts_with(ends) { rest } else { rest.trim_start() };
            return ended.then_some((Value { text: out, quoted: true }, rest));
        }
        out.push(if c == '\\' { unescaped(chars.next()?.1) } else { c });
    }
    None
}

fn unescaped(c: char) -> char {
    match c {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        other => other,
    }
}

/// The rest of an `@attribute` line: a name and a type.
pub(crate) fn attribute(text: &str) -> Option<(String, Type)> {
    let (name, rest) = value(text, &[' ', '\t', '{'])?;
    let rest = rest.trim();
    if name.text.is_empty() && !name.quoted {
        return None;
    }
    let kind = if let Some(values) = rest.strip_prefix('{') {
        Type::Nominal(nominal(values)?)
    } else {
        let word = rest.split_ascii_whitespace().next()?.to_ascii_lowercase();
        match word.as_str() {
            "numeric" | "real" | "integer" => Type::Number,
            "string" => Type::Text,
            _ => Type::Other(word),
        }
    };
    Some((name.text, kind))
}

fn nominal(mut text: &str) -> Option<Vec<String>> {
    let mut values = Vec::new();
    loop {
        let (item, rest) = value(text, &[',', '}'])?;
        values.push(item.text);
        match rest.strip_prefix(',') {
            Some(rest) => text = rest,
            None => return rest.strip_prefix('}').map(|_| values),
        }
    }
}

/// The values of a dense row.
pub(crate) fn dense(mut text: &str) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    loop {
        let (item, rest) = value(text, &[','])?;
        values.push(item);
        match rest.strip_prefix(',') {
            Some(rest) => text = rest,
            None => return Some(values),
        }
    }
}

/// The items of a sparse row, after its opening brace: `index value`, indices from 0 and ascending.
pub(crate) fn sparse(text: &str) -> Option<Vec<(usize, Value)>> {
    let mut items: Vec<(usize, Value)> = Vec::new();
    let mut text = text.trim();
    if text.strip_prefix('}').is_some_and(str::is_empty) {
        return Some(items);
    }
    loop {
        text = text.trim_start();
        let (index, rest) = text.split_once([' ', '\t'])?;
        let index: usize = index.parse().ok()?;
        if items.last().is_some_and(|(last, _)| *last >= index) {
            return None;
        }
        let (item, rest) = value(rest, &[',', '}'])?;
        items.push((index, item));
        match rest.strip_prefix(',') {
            Some(rest) => text = rest,
            None => return rest.strip_prefix('}').filter(|r| r.trim().is_empty()).map(|_| items),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Option<Vec<String>> {
        Some(dense(line)?.into_iter().map(|v| v.text).collect())
    }

    #[test]
    fn attributes() {
        let nominal = |values: &[&str]| Type::Nominal(values.iter().map(|v| (*v).to_owned()).collect());
        assert_eq!(attribute(" x numeric"), Some(("x".into(), Type::Number)));
        assert_eq!(attribute("\t'a b'\tREAL % note"), Some(("a b".into(), Type::Number)));
        assert_eq!(
            attribute("c {red, 'dark blue',\"x\"}"),
            Some(("c".into(), nominal(&["red", "dark blue", "x"])))
        );
        assert_eq!(attribute("c{a}"), Some(("c".into(), nominal(&["a"]))));
        assert_eq!(attribute("when date 'yyyy'"), Some(("when".into(), Type::Other("date".into()))));
        for bad in ["", "x", "x {a", "'x numeric"] {
            assert_eq!(attribute(bad), None, "{bad}");
        }
    }

    #[test]
    fn rows() {
        assert_eq!(
            texts(r"1, 'it\'s', ?,"),
            Some(vec!["1".into(), "it's".into(), "?".into(), String::new()])
        );
        assert_eq!(texts("'open"), None);
        assert_eq!(texts("'a'b,c"), None);
        let items = sparse("1 X, 3 'a, b'}").unwrap();
        assert_eq!(
            items.iter().map(|(i, v)| (*i, v.text.as_str())).collect::<Vec<_>>(),
            [(1, "X"), (3, "a, b")]
        );
        assert_eq!(sparse("}"), Some(vec![]));
        for bad in ["1 X", "x 1}", "3 1, 3 2}", "3 1, 1 2}", "1}", "1 2} 3"] {
            assert_eq!(sparse(bad), None, "{bad}");
        }
    }
}
