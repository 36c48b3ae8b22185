//! Kernels that are loaded on a device, each once, with what a launch wants to know about them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use cudarc::driver::{result, sys};
use kernels_gen::auto::Choice;
use kernels_gen::grid::Passes;
use kernels_gen::kernel::sections;
use kernels_gen::strategy::Strategy;

use super::cache::{Cache, Key};
use super::compile::{Image, Recipe};
use super::driver::{Doing, Relaxed};
use super::plan::Variant;
use super::queue::Queue;
use crate::error::{Error, Kind, Result};

/// What a kernel is found by, without a look at its text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Name {
    /// The place and length of the reduction's text.
    text: (usize, usize),
    strategy: &'static str,
    grid: &'static str,
    threads: u32,
    rows: u32,
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
    /// `begin_fold`, then `fold_array`.
    Begun { begin: Entry, fold: Entry },
}

/// An entry point.
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) raw: sys::CUfunction,
    /// How many of its blocks the device holds at once.
    pub(super) resident: u32,
    /// Bytes of shared memory that a launch asks for.
    pub(super) dynamic_shared: u32,
    /// The most blocks of a cluster; 1 is none.
    largest_cluster: u32,
    /// Whether it waits itself for the launch before, which may then still run.
    pub(super) follows: bool,
}

impl Entry {
    /// Blocks of a cluster in a launch for so many tiles: those of a small one meet in one cluster.
    pub(super) fn cluster(&self, tiles: u64) -> u32 {
        let largest = u64::from(self.largest_cluster);
        tiles.next_power_of_two().clamp(1, largest) as u32
    }
}

// SAFETY: the raw function may be launched from any thread, and lives as long as its module.
unsafe impl Send for Entry {}
// SAFETY: as above.
unsafe impl Sync for Entry {}

impl Name {
    fn new(variant: &Variant) -> Name {
        Name {
            text: (variant.text.as_ptr().addr(), variant.text.len()),
            strategy: variant.choice.strategy.name,
            grid: variant.choice.grid.name,
            threads: variant.tile.threads,
            rows: variant.tile.rows,
        }
    }
}

