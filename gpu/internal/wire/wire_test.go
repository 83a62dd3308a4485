package wire

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// notSent are the fields that a device does not need, by type and name.
var notSent = map[string]bool{"Program.Beside": true}

// filled sets all fields of a value that are sent to values other than zero, and gives each list and map two elements.
func filled(v reflect.Value, next *int) {
	*next++
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem(), next)
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && !notSent[v.Type().Name()+"."+field.Name] {
				filled(v.Field(i), next)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			filled(v.Index(i), next)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, key := range []string{"a", "b"} {
			e := reflect.New(v.Type().Elem()).Elem()
			filled(e, next)
			v.SetMapIndex(reflect.ValueOf(key), e)
		}
	case reflect.String:
		v.SetString(fmt.Sprint("text ", *next))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(*next) + 0.5)
	case reflect.Uint8:
		v.SetUint(uint64(*next)%255 + 1)
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*next))
	default:
		v.SetInt(int64(-*next))
	}
}

// full returns a pointer to a filled value.
func full[T any]() *T {
	n, v := 0, new(T)
	filled(reflect.ValueOf(v).Elem(), &n)
	return v
}

// fullRequests returns one request of each kind, with question and answer.
func fullRequests() []Request {
	var list []Request
	for _, empty := range requests[1:] {
		r, n := empty(), 0
		filled(reflect.ValueOf(r).Elem(), &n)
		list = append(list, r)
	}
	return list
}

// TestRequests sends each kind of request and its answer, with all fields other than zero, so that it fails if a request's
// functions omit a field.
func TestRequests(t *testing.T) {
	for i, want := range fullRequests() {
		if want.kind() != kind(i+1) {
			t.Errorf("%T has index %d and kind %d", want, i+1, want.kind())
		}
		// The device process receives the question.
		asked, err := UnmarshalRequest(MarshalRequest(want))
		if err != nil {
			t.Errorf("%T: %v", want, err)
			continue
		}
		// The session receives the answer, in a request that has the question.
		answered, err := UnmarshalRequest(MarshalRequest(want))
		if err == nil {
			err = UnmarshalAnswer(MarshalAnswer(want, nil), answered)
		}
		if err != nil {
			t.Errorf("%T: %v", want, err)
			continue
		}
		if c, ok := want.(*CreateChunk); ok {
			c.Chunk.FD = -1 // sent beside the message
		}
		if !reflect.DeepEqual(answered, want) {
			t.Errorf("%T came back different:\ngot  %+v\nwant %+v", want, answered, want)
		}
		if reflect.TypeOf(asked) != reflect.TypeOf(want) {
			t.Errorf("%T came as %T", want, asked)
		}
	}
}

// TestWritingChangesNothing encodes requests that other goroutines encode at the same time, for the race detector.
func TestWritingChangesNothing(t *testing.T) {
	for _, r := range fullRequests() {
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				MarshalRequest(r)
				MarshalAnswer(r, nil)
			})
		}
		both.Wait()
	}
}

// TestOtherMessages is like TestRequests, for messages that are not requests.
func TestOtherMessages(t *testing.T) {
	hello := full[Hello]()
	if got, err := UnmarshalHello(hello.Marshal()); err != nil || !reflect.DeepEqual(got, hello) {
		t.Errorf("got %+v, %v, want %+v", got, err, hello)
	}
	hello.Err = nil
	if got, err := UnmarshalHello(hello.Marshal()); err != nil || got.Err != nil {
		t.Errorf("got %+v, %v, want no error in it", got, err)
	}
	failure := full[Failure]()
	if got, err := UnmarshalFailure(failure.Marshal(4096)); err != nil || !reflect.DeepEqual(got, failure) {
		t.Errorf("got %+v, %v, want %+v", got, err, failure)
	}
	views := *full[[]backend.View]()
	if got, err := UnmarshalViews(MarshalViews(views)); err != nil || !reflect.DeepEqual(got, views) {
		t.Errorf("got %+v, %v, want %+v", got, err, views)
	}
}

// TestFailedAnswers sends errors instead of answers.
func TestFailedAnswers(t *testing.T) {
	device := &backend.Error{Code: 2, Name: "CUDA_ERROR_OUT_OF_MEMORY", Message: "m", Fatal: true}
	refused := &backend.CompileError{Program: "p", Log: "l"}
	for _, c := range []struct{ failed, want error }{
		{device, device},
		{refused, refused},
		{fmt.Errorf("compiling: %w", refused), refused},
		{io.ErrUnexpectedEOF, &backend.Error{Code: 999, Name: "CUDA_ERROR_UNKNOWN", Message: "unexpected EOF"}},
	} {
		r := &MemInfo{}
		if err := UnmarshalAnswer(MarshalAnswer(&MemInfo{Free: 1}, c.failed), r); !reflect.DeepEqual(err, c.want) || r.Free != 0 {
			t.Errorf("%v came as %v, want %v, with %d", c.failed, err, c.want, r.Free)
		}
	}
}

