//! Files as people have them: each trains to the model of its plain twin, to the byte, and is predicted like it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::common::{fine, run, shell};

/// How a table is written.
struct Style {
    name: &'static str,
    file: &'static str,
    delimiter: &'static str,
    point: char,
    group: &'static str,
    /// What stands before and behind a price, and behind a weight and a share.
    price: [&'static str; 2],
    mass: &'static str,
    share: &'static str,
    quote: char,
    missing: &'static str,
    end: &'static str,
    header: bool,
    encode: fn(&str) -> Vec<u8>,
    options: &'static str,
    /// What a note must say.
    said: &'static [&'static str],
}

fn utf8(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|c| if c == '€' { 0x80 } else { u8::try_from(u32::from(c)).expect("Latin") }).collect()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn utf16_marked(text: &str) -> Vec<u8> {
    format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect()
}

fn marked(text: &str) -> Vec<u8> {
    format!("\u{feff}{text}").into_bytes()
}

fn cyrillic(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(0xE0 + (u32::from(c) % 32) as u8)).collect()
}

const PLAIN: Style = Style {
    name: "plain",
    file: "d.csv",
    delimiter: ",",
    point: '.',
    group: "",
    price: ["", ""],
    mass: "",
    share: "",
    quote: '"',
    missing: "",
    end: "\n",
    header: true,
    encode: utf8,
    options: "",
    said: &[],
};

const EUROPEAN: Style =
    Style { delimiter: ";", point: ',', said: &["parted by ';'", "decimal commas"], ..PLAIN };

const STYLES: &[Style] = &[
    Style { name: "European", ..EUROPEAN },
    Style {
        name: "European, thousands",
        group: ".",
        said: &["thousands separators '.'", "decimal commas"],
        ..EUROPEAN
    },
    Style {
        name: "European, from Windows",
        encode: latin,
        end: "\r\n",
        said: &["windows-1252", "';'"],
        ..EUROPEAN
    },
    Style {
        name: "European, euros behind",
        price: ["", " €"],
        group: ".",
        said: &["'€' and thousands separators '.'"],
        ..EUROPEAN
    },
    Style {
        name: "European, euros from Windows",
        price: ["", " €"],
        encode: latin,
        said: &["'€' taken off"],
        ..EUROPEAN
    },
    Style { name: "European, per cent", share: " %", said: &["'%' taken off"], ..EUROPEAN },
    Style { name: "European, UTF-16", encode: utf16_marked, said: &["UTF-16BE", "';'"], ..EUROPEAN },
    Style {
        name: "European, tabs",
        delimiter: "\t",
        said: &["parted by tabs", "decimal commas"],
        ..EUROPEAN
    },
    Style {
        name: "European, said",
        options: "--delimiter ; --decimal comma",
        said: &["decimal commas"],
        ..EUROPEAN
    },
    Style {
        name: "French",
        group: "\u{202f}",
        price: ["", "\u{a0}€"],
        said: &["'€' and thousands separators ' '"],
        ..EUROPEAN
    },
    Style {
        name: "Swedish",
        group: " ",
        price: ["", " kr"],
        mass: " kg",
        encode: latin,
        said: &["'kr'", "'kg'"],
        ..EUROPEAN
    },
    Style {
        name: "Swiss",
        delimiter: ";",
        group: "’",
        price: ["CHF ", ""],
        said: &["'CHF' and thousands separators"],
        ..PLAIN
    },
    Style { name: "commas in quotes", point: ',', said: &["decimal commas"], ..PLAIN },
    Style {
        name: "American",
        group: ",",
        price: ["$", ""],
        said: &["'$' and thousands separators ','"],
        ..PLAIN
    },
    Style { name: "American, per cent", share: "%", said: &["'%' taken off in \"share\""], ..PLAIN },
    Style {
        name: "codes of currencies",
        price: ["USD ", ""],
        said: &["'USD' taken off in \"price\""],
        ..PLAIN
    },
    Style { name: "currencies behind", price: ["", "EUR"], said: &["'EUR' taken off"], ..PLAIN },
    Style { name: "units", mass: " kg", said: &["'kg' taken off in \"mass\""], ..PLAIN },
    Style { name: "units, thousands", mass: "kg", group: ",", said: &["thousands separators ','"], ..PLAIN },
    Style { name: "underscores", group: "_", said: &["thousands separators '_'"], ..PLAIN },
    Style { name: "pipes", delimiter: "|", said: &["parted by '|'"], ..PLAIN },
    Style { name: "tabs in a .csv", delimiter: "\t", said: &["parted by tabs"], ..PLAIN },
    Style { name: "semicolons", delimiter: ";", said: &["parted by ';'"], ..PLAIN },
    Style { name: "commas in a .tsv", file: "d.tsv", said: &["parted by ','"], ..PLAIN },
    Style { name: "a .tsv", file: "d.tsv", delimiter: "\t", ..PLAIN },
    Style { name: "Latin-1", encode: latin, said: &["windows-1252"], ..PLAIN },
    Style { name: "Latin-1, said", encode: latin, options: "--encoding latin1", ..PLAIN },
    Style { name: "UTF-16 without a mark", encode: utf16, said: &["UTF-16LE"], ..PLAIN },
    Style {
        name: "UTF-16, tabs, from Excel",
        encode: utf16_marked,
        delimiter: "\t",
        end: "\r\n",
        said: &["UTF-16BE", "tabs"],
        ..PLAIN
    },
    Style { name: "a mark of UTF-8", encode: marked, ..PLAIN },
    Style {
        name: "single quotes",
        quote: '\'',
        point: ',',
        options: "--quote '",
        said: &["decimal commas"],
        ..PLAIN
    },
    Style { name: "no quotes", delimiter: ";", options: "--quote none", said: &["parted by ';'"], ..PLAIN },
    Style { name: "colons", delimiter: ":", options: "--delimiter :", ..PLAIN },
    Style { name: "spaces", delimiter: " ", options: "--delimiter space --missing -", missing: "-", ..PLAIN },
    Style { name: "own words for missing", missing: "k.A.", options: "--missing k.A.,unbekannt", ..PLAIN },
    Style { name: "numbers for missing", missing: "-999", options: "--missing -999", ..PLAIN },
    Style {
        name: "European, numbers for missing",
        missing: "-999",
        options: "--missing -999 --decimal comma",
        ..EUROPEAN
    },
];

