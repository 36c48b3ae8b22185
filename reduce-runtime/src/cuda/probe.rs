//! Whether the CUDA driver and NVRTC are there, asked once, with where they were looked for.
//!
//! cudarc panics where the driver is missing, too old or a stub; it is called only after this.

use std::env;
use std::error::Error as _;
use std::ffi::{CStr, c_char, c_int};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libloading::Library;

use super::nvrtc::Nvrtc;
use crate::error::{Error, Kind, Result};

/// The names that cudarc loads the driver by, in its order.
const DRIVER: &[&str] = if cfg!(windows) {
    &["nvcuda.dll"]
} else {
    &["libcuda.so", "libcuda.so.1"]
};

/// Functions without which a driver is too old for us: of CUDA 11.2 and 11.8.
const DRIVER_FUNCTIONS: [&str; 2] = ["cuMemAllocAsync", "cuLaunchKernelEx"];

/// What the loader may know NVRTC by.
const NVRTC: &[&str] = if cfg!(windows) {
    &[
        "nvrtc64_130_0.dll",
        "nvrtc64_120_0.dll",
        "nvrtc64_112_0.dll",
    ]
} else {
    &["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"]
};

/// The driver can be called.
pub(super) fn driver() -> Result<()> {
    static ANSWER: OnceLock<Result<()>> = OnceLock::new();
    ANSWER
        .get_or_init(|| {
            find_driver(DRIVER).map_err(|message| Error::new(Kind::Unavailable, message))
        })
        .clone()
}

/// NVRTC, if there is one.
pub(super) fn nvrtc() -> Result<&'static Nvrtc> {
    static ANSWER: OnceLock<Result<Nvrtc>> = OnceLock::new();
    ANSWER
        .get_or_init(|| find_nvrtc().map_err(|message| Error::new(Kind::Unavailable, message)))
        .as_ref()
        .map_err(Error::clone)
}

fn find_driver(names: &[&str]) -> Result<(), String> {
    // SAFETY: loading the CUDA driver runs only its own initialisers.
    let loaded = names
        .iter()
        .find_map(|name| unsafe { Library::new(*name) }.ok());
    let Some(library) = loaded else {
        return Err(format!(
            "no CUDA driver: the loader found neither of {}; it comes with NVIDIA's display driver",
            names.join(", ")
        ));
    };
    let outcome = start_driver(&library);
    // cudarc opens it again; initialised, it must not be unloaded in between.
    std::mem::forget(library);
    outcome
}

fn start_driver(library: &Library) -> Result<(), String> {
    for name in DRIVER_FUNCTIONS {
        // SAFETY: the symbol is looked up and not called.
        if unsafe { library.get::<*const ()>(name) }.is_err() {
            return Err(format!(
                "the CUDA driver has no {name}: update it to one of CUDA 11.8 or later"
            ));
        }
    }
    // SAFETY: the signature is that of the driver's header, and 0 the only flag it takes.
    let code = unsafe {
        match library.get::<unsafe extern "C" fn(u32) -> c_int>("cuInit") {
            Ok(init) => init(0),
            Err(error) => return Err(format!("the CUDA driver has no cuInit: {error}")),
        }
    };
    if code == 0 {
        return Ok(());
    }
    let advice = match code {
        34 => "it is the toolkit's stub: take the `stubs` folder off the loader's path",
        100 => "it sees no device: see `nvidia-smi` and CUDA_VISIBLE_DEVICES",
        803 => "driver and kernel module differ in version: reboot after the driver's update",
        _ => "see `nvidia-smi`",
    };
    let name = error_name(library, code);
    Err(format!(
        "the CUDA driver does not start: {name} (CUDA error {code}); {advice}"
    ))
}

fn error_name(library: &Library, code: c_int) -> String {
    type Ask = unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int;
    let mut name = std::ptr::null();
    // SAFETY: the signature is that of the driver's header; where it fails, `name` stays null, else
    // it is a string of the library's own.
    unsafe {
        match library.get::<Ask>("cuGetErrorName") {
            Ok(ask) if ask(code, &mut name) == 0 && !name.is_null() => {
                CStr::from_ptr(name).to_string_lossy().into_owned()
            }
            _ => "unknown".to_owned(),
        }
    }
}

