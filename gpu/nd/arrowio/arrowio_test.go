package arrowio

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/arrow/tensor"

	"github.com/gopherwarp/gopherwarp/gpu/device/devicetest"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/internal/pythontest"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

func numbers[T nd.Elem](of func(i int) T) *nd.Array[T] {
	list := make([]T, 20)
	for i := range list {
		list[i] = of(i)
	}
	return nd.FromSlice(list)
}

// table returns a column of each type, and some that are not contiguous or have more axes.
func table() []Column {
	valid := nd.FromSlice(slices.Repeat([]bool{true, false, true, true}, 5))
	return []Column{
		{Name: "bool", Data: numbers(func(i int) bool { return i%3 == 1 })},
		{Name: "int8", Data: numbers(func(i int) int8 { return int8(i - 3) })},
		{Name: "int16", Data: numbers(func(i int) int16 { return int16(i-3) * 300 })},
		{Name: "int32", Data: numbers(func(i int) int32 { return int32(i-3) * 70000 })},
		{Name: "int64", Data: numbers(func(i int) int64 { return int64(i-3) << 40 })},
		{Name: "uint8", Data: numbers(func(i int) uint8 { return uint8(i * 12) })},
		{Name: "uint16", Data: numbers(func(i int) uint16 { return uint16(i * 3000) })},
		{Name: "uint32", Data: numbers(func(i int) uint32 { return uint32(i) << 27 })},
		{Name: "uint64", Data: numbers(func(i int) uint64 { return uint64(i) << 59 })},
		{Name: "float16", Data: nd.AsType[nd.Float16](numbers(func(i int) float32 { return float32(i) / 4 }))},
		{Name: "float32", Data: numbers(func(i int) float32 { return float32(i) / 3 })},
		{Name: "float64", Data: numbers(func(i int) float64 { return float64(i) / 3 })},
		{Name: "backwards", Data: nd.Arange[int32](20).Flip()},
		{Name: "image", Data: nd.Arange[uint8](120).Reshape(20, 2, 3)},
		{Name: "flags", Data: nd.Arange[int32](60).Reshape(20, 3).Equal(nd.Scalar[int32](7))},
		{Name: "gaps", Data: numbers(func(i int) float64 { return float64(i) }), Valid: valid},
	}
}

// formulas are the same columns in Python.
const formulas = `
import json, sys
import numpy as np
import pyarrow as pa
import pyarrow.feather
i = np.arange(20)
expected = {
    "bool": i % 3 == 1, "int8": (i - 3).astype("i1"), "int16": ((i - 3) * 300).astype("i2"),
    "int32": ((i - 3) * 70000).astype("i4"), "int64": (i - 3) << 40,
    "uint8": (i * 12).astype("u1"), "uint16": (i * 3000).astype("u2"),
    "uint32": i.astype("u4") << np.uint32(27), "uint64": i.astype("u8") << np.uint64(59),
    "float16": (i / 4).astype("f2"), "float32": i.astype("f4") / np.float32(3), "float64": i / 3,
    "backwards": i[::-1].astype("i4"), "image": np.arange(120, dtype="u1").reshape(20, 2, 3),
    "flags": np.arange(60).reshape(20, 3) == 7,
}
def column(x):
    if x.ndim == 1:
        return pa.array(x)
    size = int(np.prod(x.shape[1:]))
    flat = pa.FixedSizeListArray.from_arrays(pa.array(np.ascontiguousarray(x).reshape(-1)), size)
    return pa.ExtensionArray.from_storage(pa.fixed_shape_tensor(flat.type.value_type, x.shape[1:]), flat)
columns = {name: column(x) for name, x in expected.items()}
columns["gaps"] = pa.array([None if k % 4 == 1 else float(k) for k in range(20)])
`

