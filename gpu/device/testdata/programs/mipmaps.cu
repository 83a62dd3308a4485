// Textures with levels of detail: their sizes, the choice of a level and the filter between them, views, and what else textures read.
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t e = (call);                                                          \
        if (e != cudaSuccess) {                                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e));           \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

__global__ void base(cudaTextureObject_t t, float *out) { *out = tex2D<float>(t, 0.9f, 0.9f); }
__global__ void levels(cudaTextureObject_t t, const float *level, float *out) { out[threadIdx.x] = tex2DLod<float>(t, 0.9f, 0.9f, level[threadIdx.x]); }
__global__ void steps(cudaTextureObject_t t, float *out) {
    out[0] = tex2DGrad<float>(t, 0.9f, 0.9f, make_float2(0.125f, 0), make_float2(0, 0.125f));
    out[1] = tex2DGrad<float>(t, 0.9f, 0.9f, make_float2(0.25f, 0), make_float2(0, 0.125f));
    out[2] = tex2DGrad<float>(t, 0.9f, 0.9f, make_float2(0.125f, 0), make_float2(0, 1));
}
__global__ void line(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex1DLod<float>(t, 0.9f, threadIdx.x); }
__global__ void volume(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex3DLod<float>(t, 0.9f, 0.9f, 0.9f, threadIdx.x); }
__global__ void layers(cudaTextureObject_t t, float *out) {
    out[0] = tex2DLayeredLod<float>(t, 0.9f, 0.9f, 1, 0);
    out[1] = tex2DLayeredLod<float>(t, 0.9f, 0.9f, 1, 1);
}
__global__ void cube(cudaTextureObject_t t, float *out) {
    out[0] = texCubemapLod<float>(t, -0.1f, -0.1f, -1, 1);
    out[1] = texCubemapGrad<float>(t, -0.1f, -0.1f, -1, make_float4(1, 0, 0, 0), make_float4(0, 0.5f, 0, 0));
}
__global__ void gather4(cudaTextureObject_t t, float4 *out) { *out = tex2Dgather<float4>(t, 2, 2); }
__global__ void colour(cudaTextureObject_t t, float4 *out) { *out = tex2D<float4>(t, 0.5f, 0.5f); }
__global__ void mark(cudaSurfaceObject_t s) { surf2Dwrite(7.0f, s, 0, 0); }

// filled makes an array of all levels whose elements are 100 times their level, 10 times their row, and their index in it.
cudaMipmappedArray_t filled(cudaExtent extent, unsigned flags) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mipmapped;
    CHECK(cudaMallocMipmappedArray(&mipmapped, &format, extent, 99, flags));
    cudaArray_t level;
    for (int k = 0; cudaGetMipmappedArrayLevel(&level, mipmapped, k) == cudaSuccess; k++) {
        cudaExtent size;
        CHECK(cudaArrayGetInfo(nullptr, &size, nullptr, level));
        size_t h = size.height > 0 ? size.height : 1, d = size.depth > 0 ? size.depth : 1;
        printf(" %zux%zux%zu", size.width, size.height, size.depth);
        std::vector<float> host(size.width * h * d);
        for (size_t i = 0; i < host.size(); i++)
            host[i] = 100 * k + 10 * (i / size.width % h) + i % size.width;
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(host.data(), size.width * 4, size.width, h);
        copy.dstArray = level;
        copy.extent = make_cudaExtent(size.width, h, d);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy));
    }
    printf("\n");
    return mipmapped;
}

cudaTextureDesc sampling(cudaTextureFilterMode between) {
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    for (int i = 0; i < 3; i++)
        how.addressMode[i] = cudaAddressModeClamp;
    how.normalizedCoords = 1;
    how.mipmapFilterMode = between;
    how.maxMipmapLevelClamp = 10;
    return how;
}

cudaTextureObject_t texture(cudaMipmappedArray_t m, const cudaTextureDesc &how, const cudaResourceViewDesc *view = nullptr) {
    cudaResourceDesc what;
    memset(&what, 0, sizeof what);
    what.resType = cudaResourceTypeMipmappedArray;
    what.res.mipmap.mipmap = m;
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &what, &how, view));
    return t;
}

float *out;
void show(const char *name, int n) {
    CHECK(cudaDeviceSynchronize());
    printf("%s:", name);
    for (int i = 0; i < n; i++)
        printf(" %g", out[i]);
    printf("\n");
}

