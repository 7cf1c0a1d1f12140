//! Golden traces say what a paper says; here their rounds are put into the words of models: one entry of `weak` and of
//! `alphas` for each hypothesis of a round, answers in the numbers that terms hold.

use serde_json::{Value, json};

/// Rewrites the rounds of a trace.
pub fn translate(trace: &mut Value) {
    let two = trace["variant"]["votes"] == "two";
    let words = numbers(&trace["variant"]["codewords"]);
    let (sum, rows) =
        (trace["algorithm"] == "AdaBoost.MM", trace["final_scores"].as_array().unwrap().len() as f64);
    let gradient = trace["algorithm"] == "GD-MCBoost";
    for round in trace["rounds"].as_array_mut().unwrap() {
        if let Some(classes) = round["per_class"].as_array().cloned() {
            round["weak"] = classes.iter().map(|class| class["weak"].clone()).collect();
            round["alphas"] = classes.iter().map(|class| class["alpha"].clone()).collect();
        }
        if two {
            two_votes(round);
        }
        if gradient {
            each_leaf(&mut round["weak"], &|leaf| in_score_space(leaf, &words));
        }
        if sum {
            // The sum over the rows; ours is the mean.
            let loss = round["loss"].as_f64().unwrap() / rows;
            (round["loss"], round["mean_loss"]) = (json!(loss), json!(loss));
        }
        if let Some(j) = round["coordinate"].as_u64() {
            round["mu"] = words.iter().map(|word| json!(word[j as usize])).collect();
        }
        for (theirs, ours) in [("risk", "loss"), ("minus_directional_derivative", "edge")] {
            if !round[theirs].is_null() {
                round[ours] = round[theirs].clone();
            }
        }
        if !round["weak"].is_array() {
            round["weak"] = json!([round["weak"]]);
        }
    }
}

/// AdaBoost.ECC with two votes: the answers hold the step sizes.
fn two_votes(round: &mut Value) {
    let (alpha, beta) = (round["alpha"].as_f64().unwrap(), round["beta"].as_f64().unwrap());
    each_leaf(&mut round["weak"], &|leaf| json!([if leaf[0].as_i64() == Some(1) { alpha } else { -beta }]));
    round["alpha"] = json!(1.0);
}

/// Changes what leaves answer.
fn each_leaf(tree: &mut Value, change: &impl Fn(&Value) -> Value) {
    if tree["leaf"].is_null() {
        each_leaf(&mut tree["left"], change);
        each_leaf(&mut tree["right"], change);
    } else {
        tree["leaf"] = change(&tree["leaf"]);
    }
}

/// A list of lists of numbers; nothing if it is something else.
fn numbers(rows: &Value) -> Vec<Vec<f64>> {
    let row = |row: &Value| row.as_array().map(|row| row.iter().filter_map(Value::as_f64).collect());
    rows.as_array().map(|rows| rows.iter().filter_map(row).collect()).unwrap_or_default()
}

/// What a class or a vector of the predictor adds to the scores: its products with all codewords.
fn in_score_space(leaf: &Value, words: &[Vec<f64>]) -> Value {
    let vector = match leaf.as_u64() {
        Some(class) => words[class as usize].clone(),
        None => leaf.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect(),
    };
    words.iter().map(|word| json!(word.iter().zip(&vector).map(|(a, b)| a * b).sum::<f64>())).collect()
}

/// The codewords of a variant as a file of them.
pub fn codewords(variant: &Value) -> String {
    let line = |word: &Vec<f64>| word.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(" ") + "\n";
    numbers(&variant["codewords"]).iter().map(line).collect()
}
