//! The one error type: opaque, with predicates, and a message for people.

use std::fmt;

/// What went wrong with a reduction.
///
/// Its text says what was wanted, what was found and what to do; `Debug` is the same text, so that a
/// `main` that returns it prints something readable.
#[derive(Clone, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: Kind,
    message: String,
}

/// A result whose error is [`Error`] unless said otherwise.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kinds that predicates tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code))]
pub(crate) enum Kind {
    /// No elements, and no identity to return.
    Empty,
    /// Lengths or places that do not fit together.
    Input,
    /// No usable GPU, or a library of it is missing.
    Unavailable,
    /// A kernel did not compile.
    Compile,
    /// The driver refused.
    Driver,
}

impl Error {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Error {
        let message = message.into();
        Error { kind, message }
    }

    /// The error, with what it is of before its text.
    pub(crate) fn of(mut self, what: &str) -> Error {
        self.message = format!("{what}: {}", self.message);
        self
    }

    /// The input was empty and the operator has no identity.
    pub fn is_empty_input(&self) -> bool {
        self.kind == Kind::Empty
    }

    /// An argument does not fit: lengths differ, or a slice is not where the device can read it.
    pub fn is_bad_input(&self) -> bool {
        self.kind == Kind::Input
    }

    /// No usable GPU was found, or a library that it needs.
    pub fn is_unavailable(&self) -> bool {
        self.kind == Kind::Unavailable
    }

    /// NVRTC refused a kernel; the text holds its log.
    pub fn is_compile(&self) -> bool {
        self.kind == Kind::Compile
    }

    /// The CUDA driver reported an error.
    pub fn is_driver(&self) -> bool {
        self.kind == Kind::Driver
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
