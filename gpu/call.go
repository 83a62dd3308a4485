package gpu

import (
	"fmt"
	"math"
	"reflect"
	"sync"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// A Call is a launch that is being prepared: Begin, then one call for each argument in order, then Do.
//
//	c := k.Begin(gpu.For(n, 256))
//	c.Float32(2)
//	gpu.PassPointer(c, x)
//	c.Int(n)
//	err := c.Do()
//
// The typed wrappers of kernels use it, and it allocates nothing. Do returns the first error of any of the calls. A Call is for one
// goroutine and must not be used after Do.
type Call struct {
	k    *Kernel
	cfg  Launch
	at   client.Place // of the launch
	next int          // index of the next parameter
	err  error
	args []byte
	// refs keep the buffers alive, and from being used by others, until the launch has been sent.
	refs     []reference
	textures []*Texture // among the arguments, whose memory is among refs
	peers    []peerArgument
	// mapped is host memory among the arguments.
	mapped []mappedMemory
	// hosts are arguments in host memory, which are copied back and released after the launch.
	hosts []hostArg
}

// A reference is a buffer, or a view of one, among the arguments.
type reference struct {
	block *client.Block
	addr  uint64
	bytes int
	param int // index of the parameter that it is passed to
}

// mappedMemory is host memory that a kernel accesses.
type mappedMemory struct {
	addr  uint64
	bytes int
	param int // index of the parameter that it is passed to
}

var calls = sync.Pool{New: func() any { return new(Call) }}

// Begin starts preparing a launch of the kernel.
func (k *Kernel) Begin(cfg Launch) *Call {
	c := calls.Get().(*Call)
	c.k, c.cfg, c.next, c.err = k, cfg, 0, nil
	if k == nil {
		c.err = misuse("launching a kernel", "the kernel is nil: compile it first")
		return c
	}
	if cap(c.args) < k.size {
		c.args = make([]byte, k.size)
	}
	c.args = c.args[:k.size]
	return c
}

// param returns the next parameter and its address in the argument buffer, or nil if the argument cannot be passed, in which case c.err
// is set.
func (c *Call) param(kind wire.ParamKind, size int, what string) (*wire.Param, unsafe.Pointer) {
	if c.err != nil {
		return nil, nil
	}
	i := c.next
	c.next++
	if i >= len(c.k.params) {
		return nil, nil // Do counts them
	}
	p := &c.k.params[i]
	if p.Kind != kind || size != 0 && p.Size != size {
		c.err = c.mismatch(p, what)
		return nil, nil
	}
	return p, unsafe.Pointer(&c.args[c.k.offsets[i]])
}

func (c *Call) mismatch(p *wire.Param, what string) error {
	if p.Kind == wire.ParamUnsupported {
		return c.k.reject("parameter %s: %s", describe(p), p.Problem)
	}
	return c.k.reject("parameter %s cannot take %s", describe(p), what)
}

// Float32 passes v to a float parameter.
func (c *Call) Float32(v float32) {
	if p, at := c.param(wire.ParamFloat, 4, "a float32"); p != nil {
		*(*float32)(at) = v
	}
}

// Float64 passes v to a double parameter.
func (c *Call) Float64(v float64) {
	if p, at := c.param(wire.ParamFloat, 8, "a float64"); p != nil {
		*(*float64)(at) = v
	}
}

// Bool passes v to a bool parameter.
func (c *Call) Bool(v bool) {
	if p, at := c.param(wire.ParamBool, 1, "a bool"); p != nil {
		*(*bool)(at) = v
	}
}

// PassValue passes v byte for byte: a vector type, a Float16 or BFloat16, or a struct with the layout of the C struct. It must not
// contain Go pointers.
func PassValue[T any](c *Call, v T) {
	c.pass(&v)
}

// pass passes the value that a pointer, of any type, points to.
func (c *Call) pass(to any) {
	value := reflect.ValueOf(to)
	t := value.Type().Elem()
	p, at := c.param(wire.ParamStruct, 0, "a "+t.String())
	if p == nil {
		return
	}
	if err := fits(p, t); err != "" {
		c.err = c.k.reject("parameter %s cannot take a %v: %s", describe(p), t, err)
		return
	}
	copy(unsafe.Slice((*byte)(at), p.Size), unsafe.Slice((*byte)(value.UnsafePointer()), p.Size))
}

// Bytes passes v as the memory of a struct, for layouts that only the caller knows. Its length must be the C struct's size.
func (c *Call) Bytes(v []byte) {
	p, at := c.param(wire.ParamStruct, 0, "a struct")
	switch {
	case p == nil:
	case p.Size != len(v):
		c.err = c.k.reject("parameter %s cannot take %d bytes: it has %d", describe(p), len(v), p.Size)
	default:
		copy(unsafe.Slice((*byte)(at), p.Size), v)
	}
}

// fits returns why values of the type cannot be passed to the parameter, or "".
func fits(p *wire.Param, t reflect.Type) string {
	switch {
	case p.Elem != "" && p.Elem != typeName(t):
		return "it is a " + p.Elem
	case int(t.Size()) != p.Size:
		return fmt.Sprintf("it has %d bytes, the C type %d (vectors of 2 and 4 are aligned to their size there: add _ [n]byte fields)", t.Size(), p.Size)
	case !flat(t):
		return "it holds Go pointers, which mean nothing on the device; Buffer.Address is a number"
	}
	return ""
}

// flats caches the results of flat, since every launch needs them.
var flats sync.Map

// flat reports whether values of the type contain no pointers.
func flat(t reflect.Type) bool {
	if known, ok := flats.Load(t); ok {
		return known.(bool)
	}
	ok := true
	switch t.Kind() {
	case reflect.Array:
		ok = flat(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			ok = ok && flat(t.Field(i).Type)
		}
	case reflect.Pointer, reflect.UnsafePointer, reflect.Slice, reflect.String, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface:
		ok = false
	}
	flats.Store(t, ok)
	return ok
}

// Int passes v to an integer parameter of any C type, which must be able to represent it.
func (c *Call) Int(v int) { c.integer(int64(v), v < 0, uint64(v)) }

// Uint passes v to an integer parameter of any C type, which must be able to represent it.
func (c *Call) Uint(v uint) { c.integer(int64(v), false, uint64(v)) }

// integer stores an integer, given as signed and as unsigned.
func (c *Call) integer(signed int64, negative bool, v uint64) {
	kind := wire.ParamInt
	if c.err == nil && c.next < len(c.k.params) && c.k.params[c.next].Kind == wire.ParamUint {
		kind = wire.ParamUint
	}
	p, at := c.param(kind, 0, "an integer")
	if p == nil {
		return
	}
	bits := uint(p.Size) * 8
	switch {
	case kind == wire.ParamUint && (negative || v>>(bits-1)>>1 != 0),
		kind == wire.ParamInt && !negative && v>>(bits-1) != 0,
		kind == wire.ParamInt && negative && signed>>(bits-1) != -1:
		c.err = c.outOfRange(p, signed, negative, v)
		return
	}
	switch p.Size {
	case 1:
		*(*uint8)(at) = uint8(v)
	case 2:
		*(*uint16)(at) = uint16(v)
	case 4:
		*(*uint32)(at) = uint32(v)
	case 8:
		*(*uint64)(at) = v
	}
}

func (c *Call) outOfRange(p *wire.Param, signed int64, negative bool, v uint64) error {
	bits := uint(p.Size) * 8
	if p.Kind == wire.ParamUint {
		most := uint64(math.MaxUint64) >> (64 - bits)
		if negative {
			return c.k.reject("parameter %s: %d is not between 0 and %d", describe(p), signed, most)
		}
		return c.k.reject("parameter %s: %d is not between 0 and %d", describe(p), v, most)
	}
	most := int64(math.MaxInt64) >> (64 - bits)
	if negative {
		return c.k.reject("parameter %s: %d is not between %d and %d", describe(p), signed, -most-1, most)
	}
	return c.k.reject("parameter %s: %d is not between %d and %d", describe(p), v, -most-1, most)
}

// PassPointer passes the address of a buffer, or of a copy of host memory (In, Out, InOut), to a pointer parameter.
func PassPointer[T Element](c *Call, p Ptr[T]) {
	if p == nil {
		c.pointer(reference{}, nil, "nil")
		return
	}
	p.bind(c)
}

// pointer stores an address, or an error if the block is nil.
func (c *Call) pointer(r reference, l *client.Link, what string) {
	p, at := c.param(wire.ParamPointer, 8, what)
	switch {
	case p == nil:
	case r.block == nil:
		c.err = c.k.reject("parameter %s is nil: make the buffer first", describe(p))
	default:
		*(*uint64)(at) = r.addr
		r.param = c.next - 1
		if l != c.k.mod.dev.link {
			c.peers = append(c.peers, peerArgument{reference: r})
			return
		}
		c.refs = append(c.refs, r)
	}
}

// host stores the address of host memory that kernels can access.
func (c *Call) host(m mappedMemory) {
	if p, at := c.param(wire.ParamPointer, 8, "host memory"); p != nil {
		*(*uint64)(at) = m.addr
		m.param = c.next - 1
		c.mapped = append(c.mapped, m)
	}
}

// Do launches the kernel and returns the first error of preparing or launching it. It does not wait for the kernel, unless an argument is
// Out or InOut, whose slice it fills, or a buffer of another device. Errors of the kernel itself are returned by a later wait.
func (c *Call) Do() error {
	return c.launch(3) // launch, Do and the typed wrapper that called it
}

// launch sends the launch and releases c. The line that launches the kernel is skip callers away, launch itself included.
func (c *Call) launch(skip int) error {
	c.at.Note(skip)
	return c.finish()
}

// finish sends the launch and releases c.
func (c *Call) finish() error {
	err := c.send()
	for _, h := range c.hosts {
		if err == nil {
			err = h.fetch(c)
		}
		h.release(c)
	}
	if e, ok := err.(*Error); ok && e.Site == "" && e.Kernel == c.kernelName() {
		e.Site = c.at.String()
	}
	clear(c.refs)
	clear(c.hosts)
	clear(c.textures)
	clear(c.peers)
	c.peers = c.peers[:0]
	c.refs, c.textures, c.mapped, c.hosts, c.k = c.refs[:0], c.textures[:0], c.mapped[:0], c.hosts[:0], nil
	calls.Put(c)
	return err
}

func (c *Call) kernelName() string {
	if c.k == nil {
		return ""
	}
	return c.k.name
}

func (c *Call) send() error {
	if c.err != nil {
		return c.err
	}
	k := c.k
	if c.next != len(k.params) {
		return k.reject("%d arguments for the %d parameters of %v", c.next, len(k.params), k)
	}
	if c.cfg.empty {
		return nil
	}
	s, err := k.check(&c.cfg)
	if err != nil {
		return err
	}
	l := k.mod.dev.link
	watchers := &k.mod.dev.watchers
	if skipped := pointer.Load[skippedLaunches](&watchers.skipped); skipped != nil {
		skipped.add(k)
		return nil
	}
	cmd := wire.Command{Op: wire.OpLaunch, Func: k.fn, Grid: s.grid, Block: s.block, Shared: uint32(c.cfg.SharedBytes), Stream: c.cfg.Stream.number()}
	if c.cfg.Cluster != (Dim3{}) {
		cmd.SetCluster(s.cluster)
	}
	if c.cfg.Cooperative {
		cmd.SetCooperative()
	}
	cmd.Arg = watchers.order.Load()
	if len(c.peers) > 0 {
		err = c.sendAcross(&cmd)
	} else {
		err = c.give(&cmd)
	}
	if err != nil {
		for i := range c.refs {
			l.Reported(c.refs[i].block.Allocation, err)
		}
		return wrap("launching "+k.name, err)
	}
	c.noteLaunch(&cmd)
	if m := pointer.Load[meter](&watchers.meter); m != nil {
		m.note(c.refs)
		for i := range c.peers {
			m.note([]reference{c.peers[i].reference})
		}
	}
	return nil
}

// give sends the launch to the device process, or records it if the stream is being captured.
func (c *Call) give(cmd *wire.Command) error {
	l := c.k.mod.dev.link
	return l.With(func(p *client.Process) error {
		if err := c.ready(p, cmd.Stream); err != nil {
			return err
		}
		if r := l.RecordingOf(cmd.Stream); r != nil {
			c.record(r, cmd)
			return nil
		}
		recorded := l.Recorded()
		if recorded.N == 0 {
			recorded = c.debug()
		}
		if c.k.mod.program.Check || l.WatchesAll() || recorded.N > 0 {
			if err := c.watched(p, cmd, recorded); err != nil {
				return err
			}
		}
		if err := l.Push(p, cmd, c.args); err != nil {
			return err
		}
		if err := c.leavePeers(p); err != nil {
			return err
		}
		c.sent(cmd)
		return nil
	})
}

// ready returns an error if an argument no longer exists, or depends on work that was lost. The lock is held.
func (c *Call) ready(p *client.Process, stream uint32) error {
	for i := range c.refs {
		a := c.refs[i].block.Allocation
		if !a.Available() {
			return c.gone(&c.refs[i])
		}
		if err := a.TakeFault(); err != nil {
			return err
		}
	}
	for _, t := range c.textures {
		if t.state.Broken != nil {
			return misuse("", "a texture could not be made again after the device process was replaced (%v): make it anew", t.state.Broken)
		}
	}
	return c.reached(p, stream)
}

// record adds the launch to a graph. The lock is held.
func (c *Call) record(r *client.Recording, cmd *wire.Command) {
	for i := range c.refs {
		r.AddBlock(c.refs[i].block)
	}
	for _, t := range c.textures {
		r.AddKept(t)
	}
	r.AddLaunch(cmd, c.args, c.k.name, &c.at)
}

// sent records a launch that the device was given. The lock is held.
func (c *Call) sent(cmd *wire.Command) {
	d := c.k.mod.dev
	d.link.Launched(cmd, c.k.name, &c.at)
	if p := pointer.Load[profile](&d.watchers.profile); p != nil {
		p.launched(c.k, cmd)
	} else if registry.profiles.Load() > 0 {
		noteElsewhere(c.k)
	}
	for i := range c.refs {
		c.refs[i].block.Touch(cmd)
	}
}

// gone returns the error of a buffer that no longer exists.
func (c *Call) gone(r *reference) error {
	p := &c.k.params[r.param]
	if r.block.WasFreed() {
		return c.k.reject("parameter %s: the buffer was freed", describe(p))
	}
	return c.k.reject("parameter %s: the buffer's contents went with the device process that died; make it anew", describe(p))
}

// Launch launches the kernel with arguments that are checked against its parameters: any Go integer for a C integer that can represent
// it, floats for floats, a *Buffer or In, Out, InOut of a slice for a pointer. It does not wait for the kernel, unless an argument is Out
// or InOut, or a buffer of another device. Errors of the kernel itself are returned by a later wait.
func (k *Kernel) Launch(cfg Launch, args ...any) error {
	c := k.Begin(cfg)
	for _, a := range args {
		c.any(a)
	}
	return c.launch(2)
}

// any passes one argument of a type that is known only at run time.
func (c *Call) any(a any) {
	if c.err != nil {
		return
	}
	if c.next >= len(c.k.params) {
		c.next++
		return
	}
	p := &c.k.params[c.next]
	v := reflect.ValueOf(a)
	if t, ok := a.(*Texture); ok {
		c.Texture(t)
		return
	}
	if b, ok := a.(binder); ok {
		if p.Kind == wire.ParamPointer && p.Elem != "" && b.element() != p.Elem {
			c.err = c.k.reject("parameter %s cannot take elements of type %s: it points to %s", describe(p), b.element(), p.Elem)
			return
		}
		b.bind(c)
		return
	}
	switch {
	case a == nil:
		c.pointer(reference{}, nil, "nil")
	case p.Kind == wire.ParamStruct:
		c.pass(pointerTo(v))
	case v.CanInt():
		if p.Kind == wire.ParamFloat {
			c.float(p, float64(v.Int()), a)
			return
		}
		c.integer(v.Int(), v.Int() < 0, uint64(v.Int()))
	case v.CanUint():
		if p.Kind == wire.ParamFloat {
			c.float(p, float64(v.Uint()), a)
			return
		}
		c.integer(int64(v.Uint()), false, v.Uint())
	case v.CanFloat():
		c.float(p, v.Float(), a)
	case v.Kind() == reflect.Bool:
		c.Bool(v.Bool())
	case v.Kind() == reflect.Slice && p.Kind == wire.ParamPointer:
		c.err = c.k.reject("parameter %s is a pointer: pass a buffer (gpu.ToDevice), or the slice as gpu.In, gpu.Out or gpu.InOut", describe(p))
	default:
		c.err = c.mismatch(p, "a "+v.Type().String())
	}
}

// pointerTo returns a pointer to a copy of v.
func pointerTo(v reflect.Value) any {
	held := reflect.New(v.Type())
	held.Elem().Set(v)
	return held.Interface()
}

// float passes a number to a parameter that is known to be float or double. Untyped constants arrive as an int or a float64, so both are
// accepted if an integer keeps its value.
func (c *Call) float(p *wire.Param, v float64, a any) {
	exact := true
	if n := reflect.ValueOf(a); n.CanInt() {
		exact = math.Abs(v) <= 1<<24 || p.Size == 8 && math.Abs(v) <= 1<<53
	} else if n.CanUint() {
		exact = v <= 1<<24 || p.Size == 8 && v <= 1<<53
	}
	if !exact {
		c.err = c.k.reject("parameter %s: %v cannot be represented exactly; convert it yourself", describe(p), a)
		return
	}
	if p.Kind == wire.ParamFloat && p.Size == 4 {
		c.Float32(float32(v))
		return
	}
	c.Float64(v)
}
