package host

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/children"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/extension"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/registered"
	"github.com/gopherwarp/gopherwarp/internal/logging"
)

// abandonAfter is how long an interrupted cell may take to reach its next poll before its goroutine
// is abandoned.
const abandonAfter = time.Second

// maxStack is the maximum size of a goroutine's stack in bytes. The default is a gigabyte, which an infinite recursion takes
// ten seconds or more to fill, and the runtime to walk for its report.
const maxStack = 64 << 20

// Main runs the session process until the kernel process closes its socket. lastModule returns the module that
// was mapped last.
func Main(lastModule func() Module, extensions ...extension.Extension) {
	socket := os.NewFile(proto.FD, "session")
	conn, err := net.FileConn(socket)
	socket.Close() // otherwise processes that cells start inherit it, and the kernel process does not see this one exit before they do
	if err != nil {
		fmt.Fprintln(os.Stderr, "gopherwarp session: this program is started by the kernel:", err)
		os.Exit(2)
	}
	logs, err := logging.Open("session")
	if err != nil {
		fmt.Fprintln(os.Stderr, "gopherwarp session: nothing is logged:", err)
	}
	h := &host{
		log:    logs.Of(logging.Session),
		nonce:  os.Getenv(proto.NonceEnv),
		events: conn,
		ext:    extensions,

		lastModule: lastModule,

		loaded:  map[int]bool{},
		answers: make(chan proto.Request, 1),
	}
	dir := os.Getenv(proto.DirEnv)
	limitHeap(os.Getenv(proto.MemoryEnv))
	_ = os.Unsetenv(proto.MemoryEnv)
	_ = os.Unsetenv(proto.NonceEnv)
	// A cell that prints after the kernel process has exited must not end this process, which has to clean up. For processes
	// that cells start, the signal keeps its default action.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	h.stdin, err = openStdin(func() (string, error) { return h.Input("", false) })
	if err != nil {
		fmt.Fprintln(os.Stderr, "gopherwarp session: standard input stays empty:", err)
	}
	cell.SetHost(h)
	debug.SetMaxStack(maxStack)
	for _, e := range extensions {
		if e.Start != nil {
			e.Start()
		}
	}
	h.log.Info("ready")
	h.send(proto.Event{Kind: proto.EventReady})
	err = h.serve(conn)
	// The kernel process has exited, possibly without cleaning up.
	cleanUp(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gopherwarp session:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// cleanUp kills the processes that cells have started and removes the session's directory, to which a cell or compiler may
// still write.
func cleanUp(dir string) {
	children.End(proto.DirEnv+"="+dir, children.OwnSession())
	for range 3 {
		if os.RemoveAll(dir) == nil {
			return
		}
	}
}

// host is the state of the session process.
type host struct {
	log   *slog.Logger
	nonce string
	ext   []extension.Extension

	lastModule func() Module

	mu     sync.Mutex // guards events, seq and run
	events net.Conn
	seq    uint64
	run    *run // the current cell, or the last one

	loaded map[int]bool // cells whose plugin is loaded
	bundle string       // the loaded bundle
	stdin  *stdin       // nil if it is not watched

	asking  sync.Mutex // one prompt at a time
	answers chan proto.Request
}

// run is one run of a cell.
type run struct {
	id    int
	mark  cell.Mark
	done  chan *proto.Error // the outcome: only the first one is used
	ended atomic.Bool       // later errors are not part of the outcome
	held  chan struct{}     // closed when it may begin
	ctx   context.Context   // cancelled by an interrupt
	stop  context.CancelFunc
}

func (h *host) serve(conn io.Reader) error {
	requests := bufio.NewReader(conn)
	for {
		var r proto.Request
		switch err := proto.Read(requests, &r); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read a request: %w", err)
		}
		switch r.Op {
		case proto.OpRun:
			// Called before the next request is read, which may interrupt the run.
			go h.runCell(r, h.begin(r))
		case proto.OpCall:
			go h.call(r)
		case proto.OpInterrupt:
			h.interrupt()
		case proto.OpGo:
			h.release(r.ID)
		case proto.OpSizes:
			go h.sizes(r)
		case proto.OpComm:
			received(r.Comm)
		case proto.OpInputReply:
			h.answers <- r // never blocks: there is one answer to each prompt, and one prompt at a time
		}
	}
}

// begin makes a run the current one, to which later requests refer.
func (h *host) begin(r proto.Request) *run {
	c := &run{id: r.ID, done: make(chan *proto.Error, 2), held: make(chan struct{})}
	c.ctx, c.stop = context.WithCancel(context.Background())
	c.mark.OnPanic = func(v any, stack []uintptr) {
		err := outcome(v, stack, r.Whole)
		if c.ended.Load() {
			report(err)
			return
		}
		c.mark.Stop()
		select {
		case c.done <- err:
		default: // the cell has already failed
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.run = c
	return c
}

// runCell loads a cell if it is not loaded, runs it, and reports the end.
func (h *host) runCell(r proto.Request, c *run) {
	defer c.stop()
	end := proto.Event{ID: r.ID, Kind: proto.EventDone}
	log, began := h.log.With("cell", r.Name), time.Now()
	if !h.loaded[r.Cell] {
		err := h.loadBundle(r.Bundle)
		if err == nil {
			err = h.load(r.Path)
		}
		if err != nil {
			end.Error = &proto.Error{Kind: "LoadError", Message: err.Error()}
			log.Info("not loaded", "plugin", r.Path, "err", err)
			h.send(end)
			return
		}
		h.loaded[r.Cell] = true
		_, _ = syscall.Write(1, []byte(retype(cell.TakeRetyped(), r.Variables)))
	}
	end.Loaded = true
	log.Info("loaded", "number", r.Cell, "plugin", r.Path, "took", time.Since(began))
	if r.Hold {
		h.hold(c)
	}
	h.send(proto.Event{ID: r.ID, Kind: proto.EventStarted})
	if h.stdin != nil {
		go h.stdin.watch(c.ctx)
	}
	defer h.cellStart(r.Name)()
	registers := registered.Begin(r.Owner)
	go c.execute(r.Cell)
	end.Error = c.wait()
	received(&proto.Comm{Kind: cell.CommCellEnd})
	registers()
	c.ended.Store(true)
	switch err := h.cellEnd(c.ctx); {
	case err == nil:
	case end.Error == nil:
		end.Error = failure(cell.Failure{Err: err}, nil)
	case end.Error.Message == blocked:
		end.Error.Message = "the cell was interrupted while a device worked for it: " + failure(cell.Failure{Err: err}, nil).Message
	}
	log.Info("ended", "failed", end.Error != nil, "took", time.Since(began))
	h.send(end)
}

// execute runs the cell's code on the calling goroutine and sends the outcome.
func (c *run) execute(number int) {
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("cell", strconv.Itoa(number))))
	cell.Enter(&c.mark)
	finished := false
	defer func() {
		var err *proto.Error
		switch v := recover(); {
		case finished:
		case c.mark.Stopped(): // possibly after a panic: a reader of standard input gets io.EOF
			err = &proto.Error{Kind: "Interrupted", Message: "the cell was interrupted; its variables keep what they had"}
		case v != nil:
			err = failure(v, cell.Callers(1))
		default: // runtime.Goexit
			err = &proto.Error{Kind: "Goexit", Message: "the cell called runtime.Goexit"}
		}
		c.mark.Settle()
		select {
		case c.done <- err:
		default:
		}
	}()
	cell.Poll() // the interrupt may have come while the cell was being loaded
	cell.Entry(number)()
	finished = true
}

// blocked is the message for an interrupted cell that is blocked in a call.
const blocked = "the cell was interrupted while blocked in a call; its goroutine was left behind and ends when the call returns"

// wait returns the cell's outcome. An interrupted cell that is blocked in a call is abandoned: its
// goroutine exits at its next poll.
func (c *run) wait() *proto.Error {
	select {
	case err := <-c.done:
		return err
	case <-c.ctx.Done():
	}
	select {
	case err := <-c.done:
		return err
	case <-time.After(abandonAfter):
		return &proto.Error{Kind: "Interrupted", Message: blocked}
	}
}

func (h *host) interrupt() {
	h.mu.Lock()
	c := h.run
	h.mu.Unlock()
	if c == nil {
		return
	}
	c.mark.Stop()
	c.stop()
	if h.stdin != nil {
		_ = h.stdin.replace() // readers of standard input return
	}
}

func (h *host) cellStart(name string) (end func()) {
	var ends []func()
	for _, e := range h.ext {
		if e.CellStart != nil {
			ends = append(ends, e.CellStart(name))
		}
	}
	return func() {
		for _, f := range ends {
			f()
		}
	}
}

func (h *host) cellEnd(ctx context.Context) error {
	for _, e := range h.ext {
		if e.CellEnd == nil {
			continue
		}
		if err := e.CellEnd(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (h *host) call(r proto.Request) {
	end := proto.Event{ID: r.ID, Kind: proto.EventDone}
	began := time.Now()
	data, err := h.handle(r)
	h.log.Info("called", "name", r.Name, "err", err, "took", time.Since(began))
	end.Data = data
	if err != nil {
		end.Error = failure(cell.Failure{Err: err}, nil)
	}
	h.send(end)
}

func (h *host) handle(r proto.Request) (data []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	for _, e := range h.ext {
		if handler := e.Handlers[r.Name]; handler != nil {
			return handler(context.Background(), r.Data)
		}
	}
	return nil, fmt.Errorf("the session process has no handler %q", r.Name)
}

// send sends an event after everything printed before it.
func (h *host) send(e proto.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seq++
	e.Seq = h.seq
	if e.ID == 0 && h.run != nil {
		e.ID = h.run.id
	}
	marker := []byte(proto.Marker(h.nonce, h.seq))
	for fd := 1; fd <= 2; fd++ {
		_, _ = syscall.Write(fd, marker)
	}
	if err := proto.Write(h.events, e); err != nil {
		fmt.Fprintln(os.Stderr, "gopherwarp session: send an event to the kernel:", err)
	}
}

func (h *host) Clear(wait bool) { h.send(proto.Event{Kind: proto.EventClear, Wait: wait}) }

// errInputStopped is returned for a prompt whose cell was interrupted or has ended.
var errInputStopped = errors.New("input interrupted")

func (h *host) Input(prompt string, password bool) (string, error) {
	h.asking.Lock()
	defer h.asking.Unlock()
	h.send(proto.Event{Kind: proto.EventInput, Prompt: prompt, Password: password})
	a := <-h.answers
	switch a.Err {
	case "":
		return string(a.Data), nil
	case proto.InputStopped:
		return "", errInputStopped
	}
	return "", errors.New(a.Err)
}
