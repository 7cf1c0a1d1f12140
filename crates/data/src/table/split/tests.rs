use proptest::prelude::*;

use manyboost_kernel::exchange::Meeting;

use super::*;
use crate::schema::role::Kind;

/// Rows of a number and one of three classes, and their weights.
fn table(rows: &[(i8, u32)], weights: Option<&[f64]>) -> Table {
    let column = |name: &str, role, values| Column { name: name.into(), role, values };
    let numbers = |values: Vec<f64>| Values::Numbers(Numbers::F64(values));
    let mut columns = vec![
        column(
            "x",
            Role::Feature(Some(Kind::Number)),
            Values::Numbers(Numbers::I8(rows.iter().map(|r| r.0).collect())),
        ),
        column("y", Role::Target, numbers(rows.iter().map(|r| f64::from(r.1)).collect())),
    ];
    columns.extend(weights.map(|w| column("w", Role::Weight, numbers(w.to_vec()))));
    Table { source: "t".into(), columns, rows: rows.len(), notes: Vec::new() }
}

fn values(table: &Table, name: &str) -> Vec<f64> {
    let Values::Numbers(numbers) = &table.column(name).unwrap().values else { panic!("numbers") };
    (0..table.rows).map(|row| numbers.get(row)).collect()
}

/// How often each row is there.
fn counts(table: &Table) -> Vec<(i64, i64, u64)> {
    let weights =
        table.columns.iter().find(|column| column.role == Role::Weight).map(|c| values(table, &c.name));
    let (x, y) = (values(table, "x"), values(table, "y"));
    let mut all: Vec<(i64, i64, u64)> = Vec::new();
    let mut rows: Vec<(i64, i64, u64)> = (0..table.rows)
        .map(|row| (x[row] as i64, y[row] as i64, weights.as_ref().map_or(1, |w| w[row] as u64)))
        .collect();
    rows.sort_unstable();
    for (x, y, n) in rows {
        match all.last_mut() {
            Some(last) if (last.0, last.1) == (x, y) => last.2 += n,
            _ => all.push((x, y, n)),
        }
    }
    all
}

fn spread(n: u32) -> Vec<(i8, u32)> {
    (0..n).map(|row| ((row % 100) as i8, row / 100 % 3)).collect()
}

#[test]
fn parts_are_exact_and_seeded() {
    let rows: Vec<(i8, u32)> = (0..120).map(|row| (row, u32::from(row % 7 == 0))).collect();
    let table = table(&rows, None);
    let line = |seed| Line::of(&table, false, seed).unwrap();
    let [kept, held] = line(7).split(0.2).unwrap();
    assert_eq!((kept.rows.len(), held.rows.len()), (96, 24));
    assert_eq!((&kept.counts, &held.counts), (&None, &None));
    let mut all = [kept.rows, held.rows.clone()].concat();
    all.sort_unstable();
    assert_eq!(all, (0..120).collect::<Vec<u32>>());
    assert_eq!(line(7).split(0.2).unwrap()[1], held);
    assert_ne!(line(8).split(0.2).unwrap()[1], held);
    assert_eq!(line(1).split(0.001).unwrap()[1].rows.len(), 1);
}

#[test]
fn folds_are_even_in_every_class() {
    let rows: Vec<(i8, u32)> = (0..103).map(|row| (row, u32::from(row % 7 == 0))).collect();
    let table = table(&rows, None);
    let line = Line::of(&table, true, 3).unwrap();
    let mut all = Vec::new();
    for fold in 0..5 {
        let [_, held] = line.fold(5, fold);
        let of = |class: u32| held.rows.iter().filter(|&&row| rows[row as usize].1 == class).count();
        assert!((17..=18).contains(&of(0)) && of(1) == 3, "{} and {}", of(0), of(1));
        all.extend(held.rows);
    }
    all.sort_unstable();
    assert_eq!(all, (0..103).collect::<Vec<u32>>());
    assert!(line.check_folds(1).is_err() && line.check_folds(104).is_err() && line.check_folds(103).is_ok());
}

#[test]
fn copies_are_held_out_one_by_one() {
    let weights = [10.0, 10.0, 20.0];
    let table = table(&[(1, 0), (2, 0), (3, 1)], Some(&weights));
    let [kept, held] = table.split(0.3, 5).unwrap();
    assert_eq!(counts(&held), [(1, 0, 3), (2, 0, 3), (3, 1, 6)]);
    assert_eq!(counts(&kept), [(1, 0, 7), (2, 0, 7), (3, 1, 14)]);
}

