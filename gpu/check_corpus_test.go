package gpu_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
)

// defectReport is the environment variable with the name of a file of table rows, one a kernel. TestDefects
// runs what has no row there yet, and appends rows as they are found: the last one of a kernel counts.
// "make defects" makes a page of them.
const defectReport = "GOPHERWARP_DEFECT_REPORT"

// The columns of that table: check mode, the tools of compute-sanitizer, and what shows without any
// tool, as the kernel fails or does not end.
const checkModeColumn = "check mode"

var gpuColumns = []string{"memcheck", "racecheck", "initcheck", "synccheck", "no tool"}

const (
	notRun  = "not run"
	nothing = "–"
)

// costs are defects of which no tool knows: check mode counts what they cost, or only the result shows them.
var costs = map[string]bool{"wrong result": true, "uncoalesced": true, "bank conflicts": true}

// TestDefects runs the kernels of testdata/kernels/wrong, each with one defect, in check mode and, on a
// GPU, under the tools of compute-sanitizer. What check mode finds must be the defect.
//
// What check mode finds is tested beside it, too. So this runs only to make the table.
func TestDefects(t *testing.T) {
	name := os.Getenv(defectReport)
	if name == "" {
		t.Skipf("SKIPPED: it takes minutes, and runs only for the table (make defects, which sets %s)", defectReport)
	}
	kernels, err := wrongKernels()
	if err != nil || len(kernels) < 40 {
		t.Fatalf("%d wrong kernels, %v", len(kernels), err)
	}
	table, err := openDefects(name, kernels)
	if err != nil {
		t.Fatal(err)
	}
	defer table.file.Close()
	var ending, endless []*wrong
	for _, w := range kernels {
		if w.defect == backend.KindDeadlock {
			endless = append(endless, w)
		} else {
			ending = append(ending, w)
		}
	}
	t.Run("sim", func(t *testing.T) {
		needDevice(t, "sim")
		t.Setenv("GOPHERWARP_CHECK_TIMEOUT", "5s")
		freshDevice(t, "sim")
		for _, w := range kernels {
			if table.rows[w.name][checkModeColumn] == notRun {
				t.Run(w.name, func(t *testing.T) { table.simulate(t, w) })
			}
		}
	})
	t.Run("cuda", func(t *testing.T) {
		needSanitizer(t)
		t.Setenv("GOPHERWARP_CHECK_TIMEOUT", "20s")
		table.sanitize(t, ending, max(1, runtime.NumCPU()/toolProcesses))
	})
	// These come last, and one by one: while a kernel does not end, the GPU has little time for others.
	t.Run("endless", func(t *testing.T) {
		needSanitizer(t)
		t.Setenv("GOPHERWARP_CHECK_TIMEOUT", "3s")
		table.sanitize(t, endless, 1)
	})
}

// needSanitizer has sessions use the GPU, and skips the test where it can't be checked there.
func needSanitizer(t *testing.T) {
	t.Helper()
	needDevice(t, "cuda:0")
	if driver.FindTool("compute-sanitizer") == "" {
		t.Skip("SKIPPED: there is no compute-sanitizer")
	}
	t.Setenv("TEST_DEVICE", "cuda:0")
}

// defectTable is the table as far as it is known.
type defectTable struct {
	mu   sync.Mutex
	file *os.File
	rows map[string]map[string]string // by kernel, then by column
}

// A row begins with the kernel and a digest of its source, which a page does not show.
var rowStart = regexp.MustCompile(`^\| (\w+) <!-- (\w+) --> \|`)

// openDefects reads the rows that are there. Those of kernels that have changed do not count.
func openDefects(name string, kernels []*wrong) (*defectTable, error) {
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	table := &defectTable{rows: map[string]map[string]string{}}
	columns := append([]string{checkModeColumn}, gpuColumns...)
	digests := map[string]string{}
	for _, w := range kernels {
		digests[w.name] = w.digest
		table.rows[w.name] = map[string]string{}
		for _, c := range columns {
			table.rows[w.name][c] = notRun
		}
	}
	for line := range strings.Lines(string(text)) {
		m := rowStart.FindStringSubmatch(line)
		if m == nil || digests[m[1]] != m[2] {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), " |"), " | ")
		if len(cells) == len(columns)+2 {
			for i, c := range columns {
				table.rows[m[1]][c] = cells[i+2]
			}
		}
	}
	table.file, err = os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	return table, err
}

// write sets columns of a kernel's row and appends the row to the file.
func (d *defectTable) write(t *testing.T, w *wrong, columns []string, found map[string]string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	row := d.rows[w.name]
	for _, c := range columns {
		row[c] = cmp.Or(found[c], nothing)
	}
	cells := []string{fmt.Sprintf("%s <!-- %s -->", w.name, w.digest), w.defect, row[checkModeColumn]}
	for _, c := range gpuColumns {
		cells = append(cells, row[c])
	}
	line := "| " + strings.Join(cells, " | ") + " |\n"
	t.Log(line)
	if _, err := d.file.WriteString(line); err != nil {
		t.Error(err)
	}
}

