package backendtest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// A child process reads its role and its arguments from these variables.
const (
	roleVariable   = "GOPHERWARP_BACKENDTEST_ROLE"
	detailVariable = "GOPHERWARP_BACKENDTEST_DETAIL"
)

// child runs a role in a new process and returns its output. The descriptor, if any, is its descriptor 3.
func (s *suite) child(role string, fd int, detail string) (string, error) {
	cmd := exec.Command(os.Args[0], "-test.run=^"+regexp.QuoteMeta(s.root)+"$", "-test.v")
	cmd.Env = append(os.Environ(), roleVariable+"="+role, detailVariable+"="+detail)
	if fd >= 0 {
		dup, err := syscall.Dup(fd)
		if err != nil {
			return "", err
		}
		file := os.NewFile(uintptr(dup), "chunk")
		defer file.Close()
		cmd.ExtraFiles = []*os.File{file}
	}
	out, err := cmd.CombinedOutput()
	if err == nil && !strings.Contains(string(out), "--- PASS: "+s.root) {
		err = errors.New("the child process did not run the test")
	}
	return string(out), err
}

func playRole(t *testing.T, b backend.Backend, role string) {
	runtime.LockOSThread()
	s := &suite{b: b, root: t.Name()}
	detail := os.Getenv(detailVariable)
	switch role {
	case "import":
		c := backend.Chunk{FD: 3}
		_, err := fmt.Sscan(detail, &c.Addr, &c.Size)
		try(t, err)
		roleImport(t, s, c)
	case "fault":
		roleFault(t, s, detail)
	default:
		t.Fatalf("there is no role %q", role)
	}
}

func closeFD(fd int) {
	if fd >= 0 {
		_ = syscall.Close(fd) // nothing was written through it
	}
}

// hostPages returns page-aligned memory, like shared host memory.
func hostPages(t *testing.T, n int) []byte {
	t.Helper()
	mem, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_ANON)
	try(t, err)
	t.Cleanup(func() { _ = syscall.Munmap(mem) })
	return mem
}

// captureStdout returns what is written to descriptor 1 while f runs. Device printf writes there directly, not through os.Stdout.
func captureStdout(t *testing.T, f func()) string {
	t.Helper()
	keep, err := syscall.Dup(1)
	try(t, err)
	read, write, err := os.Pipe()
	try(t, err)
	text := make(chan string)
	go func() {
		b, _ := io.ReadAll(read)
		text <- string(b)
	}()
	try(t, syscall.Dup3(int(write.Fd()), 1, 0))
	func() {
		defer func() {
			_ = syscall.Dup3(keep, 1, 0)
			syscall.Close(keep)
			write.Close()
		}()
		f()
	}()
	defer read.Close()
	return <-text
}
