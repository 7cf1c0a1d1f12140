//! Which column is for what: the user's wishes for training, the model's schema for prediction.

use crate::error::{Error, ErrorKind, Result};
use crate::schema::dialect::Dialect;
use crate::schema::names::Names;
use crate::schema::role::{Kind, Plan, Role};
use crate::schema::{FeatureSpec, Schema, TargetSpec};
use crate::wording;

/// The target column that is looked for when none is named.
pub const DEFAULT_TARGET: &str = "class";

/// The prefix of label columns that is looked for when neither target nor labels are named.
pub const DEFAULT_LABELS: &str = "label:";

/// The roles of a training table. Whatever is not named is a feature of inferred kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrainingPlan {
    /// The column of the class; by default `class`, else label columns `label:…`, else the last column.
    pub target: Option<String>,
    /// What the names of label columns begin with.
    pub labels: Option<String>,
    /// The column of row weights.
    pub weight: Option<String>,
    /// Columns that are not read.
    pub ignore: Vec<String>,
    /// Features that are categories whatever they look like.
    pub categorical: Vec<String>,
    /// Features that are text.
    pub text: Vec<String>,
    /// How text tables are written, where they do not say it themselves.
    pub dialect: Dialect,
}

/// The roles under construction: each column gets at most one.
struct Roles<'a> {
    header: &'a [String],
    given: Vec<Option<(Role, &'static str)>>,
}

impl<'a> Roles<'a> {
    fn new(header: &'a [String]) -> Self {
        Self { header, given: vec![None; header.len()] }
    }

    /// Gives the column of a name a role; `option` says for the message who asked.
    fn give(&mut self, name: &str, role: Role, option: &'static str) -> Result<()> {
        let Some(at) = self.header.iter().position(|n| n == name) else {
            let what = format!("there is no column {} (asked for as {option})", wording::name(name));
            return Err(Error::new(ErrorKind::Column, what, wording::nearest(name, self.header)));
        };
        self.give_at(at, role, option)
    }

    fn give_at(&mut self, at: usize, role: Role, option: &'static str) -> Result<()> {
        match self.given[at] {
            Some((other, earlier)) if other != role => {
                let what = format!(
                    "column {} cannot be both {earlier} and {option}",
                    wording::name(&self.header[at])
                );
                Err(Error::new(ErrorKind::Column, what, "name it once"))
            }
            _ => {
                self.given[at] = Some((role, option));
                Ok(())
            }
        }
    }

    /// Gives every column with a prefix the role of a label; says how many there were.
    fn give_labels(&mut self, prefix: &str) -> Result<usize> {
        let ignored = |given: Option<(Role, _)>| given.is_some_and(|(role, _)| role == Role::Ignored);
        let mut labels = 0;
        for at in 0..self.header.len() {
            if self.header[at].starts_with(prefix) && !ignored(self.given[at]) {
                self.give_at(at, Role::Label, "a label")?;
                labels += 1;
            }
        }
        Ok(labels)
    }

    /// Whether a column may become the target without being named.
    fn free(&self, at: usize) -> bool {
        !matches!(self.given[at], Some((Role::Ignored | Role::Weight, _)))
    }

    /// All roles; whatever has none becomes `rest`.
    fn finish(self, rest: Role) -> Result<Vec<Role>> {
        let roles: Vec<Role> =
            self.given.into_iter().map(|given| given.map_or(rest, |(role, _)| role)).collect();
        if roles.iter().any(|role| matches!(role, Role::Feature(_))) {
            return Ok(roles);
        }
        let what = format!("0 feature(s) among {}", wording::count(roles.len(), "column"));
        Err(Error::new(ErrorKind::Column, what, "give at least one column besides target, labels and weight"))
    }
}

impl TrainingPlan {
    fn give_target(&self, roles: &mut Roles<'_>) -> Result<()> {
        let header = roles.header;
        match (&self.target, &self.labels) {
            (Some(_), Some(_)) => {
                let what = "both a target column and a prefix of label columns are given";
                Err(Error::new(ErrorKind::Column, what, "give one of them"))
            }
            (Some(target), None) => roles.give(target, Role::Target, "the target"),
            (None, Some(prefix)) => match roles.give_labels(prefix)? {
                0 => {
                    let what =
                        format!("no column begins with {} (the prefix of labels)", wording::name(prefix));
                    Err(Error::new(ErrorKind::Column, what, wording::nearest(prefix, header)))
                }
                _ => Ok(()),
            },
            (None, None) => {
                let named = header.iter().position(|n| n == DEFAULT_TARGET).filter(|&at| roles.free(at));
                if let Some(at) = named {
                    return roles.give_at(at, Role::Target, "the target");
                }
                if roles.give_labels(DEFAULT_LABELS)? > 0 {
                    return Ok(());
                }
                match (0..header.len()).rev().find(|&at| roles.free(at)) {
                    Some(at) => roles.give_at(at, Role::Target, "the target (by default the last column)"),
                    None => {
                        Err(Error::new(ErrorKind::Column, "there is no column for the target", "name one"))
                    }
                }
            }
        }
    }
}

