//! The names that are visible, innermost last, and what each is called in the IR.

use std::collections::HashSet;

use proc_macro2::Ident;

use crate::expr::Type;
use crate::render::cuda;

/// A parameter or local.
pub(crate) struct Local {
    /// As the user wrote it.
    written: Ident,
    /// In the IR; no other local of the function is called so.
    pub(crate) name: String,
    pub(crate) ty: Type,
}

#[derive(Default)]
pub(crate) struct Scope {
    visible: Vec<Local>,
    used: HashSet<String>,
}

impl Scope {
    /// Makes a new local visible; returns its name in the IR.
    pub(crate) fn declare(&mut self, written: &Ident, ty: Type) -> String {
        let name = self.fresh(&written.to_string());
        self.visible.push(Local {
            written: written.clone(),
            name: name.clone(),
            ty,
        });
        name
    }

    /// Makes one that is there visible under another name.
    pub(crate) fn alias(&mut self, written: &Ident, name: String, ty: Type) {
        let written = written.clone();
        self.visible.push(Local { written, name, ty });
    }

    /// A name that no other local of the function has.
    pub(crate) fn fresh(&mut self, like: &str) -> String {
        let base = cuda::identifier(like);
        let numbered = (2..).map(|k| format!("{base}_{k}"));
        let mut candidates = std::iter::once(base.clone()).chain(numbered);
        let name = candidates
            .find(|name| !self.used.contains(name))
            .unwrap_or(base);
        self.used.insert(name.clone());
        name
    }

    /// The innermost local of this name.
    pub(crate) fn find(&self, name: &Ident) -> Option<&Local> {
        self.visible
            .iter()
            .rev()
            .find(|local| local.written == *name)
    }

    /// Whether macros made it unclear which local the name means: the innermost of this spelling was
    /// written in one expansion, and one further out in the expansion where the name is used.
    pub(crate) fn is_ambiguous(&self, name: &Ident) -> bool {
        let same = self
            .visible
            .iter()
            .rev()
            .filter(|local| local.written == *name);
        let mut is_own = same.map(|local| expansion(&local.written) == expansion(name));
        is_own.next() == Some(false) && is_own.any(|is_own| is_own)
    }

    /// How many names are visible; what is declared later can be taken back.
    pub(crate) fn mark(&self) -> usize {
        self.visible.len()
    }

    /// Hides what was declared since the mark.
    pub(crate) fn release(&mut self, mark: usize) {
        self.visible.truncate(mark);
    }

    /// The visible names, for advice.
    pub(crate) fn names(&self) -> Vec<String> {
        self.visible
            .iter()
            .map(|local| local.written.to_string())
            .collect()
    }
}

/// The macro expansion that an identifier was written in. No stable interface tells; in its debug
/// form, rustc's span begins with the number of its expansion, `#4`. Elsewhere there is only one.
fn expansion(ident: &Ident) -> Option<String> {
    let span = format!("{:?}", ident.span());
    let number = span.split_whitespace().next()?;
    number.starts_with('#').then(|| number.to_owned())
}
