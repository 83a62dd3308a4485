package gpu

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// The simulator's programs do not tell the names of their kernels, as cubins do. So an image of
// one that is given out has them at its end: the names, their length, and this word.
const namesEnd = "\ngopherwarp kernel names\n"

// pack makes a simulated program one piece.
func pack(img backend.Image) []byte {
	var names strings.Builder
	for name, symbol := range img.Lowered {
		names.WriteString(name + "\n" + symbol + "\n")
	}
	b := append(bytes.Clone(img.Data), names.String()...)
	b = binary.LittleEndian.AppendUint64(b, uint64(names.Len()))
	return append(b, namesEnd...)
}

// unpack is the inverse of pack. Images without names are returned as they are.
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
