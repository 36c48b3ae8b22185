//! Small kernels, each right as it stands. `in` holds 256 words, `out` as many, all zero, and `counter` is
//! zero.

use super::Kernel;

const USUAL: Kernel = Kernel {
    name: "",
    body: "",
    blocks: 1,
    threads: 64,
    cluster: 1,
    dynamic_shared: 0,
};

/// Each thread reads what another stored.
pub const REVERSE: Kernel = Kernel {
    name: "reverse",
    body: "
    __shared__ u32 slots[64];
    slots[threadIdx.x] = in[threadIdx.x];
    block_barrier();
    out[threadIdx.x] = slots[63 - threadIdx.x];
",
    ..USUAL
};

/// The same within a warp.
pub const REVERSE_WARP: Kernel = Kernel {
    name: "reverse_warp",
    body: "
    __shared__ u32 slots[32];
    slots[threadIdx.x] = in[threadIdx.x];
    warp_barrier(0xffffffffu);
    out[threadIdx.x] = slots[31 - threadIdx.x];
",
    threads: 32,
    ..USUAL
};

/// The same by the copies of C, of more than a word.
pub const REVERSE_COPIES: Kernel = Kernel {
    name: "reverse_copies",
    body: "
    struct Three { u32 at[3]; };
    __shared__ Three slots[64];
    memcpy(&slots[threadIdx.x], in + threadIdx.x, 12);
    block_barrier();
    memcpy(out + 3 * threadIdx.x, &slots[63 - threadIdx.x], 12);
",
    ..USUAL
};

/// Neighbours share a word, but no byte.
pub const BYTES: Kernel = Kernel {
    name: "bytes",
    body: "
    __shared__ u8 slots[64];
    slots[threadIdx.x] = u8(in[threadIdx.x]);
    out[threadIdx.x] = slots[threadIdx.x];
",
    ..USUAL
};

/// The last block to arrive reads what all have stored.
pub const LAST_BLOCK: Kernel = Kernel {
    name: "last_block",
    body: "
    __shared__ bool is_last;
    if (threadIdx.x == 1) out[blockIdx.x] = in[blockIdx.x];
    block_barrier();
    if (threadIdx.x == 0) is_last = arrive(counter, gridDim.x - 1) == gridDim.x - 1;
    block_barrier();
    if (!is_last || threadIdx.x >= gridDim.x) return;
    u32 word[1];
    load_shared_by_grid(word, out + threadIdx.x);
    out[64 + threadIdx.x] = word[0];
",
    blocks: 4,
    ..USUAL
};

/// Half of a warp exits; the other half goes on together.
pub const HALF_WARP: Kernel = Kernel {
    name: "half_warp",
    body: "
    if (threadIdx.x >= 16) return;
    out[threadIdx.x] = shuffle_word_down(0x0000ffffu, in[threadIdx.x], 1);
",
    threads: 32,
    ..USUAL
};

/// A branch that half of a warp takes, before a barrier for all.
pub const BRANCH: Kernel = Kernel {
    name: "branch",
    body: "
    u32 value = in[threadIdx.x];
    if (threadIdx.x < 16) value = shuffle_word_down(0x0000ffffu, value, 1);
    block_barrier();
    out[threadIdx.x] = value;
",
    ..USUAL
};

/// Votes and reductions, of all lanes and of those in the lower half.
pub const COLLECTIVES: Kernel = Kernel {
    name: "collectives",
    body: "
    const u32 ALL = 0xffffffffu, lane = threadIdx.x;
    const u32 odd = ballot(ALL, lane % 2 == 1);
    const bool every = all_lanes(ALL, lane < 32), some = any_lane(ALL, lane == 40);
    const u32 sum = redux_add(ALL, lane), least = redux_min(ALL, lane + 5), greatest = redux_max(ALL, lane);
    const i32 lowest = redux_min(ALL, i32(lane) - 7), total = redux_add(ALL, -i32(lane));
    const u32 both = redux_and(ALL, lane | 32), either = redux_or(ALL, lane), parity = redux_xor(ALL, lane & 1);
    if (lane >= 16) return;
    const u32 lower = redux_add(0xffffu, lane);
    if (lane != 0) return;
    const u32 values[] = {odd, every, some, sum, least, greatest, u32(lowest), u32(total), both, either, parity,
                          lower, count_bits(odd)};
    for (u32 k = 0; k < 13; ++k) out[k] = values[k];
",
    threads: 32,
    ..USUAL
};

/// Every thread of every block counts and compares.
pub const ATOMICS: Kernel = Kernel {
    name: "atomics",
    body: "
    atomic_add(out, 1u);
    atomic_max(out + 1, threadIdx.x);
    atomic_min(reinterpret_cast<i32*>(out + 2), -i32(threadIdx.x));
    atomic_add(reinterpret_cast<f64*>(out + 4), 0.5);
    atomic_or(reinterpret_cast<u64*>(out + 6), 1ull << threadIdx.x);
    compare_exchange(out + 8, 0u, 7u);
",
    blocks: 3,
    ..USUAL
};

