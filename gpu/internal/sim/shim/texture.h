// Textures and surfaces, which the simulator has not: calls are refused with a word on
// what to use instead.
#pragma once

using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;

#define GW_NO_TEXTURE(name)                                                                                              \
    template <class Result = void, class... Args>                                                                        \
    __attribute__((error("the simulator has no textures and surfaces: read and write an ordinary buffer (const float *__restrict__, with " \
                         "__ldg where it helps), clamp the indices and interpolate in the kernel"))) Result              \
    name(Args...);
GW_NO_TEXTURE(tex1D)
GW_NO_TEXTURE(tex1Dfetch)
GW_NO_TEXTURE(tex1DLayered)
GW_NO_TEXTURE(tex2D)
GW_NO_TEXTURE(tex2DLod)
GW_NO_TEXTURE(tex2DGrad)
GW_NO_TEXTURE(tex2DLayered)
GW_NO_TEXTURE(tex2Dgather)
GW_NO_TEXTURE(tex3D)
GW_NO_TEXTURE(texCubemap)
GW_NO_TEXTURE(surf1Dread)
GW_NO_TEXTURE(surf1Dwrite)
GW_NO_TEXTURE(surf2Dread)
GW_NO_TEXTURE(surf2Dwrite)
GW_NO_TEXTURE(surf3Dread)
GW_NO_TEXTURE(surf3Dwrite)
#undef GW_NO_TEXTURE
