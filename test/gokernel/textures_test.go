package gokernel

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/vec"
)

// places are coordinates inside and outside of a texture of n elements. Where it repeats itself there are none far away, at which a GPU's
// coordinates are too coarse to say where they are.
func places(n int, s gpu.Sampling) []float32 {
	var list []float32
	if s.Address[0] == gpu.AddressClamp || s.Address[0] == gpu.AddressBorder {
		list = []float32{-1e30, 1e30, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}
	}
	// None is at the edge of an element, on either side of which a GPU may see it.
	for p := -2.5*float64(n) + 0.03; p < 3.5*float64(n); p += 0.171875 {
		list = append(list, float32(p))
	}
	if s.Normalized {
		for i := range list {
			list[i] /= float32(n)
		}
	}
	return list
}

// samplings are ways to read textures, by name.
func samplings(linear bool) map[string]gpu.Sampling {
	all := map[string]gpu.Sampling{}
	for _, mode := range []gpu.AddressMode{gpu.AddressClamp, gpu.AddressBorder, gpu.AddressWrap, gpu.AddressMirror} {
		for _, normalized := range []bool{false, true} {
			if !normalized && (mode == gpu.AddressWrap || mode == gpu.AddressMirror) {
				continue
			}
			all[fmt.Sprint("mode ", mode, " normalized ", normalized, " linear ", linear)] = gpu.Sampling{
				Linear: linear, Normalized: normalized, Address: gpu.AddressAll(mode), Border: [4]float32{9, 8, 7, 6},
			}
		}
	}
	return all
}

// A reading is a kernel that reads textures, with what a launch and what plain Go get for them.
type reading[V any] struct {
	kernel string
	pass   func(*gpu.Call)
	plain  func(at []float32, out []V)
}

// check compares what the device reads with what plain Go does. far reports whether two values differ by more than the fractions of GPUs explain.
func (r reading[V]) check(t *testing.T, name string, at []float32, far func(a, b V) bool) {
	t.Helper()
	k := compile(t)[r.kernel]
	cfg := gpu.For(len(at), 128)
	device, host := make([]V, len(at)), make([]V, len(at))
	call := k.Begin(cfg)
	r.pass(call)
	gpu.PassSlice(call, gpu.In(at))
	passOut(call, device)
	must(t, call.Do())
	must(t, cfg.Run(k.together, func() { r.plain(at, host) }))
	for i := range device {
		if far(device[i], host[i]) {
			t.Errorf("%s, %s: at %v, %v the device reads %v, plain Go %v", r.kernel, name, at[i], at[len(at)-1-i], device[i], host[i])
			return
		}
	}
}

func passOut[V any](c *gpu.Call, out []V) {
	switch out := any(out).(type) {
	case []float32:
		gpu.PassSlice(c, gpu.Out(out))
	case []int32:
		gpu.PassSlice(c, gpu.Out(out))
	case []vec.Float4:
		gpu.PassSlice(c, gpu.Out(out))
	}
}

func texture[E gpu.Texel](t *testing.T, elements []E, s gpu.Sampling, sizes ...int) *gpu.Texture {
	t.Helper()
	made, err := gpu.NewTexture(elements, s, sizes...)
	must(t, err)
	return made
}

