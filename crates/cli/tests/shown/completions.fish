# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_manyboost_global_optspecs
    string join \n q/quiet h/help V/version
end

function __fish_manyboost_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_manyboost_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_manyboost_using_subcommand
    set -l cmd (__fish_manyboost_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c manyboost -n "__fish_manyboost_needs_command" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_needs_command" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_needs_command" -s V -l version -d 'Print version'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "demo" -d 'Generate a data set, compare boosters on it, write demo.html'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "train" -d 'Train a model'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "predict" -d 'Predict the rows of a file'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "evaluate" -d 'Measure a model on rows with answers'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "compare" -d 'Train several boosters on the same rows and lay them side by side'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "cv" -d 'Measure a booster by cross-validation'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "inspect" -d 'Show what a model is made of'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "explain" -d 'What each column of a row adds to the scores of all classes (exact Shapley values)'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "effects" -d 'What a column does to the answers: partial dependence, individual curves, accumulated local effects'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "importance" -d 'What columns are worth: how much error and log loss rise when their values are shuffled'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "why-not" -d 'The smallest changes of rows after which the answer is another one'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "similar" -d 'Rows that the model treats most like others: those that share most leaves with them'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "report" -d 'Write a page (HTML) that explains a model'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "export" -d 'Write a model in another format'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "game" -d 'Potentials and bounds of the game between a booster and its weak learner; no data needed'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "certify" -d 'Whether a weak learner is strong enough for a data set, and for which boosters'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "boosters" -d 'List the boosters, or show one with its options'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "learners" -d 'List the weak learners, or show one with its options'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "losses" -d 'List the losses'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "codewords" -d 'Show codewords of classes, their minimum distance and margin capacity'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "generate" -d 'Generate a data set as CSV'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "completions" -d 'Print a script that completes commands and options in a shell'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "man" -d 'Print the manual page'
complete -c manyboost -n "__fish_manyboost_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c manyboost -n "__fish_manyboost_using_subcommand demo" -l seed -d 'Makes every random choice' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand demo" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand demo" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand demo" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -s o -l out -d 'Where the model goes' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l booster -d 'The boosting algorithm (see `manyboost boosters`)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l test -d 'Other rows, to report the test error' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l trace -d 'Write each round as a line of JSON' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l report -d 'Write a page that explains the model; it is shown on the test rows, else those to validate on, else DATA' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l valid -d 'Rows to validate on: a fraction of DATA to hold out (such as 0.2), or another file' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l split -d 'Which rows --valid FRACTION holds out: drawn ones, or the last ones, for rows in the order of time (drawn, last)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l patience -d 'Stop after N rounds without a better log loss on the validation rows; keep the best round' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l metric -d 'With --patience: what has to be better (log-loss, error, macro-f1, balanced-error, auc, or top-N such as top-3)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l checkpoint -d 'Where to save the state of training from time to time' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l every -d 'Rounds between two checkpoints' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l seed -d 'Makes every random choice' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l threads -d 'Threads, 1 to 1,024 (default: all cores); models do not depend on it' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l target -d 'The column of the class (default: `class`, else the last)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l labels -d 'Label sets: what the names of the 0/1 columns begin with (default: `label:`)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l weight -d 'The column of row weights' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l ignore -d 'Columns to leave out' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l categorical -d 'Columns of categories, whatever they look like' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l text -d 'Columns of text' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l class-weight -d 'How much rows weigh by their class: balanced (all classes the same together), or CLASS=WEIGHT,…' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l bins -d 'Most bins of a numeric column, 2 to 65,536 (0 = a cut between any two values) [default: 255]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l ngrams -d 'Most words of an n-gram of text, 1 to 8 [default: 1]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l delimiter -d 'What stands between fields: one sign, or tab, space, comma, semicolon, pipe' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l decimal -d 'What stands before decimals: point or comma' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l encoding -d 'The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l quote -d 'What stands around fields that hold delimiters: one sign, or none [default: "]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l missing -d 'Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l dates -d 'What comes first in dates such as 03/04/2021: day-first or month-first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l rounds -d 'Most rounds of boosting: auto, sqrt, or a whole number from 1 to 10,000,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l temperature -d 'What scores are divided by before they become probabilities: auto, or a number from 0.01 to 100' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l step -d 'How step sizes are found (edge, pieces, exact, printed, opt, odds, unit)' -r -f -a "edge\t''
pieces\t''
exact\t''
printed\t''
opt\t''
odds\t''
unit\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l answers -d 'What hypotheses answer (sign, abstain, confidence, mean, class, factored, oblivious, codeword, least-squares, unit)' -r -f -a "sign\t''
abstain\t''
confidence\t''
mean\t''
class\t''
factored\t''
oblivious\t''
codeword\t''
least-squares\t''
unit\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l smoothing -d 'Smoothing of confidences, a share of all weight: auto, or a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l shrinkage -d 'The part of each step that is taken: a number above 0, up to 1 (m1: a number above 0, up to 32)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l costs -d 'What mistakes cost: a line for each true class, a column for each answer' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l loss -d 'The loss (exponential, zero-one, hinge, logistic, savage, codeword, own)' -r -f -a "exponential\t''
zero-one\t''
hinge\t''
logistic\t''
savage\t''
codeword\t''
own\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l code -d 'The code matrix of the classes (random, exhaustive, pairs, max-cut)' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l codewords -d 'Codewords of the classes (simplex, canonical, max-min, max-capacity, random)' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l dim -d 'Dimension of the codewords: a whole number from 1 to 4,096' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l gamma -d 'γ of a loss of your own: what all wrong classes cost together: a formula of v that rises: v, ln(1 + v), (v/(1 + v))^2' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l phi -d 'φ of a loss of your own: what a wrong class costs by its margin v: a formula of v that falls: exp(-v), ln(1 + exp(-2v)), 1/(1 + exp(2v))^2' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l start -d 'The first weights (uniform, skewed)' -r -f -a "uniform\t''
skewed\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l condition -d 'The weak-learning condition (uniform, minimal)' -r -f -a "uniform\t''
minimal\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l decode -d 'How the scores of bits become a class (loss, hamming)' -r -f -a "loss\t''
hamming\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l drop -d 'Classes that an epoch rules out, as long as two are left: a whole number of at least 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l edge -d 'The edge that is counted on, or one for each round: an edge above 0 and below 1, or one for each round: 0.3,0.2,0.1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l eliminate -d 'Which class an epoch rules out (argmin, last-negative)' -r -f -a "argmin\t''
last-negative\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l epoch -d 'Rounds of an epoch: a whole number from 1 to 1,000,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l eta -d 'The weight of a vote under the exponential loss, or one for each round: a weight above 0 and below 1, or one for each round: 0.3,0.2,0.1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l horizon -d 'Rounds that potentials look ahead to, at least as many as there are: a whole number from 1 to 10,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l members -d 'Trainings whose mean is the model: auto, or a whole number from 1 to 64' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l nu -d 'The share of rows that may fall short of the margin: a number from 0 (none: a hard margin) to 0.9' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l refit -d 'Which coefficients a round changes (last, all)' -r -f -a "last\t''
all\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l relabel -d 'How hypotheses name classes that are left (restrict, position)' -r -f -a "restrict\t''
position\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l text-as -d 'What is made of text columns (linear if nothing is said) (linear, words)' -r -f -a "linear\t''
words\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l text-cost -d 'What an error of the linear function of texts costs, beside large coefficients: auto, or a number from 1e-6 to 1,000,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l text-letters -d 'Most letters of a run within words that the linear function of texts looks at, from 3 on (0: none): auto, or a whole number from 0 to 8' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l text-max-share -d 'The largest share of rows in which a word may occur for the linear function of texts (1 if nothing is said): a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l text-min-docs -d 'Rows in which a word must occur for the linear function of texts (2 if nothing is said): a whole number from 1 to 1,000,000,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l text-ngrams -d 'Most words of a run that the linear function of texts looks at: auto, or a whole number from 0 to 8' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l text-stop-words -d 'Words that the linear function of texts leaves out (none if nothing is said) (none, english)' -r -f -a "none\t''
english\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l text-weighting -d 'What a word counts in the linear function of texts (tf-idf if nothing is said) (tf-idf, counts, presence)' -r -f -a "tf-idf\t''
counts\t''
presence\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l votes -d 'Votes per round (one, two)' -r -f -a "one\t''
two\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l cuts -d 'Random cuts tried on a feature: a whole number from 0 (all) to 255' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l depth -d 'Most cuts on the way to a leaf; alone: grow level by level (to 16 levels at most): a whole number from 1 to 64' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l features -d 'Share of the features that a node may use: a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l learner -d 'The weak learner (stump, tree, line, linear, product, c45)' -r -f -a "stump\t''
tree\t''
line\t''
linear\t''
product\t''
c45\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l leaves -d 'Most leaves of a tree, grown best cut first: a whole number from 1 (no cut: the same answer for all rows) to 65,536' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l min-rows -d 'Least rows (by weight) of a leaf: a number from 0 to 1e15' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l precision -d 'Bits that split search works on (auto, wide, narrow)' -r -f -a "auto\t''
wide\t''
narrow\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l sketch -d 'Projections on which cuts are searched when there are many classes: a whole number from 0 (off) to 1,024' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l subsample -d 'Share of the rows that a tree (or a regression) sees: a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l regression -d 'How the linear learner uses weights (weighted, resampled)' -r -f -a "weighted\t''
resampled\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l factors -d 'Most stumps of a product: a whole number from 1 to 64' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l criterion -d 'What cuts minimise (z, gini, entropy, cost)' -r -f -a "z\t''
gini\t''
entropy\t''
cost\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l confidence -d 'Confidence of the errors that C4.5 expects; less prunes more: a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l prune -d 'Whether trees of C4.5 are pruned (yes, no)' -r -f -a "yes\t''
no\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l workers -d 'Train with other workers: a file with a line HOST:PORT for each, a list A,B,C, or mpi for the processes that mpirun or srun has started. Files of DATA are dealt to them in turn' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l rank -d 'Which of them this is, counted from 0; the first one writes the model (mpi: known)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l token-file -d 'A file with a secret that all of them have (mpi: the first one makes one)' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l deadline -d 'Seconds of silence after which a worker is lost (default: 60)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l json -d 'Print the summary as one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l resume -d 'Go on from the checkpoint, if it is there'
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -l no-header -d 'The first line is a row: columns are called x1, x2, …'
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand train" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l clamp -d 'With --scores: the highest is 0, and none is below -X (the clamped scores of Theorem 29 of Mukherjee & Schapire 2013)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l top -d 'The N likeliest classes with their probabilities; with --proba, behind those of all classes' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l costs -d 'Answer the class that costs least, given the probabilities: a line for each true class, a column for each answer' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l threshold -d 'Answer a class or a label where its probability is at least X; CLASS=X says which one (of two classes: the second)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l keep -d 'Columns of the data that stand before the answers, in this order, whether the model uses them or not' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -s o -l out -d 'Write to a file instead of stdout: .csv, .tsv, .jsonl (each also .gz, .zst) or .parquet' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l delimiter -d 'What stands between fields: one sign, or tab, space, comma, semicolon, pipe' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l decimal -d 'What stands before decimals: point or comma' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l encoding -d 'The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l quote -d 'What stands around fields that hold delimiters: one sign, or none [default: "]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l missing -d 'Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l dates -d 'What comes first in dates such as 03/04/2021: day-first or month-first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l proba -d 'Add the probability of each class'
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l scores -d 'Add the score of each class'
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l embed -d 'Add f(x) in the dimensions of the codewords (gd-mcboost, cd-mcboost)'
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l staged -d 'The answer after each round, a column a round'
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l append -d 'All columns of the data before the answers'
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l json -d 'Print one JSON document instead of CSV'
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -l no-header -d 'The first line is a row: columns are called x1, x2, …'
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand predict" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand evaluate" -l target -d 'The column of the class, if its name differs from that in training' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand evaluate" -l weight -d 'The column of row weights' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand evaluate" -l costs -d 'What mistakes cost: a line for each true class, a column for each answer' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand evaluate" -l bootstrap -d 'The standard deviation of the error over N draws of as many rows, with replacement, 2 to 100,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand evaluate" -l delimiter -d 'What stands between fields: one sign, or tab, space, comma, semicolon, pipe' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand evaluate" -l decimal -d 'What stands before decimals: point or comma' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand evaluate" -l encoding -d 'The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand evaluate" -l quote -d 'What stands around fields that hold delimiters: one sign, or none [default: "]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand evaluate" -l missing -d 'Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand evaluate" -l dates -d 'What comes first in dates such as 03/04/2021: day-first or month-first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand evaluate" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand evaluate" -l no-header -d 'The first line is a row: columns are called x1, x2, …'
complete -c manyboost -n "__fish_manyboost_using_subcommand evaluate" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand evaluate" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l boosters -d 'The boosting algorithms, each with options of its own if it has any: NAME:OPTION=VALUE:…' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l test -d 'Rows to measure on: a fraction of DATA to hold out, or another file' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l report -d 'Where the page with all learning curves goes' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l seed -d 'Makes every random choice' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l threads -d 'Threads, 1 to 1,024 (default: all cores); models do not depend on it' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l target -d 'The column of the class (default: `class`, else the last)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l labels -d 'Label sets: what the names of the 0/1 columns begin with (default: `label:`)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l weight -d 'The column of row weights' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l ignore -d 'Columns to leave out' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l categorical -d 'Columns of categories, whatever they look like' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l text -d 'Columns of text' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l class-weight -d 'How much rows weigh by their class: balanced (all classes the same together), or CLASS=WEIGHT,…' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l bins -d 'Most bins of a numeric column, 2 to 65,536 (0 = a cut between any two values) [default: 255]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l ngrams -d 'Most words of an n-gram of text, 1 to 8 [default: 1]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l delimiter -d 'What stands between fields: one sign, or tab, space, comma, semicolon, pipe' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l decimal -d 'What stands before decimals: point or comma' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l encoding -d 'The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l quote -d 'What stands around fields that hold delimiters: one sign, or none [default: "]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l missing -d 'Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l dates -d 'What comes first in dates such as 03/04/2021: day-first or month-first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l rounds -d 'Most rounds of boosting: auto, sqrt, or a whole number from 1 to 10,000,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l temperature -d 'What scores are divided by before they become probabilities: auto, or a number from 0.01 to 100' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l step -d 'How step sizes are found (edge, pieces, exact, printed, opt, odds, unit)' -r -f -a "edge\t''
pieces\t''
exact\t''
printed\t''
opt\t''
odds\t''
unit\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l answers -d 'What hypotheses answer (sign, abstain, confidence, mean, class, factored, oblivious, codeword, least-squares, unit)' -r -f -a "sign\t''
abstain\t''
confidence\t''
mean\t''
class\t''
factored\t''
oblivious\t''
codeword\t''
least-squares\t''
unit\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l smoothing -d 'Smoothing of confidences, a share of all weight: auto, or a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l shrinkage -d 'The part of each step that is taken: a number above 0, up to 1 (m1: a number above 0, up to 32)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l costs -d 'What mistakes cost: a line for each true class, a column for each answer' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l loss -d 'The loss (exponential, zero-one, hinge, logistic, savage, codeword, own)' -r -f -a "exponential\t''
zero-one\t''
hinge\t''
logistic\t''
savage\t''
codeword\t''
own\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l code -d 'The code matrix of the classes (random, exhaustive, pairs, max-cut)' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l codewords -d 'Codewords of the classes (simplex, canonical, max-min, max-capacity, random)' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l dim -d 'Dimension of the codewords: a whole number from 1 to 4,096' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l gamma -d 'γ of a loss of your own: what all wrong classes cost together: a formula of v that rises: v, ln(1 + v), (v/(1 + v))^2' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l phi -d 'φ of a loss of your own: what a wrong class costs by its margin v: a formula of v that falls: exp(-v), ln(1 + exp(-2v)), 1/(1 + exp(2v))^2' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l start -d 'The first weights (uniform, skewed)' -r -f -a "uniform\t''
skewed\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l condition -d 'The weak-learning condition (uniform, minimal)' -r -f -a "uniform\t''
minimal\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l decode -d 'How the scores of bits become a class (loss, hamming)' -r -f -a "loss\t''
hamming\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l drop -d 'Classes that an epoch rules out, as long as two are left: a whole number of at least 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l edge -d 'The edge that is counted on, or one for each round: an edge above 0 and below 1, or one for each round: 0.3,0.2,0.1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l eliminate -d 'Which class an epoch rules out (argmin, last-negative)' -r -f -a "argmin\t''
last-negative\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l epoch -d 'Rounds of an epoch: a whole number from 1 to 1,000,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l eta -d 'The weight of a vote under the exponential loss, or one for each round: a weight above 0 and below 1, or one for each round: 0.3,0.2,0.1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l horizon -d 'Rounds that potentials look ahead to, at least as many as there are: a whole number from 1 to 10,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l members -d 'Trainings whose mean is the model: auto, or a whole number from 1 to 64' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l nu -d 'The share of rows that may fall short of the margin: a number from 0 (none: a hard margin) to 0.9' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l refit -d 'Which coefficients a round changes (last, all)' -r -f -a "last\t''
all\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l relabel -d 'How hypotheses name classes that are left (restrict, position)' -r -f -a "restrict\t''
position\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l text-as -d 'What is made of text columns (linear if nothing is said) (linear, words)' -r -f -a "linear\t''
words\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l text-cost -d 'What an error of the linear function of texts costs, beside large coefficients: auto, or a number from 1e-6 to 1,000,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l text-letters -d 'Most letters of a run within words that the linear function of texts looks at, from 3 on (0: none): auto, or a whole number from 0 to 8' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l text-max-share -d 'The largest share of rows in which a word may occur for the linear function of texts (1 if nothing is said): a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l text-min-docs -d 'Rows in which a word must occur for the linear function of texts (2 if nothing is said): a whole number from 1 to 1,000,000,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l text-ngrams -d 'Most words of a run that the linear function of texts looks at: auto, or a whole number from 0 to 8' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l text-stop-words -d 'Words that the linear function of texts leaves out (none if nothing is said) (none, english)' -r -f -a "none\t''
english\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l text-weighting -d 'What a word counts in the linear function of texts (tf-idf if nothing is said) (tf-idf, counts, presence)' -r -f -a "tf-idf\t''
counts\t''
presence\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l votes -d 'Votes per round (one, two)' -r -f -a "one\t''
two\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l cuts -d 'Random cuts tried on a feature: a whole number from 0 (all) to 255' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l depth -d 'Most cuts on the way to a leaf; alone: grow level by level (to 16 levels at most): a whole number from 1 to 64' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l features -d 'Share of the features that a node may use: a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l learner -d 'The weak learner (stump, tree, line, linear, product, c45)' -r -f -a "stump\t''
tree\t''
line\t''
linear\t''
product\t''
c45\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l leaves -d 'Most leaves of a tree, grown best cut first: a whole number from 1 (no cut: the same answer for all rows) to 65,536' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l min-rows -d 'Least rows (by weight) of a leaf: a number from 0 to 1e15' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l precision -d 'Bits that split search works on (auto, wide, narrow)' -r -f -a "auto\t''
wide\t''
narrow\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l sketch -d 'Projections on which cuts are searched when there are many classes: a whole number from 0 (off) to 1,024' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l subsample -d 'Share of the rows that a tree (or a regression) sees: a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l regression -d 'How the linear learner uses weights (weighted, resampled)' -r -f -a "weighted\t''
resampled\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l factors -d 'Most stumps of a product: a whole number from 1 to 64' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l criterion -d 'What cuts minimise (z, gini, entropy, cost)' -r -f -a "z\t''
gini\t''
entropy\t''
cost\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l confidence -d 'Confidence of the errors that C4.5 expects; less prunes more: a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l prune -d 'Whether trees of C4.5 are pruned (yes, no)' -r -f -a "yes\t''
no\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -l no-header -d 'The first line is a row: columns are called x1, x2, …'
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand compare" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l booster -d 'The boosting algorithm (see `manyboost boosters`)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l folds -d 'Parts, each of which is measured once by a model of the others; classes are spread evenly over them' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l repeats -d 'How often, each time with other parts' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l seed -d 'Makes every random choice' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l threads -d 'Threads, 1 to 1,024 (default: all cores); models do not depend on it' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l target -d 'The column of the class (default: `class`, else the last)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l labels -d 'Label sets: what the names of the 0/1 columns begin with (default: `label:`)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l weight -d 'The column of row weights' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l ignore -d 'Columns to leave out' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l categorical -d 'Columns of categories, whatever they look like' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l text -d 'Columns of text' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l class-weight -d 'How much rows weigh by their class: balanced (all classes the same together), or CLASS=WEIGHT,…' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l bins -d 'Most bins of a numeric column, 2 to 65,536 (0 = a cut between any two values) [default: 255]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l ngrams -d 'Most words of an n-gram of text, 1 to 8 [default: 1]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l delimiter -d 'What stands between fields: one sign, or tab, space, comma, semicolon, pipe' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l decimal -d 'What stands before decimals: point or comma' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l encoding -d 'The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l quote -d 'What stands around fields that hold delimiters: one sign, or none [default: "]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l missing -d 'Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l dates -d 'What comes first in dates such as 03/04/2021: day-first or month-first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l rounds -d 'Most rounds of boosting: auto, sqrt, or a whole number from 1 to 10,000,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l temperature -d 'What scores are divided by before they become probabilities: auto, or a number from 0.01 to 100' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l step -d 'How step sizes are found (edge, pieces, exact, printed, opt, odds, unit)' -r -f -a "edge\t''
pieces\t''
exact\t''
printed\t''
opt\t''
odds\t''
unit\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l answers -d 'What hypotheses answer (sign, abstain, confidence, mean, class, factored, oblivious, codeword, least-squares, unit)' -r -f -a "sign\t''
abstain\t''
confidence\t''
mean\t''
class\t''
factored\t''
oblivious\t''
codeword\t''
least-squares\t''
unit\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l smoothing -d 'Smoothing of confidences, a share of all weight: auto, or a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l shrinkage -d 'The part of each step that is taken: a number above 0, up to 1 (m1: a number above 0, up to 32)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l costs -d 'What mistakes cost: a line for each true class, a column for each answer' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l loss -d 'The loss (exponential, zero-one, hinge, logistic, savage, codeword, own)' -r -f -a "exponential\t''
zero-one\t''
hinge\t''
logistic\t''
savage\t''
codeword\t''
own\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l code -d 'The code matrix of the classes (random, exhaustive, pairs, max-cut)' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l codewords -d 'Codewords of the classes (simplex, canonical, max-min, max-capacity, random)' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l dim -d 'Dimension of the codewords: a whole number from 1 to 4,096' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l gamma -d 'γ of a loss of your own: what all wrong classes cost together: a formula of v that rises: v, ln(1 + v), (v/(1 + v))^2' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l phi -d 'φ of a loss of your own: what a wrong class costs by its margin v: a formula of v that falls: exp(-v), ln(1 + exp(-2v)), 1/(1 + exp(2v))^2' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l start -d 'The first weights (uniform, skewed)' -r -f -a "uniform\t''
skewed\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l condition -d 'The weak-learning condition (uniform, minimal)' -r -f -a "uniform\t''
minimal\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l decode -d 'How the scores of bits become a class (loss, hamming)' -r -f -a "loss\t''
hamming\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l drop -d 'Classes that an epoch rules out, as long as two are left: a whole number of at least 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l edge -d 'The edge that is counted on, or one for each round: an edge above 0 and below 1, or one for each round: 0.3,0.2,0.1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l eliminate -d 'Which class an epoch rules out (argmin, last-negative)' -r -f -a "argmin\t''
last-negative\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l epoch -d 'Rounds of an epoch: a whole number from 1 to 1,000,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l eta -d 'The weight of a vote under the exponential loss, or one for each round: a weight above 0 and below 1, or one for each round: 0.3,0.2,0.1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l horizon -d 'Rounds that potentials look ahead to, at least as many as there are: a whole number from 1 to 10,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l members -d 'Trainings whose mean is the model: auto, or a whole number from 1 to 64' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l nu -d 'The share of rows that may fall short of the margin: a number from 0 (none: a hard margin) to 0.9' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l refit -d 'Which coefficients a round changes (last, all)' -r -f -a "last\t''
all\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l relabel -d 'How hypotheses name classes that are left (restrict, position)' -r -f -a "restrict\t''
position\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l text-as -d 'What is made of text columns (linear if nothing is said) (linear, words)' -r -f -a "linear\t''
words\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l text-cost -d 'What an error of the linear function of texts costs, beside large coefficients: auto, or a number from 1e-6 to 1,000,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l text-letters -d 'Most letters of a run within words that the linear function of texts looks at, from 3 on (0: none): auto, or a whole number from 0 to 8' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l text-max-share -d 'The largest share of rows in which a word may occur for the linear function of texts (1 if nothing is said): a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l text-min-docs -d 'Rows in which a word must occur for the linear function of texts (2 if nothing is said): a whole number from 1 to 1,000,000,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l text-ngrams -d 'Most words of a run that the linear function of texts looks at: auto, or a whole number from 0 to 8' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l text-stop-words -d 'Words that the linear function of texts leaves out (none if nothing is said) (none, english)' -r -f -a "none\t''
english\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l text-weighting -d 'What a word counts in the linear function of texts (tf-idf if nothing is said) (tf-idf, counts, presence)' -r -f -a "tf-idf\t''
counts\t''
presence\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l votes -d 'Votes per round (one, two)' -r -f -a "one\t''
two\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l cuts -d 'Random cuts tried on a feature: a whole number from 0 (all) to 255' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l depth -d 'Most cuts on the way to a leaf; alone: grow level by level (to 16 levels at most): a whole number from 1 to 64' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l features -d 'Share of the features that a node may use: a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l learner -d 'The weak learner (stump, tree, line, linear, product, c45)' -r -f -a "stump\t''
tree\t''
line\t''
linear\t''
product\t''
c45\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l leaves -d 'Most leaves of a tree, grown best cut first: a whole number from 1 (no cut: the same answer for all rows) to 65,536' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l min-rows -d 'Least rows (by weight) of a leaf: a number from 0 to 1e15' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l precision -d 'Bits that split search works on (auto, wide, narrow)' -r -f -a "auto\t''
wide\t''
narrow\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l sketch -d 'Projections on which cuts are searched when there are many classes: a whole number from 0 (off) to 1,024' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l subsample -d 'Share of the rows that a tree (or a regression) sees: a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l regression -d 'How the linear learner uses weights (weighted, resampled)' -r -f -a "weighted\t''
resampled\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l factors -d 'Most stumps of a product: a whole number from 1 to 64' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l criterion -d 'What cuts minimise (z, gini, entropy, cost)' -r -f -a "z\t''
gini\t''
entropy\t''
cost\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l confidence -d 'Confidence of the errors that C4.5 expects; less prunes more: a number above 0, up to 1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l prune -d 'Whether trees of C4.5 are pruned (yes, no)' -r -f -a "yes\t''
no\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -l no-header -d 'The first line is a row: columns are called x1, x2, …'
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand cv" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -l trees -d 'Print the first N trees as text' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -l svg -d 'Draw the first trees, as many as --trees says or one, as a picture' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -l dot -d 'Write them in the language of Graphviz' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -l data -d 'Rows with answers, such as those of training: adds the margins of the model on them, and what they say of its error' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -l top -d 'Features in the list of importances' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -l delimiter -d 'What stands between fields: one sign, or tab, space, comma, semicolon, pipe' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -l decimal -d 'What stands before decimals: point or comma' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -l encoding -d 'The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -l quote -d 'What stands around fields that hold delimiters: one sign, or none [default: "]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -l missing -d 'Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -l dates -d 'What comes first in dates such as 03/04/2021: day-first or month-first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -l no-header -d 'The first line is a row: columns are called x1, x2, …'
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand inspect" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -l rows -d 'Which rows, counted from 1: numbers and ranges such as 1,5-7 [default: all; the first 3 where they are printed]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -l top -d 'The N columns that add most to the answer, or take most from it [default: all; 8 where they are printed]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -l background -d 'Compare with these rows instead of with what is expected by the shares of training rows; a few hundred are enough' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -s o -l out -d 'Write a table to a file instead of printing' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -l page -d 'Write a page with a figure for each row instead of printing' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -l delimiter -d 'What stands between fields: one sign, or tab, space, comma, semicolon, pipe' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -l decimal -d 'What stands before decimals: point or comma' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -l encoding -d 'The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -l quote -d 'What stands around fields that hold delimiters: one sign, or none [default: "]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -l missing -d 'Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -l dates -d 'What comes first in dates such as 03/04/2021: day-first or month-first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -l words -d 'Tell the words of text columns apart'
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -l no-header -d 'The first line is a row: columns are called x1, x2, …'
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand explain" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -l feature -d 'The column, or two of them' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -l kind -d 'What is computed' -r -f -a "partial\t'The mean over all rows, each with the value (partial dependence)'
individual\t'Each row with the value (individual curves)'
accumulated\t'Differences between values near those of the rows, added up (accumulated local effects)'"
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -l points -d 'Most values of a column of numbers, 2 to 1,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -s o -l out -d 'Write a table to a file instead of printing' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -l svg -d 'Draw a picture too: a panel for each class' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -l delimiter -d 'What stands between fields: one sign, or tab, space, comma, semicolon, pipe' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -l decimal -d 'What stands before decimals: point or comma' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -l encoding -d 'The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -l quote -d 'What stands around fields that hold delimiters: one sign, or none [default: "]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -l missing -d 'Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -l dates -d 'What comes first in dates such as 03/04/2021: day-first or month-first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -l scores -d 'Scores instead of probabilities'
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -l no-header -d 'The first line is a row: columns are called x1, x2, …'
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand effects" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -l repeats -d 'How often the values of each column are shuffled, 1 to 1,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -l top -d 'Columns that are listed' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -l seed -d 'Makes every random choice' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -l target -d 'The column of the class, if its name differs from that in training' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -l weight -d 'The column of row weights' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -l delimiter -d 'What stands between fields: one sign, or tab, space, comma, semicolon, pipe' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -l decimal -d 'What stands before decimals: point or comma' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -l encoding -d 'The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -l quote -d 'What stands around fields that hold delimiters: one sign, or none [default: "]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -l missing -d 'Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -l dates -d 'What comes first in dates such as 03/04/2021: day-first or month-first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -l classes -d 'The rise of the log loss among the rows of each class too'
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -l no-header -d 'The first line is a row: columns are called x1, x2, …'
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand importance" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand why-not" -l rows -d 'Which rows, such as 1-3,7 (the first ones otherwise)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand why-not" -l class -d 'The answer that is wanted; any other than the model\'s own otherwise' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand why-not" -l fixed -d 'Columns that cannot be changed' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand why-not" -l seconds -d 'Most seconds to search for the changes of a row' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand why-not" -l delimiter -d 'What stands between fields: one sign, or tab, space, comma, semicolon, pipe' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand why-not" -l decimal -d 'What stands before decimals: point or comma' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand why-not" -l encoding -d 'The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand why-not" -l quote -d 'What stands around fields that hold delimiters: one sign, or none [default: "]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand why-not" -l missing -d 'Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand why-not" -l dates -d 'What comes first in dates such as 03/04/2021: day-first or month-first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand why-not" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand why-not" -l no-header -d 'The first line is a row: columns are called x1, x2, …'
complete -c manyboost -n "__fish_manyboost_using_subcommand why-not" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand why-not" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand similar" -l among -d 'The rows to search, such as those of training' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand similar" -l rows -d 'Which rows, such as 1-3,7 (the first ones otherwise)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand similar" -l top -d 'How many are shown for each row' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand similar" -l delimiter -d 'What stands between fields: one sign, or tab, space, comma, semicolon, pipe' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand similar" -l decimal -d 'What stands before decimals: point or comma' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand similar" -l encoding -d 'The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand similar" -l quote -d 'What stands around fields that hold delimiters: one sign, or none [default: "]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand similar" -l missing -d 'Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand similar" -l dates -d 'What comes first in dates such as 03/04/2021: day-first or month-first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand similar" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand similar" -l no-header -d 'The first line is a row: columns are called x1, x2, …'
complete -c manyboost -n "__fish_manyboost_using_subcommand similar" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand similar" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -l data -d 'Rows with answers to show it on, best ones that it was not trained on' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -l training -d 'Rows that it was trained on, to compare the columns of both' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -s o -l out -d 'Where the page goes [default: the model\'s name with .html]' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -l target -d 'The column of the class, if its name differs from that in training' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -l weight -d 'The column of row weights' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -l delimiter -d 'What stands between fields: one sign, or tab, space, comma, semicolon, pipe' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -l decimal -d 'What stands before decimals: point or comma' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -l encoding -d 'The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -l quote -d 'What stands around fields that hold delimiters: one sign, or none [default: "]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -l missing -d 'Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -l dates -d 'What comes first in dates such as 03/04/2021: day-first or month-first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -l json -d 'Print where the page is as one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -l no-header -d 'The first line is a row: columns are called x1, x2, …'
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand report" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand export" -l format -d 'Which format' -r -f -a "onnx\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand export" -s o -l out -d 'Where it goes' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand export" -l check -d 'Rows on which the graph is run and laid beside the model; answers are not needed [default: rows made up at its thresholds]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand export" -l delimiter -d 'What stands between fields: one sign, or tab, space, comma, semicolon, pipe' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand export" -l decimal -d 'What stands before decimals: point or comma' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand export" -l encoding -d 'The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand export" -l quote -d 'What stands around fields that hold delimiters: one sign, or none [default: "]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand export" -l missing -d 'Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand export" -l dates -d 'What comes first in dates such as 03/04/2021: day-first or month-first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand export" -l json -d 'Print what was checked as one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand export" -l no-header -d 'The first line is a row: columns are called x1, x2, …'
complete -c manyboost -n "__fish_manyboost_using_subcommand export" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand export" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and not __fish_seen_subcommand_from potentials degrees bound figure play help" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and not __fish_seen_subcommand_from potentials degrees bound figure play help" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and not __fish_seen_subcommand_from potentials degrees bound figure play help" -f -a "potentials" -d 'The potential of the first state: the loss that the best booster ends with against the worst weak learner'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and not __fish_seen_subcommand_from potentials degrees bound figure play help" -f -a "degrees" -d 'In how many directions the worst walk of three classes goes on from each state, with all rounds to go'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and not __fish_seen_subcommand_from potentials degrees bound figure play help" -f -a "bound" -d 'Bounds on the training error, round by round'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and not __fish_seen_subcommand_from potentials degrees bound figure play help" -f -a "figure" -d 'A figure of the paper, redrawn: 2 to 6'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and not __fish_seen_subcommand_from potentials degrees bound figure play help" -f -a "play" -d 'A game round by round: a booster against the worst weak learner that keeps its promise, or against a lazy one'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and not __fish_seen_subcommand_from potentials degrees bound figure play help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from potentials" -l classes -d 'Number of classes' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from potentials" -l condition -d 'What the weak learner promises: to beat guessing uniformly, or the least that makes boosting possible' -r -f -a "uniform\t''
minimal\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from potentials" -l baseline -d 'Instead of a condition: how often a guesser names the own class, then each other one: 0.5,0.3,0.2' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from potentials" -l edge -d 'The edge that the weak learner promises, 0 to 1, or one for each round: 0.3,0.2,0.1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from potentials" -l rounds -d 'Rounds of the game' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from potentials" -l svg -d 'Draw a picture too' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from potentials" -l loss -d 'What a wrong end costs' -r -f -a "zero-one\t''
exponential\t''
hinge\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from potentials" -l eta -d 'Exponential loss: the weight of a vote [default: ln(1 + edge)]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from potentials" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from potentials" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from potentials" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from degrees" -l edge -d 'The edge that the weak learner promises, 0 to 1, or one for each round: 0.3,0.2,0.1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from degrees" -l rounds -d 'Rounds of the game' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from degrees" -l svg -d 'Draw a picture too' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from degrees" -l loss -d 'What a wrong end costs' -r -f -a "zero-one\t''
exponential\t''
hinge\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from degrees" -l eta -d 'Exponential loss: the weight of a vote [default: ln(1 + edge)]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from degrees" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from degrees" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from degrees" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from bound" -l classes -d 'Number of classes' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from bound" -l edge -d 'The edge that the weak learner promises, 0 to 1, or one for each round: 0.3,0.2,0.1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from bound" -l rounds -d 'Rounds of the game' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from bound" -l svg -d 'Draw a picture too' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from bound" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from bound" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from bound" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from figure" -l svg -d 'Draw a picture too' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from figure" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from figure" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from figure" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from play" -l learner -d 'The weak learner: the adversary of Theorem 9, or the lazy one of section 9.1 on the two rows of figure 1' -r -f -a "adversary\t''
lazy\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from play" -l classes -d 'Adversary: number of classes [default: 3]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from play" -l examples -d 'Adversary: number of examples [default: 1,000]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from play" -l loss -d 'os: what a wrong end costs [default: zero-one]' -r -f -a "zero-one\t''
exponential\t''
hinge\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from play" -l eta -d 'os, exponential loss: the weight of a vote [default: ln(1 + edge)]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from play" -l condition -d 'os: what the weak learner promises [default: uniform]' -r -f -a "uniform\t''
minimal\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from play" -l edge -d 'The edge that the weak learner promises, 0 to 1, or one for each round: 0.3,0.2,0.1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from play" -l rounds -d 'Rounds of the game' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from play" -l svg -d 'Draw a picture too' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from play" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from play" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from play" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from help" -f -a "potentials" -d 'The potential of the first state: the loss that the best booster ends with against the worst weak learner'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from help" -f -a "degrees" -d 'In how many directions the worst walk of three classes goes on from each state, with all rounds to go'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from help" -f -a "bound" -d 'Bounds on the training error, round by round'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from help" -f -a "figure" -d 'A figure of the paper, redrawn: 2 to 6'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from help" -f -a "play" -d 'A game round by round: a booster against the worst weak learner that keeps its promise, or against a lazy one'
complete -c manyboost -n "__fish_manyboost_using_subcommand game; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l learner -d 'The weak learner: stump, tree or linear' -r -f -a "stump\t''
tree\t''
linear\t''"
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l leaves -d 'Most leaves of a tree, grown best cut first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l depth -d 'Most cuts on the way to a leaf; alone: grow level by level' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l min-rows -d 'Least rows of a leaf' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l tolerance -d 'How close lower and upper bounds shall be, 1e-9 to 0.1' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l subsets -d 'Look at iterative weak learnability on all sets of up to N classes (1: on all classes together only)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l effort -d 'Work to spend, 0.01 to 1,000; 1 is some minutes at most, after which bounds may still be apart' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l baseline -d 'Ask about a baseline too: a line of class names, then one for each row, with the share that a guesser gives each class' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l costs -d 'Ask about cost matrices too: a line of class names, then for each matrix a line for each row, with what it costs to name each class; classifiers shall cost no more than the baseline, or than uniform guessing' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l mixture -d 'Write the votes of the best mixture: a line for each row, a share for each class' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l threads -d 'Threads, 1 to 1,024 (default: all cores); the result does not depend on it' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l target -d 'The column of the class (default: `class`, else the last)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l labels -d 'Label sets: what the names of the 0/1 columns begin with (default: `label:`)' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l weight -d 'The column of row weights' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l ignore -d 'Columns to leave out' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l categorical -d 'Columns of categories, whatever they look like' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l text -d 'Columns of text' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l bins -d 'Most bins of a numeric column, 2 to 65,536 (0 = a cut between any two values) [default: 255]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l ngrams -d 'Most words of an n-gram of text, 1 to 8 [default: 1]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l delimiter -d 'What stands between fields: one sign, or tab, space, comma, semicolon, pipe' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l decimal -d 'What stands before decimals: point or comma' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l encoding -d 'The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l quote -d 'What stands around fields that hold delimiters: one sign, or none [default: "]' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l missing -d 'Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l dates -d 'What comes first in dates such as 03/04/2021: day-first or month-first' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -l no-header -d 'The first line is a row: columns are called x1, x2, …'
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand certify" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand boosters" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand boosters" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand boosters" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand learners" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand learners" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand learners" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand losses" -l svg -d 'Draw a picture too: what they cost a row of the first of three classes, by f in the plane of the codewords' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand losses" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand losses" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand losses" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand codewords" -l classes -d 'Number of classes, 2 to 4,096' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand codewords" -l dim -d 'Dimension of the codewords' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand codewords" -l codewords -d 'Which (simplex, canonical, max-min, max-capacity, random, FILE); max-min if a dimension is given, else simplex' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand codewords" -l svg -d 'Draw a picture too: the first two dimensions, or three of them seen from the side' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand codewords" -l seed -d 'Makes every random choice' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand codewords" -l json -d 'Print one JSON document'
complete -c manyboost -n "__fish_manyboost_using_subcommand codewords" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand codewords" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand generate" -l rows -d 'Number of rows, 1 to 100,000,000' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand generate" -l seed -d 'Makes every random choice' -r
complete -c manyboost -n "__fish_manyboost_using_subcommand generate" -s o -l out -d 'Write to a file instead of stdout' -r -F
complete -c manyboost -n "__fish_manyboost_using_subcommand generate" -l list -d 'List the data sets'
complete -c manyboost -n "__fish_manyboost_using_subcommand generate" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand generate" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand completions" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand completions" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand man" -s q -l quiet -d 'Print results and errors only: no progress, no notes'
complete -c manyboost -n "__fish_manyboost_using_subcommand man" -s h -l help -d 'Print help'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "demo" -d 'Generate a data set, compare boosters on it, write demo.html'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "train" -d 'Train a model'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "predict" -d 'Predict the rows of a file'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "evaluate" -d 'Measure a model on rows with answers'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "compare" -d 'Train several boosters on the same rows and lay them side by side'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "cv" -d 'Measure a booster by cross-validation'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "inspect" -d 'Show what a model is made of'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "explain" -d 'What each column of a row adds to the scores of all classes (exact Shapley values)'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "effects" -d 'What a column does to the answers: partial dependence, individual curves, accumulated local effects'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "importance" -d 'What columns are worth: how much error and log loss rise when their values are shuffled'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "why-not" -d 'The smallest changes of rows after which the answer is another one'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "similar" -d 'Rows that the model treats most like others: those that share most leaves with them'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "report" -d 'Write a page (HTML) that explains a model'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "export" -d 'Write a model in another format'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "game" -d 'Potentials and bounds of the game between a booster and its weak learner; no data needed'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "certify" -d 'Whether a weak learner is strong enough for a data set, and for which boosters'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "boosters" -d 'List the boosters, or show one with its options'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "learners" -d 'List the weak learners, or show one with its options'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "losses" -d 'List the losses'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "codewords" -d 'Show codewords of classes, their minimum distance and margin capacity'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "generate" -d 'Generate a data set as CSV'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "completions" -d 'Print a script that completes commands and options in a shell'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "man" -d 'Print the manual page'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and not __fish_seen_subcommand_from demo train predict evaluate compare cv inspect explain effects importance why-not similar report export game certify boosters learners losses codewords generate completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and __fish_seen_subcommand_from game" -f -a "potentials" -d 'The potential of the first state: the loss that the best booster ends with against the worst weak learner'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and __fish_seen_subcommand_from game" -f -a "degrees" -d 'In how many directions the worst walk of three classes goes on from each state, with all rounds to go'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and __fish_seen_subcommand_from game" -f -a "bound" -d 'Bounds on the training error, round by round'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and __fish_seen_subcommand_from game" -f -a "figure" -d 'A figure of the paper, redrawn: 2 to 6'
complete -c manyboost -n "__fish_manyboost_using_subcommand help; and __fish_seen_subcommand_from game" -f -a "play" -d 'A game round by round: a booster against the worst weak learner that keeps its promise, or against a lazy one'
