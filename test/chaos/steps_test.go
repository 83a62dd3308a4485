package chaos

import (
	"crypto/rand"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

const (
	variables  = 8
	buffers    = 3
	bufferSize = 5
	// filler is the file that fills the disk.
	filler = "filler"
	// guestsAtOnce is the maximum number of open connections of guests.
	guestsAtOnce = 6
)

func intName(i int) string { return fmt.Sprintf("v%d", i) }

// step is an event, with its relative frequency.
type step struct {
	name   string
	weight int
	do     func(w *world)
}

var steps = []step{
	{"assign", 30, (*world).assign},
	{"allocate", 8, (*world).allocate},
	{"launch", 8, (*world).launch},
	{"bad cell", 10, (*world).badCell},
	{"interrupt", 6, (*world).interruptCell},
	{"kill session", 5, (*world).killSession},
	{"kill device", 5, (*world).killDevice},
	{"kill kernel", 3, (*world).killKernel},
	{"faulty kernel", 5, (*world).faultyKernel},
	{"large display", 3, (*world).largeDisplay},
	{"much output", 4, (*world).muchOutput},
	{"much memory", 2, (*world).muchMemory},
	{"garbage", 8, (*world).garbage},
	{"mute guest", 4, (*world).muteGuest},
	{"slow guest", 4, (*world).slowGuest},
	{"endless message", 3, (*world).endlessMessage},
	{"children", 3, (*world).children},
	{"full disk", 3, (*world).fullDisk},
	{"damaged cache", 2, (*world).damagedCache},
}

// chosen returns the steps named by onlyEnv, or all.
func chosen() []step {
	only := os.Getenv(onlyEnv)
	if only == "" {
		return steps
	}
	names := strings.Split(only, ",")
	return slices.DeleteFunc(slices.Clone(steps), func(s step) bool { return !slices.Contains(names, s.name) })
}

// next returns a random step.
func (w *world) next(from []step) step {
	sum := 0
	for _, s := range from {
		sum += s.weight
	}
	n := w.IntN(sum)
	for _, s := range from {
		if n -= s.weight; n < 0 {
			return s
		}
	}
	panic("unreachable")
}

func (w *world) assign() {
	name, value := intName(w.IntN(variables)), w.IntN(1000)
	if contains(w.ints, name) && w.IntN(2) == 0 {
		w.succeeds(fmt.Sprintf("%s += %d", name, value))
		w.ints[name] += value
		return
	}
	w.succeeds(fmt.Sprintf("%s := %d", name, value))
	w.ints[name] = value
}

func (w *world) allocate() {
	name, value := fmt.Sprintf("b%d", w.IntN(buffers)), w.IntN(1000)
	w.succeeds(fmt.Sprintf("%s := gpu.ToDevice(slices.Repeat([]float32{%d}, %d))", name, value, bufferSize))
	w.buffers[name] = float32(value)
}

// aBuffer returns the name of a buffer of the session, or "".
func (w *world) aBuffer() string {
	names := slices.Sorted(maps.Keys(w.buffers))
	if len(names) == 0 {
		return ""
	}
	return names[w.IntN(len(names))]
}

func (w *world) launch() {
	name := w.aBuffer()
	if name == "" {
		w.allocate()
		name = w.aBuffer()
	}
	w.succeeds("%%cuda\n__global__ void add(float *a, float b, int n) { int i = threadIdx.x; if (i < n) a[i] += b; }")
	w.succeeds(fmt.Sprintf("add.Launch(gpu.For(%d, 32), %s, 1, %d)", bufferSize, name, bufferSize))
	w.buffers[name]++
}

func (w *world) badCell() {
	for _, c := range [][2]string{
		{"nowhere + 1", "undefined: nowhere"},
		{"for {", "never closed"},
		{"panic(`on purpose`)", "on purpose"},
		{"os.Open(`/no/such/file`)", "no such file"},
		{"%%cuda\n__global__ void k(int *a) { a[0] = nowhere; }", "nowhere"},
	} {
		if w.IntN(2) == 0 {
			w.fails(c[0], c[1], nil)
		}
	}
}

func (w *world) interruptCell() {
	delay := w.delay(20, 400)
	code := []string{"for {}", "select {}", "time.Sleep(time.Hour)", "for { fmt.Println(1) }", "%%cuda\n" + slowSource(w.IntN(1000))}[w.IntN(5)]
	w.fails(code, "nterrupted", func(*outcome) {
		time.Sleep(delay)
		if err := w.client.Interrupt(w.t.Context()); err != nil {
			w.t.Error(err)
		}
	})
}

// slowSource returns a cell whose compilation takes longer than the time until an interrupt.
func slowSource(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "template<int n> struct s { static __device__ int f(int x) { return s<n-1>::f(x * %d) + s<n-2>::f(x + n); } };\n", n)
	b.WriteString("template<> struct s<0> { static __device__ int f(int x) { return x; } };\ntemplate<> struct s<1> { static __device__ int f(int x) { return x; } };\n")
	b.WriteString("__global__ void slow(int *a) { a[0] = s<800>::f(a[0]); }\n")
	return b.String()
}

