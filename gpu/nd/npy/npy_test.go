package npy

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/device/devicetest"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/internal/pythontest"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// numbers returns the elements of the arrays in these tests, in row-major order: one for each index.
func numbers[T nd.Elem](n int, of func(i int) T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = of(i)
	}
	return list
}

// half returns a number that 16 bits can hold.
func half(i int) nd.Float16 { return nd.AsType[nd.Float16](nd.Scalar(float32(i) / 4)).Item() }

// all returns an array of each type that NumPy has, by its name there.
func all() map[string]nd.Operand {
	shape := []int{2, 3}
	return map[string]nd.Operand{
		"bool":       nd.FromSlice(numbers(6, func(i int) bool { return i%2 == 1 }), shape...),
		"int8":       nd.FromSlice(numbers(6, func(i int) int8 { return int8(i - 3) }), shape...),
		"int16":      nd.FromSlice(numbers(6, func(i int) int16 { return int16(i-3) * 300 }), shape...),
		"int32":      nd.FromSlice(numbers(6, func(i int) int32 { return int32(i-3) * 70000 }), shape...),
		"int64":      nd.FromSlice(numbers(6, func(i int) int64 { return int64(i-3) << 40 }), shape...),
		"uint8":      nd.FromSlice(numbers(6, func(i int) uint8 { return uint8(i * 50) }), shape...),
		"uint16":     nd.FromSlice(numbers(6, func(i int) uint16 { return uint16(i * 13000) }), shape...),
		"uint32":     nd.FromSlice(numbers(6, func(i int) uint32 { return uint32(i) << 29 }), shape...),
		"uint64":     nd.FromSlice(numbers(6, func(i int) uint64 { return uint64(i) << 61 }), shape...),
		"float16":    nd.FromSlice(numbers(6, half), shape...),
		"float32":    nd.FromSlice(numbers(6, func(i int) float32 { return float32(i) / 3 }), shape...),
		"float64":    nd.FromSlice(numbers(6, func(i int) float64 { return float64(i) / 3 }), shape...),
		"complex64":  nd.FromSlice(numbers(6, func(i int) complex64 { return complex(float32(i), -0.5) }), shape...),
		"complex128": nd.FromSlice(numbers(6, func(i int) complex128 { return complex(float64(i)/3, 1) }), shape...),
		"scalar":     nd.Scalar(2.5),
		"empty":      nd.Zeros[float32](0, 3),
		"column":     nd.Arange[int32](6).Reshape(2, 3).Slice(nd.All, nd.At(1)),
		"long":       nd.Arange[int64](5),
	}
}

// formulas are the same arrays in Python.
const formulas = `
import numpy as np, sys
i = np.arange(6).reshape(2, 3)
with np.errstate(all="ignore"):
    expected = {
        "bool": i % 2 == 1, "int8": (i - 3).astype("i1"), "int16": ((i - 3) * 300).astype("i2"),
        "int32": ((i - 3) * 70000).astype("i4"), "int64": (i - 3) << 40,
        "uint8": (i * 50).astype("u1"), "uint16": (i * 13000).astype("u2"),
        "uint32": i.astype("u4") << np.uint32(29), "uint64": i.astype("u8") << np.uint64(61),
        "float16": (i / 4).astype("f2"), "float32": i.astype("f4") / np.float32(3), "float64": i / 3,
        "complex64": (i - 0.5j).astype("c8"), "complex128": i / 3 + 1j,
        "scalar": np.array(2.5), "empty": np.zeros((0, 3), "f4"),
        "column": np.array([1, 4], "i4"), "long": np.arange(5),
    }
`

