// Dynamic programming along diagonals: the longest common subsequence and the edit distance.
//
//	s = uchar[64] below 4 59
//	t = uchar[64] below 4 60
//	table = int[4225] zero
//	distance = int[1] zero
//	launch lcs<<<1, 64>>>(s, t, table)
//	launch edit<<<1, 96>>>(s, t, distance)
__global__ void lcs(const unsigned char *s, const unsigned char *t, int *table) {
	const int n = 64, w = n + 1;
	for (int d = 0; d < 2 * n - 1; d++) {
		int i = threadIdx.x, j = d - i;
		if (j >= 0 && j < n) {
			int up = table[i * w + j + 1], left = table[(i + 1) * w + j], corner = table[i * w + j];
			table[(i + 1) * w + j + 1] = s[i] == t[j] ? corner + 1 : max(up, left);
		}
		__syncthreads();
	}
}

__global__ void edit(const unsigned char *s, const unsigned char *t, int *distance) {
	__shared__ int rows[3][65];
	int i = threadIdx.x;
	for (int d = 0; d <= 128; d++) {
		int j = d - i, *cur = rows[d % 3], *one = rows[(d + 2) % 3], *two = rows[(d + 1) % 3];
		if (i <= 64 && j >= 0 && j <= 64) {
			if (i == 0 || j == 0)
				cur[i] = i + j;
			else {
				int change = two[i - 1] + (s[i - 1] != t[j - 1]);
				cur[i] = min(change, min(one[i], one[i - 1]) + 1);
			}
		}
		__syncthreads();
	}
	if (i == 0) *distance = rows[128 % 3][64];
}