#[test]
fn other_weights_stay_with_their_rows() {
    let weights: Vec<f64> = (0..50).map(|row| 0.5 + f64::from(row % 5)).collect();
    let table = table(&spread(50), Some(&weights));
    let [kept, held] = table.split(0.2, 5).unwrap();
    assert_eq!((kept.rows, held.rows), (40, 10));
    for part in [kept, held] {
        let (x, w) = (values(&part, "x"), values(&part, "w"));
        assert!(x.iter().zip(w).all(|(&x, w)| w == weights[x as usize]));
    }
}

#[test]
fn nonsense_is_refused() {
    let line = Line::of(&table(&spread(10), None), false, 0).unwrap();
    for fraction in [0.0, 1.0, 1.5, -1.0, f64::NAN] {
        assert!(line.split(fraction).is_err());
    }
    assert!(Line::of(&table(&spread(1), None), false, 0).unwrap().split(0.5).is_err());
    let wrong = Line::of(&table(&spread(2), Some(&[1.0, -1.0])), false, 0);
    assert!(wrong.is_err_and(|error| error.what().contains("row 2")));
}

proptest! {
    #[test]
    fn neither_order_nor_repetition_matters(
        rows in prop::collection::vec((0i8..6, 0u32..3, 0u32..5), 2..30), turn in 0usize..30, seed in any::<u64>()
    ) {
        let weights: Vec<f64> = rows.iter().map(|r| f64::from(r.2)).collect();
        prop_assume!(weights.iter().sum::<f64>() >= 3.0);
        let plain: Vec<(i8, u32)> = rows.iter().map(|r| (r.0, r.1)).collect();
        let mut repeated: Vec<(i8, u32)> =
            rows.iter().flat_map(|r| vec![(r.0, r.1); r.2 as usize]).collect();
        let at = turn % repeated.len();
        repeated.rotate_left(at);
        let (heavy, twice) = (table(&plain, Some(&weights)), table(&repeated, None));
        let all = |table: &Table| {
            let line = Line::of(table, true, seed).unwrap();
            let split = Line::of(table, false, seed).unwrap().split(0.3).unwrap();
            let parts = (0..3).flat_map(|fold| line.fold(3, fold)).chain(split);
            parts.map(|part| table.part(&part)).collect::<Vec<_>>()
        };
        for (at, (a, b)) in all(&heavy).iter().zip(all(&twice)).enumerate() {
            prop_assert_eq!(counts(a), counts(&b));
            if at % 2 == 1 {
                // What is held out is in one order, equal rows as one.
                prop_assert_eq!((values(a, "x"), values(a, "y")), (values(&b, "x"), values(&b, "y")));
            }
        }
        let folds: u64 = (0..3).map(|fold| {
            let held = heavy.part(&Line::of(&heavy, true, seed).unwrap().fold(3, fold)[1]);
            counts(&held).iter().map(|c| c.2).sum::<u64>()
        }).sum();
        prop_assert_eq!(folds, weights.iter().sum::<f64>() as u64);
    }
}

/// Rows of a number and two labels, with a column of weights at a place.
fn sets(rows: &[[i8; 3]], weights: Option<(usize, &[f64])>) -> Table {
    let names =
        [("x", Role::Feature(Some(Kind::Number))), ("label:a", Role::Label), ("label:b", Role::Label)];
    let mut columns: Vec<Column> = names
        .into_iter()
        .enumerate()
        .map(|(at, (name, role))| {
            let values = Values::Numbers(Numbers::I8(rows.iter().map(|row| row[at]).collect()));
            Column { name: name.into(), role, values }
        })
        .collect();
    if let Some((at, weights)) = weights {
        let values = Values::Numbers(Numbers::F64(weights.to_vec()));
        columns.insert(at, Column { name: "w".into(), role: Role::Weight, values });
    }
    Table { source: "t".into(), columns, rows: rows.len(), notes: Vec::new() }
}

