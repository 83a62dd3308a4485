package npy

import (
	"archive/zip"
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// Load reads the array of a .npy file, whose elements must be of that type. LoadAny accepts any.
func Load[T nd.Elem](path string) (*nd.Array[T], error) {
	return open(path, Decode[T])
}

// LoadAny reads the array of a .npy file, of any type: for float32 the result is a *nd.Array[float32].
func LoadAny(path string) (nd.Operand, error) { return open(path, DecodeAny) }

func open[A any](path string, decode func(r io.Reader) (A, error)) (a A, err error) {
	f, err := os.Open(path)
	if err != nil {
		return a, fmt.Errorf("reading an array: %w", err)
	}
	defer f.Close()
	if a, err = decode(f); err != nil {
		return a, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

// Decode reads an array as Load does, and reads no further than the array's end.
func Decode[T nd.Elem](r io.Reader) (*nd.Array[T], error) {
	h, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	if want := nd.DTypeOf[T](); h.dtype != want {
		return nil, fmt.Errorf("the file holds %v, not %v: read it as that, or with DecodeAny, and convert it with nd.AsType", h.dtype, want)
	}
	return finish[T](h, r)
}

// DecodeAny reads an array as LoadAny does, and reads no further than the array's end.
func DecodeAny(r io.Reader) (nd.Operand, error) {
	h, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	switch h.dtype {
	case nd.Bool:
		return operand[bool](h, r)
	case nd.Int8:
		return operand[int8](h, r)
	case nd.Int16:
		return operand[int16](h, r)
	case nd.Int32:
		return operand[int32](h, r)
	case nd.Int64:
		return operand[int64](h, r)
	case nd.Uint8:
		return operand[uint8](h, r)
	case nd.Uint16:
		return operand[uint16](h, r)
	case nd.Uint32:
		return operand[uint32](h, r)
	case nd.Uint64:
		return operand[uint64](h, r)
	case nd.F16:
		return operand[nd.Float16](h, r)
	case nd.F32:
		return operand[float32](h, r)
	case nd.F64:
		return operand[float64](h, r)
	case nd.C64:
		return operand[complex64](h, r)
	}
	return operand[complex128](h, r)
}

// operand is finish with a nil interface, not a nil array in one, beside an error.
func operand[T nd.Elem](h header, r io.Reader) (nd.Operand, error) {
	a, err := finish[T](h, r)
	if err != nil {
		return nil, err
	}
	return a, nil
}

// finish reads the elements after a header.
func finish[T nd.Elem](h header, r io.Reader) (a *nd.Array[T], err error) {
	data, err := h.elements(r)
	if err != nil {
		return nil, err
	}
	if h.dtype == nd.Bool { // Go's have no other values
		for i, b := range data {
			if b != 0 {
				data[i] = 1
			}
		}
	}
	var host []T
	if h.size > 0 {
		host = unsafe.Slice((*T)(unsafe.Pointer(&data[0])), h.size)
	}
	err = nd.Try(func() {
		lens := h.shape
		if h.fortran {
			lens = slices.Clone(lens)
			slices.Reverse(lens)
		}
		a = nd.FromSlice(host, h.size).Reshape(lens...)
		if h.fortran && len(lens) > 1 {
			a = a.T()
		}
	})
	return a, err
}

// Save writes an array to a .npy file. An existing file is replaced.
func Save(path string, a nd.Operand) error {
	return create(path, func(w io.Writer) error { return Encode(w, a) })
}

func create(path string, encode func(w io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("writing an array: %w", err)
	}
	w := bufio.NewWriterSize(f, 1<<16)
	if err = encode(w); err == nil {
		err = w.Flush()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// Encode writes an array in .npy format.
func Encode(w io.Writer, a nd.Operand) error {
	var h header
	var data []byte
	var known bool
	if err := nd.Try(func() { h, data, known = contents(a) }); err != nil {
		return err
	}
	if !known {
		return fmt.Errorf("a file cannot hold %T: it is no array of a type that NumPy has; nd.AsType converts it", a)
	}
	if err := h.write(w); err != nil {
		return err
	}
	_, err := w.Write(data)
	return err
}

// contents waits for an array and copies its elements to the host.
func contents(a nd.Operand) (h header, data []byte, known bool) {
	switch a := a.(type) {
	case *nd.Array[bool]:
		return fetched(a)
	case *nd.Array[int8]:
		return fetched(a)
	case *nd.Array[int16]:
		return fetched(a)
	case *nd.Array[int32]:
		return fetched(a)
	case *nd.Array[int64]:
		return fetched(a)
	case *nd.Array[int]:
		return fetched(a)
	case *nd.Array[uint8]:
		return fetched(a)
	case *nd.Array[uint16]:
		return fetched(a)
	case *nd.Array[uint32]:
		return fetched(a)
	case *nd.Array[uint64]:
		return fetched(a)
	case *nd.Array[uint]:
		return fetched(a)
	case *nd.Array[nd.Float16]:
		return fetched(a)
	case *nd.Array[float32]:
		return fetched(a)
	case *nd.Array[float64]:
		return fetched(a)
	case *nd.Array[complex64]:
		return fetched(a)
	case *nd.Array[complex128]:
		return fetched(a)
	}
	return h, nil, false
}

func fetched[T nd.Elem](a *nd.Array[T]) (h header, data []byte, known bool) {
	host := a.ToHost()
	if len(host) > 0 {
		data = unsafe.Slice((*byte)(unsafe.Pointer(&host[0])), len(host)*int(unsafe.Sizeof(host[0])))
	}
	return header{dtype: a.DType(), shape: a.Shape(), size: len(host)}, data, true
}

// LoadZ reads the arrays of a .npz file, by name.
func LoadZ(path string) (map[string]nd.Operand, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("reading arrays from %s: %w", path, err)
	}
	defer z.Close()
	all := map[string]nd.Operand{}
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, ".npy")
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("reading %s from %s: %w", name, path, err)
		}
		a, err := DecodeAny(r)
		r.Close()
		if err != nil {
			return nil, fmt.Errorf("reading %s from %s: %w", name, path, err)
		}
		all[name] = a
	}
	return all, nil
}

// SaveZ writes arrays to a .npz file, by name. An existing file is replaced.
func SaveZ(path string, arrays map[string]nd.Operand) error { return saveZ(path, arrays, zip.Store) }

// SaveZCompressed is like SaveZ but compresses the arrays, which takes longer and makes a smaller file.
func SaveZCompressed(path string, arrays map[string]nd.Operand) error {
	return saveZ(path, arrays, zip.Deflate)
}

func saveZ(path string, arrays map[string]nd.Operand, method uint16) error {
	return create(path, func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, name := range slices.Sorted(maps.Keys(arrays)) {
			part, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: method})
			if err != nil {
				return err
			}
			if err := Encode(part, arrays[name]); err != nil {
				return fmt.Errorf("array %s: %w", name, err)
			}
		}
		return z.Close()
	})
}
