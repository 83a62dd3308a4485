package wire

import (
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

func allMessages() []any {
	return []any{
		&Hello{Version: 3, Backend: "sim", Note: "no driver", Properties: backend.Properties{
			Name: "x", Ordinal: 2, Simulated: true, ComputeMajor: 9, MaxBlockDim: [3]int{1, 2, 3}, MaxGridDim: [3]int{4, 5, 6},
			L2CacheSize: 50 << 20, DriverVersion: 13000, TotalMemory: 1 << 40,
		}},
		&Hello{Version: 1, Err: &backend.Error{Code: 100, Name: "CUDA_ERROR_NO_DEVICE", Message: "none", Fatal: true}},
		&Request{
			Kind: KindCompile, Size: 7, Module: 9, Chunk: backend.Chunk{Addr: 1 << 47, Size: 2, FD: -1},
			Program: backend.Program{Name: "cell[3].cu", Source: "__global__ void k() {}", Options: []string{"-DN=3", ""}, Kernels: []string{"k<float>"}, Check: true},
			Image:   backend.Image{Data: []byte{1, 2, 3}, PTX: []byte{4}, Lowered: map[string]string{"k": "_Z1kv"}, Log: "log", Cached: true},
			Kernels: []Kernel{{Name: "k", Func: 4, Params: []Param{
				{Name: "x", CType: "const float *", Kind: ParamPointer, Size: 8, Align: 8, Elem: "float32", Const: true},
				{Name: "s", CType: "S", Problem: "a struct"},
			}, Info: backend.FunctionInfo{MaxThreadsPerBlock: 1024, NumRegs: 12, ConstSizeBytes: 1}}, {Name: "none"}},
			Stream: 3, Data: []byte{9, 8},
		},
		&Reply{
			Compile: &backend.CompileError{Program: "p", Log: "l"}, Chunk: backend.Chunk{Addr: 5, Size: 6, FD: -1},
			Image: backend.Image{Data: []byte{}, Lowered: map[string]string{}}, Free: 1, Total: 2,
			Size: 3, Data: []byte{7}, Blocks: 4, Threads: 5,
		},
		&Reply{Report: &backend.Report{
			Launches: 3, Note: "n",
			Findings: []backend.Finding{{
				Kind: backend.KindRace, Program: "cell[3].cu", Kernel: "k", Line: 4, Block: [3]int{1, 2, 3}, Thread: [3]int{4, 5, 6},
				Message: "m", Warning: true, Count: 7, Tool: "t",
			}},
			Accesses: []backend.Access{{
				Program: "cell[3].cu", Kernel: "k", Line: 5, Space: "shared", Op: "load", Size: 4, Lanes: 1, Bytes: 2, Requests: 3,
				Active: 4, Sectors: 5, Wavefronts: 6, BestWavefronts: 7, Addresses: 8,
			}},
			Operations: []backend.Operations{{Program: "cell[3].cu", Kernel: "k", Line: 6, FP32: 9, FP64: 10}},
		}, Chunk: backend.Chunk{FD: -1}, Image: backend.Image{Data: []byte{}, Lowered: map[string]string{}}, Data: []byte{}},
		&Failure{Seq: 12, Err: backend.Error{Code: 700, Name: "CUDA_ERROR_ILLEGAL_ADDRESS", Message: "m", Fatal: true}},
	}
}

// marshal and unmarshal work on all kinds of messages.
func marshal(m any) []byte {
	if f, ok := m.(*Failure); ok {
		return f.Marshal(4096)
	}
	return m.(interface{ Marshal() []byte }).Marshal()
}

func unmarshal(like any, b []byte) (any, error) {
	switch like.(type) {
	case *Hello:
		return UnmarshalHello(b)
	case *Request:
		return UnmarshalRequest(b)
	case *Reply:
		return UnmarshalReply(b)
	}
	return UnmarshalFailure(b)
}

func TestRoundTrip(t *testing.T) {
	for _, want := range allMessages() {
		got, err := unmarshal(want, marshal(want))
		if err != nil {
			t.Errorf("%T: %v", want, err)
			continue
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%T came back different:\ngot  %+v\nwant %+v", want, got, want)
		}
	}
}

func TestViews(t *testing.T) {
	want := []backend.View{{Addr: 1, Size: 2, Elem: 4, Name: "x"}, {Addr: 3}}
	b := MarshalViews(want)
	if got, err := UnmarshalViews(b); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v and error %v, want %+v", got, err, want)
	}
	if _, err := UnmarshalViews(b[1:]); !errors.Is(err, ErrShort) {
		t.Errorf("damaged views: %v, want ErrShort", err)
	}
}

