//! A file in blocks is the file: the same rows in the same order, the same errors, whatever the size of the blocks.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use manyboost_data::{
    ErrorKind, FeatureSpec, Kind, Limits, PredictionPlan, Schema, Table, TargetSpec, TrainingPlan, Values,
    read, read_blocks,
};

fn schema() -> Schema {
    let feature = |name: &str, kind| FeatureSpec { name: name.into(), kind };
    Schema {
        features: vec![
            feature("x", Kind::Number),
            feature("colour", Kind::Category),
            feature("words", Kind::Text),
        ],
        target: TargetSpec::Classes { column: "class".into(), names: vec!["a".into(), "b".into()] },
    }
}

/// Every row as text.
fn rows(table: &Table) -> Vec<String> {
    let cell = |values: &Values, row: usize| match values {
        Values::Numbers(numbers) => format!("{:?}", numbers.get(row)),
        Values::Words(words) => format!("{:?}", words.get(row)),
        Values::SparseNumbers(entries) => format!("{:?}", entries.iter().find(|e| e.0 as usize == row)),
    };
    let line = |row| table.columns.iter().map(|c| cell(&c.values, row)).collect::<Vec<_>>().join("|");
    (0..table.rows).map(line).collect()
}

fn in_blocks(path: &str, limits: &Limits) -> manyboost_data::Result<Vec<Vec<String>>> {
    let mut blocks = Vec::new();
    read_blocks(path, &PredictionPlan::predict(&schema()), limits, &mut |table| {
        blocks.push(rows(&table));
        Ok(())
    })?;
    Ok(blocks)
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// The same rows in two formats; widths of numbers, words and quotes change on the way.
fn files(folder: &Path) -> [String; 2] {
    let mut csv = "id,words,x,colour\n".to_string();
    let mut arff = "@relation r\n@attribute words string\n@attribute x numeric\n@attribute colour {red,green,blue}\n@data\n".to_string();
    for i in 0..20_000_u32 {
        let x = match i % 5 {
            0 => String::new(),
            1 => f64::from(i).sqrt().to_string(),
            _ => (i * i % 70_000).to_string(),
        };
        let colour = ["red", "green", "blue"][i as usize / 7 % 3];
        let line = format!("{i},\"word {} of\n{}\",{x},{colour}\n\n", i % 11, i % 3);
        csv.push_str(&line);
        let x = if x.is_empty() { "?" } else { &x };
        writeln!(arff, "'word {} of {}',{x},{colour}", i % 11, i % 3).unwrap();
    }
    [write(folder, "d.csv", &csv), write(folder, "d.arff", &arff)]
}

#[test]
fn blocks_are_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for path in files(folder.path()) {
        let whole = rows(&read(&path, &PredictionPlan::predict(&schema()), &Limits::default()).unwrap());
        assert_eq!(whole.len(), 20_000);
        for block_bytes in [1, 1000, 1 << 20] {
            let limits = Limits { block_bytes, sample_bytes: 4 * block_bytes, ..Limits::default() };
            let blocks = in_blocks(&path, &limits).unwrap();
            assert!(block_bytes > 1000 || blocks.len() > 100, "{}", blocks.len());
            assert!(blocks.iter().all(|block| !block.is_empty()));
            assert!(blocks.concat() == whole, "{path} in blocks of {block_bytes}");
        }
    }
}

#[test]
fn the_columns_of_blocks_have_their_rows_only() {
    let folder = tempfile::tempdir().unwrap();
    let [csv, arff] = files(folder.path());
    let limits = Limits { block_bytes: 4096, sample_bytes: 4096, ..Limits::default() };
    for path in [csv, arff] {
        let mut most = 0;
        read_blocks(&path, &PredictionPlan::predict(&schema()), &limits, &mut |table| {
            most = most.max(table.rows);
            Ok(())
        })
        .unwrap();
        assert!(most < 400, "{most} rows at once");
    }
}

