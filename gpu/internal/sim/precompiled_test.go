package sim

import (
	"slices"
	"strings"
	"testing"

	checkmode "github.com/gopherwarp/gopherwarp/gpu/internal/sim/check"
)

// TestPrecompiledIsRead asks g++ which files it reads for a kernel. It marks a precompiled header that it uses by an exclamation mark.
func TestPrecompiledIsRead(t *testing.T) {
	tools, err := findToolchain()
	check(t, err)
	if tools.clang {
		t.Skip("SKIPPED: clang++ fails if a precompiled header does not fit")
	}
	for name, checked := range map[string]bool{"plain": false, "in check mode": true} {
		t.Run(name, func(t *testing.T) {
			h := header{preludeHeader, checked}
			tmp := t.TempDir()
			if !tools.isPrecompiled(h) {
				tools.precompile(tmp, h)
			}
			args := slices.Concat(tools.commonFlags(), tools.kernelFlags())
			if checked {
				args = append(args, checkmode.CompilerFlags(false, false)...)
			}
			args = append(args, tools.include(h, true)...)
			log, err := tools.run(tmp, []byte("__global__ void k() {}\n"), append(args, "-H", "-S", "-o", "k.s", "-x", "c++", "-")...)
			if err != nil || !strings.Contains(log, "! "+tools.precompiled(h)) {
				t.Errorf("%v\n%s", err, log[:min(len(log), 2000)])
			}
		})
	}
}
