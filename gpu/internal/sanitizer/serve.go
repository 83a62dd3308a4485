package sanitizer

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// gap is what lies behind a copy in a device with a check mode, in bytes.
const gap = 64 << 10

// Serve is the main work of a helper: it carries out jobs until in ends. A job that cannot be
// carried out is the last one.
func Serve(b backend.Backend, ordinal int, in io.Reader, out io.Writer) error {
	runtime.LockOSThread()
	answers := gob.NewEncoder(out)
	dev, err := b.Open(ordinal)
	if err != nil {
		return answers.Encode(answer{Err: asError(err)})
	}
	// Memory that is shared with others comes in large pieces, whose ends the tools know, and not
	// the ends of buffers.
	if d, ok := dev.(interface{ AllocateExactly() }); ok {
		d.AllocateExactly()
	}
	jobs := gob.NewDecoder(in)
	for n := uint32(1); ; n++ {
		var j job
		if err := jobs.Decode(&j); errors.Is(err, io.EOF) {
			return dev.Close() // memcheck then looks for what kernels have not freed
		} else if err != nil {
			return fmt.Errorf("reading a launch to check: %w", err)
		}
		a, failed := carryOut(dev, &j, n, func(begun answer) error { return answers.Encode(begun) })
		a.Err = asError(failed)
		if err := answers.Encode(a); err != nil {
			return fmt.Errorf("answering: %w", err)
		}
		if failed != nil {
			return nil
		}
	}
}

func asError(err error) *backend.Error {
	var e *backend.Error
	if err == nil || errors.As(err, &e) {
		return e
	}
	return &backend.Error{Code: 999, Name: "CUDA_ERROR_UNKNOWN", Message: err.Error()}
}

// carryOut does the n-th job. The copies stay until the helper ends, so that an address means
// the same in all of a tool's log. It calls begin right before the kernel runs.
func carryOut(dev backend.Device, j *job, n uint32, begin func(answer) error) (a answer, err error) {
	checker, checks := dev.(backend.Checker)
	img := j.Image
	if checks {
		program := j.Program
		program.Check = true
		if img, err = dev.Compile(program); err != nil {
			return a, err
		}
	}
	if err := dev.Load(n, img); err != nil {
		return a, err
	}
	if _, err := dev.Function(n, n, j.Kernel); err != nil {
		return a, err
	}
	for name, data := range j.Globals {
		addr, size, err := dev.Symbol(n, name)
		if err == nil {
			err = dev.CopyHtoD(addr, data[:min(uint64(len(data)), size)], 0)
		}
		if err != nil {
			return a, fmt.Errorf("setting variable %s: %w", name, err)
		}
	}
	for _, r := range j.Regions {
		size := r.Size
		if checks {
			size += gap
		}
		c, err := dev.CreateChunk(size)
		if err == nil && checks {
			err = checker.Allocated(c.Addr, r.Size, r.Data == nil)
		}
		if err != nil {
			return a, err
		}
		a.Addrs = append(a.Addrs, c.Addr)
	}
	for i := range j.Regions {
		r := &j.Regions[i]
		if r.Data == nil {
			continue
		}
		j.relocate(r, a.Addrs)
		if err := dev.CopyHtoD(a.Addrs[i], r.Data, 0); err != nil {
			return a, err
		}
	}
	if checks {
		views := append([]backend.View(nil), j.Views...)
		for i := range views {
			views[i].Addr, _ = j.moved(views[i].Addr, a.Addrs)
			views[i].Host = false // the copy is a buffer
		}
		if err := checker.Views(views); err != nil {
			return a, err
		}
	}
	l := j.Launch
	l.Func, l.Stream, l.Args = n, 0, j.arguments(a.Addrs)
	if err := j.makeTextures(dev, n, l.Args, a.Addrs); err != nil {
		return a, err
	}
	if err := dev.Sync(); err != nil {
		return a, err
	}
	if err := begin(answer{Begun: true, Addrs: a.Addrs}); err != nil {
		return a, err
	}
	failed := dev.Launch(&l)
	if failed == nil {
		failed = dev.Sync()
	}
	if checks {
		r, err := checker.Report()
		if err != nil {
			return a, err
		}
		a.Report = &r
	}
	return a, failed
}
