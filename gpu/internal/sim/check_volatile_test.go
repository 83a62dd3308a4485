package sim

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// Lanes of a warp may exchange values by volatile variables, if they meet or wait in loops.
func TestCheckVolatile(t *testing.T) {
	r := newCheckRig(t)
	r.load("volatile.cu", `
__global__ void inTurn(int *order) {
	__shared__ volatile int turn, count;
	if (threadIdx.x == 0)
		turn = count = 0;
	__syncthreads();
	while (turn != threadIdx.x) {
	}
	order[count] = threadIdx.x;
	count = count + 1;
	__threadfence_block();
	turn = turn + 1;
}
__global__ void flag(int *out) {
	__shared__ volatile int ready, value;
	if (threadIdx.x == 0)
		ready = 0;
	__syncthreads();
	if (threadIdx.x == 5) {
		value = 42;
		__threadfence_block();
		ready = 1;
	}
	while (ready == 0)
		;
	__threadfence_block();
	out[threadIdx.x] = value;
}
__global__ void steps(int *out) {
	__shared__ volatile int s[64];
	int t = threadIdx.x;
	s[t] = s[t + 32] = t;
	__syncthreads();
	for (int d = 16; d > 0; d /= 2) {
		int sum = s[t] + s[t + d];
		__syncwarp();
		s[t] = sum;
		__syncwarp();
	}
	out[t] = s[0];
}
__global__ void chain(volatile int *sums) {
	int t = threadIdx.x;
	bool ready = false;
	while (!ready) {
		sums[32 + t]++; // a try
		int before = t == 0 ? 0 : sums[t - 1];
		if (before >= 0) { // the others have values below 0 yet
			sums[t] = before + t;
			ready = true;
		}
	}
}
__global__ void search(volatile int *found) {
	if (found[63] == 1)
		return;
	if (threadIdx.x % 5 == 0)
		found[63] = 1;
}
__global__ void neighbours(volatile int *sums) {
	int t = threadIdx.x, next = sums[t + 1];
	__syncwarp();
	sums[t] = next;
}
__global__ void own(volatile int *sums) {
	int t = threadIdx.x;
	sums[t] += sums[t];
	sums[t] *= 2;
}`)
	addr := r.alloc(256)
	r.write(addr, bytes.Repeat([]byte{0xff}, 256))
	for _, kernel := range []string{"chain", "inTurn", "flag", "steps", "search", "neighbours", "own"} {
		report := r.launch(kernel, [3]uint32{1, 1, 1}, [3]uint32{32, 1, 1}, 0, binary.LittleEndian.AppendUint64(nil, addr),
			backend.View{Addr: addr, Size: 256, Elem: 4, Name: "out"})
		for _, f := range report.Findings {
			t.Errorf("%s is accused: line %d: %s", kernel, f.Line, f.Message)
		}
	}
}

// A thread that gives up waiting after some time does not wait for ever.
func TestCheckClock(t *testing.T) {
	r := newCheckRig(t)
	r.load("clock.cu", `
__global__ void waits(volatile int *flag) {
	long long begin = clock64();
	while (*flag == 0)
		if (clock64() - begin > 20000000)
			break;
}`)
	addr := r.alloc(4)
	r.write(addr, make([]byte, 4))
	report := r.launch("waits", [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, 0, binary.LittleEndian.AppendUint64(nil, addr))
	for _, f := range report.Findings {
		t.Errorf("accused: line %d: %s", f.Line, f.Message)
	}
}
