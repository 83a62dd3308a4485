package driver

import (
	"encoding/binary"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/corpus"
	"github.com/gopherwarp/gopherwarp/gpu/internal/shadow"
)

// A shadowedDevice has its launches checked by compute-sanitizer before it carries them out.
type shadowedDevice struct {
	backend.Device
	*shadow.Watcher
	program backend.Program
	memory  map[uint64]uint64 // sizes of buffers by their address
}

func (d *shadowedDevice) Close() error { return d.Device.Close() }

func (d *shadowedDevice) Compile(p backend.Program) (backend.Image, error) {
	d.program = p
	p.Options = append(slices.Clone(p.Options), "-lineinfo")
	return d.Device.Compile(p)
}

func (d *shadowedDevice) Load(mod uint32, img backend.Image) error {
	d.Loaded(mod, d.program, img)
	return d.Device.Load(mod, img)
}

func (d *shadowedDevice) Unload(mod uint32) error {
	d.Unloaded(mod)
	return d.Device.Unload(mod)
}

func (d *shadowedDevice) Function(fn, mod uint32, name string) (backend.FunctionInfo, error) {
	d.Bound(fn, mod, name, nil)
	return d.Device.Function(fn, mod, name)
}

func (d *shadowedDevice) CopyHtoD(dst uint64, src []byte, stream uint32) error {
	if len(src) > 0 {
		d.memory[dst] = uint64(len(src))
		_ = d.Allocated(dst, uint64(len(src)), false)
	}
	return d.Device.CopyHtoD(dst, src, stream)
}

func (d *shadowedDevice) Launch(l *backend.Launch) error {
	var views []backend.View
	for at := 0; at+8 <= len(l.Args); at += 8 {
		addr := binary.LittleEndian.Uint64(l.Args[at:])
		if size, ok := d.memory[addr]; ok {
			views = append(views, backend.View{Addr: addr, Size: size, Elem: 1, Name: "memory", Arg: at})
		}
	}
	_ = d.Views(views)
	if _, err := d.Watcher.Launch(l); err != nil {
		return err
	}
	return d.Device.Launch(l)
}

// roleWatched carries out launches under a tool.
func roleWatched() error {
	return shadow.Serve(New(), 0, os.NewFile(shadow.JobsFD, "jobs"), os.NewFile(shadow.AnswersFD, "answers"))
}

// TestRightKernelsAreAccusedOfNothing runs the corpus under compute-sanitizer's tools.
func TestRightKernelsAreAccusedOfNothing(t *testing.T) {
	cmd, _ := asRole(t, "watched")
	sanitizer := FindTool("compute-sanitizer")
	if sanitizer == "" {
		t.Skip("SKIPPED: there is no compute-sanitizer")
	}
	t.Setenv(roleVariable, "watched") // for the processes that the watcher starts
	runtime.LockOSThread()            // so no subtests, which have goroutines of their own
	defer runtime.UnlockOSThread()
	d, err := New().Open(0)
	try(t, err)
	defer d.Close()
	chunk, err := d.CreateChunk(corpusBytes)
	try(t, err)
	w := shadow.New(d, shadow.Config{Sanitizer: sanitizer, Helper: []string{cmd.Path}})
	cases, err := corpus.Load()
	try(t, err)
	for _, c := range cases {
		s := &shadowedDevice{Device: d, Watcher: w, memory: map[uint64]uint64{}}
		m, err := c.Run(s, chunk.Addr, corpusBytes)
		if err == nil {
			err = c.Check(m)
		}
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		for addr := range s.memory {
			try(t, w.Freed(addr))
		}
	}
	r, err := w.Report()
	try(t, err)
	for _, f := range r.Findings {
		t.Errorf("%s accuses %s, line %d of %s, of %s: thread %v of block %v %s", f.Tool, f.Kernel, f.Line, f.Program, f.Kind, f.Thread, f.Block, f.Message)
	}
}
