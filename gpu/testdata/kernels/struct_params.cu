// Structures and vectors by value: camera and box parameters, and a structure that holds one.
//
//	out = float[64] zero
//	boxes = int[32] zero
//	launch shade<<<2, 32>>>({0.5f, 1.5f, 2.0f, 4}, {1.0f, 2.0f, 3.0f, 4.0f}, out)
//	launch count<<<1, 32>>>({1b, 2, 3l, 10, 20, 30}, {7, 8}, boxes, 100)
struct Light {
	float3 at;
	int bounces;
};

struct Box {
	char kind;
	int n;
	long long wide;
	int corner[3];
};

__global__ void shade(Light l, float4 color, float *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = (l.at.x + l.at.y + l.at.z) * i + color.w * l.bounces + color.x * color.y - color.z;
}

__global__ void count(const Box b, int2 p, int *out, int last) {
	int i = threadIdx.x;
	out[i] = b.kind + b.n * 10 + (int)b.wide * 100 + b.corner[i % 3] * i + p.x * 1000 - p.y + last;
}
