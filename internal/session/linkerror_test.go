package session

import (
	"errors"
	"testing"
)

func TestLinkError(t *testing.T) {
	const command = "/go/pkg/tool/linux_amd64/link: running ./link-cell failed: exit status 1\n./link-cell -m64 -o /tmp/gopherwarp-1/cells/c5.so /tmp/gopherwarp-1/tmp/command-2/go-link-3/go.o -O2 -lpthread\n"
	for name, c := range map[string]struct{ said, want string }{
		"mold":                   {command + "mold: error: /tmp/gopherwarp-1/tmp/command-2/go-link-3/go.o:(.text): R_X86_64_PC32 relocation at offset 0xc0393 against symbol `runtime.nothing' can not be used; recompile with -fPIC: exit status 2", "link the cell: there is no function runtime.nothing: write its body, or correct the name after //go:linkname"},
		"ld":                     {command + "/usr/bin/ld: /tmp/gopherwarp-1/tmp/command-2/go-link-3/go.o: relocation R_X86_64_PC32 against undefined symbol `main/c5.Ͼf' can not be used when making a shared object; recompile with -fPIC\n/usr/bin/ld: final link failed: bad value: exit status 2", "link the cell: there is no function main.f: write its body, or correct the name after //go:linkname"},
		"lld":                    {command + "ld.lld: error: undefined symbol: f\n>>> referenced by go.go: exit status 2", "link the cell: there is no function f: write its body, or correct the name after //go:linkname"},
		"a library":              {command + "mold: fatal: library not found: nowhere: exit status 2", "link the cell: mold: fatal: library not found: nowhere"},
		"a file of the session":  {"link: /tmp/gopherwarp-1/cells/c5.a: unexpected EOF: exit status 1", "link the cell: cells/c5.a: unexpected EOF"},
		"a symbol of two":        {"link: duplicated definition of symbol runtime.nanotime, from runtime (type STEXT size 38) and main/c1 (type STEXT size 6): exit status 1", "link the cell: duplicated definition of symbol runtime.nanotime, from runtime (type STEXT size 38) and main/c1 (type STEXT size 6)"},
		"a command that is lost": {"fork/exec /go/pkg/tool/linux_amd64/link: no such file or directory", "link the cell: fork/exec /go/pkg/tool/linux_amd64/link: no such file or directory"},
	} {
		said := errors.New(c.said)
		got := linkError(said, "/tmp/gopherwarp-1")
		if got.Error() != c.want || !errors.Is(got, said) {
			t.Errorf("%s: %v\nwant %s", name, got, c.want)
		}
	}
}
