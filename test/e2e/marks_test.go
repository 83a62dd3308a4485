package e2e

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// TestMarks tests what the replies of cells tell JupyterLab's extension of their lines.
func TestMarks(t *testing.T) {
	t.Parallel()
	n := open(t)
	type mark struct {
		Line     int
		Severity string
	}
	// run returns the marks by cell. Each must have a message, and the text of its cell that ran last.
	texts := map[string]string{}
	run := func(id, code string) map[string][]mark {
		t.Helper()
		texts[id] = code
		reply, err := n.Execute(t.Context(), kernel.ExecuteRequest{Code: code, CellID: id})
		if err != nil {
			t.Fatal(err)
		}
		var meta struct {
			Gopherwarp struct {
				Cell  string
				Cells map[string]struct {
					Text  string
					Marks []struct {
						mark
						Message string
					}
				}
			}
		}
		if err := json.Unmarshal(reply.Metadata, &meta); err != nil || meta.Gopherwarp.Cell != id {
			t.Fatalf("%s: metadata %s: %v", code, reply.Metadata, err)
		}
		got := map[string][]mark{}
		for cell, c := range meta.Gopherwarp.Cells {
			if c.Text != texts[cell] {
				t.Errorf("%s: the marks of %s are about %q, want %q", code, cell, c.Text, texts[cell])
			}
			for _, m := range c.Marks {
				if m.Message == "" {
					t.Errorf("%s: a mark of %s has no message", code, cell)
				}
				got[cell] = append(got[cell], m.mark)
			}
		}
		return got
	}
	for _, tc := range []struct {
		id, code string
		want     map[string][]mark
	}{
		{"a", "x := 1\ny := x + \"a\"\nnowhere()", map[string][]mark{"a": {{2, "error"}, {3, "error"}}}},
		{"a", "x := 1", map[string][]mark{}},
		{"a", "x := 1\n%nothing", map[string][]mark{}},
		{"k", "%%cuda\n__global__ void out(int *p)\n{\n\tp[7] = 1 +;\n}", map[string][]mark{"k": {{4, "error"}}}},
		{"k", "%%cuda --check\n__global__ void out(int *p)\n{\n\tp[7] = 1;\n}", map[string][]mark{}},
		{"l", "out.Launch(gpu.For(1, 1), gpu.Zeros[int32](4))", map[string][]mark{"k": {{4, "error"}}}},
		{"w", "%%cuda\n__global__ void wide(int *p)\n{\n\tp[0] = 1 << 40;\n}", map[string][]mark{"w": {{4, "warning"}}}},
		{"f", "func greet() {\n\tfmt.Printf(\"%d\\n\", \"text\")\n}", map[string][]mark{}},
		{"v", "%vet", map[string][]mark{"f": {{2, "warning"}}}},
		{"g", "//gpu:kernel\nfunc twice(x []int32) {\n\tx[gpu.ThreadIdx().X] = nil\n}", map[string][]mark{"g": {{3, "error"}}}},
	} {
		if got := run(tc.id, tc.code); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s\nmarks %v, want %v", tc.code, got, tc.want)
		}
	}
}
