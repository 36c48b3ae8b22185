//! From a program's text to a shared object, by the C++ compiler; what was compiled once is kept
//! under `target/`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::{env, fs, thread};

use super::launch::Emulated;
use super::object::Object;
use super::program::Program;
use super::ptx;

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/emulator");
/// The files of [`SOURCES`], for the keys of the cache.
const RUNNER: &str = concat!(
    include_str!("atomics.h"),
    include_str!("bulk.h"),
    include_str!("cluster.h"),
    include_str!("context.h"),
    include_str!("counters.h"),
    include_str!("dependents.h"),
    include_str!("duties.h"),
    include_str!("order.h"),
    include_str!("races.h"),
    include_str!("random.h"),
    include_str!("regions.h"),
    include_str!("runner.cpp"),
    include_str!("runner.h"),
    include_str!("shared.h"),
    include_str!("state.h"),
    include_str!("undefined.h"),
    include_str!("warp.h"),
);
const DEVICE: &str = concat!(
    include_str!("device.h"),
    include_str!("intrinsics.h"),
    include_str!("runner.h"),
);

/// IEEE arithmetic, one operation at a time, as kernels have it; and no C++ library, whose headers
/// take longer than the kernel. Every access calls a function of `races.h`, what C++ leaves undefined one of
/// `undefined.h`, and lines are known, for reports.
const KERNEL_OPTIONS: &[&str] = &[
    "-std=c++17",
    "-O1",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-fPIC",
    "-fvisibility=hidden",
    "-nostdinc++",
    "-fsanitize=thread,undefined",
    "-fno-sanitize-recover=all",
    // A thread without places hands on a value that nobody looks at, and of type bool it may be neither.
    "-fno-sanitize=bool,enum",
    "-g1",
    // Of version 5, some releases of addr2line misread the first file.
    "-gdwarf-4",
];
const RUNNER_OPTIONS: &[&str] = &[
    "-std=c++17",
    "-O2",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-gnu-unique",
];

struct Compiler {
    version: String,
    runner: PathBuf,
}

/// The programs, compiled; `None`, and loud, where there is no compiler. Where `CI` is set, that is a
/// failure.
pub fn compile(programs: Vec<Program>) -> Option<Vec<Emulated>> {
    static ONE_POOL: Mutex<()> = Mutex::new(());
    let compiler = Compiler::get()?;
    let pool = ONE_POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let paths = compiler.compile_all(&programs);
    drop(pool);
    let pairs = programs.into_iter().zip(paths);
    Some(
        pairs
            .map(|(program, path)| Emulated {
                object: Object::load(&path),
                program,
            })
            .collect(),
    )
}

/// The entries of a text that launches itself, for blocks of any size; `None`, and loud, where there is no
/// compiler.
pub fn compile_text(name: &str, text: &str, entries: &[&str]) -> Option<Arc<Object>> {
    let compiler = Compiler::get()?;
    let path = compiler.compile_text(name, text, entries, &[]);
    Some(Object::load(&path))
}

