// What host code of whole programs makes textures and surfaces of: CUDA arrays, linear memory and pitched memory.
#pragma once

#include "array_api.h"

enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };

// Formats of a view: of each kind one, two and four channels.
#define GW_VIEW(name, number) cudaResViewFormat##name##1 = number, cudaResViewFormat##name##2 = number + 1, cudaResViewFormat##name##4 = number + 2
enum cudaResourceViewFormat {
    cudaResViewFormatNone,
    GW_VIEW(UnsignedChar, 1),
    GW_VIEW(SignedChar, 4),
    GW_VIEW(UnsignedShort, 7),
    GW_VIEW(SignedShort, 10),
    GW_VIEW(UnsignedInt, 13),
    GW_VIEW(SignedInt, 16),
    GW_VIEW(Half, 19),
    GW_VIEW(Float, 22),
    cudaResViewFormatUnsignedBlockCompressed1 = 25,
    cudaResViewFormatUnsignedBlockCompressed2,
    cudaResViewFormatUnsignedBlockCompressed3,
    cudaResViewFormatUnsignedBlockCompressed4,
    cudaResViewFormatSignedBlockCompressed4,
    cudaResViewFormatUnsignedBlockCompressed5,
    cudaResViewFormatSignedBlockCompressed5,
    cudaResViewFormatUnsignedBlockCompressed6H,
    cudaResViewFormatSignedBlockCompressed6H,
    cudaResViewFormatUnsignedBlockCompressed7
};
#undef GW_VIEW

struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc {
    cudaResourceViewFormat format;
    size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer, reserved[16];
};

namespace gwrt {

constexpr unsigned maxLevels = 20;

// A KeptTexture is what an object points to: what kernels read, and after it what the object was made of.
struct KeptTexture {
    gwsim::Texture texture;
    gwsim::Level more[maxLevels]; // the levels after 0
    cudaResourceDesc what;
    cudaTextureDesc how;
    cudaResourceViewDesc view;
    bool hasView;
};

// A Source is the memory of a texture, with the most detailed level first.
struct Source {
    std::vector<gwsim::Level> levels;
    cudaChannelFormatDesc format;
    unsigned flags;
};
gwsim::Level levelOf(const cudaArray &a);
gwsim::Level levelOf(void *data, size_t width, size_t height, size_t pitch);

// takeSource finds the memory that a resource is. It returns an error if there is none.
cudaError takeSource(Source &out, const cudaResourceDesc &what);

// formatOf is the format of elements of a view.
cudaChannelFormatDesc formatOf(cudaResourceViewFormat view);

// applyView leaves of a source what a view shows.
cudaError applyView(Source &s, const cudaResourceDesc &what, const cudaResourceViewDesc &view);

// checkSampling returns the error of a texture that cannot be read in a way.
cudaError checkSampling(const Source &s, const cudaResourceDesc &what, const cudaTextureDesc &how);

// sampling fills in how a texture is read.
void sampling(gwsim::Texture &t, const Source &s, const cudaTextureDesc &how);

const KeptTexture &keptOf(cudaTextureObject_t object);

} // namespace gwrt

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *what, const cudaTextureDesc *how, const cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *what, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *how, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *view, cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *what);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *what, cudaSurfaceObject_t object);
