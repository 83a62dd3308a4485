package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/types"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
)

// Output receives what a running cell displays. Bundles are by MIME type; large values in them, except text/plain, are a
// json.RawMessage.
type Output interface {
	Stream(name, text string) // "stdout" or "stderr"
	Display(data, metadata map[string]any, id string)
	UpdateDisplay(data, metadata map[string]any, id string)
	Result(data, metadata map[string]any)
	ClearOutput(wait bool)
	Input(ctx context.Context, prompt string, password bool) (string, error)
}

// Config is the configuration of a session.
type Config struct {
	Dir   string   // working directory of the session process; "" is the current one
	Cache string   // directory for files that can be built again, e.g. in os.UserCacheDir
	Temp  string   // directory for temporary files of Go's commands; a session sets its own
	Env   []string // added to the environment of the session process and of Go's commands
	// EnvIn, if it is set, returns more of these. dir is the session's directory, which is removed when the session ends,
	// even if its processes are killed.
	EnvIn func(dir string) ([]string, error)

	Sources    fs.FS    // the packages of this module that cells and the session program need
	Packages   []string // those that cells can use without an import
	Extensions []string // packages whose Extension function adds to the session program
	// Optional are packages of this module that need other modules, and the packages of other modules that each needs. A
	// path stands also for the packages below it.
	Optional map[string][]string

	Log     *slog.Logger // logs the start and exit of session processes; nil for none
	CellLog *slog.Logger // logs the steps of compiling and running each cell; nil for none

	Advice string // what to do when the session process has exited, as a clause; "" is to run cells again
}

// A Session is a Go program that consists of the cells run so far. Its methods may be called from any goroutine; cells run
// one at a time.
type Session struct {
	config Config
	folder *folder // the session's own
	dir    string  // its path: it contains go.mod and compiled cells

	opening atomic.Pointer[opening] // the last
	life    context.Context         // ends when the session is closed
	closing context.CancelFunc
	tools   *Toolchain
	modules *modules

	running  turn // locks the fields up to debugger
	importer types.Importer
	program  *program
	process  *process
	cells    []int // numbers of the cells that are part of the program
	// undescribed are the compiler's arguments for the cells whose archives have no debugging information, by number.
	undescribed map[int][]string
	archives    *slimArchives       // archives that cells are linked with
	again       map[string]*emitted // cells that declare nothing, by their again
	number      int                 // number of the last cell that was built
	vetted      vetted
	noticed     bool     // whether a cell has printed the notice of printNotice
	healed      string   // repairs of the cache that no cell has printed
	latest      string   // name of the cell that began last
	begun       []Source // cells that have begun in this process
	bundle      *bundle  // the bundle that the session process has loaded, or loads with the next cell; may be nil
	noBundle    bool     // whether building the bundle failed

	compileFlags []string
	debugger     Debugger // debugger of the cell that runs or ran last; may be nil

	mu         sync.Mutex // guards the fields up to status, which other goroutines read while cells run
	out        Output     // output of the cell that runs or ran last
	pictured   time.Time  // when a chart was last drawn as PNG
	cancel     context.CancelFunc
	active     *process       // the process in which a cell runs, or nil
	sent       bool           // whether the cell was sent to the session process
	left       bool           // whether an interrupted cell is still being compiled
	interrupts interruptState // interrupts of the active cell
	// nextDebugger is the debugger of the next cell.
	nextDebugger Debugger
	status       string // the current step of opening the toolchain

	talk      talk
	slimming  sync.WaitGroup // goroutines that write slim archives, also for session processes that have exited
	rest      rest
	published atomic.Pointer[published] // the last state, which editors read without waiting
}

// New returns a session and starts to open it in the background.
func New(config Config) (*Session, error) {
	s, err := newSession(config)
	if err != nil {
		return nil, err
	}
	go s.open(s.opening.Load())
	go removeEnded(os.TempDir())
	return s, nil
}

func newSession(config Config) (*Session, error) {
	config.setLogs()
	own, err := makeFolder()
	if err != nil {
		return nil, err
	}
	dir := own.path
	if config.EnvIn != nil {
		more, err := config.EnvIn(dir)
		if err != nil {
			own.remove()
			return nil, err
		}
		config.Env = slices.Concat(config.Env, more)
	}
	config.Temp = own.temp()
	s := &Session{config: config, folder: own, dir: dir, program: newProgram(), again: map[string]*emitted{}, rest: newRest(), running: newTurn(), undescribed: map[int][]string{}}
	s.life, s.closing = context.WithCancel(context.Background())
	s.opening.Store(newOpening())
	return s, nil
}

// noLineBreak returns an error if a directory's path has a line break: Go compiles nothing in such directories.
func noLineBreak(kind, dir, variable string) error {
	if strings.ContainsAny(dir, "\r\n") {
		return fmt.Errorf("the path of the %s folder, %q, has a line break, and Go compiles nothing there: set %s to another folder", kind, dir, variable)
	}
	return nil
}

