//! Numbers for people.

/// `67108864` as `2^26`; others as they are.
pub fn power(n: u64) -> String {
    if n.is_power_of_two() && n > 1024 {
        format!("2^{}", n.ilog2())
    } else {
        n.to_string()
    }
}

/// Where there is nothing to show, a dash.
pub fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// Gigabytes a second, of so many bytes in so many microseconds.
pub fn gbps(bytes: usize, us: f64) -> f64 {
    bytes as f64 / us * 1e-3
}
