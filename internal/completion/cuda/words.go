package cuda

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed words.txt
var table string

// A word is a name that CUDA declares in device code.
type word struct {
	name, signature, doc string
	section              string // of the CUDA C++ Programming Guide
}

// words are all words by name, with their namespace.
var words = sync.OnceValue(func() map[string]word {
	all := map[string]word{}
	section := ""
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "# "); ok {
			section = title
			continue
		}
		if parts := strings.Split(line, " | "); len(parts) == 3 {
			all[parts[0]] = word{parts[0], parts[1], parts[2], section}
		}
	}
	return all
})

const groups = "cooperative_groups"

// members returns the fields of a vector type, or nil.
func members(typ string) []string {
	if typ == "const uint3" || typ == "const dim3" {
		typ = strings.TrimPrefix(typ, "const ")
	}
	_, fields, ok := strings.Cut(words()[typ].signature, "{ ")
	if !ok {
		return nil
	}
	fields, _, _ = strings.Cut(fields, ";")
	var names []string
	for f := range strings.SplitSeq(fields, ",") {
		f = strings.TrimSpace(f)
		names = append(names, f[strings.LastIndexByte(f, ' ')+1:])
	}
	return names
}

// language are the keywords and types of C++ that kernels use.
var language = strings.Fields(`auto bool break case char const constexpr continue default do double else enum extern false
float for if inline int int8_t int16_t int32_t int64_t long namespace operator return short signed size_t sizeof static
struct switch template true typedef typename uint8_t uint16_t uint32_t uint64_t unsigned using void volatile while`)
