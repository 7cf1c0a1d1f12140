//! Numbers in ordinary dress, `1.234,56 €`, as numbers: what is around the digits is taken off where a whole column is so dressed.
//!
//! A [`Dressing`] says what may be around the digits of a column, and [`Dressing::number`] refuses everything else, so that no value of
//! another unit or with decimals in another place is taken for one of the column.

use crate::read::number::{self, Problem};
use crate::schema::dialect::Decimal;
use crate::table::dress::around;

/// What is around the digits of a column's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Dressing {
    /// Before decimals.
    pub comma: bool,
    /// Between groups of three digits.
    pub group: Option<char>,
    /// A currency, a unit or a per cent sign, before or behind the number.
    pub sign: Option<&'static str>,
}

/// What may stand between groups of three digits.
const GROUPS: [char; 5] = ['.', ',', '\'', ' ', '_'];

impl Dressing {
    /// Numbers as they are.
    pub(crate) const NONE: Self = Self { comma: false, group: None, sign: None };

    /// A field that is not missing as a finite number.
    pub(crate) fn number(self, field: &[u8]) -> Result<f64, Problem> {
        if self == Self::NONE {
            return number::parse(field);
        }
        let text = std::str::from_utf8(field).map_err(|_| Problem::Word)?.trim();
        let Some(worn) = Worn::of(text) else {
            return Err(number::parse(field).err().unwrap_or(Problem::Word));
        };
        if worn.sign.is_some() && worn.sign != self.sign {
            return Err(Problem::Word);
        }
        let bare = self.bare(worn.body).ok_or(Problem::Word)?;
        let value = number::parse(bare.as_bytes())?;
        Ok(if worn.minus && value != 0.0 { -value } else { value })
    }

    /// Digits as the parser of numbers wants them: without groups, with a point before decimals.
    fn bare(self, body: &str) -> Option<String> {
        let mark = if self.comma { ',' } else { '.' };
        let (whole, decimals) =
            body.split_once(mark).map_or((body, None), |(whole, rest)| (whole, Some(rest)));
        let mut bare = String::with_capacity(body.len());
        match self.group {
            Some(group) if whole.contains(|c: char| same_group(c, group)) => {
                for (at, digits) in whole.split(|c: char| same_group(c, group)).enumerate() {
                    let fine = if at == 0 {
                        (1..=3).contains(&digits.len()) && !digits.starts_with('0')
                    } else {
                        digits.len() == 3
                    };
                    if !fine || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                        return None;
                    }
                    bare.push_str(digits);
                }
            }
            _ if whole.contains(['.', ',']) => return None,
            _ => bare.push_str(whole),
        }
        if let Some(decimals) = decimals {
            if decimals.contains(['.', ',']) {
                return None;
            }
            bare.push('.');
            bare.push_str(decimals);
        }
        Some(bare)
    }

    /// What a note says of it.
    pub(crate) fn words(self) -> String {
        let mut taken = Vec::new();
        taken.extend(self.sign.map(|sign| format!("'{sign}'")));
        taken.extend(self.group.map(|group| format!("thousands separators '{group}'")));
        let taken = (!taken.is_empty()).then(|| format!("{} taken off", taken.join(" and ")));
        let comma = self.comma.then(|| "decimal commas read as points".to_owned());
        taken.into_iter().chain(comma).collect::<Vec<_>>().join(", ")
    }
}

/// Whether a sign is the one between groups; spaces of all widths are one, as are apostrophes.
fn same_group(c: char, group: char) -> bool {
    match group {
        ' ' => matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}'),
        '\'' => matches!(c, '\'' | '’'),
        _ => c == group,
    }
}

/// A text taken apart.
struct Worn<'a> {
    minus: bool,
    sign: Option<&'static str>,
    /// From the first digit (or the mark before it) to the last.
    body: &'a str,
}

impl<'a> Worn<'a> {
    /// Takes a text apart if it may be a number.
    fn of(text: &'a str) -> Option<Self> {
        let (minus, rest) = unsigned(text);
        let (sign, body) = around(rest)?;
        // The sign of a number may stand behind that of money.
        let (inner, body) = if sign.is_some() && minus.is_none() { unsigned(body) } else { (None, body) };
        let minus = minus.or(inner).unwrap_or(false);
        body.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == ',').then_some(Self {
            minus,
            sign,
            body,
        })
    }
}

/// Whether a text begins with a sign, which is minus or not, and what follows.
fn unsigned(text: &str) -> (Option<bool>, &str) {
    for (sign, minus) in [('-', true), ('−', true), ('+', false)] {
        if let Some(rest) = text.strip_prefix(sign) {
            return (Some(minus), rest.trim_start());
        }
    }
    (None, text)
}

/// What the values of one column say; all counts are of rows.
#[derive(Default)]
pub(crate) struct Wardrobe {
    /// Values that are not missing.
    all: usize,
    /// How many can be read with decimals behind this mark and groups between this sign.
    fits: [[usize; GROUPS.len() + 1]; 2],
    /// How many have a point, a comma, and a sign of their own.
    points: usize,
    commas: usize,
    /// The sign around them, and how many have it.
    sign: Option<&'static str>,
    signed: usize,
    /// Whether another one is there too.
    mixed: bool,
}

