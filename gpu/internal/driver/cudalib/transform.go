package cudalib

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// maxPlans is the maximum number of plans of a stream. A plan has tables on the device.
const maxPlans = 32

// plan is a plan for Fourier transforms of one shape.
type plan struct {
	shape  shape
	handle int32
	work   uint64 // bytes
}

// shape is the key of a plan.
type shape struct {
	double bool
	kind   routine.Kind
	rank   int
	dims   [3]int
	count  int
}

// transformTypes are the values of cufftType, for single and double precision.
var transformTypes = [2]map[routine.Kind]uintptr{
	{routine.ComplexToComplex: 0x29, routine.RealToComplex: 0x2a, routine.ComplexToReal: 0x2c},
	{routine.ComplexToComplex: 0x69, routine.RealToComplex: 0x6a, routine.ComplexToReal: 0x6c},
}

var executions = [2]map[routine.Kind]string{
	{routine.ComplexToComplex: "cufftExecC2C", routine.RealToComplex: "cufftExecR2C", routine.ComplexToReal: "cufftExecC2R"},
	{routine.ComplexToComplex: "cufftExecZ2Z", routine.RealToComplex: "cufftExecD2Z", routine.ComplexToReal: "cufftExecZ2D"},
}

func (l *Libraries) transform(c *routine.Transform, s *stream) error {
	if c.Count == 0 {
		return nil
	}
	p, err := l.plan(c, s)
	if err != nil {
		return fmt.Errorf("create the plan of a Fourier transform: %w", err)
	}
	lib := l.opened[routine.FFT]
	work, err := l.workspace(s, p.work)
	if err != nil {
		return fmt.Errorf("allocate the workspace of a Fourier transform: %w", err)
	}
	const doing = "a Fourier transform"
	if err := lib.call(doing, "cufftSetWorkArea", uintptr(p.handle), uintptr(work)); err != nil {
		return err
	}
	// If the direction is fixed, the argument after the addresses is ignored.
	direction := ^uintptr(0) // CUFFT_FORWARD, -1
	if c.Inverse {
		direction = 1
	}
	return lib.call(doing, executions[precision(c)][c.Kind], uintptr(p.handle), uintptr(c.In), uintptr(c.Out), direction)
}

func precision(c *routine.Transform) int {
	if c.Double {
		return 1
	}
	return 0
}

// plan returns a plan, which it creates if necessary. A new plan may replace the least recently used one.
func (l *Libraries) plan(c *routine.Transform, s *stream) (plan, error) {
	want := shape{c.Double, c.Kind, c.Rank, c.Dims, c.Count}
	if i := slices.IndexFunc(s.plans, func(p plan) bool { return p.shape == want }); i >= 0 {
		p := s.plans[i]
		s.plans = append(slices.Delete(s.plans, i, i+1), p)
		return p, nil
	}
	lib := l.opened[routine.FFT]
	if len(s.plans) >= maxPlans {
		old := s.plans[0]
		s.plans = slices.Delete(s.plans, 0, 1)
		if err := lib.call("destroying a plan", "cufftDestroy", uintptr(old.handle)); err != nil {
			return plan{}, err
		}
	}
	p := plan{shape: want}
	if err := lib.call("creating its handle", "cufftCreate", uintptr(unsafe.Pointer(&p.handle))); err != nil {
		return plan{}, err
	}
	if err := l.configure(&p, c, s); err != nil {
		_ = lib.call("destroying a plan", "cufftDestroy", uintptr(p.handle)) // it could not be configured
		return plan{}, err
	}
	s.plans = append(s.plans, p)
	return p, nil
}

// configure configures a new plan for its shape. The workspace is that of the stream.
func (l *Libraries) configure(p *plan, c *routine.Transform, s *stream) error {
	lib := l.opened[routine.FFT]
	if err := lib.call("configuring it", "cufftSetAutoAllocation", uintptr(p.handle), 0); err != nil {
		return err
	}
	for i, n := range c.Dims[:c.Rank] {
		l.dims[i] = int32(n)
	}
	in, out := c.Sizes()
	l.number = 0
	err := lib.call("configuring it", "cufftMakePlanMany", uintptr(p.handle), uintptr(c.Rank), uintptr(unsafe.Pointer(&l.dims)),
		0, 1, uintptr(in), 0, 1, uintptr(out), transformTypes[precision(c)][c.Kind], uintptr(c.Count), uintptr(unsafe.Pointer(&l.number)))
	if err != nil {
		return err
	}
	p.work = uint64(l.number)
	return lib.call("setting its stream", "cufftSetStream", uintptr(p.handle), s.raw)
}
