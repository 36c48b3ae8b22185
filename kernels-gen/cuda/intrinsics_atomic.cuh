// Atomic operations on global memory, for all threads of the device; they order nothing else.

// The unsigned integer of so many bytes: bits do not know signs.
template <u32 BYTES>
struct Unsigned {
    typedef u32 Type;
};
template <>
struct Unsigned<8> {
    typedef u64 Type;
};

#ifdef __CUDACC__

DEVICE void atomic_add(u32* into, u32 value) { atomicAdd(into, value); }
DEVICE void atomic_add(i32* into, i32 value) { atomicAdd(into, value); }
DEVICE void atomic_add(u64* into, u64 value) { atomicAdd(into, value); }
DEVICE void atomic_add(i64* into, i64 value) { atomicAdd(reinterpret_cast<u64*>(into), u64(value)); }
DEVICE void atomic_add(f64* into, f64 value) { atomicAdd(into, value); }

template <class T>
DEVICE void atomic_min(T* into, T value) { atomicMin(into, value); }
template <class T>
DEVICE void atomic_max(T* into, T value) { atomicMax(into, value); }

template <class T>
DEVICE typename Unsigned<sizeof(T)>::Type* unsigned_at(T* at) {
    return reinterpret_cast<typename Unsigned<sizeof(T)>::Type*>(at);
}
template <class T>
DEVICE void atomic_and(T* into, T value) { atomicAnd(unsigned_at(into), typename Unsigned<sizeof(T)>::Type(value)); }
template <class T>
DEVICE void atomic_or(T* into, T value) { atomicOr(unsigned_at(into), typename Unsigned<sizeof(T)>::Type(value)); }
template <class T>
DEVICE void atomic_xor(T* into, T value) { atomicXor(unsigned_at(into), typename Unsigned<sizeof(T)>::Type(value)); }

// Stores `wanted` if there is `expected`; returns what was there.
DEVICE u32 compare_exchange(u32* at, u32 expected, u32 wanted) { return atomicCAS(at, expected, wanted); }
DEVICE u64 compare_exchange(u64* at, u64 expected, u64 wanted) { return atomicCAS(at, expected, wanted); }

#endif
