#include <cuda_fp16.h>
#include <stdio.h>
__device__ float total; __constant__ float coef[4] = {1,2,3,4};
static __device__ int hidden;
__device__ __noinline__ float helper(float x, int n) { for (int i=0;i<n;i++) x = x*1.5f+coef[i&3]; return x; }
extern "C" __global__ void k(float *x, __half2 *h, double *d, int n) {
  int i = blockIdx.x*blockDim.x+threadIdx.x;
  if (i >= n) return;
  x[i] = helper(x[i], n) / 3.0f + expf(x[i]) + sqrtf(x[i]);
  h[i] = __hadd2(h[i], h[i]);
  if (d[i] > 3) d[i] = d[i]*d[i]; else d[i] += 7;
  atomicAdd(&total, x[i]); hidden++;
  if (i == 5) printf("hi {%f}\n", x[i]);
}
