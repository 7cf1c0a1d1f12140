//! Votes in epochs ([`manyboost::model::epochs`]) as operators.
//!
//! Whom a hypothesis votes for depends on the classes that a row still has, so each hypothesis is an operator of its own, which answers with
//! the ranks of the classes or with a place on the list; plain operators find the class, count votes and strike classes off. Ranks and
//! places are small whole numbers and votes are doubles, so all of it is exact.

use manyboost::engine::scores::applied;
use manyboost::model::answers::Answers;
use manyboost::model::ensemble::{Ensemble, Term};
use manyboost::model::epochs::{Ballot, Close, Election, Eliminate};
use manyboost_data::Result;

use crate::graph::{Graph, Op};
use crate::trees::{Columns, Trees, refused};

/// Larger than any number of votes.
const NEVER: f64 = 1e300;

/// Adds the counting of all epochs; gives the name of the counts.
pub fn counts(graph: &mut Graph, ensemble: &Ensemble, features: &str, column: Columns<'_>) -> Result<String> {
    let k = ensemble.start.len() / 2;
    // A matrix of as many rows as there are, made of what there is: zeros, plus what each row begins with.
    let any = graph.put(Op::Trees(Box::new(Trees::start_only(k))), &[features]);
    let zeros = graph.put(Op::Double, &[&any]);
    let begin = graph.put(Op::Constant(k, ensemble.start[k..].to_vec()), &[]);
    let mut standing = graph.put(Op::Add, &[&zeros, &begin]);
    let mut votes = zeros.clone();
    for term in ensemble.terms() {
        let Answers::Election(election) = &term.hypothesis.answers else {
            return Err(refused(
                "some of its hypotheses vote in epochs and others do not",
                "such hypotheses",
            ));
        };
        let listed = listed(graph, &standing);
        let choice = choice(graph, term, election, &listed, features, column, k)?;
        if election.alone {
            votes.clone_from(&zeros);
        }
        let weight = graph.number(applied(term.alpha, 1.0));
        let own = graph.put(Op::Mul, &[&choice, &weight]);
        votes = graph.put(Op::Add, &[&votes, &own]);
        if let Some(close) = election.close {
            standing = end_epoch(graph, close, &votes, &standing, k);
            votes.clone_from(&zeros);
        }
    }
    // An epoch that is under way counts too; classes that are off the list stand at −1 − c.
    let one = graph.number(1.0);
    let on = listed(graph, &standing);
    let (above, _) = sides(graph, &votes, &on, k);
    let counted = graph.put(Op::Add, &[&standing, &above]);
    let off = graph.put(Op::Neg, &[&standing]);
    let off = graph.put(Op::Sub, &[&off, &one]);
    let is_on = truth(graph, &on);
    Ok(graph.put(Op::Where, &[&is_on, &counted, &off]))
}

/// 1 where a class is on a row's list, else 0.
fn listed(graph: &mut Graph, standing: &str) -> String {
    let half = graph.number(-0.5);
    let on = graph.put(Op::Greater, &[standing, &half]);
    graph.put(Op::Double, &[&on])
}

/// Whether numbers are 1, not 0.
fn truth(graph: &mut Graph, flags: &str) -> String {
    let half = graph.number(0.5);
    graph.put(Op::Greater, &[flags, &half])
}

/// 1 where two are equal, else 0.
fn equal(graph: &mut Graph, a: &str, b: &str) -> String {
    let same = graph.put(Op::Equal, &[a, b]);
    graph.put(Op::Double, &[&same])
}

