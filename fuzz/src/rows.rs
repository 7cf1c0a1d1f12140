//! Tables drawn from bytes. They are kept row by row, so that rows can come in another order, or twice, as another file would
//! have them: dictionaries and types of numbers are those of the rows that are there.

use manyboost_data::{Column, Kind, Numbers, Role, Table, Values, Words};
use manyboost_kernel::Seed;

use crate::Draw;

/// Numbers at the ends of what there is.
const EXTREME: [f64; 16] = [
    0.0,
    -0.0,
    5e-324,
    -5e-324,
    f64::MIN_POSITIVE,
    1.0,
    1.0 + f64::EPSILON,
    1.0 - f64::EPSILON / 2.0,
    -1.0,
    1e308,
    -1e308,
    f64::MAX,
    f64::MIN,
    1e-300,
    0.1,
    1e15,
];

const WORDS: [&str; 8] = ["a", "b", "foo", "bar", "Baz", "ü", "x1", "the"];

const NAMES: [[&str; 6]; 3] = [
    ["a", "b", "c", "d", "e", "f"],
    ["1", "10", "2", "-3", "0", "4.5"],
    ["ä", "<b>", " a", "a", "a,b", "\"q\""],
];

/// What the numbers of a column are like.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// A few whole numbers.
    Few,
    /// Whole numbers.
    Whole,
    /// Eighths.
    Eighths,
    /// The ends of what there is.
    Extreme,
    /// Any number.
    Any,
    /// Always the same.
    Constant,
    /// Zero in most rows, and kept so.
    Sparse,
}

/// A column, before it has rows.
#[derive(Clone, Debug)]
struct Spec {
    kind: Kind,
    form: Form,
    /// Levels of a category.
    levels: usize,
    /// Whether values are missing now and then.
    gaps: bool,
}

/// What answers are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// One of so many classes.
    Classes(usize),
    /// Some of so many labels.
    Labels(usize),
}

/// Columns and answers, before there are rows.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    specs: Vec<Spec>,
    question: Question,
    names: usize,
    /// Whether answers follow from the first column.
    learnable: bool,
}

/// The values of a column.
#[derive(Clone, Debug)]
enum Cells {
    Numbers(Vec<f64>),
    Words(Vec<Option<String>>),
}

/// Rows.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    plan: Plan,
    columns: Vec<Cells>,
    /// For each row its class, or its labels as bits.
    answers: Vec<usize>,
}

impl Plan {
    pub(crate) fn draw(draw: &mut Draw<'_>, question: Question, numbers_only: bool) -> Self {
        let spec = |draw: &mut Draw<'_>| {
            let kind = if numbers_only {
                Kind::Number
            } else {
                draw.of(&[Kind::Number, Kind::Number, Kind::Category, Kind::Text])
            };
            let forms = [
                Form::Few,
                Form::Whole,
                Form::Eighths,
                Form::Extreme,
                Form::Any,
                Form::Constant,
                Form::Sparse,
            ];
            Spec { kind, form: draw.of(&forms), levels: draw.within(1..=8), gaps: draw.one_in(3) }
        };
        let columns = draw.within(1..=4);
        let specs = (0..columns).map(|_| spec(draw)).collect();
        Self { specs, question, names: draw.below(NAMES.len()), learnable: !draw.one_in(3) }
    }

    /// The names of classes.
    pub(crate) fn classes(&self) -> Vec<&'static str> {
        match self.question {
            Question::Classes(k) => NAMES[self.names].into_iter().take(k).collect(),
            Question::Labels(_) => Vec::new(),
        }
    }

    pub(crate) fn rows(&self, draw: &mut Draw<'_>, rows: usize) -> Rows {
        let columns: Vec<Cells> = self.specs.iter().map(|spec| spec.cells(draw, rows)).collect();
        let most = match self.question {
            Question::Classes(k) => k,
            Question::Labels(labels) => 1 << labels,
        };
        let answer = |draw: &mut Draw<'_>, row: usize| {
            let own = draw.byte();
            match columns.first() {
                Some(first) if self.learnable && own < 224 => (first.hash(row) >> 32) as usize % most,
                _ => usize::from(own) % most,
            }
        };
        let answers = (0..rows).map(|row| answer(draw, row)).collect();
        Rows { plan: self.clone(), columns, answers }
    }
}

