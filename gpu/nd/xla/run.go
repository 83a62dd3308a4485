package xla

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/nd/internal/dynamic"
	"github.com/gopherwarp/gopherwarp/gpu/nd/internal/mapped"
	"github.com/gopherwarp/gopherwarp/gpu/nd/internal/pjrt"
)

// A Program is a compiled program. It is safe for concurrent use.
type Program struct {
	client  *Client
	exec    *pjrt.Executable
	in, out []Value
	known   bool
}

// Inputs returns the arguments of main, or nil if the program is in binary form.
func (p *Program) Inputs() []Value { return p.in }

// Outputs returns the results of main, or nil if the program is in binary form.
func (p *Program) Outputs() []Value { return p.out }

// Close releases the compiled code.
func (p *Program) Close() error { return p.exec.Close() }

// types are PJRT's types of elements.
var types = map[nd.DType]pjrt.Type{
	nd.Bool: pjrt.Pred,
	nd.Int8: pjrt.S8, nd.Int16: pjrt.S16, nd.Int32: pjrt.S32, nd.Int64: pjrt.S64,
	nd.Uint8: pjrt.U8, nd.Uint16: pjrt.U16, nd.Uint32: pjrt.U32, nd.Uint64: pjrt.U64,
	nd.F16: pjrt.F16, nd.BF16: pjrt.BF16, nd.F32: pjrt.F32, nd.F64: pjrt.F64,
	nd.C64: pjrt.C64, nd.C128: pjrt.C128,
}

// align is the alignment of addresses that XLA requires, in bytes.
const align = 256

// Run runs the program. Arguments are arrays of the client's device, with the types and shapes that main has (see Compile for what is
// compared). Expressions are computed first; arrays that are not contiguous in row-major order are copied. The results are new arrays on
// the same device. When Run returns, everything has been computed.
func (p *Program) Run(args ...nd.Operand) (results []nd.Operand, err error) {
	if err := p.check(args); err != nil {
		return nil, err
	}
	call := &call{client: p.client}
	defer func() {
		if closing := call.close(err == nil); err == nil && closing != nil {
			results, err = nil, fmt.Errorf("after running a program of XLA: %w", closing)
		}
	}()
	for i, a := range args {
		if err := call.pass(a); err != nil {
			return nil, fmt.Errorf("passing argument %s of main: %w", p.name(i), err)
		}
	}
	if err := call.prepare(p.out); err != nil {
		return nil, fmt.Errorf("making the results of main: %w", err)
	}
	if err := call.viewArguments(); err != nil {
		return nil, fmt.Errorf("passing the arguments of main: %w", err)
	}
	buffers, err := p.exec.Run(call.arguments)
	if err != nil {
		return nil, fmt.Errorf("running a program of XLA: %w", err)
	}
	call.results = buffers
	for i, b := range buffers {
		a, err := call.fetch(i, b)
		if err != nil {
			return nil, fmt.Errorf("fetching result %d of main: %w", i+1, err)
		}
		results = append(results, a)
	}
	if err := call.copyResults(); err != nil {
		return nil, fmt.Errorf("fetching the results of main: %w", err)
	}
	runtime.KeepAlive(args)
	return results, nil
}

// name returns the name of an argument in errors.
func (p *Program) name(i int) string {
	if p.known {
		return p.in[i].Name
	}
	return fmt.Sprint(i + 1)
}

// check compares arguments with the signature.
func (p *Program) check(args []nd.Operand) error {
	if p.known && len(args) != len(p.in) {
		list := make([]string, len(p.in))
		for i, v := range p.in {
			list[i] = v.String()
		}
		return fmt.Errorf("main(%s) takes %d arguments, %d were given", strings.Join(list, ", "), len(p.in), len(args))
	}
	for i, a := range args {
		var dt nd.DType
		var lens []int
		var on *gpu.Device
		if err := nd.Try(func() { dt, lens, on = nd.Describe(a) }); err != nil {
			return fmt.Errorf("argument %s of main: %w", p.name(i), err)
		}
		if on != p.client.device {
			return fmt.Errorf("argument %s of main is on %s, the program runs on %s: move it by its method To", p.name(i), on.Name(), p.client.device.Name())
		}
		if !p.known {
			continue
		}
		v := p.in[i]
		if v.DType != dt {
			return fmt.Errorf("argument %s of main is to be %v (%s), not %v: nd.AsType converts it", v.Name, v.DType, v.text, dt)
		}
		if !v.accepts(lens) {
			return fmt.Errorf("argument %s of main is to have the shape %s (%s), not %s", v.Name, shape(v.Shape), v.text, shape(lens))
		}
	}
	return nil
}

