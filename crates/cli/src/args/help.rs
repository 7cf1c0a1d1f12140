//! What help says at its end: examples, and what is not said of single options.

pub const AFTER: &str = "\
Results go to stdout, everything else to stderr; --json makes a result one JSON document.
Exit status: 0 done, 1 the work failed, 2 the arguments or the input are wrong.
Start with `manyboost demo`, or `manyboost train DATA.csv --out model.model`.";

/// Text of help, and what DATA may be.
macro_rules! with_data {
    ($text:literal) => {
        concat!(
            $text,
            "\n\nDATA is .csv, .tsv, .arff, .libsvm or .svm (each also .gz or .zst), .parquet, or - for CSV from stdin."
        )
    };
}

pub const TRAIN: &str = with_data!(
    "\
Examples:
  manyboost train letter.csv --out letter.model --test letter-test.csv
  manyboost train letter.csv --out letter.model --valid 0.2 --patience 30 --report letter.html
  manyboost train votes.csv --out votes.model --booster mm --learner stump --rounds 200 --trace votes.jsonl
  manyboost train big.parquet --out big.model --checkpoint big.ckpt --every 20 --resume
  manyboost train part-*.parquet --out big.model --workers hosts.txt --rank 0 --token-file token"
);

pub const EVALUATE: &str = with_data!(
    "\
Rows that were trained on say nothing of new ones: where it can be known that the model was
trained on all or most of DATA, a note says so (with --json: \"trained_on\").

Examples:
  manyboost evaluate letter.model letter-test.csv
  manyboost evaluate letter.model letter-test.csv --json"
);

pub const COMPARE: &str = with_data!(
    "\
Options of boosters and learners go to all boosters; those behind a colon to one of them.

Examples:
  manyboost compare letter.csv --boosters mcboost,samme,mm --test letter-test.csv --rounds 200
  manyboost compare letter.csv --boosters mcboost,samme:learner=tree:depth=10,mm:learner=tree:leaves=32
  manyboost compare letter.csv --test 0.3 --report letters.html --json"
);

pub const CV: &str = with_data!(
    "\
Examples:
  manyboost cv vehicle.csv
  manyboost cv vehicle.csv --booster samme --learner tree --depth 4 --folds 10 --repeats 3 --json"
);

pub const EXPLAIN: &str = with_data!(
    "\
What the columns of a row add, and what is expected of any row, sum up to the scores of predict --scores.
With --out the table has a line for each row and column (the first says what is expected) and a column for each class.
Refused, with the reason: models whose scores are no sum of trees (iter, mo, hyperplanes, products, costs in training).

Examples:
  manyboost explain letter.model letter-test.csv --rows 1-10 --top 5
  manyboost explain letter.model letter-test.csv --background letter.csv --json
  manyboost explain letter.model letter-test.csv --out letter-why.parquet
  manyboost explain letter.model letter-test.csv --page letter-why.html"
);

pub const WHY_NOT: &str = with_data!(
    "\
Fewer columns are a smaller change; of as many columns, those whose values move less. The search is exact: it ends with
the smallest change, or with the proof that there is none, unless the time is over; then the best that was found is shown
and said to be that. Columns of text stay as they are.

Examples:
  manyboost why-not credit.model applicants.csv --rows 17 --class good --fixed age,sex
  manyboost why-not letter.model letter-test.csv --rows 1-5 --json"
);

pub const SIMILAR: &str = with_data!(
    "\
Works for every model. How alike two rows are is the share of hypotheses that put both into the same leaf; of rows that are equally
alike, the first come first.

Examples:
  manyboost similar letter.model letter-test.csv --among letter.csv --rows 1-5
  manyboost similar letter.model letter-test.csv --among letter.csv --top 20 --json"
);

pub const EFFECTS: &str = with_data!(
    "\
Works for every model. Effects of columns that go together: accumulated does not mix values that never occur together.
With --out the table has a line for each value (individual: for each row and value) and a column for each class.
Accumulated effects are centred, without rows that lack a value; of two columns they are what these do together
beyond what each does on its own, and both must be numbers.

Examples:
  manyboost effects letter.model letter-test.csv --feature width
  manyboost effects letter.model letter-test.csv --feature width,height --svg both.svg
  manyboost effects letter.model letter-test.csv --feature width --kind individual --out curves.csv"
);

pub const IMPORTANCE: &str = with_data!(
    "\
What a column is worth is how much error and log loss rise when its values change places between rows. Behind ± is half of
an interval that has the rise over other rows of the same kind 95 times of 100. Columns that say the same stand in for one another, and
all seem to be worth little. The order of rows does not matter.

Examples:
  manyboost importance letter.model letter-test.csv
  manyboost importance letter.model letter-test.csv --repeats 20 --classes --json"
);

pub const REPORT: &str = with_data!(
    "\
The page is one file that opens by a double click, on a phone too, and asks the network for nothing.

Examples:
  manyboost report letter.model --data letter-test.csv
  manyboost report letter.model --data letter-test.csv --out letter.html
  manyboost report letter.model --data letter-test.csv --training letter.csv     and how their columns differ"
);

pub const EXPORT: &str = "\
onnx: inputs are `numbers` (double, a column for each column of numbers in the order of training; missing
is NaN) and `categories` (strings, likewise; missing is empty), as far as there are such columns; outputs
are `label` (whole numbers if all classes are, else strings), `scores` and `probabilities`. Names of columns
and classes are in the file's metadata.
Before the file is written its graph is run beside the model, and the largest difference is shown.
Refused, with the reason: text, hyperplanes, long products, and models that were trained with costs.

