package chaos

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

const (
	// cellTime is the maximum time of a cell. The first one builds the session program.
	cellTime = 8 * time.Minute
	// settleTime is the maximum time until unused processes and files are removed.
	settleTime = 30 * time.Second
	// memoryLimit is the value of session.MemoryEnv.
	memoryLimit = "500MB"
)

// world is a notebook, its expected state, and the clients that disturb it.
type world struct {
	t *testing.T
	*rand.Rand
	program string
	dir     string // parent of the notebook's directory, HOME, TMPDIR and the cache
	tmp     string // TMPDIR
	mark    string // part of the environment of all processes of this world

	conn   kernel.ConnectionInfo
	kernel *exec.Cmd
	ended  chan struct{} // closed when the kernel process has exited
	client *kernel.Client
	log    *syncBuffer

	ints    map[string]int     // expected variables of the session
	buffers map[string]float32 // expected buffers on the device, with the value of all elements
	guests  []net.Conn         // connections of guests

	counts map[string]int // number of steps by name
	most   leaks          // maximum after any step
}

// leaks are counts of resources that could leak.
type leaks struct{ processes, folders, descriptors, megabytes int }

func (l *leaks) max(m leaks) {
	l.processes, l.folders = max(l.processes, m.processes), max(l.folders, m.folders)
	l.descriptors, l.megabytes = max(l.descriptors, m.descriptors), max(l.megabytes, m.megabytes)
}

type syncBuffer struct {
	mu  sync.Mutex
	buf strings.Builder
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func newWorld(t *testing.T, seed uint64) *world {
	program := filepath.Join(t.TempDir(), "gopherwarp")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/gopherwarp").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// It is short, since the paths of sockets are limited.
	dir, err := os.MkdirTemp("/tmp", "gw-chaos-")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		t: t, Rand: rand.New(rand.NewPCG(seed, 1)), program: program, dir: dir, tmp: filepath.Join(dir, "tmp"),
		mark: "GOPHERWARP_TEST_WORLD=" + filepath.Base(dir), counts: map[string]int{},
	}
	for _, name := range []string{"tmp", "home", "cache", "book"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		w.killAll()
		os.RemoveAll(dir)
	})
	return w
}

// startKernel starts a kernel with an empty session.
func (w *world) startKernel() {
	w.t.Helper()
	dir, err := os.MkdirTemp(w.dir, "k")
	if err != nil {
		w.t.Fatal(err)
	}
	w.conn = kernel.NewIPCConnection(dir)
	file := filepath.Join(dir, "c.json")
	if err := w.conn.WriteFile(file); err != nil {
		w.t.Fatal(err)
	}
	w.log = new(syncBuffer)
	w.kernel = exec.Command(w.program, "kernel", "-f", file)
	w.kernel.Dir = filepath.Join(w.dir, "book")
	w.kernel.Env = append(os.Environ(), w.mark, "TMPDIR="+w.tmp, "XDG_CACHE_HOME="+filepath.Join(w.dir, "cache"),
		"GOPHERWARP_HISTORY="+filepath.Join(w.dir, "home", "history.sqlite"), "GOPHERWARP_DEVICE=sim", "GOPHERWARP_MEMORY="+memoryLimit)
	w.kernel.Stdout, w.kernel.Stderr = w.log, w.log
	w.kernel.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := w.kernel.Start(); err != nil {
		w.t.Fatal(err)
	}
	ended := make(chan struct{})
	w.ended = ended
	go func(cmd *exec.Cmd) {
		_ = cmd.Wait()
		close(ended)
	}(w.kernel)
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	if w.client, err = kernel.Dial(ctx, w.conn); err != nil {
		w.t.Fatalf("%v\n%s", err, w.log)
	}
	w.ints, w.buffers = map[string]int{}, map[string]float32{}
}

// outcome is the output of a cell.
type outcome struct {
	began chan struct{} // closed when it has printed something

	mu     sync.Mutex
	stdout strings.Builder
	reply  kernel.ExecuteReply
}

func (o *outcome) take(m *kernel.Message) {
	var c struct{ Name, Text string }
	if m.Header.Type != "stream" || m.DecodeContent(&c) != nil || c.Name != "stdout" {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.stdout.Len() == 0 {
		close(o.began)
	}
	o.stdout.WriteString(c.Text)
}

// cell runs a cell, and calls disturb meanwhile if that is not nil. The kernel must reply.
func (w *world) cell(code string, disturb func(o *outcome)) *outcome {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), cellTime)
	defer cancel()
	o := &outcome{began: make(chan struct{})}
	var busy sync.WaitGroup
	if disturb != nil {
		busy.Go(func() { disturb(o) })
	}
	reply, err := w.client.Execute(ctx, kernel.ExecuteRequest{Code: code, OnOutput: o.take, KeepGoing: true})
	busy.Wait()
	if err != nil {
		w.t.Fatalf("%s\n%v\n%s", code, err, w.log)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reply = reply
	return o
}

