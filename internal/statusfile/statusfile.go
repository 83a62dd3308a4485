// Package statusfile lets a process publish what it does: as a line of text in a file in memory, which other processes of the user, and
// root's, find among its descriptors in /proc. Nothing is left behind when the process exits. It has the names of the files; their fields
// are written and read elsewhere.
package statusfile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gopherwarp/gopherwarp/internal/memfd"
)

// The names of the files.
const (
	// Kernel is a kernel's. Its fields are "busy" or "idle", and the time since when, in seconds since 1970.
	Kernel = "kernel"
	// Device is that of a device that a session uses. Its fields are the device's name, its product, the bytes of its memory that are
	// reserved, the bytes that are in host memory while it is suspended, why it was not suspended although it was idle, the bytes of its
	// memory, its process's number, and "current" for the one that the session uses unless it names another.
	Device = "device"
)

// size is the size of a file in bytes; longer lines are cut.
const size = 1024

// A File is the line of one part of this process.
type File struct{ fd int }

// New creates a file. The name says which part of the process it is for. Without one, as on a system that has no such files, Set does
// nothing.
func New(name string) *File {
	fd, err := memfd.Create("gopherwarp-status-"+name, size)
	if err != nil {
		return &File{-1}
	}
	return &File{fd}
}

// Set replaces the line, whose fields must not contain tabs.
func (f *File) Set(fields ...any) {
	if f.fd < 0 {
		return
	}
	page := make([]byte, size)
	texts := make([]string, len(fields))
	for i, v := range fields {
		texts[i] = fmt.Sprint(v)
	}
	copy(page[:size-1], strings.Join(texts, "\t"))
	_, _ = syscall.Pwrite(f.fd, page, 0) // a line that nobody may read
}

// Close removes the file.
func (f *File) Close() {
	if f.fd >= 0 {
		syscall.Close(f.fd)
		f.fd = -1
	}
}

// Of returns the lines that a process has published under a name, divided into fields. Processes that may not be read have none.
func Of(pid int, name string) (lines [][]string) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		// The target is "/memfd:gopherwarp-status-NAME (deleted)".
		target, err := os.Readlink(path)
		if err != nil || !strings.HasPrefix(target, "/memfd:gopherwarp-status-"+name+" ") {
			continue
		}
		page, err := os.ReadFile(path)
		if line, _, _ := bytes.Cut(page, []byte{0}); err == nil && len(line) > 0 {
			lines = append(lines, strings.Split(string(line), "\t"))
		}
	}
	return lines
}
