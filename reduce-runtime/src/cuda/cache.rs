//! Images that were compiled before: in memory for this process, on disk for later ones.
//!
//! A disk entry that is missing, cut or altered is compiled again and replaced; a folder that cannot
//! be read or written only costs the compilation.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use etcetera::BaseStrategy;

use super::compile::Image;
use crate::error::Result;

/// Part of every key, and of every file's head: to be raised when what is stored changes.
const FORMAT: u32 = 1;

const MAGIC: &[u8; 8] = b"reducert";

/// Magic, format, length and checksum.
const HEAD: usize = 8 + 4 + 8 + 32;

/// What an image depends on, as one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key([u8; 32]);

/// Images by their keys.
pub(super) struct Cache {
    folder: Option<PathBuf>,
    images: Mutex<HashMap<Key, Arc<Slot>>>,
}

/// Filled once; the others who want it wait for the first.
type Slot = OnceLock<Result<Arc<Image>>>;

impl Key {
    /// `#line`s are left out: code that only moved is the same kernel.
    pub(super) fn new(text: &str, options: &[String], version: (i32, i32)) -> Key {
        let mut hasher = blake3::Hasher::new();
        for line in text.lines().filter(|line| !line.starts_with("#line ")) {
            hasher.update(line.as_bytes());
            hasher.update(b"\n");
        }
        // A zero, which no text holds, between the parts.
        for option in options {
            hasher.update(b"\0");
            hasher.update(option.as_bytes());
        }
        hasher.update(format!("\0{}.{}\0{FORMAT}", version.0, version.1).as_bytes());
        Key(*hasher.finalize().as_bytes())
    }

    fn file_name(&self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }
}

impl Cache {
    /// The cache of this process.
    pub(super) fn shared() -> &'static Cache {
        static CACHE: OnceLock<Cache> = OnceLock::new();
        CACHE.get_or_init(|| Cache::new(default_folder()))
    }

    fn new(folder: Option<PathBuf>) -> Cache {
        Cache {
            folder,
            images: Mutex::default(),
        }
    }

    /// The image of `key`; `compile` is called if it is neither in memory nor on disk, once however
    /// many threads ask.
    pub(super) fn image(
        &self,
        key: Key,
        compile: impl FnOnce() -> Result<Image>,
    ) -> Result<Arc<Image>> {
        let slot = {
            let mut images = self.images.lock().unwrap_or_else(PoisonError::into_inner);
            images.entry(key).or_default().clone()
        };
        slot.get_or_init(|| self.load_or(key, compile).map(Arc::new))
            .clone()
    }

    fn load_or(&self, key: Key, compile: impl FnOnce() -> Result<Image>) -> Result<Image> {
        let Some(folder) = &self.folder else {
            return compile();
        };
        let path = folder.join(key.file_name());
        if let Some(bytes) = fs::read(&path).ok().and_then(|file| unpack(&file)) {
            let log = String::new();
            return Ok(Image { bytes, log });
        }
        let image = compile()?;
        // A cache that cannot be written is none.
        let _ = store(folder, &path, &pack(&image.bytes));
        Ok(image)
    }
}

/// `REDUCE_CACHE_DIR`, none if that is empty, else a folder of ours among the user's caches.
fn default_folder() -> Option<PathBuf> {
    match env::var_os("REDUCE_CACHE_DIR") {
        Some(named) => (!named.is_empty()).then(|| PathBuf::from(named)),
        None => {
            let user = etcetera::choose_base_strategy().ok()?;
            Some(user.cache_dir().join("reduce-runtime"))
        }
    }
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut file = Vec::with_capacity(HEAD + bytes.len());
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&FORMAT.to_le_bytes());
    file.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    file.extend_from_slice(blake3::hash(bytes).as_bytes());
    file.extend_from_slice(bytes);
    file
}

/// What was packed, if every byte is as it was.
fn unpack(file: &[u8]) -> Option<Vec<u8>> {
    let bytes = file.get(HEAD..).filter(|bytes| !bytes.is_empty())?;
    (pack(bytes)[..HEAD] == file[..HEAD]).then(|| bytes.to_vec())
}

