//! Answers by thresholds of probabilities, instead of the likeliest class and of labels that are likelier than not.

use manyboost::engine::scores::argmax;
use manyboost_data::{Error, ErrorKind, TargetSpec, nearest};

use crate::failure::{Outcome, wrong};
use crate::inputs::number;

/// From which probability on a class or a label is answered.
pub struct Thresholds {
    /// For each class or label; none where it is answered as ever.
    least: Vec<Option<f64>>,
}

const OPTION: &str = "--threshold";

impl Thresholds {
    /// What was asked for of a model's classes or labels; `None` if nothing was.
    pub fn new(asked: &[String], target: &TargetSpec) -> Outcome<Option<Self>> {
        if asked.is_empty() {
            return Ok(None);
        }
        let classes = target.names().len();
        let names: Vec<String> = (0..classes).filter_map(|k| target.label(k).map(String::from)).collect();
        let mut least = vec![None; classes];
        for text in asked {
            // A name may have the sign in it: the last one counts.
            let (name, x) = text.rsplit_once('=').map_or((None, text.as_str()), |(name, x)| (Some(name), x));
            let x = number(OPTION, x, |x| (0.0..=1.0).contains(x), "a probability, or CLASS=probability")?;
            match (name, target) {
                (Some(name), _) => *at(&mut least, &names, target.names(), name)? = Some(x),
                (None, TargetSpec::Sets { .. }) => least.fill(Some(x)),
                (None, TargetSpec::Classes { .. }) if classes == 2 => least[1] = Some(x),
                (None, TargetSpec::Classes { .. }) => {
                    let what = format!("{OPTION} {text}: which of {classes} classes is not said");
                    return Err(wrong(what, format!("name it: {OPTION} {}={text}", names[classes - 1])));
                }
            }
        }
        if matches!(target, TargetSpec::Classes { .. }) && least.iter().flatten().count() > 1 {
            return Err(wrong(
                format!("{OPTION} for several classes of which a row has one"),
                "name one of them",
            ));
        }
        Ok(Some(Self { least }))
    }

    /// The class of a row with these probabilities.
    pub fn class(&self, p: &[f64], scores: &[f64]) -> usize {
        let Some((class, least)) = self.least.iter().enumerate().find_map(|(k, x)| x.map(|x| (k, x))) else {
            return argmax(scores);
        };
        if p[class] >= least {
            return class;
        }
        let mut others = scores.to_vec();
        others[class] = f64::NEG_INFINITY;
        argmax(&others)
    }

    /// Whether a row has a label of this probability and score.
    pub fn has(&self, label: usize, p: f64, score: f64) -> bool {
        self.least[label].map_or(score > 0.0, |least| p >= least)
    }
}

/// The place of a class, or of a label by its name or its column.
fn at<'a>(
    least: &'a mut [Option<f64>],
    names: &[String],
    columns: &[String],
    name: &str,
) -> Outcome<&'a mut Option<f64>> {
    let place = |all: &[String]| all.iter().position(|known| known == name);
    let Some(at) = place(names).or_else(|| place(columns)) else {
        let what = format!("{OPTION}: there is no class or label \"{name}\"");
        return Err(Error::new(ErrorKind::Parameter, what, nearest(name, names)).into());
    };
    Ok(&mut least[at])
}
