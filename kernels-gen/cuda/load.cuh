// How values come from memory, and from other lanes, whatever their type.

// The words that a value of `BYTES` bytes is moved in.
template <u32 BYTES>
struct Words {
    static_assert(BYTES % 4 == 0, "values are whole words, but for the narrow ones");
    u32 words[BYTES / 4];
};
template <>
struct Words<2> {
    u16 words[1];
};
template <>
struct Words<1> {
    u8 words[1];
};

// N consecutive values.
template <class T, u32 N>
struct Vector {
    T at[N];
};

// Whether `pointer` is a multiple of `bytes`.
DEVICE bool is_aligned(const void* pointer, u32 bytes) {
    return reinterpret_cast<u64>(pointer) % bytes == 0;
}

// N values of input; `from` is a multiple of their size together.
template <u32 N, class T>
DEVICE Vector<T, N> load_vector(const T* from) {
    Words<sizeof(T) * N> bytes;
    load_bytes(bytes.words, from);
    return from_bits<Vector<T, N>>(bytes);
}

// N partials of this launch; `from` is a multiple of their size together, or N is 1.
template <u32 N, class T>
DEVICE Vector<T, N> load_partials(const T* from) {
    Words<sizeof(T) * N> bytes;
    load_shared_by_grid(bytes.words, from);
    return from_bits<Vector<T, N>>(bytes);
}

// The value of the lane `distance` above; every lane that `mask` names calls this.
template <class T>
DEVICE T shuffle_down(u32 mask, T value, u32 distance) {
    const u32 COUNT = (sizeof(T) + 3) / 4;
    u32 words[COUNT] = {};
    memcpy(words, &value, sizeof(T));
#pragma unroll
    for (u32 w = 0; w < COUNT; ++w) words[w] = shuffle_word_down(mask, words[w], distance);
    memcpy(&value, words, sizeof(T));
    return value;
}