fn find_nvrtc() -> Result<Nvrtc, String> {
    if let Some(named) = variable("REDUCE_NVRTC") {
        return named_nvrtc(&named);
    }
    // Bare names are for the loader to find.
    let mut candidates: Vec<_> = NVRTC.iter().map(PathBuf::from).collect();
    let folders = nvrtc_folders();
    candidates.extend(folders.iter().flat_map(|folder| libraries(folder)));
    let mut refused = String::new();
    for library in candidates {
        match open_nvrtc(&library) {
            Ok(nvrtc) => return Ok(nvrtc),
            Err(error) if library.is_absolute() => {
                refused += &format!("; {} does not load: {error}", library.display());
            }
            Err(_) => {}
        }
    }
    Err(absence(&folders) + &refused)
}

fn named_nvrtc(path: &Path) -> Result<Nvrtc, String> {
    let found = if path.is_dir() {
        libraries(path)
    } else {
        vec![path.to_owned()]
    };
    let wanted = format!("REDUCE_NVRTC is {}", path.display());
    let Some(library) = found.first() else {
        return Err(format!("{wanted}, which holds no file like {}", NVRTC[0]));
    };
    open_nvrtc(library).map_err(|error| format!("{wanted}, which does not load as NVRTC: {error}"))
}

fn absence(folders: &[PathBuf]) -> String {
    let mut text = format!(
        "no NVRTC, which compiles the kernels: get it by `pip install nvidia-cuda-nvrtc` or with the \
         CUDA toolkit, or let REDUCE_NVRTC name its file or folder; the loader was asked for {}, and \
         searched were CUDA_HOME, CUDA_PATH, CONDA_PREFIX, /usr/local/cuda and the Python packages of \
         VIRTUAL_ENV, CONDA_PREFIX, ~/.local, /usr/local and /usr",
        NVRTC.join(", ")
    );
    for folder in folders {
        text += &format!("; not in {}", folder.display());
    }
    text
}

/// Loads NVRTC; first its builtins beside it, which it would look for on the loader's path alone.
fn open_nvrtc(path: &Path) -> Result<Nvrtc, String> {
    // A file may be a link to one that has its builtins beside it. A bare name is the loader's to
    // find, and not in the current folder.
    let path = match path.canonicalize() {
        Ok(file) if path.file_name() != Some(path.as_os_str()) => file,
        _ => path.to_owned(),
    };
    for builtins in path
        .parent()
        .into_iter()
        .flat_map(|folder| files(folder, is_builtins))
    {
        // NVRTC itself tells when it misses them.
        if let Ok(library) = open_globally(&builtins) {
            std::mem::forget(library);
        }
    }
    open_globally(&path).and_then(Nvrtc::bind).map_err(|error| {
        let cause = error.source().map(ToString::to_string);
        cause.unwrap_or_else(|| error.to_string())
    })
}

#[cfg(unix)]
fn open_globally(path: &Path) -> Result<Library, libloading::Error> {
    use libloading::os::unix::{Library as Unix, RTLD_GLOBAL, RTLD_NOW};
    // SAFETY: loading NVRTC or its builtins runs only their own initialisers.
    unsafe { Unix::open(Some(path), RTLD_NOW | RTLD_GLOBAL) }.map(Library::from)
}

#[cfg(not(unix))]
fn open_globally(path: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: loading NVRTC or its builtins runs only their own initialisers.
    unsafe { Library::new(path) }
}

/// The NVRTC libraries of a folder, newest first.
fn libraries(folder: &Path) -> Vec<PathBuf> {
    files(folder, is_library)
}

fn is_library(name: &str) -> bool {
    is_of(name, "libnvrtc.so", "nvrtc64_")
}

fn is_builtins(name: &str) -> bool {
    is_of(name, "libnvrtc-builtins.so", "nvrtc-builtins64_")
}

fn is_of(name: &str, unix: &str, windows: &str) -> bool {
    let is_dll = name.ends_with(".dll") && !name.contains(".alt.");
    name.starts_with(unix) || (name.starts_with(windows) && is_dll)
}