impl Plan for TrainingPlan {
    fn roles(&self, header: &[String]) -> Result<Vec<Role>> {
        let mut roles = Roles::new(header);
        for name in &self.ignore {
            roles.give(name, Role::Ignored, "ignored")?;
        }
        for name in &self.categorical {
            roles.give(name, Role::Feature(Some(Kind::Category)), "categorical")?;
        }
        for name in &self.text {
            roles.give(name, Role::Feature(Some(Kind::Text)), "text")?;
        }
        if let Some(name) = &self.weight {
            roles.give(name, Role::Weight, "the weight")?;
        }
        self.give_target(&mut roles)?;
        roles.finish(Role::Feature(None))
    }

    fn dialect(&self) -> Option<&Dialect> {
        Some(&self.dialect)
    }
}

/// The roles of a table for an existing model: its features by name and kind, nothing else but what evaluation needs.
#[derive(Clone, Debug)]
pub struct PredictionPlan<'a> {
    schema: &'a Schema,
    answers: bool,
    target: Option<String>,
    weight: Option<String>,
    dialect: Dialect,
}

impl<'a> PredictionPlan<'a> {
    /// To predict: the target may be there or not, it is not read.
    pub fn predict(schema: &'a Schema) -> Self {
        Self { schema, answers: false, target: None, weight: None, dialect: Dialect::default() }
    }

    /// To evaluate: the target (under its own name, or `target`) or all label columns must be there.
    pub fn evaluate(schema: &'a Schema, target: Option<String>, weight: Option<String>) -> Self {
        Self { schema, answers: true, target, weight, dialect: Dialect::default() }
    }

    /// Rows in a file that is written in this way.
    #[must_use]
    pub fn written(self, dialect: Dialect) -> Self {
        Self { dialect, ..self }
    }

    /// The columns that the model has no use for, to be noted.
    pub fn extra(&self, header: &[String]) -> Vec<String> {
        let mut known: std::collections::HashSet<&String> = self.weight.iter().collect();
        match &self.schema.target {
            TargetSpec::Classes { column, .. } => known.extend([self.target.as_ref().unwrap_or(column)]),
            TargetSpec::Sets { names, .. } => known.extend(names),
        }
        let mut features = self.features();
        let mut is_extra = |name: &&String| !known.contains(name) && features.find(name).is_none();
        header.iter().filter(|name| is_extra(name)).cloned().collect()
    }

    /// The names of the model's features.
    fn features(&self) -> Names<'_, FeatureSpec> {
        Names::new(&self.schema.features, |feature| &feature.name)
    }

    /// Whether a name is that of the model's target, and so of no feature.
    fn is_target(&self, name: &str) -> bool {
        matches!(&self.schema.target, TargetSpec::Classes { column, .. } if column == name)
    }

    fn missing(&self, header: &[String]) -> Result<()> {
        let mut there = Names::new(header, String::as_str);
        let features = self.schema.features.iter().map(|f| f.name.as_str());
        let lacking: Vec<&str> = features.filter(|name| there.find(name).is_none()).collect();
        match lacking.first() {
            None => Ok(()),
            Some(first) => {
                let what = format!("the model's column(s) {} are missing", wording::names(&lacking));
                Err(Error::new(ErrorKind::Column, what, wording::nearest(first, header)))
            }
        }
    }
}

