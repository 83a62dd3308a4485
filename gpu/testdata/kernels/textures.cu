// Textures of one to three dimensions: a picture that is enlarged, a wave that goes round, and places
// between the elements of a volume. And surfaces, which are written.
//
//	picture = uchar[192] below 256 91
//	enlarged = float[1200] zero
//	wave = float[64] small 92
//	shifted = float[64] zero
//	volume = float[192] uniform 93
//	between = float[192] zero
//	canvas = short[96] small 94
//	layers = uchar[384] below 256 95
//	texture c = canvas 12x8
//	texture l = layers 4x4x6 channels4
//	texture p = picture 16x12 values linear normalized clamp
//	texture w = wave 64 normalized wrap
//	texture v = volume 8x6x4 linear clamp
//	near enlarged 0.006
//	near between 0.012
//	launch enlarge<<<(5, 4), (8, 8)>>>(p, enlarged, 40, 30)
//	launch shift<<<1, 64>>>(1, shifted, w)
//	launch mix<<<3, 64>>>(v, between)
//	launch invert<<<1, (12, 8)>>>(c)
//	launch invert<<<1, (12, 8)>>>(c)
//	launch invert<<<1, (12, 8)>>>(c)
//	launch swap<<<(1, 1, 6), (4, 4)>>>(l)
__global__ void enlarge(cudaTextureObject_t picture, float *out, int w, int h) {
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < w && y < h)
		out[y * w + x] = 1 + tex2D<float>(picture, (x + 0.5f) / w, (y + 0.5f) / h);
}

__global__ void shift(float quarter, float *out, cudaTextureObject_t wave) {
	out[threadIdx.x] = tex1D<float>(wave, (threadIdx.x + 0.5f) / 64 + 0.25f * quarter);
}

__global__ void mix(cudaTextureObject_t volume, float *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = i % 8, y = i / 8 % 6, z = i / 48;
	out[i] = 1 + tex3D<float>(volume, x + 0.25f, y + 0.75f, z);
}

__global__ void invert(cudaSurfaceObject_t canvas) {
	int x = threadIdx.x * sizeof(short), y = threadIdx.y;
	surf2Dwrite((short)(100 - surf2Dread<short>(canvas, x, y)), canvas, x, y);
}

__global__ void swap(cudaSurfaceObject_t layers) {
	uchar4 v;
	surf3Dread(&v, layers, threadIdx.x * 4, threadIdx.y, blockIdx.z);
	surf3Dwrite(make_uchar4(v.w, v.z, v.y, v.x), layers, threadIdx.x * 4, threadIdx.y, blockIdx.z);
	surf3Dwrite(make_uchar4(1, 2, 3, 4), layers, 16, 0, blockIdx.z, cudaBoundaryModeZero); // outside
}
