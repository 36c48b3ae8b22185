//! Collects every fault of a build, so that all of them are reported at once.

use std::cell::RefCell;
use std::fmt::Display;

use quote::ToTokens;

/// The faults found so far. Dropping this without [`Errors::check`] panics, so that no fault is
/// forgotten.
#[derive(Debug)]
pub(crate) struct Errors {
    /// `None` once checked.
    found: RefCell<Option<Vec<syn::Error>>>,
}

impl Errors {
    pub(crate) fn new() -> Errors {
        Errors {
            found: RefCell::new(Some(Vec::new())),
        }
    }

    /// A fault at these tokens. The message says what is wrong, then what to write instead.
    pub(crate) fn at(&self, tokens: impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    pub(crate) fn add(&self, error: syn::Error) {
        if let Some(found) = self.found.borrow_mut().as_mut() {
            found.push(error);
        }
    }

    /// All faults as one error, in the order of the source, if there are any.
    pub(crate) fn check(self) -> syn::Result<()> {
        let mut found = self.found.borrow_mut().take().unwrap_or_default();
        found.sort_by_key(|error| error.span().start());
        let combined = found.into_iter().reduce(|mut all, next| {
            all.combine(next);
            all
        });
        combined.map_or(Ok(()), Err)
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        if !std::thread::panicking() && self.found.borrow().is_some() {
            panic!("the faults were never checked");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_in_the_one_error() {
        let errors = Errors::new();
        errors.at(quote::quote!(a), "first");
        errors.at(quote::quote!(b), "second");
        let error = errors.check().expect_err("there are faults");
        let messages: Vec<String> = error.into_iter().map(|error| error.to_string()).collect();
        assert_eq!(messages, ["first", "second"]);
        assert!(Errors::new().check().is_ok());
    }

    #[test]
    #[should_panic(expected = "never checked")]
    fn forgetting_them_panics() {
        drop(Errors::new());
    }
}
