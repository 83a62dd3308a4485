// Texture objects over an array, linear memory and pitched memory.
#include <cstdio>
#include <cstring>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t e = (call);                                                          \
        if (e != cudaSuccess) {                                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e));           \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

__global__ void at(cudaTextureObject_t t, const float2 *places, float *out, int n) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = tex2D<float>(t, places[i].x, places[i].y);
}
__global__ void along(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex1D<float>(t, threadIdx.x * 0.5f); }
__global__ void elements(cudaTextureObject_t t, int *out) { out[threadIdx.x] = tex1Dfetch<int>(t, threadIdx.x); }
__global__ void colours(cudaTextureObject_t t, float4 *out) { *out = tex2D<float4>(t, 1, 0); }

__global__ void square(cudaSurfaceObject_t s) {
    int v = surf2Dread<int>(s, threadIdx.x * 4, threadIdx.y);
    surf2Dwrite(v * v, s, threadIdx.x * 4, threadIdx.y);
}

const int w = 4, h = 4; // powers of two, so that normalized coordinates are exact

// show prints what a texture gives at some places.
void show(const char *name, cudaTextureObject_t t, bool normalized) {
    const float2 places[] = {{0.5f, 0.5f}, {1.5f, 2.5f}, {1, 1}, {2.25f, 1.75f}, {0, 0}, {4, 4}, {-1.5f, 0.5f}, {5.5f, 1.5f}};
    const int n = sizeof places / sizeof *places;
    float2 *p;
    float *out;
    CHECK(cudaMallocManaged(&p, sizeof places));
    CHECK(cudaMallocManaged(&out, n * sizeof(float)));
    for (int i = 0; i < n; i++)
        p[i] = normalized ? make_float2(places[i].x / w, places[i].y / h) : places[i];
    at<<<1, 32>>>(t, p, out, n);
    CHECK(cudaDeviceSynchronize());
    printf("%s:", name);
    for (int i = 0; i < n; i++)
        printf(" %.3g", out[i]);
    printf("\n");
    CHECK(cudaFree(p));
    CHECK(cudaFree(out));
}