// shape formats a shape as Python does.
func shape(lens []int) string {
	list := make([]string, len(lens))
	for i, n := range lens {
		if list[i] = fmt.Sprint(n); n < 0 {
			list[i] = "?"
		}
	}
	text := strings.Join(list, ", ")
	if len(list) == 1 {
		text += ","
	}
	return "(" + text + ")"
}

// call has the resources of one run.
type call struct {
	client    *Client
	arguments []*pjrt.Buffer
	results   []*pjrt.Buffer
	memory    []*mapped.Memory
	views     []argument // arguments that are passed where they are
	prepared  []prepared // results whose shape the program says, in order
	fetches   []transfer // results that are copied where they belong
}

// argument is an argument of the program in the memory of an array.
type argument struct {
	at     int // in the call's arguments
	buffer *gpu.Buffer[byte]
	dtype  pjrt.Type
	shape  []int
}

// prepared is an array for a result.
type prepared struct {
	array  nd.Operand
	buffer *gpu.Buffer[byte]
	memory *mapped.Memory // nil if it goes through the host
	dtype  pjrt.Type
	shape  []int
}

// transfer is a copy of a result to the memory of an array.
type transfer struct {
	to     *gpu.Buffer[byte]
	memory *mapped.Memory // of to, or nil as long as it is not mapped
	from   *pjrt.Buffer
}

// pass adds an array as an argument.
func (c *call) pass(a nd.Operand) error {
	var dt nd.DType
	var shape []int
	var b *gpu.Buffer[byte]
	err := nd.Try(func() {
		dt, shape, _ = nd.Describe(a)
		b = nd.Packed(a)
	})
	if err != nil {
		return err
	}
	if c.throughHost(b) {
		host := make([]byte, b.Len())
		if err := b.CopyTo(host); err != nil {
			return err
		}
		arg, err := c.client.client.FromHost(host, types[dt], shape)
		if err == nil {
			c.arguments = append(c.arguments, arg)
		}
		return err
	}
	if b.Address()%align != 0 {
		var aligned *gpu.Buffer[byte]
		if err := nd.Try(func() { aligned = gpu.Alloc[byte](b.Len(), b.Device()) }); err != nil {
			return err
		}
		if err := gpu.Copy(aligned, b); err != nil {
			return err
		}
		b = aligned
	}
	c.views = append(c.views, argument{len(c.arguments), b, types[dt], shape})
	c.arguments = append(c.arguments, nil)
	return nil
}

// prepare makes arrays for the results, unless one has a shape that is not known yet. So they are mapped with the arguments, and the device is
// waited for once.
func (c *call) prepare(out []Value) error {
	for _, v := range out {
		if slices.Contains(v.Shape, -1) || slices.Contains(v.Shape, 0) {
			return nil
		}
	}
	for _, v := range out {
		a, b, err := dynamic.Empty(v.DType, v.Shape, nil, c.client.device)
		if err != nil {
			return err
		}
		c.prepared = append(c.prepared, prepared{array: a, buffer: b, dtype: types[v.DType], shape: v.Shape})
	}
	return nil
}

