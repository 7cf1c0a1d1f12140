//! The theory as tools: games that are played, bounds from margins, clamped scores, f(x) behind the scores.

mod common;

use common::{fine, run};
use serde_json::Value;

fn json(folder: &tempfile::TempDir, arguments: &str) -> Value {
    serde_json::from_str(&fine(folder.path(), arguments).stdout).unwrap()
}

#[test]
fn games_are_played_to_their_bounds() {
    let folder = tempfile::tempdir().unwrap();
    for options in ["", "--condition minimal", "--loss hinge", "--loss exponential --eta 0.2"] {
        let game =
            json(&folder, &format!("game play os --edge 0.1 --rounds 8 --examples 500 --json {options}"));
        let (bound, last) = (game["bound"].as_f64().unwrap(), &game["rounds"][7]);
        assert!(last["error"].as_f64().unwrap() <= bound + 1e-9, "{options}: {last}");
        assert!(last["potential"].as_f64().unwrap() > bound - 0.1 * bound.max(1.0), "{options}: {bound}");
        assert_eq!(last["potentials"].as_array().unwrap().len(), 500);
    }
    let path = folder.path().join("g.svg");
    let text = fine(folder.path(), "game play mm --classes 4 --edge 0.2 --rounds 5 --svg g.svg").stdout;
    assert!(text.contains("the bound on the error at the end is"), "{text}");
    assert!(std::fs::read_to_string(path).unwrap().starts_with("<svg"));
    // SAMME is satisfied with classifiers that tell nothing apart.
    let samme = json(&folder, "game play samme --learner lazy --edge 0.05 --rounds 40 --json");
    assert_eq!(samme["rounds"][39]["error"], 0.5);
    let mm = json(&folder, "game play mm --learner lazy --edge 0.1 --rounds 40 --json");
    assert_eq!(mm["rounds"].as_array().unwrap().last().unwrap()["error"], 0.0);
    for (arguments, words) in [
        ("game play samme --edge 0.1 --rounds 3", "os and mm"),
        ("game play os --learner lazy --edge 0.1 --rounds 3", "samme and mm"),
        ("game play mm --loss hinge --edge 0.1 --rounds 3", "--loss is an option of game play os"),
        ("game play mm --learner lazy --classes 3 --edge 0.1 --rounds 3", "--classes is an option"),
    ] {
        let done = run(folder.path(), arguments);
        assert!(done.status == Some(2) && done.stderr.contains(words), "{arguments}: {}", done.stderr);
    }
}

#[test]
fn potentials_of_baselines_and_sequences() {
    let folder = tempfile::tempdir().unwrap();
    let phi = |rest: &str| {
        json(&folder, &format!("game potentials --classes 3 --json {rest}"))["phi"].as_f64().unwrap()
    };
    let uniform = phi("--edge 0.1 --rounds 5");
    let given = phi("--edge 0.1 --rounds 5 --baseline 0.4,0.3,0.3");
    assert!((uniform - given).abs() < 1e-12);
    assert!((phi("--edge 0.1,0.1,0.1,0.1,0.1 --rounds 5") - uniform).abs() < 1e-15);
    assert!(phi("--edge 0.3,0.2,0.1 --rounds 3") < phi("--edge 0.1 --rounds 3"));
    assert!(phi("--edge 0.1 --rounds 5 --loss hinge") > uniform);
    let light = json(
        &folder,
        "game potentials --classes 3 --edge 0.01 --rounds 5 --loss exponential --eta 0.05 --json",
    );
    assert_eq!((&light["light"], &light["can_fall"]), (&Value::Bool(true), &Value::Bool(false)));
    for (arguments, words) in [
        ("--edge 0.1 --rounds 5 --baseline 0.4,0.6", "not a distribution over 3 classes"),
        ("--edge 0.3 --rounds 5 --baseline 0.4,0.3,0.3", "ahead of every other"),
        ("--edge 0.1,0.2 --rounds 5", "--edge has 2 edges"),
    ] {
        let done = run(folder.path(), &format!("game potentials --classes 3 {arguments}"));
        assert!(done.status == Some(2) && done.stderr.contains(words), "{arguments}: {}", done.stderr);
    }
    let bounds = json(&folder, "game bound --classes 5 --edge 0.4 --rounds 10 --json");
    let skewed = bounds["bounds"][9]["skewed_mh"].as_f64().unwrap();
    assert!((skewed - 2.0 * (-0.8f64).exp()).abs() < 1e-12);
}

