package sim

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// hasRight are the defects that are visible only in comparison with a correct kernel.
var hasRight = map[string]bool{"wrong result": true, "uncoalesced": true, "bank conflicts": true}

// compareWithRight runs the two kernels of a file. Check mode must find nothing in either; the memory afterwards,
// or the costs of the lines, must differ as the defect says.
func compareWithRight(t *testing.T, name, source, kind string) {
	t.Helper()
	run := func(kernel, how string) ([]byte, backend.Report) {
		r := newCheckRig(t)
		report := r.runWrong(name, source, kernel, how)
		for _, f := range report.Findings {
			t.Errorf("%s is accused of %s: %s", kernel, f.Kind, f.Message)
		}
		memory := make([]byte, r.used)
		check(t, r.d.CopyDtoH(memory, r.chunk.Addr, 0))
		return memory, report
	}
	how := "Launch"
	if strings.Contains(source, "// Right launch:") {
		how = "Right launch"
	}
	got, wrong := run("k", "Launch")
	want, right := run("right", how)
	if same := bytes.Equal(got, want); same == (kind == "wrong result") {
		t.Errorf("the two leave the same in memory: %v", same)
	}
	cost := map[string]func(a backend.Access) float64{
		"wrong result":   func(backend.Access) float64 { return 0 },
		"uncoalesced":    backend.Access.SectorsPerRequest,
		"bank conflicts": backend.Access.ConflictsPerRequest,
	}[kind]
	most := func(r backend.Report) (lines []int, value float64) {
		for _, a := range r.Accesses {
			switch v := cost(a); {
			case v > value:
				lines, value = []int{a.Line}, v
			case v == value:
				lines = append(lines, a.Line)
			}
		}
		return lines, value
	}
	lines, slow := most(wrong)
	_, quick := most(right)
	marked := slices.ContainsFunc(lines, func(line int) bool {
		return strings.HasSuffix(strings.Split(source, "\n")[line-1], "// wrong")
	})
	if kind != "wrong result" && (!marked || slow < 4*max(quick, 1)) {
		t.Errorf("%s: %v on lines %v, and %v if right", kind, slow, lines, quick)
	}
	t.Logf("%s: %s: %v on lines %v, and %v if right", name, kind, slow, lines, quick)
}
