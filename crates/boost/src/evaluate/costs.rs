//! What it costs to answer one class where another is true.
//!
//! A file of costs is a table: its first column names the true class of a line, the others are named after the answers.
//!
//! ```text
//! truth,mild,severe
//! mild,0,1
//! severe,20,0
//! ```
//!
//! Costs are 0 or from 1e-100 to 1e100, and the right answer costs nothing. The order of lines and columns does not matter.

use manyboost_data::read::{Limits, read};
use manyboost_data::{Error, ErrorKind, Kind, Labels, Plan, Result, Role, Values, Weights};

use crate::engine::scores::{Scores, argmax};
use crate::model::reading::Link;
use crate::spec::option::CostsOption;

/// What a user is told about the form of a file.
const FORM: &str = "give a line and a column for each class, both named: truth,a,b / a,0,1 / b,5,0 (costs ≥ 0, none for the right answer)";

/// What mistakes cost.
pub(crate) const COSTS: CostsOption = CostsOption::new(
    "costs",
    "What mistakes cost: a line for each true class, a column for each answer",
    "a table with a line and a column for each class, both named: truth,a,b / a,0,1 / b,5,0",
);

/// Costs above 0: their sums and ratios stay finite.
const RANGE: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// Costs by the names of classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    source: String,
    /// The answers.
    columns: Vec<String>,
    /// The true class of each line, and what each answer costs.
    lines: Vec<(String, Vec<f64>)>,
}

/// Costs by the numbers of classes.
#[derive(Clone, Debug, PartialEq)]
pub struct CostMatrix {
    classes: usize,
    values: Vec<f64>,
}

/// The first column has names, the others numbers.
struct CostPlan;

impl Plan for CostPlan {
    fn roles(&self, header: &[String]) -> Result<Vec<Role>> {
        let role = |at| if at == 0 { Role::Target } else { Role::Feature(Some(Kind::Number)) };
        Ok((0..header.len()).map(role).collect())
    }
}

impl Costs {
    /// Reads a file.
    pub fn read(path: &str) -> Result<Self> {
        let table = read(path, &CostPlan, &Limits::default())?;
        let wrong = |what: String| Error::new(ErrorKind::Parameter, format!("`costs={path}`: {what}"), FORM);
        let columns: Vec<String> = table.columns.iter().skip(1).map(|column| column.name.clone()).collect();
        let Some(Values::Words(truths)) = table.columns.first().map(|column| &column.values) else {
            return Err(wrong("the first column does not name classes".into()));
        };
        let mut lines = Vec::new();
        for line in 0..table.rows {
            let Some(truth) = truths.get(line) else {
                return Err(wrong(format!("line {} names no class", line + 2)));
            };
            let cost = |at: usize| match &table.columns[at + 1].values {
                Values::Numbers(numbers) => numbers.get(line),
                Values::SparseNumbers(_) | Values::Words(_) => f64::NAN,
            };
            lines.push((truth.to_string(), (0..columns.len()).map(cost).collect()));
        }
        Self { source: path.to_string(), columns, lines }.checked()
    }

    /// Of classes by name: what each answer costs where each of them is true, class after class.
    pub fn new(classes: &[String], values: &[f64]) -> Result<Self> {
        let width = classes.len().max(1);
        if values.len() != width * classes.len() {
            let what = format!("`costs`: {} numbers for {} classes", values.len(), classes.len());
            return Err(Error::new(ErrorKind::Parameter, what, FORM));
        }
        let lines = classes.iter().cloned().zip(values.chunks_exact(width).map(<[f64]>::to_vec)).collect();
        Self { source: String::new(), columns: classes.to_vec(), lines }.checked()
    }

    /// Refuses what is no cost.
    fn checked(self) -> Result<Self> {
        for (truth, costs) in &self.lines {
            for (answer, &cost) in self.columns.iter().zip(costs) {
                if cost != 0.0 && (answer == truth || !RANGE.contains(&cost)) {
                    let what = format!("class {truth}, answer {answer}: {cost} is no such cost");
                    return Err(self.wrong(&what));
                }
            }
        }
        Ok(self)
    }

    fn wrong(&self, what: &str) -> Error {
        let value = if self.source.is_empty() { String::new() } else { format!("={}", self.source) };
        Error::new(ErrorKind::Parameter, format!("`costs{value}`: {what}"), FORM)
    }

    /// The costs of these classes, in their order.
    pub fn matrix(&self, names: &[String]) -> Result<CostMatrix> {
        let missing = |what: &str, name: &str| self.wrong(&format!("there is no {what} for class {name}"));
        let column = |name: &String| {
            self.columns.iter().position(|column| column == name).ok_or_else(|| missing("column", name))
        };
        let columns: Vec<usize> = names.iter().map(column).collect::<Result<_>>()?;
        let mut values = Vec::with_capacity(names.len() * names.len());
        for name in names {
            let line = self.lines.iter().find(|line| line.0 == *name);
            let (_, costs) = line.ok_or_else(|| missing("line", name))?;
            values.extend(columns.iter().map(|&at| costs[at]));
        }
        Ok(CostMatrix::new(names.len(), values))
    }

