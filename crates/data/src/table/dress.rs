//! Numbers in ordinary dress: `1,234.56`, `€12`, `12 %`, `12.0 kg`. They are texts to a reader, and so their column one of
//! categories, which is hardly ever meant.

/// What makes a text of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dress {
    /// `1,234.56`, `1'000`.
    Thousands,
    /// `12,5`.
    Comma,
    /// `€12`, `USD 12`.
    Money,
    /// `12 %`.
    PerCent,
    /// `12.0 kg`.
    Unit,
    /// `(12)`, `12+`.
    Signs,
}

impl Dress {
    /// What such numbers are.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Thousands => "numbers with thousands separators",
            Self::Comma => "numbers with a decimal comma",
            Self::Money => "numbers with a currency",
            Self::PerCent => "numbers with a per cent sign",
            Self::Unit => "numbers with a unit",
            Self::Signs => "numbers with signs around them",
        }
    }

    /// How to write them instead.
    pub(crate) fn remedy(self) -> &'static str {
        match self {
            Self::Money => "write plain numbers, such as 1234.5, all in one currency",
            Self::Unit => "write plain numbers, such as 1234.5, all in one unit",
            _ => "write plain numbers, such as 1234.5",
        }
    }

    /// What makes a text of a number, if it is one.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        if is_plain(text) || !text.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let without = |part: &str| [text.strip_prefix(part), text.strip_suffix(part)].into_iter().flatten();
        if CURRENCIES.iter().any(|part| without(part).any(is_number)) {
            return Some(Self::Money);
        }
        let begins = text.starts_with(|c: char| !c.is_alphabetic());
        if begins && UNITS.iter().any(|unit| text.strip_suffix(unit).is_some_and(is_number)) {
            return Some(Self::Unit);
        }
        let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
        let inside = grouped(bare)?;
        let around = || text.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace());
        Some(if around().any(|c| MONEY.contains(&c)) {
            Self::Money
        } else if around().any(|c| matches!(c, '%' | '‰')) {
            Self::PerCent
        } else {
            inside
        })
    }

    /// Among some distinct texts, one that is a number in dress, and in which: if nearly all texts are numbers, and most of them
    /// in dress. Of thousands one is enough, because smaller numbers are plain beside them.
    pub(crate) fn among<'a>(texts: impl Iterator<Item = &'a str>) -> Option<(&'a str, Self)> {
        let (mut all, mut plain, mut dressed) = (0_usize, 0_usize, 0_usize);
        let (mut first, mut thousands) = (None, None);
        for text in texts {
            all += 1;
            if is_plain(text.trim()) {
                plain += 1;
            } else if let Some(dress) = Self::of(text) {
                dressed += 1;
                first = first.or(Some((text, dress)));
                if dress == Self::Thousands {
                    thousands = thousands.or(Some((text, dress)));
                }
            }
        }
        let most = first.filter(|_| 2 * dressed > all);
        most.or(thousands).filter(|_| 10 * (plain + dressed) >= 9 * all)
    }
}

/// Signs of money.
const MONEY: [char; 16] =
    ['$', '€', '£', '¥', '¢', '₹', '₽', '₩', '₺', '₴', '₪', '₫', '₱', '₦', '₿', '\u{a4}'];

/// Words for money, before or behind a number.
const CURRENCIES: [&str; 58] = [
    "USD", "EUR", "GBP", "JPY", "CNY", "CHF", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "ISK", "PLN", "CZK",
    "HUF", "RON", "BGN", "TRY", "RUB", "UAH", "INR", "PKR", "BDT", "LKR", "KRW", "IDR", "THB", "VND", "PHP",
    "MYR", "SGD", "HKD", "TWD", "BRL", "MXN", "ARS", "CLP", "COP", "PEN", "ZAR", "EGP", "NGN", "KES", "ILS",
    "SAR", "AED", "QAR", "BTC", "US$", "R$", "A$", "C$", "HK$", "NZ$", "Rs.", "Rs", "kr",
];

