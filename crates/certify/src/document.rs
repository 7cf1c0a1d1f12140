//! An answer as one JSON document.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::conditions::{Interval, Subset};
use crate::question::Answer;
use crate::verdict::ProvedRun;

/// Hard rows and pairs of classes that are listed.
const LISTED: usize = 100;

impl Answer {
    /// The conditions: name, what it is for, and its value (none if no classifier is there to have one).
    pub fn conditions(&self) -> Vec<(&'static str, &'static str, Option<Interval>)> {
        let f = &self.findings;
        let mut conditions = vec![
            ("mr", "boostable: MM, MR, OS (minimal)", Some(f.margin_interval())),
            ("edge_over_random", "edge over random: OS (uniform)", Some(f.edge_over_random)),
            ("m1", "accuracy above 1/2: M1, MH", Some(f.m1())),
            ("mh_of_sets", "the same of rows and classes: MH with a sign a class", f.mh_of_sets),
            ("mr_of_sets", "leads of the own class by signs: MR", f.mr_of_sets),
            ("samme", "accuracy above 1/k: SAMME, weak boostability", Some(f.samme())),
            ("iterative", "iterative weak learnability: Iter's first epoch", f.iterative()),
        ];
        if let Some(baseline) = self.baseline {
            conditions.push(("baseline", "what is left below the baseline that was given", Some(baseline)));
        }
        if let Some(costs) = self.costs {
            conditions.push((
                "costs",
                "cheaper than the baseline on the matrices that were given",
                Some(costs),
            ));
        }
        if f.subsets.len() > 1 {
            let what = "  the least on smaller sets of classes";
            conditions.push(("iterative_on_parts", what, f.iterative_on_parts()));
        }
        conditions
    }

    /// The pairs (class, class that it is taken for) by their share of the hardest weights.
    pub fn pairs(&self) -> Vec<(u32, u32, f64)> {
        let mut shares: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for (row, against, share) in self.findings.hardest(&self.y) {
            *shares.entry((self.y[row], against)).or_default() += share;
        }
        let mut pairs: Vec<_> =
            shares.into_iter().map(|((own, against), share)| (own, against, share)).collect();
        pairs.sort_by(|a, b| b.2.total_cmp(&a.2));
        pairs
    }

    /// All of it.
    pub fn document(&self) -> Value {
        let f = &self.findings;
        let (mut values, mut intervals) = (Map::new(), Map::new());
        for (name, _, value) in self.conditions() {
            // Ψ > 0 of a mixture is a vote above 1/k for the own class: SAMME's condition, by duality.
            let names: &[&str] = match name {
                "m1" => &["m1", "mh"],
                "samme" => &["samme", "weakly_boostable"],
                name => &[name],
            };
            for &name in names {
                values.insert(name.into(), json!(value.map(|value| value.lower)));
                intervals.insert(name.into(), json!(value.map(|value| [value.lower, value.upper])));
            }
        }
        let class = |class: u32| json!(self.names[class as usize]);
        let subset = |subset: &Subset| {
            json!({
                "classes": subset.classes.iter().map(|&l| class(l)).collect::<Vec<_>>(),
                "rows": subset.rows,
                "value": subset.value.map(|value| value.lower),
                "upper": subset.value.map(|value| value.upper),
            })
        };
        let pair = |&(own, against, share): &(u32, u32, f64)| json!({"class": class(own), "against": class(against), "share": share});
        let row = |&(row, against, share): &(usize, u32, f64)| json!({"row": row + 1, "class": class(self.y[row]), "against": class(against), "share": share});
        let run = |run: &ProvedRun| {
            let options: Map<String, Value> =
                self.options(run).into_iter().map(|(name, value)| (name.to_string(), json!(value))).collect();
            json!({"booster": run.booster, "options": options})
        };
        let verdicts = f.verdicts().into_iter().map(|verdict| {
            let runs: Vec<Value> = verdict.runs.iter().map(run).collect();
            json!({
                "boosters": verdict.boosters,
                "zero_training_error": verdict.promised,
                "why": verdict.why,
                "runs": runs,
            })
        });
        json!({
            "rows": f.rows,
            "classes": f.classes,
            "learner": self.learner,
            "space": self.space,
            "exact": f.exact,
            "margin": f.margin.lower,
            "margin_at_most": f.margin.upper,
            "boostable": f.boostable(),
            "conditions": values,
            "intervals": intervals,
            "subsets": f.subsets.iter().map(subset).collect::<Vec<_>>(),
            "rounds_of_mm": f.rounds_of_mm(),
            "beats_guessing": f.beats_guessing,
            "symmetric": f.symmetric,
            "separates": f.separates,
            "alike": f.alike.map(|pair| pair.map(|row| row + 1)),
            "mixture": f.margin.mixture.len(),
            "hardest_pairs": self.pairs().iter().take(LISTED).map(pair).collect::<Vec<_>>(),
            "hardest_rows": f.hardest(&self.y).iter().take(LISTED).map(row).collect::<Vec<_>>(),
            "verdicts": verdicts.collect::<Vec<_>>(),
        })
    }
}
