//! AdaBoost.M2 round by round against Freund & Schapire (1997), figure 4, written down as it is printed: a distribution over mislabels,
//! answers in {0, 1}, the pseudo-loss, β, and every stump tried. Ours is AdaBoost.MR with answers ±1 and half the step for each.

use manyboost::engine::train::Training;
use manyboost::model::answers::Answers;
use manyboost::model::hypothesis::Cells;
use manyboost::model::tree::Test;
use manyboost::predict::Predictor;
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::{EncodeOptions, Frame, Labels, Limits, PrepareOptions, TrainingPlan, prepare, read};

/// Features and the class of each row.
struct Rows {
    x: Vec<Vec<f64>>,
    y: Vec<usize>,
    k: usize,
}

/// A stump: what each side says of each label, 1 or 0.
#[derive(Clone, Debug)]
struct Stump {
    feature: usize,
    threshold: f64,
    sides: [Vec<f64>; 2],
    pseudo_loss: f64,
}

impl Rows {
    fn read(name: &str) -> Self {
        let path = format!("{}/tests/golden/data/{name}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let rows = text.lines().skip(1).map(|line| line.split(',').map(|x| x.parse().unwrap()).collect());
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for mut row in rows.collect::<Vec<Vec<f64>>>() {
            y.push(row.pop().unwrap() as usize);
            x.push(row);
        }
        let k = y.iter().max().unwrap() + 1;
        Self { x, y, k }
    }

    /// The best stump on one threshold. The pseudo-loss ½ Σ D(i, l) (1 − h(xᵢ, yᵢ) + h(xᵢ, l)) is linear in each answer.
    fn stump(&self, d: &[Vec<f64>], feature: usize, threshold: f64) -> Stump {
        let side = |i: usize| usize::from(self.x[i][feature] > threshold);
        // What the answer 1 costs instead of 0.
        let mut costs = [vec![0.0; self.k], vec![0.0; self.k]];
        for (i, d) in d.iter().enumerate() {
            for (l, d) in d.iter().enumerate() {
                costs[side(i)][l] += 0.5 * d;
                costs[side(i)][self.y[i]] -= 0.5 * d;
            }
        }
        let sides =
            costs.map(|costs| costs.iter().map(|&cost| f64::from(u8::from(cost < 0.0))).collect::<Vec<_>>());
        let h = |i: usize, l: usize| sides[side(i)][l];
        let each = |i: usize, l: usize| 0.5 * d[i][l] * (1.0 - h(i, self.y[i]) + h(i, l));
        let pseudo_loss =
            (0..d.len()).flat_map(|i| (0..self.k).map(move |l| (i, l))).map(|(i, l)| each(i, l)).sum();
        Stump { feature, threshold, sides, pseudo_loss }
    }

    /// All stumps, the best first.
    fn stumps(&self, d: &[Vec<f64>]) -> Vec<Stump> {
        let mut stumps = Vec::new();
        for feature in 0..self.x[0].len() {
            let mut values: Vec<f64> = self.x.iter().map(|x| x[feature]).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            stumps.extend(values.windows(2).map(|w| self.stump(d, feature, f64::midpoint(w[0], w[1]))));
        }
        stumps.sort_by(|a, b| a.pseudo_loss.total_cmp(&b.pseudo_loss));
        stumps
    }
}

fn near(what: &str, ours: f64, theirs: f64) {
    assert!((ours - theirs).abs() <= 1e-9 * theirs.abs().max(1.0), "{what}: ours {ours}, theirs {theirs}");
}

/// Compares round by round; says how many rounds had one best stump.
fn same(name: &str, wanted: usize) -> usize {
    let path = format!("{}/tests/golden/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let plan = TrainingPlan { target: Some("y".into()), ..TrainingPlan::default() };
    let table = read(&path, &plan, &Limits::default()).unwrap();
    let encode = EncodeOptions { bins: 0, ..EncodeOptions::default() };
    let prepared = prepare(table.clone(), &PrepareOptions { encode, ..PrepareOptions::default() }).unwrap();
    let options = [("rounds".to_string(), wanted.to_string())];
    let setup = Setup::new("m2", Options::new(options)).unwrap().for_data(&prepared.dataset).unwrap();
    let plan = setup.plan(0, None);
    let run = Training::new(&plan, &prepared.dataset, &prepared.encoder).outcome().unwrap();
    let told = setup.bounds(&prepared.dataset.labels).of_run(&run);
    let frame = Frame::new(table, &prepared.encoder).unwrap();

    let rows = Rows::read(name);
    let Labels::Classes { of, .. } = &prepared.dataset.labels else { panic!("classes") };
    assert_eq!(of.iter().map(|&class| class as usize).collect::<Vec<_>>(), rows.y);
    let (m, k) = (rows.y.len(), rows.k);
    // D₁ is uniform over the pairs of a row and a label that it has not.
    let one = 1.0 / (m * (k - 1)) as f64;
    let mut d: Vec<Vec<f64>> =
        rows.y.iter().map(|&y| (0..k).map(|l| if l == y { 0.0 } else { one }).collect()).collect();
    let (mut votes, mut bound) = (vec![vec![0.0; k]; m], k as f64 - 1.0);
    for (t, (terms, told)) in run.ensemble.rounds.iter().zip(&told).enumerate() {
        let stumps = rows.stumps(&d);
        if stumps[1].pseudo_loss - stumps[0].pseudo_loss < 1e-9 {
            return t;
        }
        let (what, h) = (format!("{name}, round {}", t + 1), &stumps[0]);
        let (e, beta) = (h.pseudo_loss, h.pseudo_loss / (1.0 - h.pseudo_loss));
        let [term] = &terms[..] else { panic!("{what}: one hypothesis") };
        let Cells::Tree(tree) = &term.hypothesis.cells else { panic!("{what}: a stump") };
        let Test::AtMost(threshold) = tree.nodes[0].test else { panic!("{what}: a threshold") };
        assert_eq!(tree.nodes[0].feature as usize, h.feature, "{what}");
        near(&what, threshold, h.threshold);
        let Answers::Vectors { values, .. } = &term.hypothesis.answers else { panic!("{what}: signs") };
        let theirs: Vec<f64> = h.sides.concat().iter().map(|h| 2.0 * h - 1.0).collect();
        assert_eq!(values, &theirs, "{what}");
        near(&format!("{what}: step"), 2.0 * term.alpha, (1.0 / beta).ln());
        near(&format!("{what}: edge"), told.record.edge.unwrap(), 1.0 - 2.0 * e);
        // Dₜ₊₁ ∝ Dₜ β^{½ (1 + h(xᵢ, yᵢ) − h(xᵢ, l))}.
        let mut sum = 0.0;
        for i in 0..m {
            let says = &h.sides[usize::from(rows.x[i][h.feature] > h.threshold)];
            for l in 0..k {
                d[i][l] *= beta.powf(0.5 * (1.0 + says[rows.y[i]] - says[l]));
                sum += d[i][l];
                votes[i][l] += (1.0 / beta).ln() * says[l];
            }
        }
        d.iter_mut().flatten().for_each(|d| *d /= sum);
        // Z of AdaBoost.MR is β^−½ times the sum, and their bound is (k − 1) ∏ 2 √(ε (1 − ε)): no less than ours.
        near(&format!("{what}: Z"), told.record.z.unwrap(), sum / beta.sqrt());
        bound *= 2.0 * (e * (1.0 - e)).sqrt();
        let (ours, error) = (told.bound.error.unwrap(), told.record.train_error);
        assert!(error <= ours && ours <= bound * (1.0 + 1e-9), "{what}: {error}, {ours}, {bound}");
        let argmax =
            |votes: &[f64]| (0..k).fold(0, |best, l| if votes[l] > votes[best] + 1e-9 { l } else { best });
        let wrong = votes.iter().zip(&rows.y).filter(|(votes, y)| argmax(votes) != **y).count();
        near(&format!("{what}: error"), error, wrong as f64 / m as f64);
        let scores = Predictor::new(&run.ensemble, t + 1).scores(&frame);
        for (i, votes) in votes.iter().enumerate() {
            for l in 1..k {
                let ours = scores.row(i)[l] - scores.row(i)[0];
                near(&format!("{what}: row {i}, label {l}"), ours, votes[l] - votes[0]);
            }
        }
    }
    run.history.len()
}

#[test]
fn rounds_are_those_of_the_paper() {
    for (name, rounds) in [("tri.csv", 10), ("quad.csv", 10)] {
        let same = same(name, rounds);
        assert!(same >= 5, "{name}: only {same} rounds have one best stump");
    }
}
