//! The ceiling: how long a kernel takes that reads the same input at full width and does nothing else.
//! Its blocks do not meet, and nothing is stored.

use std::env;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use reduce_runtime::Device;
use reduce_runtime::cudarc::driver::{CudaSlice, CudaStream, DevicePtr, sys};
use reduce_runtime::private::{Tile, compile};

use crate::timing::{Fallible, Resident, Timer};

/// 256 threads, each with 8 loads in flight.
const TILE: Tile = Tile {
    threads: 256,
    rows: 8,
};

/// Bytes of a load.
const WORD: usize = 16;

/// The loads are predicated rather than branched around, so that all of a thread's are in flight at once.
/// Elements of the ladder fold to words whose upper bits are all alike, or whose bytes are 0 or 1: never
/// to the one that is stored, which the compiler cannot know.
const TEXT: &str = r#"
typedef unsigned u32;
typedef unsigned long long u64;

__device__ u32 sink;

__device__ __forceinline__ void load_if(bool is_there, u32 (&words)[4], const void* from) {
    asm volatile("{\n\t.reg .pred there;\n\tsetp.ne.u32 there, %5, 0;\n\t"
                 "@there ld.global.L1::no_allocate.v4.b32 {%0, %1, %2, %3}, [%4];\n\t}"
                 : "+r"(words[0]), "+r"(words[1]), "+r"(words[2]), "+r"(words[3])
                 : "l"(from), "r"(u32(is_there)) : "memory");
}

extern "C" __global__ void __launch_bounds__(THREADS) read_all(const uint4* input, u64 count) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
    const u64 stride = u64(gridDim.x) * THREADS;
    u32 folded = 0;
    for (u64 first = u64(blockIdx.x) * THREADS + threadIdx.x; first < count; first += ROWS * stride) {
        u32 words[ROWS][4] = {};
#pragma unroll
        for (u32 row = 0; row < ROWS; ++row) {
            const u64 at = first + row * stride;
            load_if(at < count, words[row], input + at);
        }
#pragma unroll
        for (u32 row = 0; row < ROWS; ++row) folded ^= words[row][0] ^ words[row][1] ^ words[row][2] ^ words[row][3];
    }
    if (folded == 0x9e3779b9) sink = folded;
}
"#;

/// Microseconds of reading `n` elements of the pool, whose length is a multiple of 4096 bytes: the least
/// of several grids.
pub fn us<T: Resident>(
    device: &Device,
    timer: Timer<'_>,
    pool: &CudaSlice<T>,
    n: usize,
) -> Fallible<f64> {
    let stream = device.stream().ok_or("times need a GPU")?;
    let reader = Reader::new(stream)?;
    // The whole capture goes by this address: the library of the slices orders them by events, which a
    // capture does not take.
    let (address, _guard) = pool.device_ptr(stream);
    let bytes = n * size_of::<T>();
    let words = bytes.div_ceil(WORD) as u64;
    let mut least = f64::INFINITY;
    for blocks in grids(words, reader.multiprocessors) {
        let us = timer.median_us_of(bytes, pool.num_bytes(), |byte| {
            reader.launch(stream, address + byte as u64, words, blocks)
        })?;
        least = least.min(us);
    }
    Ok(least)
}

/// Blocks: for 1, 2, 4 and 8 loads a thread, and what so many multiprocessors hold, where that is fewer.
fn grids(words: u64, multiprocessors: u32) -> Vec<u32> {
    let threads = u64::from(TILE.threads);
    let by_loads = [1, 2, 4, 8].map(|loads| words.div_ceil(threads * loads));
    let by_residents = [2, 4, 8].map(|blocks| u64::from(multiprocessors) * blocks);
    let residents = by_residents.into_iter().filter(|each| *each < by_loads[3]);
    let mut grids: Vec<u32> = by_loads
        .into_iter()
        .chain(residents)
        .filter_map(|blocks| u32::try_from(blocks).ok())
        .collect();
    grids.sort_unstable();
    grids.dedup();
    grids
}

