package client

import (
	"runtime"
	"slices"
	"testing"
)

func TestCopyWide(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(16))
	for _, n := range []int{0, 1, 512<<10 - 1, 512 << 10, 1<<20 + 3, PartSize} {
		src := make([]byte, n)
		for i := range src {
			src[i] = byte(i * 7 / 3)
		}
		dst := make([]byte, n+1)
		if got := copyWide(dst, src); got != n || !slices.Equal(dst[:n], src) || dst[n] != 0 {
			t.Errorf("%d bytes: %d copied, or wrongly", n, got)
		}
	}
}
