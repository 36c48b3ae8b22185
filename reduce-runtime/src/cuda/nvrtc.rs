//! NVRTC's functions, bound to the library that was found.
//!
//! Not through cudarc's `nvrtc`: that looks for names of its own, so it may load another NVRTC than
//! the one that was asked for, and it panics where one of them is missing.

use std::ffi::{CStr, CString, c_char, c_int};
use std::mem::ManuallyDrop;
use std::ptr;

use libloading::Library;

type Program = *mut std::ffi::c_void;
type Size = unsafe extern "C" fn(Program, *mut usize) -> c_int;
type Bytes = unsafe extern "C" fn(Program, *mut c_char) -> c_int;

/// An NVRTC that can compile.
pub(super) struct Nvrtc {
    /// Major and minor version.
    pub(super) version: (i32, i32),
    /// The architectures it knows, ascending: 90 is sm_90.
    pub(super) architectures: Vec<u32>,
    create: unsafe extern "C" fn(
        *mut Program,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> c_int,
    compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int,
    destroy: unsafe extern "C" fn(*mut Program) -> c_int,
    log: (Size, Bytes),
    cubin: (Size, Bytes),
    ptx: (Size, Bytes),
    error: unsafe extern "C" fn(c_int) -> *const c_char,
}

/// What a compilation is to give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Output {
    /// Machine code for one architecture.
    Cubin,
    /// PTX, with the zero that ends it.
    Ptx,
}

impl Nvrtc {
    /// Binds the functions, and asks for version and architectures.
    pub(super) fn bind(library: Library) -> Result<Nvrtc, libloading::Error> {
        // What is bound stays valid: the library is never closed.
        let library = ManuallyDrop::new(library);
        // SAFETY: the names and signatures are those of NVRTC's header since CUDA 11.2.
        unsafe {
            Ok(Nvrtc {
                version: version(*library.get(b"nvrtcVersion\0")?),
                architectures: architectures(
                    *library.get(b"nvrtcGetNumSupportedArchs\0")?,
                    *library.get(b"nvrtcGetSupportedArchs\0")?,
                ),
                create: *library.get(b"nvrtcCreateProgram\0")?,
                compile: *library.get(b"nvrtcCompileProgram\0")?,
                destroy: *library.get(b"nvrtcDestroyProgram\0")?,
                log: (
                    *library.get(b"nvrtcGetProgramLogSize\0")?,
                    *library.get(b"nvrtcGetProgramLog\0")?,
                ),
                cubin: (
                    *library.get(b"nvrtcGetCUBINSize\0")?,
                    *library.get(b"nvrtcGetCUBIN\0")?,
                ),
                ptx: (
                    *library.get(b"nvrtcGetPTXSize\0")?,
                    *library.get(b"nvrtcGetPTX\0")?,
                ),
                error: *library.get(b"nvrtcGetErrorString\0")?,
            })
        }
    }

    /// Compiles `text`, which messages call `kernel.cu`; what came of it, and the log.
    pub(super) fn compile(
        &self,
        text: &str,
        options: &[String],
        output: Output,
    ) -> (Result<Vec<u8>, String>, String) {
        let mut log = String::new();
        let compiled = self.program(text).and_then(|program| {
            let code = self.run(&program, options)?;
            log = text_of(&self.read(&program, self.log)?);
            self.check(code)?;
            match output {
                Output::Cubin => self.read(&program, self.cubin),
                Output::Ptx => self.read(&program, self.ptx),
            }
        });
        (compiled, log)
    }

    fn program(&self, text: &str) -> Result<Handle<'_>, String> {
        let (text, name) = (terminated(text)?, c"kernel.cu".as_ptr());
        let mut raw = ptr::null_mut();
        let (headers, names) = (ptr::null(), ptr::null());
        // SAFETY: the strings end with a zero and outlive the call; there are no headers.
        let code = unsafe { (self.create)(&mut raw, text.as_ptr(), name, 0, headers, names) };
        self.check(code)?;
        Ok(Handle { raw, nvrtc: self })
    }

    fn run(&self, program: &Handle<'_>, options: &[String]) -> Result<c_int, String> {
        let options = options.iter().map(|option| terminated(option));
        let options = options.collect::<Result<Vec<_>, _>>()?;
        let pointers: Vec<_> = options.iter().map(|option| option.as_ptr()).collect();
        // SAFETY: the program is alive; as many options are read as are given, and each ends with a
        // zero.
        Ok(unsafe { (self.compile)(program.raw, pointers.len() as c_int, pointers.as_ptr()) })
    }

    fn read(&self, program: &Handle<'_>, (size, bytes): (Size, Bytes)) -> Result<Vec<u8>, String> {
        let mut length = 0;
        // SAFETY: the program is alive and `length` is a valid place.
        self.check(unsafe { size(program.raw, &mut length) })?;
        let mut out = vec![0_u8; length];
        // SAFETY: the program is alive, and `out` is as long as NVRTC said that it will write.
        self.check(unsafe { bytes(program.raw, out.as_mut_ptr().cast()) })?;
        Ok(out)
    }

    fn check(&self, code: c_int) -> Result<(), String> {
        if code == 0 {
            return Ok(());
        }
        // SAFETY: the function takes any number and returns a string of its library, or null.
        let name = unsafe { (self.error)(code) };
        if name.is_null() {
            return Err(format!("NVRTC error {code}"));
        }
        // SAFETY: not null, so a string that ends with a zero and lives as long as the library.
        let name = unsafe { CStr::from_ptr(name) };
        Err(format!("{} (NVRTC error {code})", name.to_string_lossy()))
    }
}

/// A program, destroyed when dropped.
struct Handle<'a> {
    raw: Program,
    nvrtc: &'a Nvrtc,
}

impl Drop for Handle<'_> {
    fn drop(&mut self) {
        // SAFETY: the program was created and is destroyed once.
        unsafe { (self.nvrtc.destroy)(&mut self.raw) };
    }
}

fn version(ask: unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int) -> (i32, i32) {
    let mut version = (0, 0);
    // SAFETY: both places are valid.
    unsafe { ask(&mut version.0, &mut version.1) };
    version
}

fn architectures(
    count: unsafe extern "C" fn(*mut c_int) -> c_int,
    list: unsafe extern "C" fn(*mut c_int) -> c_int,
) -> Vec<u32> {
    let mut length = 0;
    // SAFETY: the place is valid.
    unsafe { count(&mut length) };
    let mut known = vec![0; usize::try_from(length).unwrap_or(0)];
    // SAFETY: the list is as long as NVRTC said that it will write.
    unsafe { list(known.as_mut_ptr()) };
    let mut known: Vec<u32> = known.into_iter().flat_map(u32::try_from).collect();
    known.sort_unstable();
    known
}

fn terminated(text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|_| "the text holds a zero byte".to_owned())
}

fn text_of(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.trim_end_matches('\0').trim_end().to_owned()
}
