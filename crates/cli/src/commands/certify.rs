//! `polyboost certify`: is a weak learner strong enough for this data, and for which boosters?

use std::collections::BTreeMap;
use std::fmt::Write;

use polyboost::learners::{LearnerParameters, TreeParameters};
use polyboost::options::Options;
use polyboost::registry::Setup;
use polyboost_certify::{Depth, Findings, Interval, Learner, Space, Stumps, Subset, Wishes, certify};
use polyboost_data::{Dataset, Encoder, Labels, prepare};
use polyboost_kernel::Order;
use serde_json::{Map, Value, json};

use super::{print, print_json};
use crate::args::CertifyArgs;
use crate::failure::{Outcome, wrong};
use crate::inputs::{self, number};
use crate::say;
use crate::text_table::{Align, TextTable};

/// Rows × classes × features that are still searched.
const MOST: usize = 100_000_000;
/// Sets of classes that are looked at.
const MOST_SETS: usize = 5_000;
/// Multiplications of `--effort 1`.
const EFFORT: f64 = 1e12;
/// Hard rows and pairs of classes that are named.
const NAMED: usize = 5;
/// The same in JSON.
const LISTED: usize = 100;

pub fn run(args: &CertifyArgs) -> Outcome {
    let wishes = wishes(args)?;
    let learner = learner(args)?;
    inputs::threads(args.threads.as_deref())?;
    let mut options = inputs::prepare_options(&args.columns, &args.encode)?;
    options.values = learner.needs_values();
    let prepared = prepare(inputs::training(&args.data, &args.columns.plan())?, &options)?;
    prepared.notes.iter().for_each(|note| say::note(note));
    let (mut data, encoder) = (prepared.dataset, prepared.encoder);
    let Labels::Classes { names, of: y } = data.labels.clone() else {
        return Err(wrong(
            format!("{}: rows have sets of labels, and the conditions are about one class a row", args.data),
            "give data with one class a row",
        ));
    };
    check_size(&args.data, &data, names.len(), wishes.subsets)?;
    let (space, about) = space(learner, &mut data, &encoder)?;
    let findings = certify(space.as_ref(), &y, names.len(), wishes);
    let shown = Shown { args, findings: &findings, names: &names, y: &y, about };
    if args.json { print_json(&shown.document()) } else { print(&shown.text()) }
}

fn wishes(args: &CertifyArgs) -> Outcome<Wishes> {
    let fine = |x: &f64| (1e-9..=0.1).contains(x);
    let tolerance = number("--tolerance", &args.tolerance, fine, "a number from 1e-9 to 0.1")?;
    let fine = |n: &usize| (1..=1000).contains(n);
    let subsets = number("--subsets", &args.subsets, fine, "a whole number from 1 to 1,000")?;
    let fine = |x: &f64| (0.01..=1000.0).contains(x);
    let effort: f64 = number("--effort", &args.effort, fine, "a number from 0.01 to 1,000")?;
    Ok(Wishes { tolerance, subsets, work: EFFORT * effort })
}

/// The learner as mm would use it.
fn learner(args: &CertifyArgs) -> Outcome<LearnerParameters> {
    let learner = Some(args.learner.clone());
    let given = [
        ("learner", &learner),
        ("leaves", &args.leaves),
        ("depth", &args.depth),
        ("min-rows", &args.min_rows),
    ];
    let given = given.into_iter().filter_map(|(name, value)| Some((name.to_string(), value.clone()?)));
    Ok(Setup::new("mm", Options::new(given))?.learner)
}

fn check_size(path: &str, data: &Dataset, k: usize, subsets: usize) -> Outcome {
    if k < 2 {
        return Err(wrong(format!("{path}: all rows have one class"), "give rows of at least two classes"));
    }
    let features = data.bins.features().len();
    if data.rows().saturating_mul(k).saturating_mul(features) > MOST {
        let (rows, features) = (say::count(data.rows(), "row"), say::count(features, "feature"));
        let what = format!("{path}: {rows}, {k} classes and {features} are too many to search exhaustively");
        return Err(wrong(what, "certify a part of the rows, or leave columns out with --ignore"));
    }
    // Σ C(k, s) for s up to the largest set.
    let mut sets = 1.0;
    let mut all = 0.0;
    for s in 1..=subsets.min(k) {
        sets *= (k + 1 - s) as f64 / s as f64;
        all += sets;
    }
    if all > MOST_SETS as f64 {
        let what = format!("--subsets {subsets}: there are more than {MOST_SETS} such sets of {k} classes");
        return Err(wrong(what, "look at smaller sets, or at --subsets 1: all classes together only"));
    }
    Ok(())
}

