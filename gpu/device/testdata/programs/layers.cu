// Textures and surfaces with layers, and of the faces of cubes.
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

__global__ void lines(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex1DLayered<float>(t, 1, threadIdx.x); }
__global__ void pictures(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex2DLayered<float>(t, 2, 1, threadIdx.x); }
__global__ void cube(cudaTextureObject_t t, const float4 *at, float *out) {
    float4 d = at[threadIdx.x];
    out[threadIdx.x] = texCubemap<float>(t, d.x, d.y, d.z);
}
__global__ void cubes(cudaTextureObject_t t, const float4 *at, float *out) {
    float4 d = at[threadIdx.x];
    out[threadIdx.x] = texCubemapLayered<float>(t, d.x, d.y, d.z, 1);
}
__global__ void addToLines(cudaSurfaceObject_t s) {
    int x = threadIdx.x * 4, layer = blockIdx.x;
    surf1DLayeredwrite(surf1DLayeredread<float>(s, x, layer) + 0.5f, s, x, layer);
}
__global__ void addToPictures(cudaSurfaceObject_t s) {
    int x = threadIdx.x * 4, y = threadIdx.y, layer = blockIdx.x;
    float v;
    surf2DLayeredread(&v, s, x, y, layer);
    surf2DLayeredwrite(v + 0.5f, s, x, y, layer);
    surf2DLayeredwrite(-1.0f, s, x, y, 77, cudaBoundaryModeZero); // outside
}
__global__ void turnCube(cudaSurfaceObject_t s) {
    int x = threadIdx.x * 4, y = threadIdx.y, face = blockIdx.x;
    surfCubemapwrite(1000 - surfCubemapread<float>(s, x, y, face), s, x, y, face);
}
__global__ void turnCubes(cudaSurfaceObject_t s) {
    int x = threadIdx.x * 4, y = threadIdx.y, layerFace = blockIdx.x;
    surfCubemapLayeredwrite(-surfCubemapLayeredread<float>(s, x, y, layerFace), s, x, y, layerFace);
}

// filled makes an array whose elements are 100 times their layer or face, 10 times their row, and their index in it.
cudaArray_t filled(cudaExtent extent, unsigned flags) {
    size_t h = extent.height > 0 ? extent.height : 1;
    std::vector<float> host(extent.width * h * extent.depth);
    for (size_t i = 0; i < host.size(); i++)
        host[i] = 100 * (i / (extent.width * h)) + 10 * (i / extent.width % h) + i % extent.width;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host.data(), extent.width * 4, extent.width, h);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, h, extent.depth);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

cudaResourceDesc resource(cudaArray_t array) {
    cudaResourceDesc what;
    memset(&what, 0, sizeof what);
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    return what;
}

cudaTextureObject_t texture(cudaArray_t array, cudaTextureFilterMode filter, bool normalized, bool seamless = false) {
    cudaResourceDesc what = resource(array);
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    for (int i = 0; i < 3; i++)
        how.addressMode[i] = cudaAddressModeClamp;
    how.filterMode = filter;
    how.normalizedCoords = normalized;
    how.seamlessCubemap = seamless;
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &what, &how, nullptr));
    return t;
}

