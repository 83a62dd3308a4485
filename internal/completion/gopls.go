package completion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf16"

	"github.com/sourcegraph/jsonrpc2"
)

// goplsMemory is what a gopls may use before its garbage collector works harder.
const goplsMemory = "200MiB"

// settings make gopls answer questions and do nothing else.
var settings = map[string]any{
	"completeUnimported":             false, // what a cell may use without an import is imported
	"completionBudget":               "200ms",
	"deepCompletion":                 false,
	"matcher":                        "CaseInsensitive",
	"experimentalPostfixCompletions": false,
	"completeFunctionCalls":          false,
	"diagnosticsTrigger":             "Save",
	"staticcheck":                    false,
	"codelenses":                     map[string]bool{},
	"linksInHover":                   false,
	"hoverKind":                      "Structured",
}

// A gopls is a running gopls. Its workspace is a directory with nothing but a go.mod: the
// program's files are only told.
type gopls struct {
	conn  *jsonrpc2.Conn
	dir   string // the workspace
	ready chan struct{}
	ended chan struct{}
	err   error // why it is not ready, once that is closed

	process *os.Process
	from    string               // directory of the session's go.mod
	copied  map[string]time.Time // when files there had changed
	opened  map[string]*openFile
}

type openFile struct {
	text    string
	version int
}

// moduleFiles say which modules the session uses. Those in a workspace's go.work are by full paths, but for
// the module of the file's own directory.
var moduleFiles = []string{"go.mod", "go.sum", "go.work", "go.work.sum"}

// startGopls starts the program in path. cache is a directory for what gopls keeps, moduleDir is where
// the session's go.mod is, goEnv what go commands need in their environment. It returns at once.
func startGopls(path, cache, moduleDir string, goEnv []string) *gopls {
	g := &gopls{
		dir: workspace(moduleDir), ready: make(chan struct{}), ended: make(chan struct{}),
		from: moduleDir, copied: map[string]time.Time{}, opened: map[string]*openFile{},
	}
	started := make(chan error, 1)
	go g.run(path, cache, goEnv, started)
	if err := <-started; err != nil {
		g.err = err
		close(g.ready)
		return g
	}
	go g.initialize()
	return g
}

// workspace is the directory of gopls for the session whose go.mod is in moduleDir.
func workspace(moduleDir string) string { return filepath.Join(moduleDir, "editing") }

// run starts gopls and waits for its end.
func (g *gopls) run(path, cache string, goEnv []string, started chan<- error) {
	defer close(g.ended)
	if _, err := g.copyModule(); err != nil {
		started <- err
		return
	}
	env, err := goplsEnv(cache, goEnv)
	if err != nil {
		started <- err
		return
	}
	cmd := exec.Command(path)
	cmd.Dir, cmd.Env = g.dir, env
	// It ends with the kernel, however that ends. This is about the thread that starts it,
	// which therefore waits here.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		started <- fmt.Errorf("start gopls: %w", err)
		return
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		started <- fmt.Errorf("start gopls: %w", err)
		return
	}
	if err := cmd.Start(); err != nil {
		started <- fmt.Errorf("start gopls: %w", err)
		return
	}
	g.process = cmd.Process
	g.conn = connect(stdout, stdin, answer)
	started <- nil
	<-g.conn.DisconnectNotify()
	g.kill()
	_ = cmd.Wait() // it was killed, or its connection ended: both are told to those who ask
}

// goplsEnv is the environment of gopls, with what go commands need in goEnv. It downloads nothing and reports to nobody.
func goplsEnv(cache string, goEnv []string) ([]string, error) {
	config, err := os.UserConfigDir()
	if err != nil {
		return nil, fmt.Errorf("find the folder for settings: %w", err)
	}
	// Its telemetry, which has a process of its own, is off by a file in the directory for settings.
	own := filepath.Join(cache, "config")
	mode := filepath.Join(own, "go", "telemetry", "mode")
	if _, err := os.Stat(mode); err != nil {
		if err := os.MkdirAll(filepath.Dir(mode), 0o755); err != nil {
			return nil, fmt.Errorf("turn telemetry off: %w", err)
		}
		if err := os.WriteFile(mode, []byte("off 2026-01-01\n"), 0o644); err != nil {
			return nil, fmt.Errorf("turn telemetry off: %w", err)
		}
	}
	env := append(os.Environ(), goEnv...)
	if os.Getenv("GOENV") == "" {
		env = append(env, "GOENV="+filepath.Join(config, "go", "env"))
	}
	// As for the session, its go.mod decides on modules.
	flags := slices.DeleteFunc(strings.Fields(os.Getenv("GOFLAGS")), func(f string) bool { return strings.HasPrefix(f, "-mod") })
	return append(env, "GOFLAGS="+strings.Join(flags, " "), "XDG_CONFIG_HOME="+own, "GOPLSCACHE="+filepath.Join(cache, "types"),
		"GOPROXY=off", "GOWORK=", "GOMEMLIMIT="+goplsMemory), nil
}

