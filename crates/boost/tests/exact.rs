//! What must not matter does not, to the last bit of the model's file: the order of rows, threads, "twice" for "weight
//! 2", weight 0 for "not there", powers of two in weights, the type that numbers are kept in, the processor's instructions.

mod common;

use common::{
    ALL, Choice, SETS, TWO, bytes, data, is_c45, label_sets, mixed, prepared, trained, two_classes, weighted,
};
use manyboost_data::{Column, Frame, Numbers, Role, Table, Values, generate};
use manyboost_kernel::Seed;
use manyboost_kernel::numbers::cpu::{Instructions, use_at_most};

/// Where choices are random, they are a function of the seed.
const RANDOM: [Choice; 4] = [
    ("mcboost", &[("sketch", "2"), ("leaves", "8")]),
    ("mcboost", &[("features", "0.5"), ("cuts", "6"), ("leaves", "8")]),
    ("ecc", &[("features", "0.5"), ("cuts", "5"), ("learner", "product")]),
    ("samme", &[("features", "0.4"), ("cuts", "3"), ("learner", "tree"), ("depth", "3")]),
];

/// All choices on few rows (wide sums) and on many (narrow sums), with the rounds to train.
fn cases() -> Vec<(Choice, usize, usize)> {
    let choices = || ALL.iter().copied().chain(RANDOM);
    choices().map(|choice| (choice, 300, 12)).chain(choices().map(|choice| (choice, 20_000, 4))).collect()
}

/// Random numbers below `n`, one per row.
fn draws(rows: usize, n: u64, seed: u64) -> Vec<u64> {
    (0..rows as u64).map(|row| Seed::new(seed).part(row).below(n)).collect()
}

fn shuffled(rows: usize, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..rows as u32).collect();
    order.sort_by_key(|&row| Seed::new(seed).part(u64::from(row)).bits());
    order
}

fn same(a: &[u8], b: &[u8], what: &str, choice: Choice, rows: usize) {
    assert!(a == b, "{what}: {choice:?} on {rows} rows");
}

#[test]
fn order_of_rows() {
    for (choice, rows, rounds) in cases() {
        let table = data(choice, rows);
        let turned = table.select(&shuffled(rows, 5));
        same(&bytes(table, choice, rounds), &bytes(turned, choice, rounds), "order", choice, rows);
    }
}

#[test]
fn number_of_threads() {
    for (choice, rows, rounds) in cases() {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| bytes(data(choice, rows), choice, rounds))
        };
        let one = on(1);
        for threads in [2, 3, 8] {
            same(&one, &on(threads), "threads", choice, rows);
        }
    }
}

/// The rows of a table, each so often.
fn repeated(table: &Table, counts: &[u64]) -> Table {
    let each = |(row, &n): (u32, &u64)| std::iter::repeat_n(row, n as usize);
    table.select(&(0u32..).zip(counts).flat_map(each).collect::<Vec<u32>>())
}

/// The table with these whole weights.
fn counted(table: Table, counts: &[u64]) -> Table {
    weighted(table, counts.iter().map(|&count| count as f64).collect())
}

#[test]
fn weights_are_repetitions() {
    for (choice, rows, rounds) in cases() {
        let mixed: Vec<u64> = draws(rows, 3, 1).iter().map(|count| count + 1).collect();
        let even: Vec<u64> = mixed.iter().map(|count| 2 * count).collect();
        let odd: Vec<u64> = mixed.iter().map(|count| 2 * count + 1).collect();
        let all = [mixed, even, odd, vec![2; rows], vec![5; rows]];
        for counts in all.iter().take(if rows > 1000 { 1 } else { 5 }) {
            let table = data(choice, rows);
            let twice = bytes(repeated(&table, counts), choice, rounds);
            same(&twice, &bytes(counted(table, counts), choice, rounds), "repetitions", choice, rows);
        }
    }
}