cudaSurfaceObject_t surface(cudaArray_t array) {
    cudaResourceDesc what = resource(array);
    cudaSurfaceObject_t s;
    CHECK(cudaCreateSurfaceObject(&s, &what));
    return s;
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

    cudaArray_t array = filled(make_cudaExtent(4, 0, 3), cudaArrayLayered | cudaArraySurfaceLoadStore);
    lines<<<1, 3>>>(texture(array, cudaFilterModeLinear, false), out);
    show("lines", 3);
    addToLines<<<3, 4>>>(surface(array));
    lines<<<1, 3>>>(texture(array, cudaFilterModePoint, false), out);
    show("lines, written", 3);
    CHECK(cudaFreeArray(array));

    array = filled(make_cudaExtent(4, 2, 3), cudaArrayLayered | cudaArraySurfaceLoadStore);
    pictures<<<1, 3>>>(texture(array, cudaFilterModeLinear, false), out);
    show("pictures", 3);
    addToPictures<<<3, dim3(4, 2)>>>(surface(array));
    pictures<<<1, 3>>>(texture(array, cudaFilterModePoint, false), out);
    show("pictures, written", 3);
    CHECK(cudaFreeArray(array));

    // The same element of each face, then a longer direction, and one between elements.
    const float4 directions[] = {{1, 0.25f, -0.75f, 0}, {-1, 0.25f, 0.75f, 0}, {0.75f, 1, -0.25f, 0}, {0.75f, -1, 0.25f, 0},
                                 {0.75f, 0.25f, 1, 0}, {-0.75f, 0.25f, -1, 0}, {2, 0.5f, -1.5f, 0}, {1, 0.25f, -0.5f, 0},
                                 {0.9375f, 0.25f, 1, 0}, {-0.9375f, 0.25f, -1, 0}, {-0.25f, 0.9375f, 1, 0}};
    const int n = sizeof directions / sizeof *directions;
    float4 *at;
    CHECK(cudaMallocManaged(&at, sizeof directions));
    memcpy(at, directions, sizeof directions);

    array = filled(make_cudaExtent(4, 4, 6), cudaArrayCubemap | cudaArraySurfaceLoadStore);
    cube<<<1, n>>>(texture(array, cudaFilterModeLinear, true), at, out);
    show("cube", n);
    cube<<<1, n>>>(texture(array, cudaFilterModeLinear, true, true), at, out);
    show("seamless", n);
    turnCube<<<6, dim3(4, 4)>>>(surface(array));
    cube<<<1, 6>>>(texture(array, cudaFilterModePoint, true), at, out);
    show("cube, written", 6);
    CHECK(cudaFreeArray(array));

    array = filled(make_cudaExtent(4, 4, 12), cudaArrayCubemap | cudaArrayLayered | cudaArraySurfaceLoadStore);
    cubes<<<1, 8>>>(texture(array, cudaFilterModeLinear, true), at, out);
    show("cubes", 8);
    turnCubes<<<12, dim3(4, 4)>>>(surface(array));
    cubes<<<1, 6>>>(texture(array, cudaFilterModePoint, true), at, out);
    show("cubes, written", 6);
    cudaChannelFormatDesc format;
    cudaExtent extent;
    unsigned flags;
    CHECK(cudaArrayGetInfo(&format, &extent, &flags, array));
    printf("%d bits, %zu x %zu x %zu, %s %s\n", format.x, extent.width, extent.height, extent.depth, flags & cudaArrayLayered ? "layers" : "-", flags & cudaArrayCubemap ? "cube" : "-");
    CHECK(cudaFreeArray(array));

    const struct {
        cudaExtent extent;
        unsigned flags;
    } wrong[] = {
        {{4, 3, 6}, cudaArrayCubemap}, {{4, 4, 5}, cudaArrayCubemap}, {{4, 4, 12}, cudaArrayCubemap}, {{4, 4, 8}, cudaArrayCubemap | cudaArrayLayered},
        {{4, 4, 0}, cudaArrayLayered}, {{4, 0, 4}, 0}, {{0, 4, 4}, cudaArrayLayered}, {{4, 4, 4096}, cudaArrayLayered}, {{1 << 20, 0, 0}, 0},
    };
    for (auto &w : wrong)
        printf("%s\n", cudaGetErrorString(cudaMalloc3DArray(&array, &format, w.extent, w.flags)));
}
// Output:
// lines: 0.5 100.5 200.5
// lines, written: 1.5 101.5 201.5
// pictures: 6.5 106.5 206.5
// pictures, written: 12.5 112.5 212.5
// cube: 13 113 213 313 413 513 13 12.5 413 513 401
// seamless: 13 113 213 313 413 513 13 12.5 261.875 361.875 337.25
// cube, written: 987 887 787 687 587 487
// cubes: 613 713 813 913 1013 1113 613 612.5
// cubes, written: -613 -713 -813 -913 -1013 -1113
// 32 bits, 4 x 4 x 12, layers cube
// invalid argument
// invalid argument
// invalid argument
// invalid argument
// invalid argument
// invalid argument
// invalid argument
// invalid argument
// invalid argument
