struct nd_args { long long v[{{words}}]; };
extern "C" __global__ void __launch_bounds__({{threads}}) {{name}}(double *out, const {{T}} *numbers, const {{W}} *weights, const nd_args a) {
    // Sums are integers of 64 bits, in units that follow from the largest of some weights: two additions of 32 bits take less time than one to a
    // double, which shared memory has no instruction for. Weights that are no whole number of units, or too large, are added to doubles.
    extern __shared__ unsigned long long nd_room[];
    __shared__ int top;
    const int threads = {{threads}}, batch = {{batch}}, copies = (int)a.v[2], bits = (int){{bits}};
    const unsigned bins = (unsigned)a.v[1];
    double *const others = (double *)(nd_room + bins * copies);
    for (unsigned b = threadIdx.x; b < 2 * bins * copies; b += threads)
        nd_room[b] = 0;
    if (threadIdx.x == 0)
        top = 1;
    __syncthreads();
    {
        // One weight of each of equal parts, at a place in it that a hash gives, which no period of the array follows.
        const long long from = a.v[0] * threadIdx.x / threads, to = a.v[0] * (threadIdx.x + 1) / threads;
        const unsigned hash = (threadIdx.x + 1) * 2654435769u;
        const long long i = from + (long long)((unsigned long long)(hash ^ hash >> 15) * (unsigned long long)max(to - from, 0ll) >> 32);
        const int exponent = (int)(__float_as_uint({{one}}) >> 23 & 255);
        if (exponent < 255)
            atomicMax(&top, exponent);
    }
    __syncthreads();
    // Four times the largest of those weights still fits into the bits.
    const int left = bits - 26 - top, copy = threadIdx.x / 32 % copies * bins;
    unsigned *const low = (unsigned *)(nd_room + copy), *const high = low + 1;
    const long long step = (long long)gridDim.x * threads;
    for (long long at = (long long)blockIdx.x * threads + threadIdx.x; at < a.v[0]; at += batch * step) {
        int bin[batch];
        float weight[batch];
        unsigned before[batch];
        if (at + (batch - 1) * step < a.v[0]) {
#pragma unroll
            for (int k = 0; k < batch; k++) {
                const long long i = at + k * step;
                const unsigned long long x = {{x}};
                bin[k] = x < bins ? (int)x : -1;
                weight[k] = {{one}};
            }
        } else {
#pragma unroll
            for (int k = 0; k < batch; k++) {
                const long long i = at + k * step;
                bin[k] = -1;
                weight[k] = 0;
                if (i < a.v[0]) {
                    const unsigned long long x = {{x}};
                    bin[k] = x < bins ? (int)x : -1;
                    weight[k] = {{one}};
                }
            }
        }
        unsigned long long v[batch];
        unsigned odd = 0; // which of them are added to doubles
#pragma unroll
        for (int k = 0; k < batch; k++) {
            const unsigned raw = __float_as_uint(weight[k]), exponent = raw >> 23 & 255;
            const unsigned m = raw & 0x7fffff | (exponent > 0 ? 0x800000 : 0);
            const int shift = left + (int)max(exponent, 1u), right = min(max(-shift, 0), 24);
            v[k] = (unsigned long long)(m >> right) << min(max(shift, 0), 63);
            if (raw >> 31)
                v[k] = 0 - v[k];
            if ((m & (1u << right) - 1) != 0 || shift > bits - 24 || exponent == 255)
                odd |= 1u << k;
        }
        if (odd != 0) {
#pragma unroll
            for (int k = 0; k < batch; k++)
                if (odd >> k & 1 && bin[k] >= 0) {
                    atomicAdd(others + copy + bin[k], (double)weight[k]);
                    bin[k] = -1;
                }
        }
        // All first halves before the second ones: these need the results of the first.
#pragma unroll
        for (int k = 0; k < batch; k++)
            before[k] = bin[k] >= 0 ? atomicAdd(low + 2 * bin[k], (unsigned)v[k]) : 0;
#pragma unroll
        for (int k = 0; k < batch; k++) {
            if (bin[k] >= 0)
                atomicAdd(high + 2 * bin[k], (unsigned)(v[k] >> 32) + (before[k] + (unsigned)v[k] < before[k]));
        }
    }
    __syncthreads();
    const double unit = ldexp(1.0, top - 124 - bits);
    for (unsigned b = threadIdx.x; b < bins; b += threads) {
        unsigned long long sum = 0;
        double rest = 0;
        for (int c = 0; c < copies; c++) {
            sum += nd_room[c * bins + b];
            rest += others[c * bins + b];
        }
        rest += (double)(long long)sum * unit;
        if (rest != 0)
            atomicAdd(out + b, rest);
    }
}
