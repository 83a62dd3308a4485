package sim

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// TestProgramSplits checks which kernels of a whole program have split forms, and that these compile: templates and kernels in headers,
// too. A pack of parameters has no array for its values.
func TestProgramSplits(t *testing.T) {
	dir := t.TempDir()
	header := `
		#pragma once
		template <typename T, int block = 256> __global__ void sum(const T *in, T *out) {
			__shared__ T part[block];
			part[threadIdx.x] = in[threadIdx.x];
			__syncthreads();
			for (int s = block / 2; s > 0; s /= 2) {
				if (threadIdx.x < s)
					part[threadIdx.x] += part[threadIdx.x + s];
				__syncthreads();
			}
			out[threadIdx.x] = part[0];
		}
		__global__ void turn(int *x) {
			__shared__ int all[32];
			all[threadIdx.x] = x[threadIdx.x];
			__syncthreads();
			x[threadIdx.x] = all[31 - threadIdx.x];
		}`
	source := `
		#include "header.cuh"
		namespace own {
		template <class T> __global__ void twice(T *x) { x[threadIdx.x] *= 2; }
		}
		template <int by, class... X> __global__ void each(X *...x) {
			__syncthreads();
			((x[threadIdx.x] += by), ...);
		}
		int main() {
			int *x;
			cudaMallocManaged(&x, 256 * sizeof *x);
			sum<<<1, 256>>>(x, x), sum<int, 128><<<1, 128>>>(x, x), turn<<<1, 32>>>(x), own::twice<<<1, 32>>>(x), each<2><<<1, 32>>>(x, x);
			return cudaDeviceSynchronize();
		}`
	check(t, os.WriteFile(filepath.Join(dir, "header.cuh"), []byte(header), 0o644))
	tools, err := findToolchain()
	check(t, err)
	u, err := tools.newProgramUnit(backend.Program{Name: "main.cu", Dir: dir, Source: source}, true)
	check(t, err)
	var names []string
	for k := range maps.Keys(u.splits) {
		names = append(names, k.QualifiedName())
	}
	slices.Sort(names)
	if want := []string{"own::twice", "sum", "turn"}; !slices.Equal(names, want) {
		t.Errorf("split are %q, want %q", names, want)
	}
	tools, err = findToolchain()
	check(t, err)
	_, err = tools.build(u)
	check(t, err)
}