#[test]
fn margins_of_epochs_bits_and_real_answers() {
    let folder = tempfile::tempdir().unwrap();
    fine(folder.path(), "generate gaussians --rows 300 --out d.csv");
    fine(folder.path(), "train d.csv --booster iter --epoch 6 --out i.model");
    let margins = &json(&folder, "inspect i.model --data d.csv --json")["margins"];
    let epochs = margins["epochs"].as_array().unwrap();
    assert_eq!(epochs.iter().map(|epoch| epoch["classes"].as_u64().unwrap()).collect::<Vec<_>>(), [3, 2]);
    assert_eq!(epochs[0]["listed"], 1.0);
    let all: f64 =
        epochs.iter().map(|e| e["share_at_most_theta"].as_f64().unwrap() + e["term"].as_f64().unwrap()).sum();
    assert!((margins["generalisation"]["bound"].as_f64().unwrap() - all).abs() < 1e-12);
    assert!(fine(folder.path(), "inspect i.model --data d.csv").stdout.contains("the sum of all epochs"));
    for (booster, vote, vc) in [("mo", false, false), ("mh-real", true, true), ("mm", true, true)] {
        fine(folder.path(), &format!("train d.csv --booster {booster} --rounds 5 --out m.model"));
        let margins = &json(&folder, "inspect m.model --data d.csv --json")["margins"];
        assert!(margins["label"]["least"].is_number() && margins["vote"].is_object() == vote, "{booster}");
        // Boosting has got most labels right, or most bits.
        let wrong = margins["label"]["at_most_0"].as_f64().unwrap();
        assert!(booster == "mm" || wrong < 0.3, "{booster}: {wrong}");
        assert!(margins["real"]["bound"].as_f64().unwrap() > 0.0, "{booster}");
        assert_eq!(margins["vc"]["bound"].is_number(), vc, "{booster}");
        let text = fine(folder.path(), "inspect m.model --data d.csv").stdout;
        assert!(text.contains("pseudodimension"), "{text}");
    }
}

#[test]
fn scores_are_clamped_and_embedded() {
    let folder = tempfile::tempdir().unwrap();
    fine(folder.path(), "generate blobs --rows 200 --out d.csv");
    fine(folder.path(), "train d.csv --booster gd-mcboost --dim 2 --rounds 10 --out m.model");
    let rows = |what: &str| -> Vec<(String, Vec<f64>)> {
        let text = fine(folder.path(), &format!("predict m.model d.csv {what}")).stdout;
        let row = |line: &str| {
            let mut cells = line.split(',');
            (cells.next().unwrap().to_string(), cells.map(|x| x.parse().unwrap()).collect())
        };
        text.lines().skip(1).map(row).collect()
    };
    let (scores, clamped, embedded) = (rows("--scores"), rows("--scores --clamp 0.5"), rows("--embed"));
    let classes = scores[0].1.len();
    let words: Vec<Vec<f64>> =
        json(&folder, &format!("codewords --classes {classes} --dim 2 --json --svg w.svg"))["codewords"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect())
            .collect();
    let svg = std::fs::read_to_string(folder.path().join("w.svg")).unwrap();
    assert_eq!(svg.matches("<text").count(), classes);
    for ((score, clamp), embed) in scores.iter().zip(&clamped).zip(&embedded) {
        assert!(score.0 == clamp.0 && score.0 == embed.0);
        assert!(clamp.1.iter().all(|x| (-0.5..=0.0).contains(x)) && clamp.1.contains(&0.0));
        for (k, word) in words.iter().enumerate() {
            let again = word.iter().zip(&embed.1).map(|(y, f)| y * f).sum::<f64>();
            assert!((again - score.1[k]).abs() < 1e-6, "{again} {}", score.1[k]);
        }
    }
    let margins = &json(&folder, "inspect m.model --data d.csv --json")["margins"];
    let (least, proved) = (margins["codeword"]["least"].as_f64().unwrap(), &margins["codeword_at_least"]);
    assert!(proved.as_f64().unwrap() <= least + 1e-9, "{proved} {least}");
    // At first all rows count, and all wrong classes for each; later fewer.
    let weightings = margins["weightings"].as_array().unwrap();
    let figure = |at: usize, name: &str| weightings[at][name].as_f64().unwrap();
    assert!(
        (figure(0, "rows") - 1.0).abs() < 1e-9
            && (figure(0, "classes") - (classes as f64 - 1.0)).abs() < 1e-9
    );
    let last = weightings.len() - 1;
    assert!(
        weightings[last]["round"] == 10
            && figure(last, "rows") < 1.0
            && figure(last, "classes") < classes as f64 - 1.0
    );
    let deviation = &json(&folder, "evaluate m.model d.csv --bootstrap 100 --json")["error_deviation"];
    assert!((0.0..0.2).contains(&deviation.as_f64().unwrap()));
    fine(folder.path(), "losses --svg l.svg");
    let svg = std::fs::read_to_string(folder.path().join("l.svg")).unwrap();
    assert_eq!(svg.matches("<g ").count(), 4);
    fine(folder.path(), "train d.csv --booster mm --rounds sqrt --out m.model");
    assert_eq!(json(&folder, "inspect m.model --json")["rounds"], 15);
    let done = run(folder.path(), "predict m.model d.csv --embed");
    assert!(done.status == Some(2) && done.stderr.contains("has no codewords"), "{}", done.stderr);
}