// succeeds runs a cell that must succeed.
func (w *world) succeeds(code string) string {
	w.t.Helper()
	o := w.cell(code, nil)
	if o.reply.Status != "ok" {
		w.t.Fatalf("%s\n%s: %s\nkernel: %s", code, o.reply.Name, o.reply.Value, w.log)
	}
	return o.stdout.String()
}

// fails runs a cell that must fail with an error that contains want.
func (w *world) fails(code, want string, disturb func(o *outcome)) {
	w.t.Helper()
	o := w.cell(code, disturb)
	if o.reply.Status != "error" || !strings.Contains(o.reply.Name+": "+o.reply.Value, want) {
		w.t.Fatalf("%s\n%s, %s: %s; want an error with %q\nkernel: %s", code, o.reply.Status, o.reply.Name, o.reply.Value, want, w.log)
	}
}

// compare checks that the session has exactly the expected variables and buffers.
func (w *world) compare() {
	w.t.Helper()
	var code, want strings.Builder
	for _, name := range slices.Sorted(maps.Keys(w.ints)) {
		fmt.Fprintf(&code, "fmt.Println(%q, %s)\n", name, name)
		fmt.Fprintf(&want, "%s %d\n", name, w.ints[name])
	}
	for _, name := range slices.Sorted(maps.Keys(w.buffers)) {
		fmt.Fprintf(&code, "fmt.Println(%q, %s.ToHost())\n", name, name)
		fmt.Fprintf(&want, "%s %v\n", name, slices.Repeat([]float32{w.buffers[name]}, bufferSize))
	}
	if got := w.succeeds(code.String()); !strings.HasSuffix(got, want.String()) {
		w.t.Fatalf("the session holds\n%swant\n%skernel: %s", got, &want, w.log)
	}
	for i := range variables {
		if name := intName(i); !contains(w.ints, name) {
			w.fails(name, "undefined", nil)
			break // one error is enough
		}
	}
}

func contains[V any](m map[string]V, name string) bool {
	_, ok := m[name]
	return ok
}

// settle waits until unused resources are released, and returns the remaining ones.
func (w *world) settle() leaks {
	w.t.Helper()
	for deadline := time.Now().Add(settleTime); ; time.Sleep(10 * time.Millisecond) {
		names := w.processes()
		l := leaks{processes: len(names), folders: w.folders(), descriptors: w.descriptors(), megabytes: w.megabytes()}
		// These are the kernel, the session and the device, and one directory of the session.
		if l.processes <= 3 && l.folders <= 1 {
			return l
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("left behind: processes %q, %d folders %q", slices.Collect(maps.Values(names)), l.folders, list(w.tmp))
		}
	}
}

// processes returns the processes of this world by their IDs.
func (w *world) processes() map[int]string {
	found := map[int]string{}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !strings.Contains("\x00"+string(env), "\x00"+w.mark+"\x00") {
			continue
		}
		command, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err != nil || len(command) == 0 {
			continue // it has exited
		}
		var pid int
		if _, err := fmt.Sscan(filepath.Base(dir), &pid); err == nil {
			found[pid] = strings.TrimRight(strings.ReplaceAll(string(command), "\x00", " "), " ")
		}
	}
	return found
}

// find returns the process whose command line contains part, or 0.
func (w *world) find(part string) int {
	for pid, command := range w.processes() {
		if strings.Contains(command, part) {
			return pid
		}
	}
	return 0
}

func (w *world) killAll() {
	if w.client != nil {
		w.client.Close()
	}
	for _, c := range w.guests {
		c.Close()
	}
	for pid := range w.processes() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

func (w *world) folders() int { return len(list(w.tmp)) }

func list(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		if e.Name() != filler {
			names = append(names, e.Name())
		}
	}
	return names
}

func (w *world) descriptors() int {
	entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", w.kernel.Process.Pid))
	return len(entries)
}

// megabytes returns the resident memory of the kernel process.
func (w *world) megabytes() int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", w.kernel.Process.Pid))
	for line := range strings.Lines(string(status)) {
		var kb int
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kb); n == 1 {
			return kb >> 10
		}
	}
	return 0
}
