// The game of life on a torus, several generations inside one block and one a launch.
//
//	a = uchar[4096] below 2 24
//	b = uchar[4096] zero
//	c = uchar[1024] below 2 25
//	launch generation<<<(4, 4), (16, 16)>>>(a, b, 64, 64)
//	launch generation<<<(4, 4), (16, 16)>>>(b, a, 64, 64)
//	launch block_life<<<1, (32, 32)>>>(c, 5)
__global__ void generation(const unsigned char *in, unsigned char *out, int w, int h) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int n = 0;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			if (dx || dy) n += in[(y + dy + h) % h * w + (x + dx + w) % w];
	out[y * w + x] = n == 3 || (n == 2 && in[y * w + x]);
}

__global__ void block_life(unsigned char *world, int rounds) {
	__shared__ unsigned char s[32][32];
	int x = threadIdx.x, y = threadIdx.y;
	s[y][x] = world[y * 32 + x];
	__syncthreads();
	for (int r = 0; r < rounds; r++) {
		int n = 0;
		for (int dy = 31; dy <= 33; dy++)
			for (int dx = 31; dx <= 33; dx++) n += s[(y + dy) % 32][(x + dx) % 32];
		n -= s[y][x];
		bool lives = n == 3 || (n == 2 && s[y][x]);
		__syncthreads();
		s[y][x] = lives;
		__syncthreads();
	}
	world[y * 32 + x] = s[y][x];
}
