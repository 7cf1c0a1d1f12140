//! What the first rows of a delimited text say of its columns: of which kind they are, and how their numbers are dressed.

use crate::read::csv::fields::{Fields, Syntax};
use crate::read::csv::undress::{Dressing, Habits, Wardrobe};
use crate::read::infer::Sample;
use crate::read::number::Tokens;
use crate::read::roles::Columns;
use crate::schema::dialect::Dialect;
use crate::schema::role::{Clock, Kind, Role};
use crate::time::Seen;
use crate::wording;

/// The first rows, column by column.
pub(crate) struct Look<'a> {
    samples: Vec<Sample<'a>>,
    habits: Habits,
    /// Of columns that are not plain numbers, and of all where commas may be decimal.
    wardrobes: Vec<Option<Wardrobe>>,
    /// What comes first in dates, if somebody said it.
    dates: Option<Clock>,
}

impl<'a> Look<'a> {
    /// Looks at the first rows of a block.
    pub(crate) fn at(
        bytes: &'a [u8],
        syntax: Syntax,
        columns: usize,
        rows: usize,
        missing: &Tokens,
        dialect: &Dialect,
    ) -> Self {
        let given = dialect.decimal;
        let samples = sample(bytes, syntax, columns, rows, missing);
        let wardrobe = |sample: &Sample<'_>| Wardrobe::of(sample.distinct());
        let mut wardrobes: Vec<Option<Wardrobe>> =
            samples.iter().map(|sample| (!sample.plain()).then(|| wardrobe(sample))).collect();
        let mut habits = Habits { given, delimiter: syntax.delimiter, ..Habits::default() };
        if given.is_some() || wardrobes.iter().flatten().any(Wardrobe::has_commas) {
            for (own, sample) in wardrobes.iter_mut().zip(&samples) {
                own.get_or_insert_with(|| wardrobe(sample));
            }
            wardrobes.iter().flatten().for_each(|own| habits.learn(own));
        }
        Self { samples, habits, wardrobes, dates: dialect.dates }
    }

    /// How the numbers of a column are dressed, if they are. `wanted` says that it has to be one of numbers.
    fn dressing(&self, column: usize, wanted: bool) -> Option<Dressing> {
        self.wardrobes.get(column)?.as_ref()?.dressing(self.habits, wanted)
    }

    /// The kind of a column of which nobody said it.
    pub(crate) fn kind(&self, column: usize) -> Option<Kind> {
        let sample = self.samples.get(column)?;
        let kind = sample.kind();
        if kind != Kind::Number
            && let Some(clock) = Seen::of(sample.distinct()).clock(self.dates)
        {
            return Some(Kind::Time(clock));
        }
        let dressed = |dressing: Dressing| dressing != Dressing::NONE;
        let number = kind == Kind::Category && self.dressing(column, false).is_some_and(dressed);
        Some(if number { Kind::Number } else { kind })
    }

    /// Tells columns of numbers how these are dressed; what the user should know of it.
    pub(crate) fn dress(&self, columns: &mut Columns) -> Option<String> {
        let mut seen: Vec<(Dressing, Vec<String>)> = Vec::new();
        for column in 0..columns.len() {
            let number = matches!(columns.role(column), Role::Feature(Some(Kind::Number)) | Role::Weight);
            let Some(dressing) = number.then(|| self.dressing(column, true)).flatten() else { continue };
            columns.dress(column, dressing);
            let own = self.wardrobes.get(column).and_then(Option::as_ref).map(|own| own.seen(dressing));
            let Some(own) = own.filter(|own| *own != Dressing::NONE) else { continue };
            let name = columns.name(column).to_owned();
            match seen.iter_mut().find(|(other, _)| *other == own) {
                Some((_, names)) => names.push(name),
                None => seen.push((own, vec![name])),
            }
        }
        let said = |(dressing, names): &(Dressing, Vec<String>)| {
            format!("{} in {}", dressing.words(), wording::names(names))
        };
        (!seen.is_empty())
            .then(|| format!("numbers: {}", seen.iter().map(said).collect::<Vec<_>>().join("; ")))
    }
}

/// The values of the first rows.
fn sample<'a>(
    bytes: &'a [u8],
    syntax: Syntax,
    columns: usize,
    rows: usize,
    missing: &Tokens,
) -> Vec<Sample<'a>> {
    let mut samples: Vec<Sample> = (0..columns).map(|_| Sample::default()).collect();
    let mut fields = Fields::new(bytes, syntax);
    let mut row = 0;
    while row < rows && fields.record() {
        let mut column = 0;
        // Faulty records are reported when they are read.
        while let Ok(field) = fields.next() {
            if let Some(sample) = samples.get_mut(column) {
                sample.look(field.text(), missing);
            }
            if field.last {
                break;
            }
            column += 1;
        }
        row += 1;
    }
    samples
}
