package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinkedOnce counts the links of cells that declare arrays and buffers. A cell whose link with the archives of loaded packages fails is
// linked again, with all code of these, which takes several times as long.
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
	n.run("first := nd.FromSlice([]float32{1}).Sum().Item()\nlast := gpu.ToDevice([]float32{1}).ToHost()") // loads the packages
	for _, cell := range []string{
		"a := nd.FromSlice([]float32{1, 2})",
		"a.Add(a).Sum().Item()",
		"b := gpu.ToDevice([]float32{1, 2})",
	} {
		before := links()
		if n.run(cell); links() != before+1 {
			t.Errorf("%s was linked %d times", cell, links()-before)
		}
	}
}
