package host

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
	"unsafe"
)

// A mapping is a stretch of whole pages with one protection.
type mapping struct {
	from, to uintptr
	prot     int
}

func (m mapping) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), m.from)), m.to-m.from)
}

// mappings lists what is mapped between from and to, cut to the pages that they touch.
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
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var m mapping
		var perm string
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &m.from, &m.to, &perm); err != nil {
			continue
		}
		m.from, m.to = max(m.from, from), min(m.to, to)
		if m.from >= m.to {
			continue
		}
		for flag, prot := range map[string]int{"r": syscall.PROT_READ, "w": syscall.PROT_WRITE, "x": syscall.PROT_EXEC} {
			if strings.Contains(perm, flag) {
				m.prot |= prot
			}
		}
		found = append(found, m)
	}
	return found, nil
}