/// Units behind a number. Single letters that are rather part of a code (house numbers, seats) are not among them.
const UNITS: [&str; 108] = [
    // Lengths, areas and volumes.
    "nm", "µm", "um", "mm", "cm", "m", "km", "in", "inch", "inches", "ft", "feet", "yd", "mi", "miles", "mm²",
    "cm²", "m²", "m2", "km²", "sqm", "sqft", "sq ft", "sq m", "ha", "cm³", "m³", "m3", "cc", "ml", "mL",
    "cl", "dl", "l", "L", "gal", // Weights.
    "µg", "ug", "mg", "g", "kg", "t", "lb", "lbs", "oz", // Times.
    "ns", "µs", "us", "ms", "s", "sec", "secs", "min", "mins", "h", "hr", "hrs", "hour", "hours", "day",
    "days", "week", "weeks", "month", "months", "yr", "yrs", "year", "years", // Speeds.
    "km/h", "kmh", "kph", "mph", "m/s", "rpm", // Temperatures, pressures.
    "°C", "°F", "°", "Pa", "hPa", "kPa", "MPa", "bar", "mbar", "psi", "mmHg", // Electricity, energy.
    "mV", "kV", "mA", "kW", "MW", "kWh", "hp", "kcal", "kJ", "Hz", "kHz", "MHz", "GHz", "dB", // Data.
    "kB", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB",
];

/// The sign of money, per cent or a unit around a number, if there is one, and the text without it.
pub(crate) fn around(text: &str) -> Option<(Option<&'static str>, &str)> {
    if let Some((unit, body)) = UNITS.into_iter().find_map(|unit| ends_in_digit(unit, text)) {
        return Some((Some(unit), body.trim_end()));
    }
    let digit = |c: char| c.is_ascii_digit();
    let (first, last) = (text.find(digit)?, text.rfind(digit)? + 1);
    let behind = text[last..].trim();
    // A mark before decimals, or the sign of the number, is no part of what stands before it.
    let before = text[..first].trim_end_matches([' ', '\u{a0}', '-', '+', '−']);
    let before = if SIGNS.contains(&before) || CURRENCIES.contains(&before) {
        before
    } else {
        before.trim_end_matches(['.', ','])
    };
    let body = text[before.len()..last].trim();
    let known = |sign: &str, lists: &[&[&'static str]]| {
        lists.iter().copied().flatten().copied().find(|known| *known == sign)
    };
    match (before, behind) {
        ("", "" | "." | ",") => Some((None, text[..last + behind.len()].trim())),
        ("", sign) => known(sign, &[&SIGNS[..], &PER, &CURRENCIES, &UNITS]).map(|sign| (Some(sign), body)),
        (sign, "") => known(sign, &[&SIGNS[..], &CURRENCIES]).map(|sign| (Some(sign), body)),
        _ => None,
    }
}

/// A text without a unit that ends in a digit, such as `m2`.
fn ends_in_digit<'a>(unit: &'static str, text: &'a str) -> Option<(&'static str, &'a str)> {
    let body =
        if unit.ends_with('2') || unit.ends_with('3') { text.strip_suffix(unit)? } else { return None };
    body.ends_with(|c: char| c == ' ' || c.is_ascii_digit()).then_some((unit, body))
}

/// Signs of money as texts.
const SIGNS: [&str; 16] =
    ["$", "€", "£", "¥", "¢", "₹", "₽", "₩", "₺", "₴", "₪", "₫", "₱", "₦", "₿", "\u{a4}"];

/// Shares.
const PER: [&str; 2] = ["%", "‰"];