impl Wardrobe {
    /// Looks at the distinct values of a column, each with its rows.
    pub(crate) fn of<'a>(texts: impl Iterator<Item = (&'a [u8], usize)>) -> Self {
        let mut seen = Self::default();
        for (text, rows) in texts {
            seen.all += rows;
            if let Some(worn) = std::str::from_utf8(text).ok().and_then(|text| Worn::of(text.trim())) {
                seen.look(&worn, rows);
            }
        }
        seen
    }

    fn look(&mut self, worn: &Worn<'_>, rows: usize) {
        if let Some(sign) = worn.sign {
            self.mixed |= self.sign.is_some_and(|other| other != sign);
            self.sign = Some(sign);
            self.signed += rows;
        }
        self.points += if worn.body.contains('.') { rows } else { 0 };
        self.commas += if worn.body.contains(',') { rows } else { 0 };
        for (comma, fits) in [false, true].into_iter().zip(&mut self.fits) {
            let groups = std::iter::once(None).chain(GROUPS.map(Some));
            for (group, fits) in groups.zip(fits) {
                let own = group == Some(if comma { ',' } else { '.' });
                let bare = if own { None } else { (Dressing { comma, group, sign: None }).bare(worn.body) };
                let number = bare.is_some_and(|bare| number::parse(bare.as_bytes()) != Err(Problem::Word));
                *fits += if number { rows } else { 0 };
            }
        }
    }

    /// Whether so many of the values are nearly all of them.
    fn nearly_all(&self, fits: usize) -> bool {
        let strays = self.all - fits;
        fits > strays && (strays <= 1 || strays * 20 <= self.all)
    }

    /// The most values that can be read with this mark before decimals, and the first way to do it.
    fn best(&self, comma: bool) -> (usize, Option<char>) {
        let [points, commas] = &self.fits;
        let fits = if comma { commas } else { points };
        let groups = std::iter::once(None).chain(GROUPS.map(Some));
        let mut best = (0, None);
        for (group, &fits) in groups.zip(fits) {
            if fits > best.0 {
                best = (fits, group);
            }
        }
        best
    }

    /// Whether some value has a comma.
    pub(crate) fn has_commas(&self) -> bool {
        self.commas > 0
    }

    /// Whether most values have a comma.
    fn mostly_commas(&self) -> bool {
        2 * self.commas > self.all
    }

    /// What this column alone says of the mark before decimals in its file, if it has but one reading.
    pub(crate) fn says(&self) -> Option<Decimal> {
        let [(points, _), (commas, _)] = [self.best(false), self.best(true)];
        match (self.nearly_all(points), self.nearly_all(commas)) {
            (true, false) if self.points > 0 => Some(Decimal::Point),
            (false, true) if self.commas > 0 => Some(Decimal::Comma),
            (true, true) if points > commas && self.points > 0 => Some(Decimal::Point),
            (true, true) if commas > points && self.commas > 0 => Some(Decimal::Comma),
            _ => None,
        }
    }

    /// What is to be taken off the values of a column, if they are numbers then. `wanted` says that it has to be one of numbers.
    pub(crate) fn dressing(&self, habits: Habits, wanted: bool) -> Option<Dressing> {
        let comma = self.comma(habits);
        let (fits, group) = self.best(comma);
        let dressing = Dressing { comma, group, sign: self.sign };
        let bare = group.is_none() && self.sign.is_none();
        let enough = if bare || wanted { self.nearly_all(fits) } else { fits == self.all };
        // Lists such as `1,2` among plain numbers are none where commas part fields.
        let lists = comma && bare && habits.delimiter == b',' && !self.mostly_commas();
        let odd = lists && habits.given.is_none() || self.sign.is_some() && 2 * self.signed <= self.all;
        (self.all > 0 && !self.mixed && enough && (wanted || !odd)).then_some(dressing)
    }

    /// What of it is to be seen in the values at hand.
    pub(crate) fn seen(&self, dressing: Dressing) -> Dressing {
        Dressing { comma: dressing.comma && self.commas > 0, ..dressing }
    }

    /// Whether decimals stand behind a comma.
    fn comma(&self, habits: Habits) -> bool {
        if let Some(decimal) = habits.given.or_else(|| self.says()) {
            return decimal == Decimal::Comma;
        }
        match (habits.points, habits.commas) {
            (true, false) => false,
            (false, true) => true,
            // Columns of whole numbers are whole either way. Nothing in the file tells `1.234` and `1,234` from thousands: points are points, and commas are thousands only
            // where fields are parted by commas too.
            _ if self.commas > 0 => habits.delimiter == b';',
            _ => false,
        }
    }
}