int main() {
    float table[h][w];
    for (int i = 0; i < w * h; i++)
        table[i / w][i % w] = i;

    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, w, h));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, table, sizeof table[0], sizeof table[0], h, cudaMemcpyHostToDevice));
    cudaResourceDesc what;
    memset(&what, 0, sizeof what);
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    cudaTextureDesc how;
    cudaTextureObject_t t;
    const struct {
        const char *name;
        cudaTextureAddressMode mode;
        cudaTextureFilterMode filter;
        int normalized;
    } ways[] = {
        {"point, clamp", cudaAddressModeClamp, cudaFilterModePoint, 0},
        {"linear, clamp", cudaAddressModeClamp, cudaFilterModeLinear, 0},
        {"linear, border", cudaAddressModeBorder, cudaFilterModeLinear, 0},
        {"point, wrap", cudaAddressModeWrap, cudaFilterModePoint, 0},
        {"point, border, normalized", cudaAddressModeBorder, cudaFilterModePoint, 1},
        {"linear, clamp, normalized", cudaAddressModeClamp, cudaFilterModeLinear, 1},
    };
    for (auto &way : ways) {
        memset(&how, 0, sizeof how);
        how.addressMode[0] = how.addressMode[1] = way.mode;
        how.filterMode = way.filter;
        how.normalizedCoords = way.normalized;
        CHECK(cudaCreateTextureObject(&t, &what, &how, nullptr));
        show(way.name, t, way.normalized);
        CHECK(cudaDestroyTextureObject(t));
    }

    float *rows, *out;
    size_t pitch;
    CHECK(cudaMallocPitch(&rows, &pitch, sizeof table[0], h));
    CHECK(cudaMemcpy2D(rows, pitch, table, sizeof table[0], sizeof table[0], h, cudaMemcpyHostToDevice));
    memset(&what, 0, sizeof what);
    what.resType = cudaResourceTypePitch2D;
    what.res.pitch2D.devPtr = rows;
    what.res.pitch2D.desc = format;
    what.res.pitch2D.width = w;
    what.res.pitch2D.height = h;
    what.res.pitch2D.pitchInBytes = pitch;
    memset(&how, 0, sizeof how);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    CHECK(cudaCreateTextureObject(&t, &what, &how, nullptr));
    show("pitched", t, false);

    int *numbers, *found;
    CHECK(cudaMallocManaged(&numbers, 4 * sizeof(int)));
    CHECK(cudaMallocManaged(&found, 4 * sizeof(int)));
    for (int i = 0; i < 4; i++)
        numbers[i] = 10 * i - 5;
    memset(&what, 0, sizeof what);
    what.resType = cudaResourceTypeLinear;
    what.res.linear.devPtr = numbers;
    what.res.linear.desc = cudaCreateChannelDesc<int>();
    what.res.linear.sizeInBytes = 4 * sizeof(int);
    memset(&how, 0, sizeof how);
    CHECK(cudaCreateTextureObject(&t, &what, &how, nullptr));
    elements<<<1, 4>>>(t, found);
    CHECK(cudaDeviceSynchronize());
    printf("linear memory: %d %d %d %d\n", found[0], found[1], found[2], found[3]);

    uchar4 pixels[2] = {make_uchar4(0, 0, 0, 0), make_uchar4(255, 51, 0, 102)};
    format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t picture;
    CHECK(cudaMallocArray(&picture, &format, 2, 1));
    CHECK(cudaMemcpy2DToArray(picture, 0, 0, pixels, sizeof pixels, sizeof pixels, 1, cudaMemcpyHostToDevice));
    memset(&what, 0, sizeof what);
    what.resType = cudaResourceTypeArray;
    what.res.array.array = picture;
    how.readMode = cudaReadModeNormalizedFloat;
    CHECK(cudaCreateTextureObject(&t, &what, &how, nullptr));
    float4 *colour;
    CHECK(cudaMallocManaged(&colour, sizeof *colour));
    colours<<<1, 1>>>(t, colour);
    CHECK(cudaDeviceSynchronize());
    printf("colours: %.3g %.3g %.3g %.3g\n", colour->x, colour->y, colour->z, colour->w);

    format = cudaCreateChannelDesc<float>();
    cudaArray_t line;
    CHECK(cudaMallocArray(&line, &format, w));
    CHECK(cudaMemcpy2DToArray(line, 0, 0, table[1], sizeof table[1], sizeof table[1], 1, cudaMemcpyHostToDevice));
    what.res.array.array = line;
    memset(&how, 0, sizeof how);
    how.addressMode[0] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    CHECK(cudaCreateTextureObject(&t, &what, &how, nullptr));
    CHECK(cudaMallocManaged(&out, 8 * sizeof(float)));
    along<<<1, 8>>>(t, out);
    CHECK(cudaDeviceSynchronize());
    printf("one dimension:");
    for (int i = 0; i < 8; i++)
        printf(" %g", out[i]);
    printf("\n");
    cudaArray_t canvas;
    format = cudaCreateChannelDesc<int>();
    CHECK(cudaMallocArray(&canvas, &format, 4, 2, cudaArraySurfaceLoadStore));
    const int cells[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    CHECK(cudaMemcpy2DToArray(canvas, 0, 0, cells, sizeof cells[0], sizeof cells[0], 2, cudaMemcpyHostToDevice));
    what.resType = cudaResourceTypeArray;
    what.res.array.array = canvas;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &what));
    square<<<1, dim3(4, 2)>>>(surface);
    int squares[2][4];
    CHECK(cudaMemcpy2DFromArray(squares, sizeof squares[0], canvas, 0, 0, sizeof squares[0], 2, cudaMemcpyDeviceToHost));
    printf("surface: %d %d %d\n", squares[0][0], squares[0][3], squares[1][3]);
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(canvas));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFreeArray(picture));
    CHECK(cudaFreeArray(line));
}
// Output:
// point, clamp: 0 9 5 6 0 15 0 7
// linear, clamp: 0 9 2.5 6.75 0 15 0 7
// linear, border: 0 9 2.5 6.75 0 3.75 0 0
// point, wrap: 0 9 5 6 0 15 0 7
// point, border, normalized: 0 9 5 6 0 0 0 0
// linear, clamp, normalized: 0 9 2.5 6.75 0 15 0 7
// pitched: 0 9 2.5 6.75 0 15 0 7
// linear memory: -5 5 15 25
// colours: 1 0.2 0 0.4
// one dimension: 4 4 4.5 5 5.5 6 6.5 7
// surface: 1 16 64
