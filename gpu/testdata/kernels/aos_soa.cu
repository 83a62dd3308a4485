// The same particles as an array of structures and as a structure of arrays.
//
//	p = float[4096] small 9
//	x = float[1024] small 10
//	vx = float[1024] small 11
//	launch move_aos<<<4, 256>>>(p, 1024, 0.5)
//	launch move_soa<<<4, 256>>>(x, vx, 1024, 0.5)
struct Particle {
	float x, y, vx, vy;
};

__global__ void move_aos(Particle *p, int n, float dt) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		p[i].x += p[i].vx * dt;
		p[i].y += p[i].vy * dt;
	}
}

__global__ void move_soa(float *x, const float *vx, int n, float dt) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] += vx[i] * dt;
}