/// What is known of the numbers of a whole file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Habits {
    /// The mark before decimals, if somebody said it.
    pub given: Option<Decimal>,
    /// Whether a column can be read with decimal points only.
    pub points: bool,
    /// Whether a column can be read with decimal commas only.
    pub commas: bool,
    /// What stands between fields.
    pub delimiter: u8,
}

impl Habits {
    /// Takes in what a column says.
    pub(crate) fn learn(&mut self, column: &Wardrobe) {
        match column.says() {
            Some(Decimal::Point) => self.points = true,
            // Where commas part fields, a few of them in quotes are rather lists.
            Some(Decimal::Comma) if self.delimiter != b',' || column.mostly_commas() => self.commas = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dressing(texts: &[&str], habits: Habits) -> Option<Dressing> {
        Wardrobe::of(texts.iter().map(|text| (text.as_bytes(), 1))).dressing(habits, false)
    }

    const PLAIN: Habits = Habits { given: None, points: false, commas: false, delimiter: b',' };
    const EUROPEAN: Habits = Habits { commas: true, delimiter: b';', ..PLAIN };

    #[test]
    fn a_column_is_undressed_as_a_whole() {
        let cases: [(&[&str], Habits, Dressing, &[f64]); 9] = [
            (
                &["1,234.5", "7", "-2,000"],
                PLAIN,
                Dressing { group: Some(','), ..Dressing::NONE },
                &[1234.5, 7.0, -2000.0],
            ),
            (
                &["1.234,5", "7", "2.000"],
                PLAIN,
                Dressing { comma: true, group: Some('.'), sign: None },
                &[1234.5, 7.0, 2000.0],
            ),
            (
                &["12,5", "7", "0,25"],
                EUROPEAN,
                Dressing { comma: true, ..Dressing::NONE },
                &[12.5, 7.0, 0.25],
            ),
            (
                &["1.234", "2.500"],
                EUROPEAN,
                Dressing { group: Some('.'), comma: true, sign: None },
                &[1234.0, 2500.0],
            ),
            (
                &["€12", "-€3.50", "€ -1"],
                PLAIN,
                Dressing { sign: Some("€"), ..Dressing::NONE },
                &[12.0, -3.5, -1.0],
            ),
            (
                &["12 %", "3.5%", "0 %"],
                PLAIN,
                Dressing { sign: Some("%"), ..Dressing::NONE },
                &[12.0, 3.5, 0.0],
            ),
            (
                &["12,5 kg", "3 kg"],
                EUROPEAN,
                Dressing { comma: true, group: None, sign: Some("kg") },
                &[12.5, 3.0],
            ),
            (
                &["1 234", "1\u{202f}234 567"],
                PLAIN,
                Dressing { group: Some(' '), ..Dressing::NONE },
                &[1234.0, 1_234_567.0],
            ),
            (
                &["CHF 1'000", "CHF 1’250.50"],
                PLAIN,
                Dressing { group: Some('\''), comma: false, sign: Some("CHF") },
                &[1000.0, 1250.5],
            ),
        ];
        for (texts, habits, wanted, values) in cases {
            let found = dressing(texts, habits);
            assert_eq!(found, Some(wanted), "{texts:?}");
            let read: Vec<f64> = texts.iter().map(|text| wanted.number(text.as_bytes()).unwrap()).collect();
            assert_eq!(read, values, "{texts:?}");
        }
    }

    #[test]
    fn what_is_not_dressed_stays() {
        for texts in [
            &["€12", "$13", "€14"][..],
            &["red", "12 kg"],
            &["1", "2", "1,2"],
            &["1.2.3.4", "1.2.3.5"],
            &["2024-01-31", "2024-02-01"],
        ] {
            assert_eq!(dressing(texts, PLAIN).filter(|found| *found != Dressing::NONE), None, "{texts:?}");
        }
        // Points are points unless something else in the file says that commas are.
        let semicolons = Habits { delimiter: b';', ..PLAIN };
        assert_eq!(dressing(&["1.234", "2.500"], semicolons), Some(Dressing::NONE));
        assert_eq!(dressing(&["0.123", "0.456"], EUROPEAN), Some(Dressing::NONE));
        assert_eq!(
            dressing(&["1,234", "2,500"], semicolons),
            Some(Dressing { comma: true, ..Dressing::NONE })
        );
        assert_eq!(
            dressing(&["1,234", "2,500"], PLAIN),
            Some(Dressing { group: Some(','), ..Dressing::NONE })
        );
    }

    #[test]
    fn other_dress_is_no_number_of_the_column() {
        let euros = Dressing { comma: true, group: Some('.'), sign: Some("€") };
        for text in
            ["$12", "12 kg", "1.23", "1.2345", "12,5,0", "x", "€", "1,5 x", ",", "", "- -1 €", "0.123"]
        {
            assert!(euros.number(text.as_bytes()).is_err(), "{text}");
        }
        assert_eq!(euros.number(b"1e400 "), Err(Problem::OutOfRange));
        assert_eq!(euros.number(b"-0"), Ok(0.0));
        assert_eq!(euros.number("-1.234.567,25 €".as_bytes()), Ok(-1_234_567.25));
    }
}