// python runs a program after the formulas. Without pyarrow the test is skipped, or fails where it is required.
func python(t *testing.T, program string, args ...string) {
	t.Helper()
	out, err := exec.Command(pythontest.Find(t, "pyarrow"), append([]string{"-c", formulas + program}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestPyarrowReadsFiles(t *testing.T) {
	dir := t.TempDir()
	if err := Save(filepath.Join(dir, "file.arrow"), table()...); err != nil {
		t.Fatal(err)
	}
	var stream bytes.Buffer
	if err := Encode(&stream, table()...); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "stream.arrows"), stream.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	python(t, `
for source in (pa.ipc.open_file(sys.argv[1] + "/file.arrow").read_all(), pa.ipc.open_stream(sys.argv[1] + "/stream.arrows").read_all(), pa.feather.read_table(sys.argv[1] + "/file.arrow")):
    source.validate(full=True)
    assert source.column_names == list(columns), source.schema
    for name, want in expected.items():
        got = source[name].combine_chunks()
        if want.ndim > 1:
            assert isinstance(got.type, pa.FixedShapeTensorType) and tuple(got.type.shape) == want.shape[1:], got.type
            if want.dtype == bool:
                got = np.array(got.storage.to_pylist())
            else:
                got = got.to_numpy_ndarray()
        else:
            assert got.null_count == 0
            got = got.to_numpy(zero_copy_only=False)
        assert got.dtype == want.dtype and got.shape == want.shape and (got == want).all(), (name, got, want)
    assert source["gaps"].to_pylist() == columns["gaps"].to_pylist(), source["gaps"]
`, dir)
}

func TestReadsPyarrowsFiles(t *testing.T) {
	dir := t.TempDir()
	python(t, `
whole = pa.table(columns)
# Several batches, and columns that begin in the middle of others.
parts = pa.concat_tables([whole.slice(0, 3), whole.slice(3, 8), whole.slice(11, 0), whole.slice(11)])
with pa.ipc.new_file(sys.argv[1] + "/file.arrow", whole.schema) as f:
    f.write_table(parts)
for kind in ("lz4", "zstd"):
    with pa.ipc.new_stream(sys.argv[1] + "/" + kind + ".arrows", whole.schema, options=pa.ipc.IpcWriteOptions(compression=kind)) as f:
        f.write_table(parts)
lists = pa.array([[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]], pa.list_(pa.list_(pa.int16(), 2), 3))
odd = {"lists": lists, "text": pa.array(["a", "b"]), "holes": pa.array([[1, None], [3, 4]], pa.list_(pa.int32(), 2)), "word": pa.array(["x", "x"]).dictionary_encode()}
pa.feather.write_feather(pa.table(odd), sys.argv[1] + "/odd.arrow", compression="uncompressed")
with pa.ipc.new_file(sys.argv[1] + "/none.arrow", whole.schema) as f:
    pass
`, dir)
	for _, file := range []string{"file.arrow", "lz4.arrows", "zstd.arrows"} {
		got, err := Load(filepath.Join(dir, file), Masked())
		if err != nil {
			t.Fatal(err)
		}
		same(t, file, got, table())
	}
	if got, err := Load(filepath.Join(dir, "file.arrow"), Only("int64", "image")); err != nil || len(got) != 2 || got[0].Name != "int64" {
		t.Errorf("two columns: %v, %v", got, err)
	} else {
		if a, err := Get[int](got, "int64"); err != nil || a.At(0).Item() != -3<<40 {
			t.Errorf("as ints: %v, %v", a, err)
		}
		for want, err := range map[string]error{
			`column "int64" holds int64, not float32`: second(Get[float32](got, "int64")),
			`there is no column "x", but ["int64"`:    second(Get[float32](got, "x")),
		} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got error %v, want %q in it", err, want)
			}
		}
	}
	if got, err := Load(filepath.Join(dir, "none.arrow")); err != nil || len(got) != 16 || got[13].Data.(*nd.Array[uint8]).NDim() != 3 {
		t.Errorf("no rows: %v, %v", got, err)
	}
	odd := filepath.Join(dir, "odd.arrow")
	if got, err := Load(odd, Only("lists")); err != nil || !slices.Equal(got[0].Data.(*nd.Array[int16]).Shape(), []int{2, 3, 2}) || got[0].Data.(*nd.Array[int16]).At(1, 1, 0).Item() != 9 {
		t.Errorf("lists of lists: %v, %v", got, err)
	}
	for want, err := range map[string]error{
		`column "gaps": 5 elements are missing (null): read it with arrowio.Masked`:       second(Load(filepath.Join(dir, "file.arrow"))),
		`column "text": it holds utf8, of which there are no arrays; arrowio.Only leaves`: second(Load(odd)),
		`column "word": it holds dictionary`:                                              second(Load(odd, Only("word"))),
		`column "holes": elements within a row are missing`:                               second(Load(odd, Only("holes"))),
		`there is no column "nothing"`:                                                    second(Load(odd, Only("nothing"))),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q in it", err, want)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func same(t *testing.T, what string, got, want []Column) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s has %d columns, want %d", what, len(got), len(want))
		return
	}
	for i, w := range want {
		g := got[i]
		wf, wa, err := ToArrow(w)
		if err != nil {
			t.Fatal(err)
		}
		gf, ga, err := ToArrow(g)
		if err != nil {
			t.Fatal(err)
		}
		if gf.Name != wf.Name || !arrow.TypeEqual(gf.Type, wf.Type) || fmt.Sprint(gf.Metadata) != fmt.Sprint(wf.Metadata) || !array.Equal(ga, wa) {
			t.Errorf("%s: got %v %v, want %v %v", what, gf, ga, wf, wa)
		}
		wa.Release()
		ga.Release()
	}
}

