//! Formulas of one variable v, with their slopes: what a loss of one's own is written in.
//!
//! `ln(1 + exp(-2v))`: numbers, v, + − * / ^, brackets, `exp`, `ln` and `sqrt`; a number before a name or a bracket multiplies it. Slopes
//! are found with the values, by the rules of differentiation.

use manyboost_kernel::numbers::math::{exp, ln, ln_1p};

/// Longer formulas are refused.
const LONGEST: usize = 200;

/// Whole powers up to this are products.
const MOST_FACTORS: f64 = 64.0;

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Number(f64),
    Variable,
    Sum(Box<Node>, Box<Node>),
    Product(Box<Node>, Box<Node>),
    Quotient(Box<Node>, Box<Node>),
    Power(Box<Node>, Box<Node>),
    Negative(Box<Node>),
    Exp(Box<Node>),
    Ln(Box<Node>),
    /// ln(1 + x), which small x do not vanish in.
    LnOnePlus(Box<Node>),
    Root(Box<Node>),
}

/// A function of v, and the text that it was given as.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    text: String,
    root: Node,
}

impl Formula {
    /// The formula that a text stands for, if it is one.
    pub fn parse(text: &str) -> Option<Self> {
        let plain: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        if text.len() > LONGEST {
            return None;
        }
        let mut reader = Reader { text: &plain, at: 0 };
        let root = reader.sum()?;
        (reader.at == plain.len()).then(|| Self { text: text.trim().to_string(), root })
    }

    /// As it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its value at v, and its slope there.
    pub fn at(&self, v: f64) -> [f64; 2] {
        self.root.at(v)
    }
}

impl Node {
    fn at(&self, v: f64) -> [f64; 2] {
        match self {
            Self::Number(x) => [*x, 0.0],
            Self::Variable => [v, 1.0],
            Self::Sum(a, b) => {
                let ([a, da], [b, db]) = (a.at(v), b.at(v));
                [a + b, da + db]
            }
            Self::Product(a, b) => {
                let ([a, da], [b, db]) = (a.at(v), b.at(v));
                [a * b, da * b + a * db]
            }
            Self::Quotient(a, b) => {
                let ([a, da], [b, db]) = (a.at(v), b.at(v));
                [a / b, (da - a / b * db) / b]
            }
            Self::Power(a, b) => power(a.at(v), b.at(v)),
            Self::Negative(a) => a.at(v).map(|x| -x),
            Self::Exp(a) => {
                let [a, da] = a.at(v);
                [exp(a), exp(a) * da]
            }
            Self::Ln(a) => {
                let [a, da] = a.at(v);
                [ln(a), da / a]
            }
            Self::LnOnePlus(a) => {
                let [a, da] = a.at(v);
                [ln_1p(a), da / (1.0 + a)]
            }
            Self::Root(a) => {
                let [a, da] = a.at(v);
                [a.sqrt(), 0.5 * da / a.sqrt()]
            }
        }
    }
}

/// aᵇ.
fn power([a, da]: [f64; 2], [b, db]: [f64; 2]) -> [f64; 2] {
    if db == 0.0 && b.fract() == 0.0 && b.abs() <= MOST_FACTORS {
        let product = |times: f64| (0..times.abs() as u32).fold(1.0, |product, _| product * a);
        let raised = |times: f64| if times < 0.0 { 1.0 / product(times) } else { product(times) };
        return [raised(b), if b == 0.0 { 0.0 } else { b * raised(b - 1.0) * da }];
    }
    let value = exp(b * ln(a));
    [value, value * (db * ln(a) + b * da / a)]
}

/// Reads a formula from left to right; none of its parts gives way to nothing.
struct Reader<'a> {
    text: &'a [char],
    at: usize,
}

