//! A compiled program in this process: its functions, as C has them. The mirror of `runner.h`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use libloading::{Library, Symbol};

use super::counters::Counters;
use super::lines;
use super::memory::Guarded;

/// `emulator::STACK_BYTES`.
const STACK_BYTES: usize = 64 * 1024;
const REPORT_BYTES: usize = 512;

type Entry = unsafe extern "C" fn(*const Arguments);
type Emulate = unsafe extern "C" fn(*const RawLaunch) -> bool;

#[repr(C)]
struct Argument {
    value: *const c_void,
    bytes: u64,
}

#[repr(C)]
struct Arguments {
    list: *const Argument,
    count: u64,
}

#[repr(C)]
struct Allocation {
    name: *const c_char,
    start: *const u8,
    bytes: u64,
}

#[repr(C)]
struct RawLaunch {
    entry: Entry,
    arguments: Arguments,
    allocations: *const Allocation,
    allocation_count: u64,
    blocks: u32,
    threads: u32,
    cluster: u32,
    dynamic_shared: u32,
    seed: u64,
    counters: *mut Counters,
    stacks: *mut u8,
    report: *mut u8,
    report_bytes: u64,
    overlaps: bool,
}

/// A launch of one entry.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    pub entry: &'static str,
    /// The bytes of each argument.
    pub arguments: &'a [Vec<u8>],
    pub blocks: u32,
    pub threads: u32,
    /// How many blocks make a cluster.
    pub cluster: u32,
    /// Bytes of shared memory beyond the kernel's variables.
    pub dynamic_shared: u32,
    pub seed: u64,
    /// Whether to count, which takes time; the counters are zero otherwise.
    pub counts: bool,
    /// Whether it may overlap with the launch before: every thread has to wait for that.
    pub overlaps: bool,
}

/// A loaded shared object. It runs one launch at a time, as its shared memory is static.
pub struct Object {
    library: Mutex<Library>,
    path: PathBuf,
}

impl Object {
    /// The object at `path`. One file is loaded once, whoever asks, so that its lock guards it.
    pub fn load(path: &Path) -> Arc<Object> {
        static LOADED: Mutex<BTreeMap<PathBuf, Arc<Object>>> = Mutex::new(BTreeMap::new());
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        let object = loaded.entry(path.to_owned()).or_insert_with(|| {
            // SAFETY: the object was compiled by this module and has no initialisers but its own tables'.
            let library = unsafe { Library::new(path) };
            let library = library.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            Arc::new(Object {
                library: Mutex::new(library),
                path: path.to_owned(),
            })
        });
        object.clone()
    }

    /// Runs the launch on these buffers, which the arguments point to. A fault is given as its report.
    pub fn run(
        &self,
        launch: &Launch<'_>,
        buffers: &mut [&mut Guarded],
    ) -> Result<Counters, String> {
        assert_eq!(launch.blocks % launch.cluster, 0, "clusters are whole");
        let library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
        let arguments = launch.arguments.iter().map(|bytes| Argument {
            value: bytes.as_ptr().cast(),
            bytes: bytes.len() as u64,
        });
        let arguments: Vec<Argument> = arguments.collect();
        let allocations = buffers.iter_mut().map(|buffer| Allocation {
            name: buffer.name.as_ptr(),
            start: buffer.address(),
            bytes: buffer.len() as u64,
        });
        let allocations: Vec<Allocation> = allocations.collect();
        let mut report = vec![0u8; REPORT_BYTES];
        let mut counters = Counters::default();

        let threads = launch.threads * launch.cluster;
        let is_clean = with_stacks(threads as usize, |stacks| {
            // SAFETY: the types are those of `runner.h` and `device.h`.
            let (entry, emulate): (Symbol<'_, Entry>, Symbol<'_, Emulate>) = unsafe {
                let entry = library.get(format!("emulator_{}", launch.entry));
                (
                    entry.expect("the program has this entry"),
                    library.get("emulate").expect("the runner is linked"),
                )
            };
            let raw = RawLaunch {
                entry: *entry,
                arguments: Arguments {
                    list: arguments.as_ptr(),
                    count: arguments.len() as u64,
                },
                allocations: allocations.as_ptr(),
                allocation_count: allocations.len() as u64,
                blocks: launch.blocks,
                threads: launch.threads,
                cluster: launch.cluster,
                dynamic_shared: launch.dynamic_shared,
                seed: launch.seed,
                counters: if launch.counts {
                    &raw mut counters
                } else {
                    ptr::null_mut()
                },
                stacks: stacks.as_mut_ptr(),
                report: report.as_mut_ptr(),
                report_bytes: report.len() as u64,
                overlaps: launch.overlaps,
            };
            // SAFETY: everything the launch points to lives until the call returns, and the lock keeps
            // other launches out of the object. What a faulty kernel may do beyond, it may do: this
            // process exists to run it.
            unsafe { emulate(&raw) }
        });
        if is_clean {
            return Ok(counters);
        }
        let report = CStr::from_bytes_until_nul(&report).unwrap_or_default();
        Err(lines::with_lines(&report.to_string_lossy(), &self.path))
    }
}

/// Memory for the stacks of this many threads; kept, because fresh pages cost more than a launch.
fn with_stacks<R>(threads: usize, body: impl FnOnce(&mut [u8]) -> R) -> R {
    thread_local! {
        static STACKS: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }
    STACKS.with_borrow_mut(|stacks| {
        let align = 16;
        if stacks.len() < threads * STACK_BYTES + align {
            *stacks = vec![0; threads * STACK_BYTES + align];
        }
        let start = stacks.as_ptr().align_offset(align);
        body(&mut stacks[start..])
    })
}
