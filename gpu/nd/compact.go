package nd

import (
	_ "embed"
	"fmt"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// The kernels of compact: the number of true elements of each tile, and the places or values of these.
var (
	//go:embed kernels/compact_count.cu
	compactCount string
	//go:embed kernels/compact_move.cu
	compactMove string
)

// A block compacts a tile, of which each thread has compactItems elements.
const (
	compactBlock = 256
	compactItems = 16
)

// compact returns the elements of the array where the mask, of as many elements, is true, in row-major order, or, if there is no array,
// their indices. Mask and array are contiguous. The true elements of each tile are counted first, so that a block knows where those of its
// tile belong: the mask is read twice, the array once. It waits for the mask.
func compact(op string, mask, array *node) *node {
	e, size := mask.eng, mask.lay.size
	const tile = compactBlock * compactItems
	tiles := (size + tile - 1) / tile
	count := 0
	cfg := gpu.Launch{Grid: gpu.Dim3{X: tiles, Y: 1, Z: 1}, Block: gpu.Dim3{X: compactBlock, Y: 1, Z: 1}}
	values := holes{"threads": compactBlock, "items": compactItems}
	var ends *Array[int64]
	if size > 0 {
		counts := newNode(e, Int64, contiguous(op, []int{tiles}))
		e.routine("compact count", cfg, func() source {
			return source{name: "compact_count", text: fill(compactCount, values)}.describedAs([]DType{Bool}, tile)
		}, []int{size}, counts.buffer(), mask.buffer())
		ends = Cumsum(as[int64](counts))
		count = int(ends.At(-1).Item())
	}
	dt, from := Int64, mask // not read as values
	if array != nil {
		dt, from = array.dt, array
	}
	out := newNode(e, dt, contiguous(op, []int{count}))
	if count > 0 {
		e.routine(fmt.Sprintf("compact move%d,%t", dt.Size(), array != nil), cfg, func() source {
			values["T"], values["declare"], values["value"] = "long long", "", "i"
			if array != nil {
				values["T"], values["declare"] = rawType(dt.Size())
				values["value"] = "in[i]"
			}
			return source{name: "compact_move", text: fill(compactMove, values)}.describedAs([]DType{dt}, tile, int(boolByte(array != nil)))
		}, []int{size}, out.buffer(), mask.buffer(), nodeOf(ends).buffer(), from.buffer())
	}
	runtime.KeepAlive(mask)
	runtime.KeepAlive(array)
	return out
}