/// Each block of a pair tells the other its number.
pub const EXCHANGE: Kernel = Kernel {
    name: "exchange",
    body: "
    __shared__ u32 slot;
    cluster_arrive_relaxed();
    cluster_wait();
    if (threadIdx.x == 0) store_word_to_rank(&slot, 1 - cluster_rank(), blockIdx.x + 5);
    cluster_arrive();
    cluster_wait();
    if (threadIdx.x == 1) out[blockIdx.x] = slot;
",
    blocks: 4,
    cluster: 2,
    ..USUAL
};

/// Tiles of 64 words come through two stages.
pub const PIPELINE: Kernel = Kernel {
    name: "pipeline",
    body: "
    __shared__ u64 full[2];
    u32* stages = reinterpret_cast<u32*>(dynamic_shared());
    if (threadIdx.x == 0) {
        barrier_init(&full[0], 1);
        barrier_init(&full[1], 1);
        barrier_init_fence();
    }
    block_barrier();
    u32 sum = 0;
    for (u32 step = 0; step < 5; ++step) {
        if (step < 4 && threadIdx.x == 0) {
            const u32 s = step % 2;
            barrier_expect(&full[s], 256);
            bulk_load(stages + 64 * s, in + 64 * step, 256, &full[s]);
        }
        if (step == 0) continue;
        const u32 tile = step - 1;
        barrier_wait(&full[tile % 2], tile / 2);
        sum += stages[64 * (tile % 2) + 63 - threadIdx.x];
        block_barrier();
    }
    out[threadIdx.x] = sum;
",
    dynamic_shared: 512,
    ..USUAL
};

/// A launch that may start before its predecessor has ended.
pub const DEPENDENT: Kernel = Kernel {
    name: "dependent",
    body: "
    const u32 thread = threadIdx.x;
    wait_for_predecessor();
    release_dependents();
    out[thread] = in[thread];
",
    ..USUAL
};

/// Reads shared memory at a stride.
pub const STRIDES: Kernel = Kernel {
    name: "strides",
    body: "
    __shared__ u32 slots[1024];
    for (u32 k = threadIdx.x; k < 1024; k += 32) slots[k] = k;
    block_barrier();
    const u32 STRIDE = 1;
    out[threadIdx.x] = slots[threadIdx.x * STRIDE % 1024];
",
    threads: 32,
    ..USUAL
};

/// The lanes that stay fold their values: with a mask that all lanes computed before the branch.
pub const FOLD_BY_BALLOT: Kernel = Kernel {
    name: "fold_by_ballot",
    body: "
    const u32 value = in[threadIdx.x];
    const bool stays = value % 3 != 0;
    const u32 mask = ballot(0xffffffffu, stays);
    if (!stays) return;
    atomic_max(out, redux_add(mask, value));
",
    threads: 32,
    ..USUAL
};

/// The same with the lanes that happen to be here. WRONG: nothing makes those that stay arrive together,
/// so some fold without the others. It has no fault that a machine could see: each mask does name
/// lanes that come.
pub const FOLD_BY_CHANCE: Kernel = Kernel {
    name: "fold_by_chance",
    body: "
    const u32 value = in[threadIdx.x];
    if (value % 3 == 0) return;
    const u32 mask = active_lanes();
    atomic_max(out, redux_add(mask, value));
",
    threads: 32,
    ..USUAL
};

/// What `active_lanes` is good for: to save work where any grouping is right. Whichever lanes are here
/// elect one, which adds for all of them; the groups' counts have the same sum however they fall.
pub const COUNT_BY_CHANCE: Kernel = Kernel {
    name: "count_by_chance",
    body: "
    const u32 value = in[threadIdx.x];
    if (value % 3 == 0) return;
    const u32 mask = active_lanes();
    const u32 lower = (1u << threadIdx.x % 32) - 1;
    const bool is_elected = (mask & lower) == 0;
    if (is_elected) atomic_add(out, count_bits(mask));
",
    threads: 32,
    ..USUAL
};

/// What C++ defines for these inputs.
pub const DEFINED: Kernel = Kernel {
    name: "defined",
    body: "
    const u32 word = in[threadIdx.x];
    const i32 large = 2147483000 + i32(word % 8);
    const i32 sum = large + 5;
    const i32 product = i32(word) * 3;
    const i32 negated = -large;
    const i32 quotient = large / i32(word);
    const u32 shifted = word << (threadIdx.x % 32);
    const u64 both = *reinterpret_cast<const u64*>(in + 2 * (threadIdx.x / 2));
    out[threadIdx.x] = u32(sum) + u32(product) + u32(negated) + u32(quotient) + shifted + u32(both);
",
    ..USUAL
};