int main() {
    CHECK(cudaMallocManaged(&out, 64 * sizeof *out));
    const float wanted[] = {0, 0.25f, 0.75f, 1, 1.5f, 2, 3, 9, -1};
    const int n = sizeof wanted / sizeof *wanted;
    float *level;
    CHECK(cudaMallocManaged(&level, sizeof wanted));
    memcpy(level, wanted, sizeof wanted);

    cudaMipmappedArray_t m = filled(make_cudaExtent(8, 4, 0), cudaArraySurfaceLoadStore);
    cudaTextureDesc how = sampling(cudaFilterModePoint);
    base<<<1, 1>>>(texture(m, how), out);
    show("base", 1);
    level[4] = 1.75f; // not in the middle, where the nearest level is a matter of taste
    levels<<<1, n>>>(texture(m, how), level, out);
    show("nearest", n);
    steps<<<1, 1>>>(texture(m, how), out);
    show("steps", 3);
    level[4] = 1.5f;
    how.mipmapFilterMode = cudaFilterModeLinear;
    levels<<<1, n>>>(texture(m, how), level, out);
    show("between", n);
    how.mipmapLevelBias = 1;
    levels<<<1, n>>>(texture(m, how), level, out);
    show("bias", n);
    how.mipmapLevelBias = 0, how.minMipmapLevelClamp = 0.5f, how.maxMipmapLevelClamp = 1.5f;
    levels<<<1, n>>>(texture(m, how), level, out);
    show("clamped", n);
    how.minMipmapLevelClamp = 0, how.maxMipmapLevelClamp = 10;
    cudaResourceViewDesc view;
    memset(&view, 0, sizeof view);
    view.format = cudaResViewFormatFloat1, view.width = 8, view.height = 4;
    view.firstMipmapLevel = 1, view.lastMipmapLevel = 2;
    levels<<<1, n>>>(texture(m, how, &view), level, out);
    show("view", n);
    cudaArray_t second;
    CHECK(cudaGetMipmappedArrayLevel(&second, m, 1));
    cudaResourceDesc what;
    memset(&what, 0, sizeof what);
    what.resType = cudaResourceTypeArray;
    what.res.array.array = second;
    cudaSurfaceObject_t s;
    CHECK(cudaCreateSurfaceObject(&s, &what));
    mark<<<1, 1>>>(s);
    float host[2][4];
    CHECK(cudaMemcpy2DFromArray(host, sizeof host[0], second, 0, 0, sizeof host[0], 2, cudaMemcpyDeviceToHost));
    printf("written: %g %g\n", host[0][0], host[0][1]);
    CHECK(cudaFreeMipmappedArray(m));

    how = sampling(cudaFilterModePoint);
    m = filled(make_cudaExtent(5, 0, 0), 0);
    line<<<1, 3>>>(texture(m, how), out);
    show("line", 3);
    CHECK(cudaFreeMipmappedArray(m));
    m = filled(make_cudaExtent(4, 4, 2), 0);
    volume<<<1, 3>>>(texture(m, how), out);
    show("volume", 3);
    CHECK(cudaFreeMipmappedArray(m));
    m = filled(make_cudaExtent(4, 4, 2), cudaArrayLayered);
    layers<<<1, 1>>>(texture(m, how), out);
    show("layers", 2);
    CHECK(cudaFreeMipmappedArray(m));
    m = filled(make_cudaExtent(4, 4, 6), cudaArrayCubemap);
    cube<<<1, 1>>>(texture(m, how), out);
    show("cube", 2);

    cudaTextureObject_t t;
    cudaArray_t none;
    printf("%s\n", cudaGetErrorString(cudaGetMipmappedArrayLevel(&none, m, 3)));
    CHECK(cudaFreeMipmappedArray(m));

    float table[4][4];
    for (int i = 0; i < 16; i++)
        table[i / 4][i % 4] = 10 * (i / 4) + i % 4;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, 4, 4, cudaArrayTextureGather));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, table, sizeof table[0], sizeof table[0], 4, cudaMemcpyHostToDevice));
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    how.normalizedCoords = 0;
    CHECK(cudaCreateTextureObject(&t, &what, &how, nullptr));
    gather4<<<1, 1>>>(t, reinterpret_cast<float4 *>(out));
    show("gather", 4);

    uchar4 pixel = make_uchar4(255, 128, 0, 128);
    format = cudaCreateChannelDesc<uchar4>();
    CHECK(cudaMallocArray(&array, &format, 1, 1));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, &pixel, sizeof pixel, sizeof pixel, 1, cudaMemcpyHostToDevice));
    what.res.array.array = array;
    how.sRGB = 1;
    how.readMode = cudaReadModeNormalizedFloat;
    CHECK(cudaCreateTextureObject(&t, &what, &how, nullptr));
    colour<<<1, 1>>>(t, reinterpret_cast<float4 *>(out));
    CHECK(cudaDeviceSynchronize());
    printf("sRGB: %.3f %.3f %.3f %.3f\n", out[0], out[1], out[2], out[3]);
}
// Output:
//  8x4x0 4x2x0 2x1x0 1x1x0
// base: 37
// nearest: 37 37 113 113 201 201 300 300 37
// steps: 37 113 201
// between: 37 56 94 113 157 201 300 300 37
// bias: 113 135 179 201 250.5 300 300 300 37
// clamped: 75 75 94 113 157 157 157 157 75
// view: 113 135 179 201 201 201 201 201 113
// written: 7 101
//  5x0x0 2x0x0 1x0x0
// line: 4 101 200
//  4x4x2 2x2x1 1x1x1
// volume: 33 111 200
//  4x4x2 2x2x2 1x1x2
// layers: 33 111
//  4x4x6 2x2x6 1x1x6
// cube: 111 111
// invalid argument
// gather: 21 22 12 11
// sRGB: 1.000 0.216 0.000 0.502
