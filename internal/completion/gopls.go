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

// goplsMemory is the heap size at which gopls's garbage collector runs more often.
const goplsMemory = "200MiB"

// settings disable everything in gopls except answers to requests.
var settings = map[string]any{
	"completeUnimported":             false, // such packages are imported by the program already
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

// A gopls is a running gopls. Its workspace is a directory that only has a go.mod: the contents of the program's files
// are sent to it.
type gopls struct {
	conn  *jsonrpc2.Conn
	dir   string // the workspace
	ready chan struct{}
	ended chan struct{}
	err   error // why it is not ready; may be read after ready is closed

	process *os.Process
	from    string               // directory of the session's go.mod
	copied  map[string]time.Time // modification times of the files there
	opened  map[string]*openFile
}

type openFile struct {
	text    string
	version int
}

// moduleFiles determine the modules that the session uses. Paths in a workspace's go.work are absolute, except that of its
// own directory's module.
var moduleFiles = []string{"go.mod", "go.sum", "go.work", "go.work.sum"}

// startGopls starts the program in path. cache is a directory for gopls's cache, moduleDir contains the session's go.mod,
// and goEnv is the environment of go commands. It returns at once.
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

// workspace returns the directory of gopls for the session whose go.mod is in moduleDir.
func workspace(moduleDir string) string { return filepath.Join(moduleDir, "editing") }

// run starts gopls and waits for its exit.
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
	// Pdeathsig kills it when the kernel exits. It refers to the thread that starts the process, which therefore waits here.
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
	_ = cmd.Wait() // it was killed, or its connection was closed; requests return an error in both cases
}

// goplsEnv returns the environment of gopls, including goEnv. With it gopls downloads nothing and sends no telemetry.
func goplsEnv(cache string, goEnv []string) ([]string, error) {
	config, err := os.UserConfigDir()
	if err != nil {
		return nil, fmt.Errorf("find the directory for settings: %w", err)
	}
	// A file in the directory for settings disables telemetry, which would run in a separate process.
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
	// As for the session, the go.mod determines the modules.
	flags := slices.DeleteFunc(strings.Fields(os.Getenv("GOFLAGS")), func(f string) bool { return strings.HasPrefix(f, "-mod") })
	return append(env, "GOFLAGS="+strings.Join(flags, " "), "XDG_CONFIG_HOME="+own, "GOPLSCACHE="+filepath.Join(cache, "types"),
		"GOPROXY=off", "GOWORK=", "GOMEMLIMIT="+goplsMemory), nil
}

// answer returns the response to a request of gopls.
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

// initialize sends the settings to gopls.
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
		g.err = fmt.Errorf("initialize gopls: %w", err)
	}
}

// alive reports whether gopls runs, or is about to.
func (g *gopls) alive() bool {
	select {
	case <-g.ended:
		return false
	default:
		return true
	}
}

// kill kills gopls and its child processes.
func (g *gopls) kill() {
	if g.process != nil {
		_ = syscall.Kill(-g.process.Pid, syscall.SIGKILL) // it may have exited
	}
}

// stop kills gopls and waits until it has exited.
func (g *gopls) stop() {
	g.kill()
	<-g.ended
}

// copyModule updates the workspace's moduleFiles. It returns the names of those that have changed.
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

// tell sends the program to gopls, which must be ready. It is not safe for concurrent use.
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

// notify sends a notification, which has no response.
func (g *gopls) notify(method string, params any) error {
	return g.conn.Notify(context.Background(), method, params)
}

func (g *gopls) uri(name string) string { return fileURI(filepath.Join(g.dir, name)) }

func fileURI(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

// A position is a position in a file in the units of LSP: lines from 0 and UTF-16 code units.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// positionOf returns the position of an offset.
func positionOf(text string, offset int) position {
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	return position{strings.Count(text[:start], "\n"), len(utf16.Encode([]rune(text[start:offset])))}
}

// ask sends the program to gopls, and a request about the cursor.
func (g *gopls) ask(p *program, method string) (*call, error) {
	if err := g.tell(p); err != nil {
		return nil, err
	}
	// The context only applies to reading the response: see call.
	asked, err := g.conn.DispatchCall(context.Background(), method, map[string]any{
		"textDocument": map[string]string{"uri": g.uri(cellFile)},
		"position":     positionOf(p.files[cellFile], p.offset),
	})
	return &call{asked}, err
}
