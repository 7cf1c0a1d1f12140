//! Files that are no tables: text and Parquet.

use super::*;

pub const CASES: &[Case] = &[
    // Text files
    case(1, none, TRAIN, 2, &["d.csv", "no such file"]),
    case(2, || vec![("d.csv/", Vec::new())], TRAIN, 2, &["d.csv", "directory"]),
    case(4, || csv(""), TRAIN, 2, &["d.csv", "empty"]),
    case(5, || csv("x,class\n"), TRAIN, 2, &["d.csv", "no rows"]),
    case(
        7,
        || csv("x,class\n1,a\n2,b\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()),
        TRAIN,
        0,
        &["read as UTF-16LE text", "2 classes"],
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
    case(17, || csv("a;b;class\n1,5;2,5;x\n"), TRAIN, 0, &["fields are parted by ';'", "decimal commas"]),
    case(
        17,
        || csv("a;b;class\n1,5;2,5\n"),
        TRAIN,
        2,
        &["delimiter looks like ';'", "--delimiter semicolon"],
    ),
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
        0,
        &["1: t"],
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
];
