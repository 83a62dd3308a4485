// Transforms of one line: by the factors 2, 3, 4, 5 and 7 (J. Cooley and J. Tukey, 1965, in T. Stockham's order, which needs no
// reversal of bits), and by L. Bluestein's convolution for lines with other factors.
#pragma once

#include <complex>
#include <vector>

namespace gwfft {

struct Number {
    double re, im;
};
inline Number operator+(Number a, Number b) { return {a.re + b.re, a.im + b.im}; }
inline Number operator-(Number a, Number b) { return {a.re - b.re, a.im - b.im}; }
inline Number operator*(Number a, Number b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
inline Number unit(long long i, long long n, int sign) {
    const double angle = 2 * 3.14159265358979323846 * double(i % n) / double(n);
    return {cos(angle), sign * sin(angle)};
}

// A Line is what is known of transforms of a length. It is computed with the plan, and kernels only read it.
struct Line {
    int n = 0, padded = 0;                      // padded is the length of Bluestein's convolution, or 0
    std::vector<int> factors;                   // of n, or of padded
    std::vector<Number> roots;                  // exp(-2πi·k/length)
    std::vector<Number> chirp, filter;          // Bluestein's: exp(-πi·k²/n), and its transform
    int length() const { return padded > 0 ? padded : n; }
    size_t scratch() const { return 2 * size_t(length()); }

    explicit Line(int n) : n(n) {
        if (!split(n)) {
            for (padded = 1; padded < 2 * n - 1; padded *= 2) {}
            split(padded);
        }
        for (int i = 0; i < length(); i++)
            roots.push_back(unit(i, length(), -1));
        if (padded == 0)
            return;
        filter.assign(padded, {0, 0});
        for (long long i = 0; i < n; i++) {
            chirp.push_back(unit(i * i % (2 * n), 2 * n, -1));
            const Number back = {chirp[i].re, -chirp[i].im};
            filter[i] = back;
            if (i > 0)
                filter[padded - i] = back;
        }
        std::vector<Number> spare(padded);
        run(filter.data(), spare.data(), -1);
    }
    bool split(int rest) {
        factors.clear();
        for (int f : {4, 2, 3, 5, 7})
            for (; rest % f == 0; rest /= f)
                factors.push_back(f);
        return rest == 1;
    }

    // run transforms x, of the line's length, with a spare line.
    GW_UNWATCHED void run(Number *x, Number *spare, int sign) const {
        Number *from = x, *to = spare;
        const int total = length();
        int before = 1; // the product of the factors done
        for (int f : factors) {
            const int after = total / before / f;
            for (int q = 0; q < after; q++)
                for (int k = 0; k < before; k++)
                    pass(from + q * before + k, to + q * before * f + k, f, before, total, k * after, sign);
            before *= f;
            std::swap(from, to);
        }
        if (from != x)
            for (int i = 0; i < total; i++)
                x[i] = from[i];
    }
    // pass makes f numbers, before apart, of f numbers, total/f apart, that are turned by multiples of a root.
    GW_UNWATCHED void pass(const Number *from, Number *to, int f, int before, int total, int turn, int sign) const {
        Number v[7];
        for (int j = 0; j < f; j++) {
            v[j] = from[size_t(j) * (total / f)];
            if (j > 0 && turn > 0)
                v[j] = v[j] * root((long long)turn * j, sign);
        }
        if (f == 2) {
            to[0] = v[0] + v[1], to[before] = v[0] - v[1];
        } else if (f == 4) {
            const Number a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3], e = {-sign * d.im, sign * d.re};
            to[0] = a + c, to[before] = b + e, to[2 * before] = a - c, to[3 * before] = b - e;
        } else {
            for (int i = 0; i < f; i++) {
                Number sum = v[0];
                for (int j = 1; j < f; j++)
                    sum = sum + v[j] * root((long long)(i * j % f) * (total / f), sign);
                to[size_t(i) * before] = sum;
            }
        }
    }
    GW_UNWATCHED Number root(long long i, int sign) const {
        const Number r = roots[i % length()];
        return sign < 0 ? r : Number{r.re, -r.im};
    }

    // transform does a line of n numbers in place. The scratch is as long as scratch says.
    GW_UNWATCHED void transform(Number *x, Number *scratch, int sign) const {
        if (padded == 0)
            return run(x, scratch, sign);
        // The inverse transform is the conjugate of the conjugate's.
        Number *a = scratch, *spare = scratch + padded;
        for (int i = 0; i < padded; i++)
            a[i] = i < n ? Number{x[i].re, -sign * x[i].im} * chirp[i] : Number{0, 0};
        run(a, spare, -1);
        for (int i = 0; i < padded; i++)
            a[i] = a[i] * filter[i];
        run(a, spare, 1);
        for (int i = 0; i < n; i++) {
            const Number y = a[i] * chirp[i];
            x[i] = {y.re / padded, -sign * y.im / padded};
        }
    }
};

} // namespace gwfft