// answer is what gopls gets for its own requests.
func answer(method string, params json.RawMessage) any {
	if method != "workspace/configuration" {
		return nil
	}
	var asked struct{ Items []any }
	if json.Unmarshal(params, &asked) != nil {
		return nil
	}
	all := make([]any, len(asked.Items))
	for i := range all {
		all[i] = settings
	}
	return all
}

// initialize tells gopls what to expect.
func (g *gopls) initialize() {
	defer close(g.ready)
	ctx := context.Background()
	err := g.conn.Call(ctx, "initialize", map[string]any{
		"processId":        os.Getpid(),
		"rootUri":          fileURI(g.dir),
		"workspaceFolders": []any{map[string]string{"uri": fileURI(g.dir), "name": "notebook"}},
		"capabilities": map[string]any{"textDocument": map[string]any{
			"completion": map[string]any{"completionItem": map[string]any{"snippetSupport": false}},
			"hover":      map[string]any{"contentFormat": []string{"plaintext"}},
		}},
		"initializationOptions": settings,
	}, nil)
	if err == nil {
		err = g.conn.Notify(ctx, "initialized", struct{}{})
	}
	if err != nil {
		g.err = fmt.Errorf("greet gopls: %w", err)
	}
}

// alive reports whether it runs, or is about to.
func (g *gopls) alive() bool {
	select {
	case <-g.ended:
		return false
	default:
		return true
	}
}

// kill ends gopls and what it has started.
func (g *gopls) kill() {
	if g.process != nil {
		_ = syscall.Kill(-g.process.Pid, syscall.SIGKILL) // it may have ended
	}
}

// stop ends gopls and waits until it has.
func (g *gopls) stop() {
	g.kill()
	<-g.ended
}

// copyModule brings the workspace's go.mod and its like up to date. It says which have changed.
func (g *gopls) copyModule() (changed []string, err error) {
	for _, name := range moduleFiles {
		path := filepath.Join(g.from, name)
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.ModTime().Equal(g.copied[name]) {
			continue
		}
		var data []byte
		if err == nil {
			data, err = os.ReadFile(path)
		}
		if err == nil {
			err = os.MkdirAll(g.dir, 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(g.dir, name), data, 0o644)
		}
		if err != nil {
			return nil, fmt.Errorf("copy the session's %s: %w", name, err)
		}
		g.copied[name] = info.ModTime()
		changed = append(changed, name)
	}
	return changed, nil
}

// tell lets gopls know the program. It must be ready, and be told by one at a time.
func (g *gopls) tell(p *program) error {
	changed, err := g.copyModule()
	if err != nil {
		return err
	}
	if len(changed) > 0 {
		const fileChanged = 2
		var events []any
		for _, name := range changed {
			events = append(events, map[string]any{"uri": g.uri(name), "type": fileChanged})
		}
		if err := g.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": events}); err != nil {
			return err
		}
	}
	for name := range g.opened {
		if p.files[name] == "" {
			if err := g.tellFile(name, "package main\n"); err != nil {
				return err
			}
		}
	}
	for name, text := range p.files {
		if err := g.tellFile(name, text); err != nil {
			return err
		}
	}
	return nil
}

func (g *gopls) tellFile(name, text string) error {
	f := g.opened[name]
	switch {
	case f == nil:
		g.opened[name] = &openFile{text, 1}
		return g.notify("textDocument/didOpen", map[string]any{
			"textDocument": map[string]any{"uri": g.uri(name), "languageId": "go", "version": 1, "text": text},
		})
	case f.text == text:
		return nil
	}
	f.text = text
	f.version++
	return g.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": g.uri(name), "version": f.version},
		"contentChanges": []any{map[string]string{"text": text}},
	})
}

// notify sends what has no answer.
func (g *gopls) notify(method string, params any) error {
	return g.conn.Notify(context.Background(), method, params)
}

func (g *gopls) uri(name string) string { return fileURI(filepath.Join(g.dir, name)) }

func fileURI(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// A place is where something is in a file, as language servers count: lines from 0 and
// UTF-16 code units.
type place struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// placeOf is the place of an offset.
func placeOf(text string, offset int) place {
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	return place{strings.Count(text[:start], "\n"), len(utf16.Encode([]rune(text[start:offset])))}
}

// ask tells gopls the program and asks about its place.
func (g *gopls) ask(p *program, method string) (*call, error) {
	if err := g.tell(p); err != nil {
		return nil, err
	}
	// Requests wait for no context but when their answers are read: see call.
	asked, err := g.conn.DispatchCall(context.Background(), method, map[string]any{
		"textDocument": map[string]string{"uri": g.uri(cellFile)},
		"position":     placeOf(p.files[cellFile], p.offset),
	})
	return &call{asked}, err
}
