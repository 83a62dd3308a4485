package gpu

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
)

// defectReport is the environment variable with the name of a file to which TestDefects appends a line for
// each kernel: "make defects" makes a table of them.
const defectReport = "GOPHERWARP_DEFECT_REPORT"

// finders are the columns of that table: check mode, the tools of compute-sanitizer, and what shows
// without any tool, as the kernel fails or does not end.
var finders = []string{"check mode", "memcheck", "racecheck", "initcheck", "synccheck", "no tool"}

// TestDefects runs the kernels of testdata/kernels/wrong, each with one defect, in check mode and, on a
// GPU, under the tools of compute-sanitizer. What is found must be the defect.
//
// What check mode finds is tested beside it, too. So this runs only to make the table.
func TestDefects(t *testing.T) {
	if os.Getenv(defectReport) == "" {
		t.Skipf("SKIPPED: it takes minutes, and runs only for the table (make defects, which sets %s)", defectReport)
	}
	devices, err := present()
	if err != nil {
		t.Fatal(err)
	}
	gpu := driver.FindTool("compute-sanitizer") != "" && slices.Contains(strings.Fields(devices), "cuda:0")
	files, err := filepath.Glob("testdata/kernels/wrong/*.cu")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d wrong kernels, %v", len(files), err)
	}
	rows := map[string]map[string]string{}
	for _, name := range []string{"sim", "cuda:0"} {
		short, _, _ := strings.Cut(name, ":")
		t.Run(short, func(t *testing.T) {
			if name != "sim" && !gpu {
				t.Skip("SKIPPED: there is no GPU, or no compute-sanitizer")
			}
			needDevice(t, name)
			t.Setenv("GOPHERWARP_CHECK_TIMEOUT", cmp.Or(os.Getenv("GOPHERWARP_CHECK_TIMEOUT"), "5s"))
			freshDevice(t, name)
			for _, file := range files {
				w := readWrong(t, file)
				t.Run(w.name, func(t *testing.T) {
					if rows[w.name] == nil {
						rows[w.name] = map[string]string{}
					}
					if name == "sim" || !costs[w.defect] {
						w.find(t, name == "sim", rows[w.name])
					}
					if name != "sim" || !gpu {
						report(t, w.row(rows[w.name]))
					}
				})
			}
		})
	}
}

// costs are defects of which no tool knows: check mode counts what they cost, or only the result shows them.
var costs = map[string]bool{"wrong result": true, "uncoalesced": true, "bank conflicts": true}

// row is a line of the table.
func (w *wrong) row(found map[string]string) string {
	cells := []string{w.name, w.defect}
	for _, f := range finders {
		cells = append(cells, cmp.Or(found[f], "–"))
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// report appends a line to the file of defectReport, if there is to be one.
func report(t *testing.T, line string) {
	t.Helper()
	t.Log(line)
	name := os.Getenv(defectReport)
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(line); err != nil {
		t.Error(err)
	}
}

// find checks the kernel on the current device, and notes who finds what.
func (w *wrong) find(t *testing.T, simulated bool, row map[string]string) {
	found := false
	r := w.check(t)
	for _, f := range r.Findings {
		by := f.Tool
		if by == "" {
			by = "no tool"
			if simulated {
				by = "check mode"
			}
		}
		what := f.Kind
		if slices.Contains(w.lines, f.Line) {
			what += ", line " + strconv.Itoa(f.Line)
		}
		row[by] = strings.TrimPrefix(row[by]+"; "+what, "; ")
		t.Log(f.Tool, describeFinding(&f))
		found = found || f.Kind == w.defect
	}
	if costs[w.defect] {
		if len(r.Findings) > 0 {
			t.Errorf("it is accused of %+v", r.Findings)
		}
		for _, line := range w.lines {
			for _, a := range r.At("", line) {
				switch {
				case w.defect == "uncoalesced" && a.Space == "global":
					row["check mode"] = fmt.Sprintf("%.0f sectors/request, line %d", a.SectorsPerRequest(), line)
				case w.defect == "bank conflicts" && a.Space == "shared":
					row["check mode"] = fmt.Sprintf("%.0f conflicts/request, line %d", a.ConflictsPerRequest(), line)
				}
			}
		}
		return
	}
	if !found && simulated {
		t.Errorf("%s was not found", w.defect)
	}
}

// wrong is a kernel with a defect, and how its header says to launch it.
type wrong struct {
	name, source string
	defect       string
	lines        []int // where the defect may be found
	cfg          Launch
	args         []string
}

func readWrong(t *testing.T, file string) *wrong {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	w := &wrong{name: strings.TrimSuffix(filepath.Base(file), ".cu"), source: string(text)}
	for i, line := range strings.Split(w.source, "\n") {
		if strings.HasSuffix(line, "// wrong") {
			w.lines = append(w.lines, i+1)
		}
		key, value, _ := strings.Cut(strings.TrimPrefix(line, "// "), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "Defect":
			w.defect = value
		case "Launch":
			parts := strings.Split(value, ",")
			w.cfg.Grid, w.cfg.Block = dimOf(t, parts[0]), dimOf(t, parts[1])
			w.cfg.SharedBytes, err = strconv.Atoi(strings.TrimSpace(parts[2]))
			if err != nil {
				t.Fatal(err)
			}
		case "Args":
			w.args = strings.Split(value, ";")
		}
	}
	return w
}

func dimOf(t *testing.T, text string) Dim3 {
	t.Helper()
	var sizes []int
	for part := range strings.SplitSeq(strings.TrimSpace(text), "x") {
		n, err := strconv.Atoi(part)
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, n)
	}
	return Dim(sizes[0], sizes[1:]...)
}

// check launches the kernel in check mode.
func (w *wrong) check(t *testing.T) *Report {
	t.Helper()
	m, err := Compile(w.source, Name(w.name+".cu"))
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Check(func() error {
		var args []any
		for _, spec := range w.args {
			args = append(args, argumentOf(t, spec))
		}
		return k.Launch(w.cfg, args...)
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func argumentOf(t *testing.T, spec string) any {
	t.Helper()
	words := strings.Fields(spec)
	kind, length, array := strings.Cut(strings.TrimSuffix(words[1], "]"), "[")
	if !array {
		n, err := strconv.Atoi(words[2])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	n, err := strconv.Atoi(length)
	if err != nil {
		t.Fatal(err)
	}
	switch kind {
	case "float":
		return contents[float32](n, words[2])
	case "int":
		return contents[int32](n, words[2])
	case "uint":
		return contents[uint32](n, words[2])
	case "uchar":
		return contents[uint8](n, words[2])
	}
	table, good, gone := Alloc[uint64](2), Zeros[byte](64), Alloc[byte](64)
	pointers := []uint64{good.Address(), 0}
	if words[2] == "freed" {
		pointers[1] = gone.Address()
		if err := gone.Free(); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.CopyFrom(pointers); err != nil {
		t.Fatal(err)
	}
	keep = append(keep, good)
	return table
}

// keep holds the buffers that only device memory refers to.
var keep []any

func contents[T float32 | int32 | uint32 | uint8](n int, what string) *Buffer[T] {
	switch what {
	case "new":
		return Alloc[T](n)
	case "view":
		return Alloc[T](3*n).Slice(n, 2*n)
	}
	host := make([]T, n)
	if what == "ramp" {
		for i := range host {
			host[i] = T(i)
		}
	}
	return ToDevice(host)
}