impl Functions {
    /// The kernel of a variant, compiled and loaded if it is new here.
    pub(super) fn get(
        &self,
        queue: &Arc<Queue>,
        device: Limits,
        variant: &Variant,
    ) -> Result<Arc<Function>> {
        let name = Name::new(variant);
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
    /// That of the instructions in its kernels, which the driver may translate.
    pub(super) target: u32,

    pub(super) multiprocessors: u32,
    /// Whether a launch may start before the one before has ended, which kernels then wait for.
    pub(super) launches_overlap: bool,
}

/// The most static shared memory that a block may have.
const SHARED_BYTES: u64 = 48 * 1024;

impl Function {
    fn load(
        queue: &Arc<Queue>,
        device: Limits,
        variant: &Variant,
        image: &Image,
    ) -> Result<Function> {
        let _relaxed = Relaxed::enter();
        let module = Module::load(queue, &image.bytes)?;
        let Choice { strategy, grid, .. } = variant.choice;
        let on_elements = Wish {
            threads: variant.tile.threads,
            dynamic_shared: strategy.dynamic_shared(variant.kernel.shape, variant.tile),
            largest_cluster: strategy.largest_cluster(),
            follows: device.launches_overlap,
        };
        let on_partials = Wish {
            dynamic_shared: 0,
            largest_cluster: 1,
            ..on_elements
        };
        let entry = |name, wish| module.entry(name, wish, device.multiprocessors);
        let entries = match grid.passes {
            Passes::Single | Passes::Chosen => Entries::Single(entry("fold_array", on_elements)?),
            Passes::Level => Entries::Level {
                elements: entry("fold_elements", on_elements)?,
                partials: entry("fold_partials", on_partials)?,
            },
            Passes::Begun => Entries::Begun {
                begin: entry("begin_fold", on_partials)?,
                fold: entry("fold_array", on_elements)?,
            },
        };
        Ok(Function {
            entries,
            _module: module,
        })
    }
}

/// What is loaded: compiled, if no cache has it.
fn image(device: Limits, variant: &Variant) -> Result<Arc<Image>> {
    check_shared(variant)?;
    check_architecture(device.target, variant.kernel.name, variant.choice.strategy)?;
    let mut recipe = Recipe::new(device.architecture, variant.tile)?;
    let text = match (variant.is_forced, variant.kernel.define(&variant.choice)) {
        (true, _) => Cow::Owned(forced_text(variant)),
        (false, None) => Cow::Borrowed(variant.text),
        (false, Some(name)) => {
            recipe.define(name);
            Cow::Borrowed(variant.text)
        }
    };
    let key = Key::new(&text, recipe.options(), recipe.version());
    Cache::shared().image(key, || recipe.compile(&text))
}

/// A text for choices that a test forced.
fn forced_text(variant: &Variant) -> String {
    let Choice { strategy, grid, .. } = variant.choice;
    sections(&variant.kernel.fragments, strategy, grid).concat()
}

fn check_architecture(architecture: u32, reduction: &str, strategy: &Strategy) -> Result<()> {
    let Strategy {
        name,
        architecture: first,
        ..
    } = strategy;
    if architecture >= *first {
        return Ok(());
    }
    let message = format!(
        "{reduction}: strategy {name} needs instructions of sm_{first}, and kernels for this GPU have those of \
         sm_{architecture}: write `strategy = Shuffle`, which runs on every GPU",
    );
    Err(Error::new(Kind::Unavailable, message))
}

// Two folds of a block take turns, each with a slot a thread; 64 bytes are left for the grid.
fn check_shared(variant: &Variant) -> Result<()> {
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

/// What a launch of an entry is to have.
#[derive(Clone, Copy)]
struct Wish {
    threads: u32,
    dynamic_shared: u32,
    largest_cluster: u32,
    follows: bool,
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
    fn entry(&self, name: &'static str, wish: Wish, multiprocessors: u32) -> Result<Entry> {
        let Wish {
            threads,
            dynamic_shared,
            largest_cluster,
            follows,
        } = wish;
        let c_name = CString::new(name).unwrap_or_default();
        // SAFETY: the module is loaded; the name ends with a zero.
        let raw = unsafe { result::module::get_function(self.raw, c_name) };
        let raw = raw.doing(format_args!("finding {name} in a kernel"))?;
        if dynamic_shared > 0 {
            let attribute =
                sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            // SAFETY: the function is of a module that is loaded.
            unsafe { sys::cuFuncSetAttribute(raw, attribute, dynamic_shared as i32) }
                .result()
                .doing(format_args!(
                    "asking for {dynamic_shared} bytes of shared memory for {name}"
                ))?;
        }
        // SAFETY: as above.
        let blocks = unsafe {
            result::occupancy::max_active_block_per_multiprocessor(
                raw,
                threads as i32,
                dynamic_shared as usize,
            )
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
            dynamic_shared,
            largest_cluster,
            follows,
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

#[cfg(test)]
mod tests {
    use super::*;
    use kernels_gen::strategy::{BULK, CLUSTER, REDUX};

    #[test]
    fn a_strategy_says_which_gpus_it_needs() {
        let cases = [
            (&CLUSTER, "Cluster", 80, 90),
            (&BULK, "Bulk", 89, 90),
            (&REDUX, "Redux", 75, 80),
        ];
        for (strategy, name, too_old, first) in cases {
            let error = check_architecture(too_old, "sum", strategy).expect_err("it is too old");
            assert!(error.is_unavailable());
            let wanted = format!(
                "sum: strategy {name} needs instructions of sm_{first}, and kernels for this GPU have those \
                 of sm_{too_old}: write `strategy = Shuffle`, which runs on every GPU"
            );
            assert_eq!(error.to_string(), wanted);
            assert!(check_architecture(first, "sum", strategy).is_ok());
        }
    }
}