// lost records that the session was restarted.
func (w *world) lost() { clear(w.ints); clear(w.buffers) }

func (w *world) killSession() {
	pid := w.find("gopherwarp-session")
	if pid == 0 {
		return
	}
	if delay := w.delay(0, 300); w.IntN(2) == 0 {
		w.signal(pid)
		w.succeeds("1;")
	} else {
		// If the session exits before the cell begins, the cell does not fail.
		w.fails("fmt.Println()\ntime.Sleep(time.Hour)", "ended", func(o *outcome) {
			<-o.began
			time.Sleep(delay)
			w.signal(pid)
		})
	}
	w.lost()
}

func (w *world) killDevice() {
	if pid := w.find(" device"); pid != 0 {
		w.signal(pid)
	}
}

func (w *world) signal(pid int) {
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		w.t.Error(err)
	}
}

func (w *world) killKernel() {
	if delay := w.delay(0, 300); w.IntN(2) == 0 { // while the session prints
		pid := w.kernel.Process.Pid
		time.AfterFunc(delay, func() { w.signal(pid) })
		_, err := w.client.Execute(w.t.Context(), kernel.ExecuteRequest{Code: "for { fmt.Println(1) }"})
		if err == nil {
			w.t.Fatal("a cell without end has ended")
		}
	} else {
		w.signal(w.kernel.Process.Pid)
	}
	<-w.ended
	w.client.Close()
	for _, c := range w.guests {
		c.Close()
	}
	w.guests = nil
	w.startKernel()
	w.succeeds("1;")
}

// delay returns a random duration between two numbers of milliseconds.
func (w *world) delay(least, most int) time.Duration {
	return time.Duration(least+w.IntN(most-least)) * time.Millisecond
}

func (w *world) faultyKernel() {
	w.succeeds("%%cuda\n__global__ void far(float *a) { a[1LL << 40] = 1; }")
	w.fails("x := gpu.Alloc[float32](4)\nfar.Launch(gpu.For(1, 1), x)\ngpu.Sync()", "ILLEGAL_ADDRESS", nil)
}

func (w *world) largeDisplay() {
	w.fails("display.Show(display.HTML(strings.Repeat(`x`, 60_000_000)))", "more than a notebook can hold", nil)
}

func (w *world) muchOutput() {
	lines := 1000 + w.IntN(200_000)
	if got := w.succeeds(fmt.Sprintf("for i := range %d { fmt.Println(i, `some text that fills the line`) }", lines)); strings.Count(got, "\n") != lines {
		w.t.Fatalf("%d lines came, want %d", strings.Count(got, "\n"), lines)
	}
}

func (w *world) muchMemory() {
	w.fails("var hog [][]byte\nfor { b := make([]byte, 8<<20); for i := range b { b[i] = 1 }; hog = append(hog, b) }", "GOPHERWARP_MEMORY", nil)
	w.lost()
}

// dial connects to one of the kernel's sockets as an unauthenticated client.
func (w *world) dial() net.Conn {
	ports := []int{w.conn.ShellPort, w.conn.IOPubPort, w.conn.StdinPort, w.conn.ControlPort, w.conn.HeartbeatPort}
	return w.dialPort(ports[w.IntN(len(ports))])
}

func (w *world) dialPort(port int) net.Conn {
	c, err := net.Dial("unix", fmt.Sprintf("%s-%d", w.conn.IP, port))
	if err != nil {
		w.t.Fatalf("%v\n%s", err, w.log)
	}
	return c
}

const hello = "\xff\x00\x00\x00\x00\x00\x00\x00\x00\x7f\x03\x00NULL"

// greeted returns a connection that has sent its ZeroMQ greeting and socket type.
func (w *world) greeted(port int, typ string) net.Conn {
	c := w.dialPort(port)
	ready := "\x05READY\x0bSocket-Type\x00\x00\x00" + string(rune(len(typ))) + typ
	_, _ = c.Write([]byte(hello + strings.Repeat("\x00", 48) + "\x04" + string(rune(len(ready))) + ready))
	return c
}

