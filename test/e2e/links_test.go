package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinkedOnce counts the links of a session's first cells, and of those that declare arrays and buffers. A cell whose link with the archives
// of loaded packages fails is linked again, with all code of these, which takes several times as long.
func TestLinkedOnce(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	n := open(t, "GOPHERWARP_LOG=cells", "GOPHERWARP_LOG_FILE="+log)
	links := func() int {
		data, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(data), "program=link")
	}
	for _, cell := range []string{
		"x := 1",
		"fmt.Println(nd.Arange[float32](3).Mul(nd.Ones[float32](3)).Sum().Item())",
		"a := nd.FromSlice([]float32{1, 2})",
		"a.Add(a).Sum().Item()",
		"nd.MatMul(nd.Ones[float64](2, 2), nd.Eye[float64](2)).EqualScalar(1)",
		"b := gpu.ToDevice([]float32{1, 2})",
		"b.ToHost()",
	} {
		before := links()
		if n.run(cell); links() != before+1 {
			t.Errorf("%s was linked %d times", cell, links()-before)
		}
	}
}