impl Style {
    /// A whole number of hundredths.
    fn number(&self, hundredths: i64) -> String {
        let digits = (hundredths / 100).to_string();
        let mut whole = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                whole.push_str(self.group);
            }
            whole.push(digit);
        }
        format!("{whole}{}{:02}", self.point, hundredths % 100)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |cells: &[String]| {
            let quoted = cells.iter().map(|cell| {
                if cell.contains(self.delimiter) { format!("{0}{cell}{0}", self.quote) } else { cell.clone() }
            });
            write!(text, "{}{}", quoted.collect::<Vec<_>>().join(self.delimiter), self.end).expect("text");
        };
        if self.header {
            line(&["price", "mass", "share", "city", "class"].map(String::from));
        }
        for i in 0..72_i64 {
            let price =
                format!("{}{}{}", self.price[0], self.number(i * i * 9973 % 3_000_000 + 5), self.price[1]);
            let mass = format!("{}{}", self.number(i * 7919 % 400_000 + 25), self.mass);
            let share = format!("{}{}", self.number(i * 37 % 101 * 100), self.share);
            let city = ["Köln", "Malmö", "Besançon"][(i / 2 % 3) as usize].to_string();
            let mut cells = [price, mass, share, city, ["ja", "nein", "weiß"][(i % 3) as usize].to_string()];
            if i % 9 == 4 {
                cells[(i % 4) as usize] = self.missing.to_string();
            }
            line(&cells);
        }
        text
    }

    fn write(&self, folder: &Path) {
        fs::write(folder.join(self.file), (self.encode)(&self.text())).expect("a file");
    }
}

/// What comes of a style: the model, and the answers for its own file.
fn trained(style: &Style) -> (Vec<u8>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    style.write(folder.path());
    let Style { name, file, options, .. } = style;
    let done = fine(folder.path(), &format!("train {file} --out m.pb --rounds 4 --leaves 5 {options}"));
    for words in style.said {
        assert!(done.stderr.contains(words), "{name}: {words:?} is not in: {}", done.stderr);
    }
    if style.said.is_empty() {
        assert!(!done.stderr.contains("note: d."), "{name}: {}", done.stderr);
    }
    let answers = fine(folder.path(), &format!("predict m.pb {file} --proba {options}")).stdout;
    (fs::read(folder.path().join("m.pb")).expect("a model"), answers)
}

#[test]
fn every_file_is_its_plain_twin() {
    let plain = trained(&PLAIN);
    for style in STYLES {
        let own = trained(style);
        assert!(own.0 == plain.0, "{}: another model", style.name);
        assert_eq!(own.1, plain.1, "{}", style.name);
    }
}

