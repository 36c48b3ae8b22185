// Which order should the one tree fold its threads in?
//
// A tile is THREADS x ROWS x VEC consecutive f32 elements, VEC = 4 (one 16-byte load).  Element (r*THREADS + t)*4 + v
// goes to lane accumulator (t, v), rows ascending; then (a0+a1)+(a2+a3) gives the value of thread t; then the THREADS
// values are folded in one of two orders:
//   lanes first: inside each warp, lanes 16, 8, 4, 2, 1 apart; then the warp results, W/2, .., 1 apart.
//   warps first: thread t with thread t+s for s = THREADS/2, THREADS/4, .., 1 (the warps, then the lanes).
// A missing operand (past the end) is not combined.  This program measures both orders on a full sum, on row sums and
// on column sums, and checks every result bit for bit against a host twin.
//
// Build: nvcc -std=c++17 -O3 -fmad=false -gencode=arch=compute_90a,code=sm_90a tree_order.cu -o tree_order -cudart static
// Output: CSV rows tool,case,dtype,n,median_us,GBps,bits, then comment lines (#) with the ratios lanes_first/warps_first.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#define CHECK(call)                                                                                 \
    do {                                                                                            \
        const cudaError_t status = (call);                                                          \
        if (status != cudaSuccess) {                                                                \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status)); \
            std::exit(2);                                                                           \
        }                                                                                           \
    } while (0)

constexpr int VEC = 4;
constexpr int WARP = 32;
constexpr unsigned FULL_MASK = 0xffffffffu;
constexpr size_t LARGE_COUNT = size_t(1) << 28;               // elements of the large cases
constexpr size_t POOL_BYTES = 2 * LARGE_COUNT * sizeof(float);  // two rotating inputs of the largest size
constexpr size_t ROTATED_BYTES = POOL_BYTES / 4;              // smaller inputs are spread over at least this much

// Padding with -0.0 is the same as not combining: x + -0.0 has the bits of x for every x, 0.0 and -0.0 included.
#define MISSING (-0.0f)

enum class Order { LanesFirst, WarpsFirst };

// ---------------------------------------------------------------------------------------------------------------------
// PTX
// ---------------------------------------------------------------------------------------------------------------------
// BEGIN PTX (everything that is not C++ is in this section)