/// The classifiers that are looked at, and how to call them.
fn space<'a>(
    learner: LearnerParameters,
    data: &'a mut Dataset,
    encoder: &'a Encoder,
) -> Outcome<(Box<dyn Space + 'a>, String)> {
    let ordered =
        data.bins.features().iter().all(|feature| feature.order == Order::Ordered || feature.bins <= 2);
    if let LearnerParameters::Tree(TreeParameters { leaves, depth, equality, min_rows, .. }) = learner {
        let least = min_rows.ceil() as usize;
        let exact = match (leaves, depth) {
            (2, _) | (_, 1) if equality || ordered => Some((Depth::One, "all stumps")),
            (4.., 2) if ordered => Some((Depth::Two, "all trees of depth 2")),
            _ => None,
        };
        if let Some((depth, about)) = exact {
            return Ok((Box::new(Stumps::new(&data.bins, depth, least)), about.into()));
        }
    }
    let about = match &learner {
        LearnerParameters::Tree(tree) => {
            format!("trees of up to {} leaves that the learner grows", tree.leaves)
        }
        _ => "classifiers that the learner finds".into(),
    };
    Ok((Box::new(Learner::new(learner, data, encoder)?), about))
}

/// The result.
struct Shown<'a> {
    args: &'a CertifyArgs,
    findings: &'a Findings,
    names: &'a [String],
    y: &'a [u32],
    about: String,
}

