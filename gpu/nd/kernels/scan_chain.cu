        // The state of a tile: its words, above each 1 for the tile alone and 2 for all up to it.
        volatile unsigned long long *const mine = state + 1 + (size_t)ticket * words;
        const unsigned perRow = (unsigned)a.v[1], t = ticket < perRow ? ticket : ticket % perRow;
        if (t > 0) {
            const nd_words told = nd_pack(total);
            if (lane < words)
                mine[lane] = 1ull << 32 | told.at[lane];
            nd_acc part = none; // of the tiles before, those that the thread has asked for
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
                if (done == 0 || lane < __ffs(done))
                    part = nd_join(v, part);
                if ({{any order}} && done == 0)
                    continue;
                for (int d = 1; d < 32; d *= 2) {
                    nd_words w = nd_pack(part);
                    for (int k = 0; k < words; k++)
                        w.at[k] = __shfl_down_sync(0xffffffffu, w.at[k], d);
                    if (lane + d < 32)
                        part = nd_join(nd_unpack(w), part);
                }
                all = nd_join(part, all); // the first lane's counts
                if (done != 0)
                    break;
                part = none;
            }
            all = nd_of(all, 0);
        }
        if (lane == 0) {
            const nd_words w = nd_pack(nd_join(all, total));
            for (int k = 0; k < words; k++)
                mine[k] = 2ull << 32 | w.at[k];
        }
