package driver

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend/backendtest/corpus"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sanitizer"
)

// A checkedDevice checks its launches by compute-sanitizer before it executes them.
type checkedDevice struct {
	backend.Device
	*sanitizer.Watcher
	backend.Texturer
	program  backend.Program
	memory   map[uint64]uint64 // sizes of buffers, by address
	names    map[uint32]string // of kernels, by handle
	textures map[uint32]backend.Texture
}

func (d *checkedDevice) Close() error { return d.Device.Close() }

func (d *checkedDevice) Compile(p backend.Program) (backend.Image, error) {
	d.program = p
	p.Options = append(slices.Clone(p.Options), "-lineinfo")
	return d.Device.Compile(p)
}

func (d *checkedDevice) Load(mod uint32, img backend.Image) error {
	d.Loaded(mod, d.program, img)
	return d.Device.Load(mod, img)
}

func (d *checkedDevice) Unload(mod uint32) error {
	d.Unloaded(mod)
	return d.Device.Unload(mod)
}

func (d *checkedDevice) Function(fn, mod uint32, name string) (backend.FunctionInfo, error) {
	d.names[fn] = name
	d.Bound(fn, mod, name, nil, backend.TextureArguments{})
	return d.Device.Function(fn, mod, name)
}

func (d *checkedDevice) TextureCreate(handle uint32, t *backend.Texture) error {
	d.textures[handle] = *t
	return d.Texturer.TextureCreate(handle, t)
}

func (d *checkedDevice) TextureArguments(fn uint32, at backend.TextureArguments) error {
	d.Bound(fn, 1, d.names[fn], nil, at) // cases of the corpus have one module
	return d.Texturer.TextureArguments(fn, at)
}

func (d *checkedDevice) CopyHtoD(dst uint64, src []byte, stream uint32) error {
	if len(src) > 0 {
		d.memory[dst] = uint64(len(src))
		_ = d.Allocated(dst, uint64(len(src)), false)
	}
	return d.Device.CopyHtoD(dst, src, stream)
}

func (d *checkedDevice) Launch(l *backend.Launch) error {
	var views []backend.View
	for at := 0; at+8 <= len(l.Args); at += 8 {
		addr := binary.LittleEndian.Uint64(l.Args[at:])
		if size, ok := d.memory[addr]; ok {
			views = append(views, backend.View{Addr: addr, Size: size, Elem: 1, Name: "memory", Arg: at})
		}
	}
	_ = d.Views(views, backend.Blocks{})
	if _, err := d.Watcher.Launch(l); err != nil {
		return err
	}
	return d.Device.Launch(l)
}

// roleWatched executes launches under a tool.
func roleWatched() error {
	return sanitizer.Serve(New(), 0, os.NewFile(sanitizer.JobsFD, "jobs"), os.NewFile(sanitizer.AnswersFD, "answers"))
}

// shareVariable is the part of the corpus that a process checks: "0/4" is the first quarter.
const shareVariable = "GOPHERWARP_DRIVER_TEST_SHARE"

// A verdict is the result for a file of the corpus, or the findings of all.
type verdict struct {
	Case     string
	Err      string
	Took     time.Duration
	Findings []backend.Finding
}

// roleRight runs a part of the corpus under the tools, and prints verdicts as they become known. The last one has no case.
func roleRight() error {
	var share, of int
	if _, err := fmt.Sscanf(os.Getenv(shareVariable), "%d/%d", &share, &of); err != nil {
		return fmt.Errorf("%s: %w", shareVariable, err)
	}
	if err := os.Setenv(roleVariable, "watched"); err != nil { // for the processes that the watcher starts
		return err
	}
	d, err := New().Open(0)
	if err != nil {
		return err
	}
	defer d.Close()
	chunk, err := d.CreateChunk(corpusBytes, 0)
	if err != nil {
		return err
	}
	cases, err := corpus.Load()
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	textures := map[uint32]backend.Texture{}
	w := sanitizer.New(d, sanitizer.Config{
		Sanitizer: FindTool("compute-sanitizer"), Helper: []string{os.Args[0]},
		Texture: func(handle uint32) (backend.Texture, bool) { t, ok := textures[handle]; return t, ok },
	})
	for i := share; i < len(cases); i += of {
		v := verdict{Case: cases[i].Name}
		start := time.Now()
		s := &checkedDevice{
			Device: d, Watcher: w, Texturer: d.(backend.Texturer),
			memory: map[uint64]uint64{}, names: map[uint32]string{}, textures: textures,
		}
		m, err := cases[i].Run(s, chunk.Addr, corpusBytes)
		if err == nil {
			err = cases[i].Check(m)
		}
		if err != nil {
			v.Err = err.Error()
		}
		v.Took = time.Since(start)
		if err := out.Encode(v); err != nil {
			return err
		}
		for addr := range s.memory {
			if err := w.Freed(addr); err != nil {
				return err
			}
		}
	}
	r, err := w.Report()
	if err != nil {
		return err
	}
	return out.Encode(verdict{Findings: r.Findings})
}

// TestRightKernelsAreAccusedOfNothing runs the corpus under compute-sanitizer's tools, in several processes at the same time:
// starting the tools and instrumenting each kernel takes long.
func TestRightKernelsAreAccusedOfNothing(t *testing.T) {
	asRole(t, "watched") // skips the test where there is no GPU
	if FindTool("compute-sanitizer") == "" {
		t.Skip("SKIPPED: there is no compute-sanitizer")
	}
	cases, err := corpus.Load()
	try(t, err)
	const processes = 4 // each of which runs under the tools
	shares := max(1, runtime.NumCPU()/processes)
	verdicts := make(chan verdict)
	var group sync.WaitGroup
	for i := range shares {
		cmd, _ := asRole(t, "right")
		cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%d/%d", shareVariable, i, shares))
		out, err := cmd.StdoutPipe()
		try(t, err)
		try(t, cmd.Start())
		group.Go(func() {
			decoder := json.NewDecoder(out)
			for {
				var v verdict
				if err := decoder.Decode(&v); err != nil {
					break
				}
				verdicts <- v
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("part %d of %d: %v", i, shares, err)
			}
		})
	}
	go func() { group.Wait(); close(verdicts) }()
	seen := map[string]bool{}
	for v := range verdicts {
		if v.Case != "" {
			seen[v.Case] = true
			t.Logf("%s took %v", v.Case, v.Took.Round(time.Millisecond))
		}
		if v.Err != "" {
			t.Errorf("%s: %s", v.Case, v.Err)
		}
		for _, f := range v.Findings {
			if f.Warning {
				t.Logf("%s warns of %s, line %d of %s: %s", f.Tool, f.Kernel, f.Line, f.Program, f.Message)
				continue
			}
			t.Errorf("%s accuses %s, line %d of %s, of %s: thread %v of block %v %s", f.Tool, f.Kernel, f.Line, f.Program, f.Kind, f.Thread, f.Block, f.Message)
		}
	}
	for _, c := range cases {
		if !seen[c.Name] {
			t.Errorf("%s was not run to its end", c.Name)
		}
	}
}
