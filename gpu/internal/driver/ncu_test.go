package driver

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend/backendtest/corpus"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim"
)

// counted are the files of the corpus whose memory accesses are compared with the GPU's own counts.
var counted = []string{"aos_soa", "reduction", "strided_copy", "transpose"}

// A counter has ncu's name of a metric and the corresponding count of check mode.
type counter struct {
	metric string
	of     func(a *backend.Access) uint64
}

func in(space, op string, count func(a *backend.Access) uint64) func(a *backend.Access) uint64 {
	return func(a *backend.Access) uint64 {
		if a.Space != space || a.Op != op {
			return 0
		}
		return count(a)
	}
}

var counters = []counter{
	{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", in("global", "load", func(a *backend.Access) uint64 { return a.Requests })},
	{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", in("global", "load", func(a *backend.Access) uint64 { return a.Sectors })},
	{"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", in("global", "store", func(a *backend.Access) uint64 { return a.Requests })},
	{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", in("global", "store", func(a *backend.Access) uint64 { return a.Sectors })},
	{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", in("shared", "load", func(a *backend.Access) uint64 { return a.Wavefronts - a.BestWavefronts })},
	{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", in("shared", "store", func(a *backend.Access) uint64 { return a.Wavefronts - a.BestWavefronts })},
}

// TestCountsAreThoseOfNCU compares counts of check mode with the GPU's hardware counters for the same launches: requests and
// sectors of global memory, bank conflicts of shared memory.
func TestCountsAreThoseOfNCU(t *testing.T) {
	cmd, _ := asRole(t, "count")
	ncu := FindTool("ncu")
	if ncu == "" {
		t.Skip("SKIPPED: there is no ncu")
	}
	var metrics []string
	for _, c := range counters {
		metrics = append(metrics, c.metric)
	}
	profiled := exec.Command(ncu, "--csv", "--metrics", strings.Join(metrics, ","), cmd.Path)
	profiled.Env, profiled.Stderr = cmd.Env, os.Stderr
	out, err := profiled.Output()
	if err != nil {
		if bytes.Contains(out, []byte("ERR_NVGPUCTRPERM")) {
			t.Skip("SKIPPED: only administrators may read the hardware counters here")
		}
		t.Fatalf("ncu: %v\n%s", err, out)
	}
	compareCounts(t, out)
}

// compareCounts compares the counts of check mode with ncu's table of the same launches.
func compareCounts(t *testing.T, out []byte) {
	t.Helper()
	launches := readNCU(t, out)
	cases := countedCases(t)
	for _, c := range cases {
		want, err := checkedCounts(c)
		try(t, err)
		for i, l := range c.Launches {
			if len(launches) == 0 {
				t.Fatal("ncu has counted fewer launches than there are")
			}
			got := launches[0]
			launches = launches[1:]
			if name, _, _ := strings.Cut(l.Kernel, "<"); !strings.Contains(got.kernel, name) {
				t.Fatalf("%s: ncu has counted %s, launch %d is of %s", c.Name, got.kernel, i, l.Kernel)
			}
			for n, counter := range counters {
				if got.counts[counter.metric] != want[i][n] {
					t.Errorf("%s: launch %d, %s: %s is %d, check mode counts %d", c.Name, i, l.Kernel, counter.metric, got.counts[counter.metric], want[i][n])
				}
			}
		}
	}
	if len(launches) > 0 {
		t.Errorf("ncu has counted %d launches more", len(launches))
	}
}

func countedCases(t *testing.T) []*corpus.Case {
	t.Helper()
	list, err := loadCounted()
	try(t, err)
	return list
}

func loadCounted() ([]*corpus.Case, error) {
	all, err := corpus.Load()
	if err != nil {
		return nil, err
	}
	var list []*corpus.Case
	for _, c := range all {
		if slices.Contains(counted, c.Name) {
			list = append(list, c)
		}
	}
	if len(list) != len(counted) {
		return nil, fmt.Errorf("of %v there are %d", counted, len(list))
	}
	return list, nil
}

// corpusBytes is enough memory for any case, in bytes.
const corpusBytes = 16 << 20

// roleCount runs the kernels under ncu.
func roleCount() error {
	cases, err := loadCounted()
	if err != nil {
		return err
	}
	d, err := New().Open(0)
	if err != nil {
		return err
	}
	chunk, err := d.CreateChunk(corpusBytes, 0)
	if err != nil {
		return err
	}
	for _, c := range cases {
		if _, err := c.Run(d, chunk.Addr, corpusBytes); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

// A watchedDevice compiles for check mode and stores the report of each launch.
type watchedDevice struct {
	backend.Device
	backend.Checker
	reports []backend.Report
}

func (d *watchedDevice) Compile(p backend.Program) (backend.Image, error) {
	p.Check = true
	return d.Device.Compile(p)
}

func (d *watchedDevice) CopyHtoD(dst uint64, src []byte, stream uint32) error {
	_ = d.Allocated(dst, uint64(len(src)), false)
	return d.Device.CopyHtoD(dst, src, stream)
}

func (d *watchedDevice) Launch(l *backend.Launch) error {
	err := d.Device.Launch(l)
	r, reportErr := d.Report()
	d.reports = append(d.reports, r)
	if err == nil {
		err = reportErr
	}
	return err
}

// checkedCounts returns the counters of each launch in check mode.
func checkedCounts(c *corpus.Case) ([][]uint64, error) {
	d, err := sim.New().Open(0)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	chunk, err := d.CreateChunk(corpusBytes, 0)
	if err != nil {
		return nil, err
	}
	w := &watchedDevice{Device: d, Checker: d.(backend.Checker)}
	if _, err := c.Run(w, chunk.Addr, corpusBytes); err != nil {
		return nil, err
	}
	var all [][]uint64
	for _, r := range w.reports {
		sums := make([]uint64, len(counters))
		for i := range r.Accesses {
			for n, counter := range counters {
				sums[n] += counter.of(&r.Accesses[i])
			}
		}
		all = append(all, sums)
	}
	return all, nil
}

// ncuLaunch is ncu's result for one launch.
type ncuLaunch struct {
	kernel string
	counts map[string]uint64
}

// readNCU parses ncu's table, in which each line is a metric of a launch. There may be other text before it.
func readNCU(t *testing.T, out []byte) []ncuLaunch {
	t.Helper()
	start := bytes.Index(out, []byte(`"ID","Process ID"`))
	if start < 0 {
		t.Fatalf("ncu has no table in\n%s", out)
	}
	table := csv.NewReader(bytes.NewReader(out[start:]))
	table.FieldsPerRecord = -1 // other lines may follow
	rows, err := table.ReadAll()
	try(t, err)
	column := func(name string) int {
		i := slices.Index(rows[0], name)
		if i < 0 {
			t.Fatalf("ncu has no column %q: %v", name, rows[0])
		}
		return i
	}
	id, kernel, metric, value := column("ID"), column("Kernel Name"), column("Metric Name"), column("Metric Value")
	var list []ncuLaunch
	last := ""
	for _, row := range rows[1:] {
		if len(row) < len(rows[0]) || row[id] == "" {
			continue // the row of units
		}
		if row[id] != last {
			last = row[id]
			list = append(list, ncuLaunch{row[kernel], map[string]uint64{}})
		}
		n, err := strconv.ParseUint(strings.ReplaceAll(row[value], ",", ""), 10, 64)
		try(t, err)
		list[len(list)-1].counts[row[metric]] = n
	}
	return list
}

func TestReadNCU(t *testing.T) {
	const out = `==PROF== Connected to process 7 (/tmp/x)
"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","7","k(int *)","a.sum","","1,024"
"0","7","k(int *)","b.sum","sector","3"
"1","7","k(int *)","a.sum","","5"
`
	got := readNCU(t, []byte(out))
	if len(got) != 2 || got[0].kernel != "k(int *)" || got[0].counts["a.sum"] != 1024 || got[0].counts["b.sum"] != 3 || got[1].counts["a.sum"] != 5 {
		t.Errorf("got %+v", got)
	}
}

// TestCountsAreThoseOfARecordedRun compares counts with those of ncu of CUDA 13.0 on an H200.
func TestCountsAreThoseOfARecordedRun(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("SKIPPED: the simulator needs g++: apt install g++")
	}
	out, err := os.ReadFile("testdata/ncu-h200.csv")
	try(t, err)
	compareCounts(t, out)
}