// viewArguments makes the arguments that are passed where they are, and maps the results.
func (c *call) viewArguments() error {
	var buffers []*gpu.Buffer[byte]
	for _, v := range c.views {
		buffers = append(buffers, v.buffer)
	}
	var results []*prepared
	for i := range c.prepared {
		if r := &c.prepared[i]; !c.throughHost(r.buffer) {
			results = append(results, r)
			buffers = append(buffers, r.buffer)
		}
	}
	list, err := mapped.MapAll(buffers...)
	if err != nil {
		return err
	}
	c.memory = append(c.memory, list...)
	for i, v := range c.views {
		if c.arguments[v.at], err = c.client.client.View(list[i].Address, v.dtype, v.shape); err != nil {
			return err
		}
	}
	for i, r := range results {
		r.memory = list[len(c.views)+i]
	}
	return nil
}

// throughHost reports whether a buffer's elements have to be copied through the host.
func (c *call) throughHost(b *gpu.Buffer[byte]) bool {
	if c.client.byHost || b.Len() == 0 {
		return true
	}
	_, err := hook.Share(b)
	return err != nil
}

// fetch returns an array for result number i, which copyResults copies there.
func (c *call) fetch(i int, r *pjrt.Buffer) (nd.Operand, error) {
	shape, err := r.Shape()
	if err != nil {
		return nil, err
	}
	dtype, err := r.Type()
	if err != nil {
		return nil, err
	}
	if i < len(c.prepared) {
		if p := &c.prepared[i]; p.dtype == dtype && slices.Equal(p.shape, shape) {
			return p.array, c.result(p.buffer, p.memory, r)
		}
	}
	for dt, theirs := range types {
		if theirs == dtype {
			a, b, err := dynamic.Empty(dt, shape, nil, c.client.device)
			if err != nil {
				return nil, err
			}
			if slices.Contains(shape, 0) {
				return a, r.Await() // there is nothing to copy, and no address to copy it from
			}
			return a, c.result(b, nil, r)
		}
	}
	return nil, fmt.Errorf("it holds %v, of which there are no arrays", dtype)
}

func (c *call) result(b *gpu.Buffer[byte], memory *mapped.Memory, r *pjrt.Buffer) error {
	if c.throughHost(b) {
		host := make([]byte, b.Len())
		if err := r.ToHost(host); err != nil {
			return err
		}
		return b.CopyFrom(host)
	}
	c.fetches = append(c.fetches, transfer{b, memory, r})
	return nil
}

// copyResults copies the results that do not go through the host.
func (c *call) copyResults() error {
	var late []*gpu.Buffer[byte]
	for _, f := range c.fetches {
		if f.memory == nil {
			late = append(late, f.to)
		}
	}
	list, err := mapped.MapAll(late...)
	if err != nil {
		return err
	}
	c.memory = append(c.memory, list...)
	device, copies := -1, []mapped.Transfer(nil)
	for _, f := range c.fetches {
		m := f.memory
		if m == nil {
			m, list = list[0], list[1:]
		}
		from, err := f.from.Address()
		if err != nil {
			return err
		}
		if device = m.Device; device >= 0 {
			copies = append(copies, mapped.Transfer{Dst: m.Address, Src: from, Bytes: m.Len()})
			continue
		}
		if err := f.from.Await(); err != nil {
			return err
		}
		copy(m.Bytes(), mapped.Slice(from, m.Len()))
	}
	if len(copies) == 0 {
		return nil
	}
	return mapped.CopyAfter(device, c.await, copies...)
}

// await makes a stream wait for the results that are copied, or waits for them itself if the plugin cannot, or has an error to tell.
func (c *call) await(stream uintptr) error {
	for _, f := range c.fetches {
		if c.client.client.CanAwaitOn() && f.from.AwaitOn(stream) == nil {
			continue
		}
		if err := f.from.Await(); err != nil {
			return err
		}
	}
	return nil
}

// close releases the resources of the run, whose work is done or may not be. Buffers are released before the memory that they are in.
func (c *call) close(done bool) error {
	var errs []error
	if !done { // the program may still use the arguments
		for _, b := range c.results {
			_ = b.Await() // whose error is known, or one before it
		}
	}
	for _, b := range append(c.arguments, c.results...) {
		if b != nil {
			errs = append(errs, b.Close())
		}
	}
	release := mapped.Release
	if done {
		release = mapped.ReleaseIdle
	}
	return errors.Join(append(errs, release(c.memory...))...)
}
