        // The state of a tile: its words, above each 1 for the tile alone and 2 for all up to it.
        volatile unsigned long long *const mine = state + 1 + (size_t)ticket * words;
        const unsigned perRow = (unsigned)a.v[1], t = ticket < perRow ? ticket : ticket % perRow;
        if (t > 0) {
            const nd_words told = nd_pack(total);
            if (lane < words)
                mine[lane] = 1ull << 32 | told.at[lane];
            for (int last = (int)t - 1;; last -= 32) {
                unsigned known = 2;
                nd_acc v = none;
                if (last >= lane) {
                    volatile unsigned long long *const theirs = mine - (size_t)(t - last + lane) * words;
                    nd_words found;
                    do {
                        unsigned least = 2, most = 0;
                        for (int k = 0; k < words; k++) {
                            const unsigned long long word = theirs[k];
                            found.at[k] = (unsigned)word;
                            least = min(least, (unsigned)(word >> 32));
                            most = max(most, (unsigned)(word >> 32));
                        }
                        known = least == most ? least : 0;
                    } while (known == 0);
                    v = nd_unpack(found);
                }
                const unsigned done = __ballot_sync(0xffffffffu, known == 2);
                if (done != 0 && lane >= __ffs(done))
                    v = none;
                for (int d = 1; d < 32; d *= 2) {
                    nd_words w = nd_pack(v);
                    for (int k = 0; k < words; k++)
                        w.at[k] = __shfl_down_sync(0xffffffffu, w.at[k], d);
                    if (lane + d < 32)
                        v = nd_join(nd_unpack(w), v);
                }
                all = nd_join(v, all); // the first lane's counts
                if (done != 0)
                    break;
            }
            all = nd_of(all, 0);
        }
        if (lane == 0) {
            const nd_words w = nd_pack(nd_join(all, total));
            for (int k = 0; k < words; k++)
                mine[k] = 2ull << 32 | w.at[k];
        }