/// The kernel, loaded.
struct Reader {
    function: sys::CUfunction,
    multiprocessors: u32,
    /// Whether launches overlap, as those of the rungs do.
    follows: bool,
}

impl Reader {
    fn new(stream: &Arc<CudaStream>) -> Fallible<Reader> {
        use sys::CUdevice_attribute::{
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as MAJOR,
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as MINOR,
            CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT as MULTIPROCESSORS,
        };
        let context = stream.context();
        let architecture = 10 * context.attribute(MAJOR)? + context.attribute(MINOR)?;
        let image = compile::compile(TEXT, architecture as u32, TILE)?;
        context.bind_to_thread()?;
        let (mut module, mut function) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the context is current, the image is what NVRTC made, the name ends with a zero; the
        // module stays loaded.
        unsafe {
            sys::cuModuleLoadData(&mut module, image.bytes.as_ptr().cast()).result()?;
            sys::cuModuleGetFunction(&mut function, module, c"read_all".as_ptr()).result()?;
        }
        let is_wanted = env::var("REDUCE_DEPENDENT_LAUNCH").as_deref() != Ok("0");
        Ok(Reader {
            function,
            multiprocessors: context.attribute(MULTIPROCESSORS)? as u32,
            follows: architecture >= 90 && is_wanted,
        })
    }

    /// Enqueues one that reads so many words of 16 bytes; the caller vouches that they are there.
    fn launch(
        &self,
        stream: &CudaStream,
        address: sys::CUdeviceptr,
        words: u64,
        blocks: u32,
    ) -> Fallible<()> {
        let mut follow = sys::CUlaunchAttribute {
            id: sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
            pad: [0; 4],
            value: sys::CUlaunchAttributeValue { pad: [0; 64] },
        };
        follow.value.programmaticStreamSerializationAllowed = 1;
        let config = sys::CUlaunchConfig {
            gridDimX: blocks,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: TILE.threads,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: 0,
            hStream: stream.cu_stream(),
            attrs: &mut follow,
            numAttrs: u32::from(self.follows),
        };
        let mut arguments: [*mut c_void; 2] = [
            ptr::from_ref(&address).cast_mut().cast(),
            ptr::from_ref(&words).cast_mut().cast(),
        ];
        // SAFETY: the arguments are those of the kernel, all of this lives until the call has copied it,
        // and so many words can be read: buffers of the pool are whole multiples of 4096 bytes.
        unsafe {
            sys::cuLaunchKernelEx(
                &config,
                self.function,
                arguments.as_mut_ptr(),
                ptr::null_mut(),
            )
        }
        .result()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether NVRTC is there; where it must be, its absence is a failure.
    fn nvrtc_is_there() -> bool {
        match compile::version() {
            Ok(_) => true,
            Err(error) => {
                assert!(env::var_os("CI").is_none(), "{error}");
                eprintln!("skipped: {error}");
                false
            }
        }
    }

    #[test]
    fn the_kernel_compiles_and_keeps_its_loads() {
        if !nvrtc_is_there() {
            return;
        }
        for architecture in [75, 90, 120] {
            let usage = compile::usage(TEXT, architecture, TILE, &[]).expect("it compiles");
            assert_eq!((usage.len(), &usage[0].entry[..]), (1, "read_all"));
            let (stack, spills) = (usage[0].stack_bytes, usage[0].spill_bytes);
            assert_eq!((stack, spills), (0, 0), "sm_{architecture}");
        }
        let ptx = compile::ptx(TEXT, 90, TILE).expect("it compiles");
        let loads = ptx.matches("ld.global.L1::no_allocate.v4.b32").count();
        assert_eq!((loads, ptx.matches("st.global").count()), (8, 1), "{ptx}");
    }

    #[test]
    fn grids_reach_from_a_load_a_thread_to_what_is_resident() {
        assert_eq!(grids(1, 132), [1]);
        assert_eq!(grids(2048, 132), [1, 2, 4, 8]);
        assert_eq!(
            grids(1 << 24, 132),
            [264, 528, 1056, 8192, 16384, 32768, 65536]
        );
    }
}
