//! The table: cases 1 to 67 of the corpus as far as a command line can express them.
//!
//! Cases 6, 10, 42 and 50 (the same model or predictions) are in `same.rs`; case 3 (no permission), the second half of
//! case 25 (nobody reads stdout) and case 63 on a read-only place are in `tests/system.rs`; case 22's and 27's bounds on memory
//! are tested with the readers.

use std::path::Path;

use crate::common::good;
use crate::make::{self, Files, csv, gzip, rows};

/// One row of the table.
pub struct Case {
    /// Its number in the corpus.
    pub number: u32,
    /// The files that are there.
    pub files: fn() -> Files,
    /// Commands that come before and succeed.
    pub before: &'static [&'static str],
    /// What happens then.
    pub change: Option<fn(&Path)>,
    /// The command.
    pub run: &'static str,
    /// Its exit status.
    pub status: i32,
    /// What it must say, on stdout or stderr.
    pub words: &'static [&'static str],
}

/// A command on some files.
const fn case(
    number: u32,
    files: fn() -> Files,
    run: &'static str,
    status: i32,
    words: &'static [&'static str],
) -> Case {
    Case { number, files, before: &[], change: None, run, status, words }
}

/// A command on some files, after others.
const fn after(
    number: u32,
    files: fn() -> Files,
    before: &'static [&'static str],
    run: &'static str,
    status: i32,
    words: &'static [&'static str],
) -> Case {
    Case { number, files, before, change: None, run, status, words }
}

/// A command with a model that was changed.
const fn model(number: u32, change: fn(&Path), words: &'static [&'static str]) -> Case {
    Case {
        number,
        files: plain,
        before: TRAINED,
        change: Some(change),
        run: "predict m.pb d.csv",
        status: 2,
        words,
    }
}

const TRAIN: &str = "train d.csv --out m.pb --rounds 3";
const TRAINED: &[&str] = &[TRAIN];
const LABELS: &str = "train d.csv --out m.pb --rounds 3 --labels l_";
const WEIGHTED: &str = "train d.csv --out m.pb --rounds 3 --weight w";

fn none() -> Files {
    Vec::new()
}

fn plain() -> Files {
    csv(good())
}

/// The good table and another one.
fn with(other: impl AsRef<[u8]>) -> Files {
    vec![("d.csv", good().into_bytes()), ("e.csv", other.as_ref().to_vec())]
}

/// Three rows with these weights.
fn weights(all: [&str; 3]) -> Files {
    csv(format!("w,x,class\n{},1,a\n{},2,b\n{},3,a\n", all[0], all[1], all[2]))
}

/// Two texts without a word in common.
fn rare_words() -> Files {
    csv("f,class\nfoo bar,a\nbaz qux,b\n")
}

/// 500 texts without a word in common, long enough to be told from categories.
fn unique_words() -> Files {
    csv(rows("f,class", 500, |i| {
        format!("some{i} text{i} that{i} is{i} only{i} here{i},{}", ["a", "b"][i % 2])
    }))
}

fn libsvm(text: &str) -> Files {
    vec![("d.svm", text.as_bytes().to_vec())]
}