/// Whether a text is a number as readers know them.
fn is_plain(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

/// Whether what is left of a text without its unit is a number.
fn is_number(text: &str) -> bool {
    let text = text.trim();
    let digits = text.trim_start_matches(['+', '-', '−', '.', '$']).starts_with(|c: char| c.is_ascii_digit());
    digits && (is_plain(text) || grouped(text.trim_matches(|c: char| !c.is_alphanumeric())).is_some())
}

/// Whether a text is digits, perhaps with groups of thousands or with a comma before decimals; if so, what is special about
/// them, or else only signs may be around them.
fn grouped(bare: &str) -> Option<Dress> {
    let mut last = None;
    let mut groups = bare.split_inclusive(|c: char| !c.is_ascii_digit()).peekable();
    let (mut first, mut special) = (true, Dress::Signs);
    while let Some(group) = groups.next() {
        let digits = group.trim_end_matches(|c: char| !c.is_ascii_digit()).len();
        let end = group.chars().last().filter(|c| !c.is_ascii_digit());
        // What parts this group from the one before it: decimals come last, after another sign than thousands.
        let decimals = groups.peek().is_none() && matches!(last, Some('.' | ','));
        let fine = match last {
            None => digits > 0 && (groups.peek().is_none() || digits <= 3 || matches!(end, Some('.' | ','))),
            Some(_) => digits == 3 || (decimals && digits > 0),
        };
        let parts =
            end.is_none_or(|c| matches!(c, ',' | '.' | '\'' | '’' | '_' | ' ' | '\u{a0}' | '\u{202f}'));
        if !fine || !parts {
            return None;
        }
        special = match last {
            Some('.') if decimals => special,
            Some(',') if decimals && digits != 3 && special == Dress::Signs => Dress::Comma,
            Some(_) => Dress::Thousands,
            None => special,
        };
        (last, first) = (end, false);
    }
    (!first && last.is_none()).then_some(special)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_ordinary_dress() {
        let cases: [(Dress, &[&str]); 6] = [
            (
                Dress::Thousands,
                &["1,234.56", "1,154", "1 234,5", "1.234,56", "1'000'000", "1'000", "1_000", "-1,200"],
            ),
            (Dress::Comma, &["12,5", "1234,5", "0,25", "-3,1"]),
            (
                Dress::Money,
                &[
                    "€12",
                    "$1,000",
                    "£ 3.50",
                    "-12 €",
                    "USD 12",
                    "12 EUR",
                    "12EUR",
                    "CHF 1'000",
                    "Rs. 500",
                    "US$12",
                ],
            ),
            (Dress::PerCent, &["12 %", "12%", "0.5%"]),
            (
                Dress::Unit,
                &[
                    "12 kg",
                    "12.0 kg",
                    "101.3ms",
                    "-4 °C",
                    "1,154.5 km",
                    "80 km/h",
                    "35 m2",
                    "1.5e3 Hz",
                    "3 years",
                ],
            ),
            (Dress::Signs, &["(3)", "3+", "<5"]),
        ];
        for (dress, texts) in cases {
            for text in texts {
                assert_eq!(Dress::of(text), Some(dress), "{text}");
            }
        }
        for text in [
            "red",
            "",
            "2020-01-31",
            "12:30",
            "1.2.3.4",
            "555-1234",
            "A12",
            "1,23,4",
            "3/4",
            "12a",
            "12A",
            "1234 567",
            "12",
            "-1.5",
            "1e3",
            "kg",
            "USD",
            "12 EUR 5",
            "2nd",
            "5th",
            "7 dwarfs",
            "room 12 m",
            "inf kg",
            "B12 kg",
        ] {
            assert_eq!(Dress::of(text), None, "{text}");
        }
    }

    #[test]
    fn most_values_are_dressed_numbers() {
        let among = |texts: &[&'static str]| Dress::among(texts.iter().copied());
        assert_eq!(among(&["12", "€13", "€14"]), Some(("€13", Dress::Money)));
        // Small numbers have no thousands.
        assert_eq!(among(&["40.31", "7", "12.5", "1,154.23"]), Some(("1,154.23", Dress::Thousands)));
        assert_eq!(among(&["40", "7", "999", "1'000"]), Some(("1'000", Dress::Thousands)));
        // Codes that are plain numbers may well be categories, and so may numbers up to "3 or more", lists and prices among words.
        assert_eq!(among(&["1", "2", "3"]), None);
        assert_eq!(among(&["0", "1", "2", "3+"]), None);
        assert_eq!(among(&["1", "2", "1,2"]), None);
        assert_eq!(among(&["free", "cheap", "€14"]), None);
        assert_eq!(among(&["free", "cheap", "12", "1,400"]), None);
    }
}
