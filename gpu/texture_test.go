package gpu

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"

	"github.com/gopherwarp/gopherwarp/gpu/vec"
)

//go:embed testdata/textures.cu
var textureSource string

// texel is the element that an index stands for, with what is outside at ok == false.
func texel(i, n int, m AddressMode) (at int, ok bool) {
	mod := func(a, b int) int { return (a%b + b) % b }
	switch {
	case i >= 0 && i < n:
		return i, true
	case m == AddressBorder:
		return 0, false
	case m == AddressWrap:
		return mod(i, n), true
	case m == AddressMirror:
		if k := mod(i, 2*n); k < n {
			return k, true
		} else {
			return 2*n - 1 - k, true
		}
	}
	return min(max(i, 0), n-1), true
}

// sampled returns the value of a texture of floats at a coordinate, by the formulas of the CUDA C++ Programming Guide (Texture Fetching),
// with exact weights.
func sampled(data []float32, s Sampling, sizes []int, at []float64) float64 {
	stride := 1
	index, weight := make([][2]int, len(sizes)), make([]float64, len(sizes))
	inside := make([][2]bool, len(sizes))
	for k, n := range sizes {
		x := at[k]
		if s.Normalized {
			x *= float64(n)
		}
		if s.Linear {
			x -= 0.5
			weight[k] = x - math.Floor(x)
		}
		for j := range 2 {
			i, ok := texel(int(math.Floor(x))+j, n, s.Address[k])
			index[k][j], inside[k][j] = i*stride, ok
		}
		stride *= n
	}
	sum := 0.0
	for corner := range 1 << len(sizes) {
		w, i, ok := 1.0, 0, true
		for k := range sizes {
			j := corner >> k & 1
			if j == 1 {
				w *= weight[k]
			} else {
				w *= 1 - weight[k]
			}
			i += index[k][j]
			ok = ok && inside[k][j]
		}
		if v := s.Border[0]; !ok {
			sum += w * float64(v)
		} else {
			sum += w * float64(data[i])
		}
	}
	return sum
}

func textureKernel(t *testing.T, name string) *Kernel {
	t.Helper()
	return compileOne(t, name, textureSource)
}

func TestTextures(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		const places = 500
		random := rand.New(rand.NewPCG(1, 2))
		for _, sizes := range [][]int{{37}, {13, 9}, {7, 5, 6}} {
			n := 1
			for _, s := range sizes {
				n *= s
			}
			data := make([]float32, n)
			for i := range data {
				data[i] = random.Float32()
			}
			k := textureKernel(t, fmt.Sprintf("read%d", len(sizes)))
			for _, mode := range []AddressMode{AddressClamp, AddressBorder, AddressWrap, AddressMirror} {
				for how := range 4 {
					s := Sampling{Linear: how&1 != 0, Normalized: how&2 != 0, Address: AddressAll(mode), Border: [4]float32{0.25}}
					if (mode == AddressWrap || mode == AddressMirror) && !s.Normalized {
						continue
					}
					s.Address[0] = AddressClamp
					s.Address[len(sizes)-1] = mode
					tex, err := NewTexture(data, s, sizes...)
					if err != nil {
						t.Fatal(err)
					}
					at := make([]vec.Float4, places)
					for i := range at {
						var c [3]float32
						for j, size := range sizes {
							// Sixteenths and a bit: far from where an index changes.
							c[j] = float32(random.IntN(32*size)-8*size)/16 + 1.0/64
							if s.Normalized {
								c[j] /= float32(size)
							}
						}
						at[i] = vec.Float4{X: c[0], Y: c[1], Z: c[2]}
					}
					out := Zeros[float32](places)
					if err := k.Launch(For(places, 64), tex, ToDevice(at), out, places); err != nil {
						t.Fatal(err)
					}
					tolerance := 1e-6
					if s.Linear {
						tolerance = float64(len(sizes)) / 256 // weights have 8 bits behind the point
					}
					for i, got := range out.ToHost() {
						want := sampled(data, s, sizes, []float64{float64(at[i].X), float64(at[i].Y), float64(at[i].Z)})
						if math.Abs(float64(got)-want) > tolerance {
							t.Fatalf("%v, %+v, at %v: got %v, want %v", sizes, s, at[i], got, want)
						}
					}
				}
			}
		}
	})
}

