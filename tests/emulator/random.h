// The choices that a seed decides.

#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "runner.h"

namespace emulator {

struct Random {
    u64 state;

    // splitmix64
    unsigned next() {
        u64 z = state += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return unsigned(z >> 32);
    }

    std::vector<unsigned> permutation(unsigned count) {
        std::vector<unsigned> order(count);
        std::iota(order.begin(), order.end(), 0);
        for (unsigned k = count; k > 1; --k) std::swap(order[k - 1], order[next() % k]);
        return order;
    }
};

}  // namespace emulator