// messages returns one message of each kind, and the functions that decode them.
func messages() (all [][]byte, read []func([]byte) error) {
	add := func(b []byte, f func([]byte) error) { all, read = append(all, b), append(read, f) }
	for _, r := range fullRequests() {
		add(MarshalRequest(r), func(b []byte) error { _, err := UnmarshalRequest(b); return err })
		add(MarshalAnswer(r, nil), func(b []byte) error { return UnmarshalAnswer(b, requests[r.kind()]()) })
	}
	add(full[Hello]().Marshal(), func(b []byte) error { _, err := UnmarshalHello(b); return err })
	add(full[Failure]().Marshal(4096), func(b []byte) error { _, err := UnmarshalFailure(b); return err })
	add(MarshalViews(*full[[]backend.View]()), func(b []byte) error { _, err := UnmarshalViews(b); return err })
	return all, read
}

func TestDamage(t *testing.T) {
	all, read := messages()
	for i, b := range all {
		for n := range b {
			if err := read[i](b[:n:n]); !errors.Is(err, ErrShort) {
				t.Fatalf("message %d cut to %d of %d bytes: got %v, want ErrShort", i, n, len(b), err)
			}
		}
		if err := read[i](append(b, 0)); !errors.Is(err, ErrShort) {
			t.Errorf("message %d with a byte too many: got %v, want ErrShort", i, err)
		}
	}
	if _, err := UnmarshalRequest(encode(func(c *coder) { c.word(uint64(kindEnd)) })); !errors.Is(err, ErrShort) {
		t.Errorf("a request of an unknown kind: %v, want ErrShort", err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	all, read := messages()
	for _, b := range all {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, r := range read {
			_ = r(b) // must neither panic nor allocate without limit
		}
	})
}

// TestEndlessList decodes a message with an impossible number of elements.
func TestEndlessList(t *testing.T) {
	b := encode(func(c *coder) { c.word(1 << 62); c.word(7) })
	if _, err := UnmarshalViews(b); !errors.Is(err, ErrShort) {
		t.Errorf("got %v, want ErrShort", err)
	}
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

// TestAsk sends a request from one end and an answer from the other, with a descriptor in both directions.
func TestAsk(t *testing.T) {
	a, fd, err := Pair()
	if err != nil {
		t.Fatal(err)
	}
	b := NewConn(fd)
	answered := make(chan error, 1)
	go func() {
		defer b.Close()
		for i := range 2 {
			msg, given, err := b.Receive()
			if err != nil {
				answered <- err
				return
			}
			r, err := UnmarshalRequest(msg)
			if err != nil || given < 0 {
				answered <- fmt.Errorf("descriptor %d, %w", given, err)
				return
			}
			c := r.(*CreateChunk)
			c.Chunk = backend.Chunk{Addr: c.Size + 1, Size: c.Size, FD: given} // sent back
			var failed error
			if i == 1 {
				failed = &backend.Error{Code: 2}
			}
			if err := b.Answer(r, failed); err != nil {
				answered <- err
				return
			}
		}
		answered <- nil
	}()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	req := &CreateChunk{Size: 41}
	if err := a.Ask(req, int(w.Fd())); err != nil || req.Chunk.Addr != 42 || req.Chunk.FD < 0 {
		t.Fatalf("got %+v, %v", req, err)
	}
	if _, err := syscall.Write(req.Chunk.FD, []byte("hi")); err != nil {
		t.Error(err)
	}
	syscall.Close(req.Chunk.FD)
	var refused *backend.Error
	if err := a.Ask(&CreateChunk{Size: 1}, int(w.Fd())); !errors.As(err, &refused) || refused.Code != 2 {
		t.Errorf("got %v, want error 2", err)
	}
	if err := <-answered; err != nil {
		t.Error(err)
	}
	w.Close()
	// All other copies of the pipe's end are closed; otherwise this would block forever.
	if text, err := io.ReadAll(r); string(text) != "hi" || err != nil {
		t.Errorf("the pipe gave %q, %v", text, err)
	}
	if err := a.Ask(&MemInfo{}, -1); !errors.Is(err, ErrBroken) {
		t.Errorf("request to a closed end: %v, want ErrBroken", err)
	}
	a.Close()
}
