//! The word that a misspelt one was probably meant to be.

/// The candidate nearest to `word`, if one is near enough to be what was meant.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // Of a single letter, nothing is left to know another by.
    let near_enough = match word.chars().count() {
        1 => 0,
        count => 1 + count / 4,
    };
    candidates
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= near_enough)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// "did you mean `Add`? There are Add, Mul", the question only where a candidate is near.
pub(crate) fn advice<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let all = list(&candidates, "and");
    match nearest(word, candidates) {
        Some(meant) => format!("did you mean `{meant}`? There are {all}"),
        None => format!("there are {all}"),
    }
}

/// "Add, Mul and Min", with another word for "and".
pub(crate) fn list(words: &[&str], and: &str) -> String {
    match words {
        [] => "none".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}

/// How many letters have to be inserted, removed, replaced or swapped with their neighbour;
/// case counts for nothing.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(x != y);
            let mut best = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let words = ["Shuffle", "Sequential", "sqrt", "f32"];
        let cases = [
            ("Shufle", Some("Shuffle")),
            ("shuffel", Some("Shuffle")),
            ("sqr", Some("sqrt")),
            ("srqt", Some("sqrt")),
            ("f23", Some("f32")),
            ("u8", None),
            ("Nothing", None),
            ("", None),
        ];
        for (word, meant) in cases {
            assert_eq!(nearest(word, words), meant, "{word}");
        }
    }
}