// simulate checks a kernel in the simulator's check mode.
func (d *defectTable) simulate(t *testing.T, w *wrong) {
	r, err := checkWrong(w)
	if err != nil {
		t.Fatal(err)
	}
	row := map[string]string{}
	w.note(t, row, r.Findings, checkModeColumn)
	switch {
	case costs[w.defect]:
		if len(r.Findings) > 0 {
			t.Errorf("it is accused of %+v", r.Findings)
		}
		for _, line := range w.lines {
			for _, a := range r.At("", line) {
				switch {
				case w.defect == "uncoalesced" && a.Space == "global":
					row[checkModeColumn] = fmt.Sprintf("%.0f sectors/request, line %d", a.SectorsPerRequest(), line)
				case w.defect == "bank conflicts" && a.Space == "shared":
					row[checkModeColumn] = fmt.Sprintf("%.0f conflicts/request, line %d", a.ConflictsPerRequest(), line)
				}
			}
		}
	case !slices.ContainsFunc(r.Findings, func(f check.Finding) bool { return f.Kind == w.defect }):
		t.Errorf("%s was not found", w.defect)
	}
	d.write(t, w, []string{checkModeColumn}, row)
}

// note puts findings into a row. Those of no tool are the named column's.
func (w *wrong) note(t *testing.T, row map[string]string, findings []check.Finding, rest string) {
	for _, f := range findings {
		by, what := cmp.Or(f.Tool, rest), f.Kind
		if slices.Contains(w.lines, f.Line) {
			what += ", line " + strconv.Itoa(f.Line)
		}
		if !slices.Contains(strings.Split(row[by], "; "), what) {
			row[by] = strings.TrimPrefix(row[by]+"; "+what, "; ")
		}
		t.Log(w.name, f.Tool, f.String())
	}
}

// toolProcesses is how many processes work on a check: four tools, each with what it watches.
const toolProcesses = 4

// mostTogether is how many kernels one check looks at, if they come to their end. To start the tools is most of the work; but a
// tool's log tells only so much.
const mostTogether = 4

// calm are defects with which a kernel comes to its end. Others end the tools, so that such a kernel must be alone;
// and so must one that leaves memory behind, which is told when its process ends.
var calm = map[string]bool{backend.KindRace: true, backend.KindUninitialised: true, backend.KindEarlyExit: true}

// sanitize checks kernels on the GPU, in several sessions side by side.
func (d *defectTable) sanitize(t *testing.T, kernels []*wrong, sessions int) {
	var groups [][]*wrong
	var together []*wrong
	for _, w := range kernels {
		switch {
		case !slices.ContainsFunc(gpuColumns, func(c string) bool { return d.rows[w.name][c] == notRun }):
		case costs[w.defect]:
			d.write(t, w, gpuColumns, nil)
		case calm[w.defect]:
			together = append(together, w)
		default:
			groups = append(groups, []*wrong{w})
		}
	}
	// Neighbours in the alphabet are of one kind, so each group gets every n-th.
	n := (len(together) + mostTogether - 1) / mostTogether
	for i := range n {
		var group []*wrong
		for j := i; j < len(together); j += n {
			group = append(group, together[j])
		}
		groups = append(groups, group)
	}
	slots := make(chan struct{}, sessions)
	var wait sync.WaitGroup
	for _, group := range groups {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			d.sanitizeGroup(t, group)
		})
	}
	wait.Wait()
}

// sanitizeGroup checks some kernels in one session, and one by one if that goes wrong.
func (d *defectTable) sanitizeGroup(t *testing.T, group []*wrong) {
	start := time.Now()
	findings, err := sanitized(t.Context(), group)
	took := time.Since(start).Round(100 * time.Millisecond)
	if err != nil && len(group) > 1 {
		t.Logf("%d kernels, checked one by one since together (%v) %v", len(group), took, err)
		for _, w := range group {
			d.sanitizeGroup(t, []*wrong{w})
		}
		return
	}
	for _, w := range group {
		if err != nil {
			t.Errorf("%s (%v): %v", w.name, took, err)
			continue
		}
		row := map[string]string{}
		others := func(f check.Finding) bool { return f.Program != w.name+".cu" && (f.Program != "" || len(group) > 1) }
		w.note(t, row, slices.DeleteFunc(slices.Clone(findings), others), "no tool")
		d.write(t, w, gpuColumns, row)
	}
	t.Logf("%d kernels took %v", len(group), took)
}

// mostPatience is how long a session may take to check its kernels.
const mostPatience = 2 * time.Minute

// sanitized has a session check kernels.
func sanitized(ctx context.Context, group []*wrong) ([]check.Finding, error) {
	ctx, cancel := context.WithTimeout(ctx, mostPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "session", "wrong")
	for _, w := range group {
		cmd.Args = append(cmd.Args, w.name)
	}
	var complaint strings.Builder
	cmd.Stderr = &complaint
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, complaint.String())
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n") // kernels may have printed something before
	var findings []check.Finding
	return findings, json.Unmarshal([]byte(lines[len(lines)-1]), &findings)
}
