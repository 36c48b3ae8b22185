//! Joins the sections of a kernel's text at compile time.

/// Bytes of all sections together.
pub const fn length(sections: &[&str]) -> usize {
    let mut length = 0;
    let mut k = 0;
    while k < sections.len() {
        length += sections[k].len();
        k += 1;
    }
    length
}

/// The sections one after another; `LENGTH` is their [`length`].
const fn join<const LENGTH: usize>(sections: &[&str]) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    let mut rest: &mut [u8] = &mut bytes;
    let mut k = 0;
    while k < sections.len() {
        // Whole slices: a loop over bytes takes the compiler a hundred times as long.
        let (section, after) = rest.split_at_mut(sections[k].len());
        section.copy_from_slice(sections[k].as_bytes());
        rest = after;
        k += 1;
    }
    assert!(rest.is_empty(), "LENGTH is the length of all sections");
    bytes
}

/// The text of joined sections.
pub const fn as_str<const LENGTH: usize>(bytes: &'static Joined<LENGTH>) -> &'static str {
    // SAFETY: only `Joined::new` makes one, of whole `str`s one after another, which is UTF-8.
    unsafe { std::str::from_utf8_unchecked(&bytes.0) }
}

/// Sections joined; UTF-8 by construction.
#[derive(Debug)]
pub struct Joined<const LENGTH: usize>([u8; LENGTH]);

impl<const LENGTH: usize> Joined<LENGTH> {
    /// Joins the sections; `LENGTH` is their [`length`].
    pub const fn new(sections: &[&str]) -> Joined<LENGTH> {
        Joined(join(sections))
    }
}
