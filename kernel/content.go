package kernel

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// content is the JSON object in a message, composed of values that are already encoded. The output of a cell can be large, and is copied
// only once.
type content []field

type field struct {
	name   string
	value  json.RawMessage
	values map[string]json.RawMessage // instead of value
}

func (c content) number(name string, n int) content {
	return append(c, field{name: name, value: strconv.AppendInt(nil, int64(n), 10)})
}

func (c content) object(name string, values map[string]json.RawMessage) content {
	return append(c, field{name: name, values: values})
}

// encode returns the object.
func (c content) encode() json.RawMessage {
	size := len("{}")
	for _, f := range c {
		size += len(f.name) + len(f.value) + len(`"":{},`)
		for name, raw := range f.values {
			size += quotedBytes*len(name) + len(raw) + len(`"":,`)
		}
	}
	dst := append(make([]byte, 0, size), '{')
	for i, f := range c {
		dst = appendName(dst, i, f.name)
		if f.values == nil {
			dst = append(dst, f.value...)
			continue
		}
		dst = append(dst, '{')
		for j, name := range slices.Sorted(maps.Keys(f.values)) {
			dst = append(appendName(dst, j, name), f.values[name]...)
		}
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

// quotedBytes is the maximum number of bytes of JSON for a byte of a string.
const quotedBytes = 6

func appendName(dst []byte, index int, name string) []byte {
	if index > 0 {
		dst = append(dst, ',')
	}
	quoted, _ := json.Marshal(name) // a string can always be encoded
	return append(append(dst, quoted...), ':')
}
