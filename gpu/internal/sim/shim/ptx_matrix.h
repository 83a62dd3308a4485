// Translated assembly (../ptx) for tensor cores: mma.sync, ldmatrix and stmatrix. Which lane has which elements is told by the PTX ISA (Warp Level
// Matrix Instructions). Left product is worked out in double precision and rounded once, where the hardware rounds partial sums in ways of its own.
#pragma once

namespace gwptx {

// Elements of factors: how many are in a register, and their numbers.
template <class Number> struct Halves {
    static constexpr int count = 2;
    static double number(uint64_t bits, int i) { return half<Number>(bits, i); }
};
struct TF32 {
    static constexpr int count = 1;
    static double number(uint64_t bits, int) { return __uint_as_float(uint32_t(bits) & ~0x1fffu); }
};
template <class Number> struct Bytes {
    static constexpr int count = 4;
    static double number(uint64_t bits, int i) { return Number(bits >> 8 * i); }
};
// Elements of sums, which have a way back.
struct Single {
    static constexpr int count = 1;
    static double number(uint64_t bits, int) { return __uint_as_float(uint32_t(bits)); }
    static void put(uint64_t &to, int, double v, bool) { to = __float_as_uint(float(v)); }
};
struct HalfSum : Halves<F16> {
    static void put(uint64_t &to, int i, double v, bool) { to = (i == 0 ? 0 : to) | uint64_t(F16::bits(v)) << 16 * i; }
};
struct Integer {
    static constexpr int count = 1;
    static double number(uint64_t bits, int) { return int(bits); }
    static void put(uint64_t &to, int, double v, bool saturate) { to = uint32_t(saturate ? whole<int>(v) : int((long long)v)); }
};
struct Double {
    static constexpr int count = 1;
    static double number(uint64_t bits, int) {
        double v;
        __builtin_memcpy(&v, &bits, sizeof v);
        return v;
    }
    static void put(uint64_t &to, int, double v, bool) { __builtin_memcpy(&to, &v, sizeof v); }
};

// Left MatrixPart is the registers that a lane brings to a product, and those of its result.
struct MatrixPart {
    const uint64_t *a, *b, *c;
    uint64_t *d;
    bool saturate;
};
inline const MatrixPart &matrixPart(const gwsim::Group &g, int lane) { return *reinterpret_cast<const MatrixPart *>(g.value[lane]); }

// multiply multiplies rows × depth elements by depth × 8.
template <class Left, class Right, class Old, class New, int rows, int depth> GW_UNWATCHED void multiply(gwsim::Group &g) {
    double a[rows][depth] = {}, b[depth][8] = {};
    constexpr int blocks = rows / 8; // of rows
    gwsim::eachLane(g.lanes, [&](int lane) { // those that have returned are missing
        const MatrixPart &part = matrixPart(g, lane);
        for (int i = 0; i < rows * depth / 32; i++) {
            int r = i / Left::count, e = i % Left::count;
            a[lane / 4 + r % blocks * 8][(lane % 4 + r / blocks * 4) * Left::count + e] = Left::number(part.a[r], e);
        }
        for (int i = 0; i < depth / 4; i++) {
            int r = i / Right::count, e = i % Right::count;
            b[(lane % 4 + r * 4) * Right::count + e][lane / 4] = Right::number(part.b[r], e);
        }
    });
    gwsim::eachLane(g.lanes, [&](int lane) {
        const MatrixPart &part = matrixPart(g, lane);
        for (int i = 0; i < rows / 4; i++) {
            int row = lane / 4 + i / 2 * 8, col = lane % 4 * 2 + i % 2;
            double sum = Old::number(part.c[i / Old::count], i % Old::count);
            for (int j = 0; j < depth; j++)
                sum += a[row][j] * b[j][col];
            New::put(part.d[i / New::count], i % New::count, sum, part.saturate);
        }
    });
}
template <class Left, class Right, class Old, class New, int rows, int depth> inline constexpr gwsim::Op opMultiply{"mma.sync", multiply<Left, Right, Old, New, rows, depth>, false, true};

template <class Left, class Right, class Old, class New, int rows, int depth>
inline void product(uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c, bool saturate, int line) {
    const MatrixPart part = {a, b, c, d, saturate};
    gwsim::collective(opMultiply<Left, Right, Old, New, rows, depth>, ~0u, reinterpret_cast<uint64_t>(&part), 0, line);
}

// share tells all lanes the addresses of all.
GW_UNWATCHED inline void share(gwsim::Group &g) {
    gwsim::eachLane(g.lanes, [&](int lane) {
        auto rows = reinterpret_cast<const char **>(g.value[lane]);
        gwsim::eachLane(g.lanes, [&](int i) { rows[i] = reinterpret_cast<const char **>(g.value[i])[32]; });
    });
}
inline constexpr gwsim::Op opLoadMatrix{"ldmatrix", share, false, true}, opStoreMatrix{"stmatrix", share, false, true};

// rowsOf collects the addresses that the lanes have of the rows of n matrices: lanes 8 i to 8 i + 7 those of matrix i.
inline void rowsOf(const gwsim::Op &op, int n, const char *(&rows)[33], const char *row, int line) {
    rows[32] = row;
    gwsim::collective(op, ~0u, reinterpret_cast<uint64_t>(rows), 0, line);
    if (gwsim::lane() < 8 * n && reinterpret_cast<uint64_t>(row) % 16 != 0)
        gwsim::assertFailed("a row of a matrix begins at a multiple of 16 bytes", "", line, op.name);
}

// loadMatrices loads n matrices of 8 × 8 numbers of 16 bits.
template <int n, bool transposed> inline void loadMatrices(uint32_t *to, const char *row, int line) {
    const char *rows[33] = {};
    rowsOf(opLoadMatrix, n, rows, row, line);
    const int lane = gwsim::lane();
    for (int i = 0; i < n; i++) {
        if (!transposed) {
            to[i] = reinterpret_cast<const uint32_t *>(rows[8 * i + lane / 4])[lane % 4];
            continue;
        }
        auto first = reinterpret_cast<const uint16_t *>(rows[8 * i + lane % 4 * 2]), second = reinterpret_cast<const uint16_t *>(rows[8 * i + lane % 4 * 2 + 1]);
        to[i] = first[lane / 4] | uint32_t(second[lane / 4]) << 16;
    }
}

// storeMatrices stores them, from registers as loadMatrices sets them.
template <int n, bool transposed> inline void storeMatrices(char *row, const uint64_t *from, int line) {
    const char *rows[33] = {};
    rowsOf(opStoreMatrix, n, rows, row, line);
    auto at = [&](int i) { return const_cast<char *>(rows[i]); };
    const int lane = gwsim::lane();
    for (int i = 0; i < n; i++) {
        if (!transposed) {
            reinterpret_cast<uint32_t *>(at(8 * i + lane / 4))[lane % 4] = uint32_t(from[i]);
            continue;
        }
        reinterpret_cast<uint16_t *>(at(8 * i + lane % 4 * 2))[lane / 4] = uint16_t(from[i]);
        reinterpret_cast<uint16_t *>(at(8 * i + lane % 4 * 2 + 1))[lane / 4] = uint16_t(from[i] >> 16);
    }
}

} // namespace gwptx
