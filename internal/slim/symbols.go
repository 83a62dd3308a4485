package slim

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/gorelease"
)

// Symbols are the names that a program and its plugins export to the dynamic linker. Only digests
// of them are stored, since there are tens of thousands.
type Symbols struct {
	program *Symbols // the program that loads the plugins, or nil
	digests []uint64 // sorted
}

// ReadSymbols returns the symbols that an executable exports.
func ReadSymbols(path string) (*Symbols, error) {
	s := &Symbols{}
	return s, s.Add(path)
}

// DecodeSymbols is the inverse of Encode.
func DecodeSymbols(data []byte) *Symbols {
	s := &Symbols{digests: make([]uint64, len(data)/8)}
	for i := range s.digests {
		s.digests[i] = order.Uint64(data[8*i:])
	}
	return s
}

// Encode returns the digests as bytes.
func (s *Symbols) Encode() []byte {
	var data []byte
	for _, d := range s.digests {
		data = order.AppendUint64(data, d)
	}
	return data
}

// Fork returns a copy to which names can be added. It shares memory with s, to which nothing may
// be added afterwards.
func (s *Symbols) Fork() *Symbols { return &Symbols{program: s} }

// Add adds the symbols that a loaded plugin exports.
func (s *Symbols) Add(path string) error {
	list, err := dynamicSymbols(path)
	if err != nil {
		return err
	}
	var more []uint64
	for _, sym := range list {
		if sym.Section != elf.SHN_UNDEF && !s.has(sym.Name) {
			more = append(more, digest(sym.Name))
		}
	}
	s.digests = append(s.digests, more...)
	slices.Sort(s.digests)
	return nil
}

// Join adds all symbols of more.
func (s *Symbols) Join(more *Symbols) {
	s.digests = append(s.digests, more.digests...)
	slices.Sort(s.digests)
}

func digest(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

// Missing returns the functions that a plugin expects to be loaded but are not.
func (s *Symbols) Missing(path string) ([]string, error) {
	list, err := dynamicSymbols(path)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, sym := range list {
		// Names in C contain no dots.
		if sym.Section == elf.SHN_UNDEF && strings.Contains(sym.Name, ".") && !s.has(sym.Name) {
			names = append(names, sym.Name)
		}
	}
	return names, nil
}

// Packages returns the import paths of the packages that a plugin contains parts of.
func Packages(path string) ([]string, error) {
	list, err := dynamicSymbols(path)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, sym := range list {
		if p, ok := strings.CutPrefix(sym.Name, gorelease.PackageHashPrefix); ok {
			paths = append(paths, p)
		}
	}
	return paths, nil
}

func dynamicSymbols(path string) ([]elf.Symbol, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read exported symbols: %w", err)
	}
	defer f.Close()
	list, err := f.DynamicSymbols()
	if err != nil {
		return nil, fmt.Errorf("read exported symbols of %s: %w", path, err)
	}
	return list, nil
}

func (s *Symbols) has(name string) bool {
	d := digest(name)
	for ; s != nil; s = s.program {
		if _, ok := slices.BinarySearch(s.digests, d); ok {
			return true
		}
	}
	return false
}

// holdsAll reports whether all symbols that an object file of C defines are already exported.
func (s *Symbols) holdsAll(object []byte) bool {
	f, err := elf.NewFile(bytes.NewReader(object))
	if err != nil {
		return false
	}
	list, err := f.Symbols()
	if err != nil {
		return errors.Is(err, elf.ErrNoSymbols)
	}
	for _, sym := range list {
		if sym.Section != elf.SHN_UNDEF && elf.ST_BIND(sym.Info) != elf.STB_LOCAL && !s.has(sym.Name) {
			return false
		}
	}
	return true
}

// PackageOf returns the import path at the beginning of the name of a function or variable.
func PackageOf(name string) string {
	args := strings.IndexByte(name, '[')
	if args < 0 {
		args = len(name)
	}
	dir := strings.LastIndexByte(name[:args], '/') + 1
	last, _, _ := strings.Cut(name[dir:args], ".")
	return strings.ReplaceAll(name[:dir]+last, "%2e", ".")
}
