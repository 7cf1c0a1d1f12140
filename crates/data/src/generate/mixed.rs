//! Every kind of column at once: numbers, categories and text that each tell a part of the class, with values missing.

use super::random::Random;
use super::tables;
use crate::schema::role::Kind;
use crate::table::{Column, Table, Words};

/// Share of values that are missing.
const MISSING: f64 = 0.05;

/// Share of categories and words that tell the class; the others are drawn at random.
const TELLING: f64 = 0.6;

const COLOURS: [&str; 8] = ["red", "green", "blue", "yellow", "white", "black", "grey", "brown"];

const WORDS: [&str; 24] = [
    "river", "stone", "cloud", "light", "north", "south", "winter", "summer", "table", "window", "garden",
    "street", "morning", "evening", "letter", "number", "paper", "music", "bread", "water", "silver",
    "copper", "iron", "gold",
];

/// Rows of `classes` classes: four numbers, a category, a text of eight words.
pub fn mixed(rows: usize, classes: usize, seed: u64) -> Table {
    let classes = classes.max(1);
    let mut random = Random::new(seed, 6);
    let of: Vec<u32> = (0..rows).map(|_| random.below(classes) as u32).collect();
    let mut columns: Vec<Column> = (0..4).map(|at| number(at, &of, classes, seed)).collect();
    columns.push(colour(&of, seed));
    columns.push(text(&of, classes, seed));
    let names = (1..=classes).map(|class| format!("kind {class}")).collect();
    tables::table("mixed", columns, of, names)
}

/// A number around the class's place on a circle, seen from one of four sides.
fn number(at: usize, of: &[u32], classes: usize, seed: u64) -> Column {
    let mut random = Random::new(seed, 10 + at as u64);
    let turn = std::f64::consts::TAU / classes as f64;
    let value = |&class: &u32| {
        let place = 2.0 * libm::sin(turn * f64::from(class) + at as f64);
        let value = place + random.normal();
        if random.uniform() < MISSING { f64::NAN } else { value }
    };
    tables::number(format!("x{}", at + 1), of.iter().map(value).collect())
}

fn colour(of: &[u32], seed: u64) -> Column {
    let mut random = Random::new(seed, 20);
    let code = |&class: &u32| {
        let telling = random.uniform() < TELLING;
        let any = random.below(COLOURS.len()) as u32;
        let code = if telling { class % COLOURS.len() as u32 } else { any };
        if random.uniform() < MISSING { Words::MISSING } else { code }
    };
    let codes = of.iter().map(code).collect();
    tables::worded("colour", Kind::Category, tables::words(codes, COLOURS.map(String::from).to_vec()))
}

fn text(of: &[u32], classes: usize, seed: u64) -> Column {
    let mut random = Random::new(seed, 21);
    let (mut words, mut known) = (Words::default(), std::collections::HashMap::new());
    for &class in of {
        let word = |random: &mut Random| {
            let any = random.below(WORDS.len());
            // Words fall to the classes in turn; a telling word is one of the class's own.
            let own = (any / classes * classes + class as usize) % WORDS.len();
            WORDS[if random.uniform() < TELLING / 4.0 { own } else { any }]
        };
        let text: Vec<&str> = (0..8).map(|_| word(&mut random)).collect();
        let text = text.join(" ");
        let missing = random.uniform() < MISSING;
        let code = *known.entry(text).or_insert_with_key(|text| {
            words.dictionary.push(text.as_str().into());
            words.dictionary.len() as u32 - 1
        });
        words.codes.push(if missing { Words::MISSING } else { code });
    }
    tables::worded("text", Kind::Text, words)
}
