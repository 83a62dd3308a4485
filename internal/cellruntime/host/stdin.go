package host

/*
#include <stdio.h>

static void gw_clear_stdin(void) { clearerr(stdin); }
*/
import "C"

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// The intervals at which threads are checked for one that waits for input. The longest is the
// maximum delay of the prompt.
const (
	firstLook   = 5 * time.Millisecond
	longestLook = 30 * time.Millisecond
)

// stdin is descriptor 0: a pipe whose other end is in this process, too. When a thread blocks on
// it, the front end is asked for a line, so that os.Stdin, fmt.Scan and C's stdin work unchanged.
//
// The writer of a pipe is not notified that a reader waits, and neither Go's os.File nor the C
// library has a hook. But Linux reports for each thread of a process in which system call it waits,
// and with what arguments.
type stdin struct {
	ask func() (string, error) // gets a line from the front end

	mu    sync.Mutex
	inode uint64
	write *os.File
}

// openStdin makes descriptor 0 a pipe. On systems that do not report what threads wait for,
// descriptor 0 stays empty, so that readers do not wait forever.
func openStdin(ask func() (string, error)) (*stdin, error) {
	self := fmt.Sprintf("/proc/self/task/%d/syscall", syscall.Gettid())
	if _, err := os.ReadFile(self); err != nil {
		return nil, fmt.Errorf("watch for readers of standard input: %w", err)
	}
	s := &stdin{ask: ask}
	return s, s.replace()
}

// replace makes descriptor 0 a new pipe. Readers of the old one get end of file; its unread data
// are discarded.
func (s *stdin) replace() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var fds [2]int
	if err := syscall.Pipe2(fds[:], syscall.O_CLOEXEC); err != nil {
		return fmt.Errorf("make a pipe for standard input: %w", err)
	}
	defer syscall.Close(fds[0])
	var stat syscall.Stat_t
	err := syscall.Fstat(fds[0], &stat)
	if err == nil {
		err = syscall.Dup3(fds[0], 0, 0)
	}
	if err == nil {
		// The writer must not block a thread while it waits. The reader must, to be detected.
		err = syscall.SetNonblock(fds[1], true)
	}
	if err != nil {
		syscall.Close(fds[1])
		return fmt.Errorf("make a pipe standard input: %w", err)
	}
	old := s.write
	s.inode, s.write = stat.Ino, os.NewFile(uintptr(fds[1]), "stdin")
	if old != nil {
		old.Close()
		// The C library records end of file in the stream. It locks the stream until its reader
		// has returned.
		go C.gw_clear_stdin()
	}
	return nil
}

// watch asks for a line whenever a thread waits for one, until ctx is done.
func (s *stdin) watch(ctx context.Context) {
	threads := newThreads()
	defer threads.close()
	told := false
	for look := firstLook; ; look = min(look*2, longestLook) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(look):
		}
		if !s.awaited(threads) {
			continue
		}
		look = firstLook
		line, err := s.ask()
		if err == nil {
			err = s.put(line)
		} else if !errors.Is(err, errInputStopped) && !told {
			told = true
			fmt.Fprintln(os.Stderr, err)
		}
		if err != nil && ctx.Err() == nil {
			_ = s.replace() // without a new pipe the readers of the old one would keep waiting
		}
	}
}

// put writes a line to the pipe.
func (s *stdin) put(line string) error {
	s.mu.Lock()
	w := s.write
	s.mu.Unlock()
	_, err := w.WriteString(line + "\n")
	return err
}

// awaited reports whether a thread waits for input and the pipe is empty.
func (s *stdin) awaited(threads *threads) bool {
	s.mu.Lock()
	inode := s.inode
	s.mu.Unlock()
	// In this order: only the caller writes to the pipe, so a thread that is blocked in a
	// read after the pipe was empty waits for the next line.
	if n, err := unread(0); err != nil || n > 0 || !threads.readsStdin() {
		return false
	}
	var stat syscall.Stat_t
	return syscall.Fstat(0, &stat) == nil && stat.Ino == inode // otherwise it is a file of the user's
}

// unread returns the number of bytes in a pipe.
func unread(fd int) (int, error) {
	var n int32
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.TIOCINQ, uintptr(unsafe.Pointer(&n))); errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// readCalls is how Linux describes a thread that waits for input from descriptor 0: the
// number of the system call and its first argument.
var readCalls = [][]byte{
	fmt.Appendf(nil, "%d 0x0 ", syscall.SYS_READ),
	fmt.Appendf(nil, "%d 0x0 ", syscall.SYS_READV),
	fmt.Appendf(nil, "%d 0x0 ", syscall.SYS_SPLICE),
}

// threads reads the states of this process's threads. It keeps the files open: opening one takes
// ten times as long as reading it.
type threads struct {
	files map[string]int // descriptors by thread id
	buf   [64]byte
}

func newThreads() *threads { return &threads{files: map[string]int{}} }

func (t *threads) close() {
	for _, fd := range t.files {
		syscall.Close(fd)
	}
}

// readsStdin reports whether a thread is blocked in a call that reads from descriptor 0.
func (t *threads) readsStdin() bool {
	dir, err := os.Open("/proc/self/task")
	if err != nil {
		return false
	}
	names, _ := dir.Readdirnames(-1)
	dir.Close()
	for _, name := range names {
		fd, known := t.files[name]
		if !known {
			fd, err = syscall.Open("/proc/self/task/"+name+"/syscall", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
			if err != nil {
				continue // it has exited
			}
			t.files[name] = fd
		}
		n, err := syscall.Pread(fd, t.buf[:], 0)
		if err != nil {
			syscall.Close(fd)
			delete(t.files, name)
			continue
		}
		for _, call := range readCalls {
			if bytes.HasPrefix(t.buf[:n], call) {
				return true
			}
		}
	}
	return false
}