/// Features that are numbers, as many as the rows name, some of them late.
#[test]
fn sparse_rows_in_blocks_are_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for i in 0..5000_u32 {
        let last = if i == 4321 { " 40:1.5" } else { "" };
        write!(text, "{} {}:{} 9:0 30:{}{last} # a comment\n\n", i % 3, 1 + i % 8, f64::from(i) / 8.0, i % 2)
            .unwrap();
    }
    let path = write(folder.path(), "d.libsvm", &text);
    let feature = |i| FeatureSpec { name: format!("f{i}"), kind: Kind::Number };
    let target = TargetSpec::Classes { column: "class".into(), names: vec!["0".into(), "1".into()] };
    let schema = Schema { features: (1..=40).map(feature).collect(), target };
    let plan = PredictionPlan::predict(&schema);
    let whole = rows(&read(&path, &plan, &Limits::default()).unwrap());
    // An entry says its own row.
    let value = |row: &String| {
        row.split('|')
            .map(|cell| cell.split_once(", ").map_or("", |(_, v)| v).to_string())
            .collect::<Vec<_>>()
    };
    let whole: Vec<Vec<String>> = whole.iter().map(value).collect();
    for block_bytes in [1, 2000, 1 << 20] {
        let limits = Limits { block_bytes, ..Limits::default() };
        let mut blocks = Vec::new();
        read_blocks(&path, &plan, &limits, &mut |table| {
            blocks.push(rows(&table).iter().map(value).collect::<Vec<_>>());
            Ok(())
        })
        .unwrap();
        assert!(block_bytes > 2000 || blocks.len() > 10, "{}", blocks.len());
        assert!(blocks.concat() == whole, "blocks of {block_bytes}");
    }
    for (name, text) in
        [("none.svm", "# nothing\n"), ("order.svm", "1 2:1\n1 2:1 1:1\n"), ("few.svm", "1 2:1\n")]
    {
        let path = write(folder.path(), name, text);
        let whole = read(&path, &plan, &Limits::default()).unwrap_err();
        let blocks = read_blocks(&path, &plan, &Limits::default(), &mut |_| Ok(()));
        assert_eq!(blocks.unwrap_err(), whole, "{name}");
    }
}

#[test]
fn errors_are_those_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { block_bytes: 64, sample_bytes: 64, ..Limits::default() };
    let good = "x,colour,words\n1,red,a b\n".to_string();
    let many = good.clone() + &"2,blue,c\n".repeat(500);
    let cases = [
        ("empty.csv", String::new()),
        ("header.csv", "x,colour,words\n".to_string()),
        ("blank.csv", "x,colour,words\n\n\n\n".to_string()),
        ("ragged.csv", many.clone() + "1,red\n"),
        ("word.csv", many.clone() + "one,red,a\n"),
        ("quote.csv", many.clone() + "1,\"red,a\n"),
        ("lacking.csv", "x,colour\n1,red\n".to_string()),
        (
            "rows.arff",
            "@relation r\n@attribute x numeric\n@attribute colour string\n@attribute words string\n@data\n"
                .into(),
        ),
    ];
    for (name, text) in cases {
        let path = write(folder.path(), name, &text);
        let whole = read(&path, &PredictionPlan::predict(&schema()), &limits).unwrap_err();
        assert_eq!(in_blocks(&path, &limits).unwrap_err(), whole, "{name}");
    }
    // Whoever takes the rows may end it.
    let path = write(folder.path(), "many.csv", &many);
    let mut taken = 0;
    let ended = read_blocks(&path, &PredictionPlan::predict(&schema()), &limits, &mut |_| {
        taken += 1;
        Err(manyboost_data::Error::new(ErrorKind::Failed, "enough", "stop"))
    });
    assert_eq!((taken, &*ended.unwrap_err().what()), (1, "enough"));
}

#[test]
fn a_folder_is_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let part = |name: &str, text: &str| write(folder.path(), name, text);
    part("part-1.csv", "x,words,colour,class\n1,a b,red,a\n");
    part("part-2.csv", "");
    part("part-3.csv", "x,words,colour,class\n");
    part("part-4.tsv", "x\twords\tcolour\tclass\n2.5\tc\tblue\tb\n");
    part("_SUCCESS", "");
    part(".part-1.csv.crc", "x");
    let path = folder.path().display().to_string();
    let plan = TrainingPlan::default();
    let table = read(&path, &plan, &Limits::default()).unwrap();
    assert_eq!((table.rows, table.source.as_str()), (2, path.as_str()));
    let blocks = in_blocks(&path, &Limits::default()).unwrap().concat();
    let whole = read(&path, &PredictionPlan::predict(&schema()), &Limits::default()).unwrap();
    assert_eq!(blocks, rows(&whole));
    let refused = |words: &str| {
        let error = read(&path, &plan, &Limits::default()).unwrap_err();
        assert!(error.what().contains(words), "{error}");
        fs::remove_file(folder.path().join("part-5.csv")).ok();
    };
    part("part-5.csv", "x,class\n1,a\n");
    refused("other columns");
    fs::write(folder.path().join("part-5.csv"), "x,words,colour,class\nx,a b,red,a\n").unwrap();
    refused("part-5.csv, line 2");
    part("notes.txt", "");
    refused("notes.txt");
    fs::remove_file(folder.path().join("notes.txt")).unwrap();
    fs::create_dir(folder.path().join("more")).unwrap();
    refused("holds another one, 'more'");
}