// An opening is the preparation of the toolchain and the start of the session process.
type opening struct {
	done chan struct{} // closed when the opening has ended
	err  error         // result; may be read after done is closed
}

func newOpening() *opening { return &opening{done: make(chan struct{})} }

// failed reports whether the opening has ended without success.
func (o *opening) failed() bool {
	select {
	case <-o.done:
		return o.err != nil
	default:
		return false
	}
}

func (s *Session) open(o *opening) {
	defer close(o.done)
	s.tools, o.err = OpenToolchain(s.life, s.config, func(step string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.status = step
		if s.out != nil {
			s.out.Stream("stdout", step+" …\n")
		}
	})
	if o.err == nil {
		o.err = s.begin()
	}
}

// begin starts the session process after the toolchain was opened.
func (s *Session) begin() (err error) {
	if err := s.prepare(); err != nil {
		return err
	}
	s.process, err = s.startHost()
	return err
}

// prepare makes everything that translating cells needs.
func (s *Session) prepare() (err error) {
	if err := writeFile(filepath.Join(s.dir, "go.mod"), s.tools.goMod("gopherwarp/notebook", s.tools.srcDir())); err != nil {
		return err
	}
	s.archives = s.newArchives()
	if s.modules, err = newModules(s.tools, s.dir, s.config.Dir); err != nil {
		return err
	}
	s.importer = s.modules.types
	s.publishFirst()
	return nil
}

// run runs a cell. s.running is held.
func (s *Session) run(ctx context.Context, src Source, out Output, status string) error {
	if err := s.awaitOpen(ctx, status, out); err != nil {
		return s.interrupted(ctx, err)
	}
	if err := s.revive(out); err != nil {
		return err
	}
	s.printNotice(out)
	s.takeDebugger()
	err := s.runHealed(ctx, src, out)
	var before *beforeError
	if errors.As(err, &before) {
		// The process exited before the cell began, so the cell can run in the new one.
		out.Stream("stdout", before.died.Error()+"\n")
		err = s.runOnce(ctx, src, out)
	}
	return s.explainRegistration(err, src)
}

func (s *Session) runOnce(ctx context.Context, src Source, out Output) error {
	began := time.Now()
	cell, next, err := s.translate(ctx, src, out)
	if err != nil {
		return s.interrupted(ctx, err)
	}
	log := s.config.CellLog.With("cell", src.Name)
	log.Info("checked", "number", cell.number, "took", time.Since(began))
	if same := s.again[cell.again]; same != nil && cell.again != "" && s.debugger == nil {
		log.Info("compiled before", "as", same.name)
		return renamed(s.start(ctx, src, same, next, ""), same.name, src.Name)
	}
	building := time.Now()
	path, err := s.build(ctx, cell, out)
	if err != nil {
		return s.interrupted(ctx, err)
	}
	log.Info("compiled", "plugin", path, "took", time.Since(building))
	if cell.notes != "" {
		out.Stream("stdout", cell.notes)
	}
	return s.start(ctx, src, cell, next, path)
}

// renamed replaces the name of the cell that was compiled by the name of this cell in an error.
func renamed(err error, compiled, name string) error {
	var run *RunError
	if errors.As(err, &run) {
		// Errors of a device contain the line of the launch.
		run.Message = regexp.MustCompile(`\b`+regexp.QuoteMeta(compiled)+`:(\d)`).ReplaceAllString(run.Message, strings.ReplaceAll(name, "$", "$$")+":$1")
		for i := range run.Frames {
			if run.Frames[i].File == compiled {
				run.Frames[i].File = name
			}
		}
	}
	return err
}

// A beforeError is the exit of the session process before it began to run the cell.
type beforeError struct{ died *DiedError }

func (e *beforeError) Error() string { return e.died.Error() }
func (e *beforeError) Unwrap() error { return e.died }

