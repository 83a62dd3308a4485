package include

import (
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// MaxBytes is the maximum size of an included file. The largest header of the CUDA toolkit has 1 MB.
const MaxBytes = 64 << 20

// RefusedError is the error of a source that includes a file that is not read.
type RefusedError struct {
	Path string
	Why  string // why it is not read: "it is a named pipe"
	File string // of the directive
	Line int    // of the directive; 0 if the path was given by an option
}

// Error returns the error in the form of compilers' messages.
func (e *RefusedError) Error() string {
	at := e.File
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, e.Line)
	}
	return fmt.Sprintf("%s: error: %s can't be included: %s; include regular files of at most %d MB", at, e.Path, e.Why, MaxBytes>>20)
}

// TextOf returns the text of a source file: its content without a byte order mark, which compilers take at the beginning only,
// where other text comes before the source here.
func TextOf(content []byte) string { return strings.TrimPrefix(string(content), "\ufeff") }

// read returns the content of a regular file. It rejects other kinds of files: a named pipe may have no
// writer, and a device may have no end.
func read(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &RefusedError{Path: path, Why: "it is " + kind(info.Mode())}
	}
	text, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err == nil && len(text) > MaxBytes {
		return nil, &RefusedError{Path: path, Why: "it is larger than that"}
	}
	return text, err
}

func kind(mode os.FileMode) string {
	switch {
	case mode&os.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&os.ModeSocket != 0:
		return "a socket"
	case mode&os.ModeDevice != 0:
		return "a device"
	default:
		return "no regular file"
	}
}
