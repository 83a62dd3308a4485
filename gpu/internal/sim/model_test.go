package sim

import (
	"errors"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

func TestParseChoice(t *testing.T) {
	tests := []struct {
		spec  string
		model string
		count int
		order manner
		err   string
	}{
		{"", "", 1, manner{}, ""},
		{"t4", "t4", 1, manner{}, ""},
		{"h200x2", "h200", 2, manner{}, ""},
		{"rtx3090", "rtx3090", 1, manner{}, ""},
		{"gtx1080x8", "gtx1080", 8, manner{}, ""},
		{"x4", "", 4, manner{}, ""},
		{"reverse", "", 1, manner{order: backward}, ""},
		{"t4,random=7", "t4", 1, manner{order: shuffled, seed: 7}, ""},
		{"random", "", 1, manner{order: shuffled, seed: 1}, ""},
		{"riva128", "", 0, manner{}, `cannot imitate "riva128": it has gtx1080`},
		{"h200x0", "", 0, manner{}, "from 1 to 64"},
		{"random=x", "", 0, manner{}, "no whole number"},
	}
	for _, tt := range tests {
		c, err := parseChoice(tt.spec)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q: got %v, want %q", tt.spec, err, tt.err)
			}
			continue
		}
		name := ""
		if c.model != nil {
			name = c.model.name
		}
		if err != nil || name != tt.model || c.count != tt.count || c.order != tt.order {
			t.Errorf("%q: got model %s, %+v, %v", tt.spec, name, c, err)
		}
	}
}

// TestModels makes launches that some GPUs allow and others do not.
func TestModels(t *testing.T) {
	const source = `__global__ void k(int *x) { extern __shared__ int s[]; s[threadIdx.x] = __CUDA_ARCH__; __syncthreads(); *x = s[0]; }`
	open := func(t *testing.T, spec string, ordinal int, source string) (backend.Device, error) {
		b, err := simulator{}.Model(spec)
		check(t, err)
		if want := "sim:" + spec; b.Name() != want {
			t.Errorf("it is called %s, want %s", b.Name(), want)
		}
		d, err := b.Open(ordinal)
		check(t, err)
		t.Cleanup(func() { check(t, d.Close()) })
		img, err := d.Compile(backend.Program{Name: "k.cu", Source: source})
		if err != nil {
			return nil, err
		}
		check(t, d.Load(1, img))
		_, err = d.Function(1, 1, "k")
		return d, err
	}
	for _, tt := range []struct {
		spec   string
		shared uint32 // bytes that still fit
		arch   int32
	}{
		{"gtx1080", 48 << 10, 610}, {"t4", 64 << 10, 750}, {"a100", 163 << 10, 800}, {"h200", 227 << 10, 900}, {"b200x2", 227 << 10, 1000},
	} {
		t.Run(tt.spec, func(t *testing.T) {
			d, err := open(t, tt.spec, 0, source)
			check(t, err)
			c, err := d.CreateChunk(1<<20, 0)
			check(t, err)
			defer closeFD(c.FD)
			args := []byte{}
			for i := range 8 {
				args = append(args, byte(c.Addr>>(8*i)))
			}
			l := &backend.Launch{Func: 1, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, SharedBytes: tt.shared, Args: args}
			check(t, d.Launch(l))
			if blocks, err := d.Occupancy(1, 32, 0); err != nil || blocks < 1 {
				t.Errorf("%d blocks fit, %v", blocks, err)
			}
			if got := readInts(t, d, c.Addr, 1)[0]; got != tt.arch {
				t.Errorf("__CUDA_ARCH__ is %d, want %d", got, tt.arch)
			}
			l.SharedBytes++
			var e *backend.Error
			if err := d.Launch(l); !errors.As(err, &e) || e.Code != codeInvalidValue || e.Fatal {
				t.Errorf("%d bytes of shared memory: got %v", l.SharedBytes, err)
			}
			l.SharedBytes, l.Cluster, l.Grid[0] = 0, [3]uint32{2, 1, 1}, 2
			if err := d.Launch(l); (err == nil) != (tt.arch >= 900) {
				t.Errorf("a cluster: %v", err)
			}
		})
	}
	if _, err := open(t, "t4", 0, "__global__ void k(int *x) { *x = __reduce_add_sync(~0u, 1); }"); err == nil || !strings.Contains(err.Error(), "__reduce_add_sync") {
		t.Errorf("an instruction of 8.0 on a T4: %v", err)
	}
	if _, err := open(t, "t4", 0, "__global__ void k(int *x) { *x = __match_any_sync(~0u, 1); }"); err != nil {
		t.Error(err)
	}

	b, err := simulator{}.Model("h200x2")
	check(t, err)
	if n, err := b.Count(); n != 2 || err != nil {
		t.Errorf("h200x2 are %d devices, %v", n, err)
	}
	var addrs [2]uint64
	for i := range 2 {
		d, err := b.Open(i)
		check(t, err)
		c, err := d.CreateChunk(1<<20, 0)
		check(t, err)
		closeFD(c.FD)
		addrs[i] = c.Addr
		if p := d.Properties(); p.Ordinal != i || p.MultiProcessorCount != 132 || !strings.Contains(p.Name, "H200") {
			t.Errorf("device %d has properties %+v", i, p)
		}
		check(t, d.Close())
	}
	if addrs[0]>>32 == addrs[1]>>32 {
		t.Errorf("the devices use the same addresses: %#x and %#x", addrs[0], addrs[1])
	}
	if _, err := b.Open(2); err == nil {
		t.Error("there is a third device")
	}
}
