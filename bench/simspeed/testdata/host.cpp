// The computations of kernels.cu as a plain program for all processors.
#include "common.h"
#include <algorithm>
#include <omp.h>

// Ends the name of a computation by the rounds of the kernel, where the loop before it has another algorithm.
#define SAME ", by its rounds"

int main() {
    std::vector<float> x(n), y(n), z(n), a(side * side), b(side * side), c(side * side), p(plane * plane), q(plane * plane);
    std::vector<uint32_t> keys(n), out(n);
    std::vector<unsigned char> bytes(n);
    for (int i = 0; i < n; i++)
        x[i] = real(i), y[i] = real(i + n), keys[i] = mix(i), bytes[i] = (unsigned char)(mix(i) >> 3);
    for (int i = 0; i < side * side; i++)
        a[i] = real(i), b[i] = real(i + 7);
    for (int i = 0; i < plane * plane; i++)
        p[i] = real(i);

    measure("vector add", [&] {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            z[i] = x[i] + y[i];
    }, [&] { return total(z.data(), n); });
    measure("saxpy", [&] {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            z[i] = 2.5f * x[i] + y[i];
    }, [&] { return total(z.data(), n); });
    measure("matrix product by tiles, 512", [&] {
#pragma omp parallel for
        for (int i = 0; i < side; i++) {
            float *row = &c[i * side];
            std::fill(row, row + side, 0.f);
            for (int k = 0; k < side; k++)
                for (int j = 0; j < side; j++)
                    row[j] += a[i * side + k] * b[k * side + j];
        }
    }, [&] { return total(c.data(), side * side); });
    double sum = 0;
    auto reduce = [&] {
        float s = 0;
#pragma omp parallel for simd reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += x[i];
        sum = s;
    };
    measure("reduction by shuffles", reduce, [&] { return sum; });
    measure("reduction in shared memory", reduce, [&] { return sum; });
    measure("scan of blocks by shuffles", [&] {
#pragma omp parallel for
        for (int base = 0; base < n; base += chunk) {
            uint32_t s = 0;
            for (int i = base; i < base + chunk; i++)
                out[i] = s += keys[i] & 15;
        }
    }, [&] { return total(out.data(), n); });
    measure("scan of blocks by shuffles" SAME, [&] {
#pragma omp parallel for
        for (int base = 0; base < n; base += chunk) {
            uint32_t v[chunk], next[chunk], sums[chunk / 32];
            for (int i = 0; i < chunk; i++)
                v[i] = keys[base + i] & 15;
            for (int d = 1; d < 32; d *= 2) {
                for (int warp = 0; warp < chunk; warp += 32)
                    for (int lane = 0; lane < 32; lane++)
                        next[warp + lane] = v[warp + lane] + (lane >= d ? v[warp + lane - d] : 0);
                std::copy(next, next + chunk, v);
            }
            for (int warp = 0; warp < chunk / 32; warp++)
                sums[warp] = v[warp * 32 + 31];
            for (int d = 1; d < chunk / 32; d *= 2)
                for (int i = chunk / 32 - 1; i >= d; i--)
                    sums[i] += sums[i - d];
            for (int i = 0; i < chunk; i++)
                out[base + i] = v[i] + (i >= 32 ? sums[i / 32 - 1] : 0);
        }
    }, [&] { return total(out.data(), n); });
    std::vector<uint32_t> bins(256);
    measure("histogram, shared atomics", [&] {
        std::fill(bins.begin(), bins.end(), 0);
#pragma omp parallel
        {
            uint32_t mine[256] = {};
#pragma omp for
            for (int i = 0; i < n; i++)
                mine[bytes[i]]++;
#pragma omp critical
            for (int i = 0; i < 256; i++)
                bins[i] += mine[i];
        }
    }, [&] { return total(bins.data(), 256); });
    measure("transpose by tiles", [&] {
#pragma omp parallel for
        for (int i = 0; i < plane; i += 32)
            for (int j = 0; j < plane; j += 32)
                for (int k = i; k < i + 32; k++)
                    for (int l = j; l < j + 32; l++)
                        q[l * plane + k] = p[k * plane + l];
    }, [&] { return total(q.data(), plane * plane); });
    measure("stencil of 5 points", [&] {
#pragma omp parallel for
        for (int i = 1; i < plane - 1; i++)
            for (int j = 1; j < plane - 1; j++) {
                const float *m = &p[i * plane + j];
                q[i * plane + j] = 0.2f * (m[0] + m[-1] + m[1] + m[-plane] + m[plane]);
            }
    }, [&] { return total(&q[plane], plane); });
    uint32_t kept = 0;
    measure("compaction by ballots", [&] {
        std::vector<uint32_t> counts(omp_get_max_threads() + 1);
#pragma omp parallel
        {
            int t = omp_get_thread_num(), threads = omp_get_num_threads();
            int lo = int(int64_t(n) * t / threads), hi = int(int64_t(n) * (t + 1) / threads);
            uint32_t mine = 0;
            for (int i = lo; i < hi; i++)
                mine += keys[i] % 3 == 0;
            counts[t + 1] = mine;
#pragma omp barrier
#pragma omp single
            for (int i = 0; i < threads; i++)
                counts[i + 1] += counts[i];
            uint32_t at = counts[t];
            for (int i = lo; i < hi; i++)
                if (keys[i] % 3 == 0)
                    out[at++] = keys[i];
            if (t == threads - 1)
                kept = at;
        }
    }, [&] { return double(kept); });
    measure("radix sort of blocks", [&] {
#pragma omp parallel for
        for (int base = 0; base < n; base += chunk) {
            uint32_t one[chunk], two[chunk], *from = one, *to = two;
            for (int i = 0; i < chunk; i++)
                one[i] = keys[base + i] & 255;
            for (int bit = 0; bit < 8; bit++) {
                uint32_t zeros = 0;
                for (int i = 0; i < chunk; i++)
                    zeros += !(from[i] >> bit & 1);
                uint32_t low = 0, high = zeros;
                for (int i = 0; i < chunk; i++)
                    to[from[i] >> bit & 1 ? high++ : low++] = from[i];
                std::swap(from, to);
            }
            std::copy(from, from + chunk, &out[base]);
        }
    }, [&] { return total(out.data(), n); });
    std::vector<float> px(bodies), py(bodies), pz(bodies), force(bodies);
    for (int i = 0; i < bodies; i++)
        px[i] = real(i), py[i] = real(i + 1000000), pz[i] = real(i + 2000000);
    measure("n bodies", [&] {
#pragma omp parallel for
        for (int i = 0; i < bodies; i++) {
            float s = 0;
#pragma omp simd reduction(+ : s)
            for (int j = 0; j < bodies; j++) {
                float dx = px[j] - px[i], dy = py[j] - py[i], dz = pz[j] - pz[i];
                float d = dx * dx + dy * dy + dz * dz + 0.01f;
                s += dx / (d * std::sqrt(d));
            }
            force[i] = s;
        }
    }, [&] { return total(force.data(), bodies); });
    measure("stencil of 7 points in a line", [&] {
        auto at = [&](int i) { return i < 0 || i >= n ? 0 : x[i]; };
#pragma omp parallel for
        for (int base = 0; base < n; base += chunk) {
            if (base > 0 && base + chunk < n) {
                for (int i = base; i < base + chunk; i++)
                    z[i] = x[i - 3] + x[i - 2] + x[i - 1] + x[i] + x[i + 1] + x[i + 2] + x[i + 3];
                continue;
            }
            for (int i = base; i < base + chunk; i++)
                z[i] = at(i - 3) + at(i - 2) + at(i - 1) + at(i) + at(i + 1) + at(i + 2) + at(i + 3);
        }
    }, [&] { return total(z.data(), n); });
    measure("convolution of 5 by 5", [&] {
        float mask[M][M];
        for (int j = 0; j < M; j++)
            for (int i = 0; i < M; i++)
                mask[j][i] = weight(j, i);
#pragma omp parallel for
        for (int y = 0; y < plane; y++) {
            auto edge = [&](int x) {
                float s = 0;
                for (int j = 0; j < M; j++)
                    for (int i = 0; i < M; i++)
                        if (int u = x + i - M / 2, v = y + j - M / 2; u >= 0 && u < plane && v >= 0 && v < plane)
                            s += mask[j][i] * p[v * plane + u];
                q[y * plane + x] = s;
            };
            bool inside = y >= M / 2 && y < plane - M / 2;
            for (int x = 0; x < plane; x += inside && x == M / 2 - 1 ? plane - M + 2 : 1)
                edge(x);
            if (inside)
                for (int x = M / 2; x < plane - M / 2; x++) {
                    float s = 0;
                    for (int j = 0; j < M; j++)
                        for (int i = 0; i < M; i++)
                            s += mask[j][i] * p[(y + j - M / 2) * plane + x + i - M / 2];
                    q[y * plane + x] = s;
                }
        }
    }, [&] { return total(q.data(), plane * plane); });
    measure("softmax of rows", [&] {
#pragma omp parallel for
        for (int base = 0; base < n; base += columns) {
            const float *in = &x[base];
            float *to = &z[base], top = in[0], s = 0;
            for (int j = 0; j < columns; j++)
                top = std::max(top, in[j]);
            for (int j = 0; j < columns; j++)
                s += to[j] = std::exp(in[j] - top);
            for (int j = 0; j < columns; j++)
                to[j] /= s;
        }
    }, [&] { return total(z.data(), n); });
    measure("Black-Scholes", [&] {
        auto normal = [](float d) {
            float k = 1 / (1 + 0.2316419f * std::fabs(d));
            float w = 0.39894228f * std::exp(-0.5f * d * d) * k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
            return d > 0 ? 1 - w : w;
        };
        float rate = 0.02f, volatility = 0.3f;
#pragma omp parallel for
        for (int i = 0; i < options; i++) {
            float s = 10 + 40 * x[i], k = 5 + 60 * y[i], t = 0.25f + 8 * p[i];
            float root = std::sqrt(t), d1 = (std::log(s / k) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root), d2 = d1 - volatility * root;
            float u = normal(d1), v = normal(d2), e = std::exp(-rate * t);
            z[i] = s * u - k * e * v;
            q[i] = k * e * (1 - v) - s * (1 - u);
        }
    }, [&] { return total(z.data(), options) + total(q.data(), options); });
    measure("Mandelbrot set", [&] {
#pragma omp parallel for schedule(dynamic, 8)
        for (int j = 0; j < side; j++)
            for (int i = 0; i < side; i++) {
                float cx = -2 + 3.f * i / side, cy = -1.5f + 3.f * j / side, u = 0, v = 0;
                int k = 0;
                for (; k < 256 && u * u + v * v < 4; k++) {
                    float next = u * u - v * v + cx;
                    v = 2 * u * v + cy;
                    u = next;
                }
                out[j * side + i] = k;
            }
    }, [&] { return total(out.data(), side * side); });
    measure("matrix by vector, a warp a row", [&] {
#pragma omp parallel for
        for (int row = 0; row < n / columns; row++) {
            float s = 0;
#pragma omp simd reduction(+ : s)
            for (int j = 0; j < columns; j++)
                s += x[row * columns + j] * y[j];
            z[row] = s;
        }
    }, [&] { return total(z.data(), n / columns); });
    measure("bitonic sort of blocks", [&] {
#pragma omp parallel for
        for (int base = 0; base < n; base += chunk) {
            std::copy(&keys[base], &keys[base] + chunk, &out[base]);
            std::sort(&out[base], &out[base] + chunk);
        }
    }, [&] { return total(out.data(), n); });
    measure("bitonic sort of blocks" SAME, [&] {
#pragma omp parallel for
        for (int base = 0; base < n; base += chunk) {
            uint32_t s[chunk];
            std::copy(&keys[base], &keys[base] + chunk, s);
            for (int k = 2; k <= chunk; k *= 2)
                for (int j = k / 2; j > 0; j /= 2)
                    for (int t = 0; t < chunk; t++)
                        if (int other = t ^ j; other > t) {
                            uint32_t a = s[t], b = s[other];
                            if ((t & k) == 0 ? a > b : a < b)
                                s[t] = b, s[other] = a;
                        }
            std::copy(s, s + chunk, &out[base]);
        }
    }, [&] { return total(out.data(), n); });
    std::vector<int> starts(rows + 1), places(entries(rows));
    sparse(starts.data(), places.data());
    measure("sparse matrix by vector, CSR", [&] {
#pragma omp parallel for
        for (int row = 0; row < rows; row++) {
            float s = 0;
            for (int j = starts[row]; j < starts[row + 1]; j++)
                s += x[j] * y[places[j]];
            z[row] = s;
        }
    }, [&] { return total(z.data(), rows); });
    measure("scan of blocks by a tree", [&] {
#pragma omp parallel for
        for (int base = 0; base < n; base += chunk) {
            uint32_t s = 0;
            for (int i = base; i < base + chunk; i++) {
                out[i] = s;
                s += keys[i] & 15;
            }
        }
    }, [&] { return total(out.data(), n); });
    measure("scan of blocks by a tree" SAME, [&] {
#pragma omp parallel for
        for (int base = 0; base < n; base += chunk) {
            uint32_t s[chunk];
            int distance = 1;
            for (int i = 0; i < chunk; i++)
                s[i] = keys[base + i] & 15;
            for (int d = chunk / 2; d > 0; d /= 2, distance *= 2)
                for (int t = 0; t < d; t++)
                    s[distance * (2 * t + 2) - 1] += s[distance * (2 * t + 1) - 1];
            s[chunk - 1] = 0;
            for (int d = 1; d < chunk; d *= 2) {
                distance /= 2;
                for (int t = 0; t < d; t++) {
                    int a = distance * (2 * t + 1) - 1, b = distance * (2 * t + 2) - 1;
                    uint32_t left = s[a];
                    s[a] = s[b];
                    s[b] += left;
                }
            }
            std::copy(s, s + chunk, &out[base]);
        }
    }, [&] { return total(out.data(), n); });
    measure("vector add in the cache", [&] {
#pragma omp parallel for
        for (int k = 0; k < n / few; k++)
            for (int i = 0; i < few; i++)
                z[i] = x[i] + y[i];
    }, [&] { return total(z.data(), few); });
}
