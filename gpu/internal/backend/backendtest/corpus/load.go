package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A Case is one file of the corpus.
type Case struct {
	Name        string // of the file, without .cu
	Source      string
	Options     []string
	Launches    []Launch
	Cooperative bool

	buffers  []buffer
	textures []textureSpec
	near     map[string]float64
}

// A Launch is a line of the header that launches a kernel.
type Launch struct {
	Kernel      string // with template arguments: "scale<float>"
	Grid, Block [3]uint32
	Shared      uint32
	args        []string
}

type buffer struct {
	name  string
	elem  string // C type
	count int
	fill  []string
}

// elements are the element types of memory, with their sizes in bytes.
var elements = map[string]int{
	"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8,
	"float": 4, "double": 8, "half": 2, "bfloat16": 2,
}

// Folder returns the path of gpu/testdata/kernels, which it looks for in the working directory and its parents.
func Folder() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		folder := filepath.Join(dir, "gpu", "testdata", "kernels")
		if _, err := os.Stat(folder); err == nil {
			return folder, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("gpu/testdata/kernels was not found in the working directory or its parents")
		}
		dir = up
	}
}

// Load reads all files.
func Load() ([]*Case, error) {
	folder, err := Folder()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.cu"))
	if err != nil {
		return nil, err
	}
	var cases []*Case
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		c, err := parse(strings.TrimSuffix(filepath.Base(path), ".cu"), string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func parse(name, source string) (*Case, error) {
	c := &Case{Name: name, Source: source, near: map[string]float64{}}
	n := 0
	for line := range strings.Lines(source) {
		n++
		text, ok := strings.CutPrefix(line, "//")
		if !ok {
			break
		}
		if directive, ok := strings.CutPrefix(text, "\t"); ok {
			if err := c.directive(strings.TrimSpace(directive)); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
		}
	}
	switch {
	case len(c.Launches) == 0:
		return nil, fmt.Errorf("the header has no launch")
	case references[name] == nil:
		return nil, fmt.Errorf("package corpus has no function for the expected results")
	}
	return c, nil
}

func (c *Case) directive(text string) error {
	fields := strings.Fields(text)
	switch {
	case len(fields) == 0:
	case fields[0] == "launch":
		l, err := parseLaunch(strings.TrimSpace(strings.TrimPrefix(text, "launch")))
		if err != nil {
			return err
		}
		c.Launches = append(c.Launches, l)
	case fields[0] == "near" && len(fields) == 3:
		tolerance, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			return err
		}
		c.near[fields[1]] = tolerance
	case fields[0] == "options":
		c.Options = append(c.Options, fields[1:]...)
	case fields[0] == "texture":
		t, err := parseTexture(fields[1:])
		if err != nil {
			return err
		}
		c.textures = append(c.textures, t)
	case text == "cooperative":
		c.Cooperative = true
	case len(fields) >= 4 && fields[1] == "=":
		elem, rest, ok := strings.Cut(fields[2], "[")
		count, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
		if !ok || err != nil || elements[elem] == 0 {
			return fmt.Errorf("%q is not an element type with a count", fields[2])
		}
		c.buffers = append(c.buffers, buffer{fields[0], elem, count, fields[3:]})
	default:
		return fmt.Errorf("%q is not a directive", text)
	}
	return nil
}

// parseLaunch reads kernel<<<grid, block, shared>>>(arguments).
func parseLaunch(text string) (Launch, error) {
	kernel, rest, ok := strings.Cut(text, "<<<")
	shape, args, ok2 := strings.Cut(rest, ">>>(")
	args, ok3 := strings.CutSuffix(args, ")")
	if !ok || !ok2 || !ok3 {
		return Launch{}, fmt.Errorf("%q is not kernel<<<grid, block>>>(arguments)", text)
	}
	l := Launch{Kernel: kernel, args: list(args)}
	parts := list(shape)
	if len(parts) != 2 && len(parts) != 3 {
		return l, fmt.Errorf("%q is not grid, block and perhaps bytes of shared memory", shape)
	}
	var err error
	if l.Grid, err = dimensions(parts[0]); err != nil {
		return l, err
	}
	if l.Block, err = dimensions(parts[1]); err != nil {
		return l, err
	}
	if len(parts) == 3 {
		bytes, err := strconv.Atoi(parts[2])
		if err != nil {
			return l, err
		}
		l.Shared = uint32(bytes)
	}
	return l, nil
}

// list splits text at the commas outside brackets.
func list(text string) []string {
	var parts []string
	depth, start := 0, 0
	for i, r := range text {
		switch {
		case r == '(' || r == '{':
			depth++
		case r == ')' || r == '}':
			depth--
		case r == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	if last := strings.TrimSpace(text[start:]); last != "" {
		parts = append(parts, last)
	}
	return parts
}

func dimensions(text string) ([3]uint32, error) {
	d := [3]uint32{1, 1, 1}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	for i, part := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || i >= 3 {
			return d, fmt.Errorf("%q is not a list of dimensions", text)
		}
		d[i] = uint32(n)
	}
	return d, nil
}
