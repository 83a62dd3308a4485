    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        if (i < count)
            room.other[rank[j]] = {{read}};
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = j * threads + threadIdx.x;
        if (i < count)
            to_other[to[j]] = {{write}};
    }