// python runs a program after the formulas. Without NumPy the test is skipped, or fails where it is required.
func python(t *testing.T, program string, args ...string) {
	t.Helper()
	out, err := exec.Command(pythontest.Find(t, "numpy"), append([]string{"-c", formulas + program}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestNumPyReadsFiles(t *testing.T) {
	dir := t.TempDir()
	for name, a := range all() {
		if err := Save(filepath.Join(dir, name+".npy"), a); err != nil {
			t.Fatal(err)
		}
	}
	if err := SaveZ(filepath.Join(dir, "all.npz"), all()); err != nil {
		t.Fatal(err)
	}
	if err := SaveZCompressed(filepath.Join(dir, "small.npz"), all()); err != nil {
		t.Fatal(err)
	}
	python(t, `
for source in ({name: np.load(f"{sys.argv[1]}/{name}.npy") for name in expected}, np.load(sys.argv[1] + "/all.npz"), np.load(sys.argv[1] + "/small.npz")):
    assert set(source) == set(expected), set(source) ^ set(expected)
    for name, want in expected.items():
        got = source[name]
        assert got.dtype == want.dtype and got.shape == want.shape and (got == want).all(), (name, got, want)
`, dir)
}

func TestReadsNumPysFiles(t *testing.T) {
	dir := t.TempDir()
	python(t, `
for name, x in expected.items():
    np.save(f"{sys.argv[1]}/{name}.npy", x)
    np.save(f"{sys.argv[1]}/{name}-fortran.npy", np.asfortranarray(x) if x.ndim else x)
    np.save(f"{sys.argv[1]}/{name}-swapped.npy", x.astype(x.dtype.newbyteorder(">")))
    with open(f"{sys.argv[1]}/{name}-v2.npy", "wb") as f:
        np.lib.format.write_array(f, x, (2, 0))
np.savez(sys.argv[1] + "/all.npz", **expected)
np.savez_compressed(sys.argv[1] + "/small.npz", **expected)
np.save(sys.argv[1] + "/text.npy", np.array(["a"]))
np.save(sys.argv[1] + "/struct.npy", np.zeros(1, "i4,f4"))
`, dir)
	want := all()
	for _, file := range []string{"all.npz", "small.npz"} {
		got, err := LoadZ(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Errorf("%s holds %d arrays, want %d", file, len(got), len(want))
		}
		for name, a := range got {
			same(t, file+"/"+name, a, want[name])
		}
	}
	for name := range want {
		for _, variant := range []string{"", "-fortran", "-swapped", "-v2"} {
			a, err := LoadAny(filepath.Join(dir, name+variant+".npy"))
			if err != nil {
				t.Fatal(err)
			}
			same(t, name+variant, a, want[name])
		}
	}
	if a, err := Load[int](filepath.Join(dir, "int64.npy")); err != nil || a.At(0, 0).Item() != -3<<40 {
		t.Errorf("as ints: %v, %v", a, err)
	}
	for file, want := range map[string]string{
		"float32.npy": "the file holds float32, not float64",
		"text.npy":    `numpy.dtype("<U1")`,
		"struct.npy":  "the file holds structures",
		"nothing.npy": "no such file",
		"all.npz":     "this is no .npy file",
	} {
		if _, err := Load[float64](filepath.Join(dir, file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q in it", file, err, want)
		}
	}
}

func same(t *testing.T, what string, got, want nd.Operand) {
	t.Helper()
	gh, g, _ := contents(got)
	wh, w, known := contents(want)
	if !known || gh.dtype != wh.dtype || !slices.Equal(gh.shape, wh.shape) || !bytes.Equal(g, w) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestDamagedFiles(t *testing.T) {
	var b bytes.Buffer
	if err := Encode(&b, nd.Arange[float32](100)); err != nil {
		t.Fatal(err)
	}
	whole := b.String()
	for want, text := range map[string]string{
		"it does not begin as one":            "",
		"the header is cut off":               whole[:50],
		"240 bytes of elements of 400":        whole[:len(whole)-160],
		"the header is damaged":               strings.Replace(whole, "'shape'", "'shoes'", 1),
		"shape (-10,":                         strings.Replace(whole, "(100,)", "(-10,)", 1),
		"version 9 of the format":             whole[:6] + "\x09" + whole[7:],
		"bytes of elements of 36000000000000": strings.Replace(whole, "(100,), }          ", "(9000000000000,), }", 1),
	} {
		if _, err := Decode[float32](strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q in it", err, want)
		}
	}
	if err := Encode(&b, nd.Zeros[nd.BFloat16](1)); err == nil || !strings.Contains(err.Error(), "nd.AsType converts it") {
		t.Errorf("bfloat16: %v", err)
	}
	if err := Save("/nowhere/x.npy", nd.Zeros[float32](1)); err == nil {
		t.Error("a folder that is not there was written to")
	}
}
