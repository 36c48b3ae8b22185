// How blocks meet: the blocks of a cluster put their folds into the shared memory of the first, which
// folds them if that is all, and otherwise stores them and counts the cluster; the last cluster to count
// folds the partials of all.

// A fold in whole words, as it is sent.
struct Parcel {
    u32 words[(sizeof(Acc) + 3) / 4];
};

DEVICE void send(Parcel* to, u32 rank, const Acc& fold) {
    Parcel parcel = {};
    memcpy(&parcel, &fold, sizeof(Acc));
    for (u32 w = 0; w < sizeof(Parcel) / 4; ++w) store_word_to_rank(&to->words[w], rank, parcel.words[w]);
}

DEVICE Acc open(const Parcel& parcel) {
    Acc fold;
    memcpy(&fold, &parcel, sizeof(Acc));
    return fold;
}

// The folds of a cluster's tiles, as a source.
struct Gathered {
    const Parcel* parcels;

    static const u32 VEC = PARTIAL_VEC;
    static const u32 IN_FLIGHT = ROWS;
    typedef Vector<Acc, VEC> Step;

    DEVICE_MEMBER bool aligned() const { return false; }
    DEVICE_MEMBER Step load(u64 i) const { return load_some(i, VEC); }
    DEVICE_MEMBER Step load_some(u64 i, i32 left) const {
        Step step;
#pragma unroll
        for (u32 v = 0; v < VEC; ++v) {
            if (i32(v) < left) step.at[v] = open(parcels[i + v]);
        }
        return step;
    }
    DEVICE_MEMBER Acc value(const Step& step, u32 v, u64) const { return step.at[v]; }
};

// The most blocks of a cluster that run on every device that has clusters.
const u32 CLUSTER_BLOCKS = 8;

// Clusters of at most CLUSTER_BLOCKS blocks. `partials` holds every level's, each level's start a
// multiple of PARTIAL_VEC; `arrivals` is zero, and is zero again afterwards. `status` is for errors that
// only the device can see; none yet.
extern "C" __global__ void __launch_bounds__(THREADS, 1)
fold_array(Elements elements, u64 n, Acc* partials, u32* arrivals, u32* status, Outputs outputs) {
    __shared__ BlockSlots slots;
    __shared__ Parcel gathered[2][CLUSTER_BLOCKS];  // by turns, in the cluster's first block
    __shared__ bool is_last;
    cluster_arrive_relaxed();  // this block has started: the others may store to it
    wait_for_predecessor();
    release_dependents();
    const u32 rank = cluster_rank(), blocks = cluster_blocks();
    const u64 tiles = tile_count<Elements>(n);
    cluster_wait();
#if HAS_IDENTITY
    if (n == 0) {
        if (threadIdx.x == 0) write_result(outputs, identity());
        return;
    }
#endif
    u32 turn = 0;
    // All blocks of a cluster go round as often: they wait for each other.
    for (u64 first = blockIdx.x - rank; first < tiles; first += gridDim.x, turn ^= 1) {
        const u64 tile = first + rank;
        if (tile < tiles) {
            const Acc fold = fold_one_tile(elements, n, tile, slots, turn);
            if (threadIdx.x == 0) send(&gathered[turn][rank], 0, fold);
        }
        cluster_arrive();
        cluster_wait();
        if (rank != 0) continue;
        const u64 rest = tiles - first;
        if (tiles <= blocks) {
            if (tiles > 1) {
                const Acc fold = tile_fold(Gathered{gathered[turn]}, 0, tiles, slots, turn);
                if (threadIdx.x == 0) write_result(outputs, fold);
            } else if (threadIdx.x == 0) {
                write_result(outputs, open(gathered[turn][0]));
            }
        } else if (threadIdx.x == 0) {
            for (u32 k = 0; k < blocks && k < rest; ++k) partials[first + k] = open(gathered[turn][k]);
        }
    }
    if (rank != 0 || tiles <= blocks) return;

    const u32 clusters = gridDim.x / blocks;
    if (threadIdx.x == 0) is_last = arrive(arrivals, clusters - 1) == clusters - 1;
    block_barrier();
    if (is_last) fold_levels(partials, tiles, outputs, slots);
}