#[test]
fn weight_zero_is_not_there() {
    for (choice, rows, rounds) in cases() {
        let weights: Vec<f64> = draws(rows, 4, 2).iter().map(|&weight| weight as f64).collect();
        let there: Vec<u32> = (0..rows as u32).filter(|&row| weights[row as usize] > 0.0).collect();
        let whole = weighted(data(choice, rows), weights);
        let part = whole.select(&there);
        same(&bytes(whole, choice, rounds), &bytes(part, choice, rounds), "weight 0", choice, rows);
    }
}

#[test]
fn powers_of_two_in_weights() {
    for (choice, rows, rounds) in cases() {
        // Whole numbers are counts, so that factors between them matter; those of other weights do not.
        let weigh: [fn(u64) -> f64; 2] = [|n| (n as f64 + 1.0) / 32.0, |n| 0.37 + (n as f64).sqrt()];
        for weight in weigh {
            let scaled = |factor: f64| {
                let weights = draws(rows, 5, 3).iter().map(|&n| factor * weight(n)).collect();
                bytes(weighted(data(choice, rows), weights), choice, rounds)
            };
            let one = scaled(1.0);
            same(&one, &scaled(2f64.powi(-30)), "2^-30", choice, rows);
            same(&one, &scaled(2f64.powi(3)), "2^3", choice, rows);
        }
    }
}

#[test]
fn fractional_weights_leave_enough_bits_to_values() {
    let weights: Vec<f64> = draws(600, 7, 3).iter().map(|&n| 0.37 + (n as f64).sqrt()).collect();
    let table = || weighted(mixed(600), weights.clone());
    for booster in ["samme", "mm", "mh", "mh-real"] {
        let trained = |options| trained(&prepared(table()), (booster, options), 8).ensemble;
        assert_eq!(trained(&[]), trained(&[("precision", "wide")]), "{booster}");
    }
}

#[test]
fn single_and_double_precision() {
    let kept = |choice: Choice, rows: usize, single: bool| {
        let mut table = data(choice, rows);
        for column in &mut table.columns {
            if let Values::Numbers(numbers) = &mut column.values {
                let values: Vec<f32> = (0..rows).map(|row| numbers.get(row) as f32).collect();
                *numbers = if single {
                    Numbers::F32(values)
                } else {
                    Numbers::F64(values.into_iter().map(f64::from).collect())
                };
            }
        }
        table
    };
    for (choice, rows, rounds) in cases() {
        let (single, double) = (
            bytes(kept(choice, rows, true), choice, rounds),
            bytes(kept(choice, rows, false), choice, rounds),
        );
        same(&single, &double, "precision", choice, rows);
    }
}

/// Compares with what comes of fewer instructions.
fn with_fewer_instructions(all: &[u8], choice: Choice, rows: usize, again: impl Fn() -> Vec<u8>) {
    for instructions in [Instructions::Plain, Instructions::Avx2] {
        use_at_most(instructions);
        let fewer = again();
        use_at_most(Instructions::Avx512);
        same(all, &fewer, "instructions", choice, rows);
    }
}

#[test]
fn plain_code_and_vector_instructions() {
    for (choice, rows, rounds) in cases() {
        let all = bytes(data(choice, rows), choice, rounds);
        with_fewer_instructions(&all, choice, rows, || bytes(data(choice, rows), choice, rounds));
    }
}