/// 1 for the class that a hypothesis votes for, 0 for the others; nothing but zeros if it votes for none.
fn choice(
    graph: &mut Graph,
    term: &Term,
    election: &Election,
    listed: &str,
    features: &str,
    column: Columns<'_>,
    k: usize,
) -> Result<String> {
    let cells = &term.hypothesis.cells;
    let answers = match &election.ballot {
        Ballot::Weights { values, .. } => {
            let ranks = |cell: usize| {
                let weights = &values[cell * k..(cell + 1) * k];
                let mut order: Vec<usize> = (0..k).collect();
                // Stable: the first of equals comes first.
                order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
                let mut ranks = vec![0.0; k];
                order.iter().enumerate().for_each(|(at, &class)| ranks[class] = (k - at) as f64);
                ranks
            };
            Trees::one(cells, k, &ranks, column)?
        }
        Ballot::Places(places) => Trees::one(cells, 1, &|cell| vec![f64::from(places[cell])], column)?,
    };
    let answer = graph.put(Op::Trees(Box::new(answers)), &[features]);
    let answer = graph.put(Op::Double, &[&answer]);
    let chosen = if let Ballot::Weights { .. } = election.ballot {
        // Ranks are 1 and above, those of classes off the list 0.
        let ranks = graph.put(Op::Mul, &[&answer, listed]);
        let best = graph.put(Op::RowMax, &[&ranks]);
        equal(graph, &ranks, &best)
    } else {
        // How many classes of the list come before each.
        let before = (0..k * k).map(|at| if at / k < at % k { 1.0 } else { 0.0 }).collect();
        let before = graph.put(Op::Constant(k, before), &[]);
        let places = graph.put(Op::MatMul, &[listed, &before]);
        equal(graph, &places, &answer)
    };
    Ok(graph.put(Op::Mul, &[&chosen, listed]))
}

/// 1 where a listed class has more than its share of the votes, and where it has less.
fn sides(graph: &mut Graph, votes: &str, listed: &str, k: usize) -> (String, String) {
    let n = graph.sums(listed, k);
    let own = graph.put(Op::Mul, &[votes, listed]);
    let sum = graph.sums(&own, k);
    let times = graph.put(Op::Mul, &[votes, &n]);
    let mut side = |op: Op| {
        let found = graph.put(op, &[&times, &sum]);
        let found = graph.put(Op::Double, &[&found]);
        graph.put(Op::Mul, &[&found, listed])
    };
    (side(Op::Greater), side(Op::Less))
}

/// Of the classes that are marked 1, the last.
fn last(graph: &mut Graph, marked: &str, k: usize) -> String {
    let numbers = graph.put(Op::Constant(k, (1..=k).map(|class| class as f64).collect()), &[]);
    let numbered = graph.put(Op::Mul, &[marked, &numbers]);
    let most = graph.put(Op::RowMax, &[&numbered]);
    let last = equal(graph, &numbered, &most);
    graph.put(Op::Mul, &[&last, marked])
}

/// Counts the epoch and takes classes off the list; gives the standings.
fn end_epoch(graph: &mut Graph, close: Close, votes: &str, standing: &str, k: usize) -> String {
    let mut on = listed(graph, standing);
    let n = graph.sums(&on, k);
    let (above, below) = sides(graph, votes, &on, k);
    let mut standing = graph.put(Op::Add, &[standing, &above]);
    for dropped in 0..close.drop.min(k as u32) {
        // The last of those with the fewest votes.
        let never = graph.number(-NEVER);
        let negated = graph.put(Op::Neg, &[votes]);
        let is_on = truth(graph, &on);
        let masked = graph.put(Op::Where, &[&is_on, &negated, &never]);
        let fewest = graph.put(Op::RowMax, &[&masked]);
        let equals = equal(graph, &masked, &fewest);
        let equals = graph.put(Op::Mul, &[&equals, &on]);
        let mut out = last(graph, &equals, k);
        if close.eliminate == Eliminate::LastNegative {
            let still = graph.put(Op::Mul, &[&below, &on]);
            let negative = last(graph, &still, k);
            let any = graph.sums(&negative, k);
            let any = truth(graph, &any);
            out = graph.put(Op::Where, &[&any, &negative, &out]);
        }
        // One class always stays.
        let least = graph.number(f64::from(dropped) + 1.5);
        let more = graph.put(Op::Greater, &[&n, &least]);
        let more = graph.put(Op::Double, &[&more]);
        let out = graph.put(Op::Mul, &[&out, &more]);
        // c becomes −1 − c.
        let (one, two) = (graph.number(1.0), graph.number(2.0));
        let change = graph.put(Op::Mul, &[&standing, &two]);
        let change = graph.put(Op::Add, &[&change, &one]);
        let change = graph.put(Op::Mul, &[&change, &out]);
        standing = graph.put(Op::Sub, &[&standing, &change]);
        on = graph.put(Op::Sub, &[&on, &out]);
    }
    standing
}