impl Spec {
    fn cells(&self, draw: &mut Draw<'_>, rows: usize) -> Cells {
        let gap = |draw: &mut Draw<'_>| self.gaps && draw.one_in(5);
        match self.kind {
            Kind::Number | Kind::Time(_) => {
                let cell = |draw: &mut Draw<'_>| if gap(draw) { f64::NAN } else { self.number(draw) };
                Cells::Numbers((0..rows).map(|_| cell(draw)).collect())
            }
            Kind::Category => {
                let cell = |draw: &mut Draw<'_>| (!gap(draw)).then(|| draw.below(self.levels));
                let name = |level: usize| WORDS[level % WORDS.len()].to_string();
                Cells::Words((0..rows).map(|_| cell(draw).map(name)).collect())
            }
            Kind::Text => {
                let text = |draw: &mut Draw<'_>| {
                    let words = draw.within(1..=4);
                    (0..words).map(|_| draw.of(&WORDS)).collect::<Vec<_>>().join(" ")
                };
                let cell = |draw: &mut Draw<'_>| (!gap(draw)).then(|| text(draw));
                Cells::Words((0..rows).map(|_| cell(draw)).collect())
            }
        }
    }

    fn number(&self, draw: &mut Draw<'_>) -> f64 {
        let byte = draw.byte();
        match self.form {
            Form::Few => f64::from(byte % 4),
            Form::Whole => f64::from(byte) - 100.0,
            Form::Eighths => f64::from(byte) / 8.0 - 10.0,
            Form::Extreme => EXTREME[usize::from(byte) % EXTREME.len()],
            Form::Any => {
                let any = f64::from_bits(Seed::new(u64::from(byte)).bits());
                if any.is_finite() { any } else { f64::from(byte) }
            }
            Form::Constant => 3.0,
            Form::Sparse => f64::from(if byte < 192 { 0 } else { byte }),
        }
    }
}

impl Cells {
    /// A number that equal values share.
    fn hash(&self, row: usize) -> u64 {
        match self {
            Self::Numbers(values) => Seed::new((values[row] + 0.0).to_bits()).bits(),
            Self::Words(values) => {
                let bytes = values[row].iter().flat_map(|text| text.bytes());
                bytes.fold(Seed::new(1), |seed, byte| seed.part(u64::from(byte))).bits()
            }
        }
    }
}

impl Rows {
    pub(crate) fn len(&self) -> usize {
        self.answers.len()
    }

    /// A file of these rows, in this order, with these weights.
    pub(crate) fn table(&self, rows: &[u32], weights: Option<&[f64]>) -> Table {
        let mut columns: Vec<Column> = Vec::new();
        for (at, (spec, cells)) in self.plan.specs.iter().zip(&self.columns).enumerate() {
            let values = match cells {
                Cells::Numbers(values) => {
                    let values: Vec<f64> = rows.iter().map(|&row| values[row as usize]).collect();
                    if spec.form == Form::Sparse { sparse(&values) } else { Values::Numbers(narrow(&values)) }
                }
                Cells::Words(values) => {
                    Values::Words(words(rows.iter().map(|&row| values[row as usize].as_deref())))
                }
            };
            let role = Role::Feature(Some(spec.kind));
            columns.push(Column { name: format!("x{at}"), role, values });
        }
        columns.extend(self.answer_columns(rows));
        if let Some(weights) = weights {
            let values = Values::Numbers(Numbers::F64(weights.to_vec()));
            columns.push(Column { name: "weight".into(), role: Role::Weight, values });
        }
        Table { source: "drawn".into(), columns, rows: rows.len(), notes: Vec::new() }
    }

    fn answer_columns(&self, rows: &[u32]) -> Vec<Column> {
        let answers = rows.iter().map(|&row| self.answers[row as usize]);
        match self.plan.question {
            Question::Classes(_) => {
                let names = NAMES[self.plan.names];
                let values = Values::Words(words(answers.map(|class| Some(names[class]))));
                vec![Column { name: "class".into(), role: Role::Target, values }]
            }
            Question::Labels(labels) => {
                let label = |label: usize| {
                    let has: Vec<i8> = answers.clone().map(|bits| (bits >> label & 1) as i8).collect();
                    let values = Values::Numbers(Numbers::I8(has));
                    Column { name: format!("label:{label}"), role: Role::Label, values }
                };
                (0..labels).map(label).collect()
            }
        }
    }
}

/// Texts as a reader keeps them: each once, in order of first appearance.
fn words<'a>(texts: impl Iterator<Item = Option<&'a str>>) -> Words {
    let mut words = Words::default();
    for text in texts {
        let code = text.map_or(Words::MISSING, |text| {
            let known = words.dictionary.iter().position(|known| **known == *text);
            known.unwrap_or_else(|| {
                words.dictionary.push(text.into());
                words.dictionary.len() - 1
            }) as u32
        });
        words.codes.push(code);
    }
    words
}

fn sparse(values: &[f64]) -> Values {
    let there = values.iter().enumerate().filter(|(_, value)| **value != 0.0);
    Values::SparseNumbers(there.map(|(row, &value)| (row as u32, value)).collect())
}

/// Numbers as a reader keeps them: in the narrowest type that holds them.
fn narrow(values: &[f64]) -> Numbers {
    let whole = |most: f64| values.iter().all(|v| v.is_nan() || (v.fract() == 0.0 && v.abs() <= most));
    if whole(127.0) {
        Numbers::I8(values.iter().map(|v| if v.is_nan() { i8::MIN } else { *v as i8 }).collect())
    } else if whole(32767.0) {
        Numbers::I16(values.iter().map(|v| if v.is_nan() { i16::MIN } else { *v as i16 }).collect())
    } else if values.iter().all(|v| v.is_nan() || f64::from(*v as f32) == *v) {
        Numbers::F32(values.iter().map(|v| *v as f32).collect())
    } else {
        Numbers::F64(values.to_vec())
    }
}
