package sim

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend/backendtest"
)

// wrongKernels is a directory of files with one kernel each, k, with one defect. The header says
// how to launch it:
//
//	// Defect: race
//	// Why it is wrong, in a sentence.
//	// Launch: grid, block, bytes of dynamic shared memory
//	// Args: name type[length] contents; name type value; …
//
// Contents are ramp (0, 1, 2…), zeros, new (not initialized) or view (the middle of a larger
// buffer); a table of pointers has a valid one and then a null pointer or one that was freed. The
// lines where the defect may be found contain "wrong".
//
// Three defects cannot be found by check mode: a wrong result, uncoalesced accesses and bank conflicts. Their
// files have a second kernel, right, which is launched in the same way unless there is a "Right launch".
const wrongKernels = "../../testdata/kernels/wrong"

// A checkRig is a device with a chunk of memory and the state of the buffers in it.
type checkRig struct {
	t *testing.T
	d backend.Device
	backend.Checker
	chunk backend.Chunk
	used  uint64
	mods  uint32
}

func newCheckRig(t *testing.T) *checkRig {
	t.Helper()
	d, err := New().Open(0)
	check(t, err)
	t.Cleanup(func() { check(t, d.Close()) })
	c, err := d.CreateChunk(16<<20, 0)
	check(t, err)
	t.Cleanup(func() { closeFD(c.FD) })
	return &checkRig{t: t, d: d, Checker: d.(backend.Checker), chunk: c, used: 4096}
}

// alloc allocates a buffer, with a gap around it.
func (r *checkRig) alloc(size uint64) uint64 {
	r.t.Helper()
	addr := r.chunk.Addr + r.used
	r.used += size + 4096
	r.used = (r.used + 255) &^ 255
	check(r.t, r.Allocated(addr, size, true))
	return addr
}

func (r *checkRig) write(addr uint64, data []byte) {
	r.t.Helper()
	check(r.t, r.d.CopyHtoD(addr, data, 0))
}

// load compiles a program for check mode.
func (r *checkRig) load(name, source string, options ...string) {
	r.t.Helper()
	r.loadProgram(backend.Program{Name: name, Source: source, Options: options, Check: true})
}

func (r *checkRig) loadProgram(p backend.Program) {
	r.t.Helper()
	img, err := r.d.Compile(p)
	check(r.t, err)
	r.mods++
	check(r.t, r.d.Load(r.mods, img))
}

// launch runs a kernel of the last loaded program, and returns the report.
func (r *checkRig) launch(kernel string, grid, block [3]uint32, shared uint32, args []byte, views ...backend.View) backend.Report {
	r.t.Helper()
	_, err := r.d.Function(1, r.mods, kernel)
	check(r.t, err)
	check(r.t, r.Views(views, backend.Blocks{}))
	check(r.t, r.d.Launch(&backend.Launch{Func: 1, Grid: grid, Block: block, SharedBytes: shared, Args: args}))
	report, err := r.Report()
	check(r.t, err)
	return report
}

var elementSizes = map[string]int{"float": 4, "int": 4, "uint": 4, "uchar": 1, "ptr": 8}

// argument makes an argument as a header specifies it, and appends it to the launch's arguments.
func (r *checkRig) argument(spec string, args []byte, views []backend.View) ([]byte, []backend.View) {
	r.t.Helper()
	words := strings.Fields(spec)
	kind, length, array := strings.Cut(strings.TrimSuffix(words[1], "]"), "[")
	size, ok := elementSizes[kind]
	if !ok || len(words) != 3 {
		r.t.Fatalf("argument %q makes no sense", spec)
	}
	if !array {
		n, err := strconv.Atoi(words[2])
		check(r.t, err)
		return binary.LittleEndian.AppendUint32(align(args, 4), uint32(n)), views
	}
	n, err := strconv.Atoi(length)
	check(r.t, err)
	data := make([]byte, 0, n*size)
	var addr uint64
	switch words[2] {
	case "view":
		addr = r.alloc(uint64(3*n*size)) + uint64(n*size)
	default:
		addr = r.alloc(uint64(n * size))
	}
	switch words[2] {
	case "ramp":
		for i := range n {
			switch kind {
			case "uchar":
				data = append(data, byte(i))
			case "float":
				data = appendFloat(data, float32(i))
			default:
				data = binary.LittleEndian.AppendUint32(data, uint32(i))
			}
		}
	case "zeros":
		data = data[:n*size]
	case "null", "freed":
		good, other := r.alloc(64), uint64(0)
		if words[2] == "freed" {
			other = r.alloc(64)
			check(r.t, r.Freed(other))
		}
		data = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(data, good), other)
	}
	if len(data) > 0 {
		r.write(addr, data)
	}
	views = append(views, backend.View{Addr: addr, Size: uint64(n * size), Elem: size, Name: words[0]})
	return binary.LittleEndian.AppendUint64(align(args, 8), addr), views
}