    /// Whether rows with these labels can be trained with these costs.
    pub fn check(&self, labels: &Labels) -> Result<()> {
        match labels {
            Labels::Classes { names, .. } => self.matrix(names).map(|_| ()),
            Labels::Sets { .. } => Err(Self::for_classes_only()),
        }
    }

    /// What is said where rows have sets of labels.
    pub fn for_classes_only() -> Error {
        let what = "`costs` are for one class per row, and these rows have sets of labels";
        Error::new(ErrorKind::Parameter, what, "leave them out")
    }

    /// In one line: what a model remembers.
    pub fn text(&self) -> String {
        let numbers = |costs: &[f64]| costs.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        let line = |(truth, costs): &(String, Vec<f64>)| format!("{truth},{}", numbers(costs));
        let lines: Vec<String> = self.lines.iter().map(line).collect();
        format!("truth,{};{}", self.columns.join(","), lines.join(";"))
    }
}

impl CostMatrix {
    /// Class after class, what each answer costs.
    pub fn new(classes: usize, values: Vec<f64>) -> Self {
        Self { classes, values }
    }

    /// What each answer costs where this class is true.
    pub fn of(&self, class: usize) -> &[f64] {
        &self.values[class * self.classes..(class + 1) * self.classes]
    }

    /// The answer that costs least on average, given the probabilities of the classes.
    pub fn cheapest(&self, probabilities: &[f64]) -> usize {
        let mut expected = vec![0.0; self.classes];
        for (class, &p) in probabilities.iter().enumerate() {
            expected.iter_mut().zip(self.of(class)).for_each(|(sum, cost)| *sum -= p * cost);
        }
        argmax(&expected)
    }

    /// The mean costs of rows whose class is known, given the scores of classes: of the likeliest answers, and of those that probabilities make cheapest.
    pub fn mean(&self, scores: &Scores, link: Link, labels: &Labels, weights: &Weights) -> [f64; 2] {
        let (mut costs, mut total) = ([0.0; 2], 0.0);
        for (row, &units) in weights.units().iter().enumerate() {
            let Some(class) = labels.class(row) else { continue };
            let own = self.of(class as usize);
            let mut p = scores.row(row).to_vec();
            let likeliest = argmax(&p);
            link.apply(&mut p);
            let weight = f64::from(units);
            total += weight;
            costs[0] += weight * own[likeliest];
            costs[1] += weight * own[self.cheapest(&p)];
        }
        costs.map(|cost| if total > 0.0 { cost / total } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Costs> {
        let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Costs::read(file.path().to_str().unwrap())
    }

    #[test]
    fn names_decide_not_places() {
        let costs = read_text("truth,b,a,\"c,d\"\na,1,0,2\n\"c,d\",4,3,0\nb,0,5,6\n").unwrap();
        let names = ["a", "b", "c,d"].map(String::from);
        let matrix = costs.matrix(&names).unwrap();
        assert_eq!(matrix.of(0), [0.0, 1.0, 2.0]);
        assert_eq!(matrix.of(1), [5.0, 0.0, 6.0]);
        assert_eq!(matrix.of(2), [3.0, 4.0, 0.0]);
        // Costs 0.1·5 + 0.1·3, 0.8·1 + 0.1·4, …
        assert_eq!(matrix.cheapest(&[0.8, 0.1, 0.1]), 0);
        assert_eq!(matrix.cheapest(&[0.3, 0.4, 0.3]), 1);
        assert_eq!(costs.text(), "truth,b,a,c,d;a,1,0,2;c,d,4,3,0;b,0,5,6");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let cases = [
            ("truth,a,b\na,0,1\nb,x,0\n", "x"),
            ("truth,a,b\na,0,-1\nb,1,0\n", "class a, answer b: -1"),
            ("truth,a,b\na,1,1\nb,1,0\n", "class a, answer a: 1"),
            ("truth,a,b\na,0,\nb,1,0\n", "class a, answer b: NaN"),
            ("truth,a,b\na,0,1e300\nb,1,0\n", "class a, answer b: 1"),
            ("truth,a,b\n,0,1\nb,1,0\n", "names no class"),
        ];
        for (text, words) in cases {
            let error = read_text(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text:?}: {error}");
        }
        let costs = read_text("truth,a,b\na,0,1\nb,1,0\n").unwrap();
        let error = costs.matrix(&["a", "c"].map(String::from)).unwrap_err().to_string();
        assert!(error.contains("no column for class c"), "{error}");
    }
}
