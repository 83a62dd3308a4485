// Copies of streams, and copies and fills of three dimensions. A copy of memory, pitched memory or CUDA arrays is one
// cudaMemcpy3DParms, which is also what a node of a graph keeps.
#pragma once

namespace gwrt {

// A Side is one end of a copy: where its first byte is, and how far it is to the next row and plane.
struct Side {
    char *at;
    size_t pitch, slice;
};
bool sideOf(cudaArray_t array, const cudaPitchedPtr &p, const cudaPos &pos, const cudaExtent &extent, size_t element, Side &out);
constexpr size_t elementBytes(const cudaChannelFormatDesc &f) { return (f.x + f.y + f.z + f.w) / 8; }

// copyNow does what cudaMemcpy3D is asked for.
cudaError copyNow(const cudaMemcpy3DParms &p);
cudaMemcpy3DParms rectangle(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, cudaMemcpyKind kind);
cudaError copyIn(cudaStream_t s, const cudaMemcpy3DParms &p);

// fillNow sets elements of 1, 2 or 4 bytes.
cudaError fillNow(const cudaMemsetParams &p);
cudaError fillIn(cudaStream_t s, const cudaMemsetParams &p);

} // namespace gwrt

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind kind, cudaStream_t s = nullptr);
cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t n, cudaStream_t s = nullptr);
cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t s = nullptr);
cudaError_t cudaMemsetAsync(void *to, int value, size_t n, cudaStream_t s = nullptr);
cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t s = nullptr);

// ---- three dimensions ----

template <class T> GW_RT cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(p, *pitch * height);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent extent, cudaStream_t s = nullptr);
cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent extent);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t s = nullptr);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p);
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *p, cudaStream_t s = nullptr);
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *p);
