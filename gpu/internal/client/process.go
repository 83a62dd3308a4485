package client

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// startTimeout is the maximum duration of opening a device in microseconds; on a machine with many GPUs that can take many seconds.
const startTimeout = 120e6

// A Process is one device process with the memory shared with it. It is replaced as a whole.
type Process struct {
	pid   int
	conn  *wire.Conn
	seg   *ring.Segment
	out   *ring.Producer
	hello *wire.Hello
	born  time.Time

	// users counts the goroutines that read seg without the connection's lock; the memory is unmapped after they have finished.
	users sync.WaitGroup
	// Down is closed when the process has exited and was handled. fault is the error of its unfinished work: nil
	// if there was none.
	Down  chan struct{}
	fault *Error

	stopped atomic.Bool    // whether it was killed on purpose, to stop its work
	why     pointer.Atomic // *string: the reason, if it was not the user's request
	reaping sync.Mutex     // held while killing, so that the pid cannot be reused meanwhile
	reaped  bool
}

// startProcess starts the program with arguments that make it serve a device, and waits until the device is open. When the process exits,
// for whatever reason, onExit is called with its status.
func startProcess(program Executable, args []string, onExit func(*Process, syscall.WaitStatus)) (*Process, error) {
	conn, socket, err := wire.Pair()
	if err != nil {
		return nil, err
	}
	seg, segment, err := ring.Create()
	if err != nil {
		conn.Close()
		syscall.Close(socket)
		return nil, err
	}

	p := &Process{conn: conn, seg: seg, out: ring.NewProducer(seg), Down: make(chan struct{}), born: time.Now()}
	started := make(chan error, 1)
	ended := make(chan struct{})
	go p.keep(program, args, socket, segment, started, func(ws syscall.WaitStatus) {
		close(ended)
		onExit(p, ws)
	})
	err = <-started
	// The child has its own copies. These would keep the connection open after its exit.
	syscall.Close(socket)
	syscall.Close(segment)
	if err != nil {
		conn.Close()
		seg.Unmap()
		return nil, err
	}
	if p.hello, err = p.greet(); err != nil {
		p.Kill()
		<-ended
		return nil, err
	}
	return p, nil
}

// keep starts the process and waits for its exit. The system kills a child whose death signal is set when the thread that started it
// exits, so this goroutine keeps its thread.
func (p *Process) keep(program Executable, args []string, socket, segment int, started chan<- error, ended func(syscall.WaitStatus)) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	null, err := syscall.Open(os.DevNull, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		started <- fmt.Errorf("opening %s: %w", os.DevNull, err)
		return
	}
	// Standard output and error are the descriptors, not os.Stdout: device printf goes
	// where the process's own output goes, even if the variables point elsewhere.
	p.pid, err = syscall.ForkExec(program.Path, append([]string{program.Path}, args...), &syscall.ProcAttr{
		Env:   program.Environ(),
		Files: []uintptr{uintptr(null), 1, 2, uintptr(socket), uintptr(segment)},
		Sys:   &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL},
	})
	syscall.Close(null)
	if err != nil {
		started <- fmt.Errorf("starting the device process %s: %w", program.Path, err)
		return
	}
	started <- nil
	ended(p.reap())
}

// The descriptors as the device process sees them.
const (
	childSocket  = "3"
	childSegment = "4"
)

// reap waits for the exit of the process.
func (p *Process) reap() syscall.WaitStatus {
	const (
		pPID    = 1
		wExited = 4
		wNoWait = 0x1000000
	)
	// Wait without releasing the pid, then release it under the lock.
	var info [128]byte // siginfo_t
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, pPID, uintptr(p.pid), uintptr(unsafe.Pointer(&info)), wExited|wNoWait, 0, 0)
		if errno != syscall.EINTR {
			break
		}
	}
	p.reaping.Lock()
	defer p.reaping.Unlock()
	var ws syscall.WaitStatus
	for {
		if _, err := syscall.Wait4(p.pid, &ws, 0, nil); err != syscall.EINTR {
			break
		}
	}
	p.reaped = true
	return ws
}

// Kill kills the process.
func (p *Process) Kill() {
	p.reaping.Lock()
	defer p.reaping.Unlock()
	if !p.reaped {
		syscall.Kill(p.pid, syscall.SIGKILL)
	}
}

// end kills the process and records why.
func (p *Process) end(why string) {
	pointer.CompareAndSwap(&p.why, nil, &why)
	p.stopped.Store(true)
	p.Kill()
}

// greet reads the device process's first message.
func (p *Process) greet() (*wire.Hello, error) {
	if err := p.conn.SetReadTimeout(startTimeout); err != nil {
		return nil, fmt.Errorf("setting a time limit for the device process: %w", err)
	}
	msg, _, err := p.conn.Receive()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the device process ended before it had opened the device; what it said is on standard error")
	}
	if errors.Is(err, syscall.EAGAIN) {
		return nil, errors.New("the device process has not opened the device in two minutes")
	}
	if err != nil {
		return nil, fmt.Errorf("waiting for the device to open: %w", err)
	}
	if err := p.conn.SetReadTimeout(0); err != nil {
		return nil, fmt.Errorf("lifting the time limit for the device process: %w", err)
	}
	hello, err := wire.UnmarshalHello(msg)
	if err == nil && hello.Version != wire.Version {
		err = fmt.Errorf("the gopherwarp program speaks version %d of the device protocol, this session version %d: install the same version of both", hello.Version, wire.Version)
	}
	if err != nil {
		return nil, err
	}
	if hello.Err != nil {
		return nil, hello.Err
	}
	if hello.Backend == "cuda" && runtime.NumCPU() >= spareProcessors {
		p.seg.SetPatience(longestSpin)
	}
	return hello, nil
}

// A wait for a GPU occupies a processor for so long at most, where there are so many that others remain for the device process and
// for the session's own work. The simulator needs all of them to compute what is waited for.
const (
	longestSpin     = 2 * time.Millisecond
	spareProcessors = 4
)

// errGone is the error of a command for a process that has exited.
var errGone = errors.New("the device process is gone")

// send writes a command to the ring.
func (p *Process) send(c *wire.Command, data []byte) error {
	record, err := p.out.Reserve(wire.CommandSize + len(data))
	if errors.Is(err, ring.ErrHungUp) {
		return errGone
	}
	if err != nil {
		return err
	}
	c.DataLen = uint32(len(data))
	*(*wire.Command)(unsafe.Pointer(&record[0])) = *c
	copy(record[wire.CommandSize:], data)
	p.out.Commit()
	return nil
}

// call sends a request with a descriptor (-1 for none) and waits for its answer, which is then in req.
func (p *Process) call(seq uint64, req wire.Request, fd int) error {
	if err := p.send(&wire.Command{Op: wire.OpMessage, Seq: seq, Slot: wire.NoSlot}, nil); err != nil {
		return err
	}
	err := p.conn.Ask(req, fd)
	var refused *backend.CompileError
	switch {
	case errors.Is(err, wire.ErrBroken):
		return errGone
	case errors.As(err, &refused):
		return &CompileError{Program: refused.Program, Log: refused.Log}
	}
	return err
}