// Wait for the previous kernel, only then let the next one start; before any memory is touched (H200.md, lesson 3).
__device__ __forceinline__ void begin_kernel() {
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

__device__ __forceinline__ float4 load_input(const float4* address) {
    float4 v;
    asm volatile("ld.global.L1::no_allocate.v4.f32 {%0,%1,%2,%3},[%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(address) : "memory");
    return v;
}

__device__ __forceinline__ float load_input(const float* address) {
    float v;
    asm volatile("ld.global.L1::no_allocate.f32 %0,[%1];" : "=f"(v) : "l"(address) : "memory");
    return v;
}

__device__ __forceinline__ float4 load_partial(const float4* address) {
    float4 v;
    asm volatile("ld.relaxed.gpu.global.v4.f32 {%0,%1,%2,%3},[%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(address) : "memory");
    return v;
}

__device__ __forceinline__ float load_partial(const float* address) {
    float v;
    asm volatile("ld.relaxed.gpu.global.f32 %0,[%1];" : "=f"(v) : "l"(address) : "memory");
    return v;
}

__device__ __forceinline__ void store_partial(float* address, float value) {
    asm volatile("st.relaxed.gpu.global.f32 [%0],%1;" ::"l"(address), "f"(value) : "memory");
}

// Counts arrivals modulo `blocks`, so the counter is 0 again afterwards.  True for the last block.
__device__ __forceinline__ bool arrive_last(unsigned* counter, unsigned blocks) {
    unsigned before;
    asm volatile("atom.inc.acq_rel.gpu.global.u32 %0,[%1],%2;"
                 : "=r"(before) : "l"(counter), "r"(blocks - 1) : "memory");
    return before == blocks - 1;
}

// A barrier among the first `threads` threads of the block only.
template <int THREADS>
__device__ __forceinline__ void barrier_of_first() {
    asm volatile("bar.sync 1,%0;" ::"n"(THREADS) : "memory");
}
// END PTX

// ---------------------------------------------------------------------------------------------------------------------
// Folds
// ---------------------------------------------------------------------------------------------------------------------

__device__ __forceinline__ float4 missing_vector() { return make_float4(MISSING, MISSING, MISSING, MISSING); }

__device__ __forceinline__ float4 add(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__device__ __forceinline__ float fold_vector(float4 a) { return (a.x + a.y) + (a.z + a.w); }

// values[i] with values[i+s] for s = COUNT/2, .., 1, all in the registers of one thread.  A recursion, because the
// compiler leaves the equivalent loop over 32 values in local memory.
template <int COUNT>
__device__ __forceinline__ float fold_registers(float* values) {
    if constexpr (COUNT > 1) {
#pragma unroll
        for (int i = 0; i < COUNT / 2; i++) values[i] += values[i + COUNT / 2];
        return fold_registers<COUNT / 2>(values);
    }
    return values[0];
}

// The same tree over COUNT neighbouring lanes; the result is in lane 0.
template <int COUNT>
__device__ __forceinline__ float fold_lanes(float value) {
#pragma unroll
    for (int stride = COUNT / 2; stride > 0; stride /= 2) value += __shfl_down_sync(FULL_MASK, value, stride);
    return value;
}

// Lanes that differ in one of the bits from HIGH/2 down to LOW are folded together, widest stride first; all of them
// get the result (addition commutes, so both partners compute the same bits).
template <int HIGH, int LOW>
__device__ __forceinline__ float fold_lane_bits(float value) {
#pragma unroll
    for (int stride = HIGH / 2; stride >= LOW; stride /= 2) value += __shfl_xor_sync(FULL_MASK, value, stride);
    return value;
}

// Folds COUNT independent values across WIDTH neighbouring lanes at once.  At each of the first steps a lane gives
// away the half of its values that its partner keeps, so COUNT values cost COUNT-1 shuffles plus one a remaining step.
// Afterwards lane l holds the result of value (l % WIDTH) / (WIDTH / COUNT).
template <int COUNT, int WIDTH>
__device__ __forceinline__ float fold_lanes_transposing(float (&values)[COUNT], int lane) {
#pragma unroll
    for (int half = COUNT / 2; half > 0; half /= 2) {
        const int stride = half * WIDTH / COUNT;
        const bool keeps_upper = lane & stride;
#pragma unroll
        for (int i = 0; i < half; i++) {
            const float kept = keeps_upper ? values[i + half] : values[i];
            const float given = keeps_upper ? values[i] : values[i + half];
            values[i] = kept + __shfl_xor_sync(FULL_MASK, given, stride);
        }
    }
    return fold_lane_bits<WIDTH / COUNT, 1>(values[0]);
}

// Who combines the warps of a block: always the first warp, a different warp every tile (so that the work is spread),
// or the first four warps together (warps first only: each takes a quarter of the warps, the first takes the rest).
enum class Finish { FirstWarp, RotatingWarp, FourWarps };

template <Order ORDER, Finish FINISH, int THREADS>
__host__ __device__ constexpr int scratch_floats() {
    if (ORDER == Order::LanesFirst) return THREADS / WARP;
    return FINISH == Finish::FourWarps ? THREADS + 4 * WARP : THREADS;
}

template <int THREADS>
__device__ __forceinline__ float finish_warps_first(const float* scratch, int lane) {
    float values[THREADS / WARP];
#pragma unroll
    for (int warp = 0; warp < THREADS / WARP; warp++) values[warp] = scratch[warp * WARP + lane];
    return fold_lanes<WARP>(fold_registers<THREADS / WARP>(values));
}

// Warp w of the first four folds the warps w, w+4, w+8, .. (strides W/2 to 4); the first warp does strides 2 and 1.
template <int THREADS>
__device__ __forceinline__ float finish_with_four_warps(float* scratch, int warp, int lane) {
    constexpr int SHARE = THREADS / WARP / 4;
    float* quarters = scratch + THREADS;
    float values[SHARE];
#pragma unroll
    for (int i = 0; i < SHARE; i++) values[i] = scratch[(i * 4 + warp) * WARP + lane];
    quarters[warp * WARP + lane] = fold_registers<SHARE>(values);
    barrier_of_first<4 * WARP>();
    return warp == 0 ? finish_warps_first<4 * WARP>(quarters, lane) : 0.0f;
}

// Folds one value a thread.  The result is in lane 0 of warp `finisher`.  One barrier; successive calls must alternate
// between two scratch buffers, then a buffer is rewritten only after the barrier that its last reader passed.
template <Order ORDER, Finish FINISH, int THREADS>
__device__ __forceinline__ float block_fold(float value, float* scratch, int finisher) {
    constexpr int WARPS = THREADS / WARP;
    const int lane = threadIdx.x % WARP;
    const int warp = threadIdx.x / WARP;
    if constexpr (ORDER == Order::LanesFirst) {
        value = fold_lanes<WARP>(value);
        if (lane == 0) scratch[warp] = value;
        __syncthreads();
        if (warp == finisher) value = fold_lanes<WARPS>(lane < WARPS ? scratch[lane] : MISSING);
    } else {
        scratch[threadIdx.x] = value;
        __syncthreads();
        if constexpr (FINISH == Finish::FourWarps) {
            if (warp < 4) value = finish_with_four_warps<THREADS>(scratch, warp, lane);
        } else {
            if (warp == finisher) value = finish_warps_first<THREADS>(scratch, lane);
        }
    }
    return value;
}

// ---------------------------------------------------------------------------------------------------------------------
// Full sum
// ---------------------------------------------------------------------------------------------------------------------

enum class Source { Input, Partials };

template <Source SOURCE, class T>
__device__ __forceinline__ T load(const T* address) {
    if constexpr (SOURCE == Source::Input) return load_input(address);
    else return load_partial(address);
}

// The 1 to 3 elements at the end of the input that fill no vector.
template <Source SOURCE>
__device__ __forceinline__ float4 load_cut_vector(const float* elements, unsigned present) {
    float4 cut = missing_vector();
    cut.x = load<SOURCE>(elements);
    if (present > 1) cut.y = load<SOURCE>(elements + 1);
    if (present > 2) cut.z = load<SOURCE>(elements + 2);
    return cut;
}

// The value of this thread in a tile of `count` elements.  All ROWS loads are issued before the first add.
template <Source SOURCE, int THREADS, int ROWS>
__device__ __forceinline__ float thread_fold(const float* tile, unsigned count) {
    const unsigned t = threadIdx.x;
    const unsigned whole = count / VEC;
    const float4* vectors = reinterpret_cast<const float4*>(tile);
    float4 loaded[ROWS];
    if (count == THREADS * ROWS * VEC) {
#pragma unroll
        for (int r = 0; r < ROWS; r++) loaded[r] = load<SOURCE>(vectors + r * THREADS + t);
    } else {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const unsigned index = r * THREADS + t;
            loaded[r] = index < whole ? load<SOURCE>(vectors + index) : missing_vector();
        }
    }
    float4 accumulator = loaded[0];
#pragma unroll
    for (int r = 1; r < ROWS; r++) accumulator = add(accumulator, loaded[r]);
    // The cut vector is in the last row that its thread has.
    if (count % VEC != 0 && t == whole % THREADS) {
        accumulator = add(accumulator, load_cut_vector<SOURCE>(tile + whole * VEC, count % VEC));
    }
    return fold_vector(accumulator);
}

struct Workspace {
    float* partials;        // one a tile
    float* more_partials;   // of the next level, if there is one
    unsigned* arrivals;     // 0 between launches
};

// What is left after the tiles: nothing (one tile), one row or one tile of partials, or several levels.  Chosen by the
// host, because a long general tail costs small sums dearly (H200.md, lesson 1).
enum class Tail { Nothing, OneRow, OneTile, Levels };

template <int THREADS, int ROWS>
__device__ __forceinline__ unsigned elements_in_tile(size_t count, unsigned tile) {
    constexpr size_t TILE = size_t(THREADS) * ROWS * VEC;
    return unsigned(min(TILE, count - tile * TILE));
}

// The same occupancy for both orders, or a few registers would decide the comparison: 2048 threads a multiprocessor
// with 4 loads a thread, 1024 with 8.
template <int THREADS, int ROWS>
__host__ __device__ constexpr int blocks_a_multiprocessor() {
    return (ROWS <= 4 ? 2048 : 1024) / THREADS;
}

template <Order ORDER, Finish FINISH, int THREADS, int ROWS, Tail TAIL>
__global__ void __launch_bounds__(THREADS, blocks_a_multiprocessor<THREADS, ROWS>())
full_sum(const float* input, size_t count, unsigned tiles, Workspace space, float* out) {
    constexpr unsigned TILE = THREADS * ROWS * VEC;
    constexpr Finish TAIL_FINISH = FINISH == Finish::RotatingWarp ? Finish::FirstWarp : FINISH;
    __shared__ float scratch[2][scratch_floats<ORDER, FINISH, THREADS>()];
    __shared__ bool is_last;
    begin_kernel();

    int buffer = 0;
    int finisher = 0;
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const unsigned elements = elements_in_tile<THREADS, ROWS>(count, tile);
        const float value = thread_fold<Source::Input, THREADS, ROWS>(input + size_t(tile) * TILE, elements);
        const float total = block_fold<ORDER, FINISH, THREADS>(value, scratch[buffer], finisher);
        if (threadIdx.x == finisher * WARP) {
            if (TAIL == Tail::Nothing) *out = total;
            else store_partial(space.partials + tile, total);
        }
        buffer ^= 1;
        if (FINISH == Finish::RotatingWarp) finisher = (finisher + 1) % (THREADS / WARP);
    }
    if constexpr (TAIL == Tail::Nothing) return;

    if (FINISH == Finish::RotatingWarp) __syncthreads();  // several warps stored partials that thread 0 releases
    if (threadIdx.x == 0) is_last = arrive_last(space.arrivals, gridDim.x);
    __syncthreads();
    if (!is_last) return;

    if constexpr (TAIL == Tail::OneRow || TAIL == Tail::OneTile) {
        constexpr int TAIL_ROWS = TAIL == Tail::OneRow ? 1 : ROWS;
        const float value = thread_fold<Source::Partials, THREADS, TAIL_ROWS>(space.partials, tiles);
        const float total = block_fold<ORDER, TAIL_FINISH, THREADS>(value, scratch[buffer], 0);
        if (threadIdx.x == 0) *out = total;
    }
    if constexpr (TAIL == Tail::Levels) {
        const float* from = space.partials;
        float* to = space.more_partials;
        unsigned left = tiles;
        while (true) {
            const unsigned level_tiles = (left + TILE - 1) / TILE;
            for (unsigned tile = 0; tile < level_tiles; tile++) {
                const unsigned elements = elements_in_tile<THREADS, ROWS>(left, tile);
                const float value = thread_fold<Source::Partials, THREADS, ROWS>(from + size_t(tile) * TILE, elements);
                const float total = block_fold<ORDER, TAIL_FINISH, THREADS>(value, scratch[buffer], 0);
                if (threadIdx.x == 0) store_partial(level_tiles == 1 ? out : to + tile, total);
                buffer ^= 1;
            }
            if (level_tiles == 1) return;
            __syncthreads();  // this level's partials before the next level's loads
            float* const other = const_cast<float*>(from);
            from = to;
            to = other;
            left = level_tiles;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows.  A row of up to 4096 elements is one tile of 256 x 4; its tree has 256 threads in 8 warps ("tree threads" and
// "tree warps" below), whatever threads of the machine evaluate it.
// ---------------------------------------------------------------------------------------------------------------------

constexpr int TREE_THREADS = 256;
constexpr int TREE_WARPS = TREE_THREADS / WARP;
constexpr unsigned TREE_ROW_ELEMENTS = TREE_THREADS * VEC;  // one row of the tile
constexpr int BLOCK = 256;                                  // threads of a block in the row kernels
// Allows a thread 64 registers: left alone, the compiler prefers 32 and keeps half of eight loads in flight.
constexpr int WIDE_BLOCKS = 4;

// Short rows: at most 32 tree threads hold values, so both orders are the same tree.  A group of GROUP lanes takes a
// row; lane g loads the vectors g, g+GROUP, .. and folds them in registers (the widest strides), then the lanes are
// folded.  STEP_ROWS rows a group are in flight; a warp's rows are consecutive.
template <int ROW_VECTORS, int GROUP, int STEP_ROWS>
__global__ void __launch_bounds__(BLOCK, WIDE_BLOCKS) rows_by_lane_group(const float* matrix, unsigned rows, float* out) {
    constexpr int LANE_VECTORS = ROW_VECTORS <= GROUP ? 1 : ROW_VECTORS <= 2 * GROUP ? 2 : 4;
    static_assert(ROW_VECTORS <= WARP && ROW_VECTORS <= LANE_VECTORS * GROUP, "the orders would differ");
    constexpr unsigned GROUPS = WARP / GROUP;
    constexpr unsigned WARP_ROWS = GROUPS * STEP_ROWS;
    begin_kernel();
    const int lane = threadIdx.x % WARP;
    const int member = lane % GROUP;
    const unsigned group = lane / GROUP;
    const unsigned warp = (blockIdx.x * BLOCK + threadIdx.x) / WARP;
    const unsigned warps = gridDim.x * (BLOCK / WARP);
    const float4* vectors = reinterpret_cast<const float4*>(matrix);

    for (unsigned first = warp * WARP_ROWS; first < rows; first += warps * WARP_ROWS) {
        float4 loaded[STEP_ROWS][LANE_VECTORS];
#pragma unroll
        for (int j = 0; j < STEP_ROWS; j++) {
            const unsigned row = first + j * GROUPS + group;
#pragma unroll
            for (int k = 0; k < LANE_VECTORS; k++) {
                const int index = member + k * GROUP;
                loaded[j][k] = missing_vector();
                if (index < ROW_VECTORS && row < rows) loaded[j][k] = load_input(vectors + size_t(row) * ROW_VECTORS + index);
            }
        }
        float values[STEP_ROWS];
#pragma unroll
        for (int j = 0; j < STEP_ROWS; j++) {
            float lane_values[LANE_VECTORS];
#pragma unroll
            for (int k = 0; k < LANE_VECTORS; k++) lane_values[k] = fold_vector(loaded[j][k]);
            values[j] = fold_registers<LANE_VECTORS>(lane_values);
        }
        const float total = fold_lanes_transposing<STEP_ROWS, GROUP>(values, lane);
        constexpr int COPIES = GROUP / STEP_ROWS;  // lanes that hold the same row's result
        const unsigned row = first + unsigned(member / COPIES) * GROUPS + group;
        if (member % COPIES == 0 && row < rows) out[row] = total;
    }
}

// One warp a row of TREE_ROWS x 1024 elements: lane l evaluates the tree threads l, l+32, .., one of each tree warp.
// Eight loads are issued before their first add.
template <int TREE_ROWS>
__device__ __forceinline__ void load_one_value_a_tree_warp(const float* row, int lane, float (&values)[TREE_WARPS]) {
    constexpr int BATCH = 8 / TREE_ROWS;  // tree warps a batch
    const float4* vectors = reinterpret_cast<const float4*>(row) + lane;
#pragma unroll
    for (int first = 0; first < TREE_WARPS; first += BATCH) {
        float4 loaded[BATCH][TREE_ROWS];
#pragma unroll
        for (int r = 0; r < TREE_ROWS; r++) {
#pragma unroll
            for (int b = 0; b < BATCH; b++) loaded[b][r] = load_input(vectors + r * TREE_THREADS + (first + b) * WARP);
        }
#pragma unroll
        for (int b = 0; b < BATCH; b++) {
            float4 accumulator = loaded[b][0];
#pragma unroll
            for (int r = 1; r < TREE_ROWS; r++) accumulator = add(accumulator, loaded[b][r]);
            values[first + b] = fold_vector(accumulator);
        }
    }
}

template <Order ORDER>
__device__ __forceinline__ float fold_tree_in_warp(float (&values)[TREE_WARPS], int lane) {
    if constexpr (ORDER == Order::WarpsFirst) {
        return fold_lanes<WARP>(fold_registers<TREE_WARPS>(values));  // 5 shuffles
    } else {
        const float tree_warp = fold_lanes_transposing<TREE_WARPS, WARP>(values, lane);  // 9 shuffles; of tree warp lane/4
        return fold_lane_bits<WARP, WARP / TREE_WARPS>(tree_warp);                       // 3 more
    }
}

template <Order ORDER, int TREE_ROWS>
__global__ void __launch_bounds__(BLOCK, WIDE_BLOCKS) rows_by_warp(const float* matrix, unsigned rows, float* out) {
    begin_kernel();
    const int lane = threadIdx.x % WARP;
    const unsigned warp = (blockIdx.x * BLOCK + threadIdx.x) / WARP;
    const unsigned warps = gridDim.x * (BLOCK / WARP);
    for (unsigned row = warp; row < rows; row += warps) {
        float values[TREE_WARPS];
        load_one_value_a_tree_warp<TREE_ROWS>(matrix + size_t(row) * TREE_ROWS * TREE_ROW_ELEMENTS, lane, values);
        const float total = fold_tree_in_warp<ORDER>(values, lane);
        if (lane == 0) out[row] = total;
    }
}

// One block a row: a thread is a tree thread.
template <Order ORDER, Finish FINISH, int TREE_ROWS>
__global__ void __launch_bounds__(BLOCK) rows_by_block(const float* matrix, unsigned rows, float* out) {
    constexpr unsigned LENGTH = TREE_ROWS * TREE_ROW_ELEMENTS;
    __shared__ float scratch[2][scratch_floats<ORDER, FINISH, BLOCK>()];
    begin_kernel();
    int buffer = 0;
    int finisher = 0;
    for (unsigned row = blockIdx.x; row < rows; row += gridDim.x) {
        const float value = thread_fold<Source::Input, BLOCK, TREE_ROWS>(matrix + size_t(row) * LENGTH, LENGTH);
        const float total = block_fold<ORDER, FINISH, BLOCK>(value, scratch[buffer], finisher);
        if (threadIdx.x == finisher * WARP) out[row] = total;
        buffer ^= 1;
        if (FINISH == Finish::RotatingWarp) finisher = (finisher + 1) % (BLOCK / WARP);
    }
}

// Rows of 1024 are one load a thread, too little in flight: here a block takes four rows at a time.  `rows` must be a
// multiple of 4.
template <Order ORDER>
__global__ void __launch_bounds__(BLOCK) four_rows_by_block(const float* matrix, unsigned rows, float* out) {
    constexpr int STEP = 4;
    constexpr int WARPS = BLOCK / WARP;
    __shared__ float scratch[2][STEP * (ORDER == Order::LanesFirst ? WARPS : BLOCK)];
    begin_kernel();
    const int lane = threadIdx.x % WARP;
    const int warp = threadIdx.x / WARP;
    int buffer = 0;
    for (unsigned first = blockIdx.x * STEP; first < rows; first += gridDim.x * STEP) {
        const float4* vectors = reinterpret_cast<const float4*>(matrix + size_t(first) * TREE_ROW_ELEMENTS) + threadIdx.x;
        float4 loaded[STEP];
#pragma unroll
        for (int j = 0; j < STEP; j++) loaded[j] = load_input(vectors + j * TREE_THREADS);
        float values[STEP];
#pragma unroll
        for (int j = 0; j < STEP; j++) values[j] = fold_vector(loaded[j]);

        float* const shared = scratch[buffer];
        if constexpr (ORDER == Order::LanesFirst) {
            const float warp_total = fold_lanes_transposing<STEP, WARP>(values, lane);  // of row lane/8
            if (lane % WARPS == 0) shared[lane / WARPS * WARPS + warp] = warp_total;
            __syncthreads();
            if (warp == 0) {  // lane = row * WARPS + warp
                const float total = fold_lane_bits<WARPS, 1>(shared[lane]);
                if (lane % WARPS == 0) out[first + lane / WARPS] = total;
            }
        } else {
#pragma unroll
            for (int j = 0; j < STEP; j++) shared[j * BLOCK + threadIdx.x] = values[j];
            __syncthreads();
            if (warp < STEP) {  // warp j finishes row j
                const float total = finish_warps_first<BLOCK>(shared + warp * BLOCK, lane);
                if (lane == 0) out[first + warp] = total;
            }
        }
        buffer ^= 1;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Columns.  Both orders are the tree "position u with u+s, s = 128, .., 1" over 256 positions; they differ only in the
// tree thread that sits at a position.  A block takes a strip of STRIP_LANES x 4 columns; part p of its PARTS parts
// evaluates the positions p, p+PARTS, .. depth first, and the parts (the narrowest strides) meet in shared memory.
// ---------------------------------------------------------------------------------------------------------------------

template <Order ORDER>
__device__ __forceinline__ unsigned tree_thread_at(unsigned position) {
    if (ORDER == Order::WarpsFirst) return position;
    return position % TREE_WARPS * WARP + position / TREE_WARPS;  // the tree warps are the narrowest strides
}

// A strip of four columns of a matrix, one a component.
struct Strip {
    const char* first_row;
    unsigned row_bytes;
    __device__ __forceinline__ float4 load(unsigned row) const {
        return load_input(reinterpret_cast<const float4*>(first_row + uint64_t(row) * row_bytes));
    }
};

// The value of tree thread t: VEC x TREE_ROWS elements of the column, at most eight loads before their first add.
template <int TREE_ROWS>
__device__ __forceinline__ float4 tree_thread_value(const Strip& strip, unsigned t) {
    constexpr int BATCH = TREE_ROWS < 2 ? TREE_ROWS : 2;
    float4 accumulator[VEC];
#pragma unroll
    for (int first = 0; first < TREE_ROWS; first += BATCH) {
        float4 loaded[BATCH][VEC];
#pragma unroll
        for (int r = 0; r < BATCH; r++) {
#pragma unroll
            for (int v = 0; v < VEC; v++) loaded[r][v] = strip.load(((first + r) * TREE_THREADS + t) * VEC + v);
        }
#pragma unroll
        for (int r = 0; r < BATCH; r++) {
#pragma unroll
            for (int v = 0; v < VEC; v++) accumulator[v] = first + r == 0 ? loaded[r][v] : add(accumulator[v], loaded[r][v]);
        }
    }
    return add(add(accumulator[0], accumulator[1]), add(accumulator[2], accumulator[3]));
}

// Two positions that the widest stride combines.  With one tree row their eight loads are issued together.
template <Order ORDER, int TREE_ROWS>
__device__ __forceinline__ float4 pair_value(const Strip& strip, unsigned position) {
    const unsigned lower = tree_thread_at<ORDER>(position);
    const unsigned upper = tree_thread_at<ORDER>(position + TREE_THREADS / 2);
    if constexpr (TREE_ROWS == 1) {
        float4 a[VEC], b[VEC];
#pragma unroll
        for (int v = 0; v < VEC; v++) a[v] = strip.load(lower * VEC + v);
#pragma unroll
        for (int v = 0; v < VEC; v++) b[v] = strip.load(upper * VEC + v);
        return add(add(add(a[0], a[1]), add(a[2], a[3])), add(add(b[0], b[1]), add(b[2], b[3])));
    } else {
        const float4 lower_value = tree_thread_value<TREE_ROWS>(strip, lower);
        return add(lower_value, tree_thread_value<TREE_ROWS>(strip, upper));
    }
}

__host__ __device__ constexpr int log2_of(int power) { return power < 2 ? 0 : 1 + log2_of(power / 2); }

// The subtree of the positions part, part+PARTS, ..: its pairs are visited in bit-reversed order, which is depth first,
// and the stack holds at most one finished subtree a level, like the digits of a binary counter.
template <Order ORDER, int TREE_ROWS, int PARTS>
__device__ __forceinline__ float4 subtree_value(const Strip& strip, unsigned part) {
    constexpr int PAIRS = TREE_THREADS / PARTS / 2;
    constexpr int LEVELS = log2_of(PAIRS);
    constexpr int UNROLL = TREE_ROWS == 1 ? PAIRS : 1;  // four tree rows are code enough already
    float4 stack[LEVELS];
    float4 carry;
#pragma unroll UNROLL
    for (unsigned visit = 0; visit < PAIRS; visit++) {
        const unsigned pair = __brev(visit) >> (32 - LEVELS);
        carry = pair_value<ORDER, TREE_ROWS>(strip, part + PARTS * pair);
        bool settled = false;
#pragma unroll
        for (int level = 0; level < LEVELS; level++) {
            if (settled) continue;
            if (visit >> level & 1) {
                carry = add(stack[level], carry);
            } else {
                stack[level] = carry;
                settled = true;
            }
        }
    }
    return carry;  // the last visit carries through every level
}

// Again the same occupancy for both orders: 64 registers a thread, 80 with four tree rows.
template <int TREE_ROWS, int THREADS>
__host__ __device__ constexpr int column_blocks_a_multiprocessor() {
    return (TREE_ROWS == 1 ? 1024 : 768) / THREADS;
}

template <Order ORDER, int TREE_ROWS, int STRIP_LANES, int PARTS>
__global__ void __launch_bounds__(STRIP_LANES* PARTS, column_blocks_a_multiprocessor<TREE_ROWS, STRIP_LANES * PARTS>())
columns_by_strip(const float* matrix, unsigned columns, float* out) {
    constexpr int WIDTH = STRIP_LANES * VEC;
    static_assert(WIDTH <= STRIP_LANES * PARTS, "a thread writes at most one column");
    __shared__ __align__(16) float parts[PARTS][WIDTH];
    begin_kernel();
    const unsigned lane = threadIdx.x % STRIP_LANES;
    const unsigned part = threadIdx.x / STRIP_LANES;
    const unsigned first_column = blockIdx.x * WIDTH;
    const Strip strip = {reinterpret_cast<const char*>(matrix + first_column + lane * VEC), columns * unsigned(sizeof(float))};

    *reinterpret_cast<float4*>(&parts[part][lane * VEC]) = subtree_value<ORDER, TREE_ROWS, PARTS>(strip, part);
    __syncthreads();
    if (threadIdx.x < WIDTH) {
        float values[PARTS];
#pragma unroll
        for (int p = 0; p < PARTS; p++) values[p] = parts[p][threadIdx.x];
        out[first_column + threadIdx.x] = fold_registers<PARTS>(values);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Host twin
// ---------------------------------------------------------------------------------------------------------------------

// values[i] with values[i+s], s = width/2, .., 1; only the first `present` exist.
static float host_fold_strided(float* values, size_t present, size_t width) {
    for (size_t stride = width / 2; stride > 0; stride /= 2) {
        for (size_t i = 0; i < stride && i + stride < present; i++) values[i] += values[i + stride];
    }
    return values[0];
}

static float host_fold_threads(float* values, size_t present, size_t threads, Order order) {
    if (order == Order::WarpsFirst) return host_fold_strided(values, present, threads);
    float warp_values[WARP];
    size_t warps = 0;
    for (size_t first = 0; first < present; first += WARP) {
        warp_values[warps++] = host_fold_strided(values + first, std::min<size_t>(WARP, present - first), WARP);
    }
    return host_fold_strided(warp_values, warps, threads / WARP);
}

static float host_tile(const float* tile, size_t count, size_t threads, Order order) {
    static float accumulators[1024 * VEC];
    static float values[1024];
    const size_t lanes = std::min(count, threads * VEC);
    std::copy(tile, tile + lanes, accumulators);
    for (size_t first = lanes; first < count; first += lanes) {
        const size_t row_elements = std::min(lanes, count - first);
        for (size_t i = 0; i < row_elements; i++) accumulators[i] += tile[first + i];
    }
    size_t present = 0;
    for (size_t first = 0; first < lanes; first += VEC) {
        const float* a = accumulators + first;
        switch (lanes - first) {
            case 1: values[present++] = a[0]; break;
            case 2: values[present++] = a[0] + a[1]; break;
            case 3: values[present++] = (a[0] + a[1]) + a[2]; break;
            default: values[present++] = (a[0] + a[1]) + (a[2] + a[3]);
        }
    }
    return host_fold_threads(values, present, threads, order);
}

static float host_tree(const float* elements, size_t count, size_t threads, size_t rows, Order order) {
    const size_t tile = threads * rows * VEC;
    if (count <= tile) return host_tile(elements, count, threads, order);
    std::vector<float> partials;
    for (size_t first = 0; first < count; first += tile) {
        partials.push_back(host_tile(elements + first, std::min(tile, count - first), threads, order));
    }
    return host_tree(partials.data(), partials.size(), threads, rows, order);
}

static bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof(float)) == 0; }

// ---------------------------------------------------------------------------------------------------------------------
// Measuring
// ---------------------------------------------------------------------------------------------------------------------

static cudaStream_t stream;
static int multiprocessors;
static float* pool;          // POOL_BYTES of random elements; inputs rotate through it
static float* output;        // OUTPUT_FLOATS
static Workspace workspace;
static std::vector<float> host_input;  // the first LARGE_COUNT elements of the pool
static bool anything_differs = false;

constexpr size_t OUTPUT_FLOATS = LARGE_COUNT / 64;
constexpr size_t PARTIALS = LARGE_COUNT / 4096 + 1024;

constexpr int WARMUP_ROUNDS = 5;
constexpr int MEASURED_ROUNDS = 31;

// Launches with programmatic stream serialization: the kernel's begin_kernel() waits for its predecessor.
template <class... Parameters, class... Arguments>
static void launch(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, Arguments... arguments) {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

template <class Kernel>
static unsigned resident_blocks(Kernel kernel, int threads, size_t wanted) {
    int per_multiprocessor = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, threads, 0));
    return unsigned(std::min<size_t>(wanted, size_t(per_multiprocessor) * multiprocessors));
}

// The outputs that a case must produce: value[i] at output index[i].
struct Expected {
    std::vector<size_t> index;
    std::vector<float> value;
};

struct Candidate {
    std::string order;    // lanes_first, warps_first or either_order
    std::string mapping;
    std::shared_ptr<const Expected> expected;
    std::function<void(const float*)> launch;
    std::vector<double> times = {};
    cudaGraphExec_t graph = nullptr;
    bool equal = true;
};

struct Result {
    std::string case_name, order, mapping;
    size_t count;
    double microseconds;
};
static std::vector<Result> results;

static const char* name_of(Order order) { return order == Order::LanesFirst ? "lanes_first" : "warps_first"; }

static std::vector<float> copy_output(size_t count) {
    std::vector<float> copy(count);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(copy.data(), output, count * sizeof(float), cudaMemcpyDeviceToHost));
    return copy;
}

// Every bit set is a NaN that no case produces, so an output that is not written is noticed.
static void spoil_output(size_t count) {
    CHECK(cudaMemsetAsync(output, 0xff, count * sizeof(float), stream));
    CHECK(cudaStreamSynchronize(stream));
}

static bool gives_expected(const Candidate& candidate, size_t outputs) {
    spoil_output(outputs);
    candidate.launch(pool);
    const std::vector<float> got = copy_output(outputs);
    const Expected& expected = *candidate.expected;
    for (size_t i = 0; i < expected.value.size(); i++) {
        if (!same_bits(got[expected.index[i]], expected.value[i])) {
            std::printf("# DIFFER %s+%s: output %zu is %.9g, expected %.9g\n", candidate.order.c_str(), candidate.mapping.c_str(),
                        expected.index[i], got[expected.index[i]], expected.value[i]);
            return false;
        }
    }
    return true;
}

// How a graph's launches walk through the pool.
struct Rotation {
    size_t launches, stride_floats, buffers, step;
    explicit Rotation(size_t bytes) {
        const size_t span = (bytes + 4095) / 4096 * 4096;
        buffers = std::min({std::max<size_t>(2, ROTATED_BYTES / span + 1), POOL_BYTES / span, size_t(4096)});
        launches = bytes >= (size_t(64) << 20) ? 4 : bytes >= (size_t(4) << 20) ? 20 : 100;
        step = std::max<size_t>(1, buffers / launches);
        stride_floats = span / sizeof(float);
    }
    const float* input(size_t launch) const { return pool + launch * step % buffers * stride_floats; }
};

static cudaGraphExec_t capture(const Candidate& candidate, const Rotation& rotation) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (size_t i = 0; i < rotation.launches; i++) candidate.launch(rotation.input(i));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return executable;
}

// A replay leaves the last launch's outputs; they must be those of the same launch alone (nothing overtook anything).
static bool replay_gives_same_as_alone(const Candidate& candidate, const Rotation& rotation, size_t outputs) {
    spoil_output(outputs);
    CHECK(cudaGraphLaunch(candidate.graph, stream));
    const std::vector<float> replayed = copy_output(outputs);
    spoil_output(outputs);
    candidate.launch(rotation.input(rotation.launches - 1));
    const std::vector<float> alone = copy_output(outputs);
    if (std::memcmp(replayed.data(), alone.data(), outputs * sizeof(float)) == 0) return true;
    std::printf("# DIFFER %s+%s: a replay against a single launch\n", candidate.order.c_str(), candidate.mapping.c_str());
    return false;
}

static void report(const std::string& case_name, size_t count, Candidate& candidate) {
    std::sort(candidate.times.begin(), candidate.times.end());
    const double median = candidate.times[candidate.times.size() / 2];
    std::printf("%s+%s,%s,f32,%zu,%.3f,%.1f,%s\n", candidate.order.c_str(), candidate.mapping.c_str(), case_name.c_str(), count,
                median, count * sizeof(float) / median * 1e-3, candidate.equal ? "equal" : "DIFFER");
    std::fflush(stdout);
    results.push_back({case_name, candidate.order, candidate.mapping, count, median});
    if (!candidate.equal) anything_differs = true;
}

// Checks and measures all candidates of a case.  Their replays are interleaved, so that a drift of the clocks or of the
// memory temperature meets all of them alike.
static void run_case(const std::string& case_name, size_t count, size_t outputs, std::vector<Candidate>& candidates) {
    const Rotation rotation(count * sizeof(float));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (Candidate& candidate : candidates) {
        candidate.equal = gives_expected(candidate, outputs);
        candidate.graph = capture(candidate, rotation);
    }
    for (int round = 0; round < WARMUP_ROUNDS + MEASURED_ROUNDS; round++) {
        for (Candidate& candidate : candidates) {
            CHECK(cudaEventRecord(begin, stream));
            CHECK(cudaGraphLaunch(candidate.graph, stream));
            CHECK(cudaEventRecord(end, stream));
            CHECK(cudaStreamSynchronize(stream));
            float milliseconds = 0;
            CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
            if (round >= WARMUP_ROUNDS) candidate.times.push_back(milliseconds * 1000.0 / rotation.launches);
        }
    }
    for (Candidate& candidate : candidates) {
        if (!replay_gives_same_as_alone(candidate, rotation, outputs)) candidate.equal = false;
        if (!gives_expected(candidate, outputs)) candidate.equal = false;
        CHECK(cudaGraphExecDestroy(candidate.graph));
        report(case_name, count, candidate);
    }
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
}

// If the two orders gave the same bits everywhere, the checks could not tell them apart.
static void report_discrimination(const std::string& case_name, const Expected& lanes_first, const Expected& warps_first) {
    size_t different = 0;
    for (size_t i = 0; i < lanes_first.value.size(); i++) different += !same_bits(lanes_first.value[i], warps_first.value[i]);
    std::printf("# %s: the two orders give different bits in %zu of %zu checked outputs\n", case_name.c_str(), different,
                lanes_first.value.size());
}

// ---------------------------------------------------------------------------------------------------------------------
// Case 1: full sum
// ---------------------------------------------------------------------------------------------------------------------

template <Order ORDER, Finish FINISH, int THREADS, int ROWS, Tail TAIL>
static void launch_full_sum(const float* input, size_t count, unsigned tiles) {
    const auto kernel = full_sum<ORDER, FINISH, THREADS, ROWS, TAIL>;
    static const unsigned most_blocks = resident_blocks(kernel, THREADS, SIZE_MAX);  // not asked again inside a capture
    launch(kernel, std::min(tiles, most_blocks), THREADS, input, count, tiles, workspace, output);
}

template <Order ORDER, Finish FINISH, int THREADS, int ROWS>
static void sum_everything(const float* input, size_t count) {
    constexpr size_t TILE = size_t(THREADS) * ROWS * VEC;
    const unsigned tiles = unsigned((count + TILE - 1) / TILE);
    if (tiles == 1) launch_full_sum<ORDER, FINISH, THREADS, ROWS, Tail::Nothing>(input, count, tiles);
    else if (tiles <= THREADS * VEC) launch_full_sum<ORDER, FINISH, THREADS, ROWS, Tail::OneRow>(input, count, tiles);
    else if (tiles <= TILE) launch_full_sum<ORDER, FINISH, THREADS, ROWS, Tail::OneTile>(input, count, tiles);
    else launch_full_sum<ORDER, FINISH, THREADS, ROWS, Tail::Levels>(input, count, tiles);
}

static std::shared_ptr<const Expected> expected_sum(size_t count, size_t threads, size_t rows, Order order) {
    static std::map<std::string, std::shared_ptr<const Expected>> known;
    const std::string key = std::to_string(count) + "," + std::to_string(threads) + "x" + std::to_string(rows) + name_of(order);
    auto& entry = known[key];
    if (!entry) entry = std::make_shared<Expected>(Expected{{0}, {host_tree(host_input.data(), count, threads, rows, order)}});
    return entry;
}

template <Order ORDER, Finish FINISH, int THREADS, int ROWS>
static Candidate sum_candidate(size_t count, const char* suffix) {
    const std::string shape = std::to_string(THREADS) + "x" + std::to_string(ROWS);
    return {name_of(ORDER), shape + suffix, expected_sum(count, THREADS, ROWS, ORDER),
            [count](const float* input) { sum_everything<ORDER, FINISH, THREADS, ROWS>(input, count); }};
}

template <int THREADS, int ROWS>
static void add_sum_candidates(size_t count, std::vector<Candidate>& candidates) {
    candidates.push_back(sum_candidate<Order::LanesFirst, Finish::FirstWarp, THREADS, ROWS>(count, ""));
    candidates.push_back(sum_candidate<Order::WarpsFirst, Finish::FirstWarp, THREADS, ROWS>(count, ""));
    if constexpr (THREADS >= 512) {
        candidates.push_back(sum_candidate<Order::WarpsFirst, Finish::FourWarps, THREADS, ROWS>(count, "_four_warps"));
    }
    // A block that sees one tile has nothing to rotate.
    if (count > size_t(multiprocessors) * THREADS * ROWS * VEC) {
        candidates.push_back(sum_candidate<Order::LanesFirst, Finish::RotatingWarp, THREADS, ROWS>(count, "_rotating"));
        candidates.push_back(sum_candidate<Order::WarpsFirst, Finish::RotatingWarp, THREADS, ROWS>(count, "_rotating"));
    }
}

static std::vector<Candidate> all_sum_candidates(size_t count) {
    std::vector<Candidate> candidates;
    add_sum_candidates<256, 4>(count, candidates);
    add_sum_candidates<512, 4>(count, candidates);
    add_sum_candidates<512, 8>(count, candidates);
    add_sum_candidates<1024, 4>(count, candidates);
    return candidates;
}

// Counts that cut tiles, rows and vectors anywhere: checked, not measured.
static void check_ragged_sums() {
    size_t checks = 0, failures = 0;
    for (size_t count : {size_t(1), size_t(2), size_t(31), size_t(100), size_t(129), size_t(1023), size_t(2049), size_t(4097),
                         size_t(16385), size_t(100003), (size_t(1) << 22) + 1, (size_t(1) << 24) + 777}) {
        if (count > LARGE_COUNT) continue;
        for (const Candidate& candidate : all_sum_candidates(count)) {
            checks++;
            if (!gives_expected(candidate, 1)) failures++;
        }
    }
    std::printf("# ragged full sums: %zu checked, %zu DIFFER\n", checks, failures);
    if (failures) anything_differs = true;
}

static void run_full_sums() {
    check_ragged_sums();
    for (int log2_count : {12, 16, 20, 22, 24, 26, 28}) {
        const size_t count = size_t(1) << log2_count;
        if (count > LARGE_COUNT) continue;
        std::vector<Candidate> candidates = all_sum_candidates(count);
        run_case("sum", count, 1, candidates);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Case 2: row sums
// ---------------------------------------------------------------------------------------------------------------------

static std::shared_ptr<const Expected> expected_rows(size_t rows, size_t length, Order order) {
    auto expected = std::make_shared<Expected>();
    for (size_t row = 0; row < rows; row++) {
        expected->index.push_back(row);
        expected->value.push_back(host_tile(host_input.data() + row * length, length, TREE_THREADS, order));
    }
    return expected;
}

// A row kernel that walks through the matrix, `block_rows` rows a block at a time, with as many blocks as are resident.
template <class Kernel>
static std::function<void(const float*)> walking(Kernel kernel, unsigned rows, unsigned block_rows) {
    const unsigned blocks = resident_blocks(kernel, BLOCK, (rows + block_rows - 1) / block_rows);
    return [=](const float* input) { launch(kernel, blocks, BLOCK, input, rows, output); };
}

// The same kernel with a block for every step.
template <class Kernel>
static std::function<void(const float*)> one_step(Kernel kernel, unsigned rows, unsigned block_rows) {
    const unsigned blocks = (rows + block_rows - 1) / block_rows;
    return [=](const float* input) { launch(kernel, blocks, BLOCK, input, rows, output); };
}

template <int LENGTH, int GROUP, int STEP_ROWS>
static void add_lane_group(unsigned rows, const std::shared_ptr<const Expected>& expected, std::vector<Candidate>& candidates) {
    const auto kernel = rows_by_lane_group<LENGTH / VEC, GROUP, STEP_ROWS>;
    const unsigned block_rows = BLOCK / GROUP * STEP_ROWS;
    const std::string mapping = std::to_string(GROUP) + "_lanes_x_" + std::to_string(STEP_ROWS) + "_rows";
    candidates.push_back({"either_order", mapping, expected, walking(kernel, rows, block_rows)});
    candidates.push_back({"either_order", mapping + "_one_step", expected, one_step(kernel, rows, block_rows)});
}

template <int LENGTH>
static void run_short_rows() {
    const unsigned rows = unsigned(LARGE_COUNT / LENGTH);
    const auto expected = expected_rows(rows, LENGTH, Order::LanesFirst);
    const std::string case_name = "rowsum_c" + std::to_string(LENGTH);
    report_discrimination(case_name, *expected, *expected_rows(rows, LENGTH, Order::WarpsFirst));
    std::vector<Candidate> candidates;
    if constexpr (LENGTH == 64) {
        add_lane_group<LENGTH, 16, 4>(rows, expected, candidates);
        add_lane_group<LENGTH, 16, 8>(rows, expected, candidates);
        add_lane_group<LENGTH, 8, 4>(rows, expected, candidates);
        add_lane_group<LENGTH, 4, 2>(rows, expected, candidates);
    } else {
        add_lane_group<LENGTH, 32, 4>(rows, expected, candidates);
        add_lane_group<LENGTH, 32, 8>(rows, expected, candidates);
        add_lane_group<LENGTH, 16, 4>(rows, expected, candidates);
        add_lane_group<LENGTH, 8, 2>(rows, expected, candidates);
    }
    run_case(case_name, size_t(rows) * LENGTH, rows, candidates);
}

template <Order ORDER, int TREE_ROWS>
static void add_long_row_candidates(unsigned rows, const std::shared_ptr<const Expected>& expected, std::vector<Candidate>& candidates) {
    const auto add = [&](const char* mapping, auto kernel, unsigned block_rows) {
        candidates.push_back({name_of(ORDER), mapping, expected, walking(kernel, rows, block_rows)});
        candidates.push_back({name_of(ORDER), std::string(mapping) + "_one_step", expected, one_step(kernel, rows, block_rows)});
    };
    add("warp", rows_by_warp<ORDER, TREE_ROWS>, BLOCK / WARP);
    add("block", rows_by_block<ORDER, Finish::FirstWarp, TREE_ROWS>, 1);
    const auto rotating = rows_by_block<ORDER, Finish::RotatingWarp, TREE_ROWS>;
    candidates.push_back({name_of(ORDER), "block_rotating", expected, walking(rotating, rows, 1)});
    if constexpr (TREE_ROWS == 1) add("block_four_rows", four_rows_by_block<ORDER>, 4);
}

template <int LENGTH>
static void run_long_rows() {
    constexpr int TREE_ROWS = LENGTH / TREE_ROW_ELEMENTS;
    const unsigned rows = unsigned(LARGE_COUNT / LENGTH);
    const std::string case_name = "rowsum_c" + std::to_string(LENGTH);
    const auto lanes_first = expected_rows(rows, LENGTH, Order::LanesFirst);
    const auto warps_first = expected_rows(rows, LENGTH, Order::WarpsFirst);
    report_discrimination(case_name, *lanes_first, *warps_first);
    std::vector<Candidate> candidates;
    add_long_row_candidates<Order::LanesFirst, TREE_ROWS>(rows, lanes_first, candidates);
    add_long_row_candidates<Order::WarpsFirst, TREE_ROWS>(rows, warps_first, candidates);
    run_case(case_name, size_t(rows) * LENGTH, rows, candidates);
}

// ---------------------------------------------------------------------------------------------------------------------
// Case 3: column sums
// ---------------------------------------------------------------------------------------------------------------------

// One column of every 32, at a changing offset: at least one of every block of every mapping.
static std::shared_ptr<const Expected> expected_columns(size_t rows, size_t columns, Order order) {
    auto expected = std::make_shared<Expected>();
    std::vector<float> column(rows);
    for (size_t first = 0; first < columns; first += 32) {
        const size_t index = first + first / 32 * 7 % 32;
        for (size_t row = 0; row < rows; row++) column[row] = host_input[row * columns + index];
        expected->index.push_back(index);
        expected->value.push_back(host_tile(column.data(), rows, TREE_THREADS, order));
    }
    return expected;
}

template <Order ORDER, int TREE_ROWS, int STRIP_LANES, int PARTS>
static Candidate column_candidate(unsigned columns, const std::shared_ptr<const Expected>& expected) {
    const unsigned blocks = columns / (STRIP_LANES * VEC);
    return {name_of(ORDER), std::to_string(STRIP_LANES) + "_lanes_x_" + std::to_string(PARTS) + "_parts", expected,
            [=](const float* input) {
                launch(columns_by_strip<ORDER, TREE_ROWS, STRIP_LANES, PARTS>, blocks, STRIP_LANES * PARTS, input, columns, output);
            }};
}

template <Order ORDER, int TREE_ROWS>
static void add_column_candidates(unsigned columns, const std::shared_ptr<const Expected>& expected, std::vector<Candidate>& candidates) {
    candidates.push_back(column_candidate<ORDER, TREE_ROWS, 32, 8>(columns, expected));
    candidates.push_back(column_candidate<ORDER, TREE_ROWS, 16, 8>(columns, expected));
    candidates.push_back(column_candidate<ORDER, TREE_ROWS, 16, 16>(columns, expected));
    candidates.push_back(column_candidate<ORDER, TREE_ROWS, 8, 32>(columns, expected));
}

template <int ROWS>
static void run_columns() {
    constexpr int TREE_ROWS = ROWS / TREE_ROW_ELEMENTS;
    const unsigned columns = unsigned(LARGE_COUNT / ROWS);
    const std::string case_name = "colsum_r" + std::to_string(ROWS);
    const auto lanes_first = expected_columns(ROWS, columns, Order::LanesFirst);
    const auto warps_first = expected_columns(ROWS, columns, Order::WarpsFirst);
    report_discrimination(case_name, *lanes_first, *warps_first);
    std::vector<Candidate> candidates;
    add_column_candidates<Order::LanesFirst, TREE_ROWS>(columns, lanes_first, candidates);
    add_column_candidates<Order::WarpsFirst, TREE_ROWS>(columns, warps_first, candidates);
    run_case(case_name, LARGE_COUNT, columns, candidates);
}

// ---------------------------------------------------------------------------------------------------------------------
// Summary and main
// ---------------------------------------------------------------------------------------------------------------------

// The best result of an order among those that `accept` takes, or null.
static const Result* best(const std::string& order, const std::function<bool(const Result&)>& accept) {
    const Result* found = nullptr;
    for (const Result& result : results) {
        if (result.order != order || !accept(result)) continue;
        if (!found || result.microseconds < found->microseconds) found = &result;
    }
    return found;
}

static void print_ratio(const std::string& label, const std::function<bool(const Result&)>& accept) {
    const Result* lanes = best("lanes_first", accept);
    const Result* warps = best("warps_first", accept);
    const Result* either = best("either_order", accept);
    if (lanes && warps) {
        std::printf("# %-28s %.3f  (%s %.3f us / %s %.3f us)\n", label.c_str(), lanes->microseconds / warps->microseconds,
                    lanes->mapping.c_str(), lanes->microseconds, warps->mapping.c_str(), warps->microseconds);
    } else if (either) {
        std::printf("# %-28s one tree, measured once  (%s %.3f us)\n", label.c_str(), either->mapping.c_str(), either->microseconds);
    }
}

static void print_summary() {
    std::printf("# summary: lanes_first / warps_first, best mapping of each (above 1: warps first is faster)\n");
    std::set<std::string> printed;
    for (const Result& result : results) {
        const std::string label = result.case_name + " n=" + std::to_string(result.count);
        if (!printed.insert(label).second) continue;
        const auto same_case = [&](const Result& other) {
            return other.case_name == result.case_name && other.count == result.count;
        };
        print_ratio(label, same_case);
        if (result.case_name != "sum") continue;
        for (const std::string shape : {"256x4", "512x4", "512x8", "1024x4"}) {
            print_ratio("  " + shape, [&](const Result& other) { return same_case(other) && other.mapping.rfind(shape, 0) == 0; });
        }
    }
    std::printf("# %s\n", anything_differs ? "SOME RESULTS DIFFER" : "all results equal the host twin's bits");
}

// Random signs and mantissas, magnitudes from 1/4 to 4.
__global__ void fill_randomly(unsigned* words, size_t count) {
    const size_t stride = size_t(gridDim.x) * blockDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
        unsigned hash = unsigned(i) * 2654435761u + 12345u;
        hash = (hash ^ hash >> 16) * 0x85ebca6bu;
        hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
        hash ^= hash >> 16;
        const unsigned exponent = 125 + (hash >> 23 & 3);
        words[i] = (hash & 0x807fffffu) | exponent << 23;
    }
}

static void set_up() {
    int device = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&pool, POOL_BYTES));
    CHECK(cudaMalloc(&output, OUTPUT_FLOATS * sizeof(float)));
    CHECK(cudaMalloc(&workspace.partials, PARTIALS * sizeof(float)));
    CHECK(cudaMalloc(&workspace.more_partials, PARTIALS * sizeof(float)));
    CHECK(cudaMalloc(&workspace.arrivals, sizeof(unsigned)));
    CHECK(cudaMemset(workspace.arrivals, 0, sizeof(unsigned)));
    launch(fill_randomly, 2048, 256, reinterpret_cast<unsigned*>(pool), POOL_BYTES / sizeof(unsigned));
    CHECK(cudaStreamSynchronize(stream));
    host_input.resize(LARGE_COUNT);
    CHECK(cudaMemcpy(host_input.data(), pool, LARGE_COUNT * sizeof(float), cudaMemcpyDeviceToHost));
}

static void tear_down() {
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(workspace.arrivals));
    CHECK(cudaFree(workspace.more_partials));
    CHECK(cudaFree(workspace.partials));
    CHECK(cudaFree(output));
    CHECK(cudaFree(pool));
    CHECK(cudaStreamDestroy(stream));
}

int main() {
    set_up();
    std::printf("tool,case,dtype,n,median_us,GBps,bits\n");
    run_full_sums();
    run_short_rows<64>();
    run_short_rows<100>();
    run_long_rows<1024>();
    run_long_rows<4096>();
    run_columns<1024>();
    run_columns<4096>();
    print_summary();
    tear_down();
    return anything_differs ? 1 : 0;
}