#[test]
fn files_without_names_have_names() {
    let plain = PLAIN.text().replace("price,mass,share,city,class", "x1,x2,x3,x4,x5");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("d.csv"), plain).expect("a file");
    fine(folder.path(), "train d.csv --out m.pb --rounds 4");
    for style in [PLAIN, EUROPEAN] {
        Style { header: false, ..style }.write(folder.path());
        fine(folder.path(), "train d.csv --out own.pb --rounds 4 --no-header");
        assert!(fs::read(folder.path().join("m.pb")).ok() == fs::read(folder.path().join("own.pb")).ok());
        fine(folder.path(), "evaluate own.pb d.csv --no-header");
    }
    // Without the option, what to do is said.
    Style { header: false, ..PLAIN }.write(folder.path());
    let done = run(folder.path(), "train d.csv --out own.pb --rounds 4");
    assert!(done.stderr.contains("--no-header"), "{}", done.stderr);
}

#[test]
fn a_model_reads_files_of_any_style() {
    let folder = tempfile::tempdir().expect("a folder");
    PLAIN.write(folder.path());
    fine(folder.path(), "train d.csv --out m.pb --rounds 4");
    let plain = fine(folder.path(), "evaluate m.pb d.csv --json").stdout;
    for style in STYLES.iter().filter(|style| style.options.is_empty()) {
        style.write(folder.path());
        assert_eq!(
            fine(folder.path(), &format!("evaluate m.pb {} --json", style.file)).stdout,
            plain,
            "{}",
            style.name
        );
    }
}

#[test]
fn what_is_not_sure_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |bytes: Vec<u8>, options: &str, words: &[&str]| {
        fs::write(folder.path().join("d.csv"), bytes).expect("a file");
        let done = run(folder.path(), &format!("train d.csv --out m.pb --rounds 2 {options}"));
        assert_eq!(done.status, Some(2), "{}", done.stderr);
        for words in words {
            assert!(done.stderr.contains(words), "{words:?} is not in: {}", done.stderr);
        }
    };
    let text = PLAIN.text();
    refused(
        cyrillic(&text.replace("Malmö", "Привет Мир Москва ещё раз дальше")),
        "",
        &["--encoding", "line"],
    );
    refused(utf8(&text), "--encoding klingon", &["klingon", "--encoding"]);
    refused(utf8(&text), "--delimiter ab", &["--delimiter ab"]);
    refused(utf8(&text), "--decimal x", &["--decimal x"]);
    refused(utf16(&text)[..301].to_vec(), "", &["offset 300", "UTF-16LE"]);
    // A dollar among euros, on its line.
    let euros = Style { price: ["", " €"], ..EUROPEAN }.text();
    fs::write(folder.path().join("d.csv"), &euros).expect("a file");
    fine(folder.path(), "train d.csv --out m.pb --rounds 2");
    fs::write(folder.path().join("d.csv"), euros.replacen("€", "$", 1)).expect("a file");
    let done = run(folder.path(), "predict m.pb d.csv");
    assert_eq!(done.status, Some(2), "{}", done.stderr);
    assert!(done.stderr.contains("\"price\"") || done.stderr.contains("'price'"), "{}", done.stderr);
}

#[test]
fn every_command_reads_stdin() {
    let folder = tempfile::tempdir().expect("a folder");
    EUROPEAN.write(folder.path());
    for command in [
        "train - --out m.pb --rounds 3",
        "predict m.pb -",
        "evaluate m.pb -",
        "inspect m.pb --data -",
        "explain m.pb - --rows 1",
        "effects m.pb - --feature price",
        "importance m.pb - --repeats 1",
        "why-not m.pb - --rows 1",
        "similar m.pb - --among d.csv --rows 1",
        "export m.pb --out m.onnx --check -",
        "report m.pb --data - --out r.html",
        "cv - --rounds 2 --folds 2",
        "compare - --boosters mm,samme --rounds 2 --report c.html",
        "certify -",
    ] {
        let done = shell(folder.path(), &format!("manyboost {command} < d.csv"));
        assert_eq!(done.status, Some(0), "{command}: {}", done.stderr);
        assert!(done.stderr.contains("<stdin>: fields are parted by ';'"), "{command}: {}", done.stderr);
    }
}

#[test]
fn a_folder_trains_to_the_model_of_its_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = trained(&PLAIN);
    let text = PLAIN.text();
    let lines: Vec<&str> = text.lines().collect();
    fs::create_dir(folder.path().join("parts")).expect("a folder");
    for (at, rows) in lines[1..].chunks(30).enumerate() {
        let part = format!("{}\n{}\n", lines[0], rows.join("\n"));
        fs::write(folder.path().join(format!("parts/part-{at}.csv")), part).expect("a file");
    }
    fine(folder.path(), "train parts --out m.pb --rounds 4 --leaves 5");
    assert!(fs::read(folder.path().join("m.pb")).expect("a model") == plain.0);
    assert_eq!(fine(folder.path(), "predict m.pb parts/ --proba").stdout, plain.1);
}
