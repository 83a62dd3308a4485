package corpus

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

// Program returns the case's source for a backend to compile, with the kernels that are launched.
func (c *Case) Program() backend.Program {
	p := backend.Program{Name: c.Name + ".cu", Source: c.Source, Options: c.Options}
	seen := map[string]bool{}
	for _, l := range c.Launches {
		if !seen[l.Kernel] {
			seen[l.Kernel] = true
			p.Kernels = append(p.Kernels, l.Kernel)
		}
	}
	return p
}

// Run runs the case on a device, in memory from addr on, and returns the resulting memory. It uses module 1, and functions from 1
// on.
func (c *Case) Run(d backend.Device, addr, size uint64) (Memory, error) {
	m, err := c.Memory()
	if err != nil {
		return nil, err
	}
	p := c.Program()
	img, err := d.Compile(p)
	if err != nil {
		return nil, err
	}
	if err := d.Load(1, img); err != nil {
		return nil, fmt.Errorf("loading: %w", err)
	}
	defer d.Unload(1)
	file, err := cudac.Parse(c.Source, defines(c.Options)...)
	if err != nil {
		return nil, err
	}
	functions := map[string]uint32{}
	for i, k := range p.Kernels {
		functions[k] = uint32(i + 1)
		if _, err := d.Function(uint32(i+1), 1, k); err != nil {
			return nil, fmt.Errorf("kernel %s: %w", k, err)
		}
		if err := c.textureArguments(d, uint32(i+1), file, k); err != nil {
			return nil, fmt.Errorf("kernel %s: %w", k, err)
		}
	}
	addrs := map[string]uint64{}
	at := addr
	for _, b := range c.buffers {
		addrs[b.name] = at
		if err := d.CopyHtoD(at, m[b.name], 0); err != nil {
			return nil, fmt.Errorf("copying %s: %w", b.name, err)
		}
		at += (uint64(len(m[b.name])) + 255) &^ 255
	}
	if at > addr+size {
		return nil, fmt.Errorf("%s needs %d bytes of device memory", c.Name, at-addr)
	}
	done, err := c.makeTextures(d, addrs)
	if err != nil {
		return nil, err
	}
	defer done()
	for _, l := range c.Launches {
		args, err := l.pack(file, addrs)
		if err == nil {
			err = d.Launch(&backend.Launch{
				Func: functions[l.Kernel], Grid: l.Grid, Block: l.Block, SharedBytes: l.Shared, Cooperative: c.Cooperative, Args: args,
			})
		}
		if err != nil {
			return nil, fmt.Errorf("launching %s: %w", l.Kernel, err)
		}
	}
	for _, b := range c.buffers {
		if err := d.CopyDtoH(m[b.name], addrs[b.name], 0); err != nil {
			return nil, fmt.Errorf("copying %s back: %w", b.name, err)
		}
	}
	return m, d.Sync()
}

func defines(options []string) []string {
	var out []string
	for _, o := range options {
		if d, ok := strings.CutPrefix(o, "-D"); ok {
			out = append(out, d)
		}
	}
	return out
}

// pack returns the parameter buffer of a launch.
func (l Launch) pack(file *cudac.File, addrs map[string]uint64) ([]byte, error) {
	_, params, err := file.Resolve(l.Kernel)
	if err != nil {
		return nil, err
	}
	if len(params) != len(l.args) {
		return nil, fmt.Errorf("the kernel takes %d arguments, the header gives %d", len(params), len(l.args))
	}
	var out []byte
	for i, p := range params {
		if out, err = packOne(out, p, l.args[i], addrs); err != nil {
			return nil, fmt.Errorf("argument %s: %w", l.args[i], err)
		}
	}
	return out, nil
}

