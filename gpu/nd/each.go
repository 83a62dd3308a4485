package nd

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// elementKernel is a handwritten kernel, with a thread for each of many items.
type elementKernel struct {
	name   string
	params string // all but the last one, which has the words
	need   sections
	before string  // declarations
	body   string  // the code for item i
	types  []DType // of the operands, for the description; nil if it has none
	// numbers are those on which the code depends otherwise.
	numbers []int
}

// each launches a routine for n items. The key must distinguish all kernels of that name. The words follow n, so that the first one is
// a.v[1].
func (e *engine) each(key string, n int, write func() elementKernel, list []int, buffers ...*buffer) {
	if n == 0 {
		return
	}
	cfg := gpu.Launch{Grid: gpu.Dim3{X: (n + mapBlock - 1) / mapBlock, Y: 1, Z: 1}, Block: gpu.Dim3{X: mapBlock, Y: 1, Z: 1}}
	text := func() source { return write().source(len(list) + 1) }
	e.routine("e"+key, cfg, text, append([]int{n}, list...), buffers...)
}

// routine launches a handwritten kernel, whose last parameter is the list of integers. The key must distinguish all kernels.
func (e *engine) routine(key string, cfg gpu.Launch, write func() source, list []int, buffers ...*buffer) {
	bytes := 0
	for _, b := range buffers {
		bytes += b.Len()
	}
	e.routineOf(bytes, key, cfg, write, list, buffers...)
}

// routineOf is routine for a kernel that reads and writes that many bytes.
func (e *engine) routineOf(bytes int, key string, cfg gpu.Launch, write func() source, list []int, buffers ...*buffer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	w := e.words[:0]
	for _, v := range list {
		w = w.put(v)
	}
	e.words = w
	e.key = append(e.key[:0], key...)
	e.submit(&request{key: e.key, words: w, write: write, cfg: cfg}, bytes, buffers...)
}

func (r elementKernel) source(words int) source {
	s := source{name: r.name, need: r.need, text: fmt.Sprintf(`struct nd_args { long long v[%d]; };
%sextern "C" __global__ void __launch_bounds__(%[3]d) %[4]s(%[5]s, const nd_args a) {
    const long long i = (long long)blockIdx.x * %[3]d + threadIdx.x;
    if (i >= a.v[0])
        return;
%[6]s}
`, words, r.before, mapBlock, r.name, r.params, r.body)}
	if r.types == nil {
		return s
	}
	return s.describedAs(r.types, r.numbers...)
}

// rawType returns a C type of that many bytes, and its declaration if it needs one.
func rawType(size int) (name, declaration string) {
	if size == 16 {
		return "nd_key", "struct alignas(16) nd_key { unsigned long long a, b; };\n"
	}
	return rawDType(size).info().stored, ""
}

// rawDType returns a type of elements of that size.
func rawDType(size int) DType {
	return [...]DType{1: Uint8, 2: Uint16, 4: Uint32, 8: Uint64, 16: C128}[size]
}
