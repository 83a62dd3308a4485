// Gravity among bodies, with tiles of positions in shared memory.
//
//	pos = float[1024] uniform 23
//	vel = float[1024] zero
//	acc = float[1024] zero
//	near acc 5e-3
//	launch forces<<<4, 64>>>(pos, acc, 256)
__device__ float3 pull(float4 a, float4 b, float3 sum) {
	float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
	float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
	float inv = rsqrtf(d2);
	float s = b.w * inv * inv * inv;
	sum.x += dx * s;
	sum.y += dy * s;
	sum.z += dz * s;
	return sum;
}

__global__ void forces(const float4 *pos, float4 *acc, int n) {
	__shared__ float4 tile[64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 me = pos[i];
	float3 sum = {0, 0, 0};
	for (int t = 0; t < n; t += blockDim.x) {
		tile[threadIdx.x] = pos[t + threadIdx.x];
		__syncthreads();
		for (int k = 0; k < blockDim.x; k++) sum = pull(me, tile[k], sum);
		__syncthreads();
	}
	acc[i] = make_float4(sum.x, sum.y, sum.z, 0);
}