// TestTextures reads textures of all kinds in all ways.
func TestTextures(t *testing.T) {
	const width, height, depth = 5, 4, 3
	floats := make([]float32, width*height*depth)
	halves := make([]gpu.Float16, len(floats))
	colours := make([]vec.Float4, width*height)
	pairs := make([]vec.Uchar2, width*height)
	words := make([]int32, width*height)
	bytes := make([]int8, len(floats))
	for i := range floats {
		floats[i] = float32(i*i%17) - 3
		halves[i] = gpu.ToFloat16(floats[i] / 3)
		bytes[i] = int8(i*37 - 128)
		if i < len(colours) {
			colours[i] = vec.Float4{X: float32(i), Y: floats[i], Z: -floats[i], W: 1}
			pairs[i] = vec.Uchar2{X: 1, Y: uint8(i * 11)}
			words[i] = int32(i)<<24 + 1
		}
	}
	// A GPU weighs with 8 bits after the binary point, and values here differ by 40 at most.
	const most = 40.0 / 256
	apart := func(a, b float32) bool { return !(math.Abs(float64(a-b)) <= most) && !(a != a && b != b) }
	for _, linear := range []bool{false, true} {
		for name, s := range samplings(linear) {
			at := places(width, s)
			reading[float32]{
				"line", func(c *gpu.Call) { gpu.PassTexture[float32](c, texture(t, floats[:width], s, width), 1) },
				func(at, out []float32) { line(gpu.Tex1DOf[float32](floats[:width], s, width), at, out) },
			}.check(t, name, at, apart)
			reading[float32]{
				"line", func(c *gpu.Call) { gpu.PassTexture[float32](c, texture(t, halves[:width], s, width), 1) },
				func(at, out []float32) { line(gpu.Tex1DOf[float32](halves[:width], s, width), at, out) },
			}.check(t, name+" 16 bits", at, apart)
			reading[float32]{
				"solid", func(c *gpu.Call) { gpu.PassTexture[float32](c, texture(t, floats, s, width, height, depth), 3) },
				func(at, out []float32) {
					solid(gpu.Tex3DOf[float32](floats, s, width, height, depth), at, out)
				},
			}.check(t, name, at, apart)
			asFloat := s
			asFloat.AsFloat = true
			reading[float32]{
				"solid", func(c *gpu.Call) {
					gpu.PassTexture[float32](c, texture(t, bytes, asFloat, width, height, depth), 3)
				},
				func(at, out []float32) {
					solid(gpu.Tex3DOf[float32](bytes, asFloat, width, height, depth), at, out)
				},
			}.check(t, name+" bytes as floats", at, apart)
			reading[vec.Float4]{
				"plane", func(c *gpu.Call) { gpu.PassTexture[vec.Float4](c, texture(t, colours, s, width, height), 2) },
				func(at []float32, out []vec.Float4) {
					plane(gpu.Tex2DOf[vec.Float4](colours, s, width, height), at, out)
				},
			}.check(t, name, at, func(a, b vec.Float4) bool {
				return apart(a.X, b.X) || apart(a.Y, b.Y) || apart(a.Z, b.Z) || apart(a.W, b.W)
			})
			if linear {
				continue
			}
			reading[int32]{
				"integersOf", func(c *gpu.Call) {
					gpu.PassTexture[int32](c, texture(t, words, s, width, height), 2)
					gpu.PassTexture[vec.Uchar2](c, texture(t, pairs, s, width, height), 2)
				},
				func(at []float32, out []int32) {
					integersOf(gpu.Tex2DOf[int32](words, s, width, height), gpu.Tex2DOf[vec.Uchar2](pairs, s, width, height), at, out)
				},
			}.check(t, name, at, func(a, b int32) bool { return a != b })
		}
	}
}

func TestWrongTextures(t *testing.T) {
	k := compile(t)["line"]
	for want, tex := range map[string]*gpu.Texture{
		"a texture of 2 dimensions, and the kernel reads one of 1":                        texture(t, make([]float32, 4), gpu.Sampling{}, 2, 2),
		"reads values of type float32, and a texture of int16 with this Sampling gives":   texture(t, make([]int16, 4), gpu.Sampling{}, 4),
		"and a texture of vec.Float2 with this Sampling gives vec types with 2 × float32": texture(t, make([]vec.Float2, 4), gpu.Sampling{}, 4),
		"is nil: make the texture with gpu.NewTexture":                                    nil,
	} {
		call := k.Begin(gpu.For(1, 1))
		gpu.PassTexture[float32](call, tex, 1)
		gpu.PassSlice(call, gpu.In([]float32{1}))
		gpu.PassSlice(call, gpu.Out([]float32{1}))
		if err := call.Do(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	for want, make := range map[string]func(){
		"there are 3 elements for a texture of 2 × 2": func() { gpu.Tex2DOf[float32](make([]float32, 3), gpu.Sampling{}, 2, 2) },
		"reads values of type int32":                  func() { gpu.Tex1DOf[int32](make([]float32, 3), gpu.Sampling{}, 3) },
		"the texture is nil":                          func() { gpu.Tex1D[float32]{}.At(1) },
	} {
		func() {
			defer func() {
				if err := recover(); !strings.Contains(fmt.Sprint(err), want) {
					t.Errorf("panic %v, want %q", err, want)
				}
			}()
			make()
		}()
	}
	_, err := translate(t, map[string]string{"cell[1]": "package p; import \"github.com/gopherwarp/gopherwarp/gpu\"\n//gpu:kernel\nfunc k(t gpu.Tex1D[gpu.Float16x2], x []int32) { t.At(1) }"})
	if err == nil || !strings.Contains(err.Error(), "a kernel reads no") {
		t.Errorf("error %v, want one about the type", err)
	}
}