// awaitOpen waits until the session is ready. It tries again if opening failed before, since the cause may have been
// removed, such as a full disk or a missing compiler. s.running is held.
func (s *Session) awaitOpen(ctx context.Context, status string, out Output) error {
	o := s.opening.Load()
	if o.failed() {
		o, status = newOpening(), ""
		s.opening.Store(o)
		go s.open(o)
	}
	select {
	case <-o.done:
		return o.err
	default:
	}
	if status != "" {
		out.Stream("stdout", status+" …\n")
		defer waitingFor("Preparing Go for cells", out)()
	}
	select {
	case <-o.done:
		return o.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// printNotice prints in the first cell why it is not compiled by the Go in the environment, and repairs since the last cell.
func (s *Session) printNotice(out Output) {
	if notice := s.tools.found.Notice; notice != "" && !s.noticed {
		out.Stream("stdout", notice+".\n")
	}
	s.noticed = true
	if s.healed != "" {
		out.Stream("stdout", s.healed)
		s.healed = ""
	}
}

// revive starts a new session process if the old one has exited since the last cell.
func (s *Session) revive(out Output) error {
	if s.process.alive() {
		return nil
	}
	died := s.process.death()
	if err := s.restart(died, "after "+s.latest); err != nil {
		return err
	}
	out.Stream("stdout", died.Error()+"\n")
	return nil
}

// advice returns what to do when the session process has exited, as a clause.
func (s *Session) advice() string {
	return cmp.Or(s.config.Advice, "run the cells that you need again")
}

// restart starts a new program in a new process. when is the time when the one before ended, or "" for Reset.
func (s *Session) restart(died *DiedError, when string) error {
	died.Lost, died.Advice = s.program.variables(), s.advice()
	s.config.Log.Info("restart", "because", died.Error(), "when", when)
	before := s.program
	s.program, s.cells, s.begun, s.again, s.undescribed = newProgram(), nil, nil, map[string]*emitted{}, map[int][]string{}
	if when != "" {
		s.program = before.ended(when, func(name string) bool { return len(s.tools.candidates(name)) > 0 })
	}
	s.printLeft(s.process)
	s.archives, s.bundle = s.newArchives(), nil
	if err := s.modules.restart(); err != nil {
		return err
	}
	p, err := s.startHost()
	if err == nil { // otherwise the exited one is kept, and the next cell tries again
		s.process = p
	}
	return err
}

// start makes the session process load and run the cell. Once it is loaded, its names are part of the program, even if
// its run fails.
func (s *Session) start(ctx context.Context, src Source, cell *emitted, next *program, path string) error {
	s.mu.Lock()
	if ctx.Err() != nil {
		s.mu.Unlock()
		return s.interrupted(ctx, ctx.Err())
	}
	s.sent = true
	s.mu.Unlock()
	p, name := s.process, src.Name
	request := proto.Request{Op: proto.OpRun, Cell: cell.number, Name: name, Path: path, Owner: src.identity(), Whole: src.Whole}
	if s.bundle != nil {
		request.Bundle = s.bundle.Plugin
	}
	if cell.retypes {
		request.Variables = next.storage()
	}
	if d := s.debugger; d != nil {
		request.Hold = true
		defer func() {
			p.holding.Wait()
			d.Ended()
		}()
		p.setHeld(func(id int) { s.debugCell(d, p, id, name, next) })
	}
	p.setProgram(next)
	id, done, err := p.request(request)
	if err != nil && !p.ends(err) {
		return fmt.Errorf("ask the session process to run the cell: %w", err)
	}
	s.mu.Lock()
	s.active, s.interrupts = p, interruptState{}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.active = nil
		s.mu.Unlock()
	}()
	if ctx.Err() != nil { // an interrupt between building and running
		s.Interrupt()
	}
	end, err := p.await(context.WithoutCancel(ctx), done)
	var died *DiedError
	if errors.As(err, &died) {
		began := died.run == id
		if began {
			s.program, s.latest = next, name
		}
		when := "after " + s.latest
		if began {
			when = "in " + name
		}
		if err := s.restart(died, when); err != nil {
			return err
		}
		if !began {
			return &beforeError{died}
		}
		return died
	}
	if err != nil {
		return err
	}
	if path != "" {
		s.modules.load(cell.imports()) // they are loaded even if the cell could not be loaded completely
	}
	if end.Loaded {
		s.program, s.latest = next, name
		s.begun = append(s.begun, src)
	}
	if end.Loaded && path != "" {
		s.cells = append(s.cells, cell.number)
		s.archives.loaded(path, s.packages())
		if cell.again != "" {
			s.again[cell.again] = &emitted{number: cell.number, name: cell.name} // without the homes of objects
		}
	}
	return runError(end.Error)
}

// Call calls a registered handler in the session process.
func (s *Session) Call(ctx context.Context, name string, data []byte, out Output) ([]byte, error) {
	s.mu.Lock()
	s.out = out
	status := s.status
	s.mu.Unlock()
	if err := s.running.LockContext(ctx); err != nil {
		return nil, err
	}
	defer s.running.Unlock()
	if err := s.awaitOpen(ctx, status, out); err != nil {
		return nil, err
	}
	if err := s.revive(out); err != nil {
		return nil, err
	}
	return s.ask(ctx, name, data)
}

// ask is like Call. s.running is held.
func (s *Session) ask(ctx context.Context, name string, data []byte) ([]byte, error) {
	_, done, err := s.process.request(proto.Request{Op: proto.OpCall, Name: name, Data: data})
	if err != nil && !s.process.ends(err) {
		return nil, fmt.Errorf("ask the session process: %w", err)
	}
	end, err := s.process.await(ctx, done)
	if err != nil {
		return nil, err
	}
	return end.Data, runError(end.Error)
}

// Close ends the session process and removes the session's directory.
func (s *Session) Close() error {
	s.config.Log.Info("close", "dir", s.dir)
	s.Interrupt()
	s.closing()
	s.rest.end()
	<-s.opening.Load().done
	if s.process != nil {
		s.process.stop()
	}
	s.printLeft(s.process)
	s.slimming.Wait()
	if s.tools != nil {
		s.tools.Close()
	}
	return s.folder.remove()
}