#[test]
fn two_classes_and_label_sets() {
    let choices = TWO.iter().map(|choice| (choice, two_classes as fn(usize) -> Table));
    let choices = choices.chain(SETS.iter().map(|choice| (choice, label_sets as fn(usize) -> Table)));
    for (&choice, table) in choices {
        for (rows, rounds) in [(300, 8), (20_000, 3)] {
            let usual = bytes(table(rows), choice, rounds);
            let turned = table(rows).select(&shuffled(rows, 6));
            same(&usual, &bytes(turned, choice, rounds), "order", choice, rows);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
            same(&usual, &pool.install(|| bytes(table(rows), choice, rounds)), "threads", choice, rows);
            let counts = draws(rows, 3, 1);
            let repeated: Vec<u32> =
                (0u32..).zip(&counts).flat_map(|(row, &n)| std::iter::repeat_n(row, n as usize)).collect();
            let twice = bytes(table(rows).select(&repeated), choice, rounds);
            let weights = |factor: f64| counts.iter().map(|&n| factor * n as f64).collect::<Vec<f64>>();
            for factor in [1.0, 0.125] {
                let heavy = bytes(weighted(table(rows), weights(factor)), choice, rounds);
                same(&twice, &heavy, "weights", choice, rows);
            }
        }
    }
}

#[test]
fn many_classes() {
    // More channels than fit a vector register, with and without a sketch of them.
    let shape = generate::blobs::BlobShape { classes: 37, features: 6, noise: 2, ..Default::default() };
    let table = || generate::blobs::blobs(3000, &shape, 4);
    let choices: [Choice; 9] = [
        ("mh-real", &[]),
        ("mo", &[]),
        ("mr", &[]),
        ("samme", &[("learner", "tree"), ("leaves", "40")]),
        ("mm", &[("learner", "tree"), ("leaves", "40")]),
        ("mcboost", &[]),
        ("mcboost", &[("sketch", "5")]),
        ("samme", &[("learner", "linear")]),
        ("iter", &[("learner", "linear"), ("epoch", "2")]),
    ];
    for choice in choices {
        let usual = bytes(table(), choice, 3);
        with_fewer_instructions(&usual, choice, 3000, || bytes(table(), choice, 3));
        same(&usual, &bytes(table().select(&shuffled(3000, 6)), choice, 3), "order", choice, 3000);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        same(&usual, &pool.install(|| bytes(table(), choice, 3)), "threads", choice, 3000);
        let twice: Vec<u32> = (0..3000).chain([7, 7, 2999]).collect();
        let weight = |row: u32| f64::from(1 + 2 * u32::from(row == 7) + u32::from(row == 2999));
        let weights = (0..3000).map(weight).collect();
        let repeated = bytes(table().select(&twice), choice, 3);
        same(&repeated, &bytes(weighted(table(), weights), choice, 3), "repetitions", choice, 3000);
    }
}

/// A copy of a column under another name.
fn copy(table: &Table, name: &str, new: &str) -> Column {
    Column { name: new.into(), ..table.column(name).unwrap().clone() }
}

#[test]
fn constant_and_repeated_columns_change_no_prediction() {
    for &choice in ALL {
        for rows in [300, 20_000] {
            let scores = |table: Table| {
                let model = trained(&prepared(table.clone()), choice, 6);
                let frame = Frame::new(table, &model.encoder).unwrap();
                model.predictor().scores(&frame).values().iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            };
            let usual = scores(data(choice, rows));
            let mut constant = data(choice, rows);
            let values = Values::Numbers(Numbers::F64(vec![3.5; rows]));
            let role = Role::Feature(Some(manyboost_data::Kind::Number));
            constant.columns.insert(1, Column { name: "same".into(), role, values });
            assert!(scores(constant) == usual, "constant: {choice:?} on {rows} rows");
            // C4.5 takes tests that gain as much as the average of all, which a repeated column changes.
            let repeats: &[&str] = if is_c45(choice) { &[] } else { &["x2", "colour", "text"] };
            for &name in repeats {
                // Among equal cuts the first column wins, so the copy must not overtake the other columns.
                let columns = data(choice, rows).columns;
                let Some(own) = columns.iter().position(|column| column.name == name) else { continue };
                for at in [own, own + 1, columns.len() - 1] {
                    let mut repeated = data(choice, rows);
                    let column = copy(&repeated, name, "again");
                    repeated.columns.insert(at, column);
                    assert!(scores(repeated) == usual, "{name} again at {at}: {choice:?} on {rows} rows");
                }
            }
        }
    }
}
