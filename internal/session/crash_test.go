package session

import (
	"fmt"
	"slices"
	"testing"
)

func TestCrashReports(t *testing.T) {
	for _, tc := range []struct {
		name, dump, why string
		frames          []string // innermost first
	}{
		{
			"a goroutine",
			"panic: at the bottom\n\tpanic: again\n\ngoroutine 12 [running]:\nmain.(*T).boom(...)\n\tcell[5]:2\nmain.cell.func1()\n\tcell[5]:3 +0x25\ncreated by time.goFunc\n\t/usr/local/go/src/time/sleep.go:215 +0x2d\n\ngoroutine 1 [running]:\nmain.other()\n\tcell[1]:1\n",
			"panic: at the bottom",
			[]string{"main.(*T).boom cell[5]:2", "main.cell.func1 cell[5]:3"},
		},
		{
			"a stack overflow",
			"runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\nruntime stack:\nruntime.throw({0x1?, 0x2?})\n\t/usr/local/go/src/runtime/panic.go:1229 +0x4a fp=0x1 sp=0x2 pc=0x3\n\ngoroutine 5 gp=0xc5 m=7 mp=0xc6 [running]:\nmain.f(...)\n\tcell[4]:1\nmain.f(0x0?)\n\tcell[4]:1 +0x17 fp=0xc5 sp=0xc5 pc=0x7\nmain.f(...)\n\tcell[4]:1\nmain.f(...)\n\tcell[4]:1\nmain.cell()\n\tcell[4]:3 +0x1 fp=0x1\n",
			"fatal error: stack overflow",
			[]string{"main.f cell[4]:1", "main.f cell[4]:1", "main.f cell[4]:1", "main.cell cell[4]:3"},
		},
		{
			"C",
			"SIGSEGV: segmentation violation\nPC=0x7f15c9989ad8 m=0 sigcode=1 addr=0x1\nsignal arrived during cgo execution\n\ngoroutine 26 gp=0x3 m=0 mp=0xa [syscall]:\nruntime.cgocall(0x7, 0x3)\n\t/usr/local/go/src/runtime/cgocall.go:167 +0x56 fp=0x3\nmain.cell()\n\tcell[7]:5 +0xa6 fp=0x3\n",
			"a crash in C code: SIGSEGV: segmentation violation",
			[]string{"main.cell cell[7]:5"},
		},
		{
			"Go that reads what is not there",
			"unexpected fault address 0x400000000000\nfatal error: fault\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x4 pc=0x7]\n\ngoroutine 5 [running]:\ncreated by main.cell in goroutine 3\n\tcell[2]:9 +0x1\n",
			"fatal error: fault, SIGSEGV: segmentation violation",
			[]string{"main.cell cell[2]:9"},
		},
		{"nothing", "", "", nil},
	} {
		if got := crashReason(tc.dump); got != tc.why {
			t.Errorf("%s: cause %q, want %q", tc.name, got, tc.why)
		}
		var got []string
		for _, f := range crashFrames(tc.dump) {
			got = append(got, fmt.Sprintf("%s %s:%d", f.Func, f.File, f.Line))
		}
		if !slices.Equal(got, tc.frames) {
			t.Errorf("%s: frames %q, want %q", tc.name, got, tc.frames)
		}
	}
}

func TestDemangled(t *testing.T) {
	for text, want := range map[string]string{
		"main/c12.(*Ͼbox).Ͼget.func1(0x1)\n": "main.(*box).get.func1(0x1)\n",
		"main/c3.ϾϾcell()":                   "main.cell()",
		"Ͼ is a letter, and main/c is text":  "Ͼ is a letter, and main/c is text",
	} {
		if got := demangled(text); got != want {
			t.Errorf("demangled(%q) is %q, want %q", text, got, want)
		}
	}
}
