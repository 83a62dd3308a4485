package sanitizer

import (
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// The logs in testdata were written by compute-sanitizer 2025.3.1 on an H200.
func TestReadLog(t *testing.T) {
	h := &helper{
		files:   map[string]bool{"k.cu": true, "load_without_barrier.cu": true, "async_copy.cu": true},
		symbols: map[string]source{"_Z3oobPii": {"oob", "k.cu"}, "sync": {"sync", "k.cu"}, "mis": {"mis", "k.cu"}, "rd": {"rd", "k.cu"}, "_Z6stagedPKfPf": {"staged", "async_copy.cu"}},
		placed: []placed{
			{addr: 0x7f9c42800000, region: region{Size: 256}, views: []backend.View{{Addr: 0x7f9c42800000, Size: 256, Elem: 4, Name: "x"}}},
			{addr: 0x7fd7ca800000, region: region{Size: 256}, views: []backend.View{{Addr: 0x7fd7ca800000, Size: 256, Elem: 4, Name: "x"}}},
			{addr: 0x7febe6801200, region: region{Size: 256}, views: []backend.View{{Addr: 0x7febe6801200, Size: 256, Elem: 4, Name: "x"}}},
			{addr: 0x7fd63e800000, region: region{Size: 256}, views: []backend.View{{Addr: 0x7fd63e800000, Size: 256, Elem: 4, Name: "x"}}},
		},
	}
	for _, tc := range []struct {
		file, tool string
		want       []backend.Finding
	}{
		{"out_of_bounds", memcheck, []backend.Finding{
			{
				Kind: backend.KindOutOfBounds, Program: "k.cu", Kernel: "_Z2rdPii", Line: 3, Count: 2,
				Message: "reads x[64], but x has 64 elements (0 to 63): check the index before using it",
			},
			{
				Kind: backend.KindOutOfBounds, Program: "k.cu", Kernel: "oob", Line: 1, Thread: [3]int{63, 0, 0}, Count: 1,
				Message: "writes x[64], but x has 64 elements (0 to 63): check the index before using it",
			},
		}},
		{"freed", memcheck, []backend.Finding{{
			Kind: backend.KindUseAfterFree, Program: "k.cu", Kernel: "oob", Line: 3, Thread: [3]int{28, 0, 0}, Count: 2,
			Message: "writes 4 bytes at 0x400000200000, where there is no buffer any more: a pointer to it was kept somewhere",
		}}},
		{"misaligned", memcheck, []backend.Finding{{
			Kind: backend.KindMisaligned, Program: "k.cu", Kernel: "mis", Line: 18, Count: 2,
			Message: "writes 4 bytes at once at x[0], which does not begin at a multiple of 4 bytes: a GPU ends the kernel for that",
		}}},
		{"uninitialised", initcheck, []backend.Finding{{
			Kind: backend.KindUninitialised, Program: "k.cu", Kernel: "rd", Line: 6, Thread: [3]int{32, 0, 0}, Count: 2,
			Message: "reads x[32], which nothing has written since the buffer was made: gpu.Zeros or a copy gives it values",
		}}},
		{"barrier", synccheck, []backend.Finding{{
			Kind: backend.KindDivergentBarrier, Program: "k.cu", Kernel: "sync", Line: 14, Thread: [3]int{32, 0, 0}, Count: 4,
			Message: "not all threads of the warp come to this barrier: a __syncthreads() must not stand where only some threads go",
		}}},
		{"mbarrier", synccheck, []backend.Finding{{
			Kind: backend.KindDivergentBarrier, Program: "async_copy.cu", Kernel: "staged", Line: 74, Count: 1, Warning: true,
			Message: "a barrier object is not waited for as it must be: Missing wait (the tool says so of mbarrier_arrive.h, a library's header, whose ways to order threads it does not all know)",
		}}},
		{"variable", memcheck, []backend.Finding{{
			Kind: backend.KindOutOfBounds, Program: "atomic_past_end.cu", Kernel: "_Z1kPKhPj", Line: 6, Thread: [3]int{63, 0, 0}, Count: 1,
			Message: "changes (atomically) 4 bytes 1 byte behind the end of 252 bytes that are a variable of the program, or from malloc: check the index before using it",
		}}},
		{"heap", memcheck, []backend.Finding{{
			Kind: backend.KindOutOfBounds, Program: "heap_after_free.cu", Kernel: "_Z1kPi", Line: 17, Count: 2,
			Message: "reads 8 bytes of the heap at 0x205dfb9c8, which malloc has not given, or free has taken back",
		}}},
		{"far_away", memcheck, []backend.Finding{{
			Kind: backend.KindOutOfBounds, Program: "far_away.cu", Kernel: "_Z1kPKiPi", Line: 7, Thread: [3]int{32, 0, 0}, Count: 1,
			Message: "reads 4 bytes at 0x7febe687d000, where there is no buffer, and nothing that malloc has given",
		}}},
		{"stack", memcheck, []backend.Finding{{
			Kind: backend.KindFault, Program: "endless_recursion.cu", Kernel: "_Z1kPKiPi", Line: 5, Count: 1,
			Message: "the thread's stack is full: functions call each other too deep",
		}}},
		{"race", racecheck, []backend.Finding{{
			Kind: backend.KindRace, Program: "load_without_barrier.cu", Kernel: "_Z1kPKfPf", Line: 8, Thread: [3]int{96, 0, 0}, Count: 2,
			Message: "writes a byte of shared memory, which thread (31,0,0) reads on line 9, with no __syncthreads() between: which comes first is chance",
		}}},
		{"nothing", racecheck, nil},
		{"driver_errors", memcheck, nil}, // of the host's calls
	} {
		t.Run(tc.file, func(t *testing.T) {
			log, err := os.ReadFile("testdata/" + tc.file + ".log")
			if err != nil {
				t.Fatal(err)
			}
			h.tool = tc.tool
			got := readLog(string(log), h)
			for i := range max(len(got), len(tc.want)) {
				switch {
				case i >= len(got):
					t.Errorf("nothing for %+v", tc.want[i])
				case i >= len(tc.want):
					t.Errorf("got %+v too", got[i])
				default:
					tc.want[i].Tool = tc.tool
					if got[i] != tc.want[i] {
						t.Errorf("got  %+v\nwant %+v", got[i], tc.want[i])
					}
				}
			}
		})
	}
}

// A pointer that an earlier kernel got from malloc is invalid in a helper, which is no defect of the kernel that uses it.
func TestMemoryOfEarlierKernels(t *testing.T) {
	log, err := os.ReadFile("testdata/heap.log")
	if err != nil {
		t.Fatal(err)
	}
	for pointer, strange := range map[uint64]bool{0x205dfb9a0: true, 0x205dfba70: false, 0x205000000: false} {
		data := binary.NativeEndian.AppendUint64(make([]byte, 8), pointer)
		h := &helper{tool: memcheck, job: &job{Regions: []region{{Data: data}}}}
		if found := readLog(string(log), h); h.strange != strange || strange != (len(found) == 0) {
			t.Errorf("a pointer to %#x: %v, %+v", pointer, h.strange, found)
		}
	}
}

// A finding in a library's header is a warning, and one in the user's own file is not.
func TestHeadersOfLibraries(t *testing.T) {
	log, err := os.ReadFile("testdata/race.log")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(log), "load_without_barrier.cu", "cuda_ptx_generated.h")
	for own, warning := range map[string]bool{"cuda_ptx_generated.h": false, "mine.cu": true} {
		h := &helper{tool: racecheck, files: map[string]bool{own: true}}
		found := readLog(text, h)
		if len(found) == 0 || found[0].Warning != warning || strings.Contains(found[0].Message, "library's header") != warning {
			t.Errorf("%s is the user's: %+v", own, found)
		}
	}
}
