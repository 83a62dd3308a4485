package kernel

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// closeGrace is how long a running cell may take to end after the engine was closed.
const closeGrace = 5 * time.Second

// A Config is the configuration of a kernel.
type Config struct {
	Info Info
	// Log receives messages for diagnosis: dropped messages, rejected connections. Nil means standard error.
	Log *slog.Logger
	// Wire logs each message in both directions. May be nil.
	Wire *slog.Logger
	// Interrupts delivers interrupts that are sent as signals. May be nil.
	Interrupts <-chan os.Signal
	// OnState is called when a cell begins, with true, and when it has ended. May be nil.
	OnState func(busy bool)
	// History is the file that stores cells for later sessions. If it is empty they are kept in memory only.
	History string
}

// An Info describes the kernel to front ends, as kernel_info_reply.
type Info struct {
	Implementation        string       `json:"implementation"`
	ImplementationVersion string       `json:"implementation_version"`
	Language              LanguageInfo `json:"language_info"`
	Banner                string       `json:"banner"`
	HelpLinks             []HelpLink   `json:"help_links"`
}

// A LanguageInfo tells front ends how to highlight, store and export cells.
type LanguageInfo struct {
	Name              string `json:"name"`
	Version           string `json:"version"`
	MIMEType          string `json:"mimetype"`
	FileExtension     string `json:"file_extension"`
	PygmentsLexer     string `json:"pygments_lexer,omitempty"`
	CodeMirrorMode    any    `json:"codemirror_mode,omitempty"` // a name, or an object
	NBConvertExporter string `json:"nbconvert_exporter,omitempty"`
}

// A HelpLink is an entry of the front end's Help menu.
type HelpLink struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// server is one running kernel.
type server struct {
	eng     Engine
	info    Info
	log     *slog.Logger
	wire    *slog.Logger
	key     []byte
	session string
	stop    context.CancelCauseFunc // ends the kernel

	iopub     *iopub
	stdin     *endpoint
	replays   replays
	questions questions
	shell     *queue
	aside     *queue // of requests on shell that do not wait for cells
	talk      *queue // of messages of comms on shell
	control   *queue
	subshells subshells
	comms     comms
	debugger  debugger
	workers   sync.WaitGroup // one for each queue

	begun     begun
	executing chan struct{} // holds a token while a cell runs
	count     int           // execution_count of the last stored cell; guarded by executing
	history   *history
	running   running
	onState   func(busy bool)
}

// shutdown is the reason for the kernel's end if a front end has requested it.
type shutdown struct{ restart bool }

func (shutdown) Error() string { return "shutdown requested" }

// Serve runs a kernel until a front end shuts it down or ctx ends, and then closes the engine, also if it fails before. It returns an
// error if the sockets cannot be opened or the engine cannot be closed.
func Serve(ctx context.Context, conn ConnectionInfo, eng Engine, cfg Config) (err error) {
	served := false
	defer func() {
		if !served {
			err = errors.Join(err, eng.Close(false))
		}
	}()
	if err := conn.check(); err != nil {
		return fmt.Errorf("connection: %w", err)
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	if cfg.Wire == nil {
		cfg.Wire = slog.New(slog.DiscardHandler)
	}
	if cfg.OnState == nil {
		cfg.OnState = func(bool) {}
	}
	for _, risk := range conn.Risks() {
		cfg.Log.Warn(risk.String())
	}
	if cfg.Info.HelpLinks == nil {
		cfg.Info.HelpLinks = []HelpLink{} // the protocol requires a list
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := &server{
		eng: eng, info: cfg.Info, log: cfg.Log, wire: cfg.Wire, key: []byte(conn.Key), session: newID(), stop: stop,
		shell: newQueue(shellHandlers), aside: newQueue(shellHandlers), talk: newQueue(shellHandlers), control: newQueue(controlHandlers),
		onState: cfg.OnState, history: openHistory(cfg.History, cfg.Log), executing: make(chan struct{}, 1),
	}
	defer s.history.close()

	var open []*endpoint
	defer func() {
		done := make(chan struct{})
		defer time.AfterFunc(lastWordsTimeout, func() { close(done) }).Stop()
		for _, e := range open {
			e.close(done)
		}
	}()
	bind := func(typ socketType, port int) (e *endpoint, err error) {
		network, addr := conn.address(port)
		if e, err = listen(ctx, typ, network, addr, s.log); err == nil {
			open = append(open, e)
		}
		return e, err
	}
	heartbeat, err := bind(repSocket, conn.HeartbeatPort)
	if err != nil {
		return fmt.Errorf("heartbeat: %w", err)
	}
	pub, err := bind(xpubSocket, conn.IOPubPort)
	if err != nil {
		return fmt.Errorf("iopub: %w", err)
	}
	if s.stdin, err = bind(routerSocket, conn.StdinPort); err != nil {
		return fmt.Errorf("stdin: %w", err)
	}
	control, err := bind(routerSocket, conn.ControlPort)
	if err != nil {
		return fmt.Errorf("control: %w", err)
	}
	shell, err := bind(routerSocket, conn.ShellPort)
	if err != nil {
		return fmt.Errorf("shell: %w", err)
	}

	s.iopub = newIOPub(pub, s.session, s.key, s.log, s.wire)
	if d, ok := eng.(Debugger); ok {
		d.DebugEvents(s.debugEvent)
	}
	heartbeat.start(func(p *peer, frames [][]byte) {
		if err := p.send(frames); err != nil {
			s.log.Warn("heartbeat", "err", err)
		}
	})
	pub.start(s.subscribe)
	s.stdin.start(s.handleStdin)
	control.start(s.handleControl)
	shell.start(s.handleShell)

	for _, q := range []*queue{s.shell, s.aside, s.talk, s.control} {
		s.workers.Go(func() { s.work(ctx, q) })
	}
	s.waitForEnd(ctx, cfg.Interrupts)

	why, _ := context.Cause(ctx).(shutdown)
	served = true
	err = eng.Close(why.restart)
	idle := make(chan struct{})
	go func() {
		s.workers.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-time.After(closeGrace):
		s.log.Warn("the running cell did not end; leaving it behind")
	}
	s.iopub.flush()
	if err != nil {
		return fmt.Errorf("close engine: %w", err)
	}
	return nil
}

func (s *server) waitForEnd(ctx context.Context, interrupts <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-interrupts:
			s.interrupt()
		}
	}
}
