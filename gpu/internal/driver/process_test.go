package driver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// A kernel with a fault destroys the context of its process, so these tests run their kernels in processes of their own: this
// test binary again, with a role in the environment.
const roleVariable = "GOPHERWARP_DRIVER_TEST_ROLE"

func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if role == "" {
		os.Exit(m.Run())
	}
	runtime.LockOSThread()
	if err := roles[role](); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

var roles = map[string]func() error{
	"print": rolePrint, "write": roleWrite, "read": roleRead, "count": roleCount, "watched": roleWatched, "right": roleRight,
}

// asRole returns a command that runs a role. Its end of a socket is descriptor 3.
func asRole(t *testing.T, role string) (*exec.Cmd, *net.UnixConn) {
	t.Helper()
	if _, err := New().Count(); err != nil {
		t.Skipf("SKIPPED, because it needs a GPU: %v", err)
	}
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	try(t, err)
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	t.Cleanup(func() { theirs.Close() })
	conn, err := net.FileConn(ours)
	ours.Close()
	try(t, err)
	t.Cleanup(func() { conn.Close() })
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	cmd.Stderr = os.Stderr
	cmd.ExtraFiles = []*os.File{theirs}
	return cmd, conn.(*net.UnixConn)
}

// roleDevice opens the GPU and compiles the kernels of the roles.
func roleDevice() (backend.Device, error) {
	d, err := New().Open(0)
	if err != nil {
		return nil, err
	}
	img, err := d.Compile(backend.Program{Name: "role.cu", Kernels: []string{"say", "fault", "add"}, Source: `
__global__ void say() { printf("hello from thread %d\n", threadIdx.x); }
__global__ void fault(int how, char *p) {
	switch (how) {
	case 0: *(volatile int *)0x10 = 1; break;
	case 1: assert(how == 0); break;
	case 2: __trap(); break;
	case 3: *(volatile int *)(p + 1) = 1; break;
	}
}
__global__ void add(unsigned char *p, long long n) {
	for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] += 1;
}`})
	if err != nil {
		return nil, err
	}
	if err := d.Load(1, img); err != nil {
		return nil, err
	}
	for i, name := range []string{"say", "fault", "add"} {
		if _, err := d.Function(uint32(i+1), 1, name); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// rolePrint prints from the GPU, waits for it, and then for the other process.
func rolePrint() error {
	d, err := roleDevice()
	if err != nil {
		return err
	}
	if err := d.Launch(&backend.Launch{Func: 1, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{3, 1, 1}}); err != nil {
		return err
	}
	if err := d.Sync(); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.NewFile(3, "socket"))
	return err
}

// Sync must write the output of kernels even if standard output is a pipe.
func TestPrintfAppearsAtSync(t *testing.T) {
	cmd, conn := asRole(t, "print")
	out, err := cmd.StdoutPipe()
	try(t, err)
	try(t, cmd.Start())
	const want = "hello from thread 0\nhello from thread 1\nhello from thread 2\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(out, got); err != nil || string(got) != want {
		t.Errorf("got %q, error %v", got, err)
	}
	cmd.ExtraFiles[0].Close()
	conn.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// kept is the result of a role.
type kept struct {
	Chunks []backend.Chunk
	// Error is the error of the launch, and After that of a copy after it.
	Error, After *backend.Error
}

// keptBytes are the sizes of the chunks that are passed on.
var keptBytes = []uint64{5 << 20, 1, 100 << 20, 64 << 20}

// fillKept writes the contents of chunk i.
func fillKept(i int, data []byte) {
	for j := range data {
		data[j] = byte((i + j) % 251)
	}
}

// roleWrite creates chunks, writes to them, sends their descriptors, and then runs the kernel with the fault that the other
// process requests.
func roleWrite() error {
	d, err := roleDevice()
	if err != nil {
		return err
	}
	var k kept
	var fds []int
	for i, n := range keptBytes {
		c, err := d.CreateChunk(n, 0)
		if err != nil {
			return err
		}
		data := make([]byte, n)
		fillKept(i, data)
		if err := d.CopyHtoD(c.Addr, data, 0); err != nil {
			return err
		}
		k.Chunks = append(k.Chunks, c)
		fds = append(fds, c.FD)
	}
	if err := d.Sync(); err != nil {
		return err
	}
	message, err := json.Marshal(k)
	if err != nil {
		return err
	}
	if err := syscall.Sendmsg(3, message, syscall.UnixRights(fds...), nil, 0); err != nil {
		return err
	}
	var how [1]byte
	if _, err := io.ReadFull(os.NewFile(3, "socket"), how[:]); err != nil {
		return err
	}
	var args params
	args.add(4, int32(how[0]))
	args.add(8, k.Chunks[1].Addr+1024) // beyond the byte that is checked
	err = errors.Join(d.Launch(&backend.Launch{Func: 2, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Args: args}), d.Sync())
	after := d.CopyDtoH(make([]byte, 1), k.Chunks[0].Addr, 0)
	errors.As(err, &k.Error)
	errors.As(after, &k.After)
	if err := json.NewEncoder(os.Stdout).Encode(k); err != nil {
		return err
	}
	_ = d.Close() // fails, but must neither hang nor crash
	return nil
}

// roleRead imports the chunks, checks them, and runs a kernel on each. Their descriptors begin at 4.
func roleRead() error {
	d, err := roleDevice()
	if err != nil {
		return err
	}
	var k kept
	if err := json.NewDecoder(os.Stdin).Decode(&k); err != nil {
		return err
	}
	for i, c := range k.Chunks {
		c.FD = 4 + i
		if err := d.ImportChunk(c); err != nil {
			return err
		}
	}
	// New memory must not overlap the imported memory.
	if _, err := d.CreateChunk(80<<20, 0); err != nil {
		return err
	}
	for i, c := range k.Chunks {
		n := keptBytes[i]
		var args params
		args.add(8, c.Addr, n)
		got, want := make([]byte, n), make([]byte, n)
		fillKept(i, want)
		if err := errors.Join(
			d.Launch(&backend.Launch{Func: 3, Grid: [3]uint32{64, 1, 1}, Block: [3]uint32{256, 1, 1}, Args: args}),
			d.CopyDtoH(got, c.Addr, 0),
			d.ReleaseChunk(c.Addr),
		); err != nil {
			return err
		}
		for j := range want {
			if got[j] != want[j]+1 {
				return fmt.Errorf("byte %d of chunk %d is %d after adding 1, want %d", j, i, got[j], want[j]+1)
			}
		}
	}
	return d.Close()
}

// Device memory must outlive its process, however the process exits.
func TestMemorySurvivesFaults(t *testing.T) {
	for _, tt := range []struct {
		name  string
		how   byte
		codes []int // possible codes of the fault; none if the process is killed instead
	}{
		{"illegal address", 0, []int{700}},
		{"assert", 1, []int{710}},
		{"trap", 2, []int{719, 715}},
		{"misaligned address", 3, []int{716}},
		{"kill", 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd, conn := asRole(t, "write")
			cmd.Stderr = nil // where a failing assert is reported
			out, err := cmd.StdoutPipe()
			try(t, err)
			try(t, cmd.Start())
			cmd.ExtraFiles[0].Close()
			k, files := receive(t, conn)

			if tt.codes == nil {
				try(t, cmd.Process.Kill())
			} else {
				_, err := conn.Write([]byte{tt.how})
				try(t, err)
				try(t, json.NewDecoder(out).Decode(&k))
				if k.Error == nil || !k.Error.Fatal || k.After == nil || !k.After.Fatal {
					t.Errorf("the launch ended with %v and a copy after it with %v: want both fatal", k.Error, k.After)
				} else if code := k.Error.Code; !strings.Contains(fmt.Sprint(tt.codes), fmt.Sprint(code)) {
					t.Errorf("the launch ended with %v, want one of %v", k.Error, tt.codes)
				} else {
					t.Log(k.Error)
				}
			}
			if err := cmd.Wait(); err != nil && tt.codes != nil {
				t.Errorf("the process did not end well after its fault: %v", err)
			}

			next, _ := asRole(t, "read")
			next.ExtraFiles = append(next.ExtraFiles, files...)
			description, err := json.Marshal(k)
			try(t, err)
			next.Stdin = strings.NewReader(string(description))
			if err := next.Run(); err != nil {
				t.Errorf("importing the memory: %v", err)
			}
		})
	}
}

// receive receives a description and the chunks' descriptors from a role.
func receive(t *testing.T, conn *net.UnixConn) (kept, []*os.File) {
	t.Helper()
	message, rights := make([]byte, 4096), make([]byte, 128)
	n, m, _, _, err := conn.ReadMsgUnix(message, rights)
	try(t, err)
	var k kept
	if err := json.Unmarshal(message[:n], &k); err != nil {
		t.Fatalf("the writing process sent %q: %v", message[:n], err)
	}
	controls, err := syscall.ParseSocketControlMessage(rights[:m])
	try(t, err)
	if len(controls) == 0 {
		t.Fatal("the writing process sent no descriptors")
	}
	fds, err := syscall.ParseUnixRights(&controls[0])
	try(t, err)
	var files []*os.File
	for _, fd := range fds {
		f := os.NewFile(uintptr(fd), "chunk")
		t.Cleanup(func() { f.Close() })
		files = append(files, f)
	}
	return k, files
}
