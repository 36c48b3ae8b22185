//! Kernels that are loaded on a device, each once, with what a launch wants to know about them.

use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use cudarc::driver::{result, sys};
use kernels_gen::grid::Passes;
use kernels_gen::tree::Tile;

use super::cache::{Cache, Key};
use super::compile::{Image, Recipe};
use super::driver::{Doing, Relaxed};
use super::plan::Variant;
use super::queue::Queue;
use crate::error::{Error, Kind, Result};

/// A kernel's text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Text<'a> {
    /// One that stays where it is, and is known by its place.
    Fixed(&'static str),
    /// One that was put together at run time, and is known by its content.
    Forced(&'a str),
}

/// What a kernel is found by, without a look at a fixed text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Name {
    text: TextName,
    threads: u32,
    rows: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum TextName {
    Place(usize, usize),
    Content([u8; 32]),
}

/// The kernels of one device.
#[derive(Default)]
pub(super) struct Functions {
    loaded: RwLock<HashMap<Name, Arc<Function>>>,
    /// Held while one is loaded, so that threads do not load it twice. They may compile at once.
    loading: Mutex<()>,
}

/// A loaded kernel.
pub(super) struct Function {
    pub(super) entries: Entries,
    /// Keeps the entries loaded.
    _module: Module,
}

/// Its entry points, by how its grid is launched.
pub(super) enum Entries {
    /// `fold_array` alone.
    Single(Entry),
    /// `fold_elements`, then `fold_partials`.
    Level { elements: Entry, partials: Entry },
}

/// An entry point.
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) raw: sys::CUfunction,
    /// How many of its blocks the device holds at once.
    pub(super) resident: u32,
}

// SAFETY: the raw function may be launched from any thread, and lives as long as its module.
unsafe impl Send for Entry {}
// SAFETY: as above.
unsafe impl Sync for Entry {}

impl Name {
    fn new(text: Text<'_>, tile: Tile) -> Name {
        let text = match text {
            Text::Fixed(text) => TextName::Place(text.as_ptr().addr(), text.len()),
            Text::Forced(text) => TextName::Content(*blake3::hash(text.as_bytes()).as_bytes()),
        };
        Name {
            text,
            threads: tile.threads,
            rows: tile.rows,
        }
    }
}

impl Functions {
    /// The kernel of a variant, compiled and loaded if it is new here.
    pub(super) fn get(
        &self,
        queue: &Arc<Queue>,
        device: Limits,
        variant: &Variant<'_>,
    ) -> Result<Arc<Function>> {
        let name = Name::new(variant.text, variant.tile);
        if let Some(function) = self.find(&name) {
            return Ok(function);
        }
        let image = image(device, variant)?;
        let _loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(function) = self.find(&name) {
            return Ok(function);
        }
        let function = Arc::new(Function::load(queue, device, variant, &image)?);
        let mut loaded = self.loaded.write().unwrap_or_else(PoisonError::into_inner);
        loaded.insert(name, Arc::clone(&function));
        Ok(function)
    }

    fn find(&self, name: &Name) -> Option<Arc<Function>> {
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
        loaded.get(name).cloned()
    }
}

/// What of a device a kernel depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// 90 is sm_90.
    pub(super) architecture: u32,
    pub(super) multiprocessors: u32,
}

/// The most static shared memory that a block may have.
const SHARED_BYTES: u64 = 48 * 1024;

impl Function {
    fn load(
        queue: &Arc<Queue>,
        device: Limits,
        variant: &Variant<'_>,
        image: &Image,
    ) -> Result<Function> {
        let _relaxed = Relaxed::enter();
        let module = Module::load(queue, &image.bytes)?;
        let entry = |name| module.entry(name, variant.tile.threads, device.multiprocessors);
        let entries = match variant.grid.passes {
            Passes::Single => Entries::Single(entry("fold_array")?),
            Passes::Level => Entries::Level {
                elements: entry("fold_elements")?,
                partials: entry("fold_partials")?,
            },
        };
        Ok(Function {
            entries,
            _module: module,
        })
    }
}

/// What is loaded: compiled, if no cache has it.
fn image(device: Limits, variant: &Variant<'_>) -> Result<Arc<Image>> {
    check_shared(variant)?;
    let recipe = Recipe::new(device.architecture, variant.tile)?;
    let (Text::Fixed(text) | Text::Forced(text)) = variant.text;
    let key = Key::new(text, recipe.options(), recipe.version());
    Cache::shared().image(key, || recipe.compile(text))
}

// Two folds of a block take turns, each with a slot a thread; 64 bytes are left for the grid.
fn check_shared(variant: &Variant<'_>) -> Result<()> {
    let slot = u64::from(variant.kernel.accumulator_bytes);
    let bytes = 2 * u64::from(variant.tile.threads) * slot + 64;
    if bytes <= SHARED_BYTES {
        return Ok(());
    }
    let message = format!(
        "{}: an accumulator of {slot} bytes needs {bytes} bytes of shared memory a block of {} threads, \
         and a block has {SHARED_BYTES}: fold something narrower",
        variant.kernel.name, variant.tile.threads,
    );
    Err(Error::new(Kind::Compile, message))
}

/// An image on the device.
struct Module {
    queue: Arc<Queue>,
    raw: sys::CUmodule,
}

// SAFETY: the raw module may be used from any thread.
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}

impl Module {
    fn load(queue: &Arc<Queue>, image: &[u8]) -> Result<Module> {
        queue.bind()?;
        // SAFETY: the image is what NVRTC made: a CUBIN, or PTX that ends with a zero.
        let raw = unsafe { result::module::load_data(image.as_ptr().cast()) };
        Ok(Module {
            queue: Arc::clone(queue),
            raw: raw.doing("loading a kernel")?,
        })
    }

    // The question also makes the driver load the code, which it may otherwise leave to the first
    // launch; that may be in a capture.
    fn entry(&self, name: &'static str, threads: u32, multiprocessors: u32) -> Result<Entry> {
        let c_name = CString::new(name).unwrap_or_default();
        // SAFETY: the module is loaded; the name ends with a zero.
        let raw = unsafe { result::module::get_function(self.raw, c_name) };
        let raw = raw.doing(format_args!("finding {name} in a kernel"))?;
        // SAFETY: as above.
        let blocks = unsafe {
            result::occupancy::max_active_block_per_multiprocessor(raw, threads as i32, 0)
        };
        let blocks = blocks.doing(format_args!("asking for the occupancy of {name}"))?;
        if blocks < 1 {
            let message = format!("no block of {threads} threads of {name} fits the device");
            return Err(Error::new(Kind::Compile, message));
        }
        Ok(Entry {
            name,
            raw,
            resident: blocks as u32 * multiprocessors,
        })
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if self.queue.is_done() {
            let _relaxed = Relaxed::enter();
            // SAFETY: loaded by us, its entries are dropped with it, and our work is done.
            let _ = unsafe { result::module::unload(self.raw) };
        }
    }
}
