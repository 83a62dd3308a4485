        // A warp's unit: in each turn a thread has adjacent elements of 16 bytes.
        nd_key x[items];
        const long long base = unit * (32 * items);
        const nd_key *const here = keys + base + lane * width;
        unsigned valid = 0xffffffffu;
        if (aligned && base + 32 * items <= n) {
#pragma unroll
            for (int t = 0; t < turns; t++) {
                const elements v = *(const elements *)(here + t * 32 * width);
#pragma unroll
                for (int e = 0; e < width; e++)
                    x[t * width + e] = v.at[e];
            }
        } else {
            const long long rest = n - base - lane * width;
            valid = 0;
#pragma unroll
            for (int k = 0; k < items; k++) {
                x[k] = {{past}};
                if (k / width * 32 * width + k % width < rest) {
                    x[k] = here[k / width * 32 * width + k % width];
                    valid |= 1u << k;
                }
            }
        }
