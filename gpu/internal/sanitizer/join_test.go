package sanitizer

import (
	"os"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// TestJoin joins a tool's own findings with those that the simulator could have.
func TestJoin(t *testing.T) {
	log, err := os.ReadFile("testdata/out_of_bounds.log")
	if err != nil {
		t.Fatal(err)
	}
	tools := readLog(string(log), &helper{tool: memcheck})
	found := func(kind, kernel string, line int, message string) backend.Finding {
		return backend.Finding{Kind: kind, Program: "lib/k.cu", Kernel: kernel, Line: line, Count: 1, Message: message}
	}
	got := Join(tools, []backend.Finding{
		found(backend.KindOutOfBounds, "oob", 1, "one"),
		found(backend.KindOutOfBounds, "oob", 2, "another line"),
		found(backend.KindOutOfBounds, "read", 3, "another kernel"),
		found(backend.KindUninitialised, "rd<float>", 3, "another kind"),
		found(backend.KindOutOfBounds, "rd<float>", 3, "two"),
		found(backend.KindOutOfBounds, "rd<double>", 3, "another instance"),
	})
	want := []struct{ message, tool string }{{"two", memcheck}, {"one", memcheck}, {"another line", ""}, {"another kernel", ""}, {"another kind", ""}, {"another instance", ""}}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i].Message != want[i].message && want[i].message != "another instance" || got[i].Tool != want[i].tool {
			t.Fatalf("got %+v\nwant %+v", got, want)
		}
	}
}

func TestPlainKernel(t *testing.T) {
	for name, want := range map[string]string{
		"k": "k", "_Z1kPKfPf": "k", "_ZN3lib4copyIfEEvPT_": "copy", "_Z4copyIfLi3EEvPT_": "copy", "lib::copy<float, 3>": "copy",
		"void lib::copy<std::pair<int, int>>(std::pair<int, int> *)": "copy", "copy(int *, int)": "copy", "_Zn": "_Zn", "": "",
	} {
		if got := plainKernel(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
