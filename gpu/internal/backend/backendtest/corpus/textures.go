package corpus

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

// A textureSpec is a line of the header that makes a texture from memory: "texture t = picture 16x12 linear".
type textureSpec struct {
	name, buffer string
	backend.Texture
}

var addressModes = map[string]backend.AddressMode{
	"clamp": backend.AddressClamp, "border": backend.AddressBorder, "wrap": backend.AddressWrap, "mirror": backend.AddressMirror,
}

func parseTexture(fields []string) (textureSpec, error) {
	if len(fields) < 4 || fields[1] != "=" {
		return textureSpec{}, errors.New("write a texture as: texture name = memory 16x12 linear")
	}
	t := textureSpec{name: fields[0], buffer: fields[2]}
	t.Size, t.Channels = [3]uint32{1, 1, 1}, 1
	for i, part := range strings.Split(fields[3], "x") {
		n, err := strconv.Atoi(part)
		if err != nil || i >= 3 {
			return t, fmt.Errorf("%q is not the size of a texture", fields[3])
		}
		t.Size[i], t.Dimensions = uint32(n), uint32(i+1)
	}
	address := backend.AddressClamp
	for _, word := range fields[4:] {
		mode, isMode := addressModes[word]
		switch {
		case isMode:
			address = mode
		case word == "linear":
			t.Linear = true
		case word == "normalized":
			t.Normalized = true
		case word == "values":
			t.Values = true
		case word == "channels2" || word == "channels4":
			t.Channels = uint32(word[len(word)-1] - '0')
		default:
			return t, fmt.Errorf("%q is not a property of a texture", word)
		}
	}
	t.Address = [3]backend.AddressMode{address, address, address}
	return t, nil
}

// textureKinds are the kinds of texels, by the element type of the memory.
var textureKinds = map[string]backend.TexelKind{
	"char": backend.TexelSigned, "short": backend.TexelSigned, "int": backend.TexelSigned,
	"uchar": backend.TexelUnsigned, "ushort": backend.TexelUnsigned, "uint": backend.TexelUnsigned,
	"half": backend.TexelFloat, "float": backend.TexelFloat,
}

// makeTextures makes the case's textures and adds their handles to addrs.
func (c *Case) makeTextures(d backend.Device, addrs map[string]uint64) (done func(), err error) {
	if len(c.textures) == 0 {
		return func() {}, nil
	}
	textures, ok := d.(backend.Texturer)
	if !ok {
		return nil, errors.New("the device has no textures")
	}
	made := 0
	done = func() {
		for i := range made {
			_ = textures.TextureDestroy(uint32(i + 1))
		}
	}
	for i, t := range c.textures {
		for _, b := range c.buffers {
			if b.name == t.buffer {
				t.Kind, t.Bits, t.Addr = textureKinds[b.elem], uint32(8*elements[b.elem]), addrs[b.name]
			}
		}
		if err := textures.TextureCreate(uint32(i+1), &t.Texture); err != nil {
			done()
			return nil, fmt.Errorf("texture %s: %w", t.name, err)
		}
		made++
		addrs[t.name] = uint64(i + 1)
	}
	return done, nil
}

// textureArguments sets the offsets of a kernel's texture arguments on a device.
func (c *Case) textureArguments(d backend.Device, fn uint32, file *cudac.File, kernel string) error {
	if len(c.textures) == 0 {
		return nil
	}
	_, params, err := file.Resolve(kernel)
	if err != nil {
		return err
	}
	textures, ok := d.(backend.Texturer)
	if !ok {
		return errors.New("the device has no textures")
	}
	var at backend.TextureArguments
	end := 0
	for _, p := range params {
		end = (end + p.Align - 1) / p.Align * p.Align
		switch p.Kind {
		case cudac.Texture:
			at.Textures = append(at.Textures, end)
		case cudac.Surface:
			at.Surfaces = append(at.Surfaces, end)
		}
		end += p.Size
	}
	return textures.TextureArguments(fn, at)
}

// surfaced computes the final contents of the surfaces.
func surfaced(m Memory) {
	canvas := view[int16](m, "canvas")
	for i, v := range canvas {
		canvas[i] = 100 - v
	}
	layers := m["layers"]
	for i := 0; i < len(layers); i += 4 {
		slices.Reverse(layers[i : i+4])
	}
}

// sampled are kernels that read textures.
var sampled = map[string]func(Memory){
	"textures": func(m Memory) {
		picture := m["picture"]
		fill(floats(m, "enlarged"), func(i int) float32 {
			at := func(k [3]int) float64 { return float64(picture[k[1]*16+k[0]]) / 255 }
			return float32(1 + mixed(at, [3]int{16, 12, 1}, [3]float64{(float64(i%40) + 0.5) / 40 * 16, (float64(i/40) + 0.5) / 30 * 12, 0.5}))
		})
		wave := floats(m, "wave")
		fill(floats(m, "shifted"), func(i int) float32 { return wave[(i+16)%64] })
		surfaced(m)
		volume := floats(m, "volume")
		fill(floats(m, "between"), func(i int) float32 {
			at := func(k [3]int) float64 { return float64(volume[(k[2]*6+k[1])*8+k[0]]) }
			return float32(1 + mixed(at, [3]int{8, 6, 4}, [3]float64{float64(i%8) + 0.25, float64(i/8%6) + 0.75, float64(i / 48)}))
		})
	},
}

// mixed interpolates between the centres of a table's elements; outside, the elements at the edge are repeated.
func mixed(at func(k [3]int) float64, size [3]int, place [3]float64) float64 {
	var low [3]int
	var weight [3]float64
	for i, p := range place {
		f := math.Floor(p - 0.5)
		low[i], weight[i] = int(f), p-0.5-f
	}
	sum := 0.0
	for corner := range 8 {
		k, w := low, 1.0
		for i := range k {
			if corner>>i&1 == 1 {
				k[i]++
				w *= weight[i]
			} else {
				w *= 1 - weight[i]
			}
			k[i] = min(max(k[i], 0), size[i]-1)
		}
		sum += w * at(k)
	}
	return sum
}
