package ring

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/internal/memfd"
)

// TestMain runs the consumer if the test binary was started as the other process.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "consume" {
		os.Exit(consumeInChild())
	}
	os.Exit(m.Run())
}

// onHeap returns a segment in memory that the race detector observes.
func onHeap() *Segment {
	words := make([]uint64, (segmentSize+7)/8)
	return format(unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), segmentSize))
}

// record returns record i of a stream, which depends on the seed and i alone, so that both sides can compute it.
func record(seed uint64, i int, buf []byte) []byte {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	n := r.IntN(200)
	switch r.IntN(50) {
	case 0:
		n = r.IntN(MaxRecord + 1)
	case 1:
		n = 0
	}
	buf = buf[:n]
	for j := 0; j < n; j += 97 {
		buf[j] = byte(r.Uint32())
	}
	return buf
}

func produce(s *Segment, seed uint64, count int) error {
	p := NewProducer(s)
	want := make([]byte, MaxRecord)
	for i := range count {
		rec := record(seed, i, want)
		b, err := p.Reserve(len(rec))
		if err != nil {
			return err
		}
		copy(b, rec)
		p.Commit()
		clear(rec)
	}
	return nil
}

func consume(s *Segment, seed uint64, count int) error {
	c := NewConsumer(s)
	want := make([]byte, MaxRecord)
	for i := range count {
		got, err := c.Next()
		if err != nil {
			return err
		}
		rec := record(seed, i, want)
		for j := 0; j < len(rec); j += 97 {
			if len(got) != len(rec) || got[j] != rec[j] {
				return fmt.Errorf("record %d: got %d bytes, want %d, or byte %d is wrong", i, len(got), len(rec), j)
			}
		}
		if len(got) != len(rec) {
			return fmt.Errorf("record %d: got %d bytes, want %d", i, len(got), len(rec))
		}
		clear(rec)
		c.Release()
	}
	return nil
}

func TestStress(t *testing.T) {
	const count = 20000
	for seed := range uint64(3) {
		s := onHeap()
		done := make(chan error)
		go func() { done <- consume(s, seed, count) }()
		if err := produce(s, seed, count); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
}

func TestStressTwoProcesses(t *testing.T) {
	s, fd, err := Create()
	if err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), "segment")
	defer f.Close()
	cmd := exec.Command(os.Args[0], "consume")
	cmd.ExtraFiles = []*os.File{f}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.Slot(5).Arm()
	if err := produce(s, childSeed, childCount); err != nil {
		t.Error(err)
	}
	status, value, data, err := s.Wait(5)
	if status != 7 || value != -3 || string(data) != "done" || err != nil {
		t.Errorf("slot: got %d, %d, %q, %v", status, value, data, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error("consumer:", err)
	}
	if err := s.Unmap(); err != nil {
		t.Error(err)
	}
}

const (
	childSeed  = 42
	childCount = 30000
)