func TestWrongKernels(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(wrongKernels, "*.cu"))
	check(t, err)
	if len(files) < 40 {
		t.Fatalf("there are %d wrong kernels", len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".cu"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			check(t, err)
			r := newCheckRig(t)
			r.d.(*device).checks.patience = time.Second / 4
			kind := headerLine(t, string(text), "Defect")
			if hasRight[kind] {
				compareWithRight(t, filepath.Base(file), string(text), kind)
				return
			}
			report := r.runWrong(filepath.Base(file), string(text), "k", "Launch")
			var wrong []int
			for i, line := range strings.Split(string(text), "\n") {
				if strings.HasSuffix(line, "// wrong") {
					wrong = append(wrong, i+1)
				}
			}
			if len(report.Findings) == 0 {
				t.Errorf("nothing was found; there is a defect of kind %q on line %v", kind, wrong)
			}
			for _, f := range report.Findings {
				if f.Kind != kind || !slices.Contains(wrong, f.Line) || f.Kernel != "k" || f.Program != filepath.Base(file) || f.Message == "" {
					t.Errorf("got %+v, want %s on line %v", f, kind, wrong)
				}
				t.Logf("%s:%d: block %v, thread %v: %s: %s (%d)", f.Program, f.Line, f.Block, f.Thread, f.Kind, f.Message, f.Count)
			}
		})
	}
}

// The errors of the compiler are the same as without check mode.
func TestCheckedCompileErrors(t *testing.T) {
	r := newCheckRig(t)
	for _, source := range []string{
		"__global__ void k(int *x) {\n\tx[0] = nowhere;\n}",
		"__global__ void k(int *x) {\n\tk<<<1, 1>>>(x);\n}",
		"__global__ void k(int *x) {",
		"__device__ int f();\n__global__ void k(int *x) { x[0] = f(); }",
		"extern \"C\" void omp_set_num_threads(int);\n__global__ void k(int *x) { omp_set_num_threads(1); }",
		"__global__ void k(int *x) {\n__shared__ int s[20000]; s[threadIdx.x] = 1; __syncthreads(); x[0] = s[1]; }",
	} {
		_, plain := r.d.Compile(backend.Program{Name: "cell[4].cu", Source: source})
		_, checked := r.d.Compile(backend.Program{Name: "cell[4].cu", Source: source, Check: true})
		if plain == nil || checked == nil || checked.Error() != plain.Error() {
			t.Errorf("%s\ngives    %v\nchecked: %v", source, plain, checked)
		}
	}
}

// runWrong launches a kernel of a file as a line of its header specifies.
func (r *checkRig) runWrong(name, source, kernel, how string) backend.Report {
	r.t.Helper()
	launch := strings.Split(headerLine(r.t, source, how), ",")
	if len(launch) != 3 {
		r.t.Fatalf("%q is no launch", launch)
	}
	shared, err := strconv.Atoi(strings.TrimSpace(launch[2]))
	check(r.t, err)
	var args []byte
	var views []backend.View
	for spec := range strings.SplitSeq(headerLine(r.t, source, "Args"), ";") {
		args, views = r.argument(spec, args, views)
	}
	r.load(name, source)
	return r.launch(kernel, dims(r.t, launch[0]), dims(r.t, launch[1]), uint32(shared), args, views...)
}