impl Shown<'_> {
    /// The conditions by name, with what they are for.
    fn conditions(&self) -> Vec<(&'static str, &'static str, Option<Interval>)> {
        let f = self.findings;
        let mut conditions = vec![
            ("mr", "boostable: MM, MR, OS (minimal)", Some(f.margin_interval())),
            ("edge_over_random", "edge over random: OS (uniform)", Some(f.edge_over_random)),
            ("m1", "accuracy above 1/2: M1, MH", Some(f.m1())),
            ("samme", "accuracy above 1/k: SAMME", Some(f.samme())),
            ("iterative", "iterative weak learnability: Iter", f.iterative()),
        ];
        if f.subsets.len() > 1 {
            let what = "  the least on smaller sets of classes";
            conditions.push(("iterative_on_parts", what, f.iterative_on_parts()));
        }
        conditions
    }

    fn text(&self) -> String {
        let f = self.findings;
        let (rows, k) = (say::count(f.rows, "row"), f.classes);
        let mut text = format!("{rows}, {k} classes; {}\n\n", self.about);
        let columns = [
            ("condition", Align::Left),
            ("value", Align::Right),
            ("at most", Align::Right),
            ("holds", Align::Left),
        ];
        let mut table = TextTable::new(&columns);
        for (_, what, value) in self.conditions() {
            let holds = value.map_or(Some(false), |value| value.holds(f.tolerance));
            // No minus before a zero.
            let shown = |x: f64| format!("{:.7}", (x * 1e7).round() / 1e7 + 0.0);
            let (lower, upper) =
                value.map_or(("–".into(), "–".into()), |v| (shown(v.lower), shown(v.upper)));
            table.row([what.to_string(), lower, upper, word(holds).to_string()]);
        }
        text += &table.text();
        text += "  Values above 0 hold. The first is proved by a mixture of classifiers, the second by weights of rows.\n";
        if !f.exact {
            text += "  \"At most\" is about what the learner finds on the hardest weights: it grows greedily, and better trees may exist.\n";
        }
        let _ = writeln!(text, "\nhardest   {}", self.hardest_pairs());
        let _ = writeln!(text, "          {}\n", self.hardest_rows());
        for verdict in f.verdicts() {
            let promise = match verdict.promised {
                Some(true) => "can reach training error 0",
                Some(false) => "no promise",
                None => "open",
            };
            let _ = writeln!(text, "{}: {promise}\n    {}", verdict.boosters.join(", "), verdict.why);
        }
        if f.boostable() == Some(false) && f.exact {
            text += "No booster that adds up answers of these classifiers is right on every row.\n";
        }
        text
    }

    /// The pairs (class, class that it is taken for) by their share of the hardest weights.
    fn pairs(&self) -> Vec<(u32, u32, f64)> {
        let mut shares: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for (row, against, share) in self.findings.hardest(self.y) {
            *shares.entry((self.y[row], against)).or_default() += share;
        }
        let mut pairs: Vec<_> =
            shares.into_iter().map(|((own, against), share)| (own, against, share)).collect();
        pairs.sort_by(|a, b| b.2.total_cmp(&a.2));
        pairs
    }

    fn name(&self, class: u32) -> String {
        say::name(&self.names[class as usize])
    }

    fn hardest_pairs(&self) -> String {
        let pair = |&(own, against, share): &(u32, u32, f64)| {
            format!("{} against {} ({})", self.name(own), self.name(against), say::percent(share))
        };
        let pairs: Vec<String> = self.pairs().iter().take(NAMED).map(pair).collect();
        format!("{} of the weight", pairs.join(", "))
    }

    fn hardest_rows(&self) -> String {
        let hardest = self.findings.hardest(self.y);
        let row = |&(row, against, share): &(usize, u32, f64)| {
            format!(
                "{} ({} against {}, {})",
                row + 1,
                self.name(self.y[row]),
                self.name(against),
                say::percent(share)
            )
        };
        let rows: Vec<String> = hardest.iter().take(NAMED).map(row).collect();
        format!("rows {}; {} (row, class) have weight", rows.join(", "), say::grouped(hardest.len()))
    }

    fn document(&self) -> Value {
        let f = self.findings;
        let (mut values, mut intervals) = (Map::new(), Map::new());
        for (name, _, value) in self.conditions() {
            values.insert(name.into(), json!(value.map(|value| value.lower)));
            intervals.insert(name.into(), json!(value.map(|value| [value.lower, value.upper])));
            if name == "m1" {
                values.insert("mh".into(), json!(f.m1().lower));
                intervals.insert("mh".into(), json!([f.m1().lower, f.m1().upper]));
            }
        }
        let class = |&class: &u32| json!(self.names[class as usize]);
        let subset = |subset: &Subset| {
            json!({
                "classes": subset.classes.iter().map(class).collect::<Vec<_>>(),
                "rows": subset.rows,
                "value": subset.value.map(|value| value.lower),
                "upper": subset.value.map(|value| value.upper),
            })
        };
        let pair = |&(own, against, share): &(u32, u32, f64)| json!({"class": class(&own), "against": class(&against), "share": share});
        let row = |&(row, against, share): &(usize, u32, f64)| json!({"row": row + 1, "class": class(&self.y[row]), "against": class(&against), "share": share});
        let verdicts = f.verdicts().into_iter().map(|verdict| {
            json!({"boosters": verdict.boosters, "zero_training_error": verdict.promised, "why": verdict.why})
        });
        json!({
            "rows": f.rows,
            "classes": f.classes,
            "learner": self.args.learner,
            "space": self.about,
            "exact": f.exact,
            "margin": f.margin.lower,
            "margin_at_most": f.margin.upper,
            "boostable": f.boostable(),
            "conditions": values,
            "intervals": intervals,
            "subsets": f.subsets.iter().map(subset).collect::<Vec<_>>(),
            "rounds_of_mm": f.rounds_of_mm(),
            "alike": f.alike.map(|pair| pair.map(|row| row + 1)),
            "mixture": f.margin.mixture.len(),
            "hardest_pairs": self.pairs().iter().take(LISTED).map(pair).collect::<Vec<_>>(),
            "hardest_rows": f.hardest(self.y).iter().take(LISTED).map(row).collect::<Vec<_>>(),
            "verdicts": verdicts.collect::<Vec<_>>(),
        })
    }
}

fn word(holds: Option<bool>) -> &'static str {
    match holds {
        Some(true) => "yes",
        Some(false) => "no",
        None => "open",
    }
}