func consumeInChild() int {
	s, err := Open(3)
	if err == nil {
		err = consume(s, childSeed, childCount)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	s.Slot(5).Finish(7, -3, copy(s.Slot(5).Data(), "done"))
	return 0
}

// A slow consumer makes the producer sleep, and a slow producer makes the consumer sleep; channels control the pace, so that both
// happen.
func TestBothSidesSleep(t *testing.T) {
	s := onHeap()
	p, c := NewProducer(s), NewConsumer(s)
	got := make(chan byte)
	go func() {
		defer close(got)
		for {
			b, err := c.Next()
			if err != nil {
				return
			}
			got <- b[0]
			c.Release()
		}
	}()
	const n = 40 // records whose total length is several rings
	filled := make(chan error)
	go func() {
		for i := range n {
			b, err := p.Reserve(MaxRecord)
			if err != nil {
				filled <- err
				return
			}
			b[0] = byte(i)
			p.Commit()
		}
		filled <- nil
	}()
	for s.head.producerParked.Load() == 0 {
	}
	for i := range n {
		if b := <-got; b != byte(i) {
			t.Fatalf("record %d: got %d", i, b)
		}
	}
	if err := <-filled; err != nil {
		t.Fatal(err)
	}
	for s.head.consumerParked.Load() == 0 {
	}
	b, err := p.Reserve(1)
	if err != nil {
		t.Fatal(err)
	}
	b[0] = 99
	p.Commit()
	if b := <-got; b != 99 {
		t.Errorf("got %d after the pause, want 99", b)
	}
	s.HangUp()
	<-got
}

func TestHangUpWakes(t *testing.T) {
	waits := map[string]struct {
		wait   func(s *Segment) error
		asleep func(s *Segment) bool
	}{
		"consumer": {
			func(s *Segment) error { _, err := NewConsumer(s).Next(); return err },
			func(s *Segment) bool { return s.head.consumerParked.Load() == 1 },
		},
		"producer": {
			func(s *Segment) error { return produce(s, 1, 1e6) },
			func(s *Segment) bool { return s.head.producerParked.Load() == 1 },
		},
		"slot": {
			func(s *Segment) error { s.Slot(1).Arm(); _, _, _, err := s.Wait(1); return err },
			func(s *Segment) bool { return s.Slot(1).parked.Load() == 1 },
		},
	}
	for name, w := range waits {
		t.Run(name, func(t *testing.T) {
			s := onHeap()
			done := make(chan error)
			go func() { done <- w.wait(s) }()
			for !w.asleep(s) {
			}
			s.HangUp()
			if err := <-done; !errors.Is(err, ErrHungUp) {
				t.Errorf("a sleeping %s: got %v, want ErrHungUp", name, err)
			}
			if err := w.wait(s); !errors.Is(err, ErrHungUp) {
				t.Errorf("a late %s: got %v, want ErrHungUp", name, err)
			}
		})
	}
}

func TestSlots(t *testing.T) {
	s := onHeap()
	done := make(chan string)
	for i := range Slots {
		s.Slot(i).Arm()
		go func() {
			status, value, data, err := s.Wait(i)
			done <- fmt.Sprint(status, value, string(data), err)
		}()
	}
	want := map[string]bool{}
	for i := range Slots {
		text := fmt.Sprint("slot ", i)
		want[fmt.Sprint(uint32(i), int64(-i), text, nil)] = true
		s.Slot(i).Finish(uint32(i), int64(-i), copy(s.Slot(i).Data(), text))
	}
	for range Slots {
		if got := <-done; !want[got] {
			t.Errorf("unexpected result %q", got)
		}
	}
}

// A device writes the word without waking; its process wakes when it sees that.
func TestDeviceFinishesSlot(t *testing.T) {
	s := onHeap()
	slot := s.Slot(3)
	for i := range 50 {
		slot.Arm()
		if slot.Done() {
			t.Fatal("done before anything happened")
		}
		got := make(chan string)
		go func() {
			status, value, data, err := s.Wait(3)
			got <- fmt.Sprint(status, value, len(data), err)
		}()
		if i%2 == 0 { // the waiter sleeps
			for slot.parked.Load() == 0 {
			}
		}
		go atomic.StoreUint32(slot.Word(), DoneWord)
		for !slot.DoneWithin(time.Millisecond) {
		}
		slot.Wake()
		if text, want := <-got, "0 0 0 <nil>"; text != want {
			t.Fatalf("got %s, want %s", text, want)
		}
	}
}

func TestRecordTooLong(t *testing.T) {
	p := NewProducer(onHeap())
	for _, n := range []int{-1, MaxRecord + 1} {
		if _, err := p.Reserve(n); !errors.Is(err, ErrTooLong) {
			t.Errorf("Reserve(%d): got %v, want ErrTooLong", n, err)
		}
	}
}

func TestOpenRefusesOtherMemory(t *testing.T) {
	for name, size := range map[string]int{"short": 4096, "unformatted": segmentSize} {
		fd, err := memfd.Create("test", size)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(fd); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: got %v, want ErrCorrupt", name, err)
		}
		os.NewFile(uintptr(fd), name).Close()
	}
	if _, err := Open(1 << 20); err == nil {
		t.Error("an invalid descriptor was opened")
	}
}

func TestLastWords(t *testing.T) {
	s := onHeap()
	if got := s.LastWords(); got != nil {
		t.Errorf("got %q before SetLastWords", got)
	}
	s.SetLastWords(bytes.Repeat([]byte("x"), 2*LastWordsBytes))
	if got := s.LastWords(); len(got) != LastWordsBytes {
		t.Errorf("got %d bytes, want %d", len(got), LastWordsBytes)
	}
}

// FuzzConsumer runs the consumer on a ring with arbitrary contents. It must return an error or a record within the ring, and must
// not stop.
func FuzzConsumer(f *testing.F) {
	good := binary.NativeEndian.AppendUint32(nil, recordAlign)
	good = binary.NativeEndian.AppendUint32(good, 20)
	good = append(good, make([]byte, recordAlign-len(good))...)
	f.Add(good)
	f.Add(append(bytes.Repeat([]byte{0}, 8), good...))
	f.Add(bytes.Repeat([]byte{0xff}, 64))
	f.Add(bytes.Repeat(good, 4))
	f.Fuzz(func(t *testing.T, content []byte) {
		s := onHeap()
		copy(s.data, content)
		s.head.hungUp.Store(1) // so that ErrHungUp comes after the last record
		c := NewConsumer(s)
		for {
			b, err := c.Next()
			if err != nil {
				if !errors.Is(err, ErrHungUp) && !errors.Is(err, ErrCorrupt) {
					t.Fatal(err)
				}
				return
			}
			io.Discard.Write(b)
			c.Release()
			if c.tail >= ringSize {
				return // the records repeat, since it is a ring
			}
		}
	})
}

func BenchmarkPush(b *testing.B) {
	s := onHeap()
	go func() {
		c := NewConsumer(s)
		for {
			if _, err := c.Next(); err != nil {
				return
			}
			c.Release()
		}
	}()
	p := NewProducer(s)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Reserve(96); err != nil {
			b.Fatal(err)
		}
		p.Commit()
	}
	s.HangUp()
}
