package gpu_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	. "github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/check"
)

// wrong is a kernel with a defect, and how its header says to launch it.
type wrong struct {
	name, source string
	digest       string // of the source
	defect       string
	lines        []int // where the defect may be found
	cfg          Launch
	args         []string
}

// wrongFolder has the wrong kernels.
const wrongFolder = "testdata/kernels/wrong"

func readWrong(name string) (*wrong, error) {
	text, err := os.ReadFile(filepath.Join(wrongFolder, name+".cu"))
	if err != nil {
		return nil, err
	}
	w := &wrong{name: name, source: string(text), digest: fmt.Sprintf("%x", sha256.Sum256(text))[:8]}
	for i, line := range strings.Split(w.source, "\n") {
		if strings.HasSuffix(line, "// wrong") {
			w.lines = append(w.lines, i+1)
		}
		key, value, _ := strings.Cut(strings.TrimPrefix(line, "// "), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "Defect":
			w.defect = value
		case "Launch":
			if w.cfg, err = launchOf(value); err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", name, i+1, err)
			}
		case "Args":
			w.args = strings.Split(value, ";")
		}
	}
	return w, nil
}

// launchOf reads "2x2, 64, 1024": grid, block and bytes of shared memory.
func launchOf(text string) (Launch, error) {
	parts := strings.Split(text, ",")
	if len(parts) != 3 {
		return Launch{}, fmt.Errorf("%q is not grid, block and bytes of shared memory", text)
	}
	var cfg Launch
	var err error
	if cfg.Grid, err = dimOf(parts[0]); err != nil {
		return cfg, err
	}
	if cfg.Block, err = dimOf(parts[1]); err != nil {
		return cfg, err
	}
	cfg.SharedBytes, err = strconv.Atoi(strings.TrimSpace(parts[2]))
	return cfg, err
}

func dimOf(text string) (Dim3, error) {
	var sizes []int
	for part := range strings.SplitSeq(strings.TrimSpace(text), "x") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return Dim3{}, err
		}
		sizes = append(sizes, n)
	}
	return Dim(sizes[0], sizes[1:]...), nil
}

// checkWrong launches kernels in check mode, one after the other. What is found names them as the program.
func checkWrong(kernels ...*wrong) (*check.Report, error) {
	compiled := make([]*Kernel, len(kernels))
	for i, w := range kernels {
		m, err := Compile(w.source, WithName(w.name+".cu"))
		if err != nil {
			return nil, err
		}
		if compiled[i], err = m.Kernel("k"); err != nil {
			return nil, err
		}
	}
	return check.Run(func() error {
		for i, w := range kernels {
			var args []any
			for _, spec := range w.args {
				arg, err := argumentOf(spec)
				if err != nil {
					return fmt.Errorf("%s: argument %s: %w", w.name, spec, err)
				}
				args = append(args, arg)
			}
			if err := compiled[i].Launch(w.cfg, args...); err != nil {
				return err
			}
			if err := Sync(); err != nil { // else the error would be the next kernel's
				return err
			}
		}
		return nil
	})
}

func init() { sessions["wrong"] = wrongSession }

// wrongSession checks the kernels that are named on the command line, and prints the findings as JSON.
func wrongSession() {
	var kernels []*wrong
	for _, name := range os.Args[3:] {
		w, err := readWrong(name)
		succeed(err)
		kernels = append(kernels, w)
	}
	r, err := checkWrong(kernels...)
	succeed(err)
	succeed(json.NewEncoder(os.Stdout).Encode(r.Findings))
}

// argumentOf makes what a header describes by "name type value" or "name type[length] contents".
func argumentOf(spec string) (any, error) {
	words := strings.Fields(spec)
	kind, length, array := strings.Cut(strings.TrimSuffix(words[1], "]"), "[")
	if !array {
		return strconv.Atoi(words[2])
	}
	n, err := strconv.Atoi(length)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "float":
		return contents[float32](n, words[2]), nil
	case "int":
		return contents[int32](n, words[2]), nil
	case "uint":
		return contents[uint32](n, words[2]), nil
	case "uchar":
		return contents[uint8](n, words[2]), nil
	}
	table, good, gone := Alloc[uint64](2), Zeros[byte](64), Alloc[byte](64)
	pointers := []uint64{good.Address(), 0}
	if words[2] == "freed" {
		pointers[1] = gone.Address()
		if err := gone.Free(); err != nil {
			return nil, err
		}
	}
	keep = append(keep, good)
	return table, table.CopyFrom(pointers)
}

// keep holds the buffers that only device memory refers to.
var keep []any

func contents[T float32 | int32 | uint32 | uint8](n int, what string) *Buffer[T] {
	switch what {
	case "new":
		return Alloc[T](n)
	case "view":
		return Alloc[T](3*n).Slice(n, 2*n)
	}
	host := make([]T, n)
	if what == "ramp" {
		for i := range host {
			host[i] = T(i)
		}
	}
	return ToDevice(host)
}

// wrongKernels reads all of them, by name.
func wrongKernels() ([]*wrong, error) {
	files, err := filepath.Glob(filepath.Join(wrongFolder, "*.cu"))
	if err != nil {
		return nil, err
	}
	var list []*wrong
	for _, file := range files {
		w, err := readWrong(strings.TrimSuffix(filepath.Base(file), ".cu"))
		if err != nil {
			return nil, err
		}
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b *wrong) int { return strings.Compare(a.name, b.name) })
	return list, nil
}
