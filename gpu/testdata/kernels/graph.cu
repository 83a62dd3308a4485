// Graphs: breadth-first search level by level, and all shortest paths by Floyd and Warshall.
//
//	edges = int[512] made
//	level = int[128] made
//	dist = int[1024] made
//	launch bfs<<<1, 128>>>(edges, level, 128)
//	launch floyd<<<1, (32, 32)>>>(dist)
// Every node has four edges.
__global__ void bfs(const int *edges, int *level, int n) {
	__shared__ int changed;
	int v = threadIdx.x;
	for (int l = 0; l < n; l++) {
		if (v == 0) changed = 0;
		int mine = level[v];
		__syncthreads();
		if (mine == l)
			for (int e = 0; e < 4; e++) {
				int to = edges[4 * v + e];
				if (atomicCAS(&level[to], -1, l + 1) == -1) atomicExch(&changed, 1);
			}
		__syncthreads();
		if (changed == 0) break;
		__syncthreads();
	}
}

__global__ void floyd(int *dist) {
	__shared__ int d[32][32];
	int i = threadIdx.y, j = threadIdx.x;
	d[i][j] = dist[i * 32 + j];
	__syncthreads();
	for (int k = 0; k < 32; k++) {
		int through = d[i][k] + d[k][j];
		__syncthreads();
		d[i][j] = min(d[i][j], through);
		__syncthreads();
	}
	dist[i * 32 + j] = d[i][j];
}