impl Compiler {
    fn get() -> Option<&'static Compiler> {
        static COMPILER: OnceLock<Option<Compiler>> = OnceLock::new();
        COMPILER.get_or_init(Compiler::find).as_ref()
    }

    fn find() -> Option<Compiler> {
        let version = Command::new("g++")
            .args(["-dumpfullversion", "-dumpversion"])
            .output();
        match version {
            Ok(output) if cfg!(target_os = "linux") && output.status.success() => {
                fs::create_dir_all(cache()).expect("the cache is writable");
                let version = String::from_utf8_lossy(&output.stdout).into_owned();
                let runner = compile_runner(&version);
                Some(Compiler { version, runner })
            }
            _ => {
                let message =
                    "\n*** SKIPPED: the emulator needs Linux and g++; no kernel was emulated ***\n";
                assert!(env::var_os("CI").is_none(), "{message}");
                // Not a macro's output, which the test harness keeps to itself.
                let _ = writeln!(std::io::stderr(), "{message}");
                None
            }
        }
    }

    /// A shared object for each program, several at once.
    fn compile_all(&self, programs: &[Program]) -> Vec<PathBuf> {
        let paths: Vec<OnceLock<PathBuf>> = programs.iter().map(|_| OnceLock::new()).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some((program, path)) = take(&next, programs.iter().zip(&paths)) {
                path.get_or_init(|| self.compile(program));
            }
        };
        thread::scope(|scope| {
            let workers = thread::available_parallelism().map_or(1, |count| count.get());
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            workers
                .into_iter()
                .for_each(|worker| worker.join().expect("the compiler accepts the text"));
        });
        paths
            .into_iter()
            .map(|path| path.into_inner().expect("every program was compiled"))
            .collect()
    }

    fn compile(&self, program: &Program) -> PathBuf {
        let tile = [
            format!("-DTHREADS={}", program.tile.threads),
            format!("-DROWS={}", program.tile.rows),
        ];
        self.compile_text(&program.name, &program.text, program.entries(), &tile)
    }

    fn compile_text(
        &self,
        program: &str,
        text: &str,
        entries: &[&str],
        options: &[String],
    ) -> PathBuf {
        let mut text = text.to_owned() + "\n#line 1 \"emulator\"\n";
        for entry in entries {
            text += &format!("EMULATOR_ENTRY({entry})\n");
        }
        let mut command = Command::new("g++");
        command.args(KERNEL_OPTIONS).args(options);
        command.args(ptx::options(&text));
        // Without calls for functions, which nothing needs; and with a pattern in locals left open.
        if self.is_from(11) {
            command.arg("--param=tsan-instrument-func-entry-exit=0");
        }
        if self.is_from(12) {
            command.arg("-ftrivial-auto-var-init=pattern");
        }
        let name = format!(
            "kernel-{:016x}.so",
            hash(&(&self.version, &text, format!("{command:?}"), DEVICE, RUNNER))
        );
        command.args(["-include", &format!("{SOURCES}/device.h"), "-x", "c++"]);
        cached(&name, &text, |source, object| {
            let compiled = source.with_extension("o");
            command.arg("-c").arg(source).arg("-o").arg(&compiled);
            run(&mut command, program);
            // Not in one step: the sanitizer's own library would be linked.
            let mut link = Command::new("g++");
            link.arg("-shared").args([&compiled, &self.runner]);
            run(link.arg("-o").arg(object), program);
        })
    }

    /// Whether the compiler is of this release of GCC, or a later one.
    fn is_from(&self, release: u32) -> bool {
        let major = self.version.trim().split('.').next();
        major.is_some_and(|major| major.parse::<u32>().is_ok_and(|major| major >= release))
    }
}

/// The item that is next, for one of several workers.
fn take<T>(next: &AtomicUsize, mut items: impl Iterator<Item = T>) -> Option<T> {
    items.nth(next.fetch_add(1, Ordering::Relaxed))
}

/// The folder of what was compiled. Tests are told one of their own; examples are not.
fn cache() -> PathBuf {
    let folder = option_env!("CARGO_TARGET_TMPDIR");
    let folder = folder.unwrap_or(concat!(env!("CARGO_MANIFEST_DIR"), "/target/tmp"));
    Path::new(folder).join("emulator")
}

fn compile_runner(version: &str) -> PathBuf {
    let name = format!("runner-{:016x}.o", hash(&(version, RUNNER_OPTIONS, RUNNER)));
    cached(&name, "", |_, object| {
        let mut command = Command::new("g++");
        command
            .args(RUNNER_OPTIONS)
            .args(["-c", &format!("{SOURCES}/runner.cpp"), "-o"])
            .arg(object);
        run(&mut command, "the runner");
    })
}

/// The file of this name in the cache; where there is none, `make(source, file)` makes it.
fn cached(name: &str, text: &str, make: impl FnOnce(&Path, &Path)) -> PathBuf {
    let path = cache().join(name);
    if path.exists() {
        return path;
    }
    let folder = tempfile::tempdir_in(cache()).expect("the cache is writable");
    let (source, made) = (folder.path().join("kernel.cu"), folder.path().join(name));
    fs::write(&source, text).expect("the cache is writable");
    make(&source, &made);
    // Whole at once, for others who look for it meanwhile.
    fs::rename(&made, &path).expect("the cache is writable");
    path
}

fn run(command: &mut Command, what: &str) {
    let output = command.output().expect("the compiler starts");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{what} does not compile:\n{log}");
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