Examples:
  manyboost export letter.model --out letter.onnx
  manyboost export letter.model --out letter.onnx --check letter-test.csv --json";

pub const COMPLETIONS: &str = "\
Examples:
  manyboost completions bash > ~/.local/share/bash-completion/completions/manyboost
  manyboost completions zsh > ~/.zfunc/_manyboost
  manyboost completions fish > ~/.config/fish/completions/manyboost.fish";

pub const INSPECT: &str = "\
Examples:
  manyboost inspect letter.model --top 20
  manyboost inspect letter.model --trees 2
  manyboost inspect letter.model --trees 5 --svg trees.svg
  manyboost inspect letter.model --dot tree.dot && dot -Tpdf tree.dot > tree.pdf";

pub const CODEWORDS: &str = "\
Examples:
  manyboost codewords --classes 4
  manyboost codewords --classes 26 --dim 8 --json";

pub const GENERATE: &str = "\
Examples:
  manyboost generate --list
  manyboost generate waveform --rows 5000 --seed 1 --out train.csv
  manyboost generate waveform --rows 5000 --seed 2 --out test.csv     other rows of the same kind";

pub const POTENTIALS: &str = "\
Examples:
  manyboost game potentials --classes 6 --edge 0.1 --rounds 20
  manyboost game potentials --classes 6 --edge 0 --rounds 20 --condition minimal --json
  manyboost game potentials --classes 3 --edge 0.1 --rounds 20 --baseline 0.5,0.4,0.1";

pub const PLAY: &str = "\
The adversary names classes so that potentials fall as little as its promise allows: with many examples the error at the end is
the bound. The lazy learner tries two useless classifiers first, and looks for others only if neither meets the demand.

Examples:
  manyboost game play os --classes 4 --edge 0.1 --rounds 20
  manyboost game play samme --learner lazy --edge 0.1 --rounds 40     is content with the useless ones
  manyboost game play mm --learner lazy --edge 0.1 --rounds 40        is not";

pub const DEGREES: &str = "\
Examples:
  manyboost game degrees --edge 0 --rounds 10";

pub const BOUND: &str = "\
Examples:
  manyboost game bound --classes 6 --edge 0.1 --rounds 500";

pub const FIGURE: &str = "\
Examples:
  manyboost game figure 2
  manyboost game figure 5 --svg figure5.svg";

pub const PREDICT: &str = with_data!("\
The result is CSV with a header, one line per row; the answer has the name of the target, such as class:
  (default)   class
  --proba     class, then a column for each class by name
  --scores    class, then a column for each class by name
  --embed     class, then f_1, f_2, … in the dimensions of the codewords
  --top N     class_1, probability_1, class_2, …
  --staged    round_1, round_2, …
Columns of the data (--keep, --append) come first; where one of them has the name of an answer, the answer is called predicted_… .
Numbers that the model reads are written as numbers, everything else as it stands in the data; what is missing is empty.
Models of label sets answer one 0/1 column for each label, under the name that its column had in training (with
--proba and --scores: the probability or score instead); --top names labels, --staged joins them with spaces.

Examples:
  manyboost predict letter.model letter-test.csv --proba --out answers.csv
  manyboost predict letter.model letter-test.csv --top 3
  manyboost predict credit.model new.csv --keep id,name --proba --out answers.parquet
  manyboost predict credit.model new.csv --append --threshold bad=0.2 --out answers.csv.gz");

pub const CERTIFY: &str = "\
Examples:
  manyboost certify iris.csv                              can stumps be boosted to zero training error?
  manyboost certify iris.csv --learner tree --depth 2     all trees of two levels, exhaustively
  manyboost certify iris.csv --learner tree --leaves 4    the trees that training would grow
  manyboost certify iris.csv --json                       the values of all conditions, for programs

Every value is an interval: the lower end is proved by a mixture of classifiers, the upper end by weights of rows on which no
classifier does better. For stumps, and trees of depth 2 on numbers, the upper end is about all of them; for larger trees it is
about those that the (greedy) learner finds. docs/theory.md says what the values mean. Row weights do not matter here.

DATA is .csv, .tsv, .arff, .libsvm or .svm (each also .gz or .zst), .parquet, or - for CSV from stdin.";