impl Reader<'_> {
    fn next_is(&mut self, any: &[char]) -> Option<char> {
        let next = *self.text.get(self.at).filter(|c| any.contains(c))?;
        self.at += 1;
        Some(next)
    }

    fn sum(&mut self) -> Option<Node> {
        let mut sum = self.product()?;
        while let Some(sign) = self.next_is(&['+', '-', '−']) {
            let term = Box::new(self.product()?);
            let term = if sign == '+' { term } else { Box::new(Node::Negative(term)) };
            sum = Node::Sum(Box::new(sum), term);
        }
        Some(sum)
    }

    fn product(&mut self) -> Option<Node> {
        let mut product = self.signed()?;
        loop {
            let at = Box::new(product);
            product = match self.next_is(&['*', '·', '/']) {
                Some('/') => Node::Quotient(at, Box::new(self.signed()?)),
                Some(_) => Node::Product(at, Box::new(self.signed()?)),
                None => return Some(*at),
            };
        }
    }

    fn signed(&mut self) -> Option<Node> {
        if self.next_is(&['-', '−']).is_some() {
            return Some(Node::Negative(Box::new(self.signed()?)));
        }
        let base = self.atom()?;
        let raised = match self.next_is(&['^']) {
            Some(_) => Node::Power(Box::new(base.clone()), Box::new(self.signed()?)),
            None => base.clone(),
        };
        // 2v, 2 exp(v), 2 (1 + v).
        let names = |c: &char| c.is_alphabetic() || *c == '(';
        if matches!(base, Node::Number(_)) && self.text.get(self.at).is_some_and(names) {
            return Some(Node::Product(Box::new(raised), Box::new(self.signed()?)));
        }
        Some(raised)
    }

    fn atom(&mut self) -> Option<Node> {
        let from = self.at;
        let rest = &self.text[from..];
        let first = *rest.first()?;
        let run = |fits: &dyn Fn(&char) -> bool| rest.iter().take_while(|c| fits(c)).collect::<String>();
        if first == '(' {
            return self.bracket();
        }
        if first.is_ascii_digit() || first == '.' {
            let digits = run(&|c| c.is_ascii_digit() || *c == '.');
            self.at += digits.len();
            return digits.parse().ok().map(Node::Number);
        }
        let name = run(&|c| c.is_alphabetic());
        self.at += name.chars().count();
        match name.as_str() {
            "v" => Some(Node::Variable),
            "exp" => self.bracket().map(|a| Node::Exp(Box::new(a))),
            "sqrt" => self.bracket().map(|a| Node::Root(Box::new(a))),
            "ln" | "log" => self.bracket().map(|a| match a {
                Node::Sum(one, a) if *one == Node::Number(1.0) => Node::LnOnePlus(a),
                a => Node::Ln(Box::new(a)),
            }),
            _ => None,
        }
    }

    fn bracket(&mut self) -> Option<Node> {
        self.next_is(&['('])?;
        let inside = self.sum()?;
        self.next_is(&[')'])?;
        Some(inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_what_they_look_like() {
        type Case = (&'static str, fn(f64) -> f64);
        let cases: [Case; 9] = [
            ("exp(-2v)", |v| (-2.0 * v).exp()),
            ("ln(1 + exp(−2·v))", |v| (-2.0 * v).exp().ln_1p()),
            ("(v/(1 + v))^2", |v| (v / (1.0 + v)).powi(2)),
            ("1 - 2 - v * 3 / 4", |v| 1.0 - 2.0 - v * 3.0 / 4.0),
            ("-v^2 + 2^3", |v| -v * v + 8.0),
            ("sqrt(v) + v^0.5 + v^-2", |v| 2.0 * v.sqrt() + v.powi(-2)),
            ("2 (1 + v) exp(v)", |_| f64::NAN),
            ("3 v^2 / 2", |v| 1.5 * v * v),
            ("2^v", |v| 2f64.powf(v)),
        ];
        for (text, f) in cases {
            let Some(formula) = Formula::parse(text) else {
                assert!(f(1.0).is_nan(), "{text}");
                continue;
            };
            for v in [0.25, 1.0, 3.5] {
                let [value, slope] = formula.at(v);
                assert!((value - f(v)).abs() < 1e-12 * f(v).abs().max(1.0), "{text} at {v}: {value}");
                let h = 1e-6;
                assert!((slope - (f(v + h) - f(v - h)) / (2.0 * h)).abs() < 1e-7, "{text} at {v}: {slope}");
            }
        }
    }

    #[test]
    fn what_is_none_is_refused() {
        for text in
            ["", "w", "exp", "exp v", "1 +", "(v", "v)", "1..2", "v v", "+v", "^2", "v^", &"(".repeat(150)]
        {
            assert_eq!(Formula::parse(text), None, "{text}");
        }
        assert_eq!(Formula::parse(&"1+".repeat(200)), None);
    }
}
