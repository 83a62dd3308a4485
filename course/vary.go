package course

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"strings"
)

// A Variable is a constant of a lesson that has several values, of which a seed chooses one.
type Variable struct {
	Name   string
	Values []string
	Value  string // the chosen one
}

var (
	varyField = regexp.MustCompile(`^vary: *([A-Za-z]\w*) *= *(.+)$`)
	reference = regexp.MustCompile(`\{\{(\w+)\}\}`)
)

// vary replaces {{NAME}} in a source by the value that the seed chooses from those of the field "vary: NAME = value value".
func vary(source, path, seed string) (string, []Variable, error) {
	var list []Variable
	values := map[string]string{}
	at, inHead := 0, true
	for line := range strings.Lines(source) {
		at++
		line = strings.TrimRight(line, "\r\n")
		if line == "---" && at > 1 {
			inHead = false
		}
		if inHead && strings.HasPrefix(line, "vary:") {
			m := varyField.FindStringSubmatch(line)
			if m == nil || len(strings.Fields(m[2])) < 2 {
				return "", nil, problemf(at, "%q: write vary: NAME = value value", line)
			}
			v := Variable{Name: m[1], Values: strings.Fields(m[2])}
			v.Value = v.Values[pick(seed, path, v.Name, len(v.Values))]
			list, values[v.Name] = append(list, v), v.Value
			continue
		}
		for _, m := range reference.FindAllStringSubmatch(line, -1) {
			if _, ok := values[m[1]]; !ok && len(list) > 0 {
				return "", nil, problemf(at, "%s is not a name of a field vary", m[0])
			}
		}
	}
	if len(list) == 0 {
		return source, nil, nil
	}
	return reference.ReplaceAllStringFunc(source, func(r string) string { return values[strings.Trim(r, "{}")] }), list, nil
}

// pick returns a number below n that follows from the seed; 0 if that is empty.
func pick(seed, path, name string, n int) int {
	if seed == "" {
		return 0
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s\x00%s", seed, path, name)
	// The last bits of the hash alone depend too little on the beginning.
	sum := h.Sum64()
	return int((sum ^ sum>>32) % uint64(n))
}
