package host

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// A mapping is a range of whole pages with one protection.
type mapping struct {
	from, to uintptr
	prot     int
}

func (m mapping) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), m.from)), m.to-m.from)
}

// mappings returns the mappings between from and to, cut to the pages that contain these.
func mappings(from, to uintptr) ([]mapping, error) {
	page := uintptr(os.Getpagesize())
	from &^= page - 1
	to = (to + page - 1) &^ (page - 1)
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		return nil, fmt.Errorf("read the memory map: %w", err)
	}
	defer f.Close()
	var found []mapping
	// There are some lines for each cell, ordered by address, and the last cell is among the
	// first.
	for lines := bufio.NewScanner(f); lines.Scan(); {
		m, perm, ok := parseMapping(lines.Text())
		if !ok || m.to <= from {
			continue
		}
		if m.from >= to {
			break
		}
		m.from, m.to = max(m.from, from), min(m.to, to)
		for i, prot := range []int{syscall.PROT_READ, syscall.PROT_WRITE, syscall.PROT_EXEC} {
			if perm[i] != '-' {
				m.prot |= prot
			}
		}
		found = append(found, m)
	}
	return found, nil
}

// parseMapping reads a line such as "7f0000-7f1000 r-xp 00000000 08:02 135522 /lib/x.so".
func parseMapping(line string) (m mapping, perm string, ok bool) {
	addresses, rest, _ := strings.Cut(line, " ")
	from, to, _ := strings.Cut(addresses, "-")
	low, err := strconv.ParseUint(from, 16, 64)
	high, err2 := strconv.ParseUint(to, 16, 64)
	perm, _, _ = strings.Cut(rest, " ")
	return mapping{from: uintptr(low), to: uintptr(high)}, perm, err == nil && err2 == nil && len(perm) >= 3
}