#[test]
fn a_column_of_weights_may_stand_anywhere() {
    let rows: Vec<[i8; 3]> = (0..100).map(|i| [i, i % 2, i8::from(i % 3 == 0)]).collect();
    let held = |table: &Table| {
        let line = Line::of(table, false, 5).unwrap();
        let [_, held] = line.split(0.3).unwrap();
        let fold = line.fold(4, 1).map(|part| part.rows);
        (held.rows, fold)
    };
    let usual = held(&sets(&rows, None));
    // As it was before columns of weights were left out.
    assert_eq!(usual.0[..5], [53, 24, 72, 82, 18]);
    for at in 0..=3 {
        assert_eq!(held(&sets(&rows, Some((at, &[1.0; 100])))), usual, "weights of 1 in column {at}");
    }
    let twice: Vec<[i8; 3]> = rows.iter().chain(&rows).copied().collect();
    let count = |table: &Table| {
        let mut held = [0_u64; 100];
        let [_, part] = table.split(0.3, 5).unwrap();
        let weights = part.columns.iter().find(|column| column.role == Role::Weight);
        let weights = weights.map_or_else(|| vec![1.0; part.rows], |column| values(&part, &column.name));
        for (x, weight) in values(&part, "x").into_iter().zip(weights) {
            held[x as usize] += weight as u64;
        }
        held
    };
    let repeated = count(&sets(&twice, None));
    assert_eq!(repeated.iter().sum::<u64>(), 60);
    for at in 0..=3 {
        assert_eq!(count(&sets(&rows, Some((at, &[2.0; 100])))), repeated, "weights of 2 in column {at}");
    }
}

/// Whatever part of the rows each worker has, also none, the same rows are held out as in one process.
#[test]
fn workers_hold_out_the_rows_of_one_process() {
    let rows: Vec<(i8, u32)> = (0..300u32).map(|row| ((row * row % 37) as i8, row % 3)).collect();
    let whole: Vec<f64> = (0..300u32).map(|row| f64::from(row * 7 % 5)).collect();
    let ratios: Vec<f64> = whole.iter().map(|weight| weight * 0.37 + 0.01).collect();
    for weights in [None, Some(&whole), Some(&ratios)] {
        let table = table(&rows, weights.map(Vec::as_slice));
        let alone = table.split(0.3, 5).unwrap().map(|part| counts(&part));
        for workers in [1, 2, 4] {
            let meeting = &Meeting::new(workers);
            let parts: Vec<[Table; 2]> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..workers)
                    .map(|rank| {
                        // The last of four has no rows, and does not know of any columns.
                        let own = |row: &u32| (row * row / 3) as usize % workers.min(3) == rank;
                        let own: Vec<u32> = (0..300).filter(own).collect();
                        let part = if rank == 3 { Table::default() } else { table.select(&own) };
                        scope.spawn(move || {
                            part.split_among(Split::Drawn, 0.3, 5, &meeting.attend(rank)).unwrap()
                        })
                    })
                    .collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            for (at, expected) in alone.iter().enumerate() {
                let mut all: Vec<(i64, i64, u64)> = Vec::new();
                for mut own in parts.iter().map(|parts| counts(&parts[at])) {
                    all.append(&mut own);
                }
                all.sort_unstable();
                all.dedup_by(|b, a| {
                    let same = (a.0, a.1) == (b.0, b.1);
                    a.2 += if same { b.2 } else { 0 };
                    same
                });
                assert_eq!(all, *expected, "{workers} workers");
            }
        }
    }
}

#[test]
fn the_last_rows_are_held_out_by_weight() {
    let rows: Vec<(i8, u32)> = (0..10).map(|row| (row, 0)).collect();
    let [kept, held] = table(&rows, None).split_by(Split::Last, 0.2, 1).unwrap();
    assert_eq!((values(&kept, "x"), values(&held, "x")), ((0..8).map(f64::from).collect(), vec![8.0, 9.0]));
    // Ten copies: of the row in between, one is here and one is there.
    let weights = [2.0; 5];
    let [kept, held] = table(&rows[..5], Some(&weights)).split_by(Split::Last, 0.3, 1).unwrap();
    assert_eq!(counts(&kept), [(0, 0, 2), (1, 0, 2), (2, 0, 2), (3, 0, 1)]);
    assert_eq!(counts(&held), [(3, 0, 1), (4, 0, 2)]);
    assert!("first".parse::<Split>().unwrap_err().remedy().contains("last"));
    assert_eq!("last".parse::<Split>().unwrap().to_string(), "last");
    // Workers do not know whose rows come last.
    let (meeting, table) = (&Meeting::new(2), table(&rows, None));
    std::thread::scope(|scope| {
        for rank in 0..2 {
            let own = table.clone();
            scope.spawn(move || {
                let refused = own.split_among(Split::Last, 0.2, 1, &meeting.attend(rank)).unwrap_err();
                assert!(refused.what().contains("several workers"), "{refused}");
            });
        }
    });
}
