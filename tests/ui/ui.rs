//! Programs that the attributes accept, and programs that they refuse, one file a refusal.
//!
//! What a compiler prints differs between its versions, so the `.stderr` files are compared on the one
//! that they were made with: `TRYBUILD=overwrite cargo test -p ui` makes them anew. Messages and
//! places are checked on all, by `kernels-gen/tests/syntax_refuse.rs`.

#[test]
fn accepted() {
    trybuild::TestCases::new().pass("pass/*.rs");
}

#[rustversion::attr(not(stable(1.95)), ignore = "the .stderr files are those of Rust 1.95")]
#[test]
fn refused() {
    trybuild::TestCases::new().compile_fail("fail/*.rs");
}