impl Plan for PredictionPlan<'_> {
    fn roles(&self, header: &[String]) -> Result<Vec<Role>> {
        self.missing(header)?;
        let mut features = self.features();
        let mut roles = Roles::new(header);
        for (at, name) in header.iter().enumerate().filter(|(_, name)| !self.is_target(name)) {
            if let Some(feature) = features.find(name) {
                let kind = self.schema.features[feature].kind;
                roles.give_at(at, Role::Feature(Some(kind)), "a feature of the model")?;
            }
        }
        if self.answers {
            match (&self.schema.target, &self.target) {
                (TargetSpec::Classes { column, .. }, other) => {
                    roles.give(other.as_ref().unwrap_or(column), Role::Target, "the target")?;
                }
                (TargetSpec::Sets { names, .. }, None) => {
                    for name in names {
                        roles.give(name, Role::Label, "a label")?;
                    }
                }
                (TargetSpec::Sets { .. }, Some(_)) => {
                    let what = "a target column is named, but the model answers sets of labels";
                    return Err(Error::new(ErrorKind::Column, what, "leave the target out"));
                }
            }
        }
        if let Some(name) = &self.weight {
            roles.give(name, Role::Weight, "the weight")?;
        }
        roles.finish(Role::Ignored)
    }

    fn dialect(&self) -> Option<&Dialect> {
        Some(&self.dialect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::FeatureSpec;

    fn header(names: &[&str]) -> Vec<String> {
        names.iter().map(|&n| n.to_string()).collect()
    }

    #[expect(clippy::unnecessary_wraps, reason = "the plans' fields are options")]
    fn some(name: &str) -> Option<String> {
        Some(name.to_string())
    }

    const FREE: Role = Role::Feature(None);

    #[test]
    fn the_target_is_class_or_labels_or_last() {
        let plan = TrainingPlan::default();
        assert_eq!(plan.roles(&header(&["class", "x"])).unwrap(), [Role::Target, FREE]);
        assert_eq!(
            plan.roles(&header(&["label:a", "x", "label:b"])).unwrap(),
            [Role::Label, FREE, Role::Label]
        );
        assert_eq!(plan.roles(&header(&["a", "b"])).unwrap(), [FREE, Role::Target]);
        let plan = TrainingPlan { weight: some("b"), ..TrainingPlan::default() };
        assert_eq!(plan.roles(&header(&["x", "a", "b"])).unwrap(), [FREE, Role::Target, Role::Weight]);
        let plan = TrainingPlan { labels: some("t_"), ..TrainingPlan::default() };
        assert_eq!(plan.roles(&header(&["class", "t_1"])).unwrap(), [FREE, Role::Label]);
        assert!(plan.roles(&header(&["class", "x"])).unwrap_err().what().contains("t_"));
    }

    #[test]
    fn names_that_are_not_there_bring_their_neighbours() {
        let plan = TrainingPlan { target: some("specie"), ..TrainingPlan::default() };
        let error = plan.roles(&header(&["width", "species"])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Column);
        assert!(error.what().contains("\"specie\"") && error.remedy().contains("\"species\""));
    }

    #[test]
    fn conflicts_and_empty_tables_are_errors() {
        let conflict = TrainingPlan { target: some("y"), weight: some("y"), ..TrainingPlan::default() };
        assert!(conflict.roles(&header(&["x", "y"])).unwrap_err().what().contains("both"));
        let both = TrainingPlan { target: some("y"), labels: some("l"), ..TrainingPlan::default() };
        assert!(both.roles(&header(&["x", "y"])).is_err());
        let twice =
            TrainingPlan { text: header(&["x"]), categorical: header(&["x"]), ..TrainingPlan::default() };
        assert!(twice.roles(&header(&["x", "y"])).is_err());
        assert!(TrainingPlan::default().roles(&header(&["y"])).unwrap_err().what().contains("0 feature(s)"));
        assert!(TrainingPlan::default().roles(&[]).is_err());
        let none = TrainingPlan { ignore: header(&["x"]), ..TrainingPlan::default() };
        assert!(none.roles(&header(&["x", "y"])).unwrap_err().what().contains("0 feature(s)"));
    }

    fn schema() -> Schema {
        let feature = |name: &str, kind| FeatureSpec { name: name.into(), kind };
        Schema {
            features: vec![feature("a", Kind::Number), feature("b", Kind::Category)],
            target: TargetSpec::Classes { column: "y".into(), names: header(&["0", "1"]) },
        }
    }

    #[test]
    fn prediction_goes_by_name() {
        let schema = schema();
        let plan = PredictionPlan::predict(&schema);
        let head = header(&["b", "more", "y", "a"]);
        let (a, b) = (Role::Feature(Some(Kind::Number)), Role::Feature(Some(Kind::Category)));
        assert_eq!(plan.roles(&head).unwrap(), [b, Role::Ignored, Role::Ignored, a]);
        assert_eq!(plan.extra(&head), ["more"]);
        let error = plan.roles(&header(&["a", "B"])).unwrap_err();
        assert!(error.what().contains("\"b\"") && error.remedy().contains("\"B\""));
    }

    #[test]
    fn evaluation_needs_the_target() {
        let schema = schema();
        let plan = PredictionPlan::evaluate(&schema, None, some("w"));
        let roles = plan.roles(&header(&["a", "b", "y", "w"])).unwrap();
        assert_eq!(roles[2..], [Role::Target, Role::Weight]);
        assert!(plan.roles(&header(&["a", "b", "w"])).unwrap_err().what().contains("\"y\""));
        let other = PredictionPlan::evaluate(&schema, some("z"), None);
        assert_eq!(other.roles(&header(&["a", "z", "b"])).unwrap()[1], Role::Target);
        assert!(PredictionPlan::evaluate(&schema, some("a"), None).roles(&header(&["a", "b"])).is_err());
    }
}
