package gpu

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// The simulator's programs do not contain the names of their kernels, as cubins do. Therefore an image that Module.Image returns ends
// with the names, their length, and this marker.
const namesEnd = "\ngopherwarp kernel names\n"

// pack returns a simulated program as one slice of bytes.
func pack(img backend.Image) []byte {
	var names strings.Builder
	for name, symbol := range img.Lowered {
		names.WriteString(name + "\n" + symbol + "\n")
	}
	b := append(bytes.Clone(img.Data), names.String()...)
	b = binary.LittleEndian.AppendUint64(b, uint64(names.Len()))
	return append(b, namesEnd...)
}

// unpack is the inverse of pack. It returns images without names unchanged.
func unpack(b []byte) backend.Image {
	data, ok := bytes.CutSuffix(b, []byte(namesEnd))
	if !ok || len(data) < 8 {
		return backend.Image{Data: bytes.Clone(b)}
	}
	data, size := data[:len(data)-8], binary.LittleEndian.Uint64(data[len(data)-8:])
	if size > uint64(len(data)) {
		return backend.Image{Data: bytes.Clone(b)}
	}
	at := len(data) - int(size)
	img := backend.Image{Data: bytes.Clone(data[:at]), Lowered: map[string]string{}}
	lines := strings.Split(string(data[at:]), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		img.Lowered[lines[i]] = lines[i+1]
	}
	return img
}
