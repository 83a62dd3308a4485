package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"regexp"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// magic begins each .npy file.
const magic = "\x93NUMPY"

// mostHeader is more than the length of any header, which is a line of text.
const mostHeader = 1 << 20

// header is the header of a file, before the elements.
type header struct {
	dtype   nd.DType
	swapped bool // the numbers have the other byte order
	fortran bool // column-major order
	shape   []int
	size    int // elements
}

// letters are NumPy's letters for the kinds of types.
var letters = map[nd.DType]string{
	nd.Bool: "b1", nd.Int8: "i1", nd.Int16: "i2", nd.Int32: "i4", nd.Int64: "i8",
	nd.Uint8: "u1", nd.Uint16: "u2", nd.Uint32: "u4", nd.Uint64: "u8",
	nd.F16: "f2", nd.F32: "f4", nd.F64: "f8", nd.C64: "c8", nd.C128: "c16",
}

var (
	descr   = regexp.MustCompile(`'descr':\s*('[^']*'|\[)`)
	fortran = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	shape   = regexp.MustCompile(`'shape':\s*\(([^)]*)\)`)
)

func readHeader(r io.Reader) (h header, err error) {
	var start [8]byte
	if _, err := io.ReadFull(r, start[:]); err != nil || string(start[:6]) != magic {
		return h, errors.New("this is no .npy file: it does not begin as one")
	}
	var length uint32
	switch version := start[6]; version {
	case 1:
		var short uint16
		err = binary.Read(r, binary.LittleEndian, &short)
		length = uint32(short)
	case 2, 3:
		err = binary.Read(r, binary.LittleEndian, &length)
	default:
		return h, fmt.Errorf("version %d of the format is not known: write the file with numpy.save", version)
	}
	if err != nil || length > mostHeader {
		return h, errors.New("the header is damaged")
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return h, fmt.Errorf("the header is cut off: %w", err)
	}
	return parseHeader(string(text))
}

func parseHeader(text string) (h header, err error) {
	d, f, s := descr.FindStringSubmatch(text), fortran.FindStringSubmatch(text), shape.FindStringSubmatch(text)
	if d == nil || f == nil || s == nil {
		return h, fmt.Errorf("the header is damaged: %.100q", text)
	}
	name := strings.Trim(d[1], "'")
	if name == "[" {
		return h, errors.New("the file holds structures, of which there are no arrays here: save their fields one by one")
	}
	found := false
	for dt, letter := range letters {
		if len(name) > 1 && strings.ContainsRune("<>|=", rune(name[0])) && name[1:] == letter {
			h.dtype, found = dt, true
		}
	}
	if !found {
		return h, fmt.Errorf("the file holds numpy.dtype(%q), of which there are no arrays here: convert them with astype before saving", name)
	}
	h.swapped = name[0] == '>'
	h.fortran = f[1] == "True"
	h.size = 1
	for part := range strings.SplitSeq(s[1], ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSuffix(part, "L"))
		high, size := bits.Mul64(uint64(h.size), uint64(n))
		if err != nil || n < 0 || high != 0 || size > 1<<52 {
			return h, fmt.Errorf("the header is damaged: shape (%s)", s[1])
		}
		h.shape, h.size = append(h.shape, n), int(size)
	}
	return h, nil
}

// write writes the header, with spaces so that the elements begin at a multiple of 64 bytes, as NumPy does.
func (h header) write(w io.Writer) error {
	dims := make([]string, len(h.shape))
	for i, n := range h.shape {
		dims[i] = strconv.Itoa(n)
	}
	list := strings.Join(dims, ", ")
	if len(dims) == 1 {
		list += ","
	}
	order := "<"
	if h.dtype.Size() == 1 {
		order = "|"
	}
	text := fmt.Sprintf("{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }", order, letters[h.dtype], list)
	const before = len(magic) + 4
	text += strings.Repeat(" ", 63-(before+len(text))%64) + "\n"
	var b bytes.Buffer
	b.WriteString(magic + "\x01\x00")
	if len(text) > 1<<16-1 {
		return fmt.Errorf("an array of %d axes does not fit into the file's header", len(h.shape))
	}
	_ = binary.Write(&b, binary.LittleEndian, uint16(len(text)))
	b.WriteString(text)
	_, err := w.Write(b.Bytes())
	return err
}

// chunk is the amount of memory that is allocated for elements before they are read: a damaged header could have any size.
const chunk = 64 << 20

// elements reads the elements' bytes.
func (h header) elements(r io.Reader) ([]byte, error) {
	want := h.size * h.dtype.Size()
	data := make([]byte, 0, min(want, chunk))
	for len(data) < want {
		from := len(data)
		data = append(data, make([]byte, min(want-from, max(from, chunk)))...)
		if n, err := io.ReadFull(r, data[from:]); err != nil {
			return nil, fmt.Errorf("the file is cut off: %d bytes of elements of %d are there: %w", from+n, want, err)
		}
	}
	if h.swapped {
		size := h.dtype.Size()
		if h.dtype == nd.C64 || h.dtype == nd.C128 {
			size /= 2
		}
		for i := 0; i < len(data); i += size {
			for a, b := i, i+size-1; a < b; a, b = a+1, b-1 {
				data[a], data[b] = data[b], data[a]
			}
		}
	}
	return data, nil
}
