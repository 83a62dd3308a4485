package sanitizer

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// gap is the unused memory after a copy on a device with a check mode, in bytes.
const gap = 64 << 10

// Serve is the main function of a helper: it executes jobs until in ends, or until a job fails.
func Serve(b backend.Backend, ordinal int, in io.Reader, out io.Writer) error {
	runtime.LockOSThread()
	answers := gob.NewEncoder(out)
	dev, err := b.Open(ordinal)
	if err != nil {
		return answers.Encode(answer{Err: asError(err)})
	}
	// Shareable memory is allocated in large chunks. The tools detect accesses beyond a chunk, but not beyond a buffer within it.
	if d, ok := dev.(interface{ AllocateExactly() }); ok {
		d.AllocateExactly()
	}
	jobs := gob.NewDecoder(in)
	for n := uint32(1); ; n++ {
		var j job
		if err := jobs.Decode(&j); errors.Is(err, io.EOF) {
			return dev.Close() // memcheck then reports memory that kernels have not freed
		} else if err != nil {
			return fmt.Errorf("read a launch to check: %w", err)
		}
		a, failed := carryOut(dev, &j, n, func(begun answer) error { return answers.Encode(begun) })
		a.Err = asError(failed)
		if err := answers.Encode(a); err != nil {
			return fmt.Errorf("send an answer: %w", err)
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

// A replay is a job in progress. The copies exist until the helper exits, so that addresses are unique in a tool's log.
type replay struct {
	dev     backend.Device
	checker backend.Checker // nil if the device has no check mode
	job     *job
	n       uint32 // number of the job, and handle of its module and kernel
	answer  answer
}

// carryOut executes the n-th job. It calls begin before the kernel starts.
func carryOut(dev backend.Device, j *job, n uint32, begin func(answer) error) (answer, error) {
	r := &replay{dev: dev, job: j, n: n}
	r.checker, _ = dev.(backend.Checker)
	for _, phase := range []func() error{r.load, r.setGlobals, r.allocate, r.fill, r.tellViews} {
		if err := phase(); err != nil {
			return r.answer, err
		}
	}
	return r.answer, r.launch(begin)
}

// load loads the kernel. A device with a check mode compiles it again.
func (r *replay) load() error {
	img := r.job.Image
	if r.checker != nil {
		program := r.job.Program
		program.Check = true
		var err error
		if img, err = r.dev.Compile(program); err != nil {
			return err
		}
	}
	if err := r.dev.Load(r.n, img); err != nil {
		return err
	}
	_, err := r.dev.Function(r.n, r.n, r.job.Kernel)
	return err
}

func (r *replay) setGlobals() error {
	for name, data := range r.job.Globals {
		addr, size, err := r.dev.Symbol(r.n, name)
		if err == nil {
			err = r.dev.CopyHtoD(addr, data[:min(uint64(len(data)), size)], 0)
		}
		if err != nil {
			return fmt.Errorf("set variable %s: %w", name, err)
		}
	}
	return nil
}

// allocate allocates a copy of each region, without its data.
func (r *replay) allocate() error {
	for _, region := range r.job.Regions {
		size := region.Size
		if r.checker != nil {
			size += gap
		}
		c, err := r.dev.CreateChunk(size, 0)
		if err == nil && r.checker != nil {
			err = r.checker.Allocated(c.Addr, region.Size, region.Data == nil)
		}
		if err != nil {
			return err
		}
		r.answer.Addrs = append(r.answer.Addrs, c.Addr)
	}
	return nil
}

// fill copies the data of the regions, with the addresses of the copies.
func (r *replay) fill() error {
	for i := range r.job.Regions {
		region := &r.job.Regions[i]
		if region.Data == nil {
			continue
		}
		r.job.relocate(region, r.answer.Addrs)
		if err := r.dev.CopyHtoD(r.answer.Addrs[i], region.Data, 0); err != nil {
			return err
		}
	}
	return nil
}

// tellViews sets the memory that the launch may use, for a check mode.
func (r *replay) tellViews() error {
	if r.checker == nil {
		return nil
	}
	views := slices.Clone(r.job.Views)
	for i := range views {
		views[i].Addr, _ = r.job.moved(views[i].Addr, r.answer.Addrs)
		views[i].Host = false // the copy is a buffer
	}
	return r.checker.Views(views, backend.Blocks{})
}

// launch runs the kernel and returns its error.
func (r *replay) launch(begin func(answer) error) error {
	l := r.job.Launch
	l.Func, l.Stream, l.Args = r.n, 0, r.job.arguments(r.answer.Addrs)
	if err := r.job.makeTextures(r.dev, r.n, l.Args, r.answer.Addrs); err != nil {
		return err
	}
	if err := r.dev.Sync(); err != nil {
		return err
	}
	if err := begin(answer{Begun: true, Addrs: r.answer.Addrs}); err != nil {
		return err
	}
	failed := r.dev.Launch(&l)
	if failed == nil {
		failed = r.dev.Sync()
	}
	if r.checker == nil {
		return failed
	}
	report, err := r.checker.Report()
	if err != nil {
		return err
	}
	r.answer.Report = &report
	return failed
}