fn files(folder: &Path, wanted: fn(&str) -> bool) -> Vec<PathBuf> {
    let mut found = children(folder, "");
    found.retain(|path| name_of(path).is_some_and(wanted));
    found.sort_by_cached_key(|path| std::cmp::Reverse(name_of(path).map(numbers)));
    found
}

/// The numbers in a file's name, to compare versions by.
fn numbers(name: &str) -> Vec<u32> {
    let words = name.split(|letter: char| !letter.is_ascii_digit());
    words.flat_map(str::parse).collect()
}

fn name_of(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

/// What a folder holds that starts with `prefix`, in order of names; nothing if it cannot be read.
fn children(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> = entries.map(|entry| entry.path()).collect();
    found.retain(|path| name_of(path).is_some_and(|name| name.starts_with(prefix)));
    found.sort_unstable();
    found
}

/// The folders, of those that exist, that may hold NVRTC: toolkits', then pip's.
fn nvrtc_folders() -> Vec<PathBuf> {
    let mut toolkits: Vec<_> = ["CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"]
        .into_iter()
        .filter_map(variable)
        .collect();
    toolkits.push(PathBuf::from("/usr/local/cuda"));

    let mut folders = Vec::new();
    for toolkit in toolkits {
        folders.extend(["lib64", "lib", "bin", "bin/x64"].map(|name| toolkit.join(name)));
        let targets = children(&toolkit.join("targets"), "");
        folders.extend(targets.iter().map(|target| target.join("lib")));
    }
    for package in site_packages()
        .iter()
        .flat_map(|at| children(&at.join("nvidia"), ""))
    {
        folders.extend(["lib", "bin", "bin/x86_64"].map(|name| package.join(name)));
    }
    folders.retain(|folder| folder.is_dir());
    folders
}

/// Where pip puts packages: environments', the user's, the system's.
fn site_packages() -> Vec<PathBuf> {
    let environments = ["VIRTUAL_ENV", "CONDA_PREFIX"]
        .into_iter()
        .filter_map(variable);
    let user = env::home_dir().map(|home| home.join(".local"));
    let system = ["/usr/local", "/usr"].map(PathBuf::from);

    let mut packages = Vec::new();
    for prefix in environments.chain(user).chain(system) {
        packages.push(prefix.join("Lib/site-packages"));
        for python in children(&prefix.join("lib"), "python3") {
            packages.extend(["site-packages", "dist-packages"].map(|name| python.join(name)));
        }
    }
    packages
}

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_told_by_name_and_newest_comes_first() {
        assert!(is_library("libnvrtc.so.13") && is_library("nvrtc64_130_0.dll"));
        assert!(!is_library("libnvrtc.alt.so.13") && !is_library("nvrtc64_130_0.alt.dll"));
        assert!(
            !is_library("libnvrtc-builtins.so.13.0") && is_builtins("libnvrtc-builtins.so.13.0")
        );
        assert!(numbers("libnvrtc.so.13") > numbers("libnvrtc.so.9.2"));
    }

    #[test]
    fn absence_says_what_was_searched_and_how_to_get_it() {
        let text = absence(&[PathBuf::from("/opt/cuda/lib64")]);
        for part in [
            "pip install nvidia-cuda-nvrtc",
            "/opt/cuda/lib64",
            "REDUCE_NVRTC",
            NVRTC[0],
        ] {
            assert!(text.contains(part), "{part} is not in: {text}");
        }
    }

    #[test]
    fn a_named_nvrtc_that_is_none_is_reported_by_its_path() {
        let error = named_nvrtc(Path::new("/nowhere/libnvrtc.so"))
            .err()
            .unwrap_or_default();
        assert!(
            error.contains("REDUCE_NVRTC is /nowhere/libnvrtc.so"),
            "{error}"
        );
    }

    #[test]
    fn a_missing_driver_is_an_error_and_no_panic() {
        let text = find_driver(&["libnone.so", "libneither.so"]).unwrap_err();
        assert!(
            text.contains("neither of libnone.so, libneither.so"),
            "{text}"
        );
        assert!(text.contains("NVIDIA's display driver"), "{text}");
    }
}