// headerLine returns a line of a kernel's header.
func headerLine(t *testing.T, source, key string) string {
	t.Helper()
	for line := range strings.Lines(source) {
		if value, ok := strings.CutPrefix(line, "// "+key+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	t.Fatalf("there is no %s in the header", key)
	return ""
}

// dims parses dimensions such as 2x3.
func dims(t *testing.T, text string) [3]uint32 {
	t.Helper()
	d := [3]uint32{1, 1, 1}
	for i, part := range strings.Split(strings.TrimSpace(text), "x") {
		n, err := strconv.Atoi(part)
		check(t, err)
		d[i] = uint32(n)
	}
	return d
}

// checked compiles everything for check mode, and returns its findings as the error of the
// launch.
type checked struct{ backend.Backend }

type checkedDevice struct {
	backend.Device
	backend.Checker
	backend.Texturer
}

func (c checked) Open(ordinal int) (backend.Device, error) {
	d, err := c.Backend.Open(ordinal)
	if err != nil {
		return nil, err
	}
	return checkedDevice{d, d.(backend.Checker), d.(backend.Texturer)}, nil
}

func (d checkedDevice) Compile(p backend.Program) (backend.Image, error) {
	p.Check = true
	return d.Device.Compile(p)
}

// CopyHtoD makes the destination a buffer, if there is none yet.
func (d checkedDevice) CopyHtoD(dst uint64, src []byte, stream uint32) error {
	_ = d.Allocated(dst, uint64(len(src)), false)
	return d.Device.CopyHtoD(dst, src, stream)
}

func (d checkedDevice) Launch(l *backend.Launch) error {
	if err := d.Device.Launch(l); err != nil {
		return err
	}
	r, err := d.Report()
	if err == nil {
		for _, f := range r.Findings {
			if !f.Warning {
				return fmt.Errorf("%d findings, the first: %+v", len(r.Findings), f)
			}
		}
	}
	return err
}

// Check mode finds nothing in correct kernels, and their results are correct: in one file of the corpus in three, or in all with
// GOPHERWARP_PROGRAMS=all.
func TestRightKernels(t *testing.T) {
	all := os.Getenv("GOPHERWARP_PROGRAMS") == "all"
	backendtest.RunKernels(t, checked{New()}, func(name string) bool { return all || crc32.ChecksumIEEE([]byte(name))%3 == 0 })
}

func align(b []byte, n int) []byte {
	for len(b)%n != 0 {
		b = append(b, 0)
	}
	return b
}

func appendFloat(b []byte, v float32) []byte {
	out, err := binary.Append(b, binary.LittleEndian, v)
	if err != nil {
		panic(fmt.Sprint("a float has a size: ", err))
	}
	return out
}

// Findings in included files have the file's name and lines.
func TestCheckIncludedFiles(t *testing.T) {
	dir := t.TempDir()
	check(t, os.WriteFile(filepath.Join(dir, "kernels.cuh"), []byte(`#pragma once
__device__ float square(float v) { return v * v; }
__global__ void fill(float *x, int n) {
	for (int i = threadIdx.x; i <= n; i += 2)
		x[i] = square(i);
}
`), 0o644))
	r := newCheckRig(t)
	r.load("cell[1].cu", "#include \"kernels.cuh\"\n__global__ void own(float *x) {\n\tx[4] = square(x[0]);\n}\n", "-I"+dir)
	addr := r.alloc(16)
	for kernel, want := range map[string]string{"fill": "kernels.cuh:5", "own": "cell[1].cu:3"} {
		args := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, addr), 4)
		seen := r.launch(kernel, [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, 0, args, backend.View{Addr: addr, Size: 16, Elem: 4, Name: "x"})
		var got []string
		for _, f := range seen.Findings {
			if f.Kind == backend.KindOutOfBounds {
				got = append(got, fmt.Sprintf("%s:%d", f.Program, f.Line))
			}
		}
		if fmt.Sprint(got) != "["+want+"]" {
			t.Errorf("%s: out of bounds at %v, want %s", kernel, got, want)
		}
		if o := seen.Operations; len(o) != 1 || o[0].Program != "kernels.cuh" || o[0].Line != 2 {
			t.Errorf("%s: operations %+v", kernel, o)
		}
	}
}