/// All rows.
pub const CASES: &[Case] = &[
    // Text files
    case(1, none, TRAIN, 2, &["d.csv", "no such file"]),
    case(2, || vec![("d.csv/", Vec::new())], TRAIN, 2, &["d.csv", "directory"]),
    case(4, || csv(""), TRAIN, 2, &["d.csv", "empty"]),
    case(5, || csv("x,class\n"), TRAIN, 2, &["d.csv", "no rows"]),
    case(
        7,
        || csv("x,class\n1,a\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()),
        TRAIN,
        2,
        &["UTF-16", "convert to UTF-8"],
    ),
    case(8, || csv(b"x,c,class\n1,a,b\n2,\xFF,c\n"), TRAIN, 2, &["line 3", "'c'", "offset 18", "0xFF"]),
    case(9, || csv(b"x,class\n1,a\n2\0,a\n3,a\n"), TRAIN, 2, &["line 3", "'x'", "not a number"]),
    case(
        11,
        || csv(rows("a,b,c,d,e,class", 6, |i| if i < 5 { "1,2,3,4,5,x".into() } else { "1,2,3,4,x".into() })),
        TRAIN,
        2,
        &["line 7: 5 fields, expected 6"],
    ),
    case(12, || csv("x,class\n1,a\n2,\"b\n3,c\n"), TRAIN, 2, &["line 3", "quote"]),
    case(13, || csv("x,class\n1,\"a,\"\"b\"\"\nc\"\n2,d\n3,d\n"), TRAIN, 0, &["2 classes"]),
    case(14, || csv("x,y,x\n1,2,3\n"), TRAIN, 2, &["'x'", "columns 1 and 3"]),
    case(15, || csv("x,,z\n1,2,3\n"), TRAIN, 2, &["column 2", "empty column name"]),
    case(
        16,
        || {
            csv(rows("x,class", 1_000_001, |i| {
                if i == 999_999 { "red,1".into() } else { format!("{},{}", i % 100, i % 3) }
            }))
        },
        TRAIN,
        2,
        &["line 1000001", "'x'", "'red'", "--categorical x"],
    ),
    case(17, || csv("a;b;class\n1,5;2,5;x\n"), TRAIN, 2, &["delimiter looks like ';'"]),
    case(18, || csv("x,class\n1e400,a\n"), TRAIN, 2, &["line 2", "'1e400'", "out of range"]),
    case(19, || csv("x,class\n1,a\ninf,b\n"), TRAIN, 2, &["line 3", "'inf'", "infinite"]),
    after(
        19,
        || with("x,y,colour\n1,2,red\n-inf,2,red\n"),
        TRAINED,
        "predict m.pb e.csv",
        2,
        &["e.csv", "line 3", "'-inf'"],
    ),
    after(
        19,
        || with("x,y,colour\n1,2,red\n,NA,?\nnan,2,red\n"),
        TRAINED,
        "predict m.pb e.csv",
        0,
        &["class"],
    ),
    case(
        20,
        || csv(format!("x,class\n\"{}\",a\n", "x".repeat(100_000_000))),
        TRAIN,
        2,
        &["line 2", "16,777,216 bytes"],
    ),
    case(
        20,
        || csv((0..1_000_000).map(|i| format!("c{i}")).collect::<Vec<_>>().join(",")),
        TRAIN,
        2,
        &["columns"],
    ),
    case(
        21,
        || {
            let packed = gzip(good().as_bytes());
            vec![("d.csv.gz", packed[..packed.len() / 2].to_vec())]
        },
        "train d.csv.gz --out m.pb",
        2,
        &["truncated"],
    ),
    case(
        21,
        || {
            let mut packed = gzip(good().as_bytes());
            let at = packed.len() - 6;
            packed[at] ^= 1;
            vec![("d.csv.gz", packed)]
        },
        "train d.csv.gz --out m.pb",
        2,
        &["damaged"],
    ),
    case(
        21,
        || {
            let packed = zstd::encode_all(good().as_bytes(), 3).expect("memory");
            vec![("d.csv.zst", packed[..packed.len() / 2].to_vec())]
        },
        "train d.csv.zst --out m.pb",
        2,
        &["d.csv.zst"],
    ),
    case(21, || vec![("d.csv.gz", good().into_bytes())], "train d.csv.gz --out m.pb", 2, &["damaged"]),
    case(
        22,
        || vec![("d.csv.gz", make::bomb())],
        "train d.csv.gz --out m.pb",
        2,
        &["unpacks beyond the limit"],
    ),
    case(23, || libsvm("1 1:2\n2 0:1\n"), "train d.svm --out m.pb", 2, &["line 2"]),
    case(23, || libsvm("1 1:2\n2 3:1 2:1\n"), "train d.svm --out m.pb", 2, &["line 2"]),
    case(23, || libsvm("1 1:2\n2 3:1 3:1\n"), "train d.svm --out m.pb", 2, &["line 2"]),
    case(23, || libsvm("1 1:2\n2 2147483648:1\n"), "train d.svm --out m.pb", 2, &["line 2"]),
    case(
        23,
        || {
            vec![(
                "d.arff",
                b"@relation r\n@attribute c {a,b}\n@attribute class {x,y}\n@data\na,x\nq,y\n".to_vec(),
            )]
        },
        "train d.arff --out m.pb",
        2,
        &["line 6", "'q'"],
    ),
    case(24, || csv("x,c,class\n1,1:2,a\n2,3:4,b\n3,1:2,a\n"), TRAIN, 0, &["rounds"]),
    case(25, none, "train - --out m.pb", 2, &["<stdin>", "empty"]),
    // Parquet
    case(
        26,
        || {
            let file = make::parquet("required int32 a;", 1);
            vec![("d.parquet", file[..file.len() - 9].to_vec())]
        },
        "train d.parquet --out m.pb",
        2,
        &["d.parquet"],
    ),
    case(27, || vec![("d.parquet", make::list_bomb())], "train d.parquet --out m.pb", 2, &["footer"]),
    case(
        28,
        || vec![("d.parquet", make::parquet("required int64 t (TIMESTAMP(MILLIS,true));", 1))],
        "train d.parquet --out m.pb",
        2,
        &["'t'", "timestamp"],
    ),
    case(
        28,
        || vec![("d.parquet", make::parquet("required int32 d (DECIMAL(9,2));", 1))],
        "train d.parquet --out m.pb",
        2,
        &["'d'", "decimal"],
    ),
    case(
        28,
        || vec![("d.parquet", make::parquet("required group g { required int32 a; }", 1))],
        "train d.parquet --out m.pb",
        2,
        &["'g'", "nested"],
    ),
    case(29, || vec![("d.parquet", good().into_bytes())], "train d.parquet --out m.pb", 2, &["not Parquet"]),
    case(
        30,
        || vec![("d.parquet", make::parquet("required int32 a;", 0))],
        "train d.parquet --out m.pb",
        2,
        &["no rows"],
    ),
    // Target, weights
    case(
        31,
        plain,
        "train d.csv --out m.pb --target clas",
        2,
        &["d.csv", "\"clas\"", "did you mean", "\"class\""],
    ),
    case(32, || csv("x,class\n1,a\n2,\n3,b\n4,?\n"), TRAIN, 2, &["\"class\"", "missing", "2 rows", "row 2"]),
    case(
        33,
        || csv(rows("x,class", 60, |i| format!("{i},{}", i as f64 * 1.37 + 0.01))),
        TRAIN,
        2,
        &["\"class\"", "continuous"],
    ),
    case(34, || csv("x,class\n1,a\n2,a\n3,a\n"), TRAIN, 0, &["one class only", "\"a\""]),
    after(
        34,
        || csv("x,class\n1,a\n2,a\n3,a\n"),
        TRAINED,
        "predict m.pb d.csv --proba",
        0,
        &["class,a\na,1\na,1\na,1\n"],
    ),
    case(
        34,
        || csv("x,class\n1,a\n2,a\n3,a\n"),
        "train d.csv --out m.pb --booster mm",
        0,
        &["one class only", "train error  0.00 %"],
    ),
    case(
        34,
        || csv("x,class\n1,a\n2,a\n3,a\n"),
        "train d.csv --out m.pb --booster adaboost",
        0,
        &["one class only", "train error  0.00 %"],
    ),
    case(
        34,
        || csv("x,class\n1,a\n2,a\n3,a\n"),
        "train d.csv --out m.pb --booster samme",
        0,
        &["one class only", "train error  0.00 %"],
    ),
    after(
        35,
        || with("x,y,colour,class\n1,2,red,dog\n1,2,red,ant\n"),
        TRAINED,
        "evaluate m.pb e.csv",
        0,
        &["does not know", "\"dog\"", "counted as errors"],
    ),
    case(
        35,
        || with("x,y,colour,class\n1,2,red,dog\n1,2,red,dog\n"),
        "train d.csv --out m.pb --rounds 3 --test e.csv",
        0,
        &["does not know", "100.00 %"],
    ),
    after(
        36,
        || {
            csv(rows("x,class", 50, |i| {
                format!("{},{}", i % 5, ["0", "2", "-1", "1000000000000000000", "True"][i % 5])
            }))
        },
        &["train d.csv --out m.pb --rounds 30 --min-rows 1"],
        "predict m.pb d.csv",
        0,
        &["0\n2\n-1\n1000000000000000000\nTrue\n"],
    ),
    after(
        36,
        || csv(rows("x,class", 30, |i| format!("{},{}", i % 3, ["1.0", "2.50", "007"][i % 3]))),
        &["train d.csv --out m.pb --rounds 30 --min-rows 1"],
        "predict m.pb d.csv",
        0,
        &["1.0\n2.50\n007\n"],
    ),
    case(37, || csv("x,class\n1,a\n2, a\n3,a\n4, a\n"), TRAIN, 0, &["2 classes", "note:"]),
    after(
        38,
        || csv(rows("x,class", 30, |i| format!("{},{}", i % 3, ["😀", "\"new\nline\"", "<script>"][i % 3]))),
        &["train d.csv --out m.pb --rounds 30 --min-rows 1"],
        "predict m.pb d.csv",
        0,
        &["😀\n\"new\nline\"\n<script>\n"],
    ),
    after(
        38,
        || {
            csv(rows("x,class", 30, |i| {
                format!("{},{}", i % 2, ["a".to_string(), "long ".repeat(2000) + "end"][i % 2].clone())
            }))
        },
        &["train d.csv --out m.pb --rounds 5 --min-rows 1"],
        "inspect m.pb",
        0,
        &["2: a, long long"],
    ),
    case(39, || weights(["1", "-2", "1"]), WEIGHTED, 2, &["\"w\"", "row 2", "-2"]),
    case(40, || weights(["1", "nan", "1"]), WEIGHTED, 2, &["\"w\"", "row 2", "missing"]),
    case(40, || weights(["1", "1", "inf"]), WEIGHTED, 2, &["'w'", "line 4", "infinite"]),
    case(41, || weights(["0", "0", "0"]), WEIGHTED, 2, &["\"w\"", "weights", "zero"]),
    case(43, || csv("l_a,l_b,x\n1,0,1\n2,1,2\n"), LABELS, 2, &["\"l_a\"", "row 2", "label is 2"]),
    case(44, || csv("l_a,l_b,x\n1,0,1\n0,0,2\n0,1,3\n1,1,4\n"), LABELS, 0, &["2 labels"]),
    case(45, || csv("l_a,l_b,x\n1,0,1\n1,0,2\n1,0,3\n"), LABELS, 0, &["note:", "l_a", "l_b"]),
    // Columns
    case(
        46,
        || csv(rows("x,class", 12, |i| format!("5,{}", ["a", "b", "a"][i % 3]))),
        "train d.csv --out m.pb --json",
        0,
        &["\"stopped\": \"no_edge\"", "\"rounds\": 0"],
    ),
    after(
        46,
        || csv(rows("x,class", 12, |i| format!("5,{}", ["a", "b", "a"][i % 3]))),
        TRAINED,
        "predict m.pb d.csv --proba",
        0,
        &["class,a,b\na,0.6"],
    ),
    case(
        46,
        || csv(rows("x,class", 12, |i| format!("5,{}", ["a", "b", "a"][i % 3]))),
        "train d.csv --out m.pb --booster samme --json",
        0,
        &["\"stopped\": "],
    ),
    case(
        46,
        || csv(rows("x,class", 12, |i| format!("5,{}", ["a", "b", "a"][i % 3]))),
        "train d.csv --out m.pb --booster mm --json",
        0,
        &["\"stopped\": "],
    ),
    case(47, || csv("x,y,class\n1,,a\n2,,b\n3,,a\n"), TRAIN, 0, &["\"y\"", "ignored"]),
    // No word is in enough rows: no features at all.
    case(46, rare_words, "train d.csv --out m.pb --text f", 0, &["\"f\"", "ignored", "rounds       0"]),
    case(46, unique_words, "train d.csv --out m.pb", 0, &["\"f\"", "ignored", "rounds       0"]),
    case(46, unique_words, "cv d.csv --folds 5", 0, &["mean", "50.00 %"]),
    after(
        46,
        rare_words,
        &["train d.csv --out m.pb --text f --booster mh --learner tree --features 0.5"],
        "predict m.pb d.csv --proba",
        0,
        &["class,a,b\na,0.5"],
    ),
    case(
        48,
        || csv(rows("c,class", 210_000, |i| format!("k{},{}", i % 70_000, i % 2))),
        "train d.csv --out m.pb --rounds 1",
        0,
        &["70,000 levels"],
    ),
    after(
        49,
        || with("x,y,colour,class\n1,2,pink,ant\n1,2,red,ant\n"),
        TRAINED,
        "predict m.pb e.csv",
        0,
        &["\"colour\"", "1 row", "unseen"],
    ),
    after(51, || with("x,colour\n1,red\n"), TRAINED, "predict m.pb e.csv", 2, &["\"y\"", "missing"]),
    after(
        51,
        || with("x,y,colour,more\n1,2,red,3\n"),
        TRAINED,
        "predict m.pb e.csv",
        0,
        &["note:", "\"more\"", "not used"],
    ),
    after(
        51,
        || with("x,y,colour,x\n1,2,red,3\n"),
        TRAINED,
        "predict m.pb e.csv",
        2,
        &["'x'", "columns 1 and 4"],
    ),
    after(
        52,
        || with("x,y,colour\n1,2,red\n1,two,red\n"),
        TRAINED,
        "predict m.pb e.csv",
        2,
        &["line 3", "'y'", "'two'"],
    ),
    case(53, || csv("class\na\nb\n"), TRAIN, 2, &["0 feature(s)"]),
    case(53, plain, "train d.csv --out m.pb --ignore x,y,colour", 2, &["0 feature(s)"]),
    case(54, || csv("x,y,class\n"), TRAIN, 2, &["no rows"]),
    case(54, || csv("x,y,class\n1,2,a\n"), TRAIN, 0, &["one class only"]),
    // Parameters
    case(55, plain, "train d.csv --out m.pb --rounds 0", 2, &["--rounds 0", "1 to 10,000,000"]),
    case(55, plain, "train d.csv --out m.pb --rounds -5", 2, &["--rounds -5", "1 to 10,000,000"]),
    case(55, plain, "train d.csv --out m.pb --rounds 1e12", 2, &["--rounds 1e12", "1 to 10,000,000"]),
    case(55, plain, "train d.csv --out m.pb --rounds NaN", 2, &["--rounds NaN", "1 to 10,000,000"]),
    case(
        56,
        plain,
        "train d.csv --out m.pb --booster samme --learner linear",
        2,
        &["--learner linear takes numbers only", "--ignore"],
    ),
    case(
        56,
        || csv(rows("a,class", 9, |i| format!("{i},{}", ["x", "y"][i % 2]))),
        "train d.csv --out m.pb --learner linear",
        2,
        &["asks for numbers", "choose --learner stump, --learner tree or --learner line", "iter, samme"],
    ),
    case(
        56,
        plain,
        "train d.csv --out m.pb --booster logitboost --learner line",
        2,
        &["--learner line takes numbers only", "--ignore"],
    ),
    case(
        56,
        || csv(rows("a,class", 9, |i| format!("{i},{}", ["x", "y"][i % 2]))),
        "train d.csv --out m.pb --booster samme --learner line",
        2,
        &["--learner line fits numbers", "logitboost"],
    ),
    case(
        56,
        plain,
        "train d.csv --out m.pb --booster samme --learner linear --leaves 4",
        2,
        &["does not use --leaves"],
    ),
    case(56, plain, "train d.csv --out m.pb --shrinkage NaN", 2, &["--shrinkage NaN", "above 0, up to 1"]),
    case(56, plain, "train d.csv --out m.pb --shrinkage 0", 2, &["--shrinkage 0"]),
    case(56, plain, "train d.csv --out m.pb --shrinkage -1", 2, &["--shrinkage -1"]),
    case(56, plain, "train d.csv --out m.pb --shrinkage 1e10", 2, &["--shrinkage 1e10"]),
    case(57, plain, "train d.csv --out m.pb --booster mm --shrinkage 0.5", 2, &["does not use --shrinkage"]),
    case(57, plain, "train d.csv --out m.pb --codewords simplex", 2, &["--codewords"]),
    case(57, plain, "train d.csv --out m.pb --nonsense 3", 2, &["--nonsense"]),
    case(58, plain, "train d.csv --out m.pb --booster sammee", 2, &["sammee", "did you mean", "\"samme\""]),
    case(58, none, "generate sphere --out s.csv", 2, &["sphere", "did you mean", "\"spheres\""]),
    case(58, none, "trian d.csv", 2, &["trian", "train"]),
    case(59, plain, "train d.csv --out m.pb --threads 0", 2, &["--threads 0", "1 to 1,024"]),
    case(59, plain, "train d.csv --out m.pb --threads 100000", 2, &["--threads 100000", "1 to 1,024"]),
    case(60, plain, "train d.csv --out m.pb --bins 1", 2, &["--bins 1", "2 to 65,536"]),
    case(60, plain, "train d.csv --out m.pb --bins 65537", 2, &["--bins 65537", "2 to 65,536"]),
    case(61, plain, "train d.csv --out m.pb --valid 0", 2, &["--valid 0", "between 0 and 1"]),
    case(61, plain, "train d.csv --out m.pb --valid 1", 2, &["--valid 1", "between 0 and 1"]),
    case(61, plain, "train d.csv --out m.pb --valid 1.5", 2, &["--valid 1.5", "between 0 and 1"]),
    case(61, plain, "train d.csv --out m.pb --patience 5", 2, &["--patience", "--valid"]),
    case(61, plain, "train d.csv --out m.pb --valid 0.2 --patience 0", 2, &["--patience 0"]),
    after(
        62,
        || with(good().replacen("ant", "bee", 1)),
        &["train d.csv --out m.pb --rounds 3 --checkpoint c --every 1"],
        "train e.csv --out m.pb --rounds 5 --checkpoint c --resume",
        2,
        &["data", "rows are not the same"],
    ),
    after(
        62,
        plain,
        &["train d.csv --out m.pb --rounds 3 --checkpoint c --every 1"],
        "train d.csv --out m.pb --rounds 5 --leaves 4 --checkpoint c --resume",
        2,
        &["--leaves"],
    ),
    after(
        62,
        plain,
        &["train d.csv --out m.pb --rounds 3 --checkpoint c --every 1"],
        "train d.csv --out m.pb --rounds 5 --seed 7 --checkpoint c --resume",
        2,
        &["seed"],
    ),
    after(
        62,
        plain,
        &["train d.csv --out m.pb --rounds 3 --checkpoint c --every 1"],
        "train d.csv --out m.pb --rounds 5 --bins 16 --checkpoint c --resume",
        2,
        &["--bins"],
    ),
    Case {
        number: 62,
        files: plain,
        before: &["train d.csv --out m.pb --rounds 3 --checkpoint c --every 1"],
        change: Some(make::older_checkpoint),
        run: "train d.csv --out m.pb --rounds 5 --checkpoint c --resume",
        status: 2,
        words: &["version", "0.0.1"],
    },
    case(62, plain, "train d.csv --out m.pb --resume", 2, &["--checkpoint"]),
    case(63, plain, "train d.csv --out no/m.pb", 2, &["no/m.pb", "there is no folder"]),
    case(
        63,
        || vec![("d.csv", good().into_bytes()), ("m/", Vec::new())],
        "train d.csv --out m",
        2,
        &["directory"],
    ),
    case(63, plain, "train d.csv --out d.csv", 2, &["d.csv", "overwrite the data"]),
    case(63, plain, "train d.csv --out ./d.csv", 2, &["overwrite the data"]),
    case(63, plain, "train d.csv --out m.pb --trace m.pb", 2, &["overwrite --out"]),
    case(63, plain, "train d.csv --out m.pb --trace no/t.jsonl", 2, &["there is no folder"]),
    case(63, plain, "train d.csv --out /proc/m.pb", 2, &["cannot be written"]),
    after(63, plain, TRAINED, "predict m.pb d.csv --out d.csv", 2, &["overwrite the data"]),
    after(63, plain, TRAINED, "predict m.pb d.csv --out no/p.csv", 2, &["no/p.csv"]),
    // Model
    case(
        64,
        || vec![("d.csv", good().into_bytes()), ("m.pb", Vec::new())],
        "predict m.pb d.csv",
        2,
        &["m.pb", "not a model"],
    ),
    case(
        64,
        || {
            vec![
                ("d.csv", good().into_bytes()),
                ("m.pb", (0..5000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect()),
            ]
        },
        "predict m.pb d.csv",
        2,
        &["m.pb", "not a model"],
    ),
    case(64, plain, "predict d.csv d.csv", 2, &["d.csv", "not a model"]),
    case(64, plain, "inspect none.pb", 2, &["none.pb"]),
    model(64, make::truncate, &["m.pb", "truncated"]),
    model(64, make::flip, &["m.pb", "checksum"]),
    model(65, make::newer, &["m.pb", "99", "1"]),
    model(66, make::child_out_of_range, &["m.pb"]),
    model(66, make::cycle, &["m.pb"]),
    model(66, make::feature_out_of_range, &["m.pb"]),
    model(66, make::threshold_not_a_number, &["m.pb"]),
    model(66, make::answers_too_short, &["m.pb"]),
    model(66, make::trailing, &["m.pb", "goes on after its end"]),
    after(
        67,
        || with("a,b\n1,2\n"),
        TRAINED,
        "predict m.pb e.csv",
        2,
        &["\"x\"", "\"y\"", "\"colour\"", "missing"],
    ),
    after(67, || with("x,y,colour\n1,2,red\n"), TRAINED, "evaluate m.pb e.csv", 2, &["\"class\""]),
];