/// Writes beside and renames, so that nobody reads half a file and of several writers one wins.
fn store(folder: &Path, path: &Path, file: &[u8]) -> io::Result<()> {
    static WRITES: AtomicU64 = AtomicU64::new(0);

    create_private(folder)?;
    let count = WRITES.fetch_add(1, Ordering::Relaxed);
    let beside = folder.join(format!(".{}.{count}", process::id()));
    let written = fs::File::create(&beside)
        .and_then(|mut out| out.write_all(file))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // It may not exist.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A folder that only its owner can enter, unless it is there already.
fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Error, Kind};
    use std::cell::Cell;
    use std::sync::atomic::AtomicUsize;

    /// A folder of the test's own, removed with it.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = env::temp_dir().join(format!("reduce-cache-{name}-{}", process::id()));
            let _ = fs::remove_dir_all(&path);
            Folder(path)
        }

        /// As another process would see it.
        fn open(&self) -> Cache {
            Cache::new(Some(self.0.clone()))
        }

        fn entries(&self) -> Vec<PathBuf> {
            let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
            entries.map(|entry| entry.path()).collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn key(text: &str, architecture: &str) -> Key {
        Key::new(text, &[architecture.to_owned()], (13, 0))
    }

    fn image() -> Image {
        let bytes = (0..=255).collect();
        let log = String::new();
        Image { bytes, log }
    }

    /// Asks for an image; returns how many compilations that took.
    fn ask(cache: &Cache, key: Key) -> usize {
        let compilations = Cell::new(0);
        let found = cache.image(key, || {
            compilations.set(compilations.get() + 1);
            Ok(image())
        });
        assert_eq!(found.unwrap().bytes, image().bytes);
        compilations.get()
    }

    #[test]
    fn memory_and_disk_spare_the_compilation() {
        let folder = Folder::new("spare");
        let first = folder.open();
        assert_eq!(ask(&first, key("a", "sm_90")), 1);
        assert_eq!(ask(&first, key("a", "sm_90")), 0);
        assert_eq!(ask(&folder.open(), key("a", "sm_90")), 0);
    }

    #[test]
    fn another_text_architecture_or_version_is_another_entry() {
        let folder = Folder::new("entries");
        let cache = folder.open();
        assert_eq!(ask(&cache, key("a", "sm_90")), 1);
        assert_eq!(ask(&cache, key("a", "sm_80")), 1);
        assert_eq!(ask(&cache, key("b", "sm_90")), 1);
        assert_eq!(folder.entries().len(), 3);
        let options = ["sm_90".to_owned()];
        assert_ne!(key("a", "sm_90"), Key::new("a", &options, (12, 9)));
        assert_ne!(
            Key::new("a", &[], (1, 0)),
            Key::new("a", &[String::new()], (1, 0))
        );
    }

    #[test]
    fn lines_that_only_moved_are_the_same_entry() {
        let moved = |line| key(&format!("\n#line {line} \"src/main.rs\"\nint a;"), "sm_90");
        assert_eq!(moved(1), moved(99));
    }

    #[test]
    fn damaged_entries_are_compiled_again_and_replaced() {
        let folder = Folder::new("damaged");
        let key = key("a", "sm_90");
        ask(&folder.open(), key);
        let path = folder.0.join(key.file_name());
        let whole = fs::read(&path).unwrap();
        let mut damages = vec![
            vec![],
            whole[..whole.len() / 2].to_vec(),
            whole[..HEAD].to_vec(),
        ];
        for at in [0, 9, 13, 21, HEAD, whole.len() - 1] {
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            damages.push(flipped);
        }
        damages.push([&whole[..], &[0]].concat());
        for damaged in damages {
            fs::write(&path, damaged).unwrap();
            assert_eq!(ask(&folder.open(), key), 1);
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn a_folder_that_cannot_be_is_no_error() {
        let folder = Folder::new("no-folder");
        fs::write(&folder.0, "a file").unwrap();
        let cache = Cache::new(Some(folder.0.join("below")));
        assert_eq!(ask(&cache, key("a", "sm_90")), 1);
        assert_eq!(ask(&cache, key("a", "sm_90")), 0);
        assert_eq!(ask(&Cache::new(None), key("a", "sm_90")), 1);
        fs::remove_file(&folder.0).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn the_folder_is_private_and_may_be_read_only() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new("private");
        ask(&folder.open(), key("a", "sm_90"));
        let mode = fs::metadata(&folder.0).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        fs::set_permissions(&folder.0, fs::Permissions::from_mode(0o500)).unwrap();
        assert_eq!(ask(&folder.open(), key("a", "sm_90")), 0);
        assert_eq!(ask(&folder.open(), key("b", "sm_90")), 1);
        fs::set_permissions(&folder.0, fs::Permissions::from_mode(0o700)).unwrap();
    }

    #[test]
    fn threads_compile_a_miss_once() {
        let folder = Folder::new("threads");
        let (cache, compilations) = (folder.open(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let slow = || {
                        compilations.fetch_add(1, Ordering::Relaxed);
                        std::thread::sleep(std::time::Duration::from_millis(20));
                        Ok(image())
                    };
                    assert_eq!(
                        cache.image(key("a", "sm_90"), slow).unwrap().bytes,
                        image().bytes
                    );
                });
            }
        });
        assert_eq!(compilations.into_inner(), 1);
    }

    #[test]
    fn cold_processes_do_not_disturb_each_other() {
        let folder = Folder::new("cold");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for n in 0..32 {
                        ask(&folder.open(), key(&n.to_string(), "sm_90"));
                    }
                });
            }
        });
        assert_eq!(folder.entries().len(), 32);
        for n in 0..32 {
            assert_eq!(ask(&folder.open(), key(&n.to_string(), "sm_90")), 0);
        }
    }

    #[test]
    fn a_refusal_is_not_stored() {
        let folder = Folder::new("refusal");
        let refuse = || Err(Error::new(Kind::Compile, "no"));
        assert!(folder.open().image(key("a", "sm_90"), refuse).is_err());
        assert!(folder.entries().is_empty());
        assert_eq!(ask(&folder.open(), key("a", "sm_90")), 1);
    }
}