func TestTextureElements(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		pixels := make([]vec.Uchar4, 6*4)
		for i := range pixels {
			pixels[i] = vec.Uchar4{X: uint8(i), Y: uint8(2 * i), Z: uint8(255 - i), W: 255}
		}
		tex, err := NewTexture(pixels, Sampling{}, 6, 4)
		if err != nil {
			t.Fatal(err)
		}
		if holders := d.Holders(); len(holders) != 1 || !strings.HasPrefix(holders[0].Site, "texture_test.go:") {
			t.Errorf("held by %+v", holders)
		}
		got := make([]vec.Uchar4, len(pixels))
		if err := textureKernel(t, "bytes").Launch(For(len(pixels), len(pixels)), tex, Out(got), 6); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(pixels) {
			t.Errorf("got %v", got)
		}
		floats, err := NewTexture(pixels, Sampling{AsFloat: true, Linear: true}, 6, 4)
		if err != nil {
			t.Fatal(err)
		}
		halves, err := NewTexture([]Float16x2{{ToFloat16(1.5), ToFloat16(-2)}, {ToFloat16(3), ToFloat16(4)}}, Sampling{}, 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		var colour [1]vec.Float4
		if err := textureKernel(t, "colours").Launch(For(1, 1), 2, floats, Out(colour[:]), halves); err != nil {
			t.Fatal(err)
		}
		// A channel that a texture does not have is 0, but for the last one of what has no colours: both are left out here.
		if c := colour[0]; c.X != 3 || c.Y != 4 {
			t.Errorf("got %v", c)
		}
		numbers, err := NewTexture([]int32{-5, 1 << 30, 7}, Sampling{Address: AddressAll(AddressBorder), Border: [4]float32{0}}, 3)
		if err != nil {
			t.Fatal(err)
		}
		ints := make([]int32, 5)
		if err := textureKernel(t, "ints").Launch(For(5, 5), numbers, Out(ints)); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(ints) != "[0 -5 1073741824 7 0]" {
			t.Errorf("got %v", ints)
		}
	})
}