func TestRoundTrips(t *testing.T) {
	var b bytes.Buffer
	if err := Encode(&b, table()...); err != nil {
		t.Fatal(err)
	}
	whole := b.String()
	got, err := Decode(strings.NewReader(whole), Masked())
	if err != nil {
		t.Fatal(err)
	}
	same(t, "a stream", got, table())
	empty := Column{Name: "e", Data: nd.Zeros[float32](0, 2)}
	file := filepath.Join(t.TempDir(), "x.arrow")
	if err := Save(file, empty); err != nil {
		t.Fatal(err)
	}
	got, err = Load(file)
	if err != nil || len(got) != 1 || !slices.Equal(got[0].Data.(*nd.Array[float32]).Shape(), []int{0, 2}) {
		t.Errorf("no rows: %v, %v", got, err)
	}
	bytes, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for want, text := range map[string]string{
		"it is empty":               "",
		"this is no stream of":      "no file of Arrow at all",
		"the file is damaged":       string(bytes[:len(bytes)-20]),
		"the stream is damaged":     whole[:len(whole)/2],
		"no stream of Arrow, or a ": whole[:100],
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q in it", err, want)
		}
	}
	// Whichever bytes are wrong, there is an error or a table and no panic.
	for i := 0; i < len(whole); i += 401 {
		spoiled := []byte(whole)
		spoiled[i] ^= 0x55
		_, _ = Decode(strings.NewReader(string(spoiled)), Masked())
	}
}

// TestPartsOfColumns reads columns that begin in the middle of others, which files do not have.
func TestPartsOfColumns(t *testing.T) {
	for _, c := range table() {
		field, whole, err := ToArrow(c)
		if err != nil {
			t.Fatal(err)
		}
		first, second := array.NewSlice(whole, 3, 5), array.NewSlice(whole, 5, 16)
		want := array.NewSlice(whole, 3, 16)
		got, err := FromArrow(field, first, second)
		if err != nil {
			t.Fatal(err)
		}
		_, back, err := ToArrow(got)
		if err != nil {
			t.Fatal(err)
		}
		if !array.Equal(back, want) {
			t.Errorf("%s: got %v, want %v", c.Name, back, want)
		}
		for _, a := range []arrow.Array{whole, first, second, want, back} {
			a.Release()
		}
	}
}

func TestWhatArrowHasNot(t *testing.T) {
	rows := Column{Name: "r", Data: nd.Zeros[int8](3)}
	for want, table := range map[string][]Column{
		`column "c": there is no complex64 in Arrow: take nd.RealPart`: {{Name: "c", Data: nd.Zeros[complex64](2)}},
		`column "b": there is no bfloat16 in Arrow: convert the array`: {{Name: "b", Data: nd.Zeros[nd.BFloat16](2)}},
		`column "s": the array has no axes`:                            {{Name: "s", Data: nd.Scalar(1.0)}},
		`column "n": nd.Describe: the array is nil`:                    {{Name: "n"}},
		`column "l" has 4 rows, "r" has 3`:                             {rows, {Name: "l", Data: nd.Zeros[int8](4)}},
		`its mask has the shape [2], it has 3 rows`:                    {{Name: "m", Data: nd.Zeros[int8](3), Valid: nd.Zeros[bool](2)}},
		`a table without columns`:                                      {},
	} {
		if err := Encode(&bytes.Buffer{}, table...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q in it", err, want)
		}
	}
	if err := Save("/nowhere/x.arrow", rows); err == nil || !strings.Contains(err.Error(), "no such file or directory") {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func TestTensors(t *testing.T) {
	a := nd.Arange[int16](24).Reshape(2, 3, 4).Transpose(2, 0, 1)
	made, err := ToTensor(a, "x", "y", "z")
	if err != nil {
		t.Fatal(err)
	}
	defer made.Release()
	if got := made.(*tensor.Int16).Value([]int64{3, 1, 2}); got != 23 || made.DimName(2) != "z" {
		t.Errorf("element %d of %v", got, made)
	}
	back, err := FromTensor(made)
	if err != nil || !slices.Equal(back.(*nd.Array[int16]).ToHost(), a.ToHost()) || !slices.Equal(back.(*nd.Array[int16]).Shape(), []int{4, 2, 3}) {
		t.Errorf("back came %v, %v", back, err)
	}
	list := []int64{0, 1, 2, 3, 4, 5, 6, 7}
	data := array.NewData(arrow.PrimitiveTypes.Int64, 6, []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(list))}, nil, 0, 1)
	columns := tensor.New(data, []int64{2, 3}, []int64{8, 16}, nil) // in column-major order, after one number
	got, err := FromTensor(columns)
	if err != nil || !slices.Equal(got.(*nd.Array[int64]).ToHost(), []int64{1, 3, 5, 2, 4, 6}) {
		t.Errorf("by columns: %v, %v", got, err)
	}
	for want, err := range map[string]error{
		"arrow-go has none of float16":   second(ToTensor(nd.Zeros[nd.Float16](2))),
		"there is no complex64 in Arrow": second(ToTensor(nd.Zeros[complex64](2))),
		"2 names for 1 axes":             second(ToTensor(nd.Zeros[int8](2), "a", "b")),
		"it is nil":                      second(FromTensor(nil)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q in it", err, want)
		}
	}
}