func packOne(out []byte, p cudac.Param, arg string, addrs map[string]uint64) ([]byte, error) {
	if p.Kind == cudac.Unsupported {
		return nil, fmt.Errorf("parameter %s: %s", p.Name, p.Problem)
	}
	for len(out)%p.Align != 0 {
		out = append(out, 0xee) // must not be read
	}
	switch p.Kind {
	case cudac.Texture, cudac.Surface:
		handle, ok := addrs[arg]
		if !ok {
			return nil, fmt.Errorf("there is no texture %s", arg)
		}
		return binary.LittleEndian.AppendUint64(out, handle), nil
	case cudac.Struct:
		bytes, err := packStruct(arg)
		if len(bytes) > p.Size {
			err = fmt.Errorf("it is %d bytes long, and the parameter %d", len(bytes), p.Size)
		}
		for len(bytes) < p.Size {
			bytes = append(bytes, 0xee)
		}
		return append(out, bytes...), err
	case cudac.Pointer:
		addr, ok := addrs[arg]
		if !ok {
			return nil, fmt.Errorf("there is no memory %s", arg)
		}
		return binary.LittleEndian.AppendUint64(out, addr), nil
	case cudac.Float:
		v, err := strconv.ParseFloat(arg, 8*p.Size)
		if p.Size == 4 {
			return binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v))), err
		}
		return binary.LittleEndian.AppendUint64(out, math.Float64bits(v)), err
	default:
		v, err := strconv.ParseInt(arg, 0, 64)
		return append(out, binary.LittleEndian.AppendUint64(nil, uint64(v))[:p.Size]...), err
	}
}

// Check compares the memory after a run with that of the Go function.
func (c *Case) Check(got Memory) error {
	want, err := c.Memory()
	if err != nil {
		return err
	}
	references[c.Name](want)
	for _, b := range c.buffers {
		if err := c.compare(b, got, want); err != nil {
			return err
		}
	}
	return nil
}

func (c *Case) compare(b buffer, got, want Memory) error {
	size := elements[b.elem]
	tolerance, loose := c.near[b.name]
	wrong, first := 0, ""
	for i := range b.count {
		x, y := got[b.name][i*size:(i+1)*size], want[b.name][i*size:(i+1)*size]
		if bytes.Equal(x, y) {
			continue
		}
		v, isFloat := b.number(got, i)
		w, _ := b.number(want, i)
		if loose && isFloat && (v == w || math.Abs(v-w) <= tolerance*math.Max(math.Abs(w), 1e-3)) {
			continue
		}
		if wrong++; wrong == 1 {
			first = fmt.Sprintf("element %d is %x, want %x", i, x, y)
			if isFloat {
				first = fmt.Sprintf("element %d is %v, want %v", i, v, w)
			} else if size == 4 {
				first = fmt.Sprintf("element %d is %d, want %d", i, int32(binary.LittleEndian.Uint32(x)), int32(binary.LittleEndian.Uint32(y)))
			}
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%s: %d of %d elements of %s are wrong: %s", c.Name, wrong, b.count, b.name, first)
	}
	return nil
}

// packStruct returns the bytes of a structure written as {1.5f, 2.5, 3, 4l, 5b}: a float, a double, an int, a long and a byte,
// each at its natural alignment.
func packStruct(text string) ([]byte, error) {
	inner, ok := strings.CutPrefix(text, "{")
	inner, ok2 := strings.CutSuffix(inner, "}")
	if !ok || !ok2 {
		return nil, fmt.Errorf("write a structure as {1.5f, 2}")
	}
	var out []byte
	put := func(bits uint64, size int) {
		for len(out)%size != 0 {
			out = append(out, 0xee)
		}
		out = append(out, binary.LittleEndian.AppendUint64(nil, bits)[:size]...)
	}
	for _, part := range list(inner) {
		number := strings.TrimRight(part, "flb")
		v, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return nil, err
		}
		switch suffix := part[len(number):]; {
		case suffix == "f":
			put(uint64(math.Float32bits(float32(v))), 4)
		case suffix == "l":
			put(uint64(int64(v)), 8)
		case suffix == "b":
			put(uint64(int64(v)), 1)
		case strings.Contains(number, "."):
			put(math.Float64bits(v), 8)
		default:
			put(uint64(int64(v)), 4)
		}
	}
	return out, nil
}
