package backendtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// A fault is a kernel with an error that destroys its process's context.
type fault struct {
	name   string
	source string // of a kernel k(int *x, long n)
	codes  []int  // possible error codes
}

var faults = []fault{
	{"wild address", "x[n] = 1;", []int{700}},
	{"assert", "assert(n < 3);", []int{710}},
	{"trap", "if (threadIdx.x == 3) __trap();", []int{719, 715}},
}

// testFaults runs each faulty kernel in a process of its own, and then checks the memory.
func testFaults(t *testing.T, s *suite) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			onThread(func() {
				r := newRig(t, s)
				data := pseudo(exportedBytes)
				c := exported(t, r.d, data)
				out, err := s.child("fault", c.FD, fmt.Sprintf("%d %d %s", c.Addr, c.Size, strings.ReplaceAll(f.name, " ", "_")))
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				got := make([]byte, exportedBytes)
				try(t, r.d.CopyDtoH(got, c.Addr, 0))
				try(t, r.d.Sync())
				data[0] = 99 // by the child, before its fault
				sameBytes(t, "memory after the fault", got, data)
			})
		})
	}
}

func roleFault(t *testing.T, s *suite, detail string) {
	c := backend.Chunk{FD: 3}
	var name string
	_, err := fmt.Sscan(detail, &c.Addr, &c.Size, &name)
	try(t, err)
	d, err := s.b.Open(0)
	try(t, err)
	try(t, d.ImportChunk(c))
	try(t, d.CopyHtoD(c.Addr, []byte{99}, 0))
	try(t, d.Sync())
	r := &rig{t: t, d: d, chunk: c}
	for _, f := range faults {
		if strings.ReplaceAll(f.name, " ", "_") != name {
			continue
		}
		k := r.load(backend.Program{Name: "fault.cu", Source: "#include <assert.h>\n__global__ void k(int *x, long n) { " + f.source + " }"})["k"]
		err := d.Launch(launch(k, one(2), one(32), 0, c.Addr, int64(1)<<38))
		if err == nil {
			err = d.Sync()
		}
		var e *backend.Error
		if !errors.As(err, &e) || !slices.Contains(f.codes, e.Code) || !e.Fatal || e.Name == "" {
			t.Fatalf("%s: got %#v, want a fatal error with a code of %v", name, err, f.codes)
		}
		// The device cannot be used in this process again.
		if err := d.Launch(launch(k, one(1), one(1), 0, c.Addr, int64(0))); err == nil {
			err = d.Sync()
			if err == nil {
				t.Fatal("the device still works after a fatal error")
			}
		}
		return
	}
	t.Fatalf("there is no fault %q", name)
}