func TestDamage(t *testing.T) {
	for _, m := range allMessages() {
		b := marshal(m)
		for n := range b {
			if _, err := unmarshal(m, b[:n]); !errors.Is(err, ErrShort) {
				t.Fatalf("%T cut to %d of %d bytes: got %v, want ErrShort", m, n, len(b), err)
			}
		}
		if _, err := unmarshal(m, append(b, 0)); !errors.Is(err, ErrShort) {
			t.Errorf("%T with a byte too many: got %v, want ErrShort", m, err)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, m := range allMessages() {
		f.Add(marshal(m))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, m := range allMessages() {
			_, _ = unmarshal(m, b) // must neither panic nor ask for endless memory
		}
	})
}

func TestFailureIsCut(t *testing.T) {
	f := &Failure{Seq: 1, Err: backend.Error{Name: "N", Message: strings.Repeat("long ", 10000)}}
	b := f.Marshal(1000)
	if len(b) > 1000 {
		t.Fatalf("%d bytes, want at most 1000", len(b))
	}
	got, err := UnmarshalFailure(b)
	if err != nil || got.Err.Name != "N" || !strings.HasPrefix(got.Err.Message, "long long") {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestAsError(t *testing.T) {
	inner := &backend.Error{Code: 2, Name: "CUDA_ERROR_OUT_OF_MEMORY", Message: "m", Fatal: true}
	for _, c := range []struct {
		err  error
		want *backend.Error
	}{
		{nil, nil},
		{inner, inner},
		{errors.Join(inner), inner},
		{io.ErrUnexpectedEOF, &backend.Error{Code: 999, Name: "CUDA_ERROR_UNKNOWN", Message: "unexpected EOF"}},
	} {
		if got := AsError(c.err); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: got %+v, want %+v", c.err, got, c.want)
		}
	}
}

func TestCommandAt(t *testing.T) {
	record := make([]byte, CommandSize+16)
	c, _ := At(record)
	c.Op, c.DataLen = OpFill, 16
	if got, data := At(record); got == nil || got.Op != OpFill || len(data) != 16 {
		t.Errorf("got %+v with %d bytes", got, len(data))
	}
	c.DataLen = 17
	if got, _ := At(record); got != nil {
		t.Error("a command with more data than its record was accepted")
	}
	if got, _ := At(record[:CommandSize-1]); got != nil {
		t.Error("half a command was accepted")
	}
}

// TestConn sends messages of several sizes, one with a descriptor, between two ends.
func TestConn(t *testing.T) {
	a, fd, err := Pair()
	if err != nil {
		t.Fatal(err)
	}
	b := NewConn(fd)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	big := []byte(strings.Repeat("0123456789", 300000))
	sent := make(chan error, 1)
	go func() {
		err := errors.Join(a.Send(nil, -1), a.Send([]byte("with a pipe"), int(w.Fd())), a.Send(big, -1))
		w.Close()
		a.Close()
		sent <- err
	}()
	for i, want := range []string{"", "with a pipe", string(big)} {
		msg, got, err := b.Receive()
		if err != nil || string(msg) != want || (got >= 0) != (i == 1) {
			t.Fatalf("message %d: %d bytes with descriptor %d, %v", i, len(msg), got, err)
		}
		if got >= 0 {
			if _, err := syscall.Write(got, []byte("hi")); err != nil {
				t.Error(err)
			}
			syscall.Close(got)
		}
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(r); string(text) != "hi" || err != nil {
		t.Errorf("the pipe gave %q, %v", text, err)
	}
	if _, _, err := b.Receive(); err != io.EOF {
		t.Errorf("after the end: got %v, want EOF", err)
	}
	if err := b.Send([]byte("x"), -1); err == nil {
		t.Error("writing to a closed end was no error")
	}
	b.Close()
}

func TestBuildTravels(t *testing.T) {
	b := &backend.Build{
		Arch: "sm_90", Compiler: "NVRTC 13.0", SASSProblem: "none",
		Kernels: []backend.BuiltKernel{{
			Name: "k<int>", Symbol: "_Z1k",
			Resources: backend.Resources{Registers: 1, Shared: 2, Stack: 3, SpillStores: 4, SpillLoads: 5, Constant: 6, Barriers: 7, MaxThreads: backend.Unknown},
			PTX:       []backend.Instruction{{Address: -1, Text: "ret;", File: "f", Line: 3}},
			SASS:      []backend.Instruction{{Address: 16, Text: "EXIT"}},
		}, {Name: "none"}},
	}
	data := MarshalBuild(b)
	got, err := UnmarshalBuild(data)
	if err != nil || !reflect.DeepEqual(got, b) {
		t.Errorf("got %+v, %v", got, err)
	}
	for n := range data {
		if _, err := UnmarshalBuild(data[:n]); err == nil {
			t.Fatalf("%d of %d bytes are taken for a whole message", n, len(data))
		}
	}
}