func (w *world) garbage() {
	c := w.dial()
	defer c.Close()
	junk := make([]byte, w.IntN(100_000))
	_, _ = rand.Read(junk)
	if w.IntN(2) == 0 {
		copy(junk, hello)
	}
	_, _ = c.Write(junk) // an error if the kernel closes the connection
}

// stay keeps a connection open, and closes the oldest one if there are many.
func (w *world) stay(c net.Conn) {
	w.guests = append(w.guests, c)
	if len(w.guests) > guestsAtOnce {
		w.guests[0].Close()
		w.guests = w.guests[1:]
	}
}

// muteGuest subscribes to everything and reads nothing.
func (w *world) muteGuest() {
	c := w.greeted(w.conn.IOPubPort, "SUB")
	_, _ = c.Write([]byte("\x00\x01\x01"))
	w.stay(c)
}

// slowGuest reads a little from time to time.
func (w *world) slowGuest() {
	c := w.greeted(w.conn.IOPubPort, "SUB")
	_, _ = c.Write([]byte("\x00\x01\x01"))
	go func() {
		buf := make([]byte, 100)
		for {
			if _, err := c.Read(buf); err != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	w.stay(c)
}

func (w *world) endlessMessage() {
	typ, port := "DEALER", w.conn.ShellPort
	if w.IntN(2) == 0 {
		typ, port = "SUB", w.conn.IOPubPort
	}
	c := w.greeted(port, typ)
	defer c.Close()
	part := []byte("\x03\x00\x00\x00\x00\x00\x01\x00\x00" + strings.Repeat("x", 1<<16))
	for sent := 0; ; sent += len(part) {
		if _, err := c.Write(part); err != nil {
			return
		}
		if sent > 32<<20 {
			w.t.Fatalf("the kernel takes a message without end at a %s socket", typ)
		}
	}
}

// children starts programs that would outlive the session, and kills the session.
func (w *world) children() {
	w.succeeds("exec.Command(`sleep`, `1000`).Start()")
	pid := w.find("gopherwarp-session")
	w.signal(pid)
	w.succeeds("1;")
	w.lost()
}

// fullDisk runs a cell while the file system for temporary files is full.
func (w *world) fullDisk() {
	f, err := os.Create(filepath.Join(w.tmp, filler))
	if err != nil {
		w.t.Fatal(err)
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(w.tmp, &fs); err != nil || fs.Blocks*uint64(fs.Bsize) > maxDisk {
		f.Close()
		os.Remove(f.Name())
		return // there is no separate file system
	}
	chunk := make([]byte, 64<<10)
	for len(chunk) > 0 {
		if _, err := f.Write(chunk); err != nil {
			chunk = chunk[:len(chunk)/2]
		}
	}
	f.Close()
	name := intName(w.IntN(variables))
	o := w.cell(fmt.Sprintf("%s := 12345", name), nil)
	if err := os.Remove(f.Name()); err != nil {
		w.t.Fatal(err)
	}
	if o.reply.Status == "ok" { // everything it needs was in memory
		w.ints[name] = 12345
	} else if !strings.Contains(o.reply.Value, "space") {
		w.t.Fatalf("with a full disk: %s: %s", o.reply.Name, o.reply.Value)
	}
}

// damagedCache truncates a file of the cache, and restarts the session.
func (w *world) damagedCache() {
	var files []string
	for _, pattern := range []string{"gopherwarp/session/*/gopherwarp-session*", "gopherwarp/sim/*/*.so", "gopherwarp/session/*/*.o", "gopherwarp/session/*/*.a"} {
		found, _ := filepath.Glob(filepath.Join(w.dir, "cache", pattern))
		files = append(files, found...)
	}
	if len(files) == 0 {
		w.t.Fatal("there is nothing in the cache")
	}
	slices.Sort(files)
	file := files[w.IntN(len(files))]
	info, err := os.Stat(file)
	if err != nil {
		w.t.Fatal(err)
	}
	if pid := w.find("gopherwarp-session"); pid != 0 {
		w.signal(pid)
	}
	if pid := w.find(" device"); pid != 0 {
		w.signal(pid)
	}
	for w.find("gopherwarp-session") != 0 {
		time.Sleep(time.Millisecond)
	}
	if err := os.Truncate(file, w.Int64N(info.Size()+1)); err != nil {
		w.t.Fatal(err)
	}
	w.succeeds("1;")
	w.lost()
}