// A texture is there again after a fault, has what Update gave it last, and is part of graphs.
func TestTexturesStay(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		tex, err := NewTexture([]float32{1, 2, 3, 4}, Sampling{}, 4)
		if err != nil {
			t.Fatal(err)
		}
		at, out := ToDevice([]vec.Float4{{X: 0.5}, {X: 3.5}}), Zeros[float32](2)
		k := textureKernel(t, "read1")
		read := func(want string) {
			t.Helper()
			if err := k.Launch(For(2, 2), tex, at, out, 2); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(out.ToHost()); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
		read("[1 4]")
		if err := tex.Update([]float32{5, 6, 7, 8}); err != nil {
			t.Fatal(err)
		}
		read("[5 8]")
		// What a kernel writes to it as a surface is there for textures, for the host, and after a fault.
		for _, cfg := range []Launch{For(4, 4), {Grid: Dim(1), Block: Dim(4), Stream: NewStream()}} {
			if err := textureKernel(t, "paint").Launch(cfg, tex, 10); err != nil {
				t.Fatal(err)
			}
		}
		read("[25 28]")
		host := make([]float32, 4)
		if err := tex.CopyTo(host); err != nil || fmt.Sprint(host) != "[25 26 27 28]" {
			t.Errorf("got %v, %v", host, err)
		}
		if err := Sync(); err != nil { // else the other stream's work would be lost
			t.Fatal(err)
		}
		killed(t, d)
		read("[25 28]")
		if err := tex.Update([]float32{5, 6, 7, 8}); err != nil {
			t.Fatal(err)
		}
		g, err := Capture(func(s *Stream) error {
			return k.Launch(Launch{Grid: Dim(1), Block: Dim(2), Stream: s}, tex, at, out, 2)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := textureKernel(t, "fault").Launch(For(1, 1), Zeros[int32](1)); err != nil {
			t.Fatal(err)
		}
		if err := Sync(); err == nil {
			t.Fatal("the fault is not reported")
		}
		out.Fill(0)
		if err := g.Launch(nil); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(out.ToHost()); got != "[5 8]" {
			t.Errorf("by the graph: got %s", got)
		}
		read("[5 8]")
		r, err := runCheck(func() error {
			if err := k.Launch(For(2, 2), tex, at, out, 2); err != nil {
				return err
			}
			return textureKernel(t, "paint").Launch(For(4, 4), tex, 0)
		}, hook.Checking{})
		if err != nil || len(r.Findings) > 0 {
			t.Errorf("checked: %v, %+v", err, r)
		}
		read("[5 8]")
		if err := tex.Free(); err != nil {
			t.Fatal(err)
		}
		if err := k.Launch(For(2, 2), tex, at, out, 2); err == nil || !strings.Contains(err.Error(), "freed") {
			t.Errorf("after Free: %v", err)
		}
		if err := tex.Free(); err == nil {
			t.Error("it can be freed twice")
		}
	})
}

func TestTextureMistakes(t *testing.T) {
	needDevice(t, "sim")
	freshDevice(t, "sim")
	k := textureKernel(t, "read1")
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"no size":       {second(NewTexture([]float32{1}, Sampling{})), "one to three sizes"},
		"wrong size":    {second(NewTexture([]float32{1}, Sampling{}, 2, 3)), "1 elements for a texture of 2 × 3"},
		"empty":         {second(NewTexture([]float32{}, Sampling{}, 0)), "cannot be"},
		"too large":     {second(NewTexture(make([]uint8, 200000), Sampling{}, 200000)), "allows 131072"},
		"integers":      {second(NewTexture([]int32{1}, Sampling{Linear: true}, 1)), "mixes floats"},
		"as float":      {second(NewTexture([]float32{1}, Sampling{AsFloat: true}, 1)), "8 and 16 bits"},
		"wrap":          {second(NewTexture([]float32{1}, Sampling{Address: AddressAll(AddressWrap)}, 1)), "set Normalized"},
		"brain":         {second(NewTexture([]BFloat16{1}, Sampling{}, 1)), "BFloat16"},
		"nil":           {k.Launch(For(1, 1), (*Texture)(nil), Zeros[vec.Float4](1), Zeros[float32](1), 1), "gpu.NewTexture"},
		"buffer":        {k.Launch(For(1, 1), Zeros[float32](1), Zeros[vec.Float4](1), Zeros[float32](1), 1), "cannot take"},
		"for a pointer": {k.Launch(For(1, 1), must(NewTexture([]float32{1}, Sampling{}, 1)), must(NewTexture([]float32{1}, Sampling{}, 1)), Zeros[float32](1), 1), "cannot take a texture"},
		"update":        {must(NewTexture([]float32{1}, Sampling{}, 1)).Update([]int32{1}), "float32"},
		"update, long":  {must(NewTexture([]float32{1}, Sampling{}, 1)).Update([]float32{1, 2}), "2 elements"},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, tt.err, tt.want)
		}
	}
	if err := textureKernel(t, "outside").Launch(For(1, 1), must(NewTexture(make([]float32, 4), Sampling{}, 4))); err != nil {
		t.Fatal(err)
	}
	if err := Sync(); err == nil || !strings.Contains(err.Error(), "the place lies in the surface") {
		t.Errorf("outside a surface: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
