package ptx

import (
	"strconv"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

func TestEdits(t *testing.T) {
	for source, want := range map[string]string{
		`asm("mov.u32 %0, %1;" : "=r"(x) : "r"(y));`:                                       "do { ::gwptx::Reg gw_0; ::gwptx::Reg gw_1 = ::gwptx::in((y)); gw_0.set<uint32_t>(uint32_t(gw_1.get<uint32_t>())); ::gwptx::out((x), gw_0); } while (0);",
		"asm volatile(\"membar.gl;\"\n  ::: \"memory\");\nx++;":                            "do { __threadfence(); } while (0)\n;\nx++;",
		"#define FENCE \\\n  asm volatile(\"fence.sc.gpu;\" \\\n  ::: \"memory\")\nint a;": "#define FENCE \\\n  do { __threadfence(); } while (0)\\\n\nint a;",
		`asm("L: add.s32 %0, %0, 1; bra.uni L;" : "+r"(x));`:                               "do { __label__ gw_label_0; ::gwptx::Reg gw_0 = ::gwptx::in((x)); gw_label_0:; gw_0.set<int32_t>(int32_t(uint32_t(uint32_t(gw_0.get<int32_t>()) + uint32_t(int32_t(1ll))))); goto gw_label_0; ::gwptx::out((x), gw_0); } while (0);",
		"asm(\"membar.gl;\" // all\n\"membar.gl;\" /* more */ ::: \"memory\");":            "do { __threadfence(); __threadfence(); } while (0)\n;",
		"asm(\"membar.gl;\" :: \"r\"(x // one\n  + 1));":                                   "do { ::gwptx::Reg gw_0 = ::gwptx::in((x + 1)); __threadfence(); } while (0)\n;",
		`asm volatile("again: decl %0\n jnz again" : "+r"(x));`:                            `asm volatile("again: decl %0\n jnz again" : "+r"(x));`,
		`asm volatile("" ::: "memory");`:                                                   `asm volatile("" ::: "memory");`,
		`asm volatile("rdtsc" : "=a"(a), "=d"(d));`:                                        `asm volatile("rdtsc" : "=a"(a), "=d"(d));`,
		`asm("movl %1, %0" : "=r"(a) : "r"(b));`:                                           `asm("movl %1, %0" : "=r"(a) : "r"(b));`,
		`// asm("mov.u32 %0, %1;" : "=r"(x) : "r"(y));`:                                    `// asm("mov.u32 %0, %1;" : "=r"(x) : "r"(y));`,
		`asm("b.eq 1f" : : );`:                                                             `asm("b.eq 1f" : : );`,
	} {
		if got := cudac.Apply(source, Edits(source)); got != want {
			t.Errorf("%s\nbecame\n%s, want\n%s", source, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for text, want := range map[string]string{
		`wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0}, %1;`: `"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16" is not among the instructions`,
		`wgmma.mma_async.sync.aligned.m64n8k16.f32.f32.f16{%0}, %1;`:  `"wgmma.mma_async.sync.aligned.m64n8k16.f32.f32.f16" is not among the instructions`,
		`mov.u32 %0, %envreg3;`:                   "it has no register %envreg3",
		`fma.rz.f32 %0, %0, %0, %0;`:              "fma.rz.f32",
		`min.NaN.f32 %0, %0, %0;`:                 "min.NaN.f32",
		`prmt.b32.f4e %0, %0, %0, %0;`:            "prmt.b32.f4e",
		`cvt.rn.satfinite.e4m3x2.f32 %0, %0, %0;`: "cvt.rn.satfinite",
		`mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0}, {%0}, {%0}, {%0};`:   `m16n8k8.row.col.f32.tf32.tf32.f32" takes 4 registers for its matrix d, not 1`,
		`mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0}, {%0}, {%0}, {%0};`:      "mma.sync.aligned.m8n8k4",
		`mma.sync.aligned.m16n8k16.row.col.f32.bf16.f16.f32 {%0}, {%0}, {%0}, {%0};`:   "mma.sync.aligned.m16n8k16",
		`mma.sync.aligned.m16n8k16.row.col.bf16.bf16.bf16.f32 {%0}, {%0}, {%0}, {%0};`: "mma.sync.aligned.m16n8k16",
		`ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0}, [%0];`:                         "takes 2 registers, not 1",
		`stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%0, %1};`:                     "takes 4 registers, not 2",
		`stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%0], {%0};`:                   "stmatrix.sync.aligned.m16n8",
		`ldmatrix.sync.aligned.m8n16.x1.shared.b8 {%0}, [%0];`:                         "ldmatrix.sync.aligned.m8n16",
		`add.ftz.f16x2 %0, %0, %0;`:                                                    "add.ftz.f16x2",
		`div.f16 %0, %0, %0;`:                                                          "div.f16",
		`cvt.rz.f16.f32 %0, %0;`:                                                       "cvt.rz.f16.f32",
		`{ .reg .pred p; @p bra DONE; mov.u32 %0, 1; }`:                                "it has no label DONE",
		`AGAIN: mov.u32 %0, 1; AGAIN: bra AGAIN;`:                                      "the label AGAIN stands there twice",
		`{ .reg .pred %p1; mov.u32 %0, 3; }`:                                           `"%p" is a modifier of an operand, which nvcc refuses: write "%%p"`,
		`mov.u32 %0, x;`:                                                               `"x" is no operand`,
		`bar.sync 1, 64;`:                                                              "of barriers it has number 0 for all threads",
		`add.rz.f32 %0, %0, %0;`:                                                       "add.rz.f32",
		`ld.global.u32 %0, %0;`:                                                        "is no address",
		`atom.global.add.noftz.f16x2 %0, [%0], %0;`:                                    "atom.global.add.noftz.f16x2",
		`setp.lt.and.s32 p, %0, %0, q;`:                                                `"q" is no operand`,
	} {
		source := "int a;\nasm volatile(\"" + text + "\"\n: \"+r\"(x));"
		var pragma, reason string
		if got := cudac.Apply(source, Edits(source)); strings.HasPrefix(got, "int a;\n_Pragma(") && strings.HasSuffix(got, ")\n;") {
			pragma, _ = strconv.Unquote(got[len("int a;\n_Pragma(") : len(got)-len(")\n;")])
		}
		if quoted, ok := strings.CutPrefix(pragma, "GCC error "); ok {
			reason, _ = strconv.Unquote(quoted)
		}
		if !strings.Contains(reason, want) {
			t.Errorf("%s: reason %q, want %q", text, reason, want)
		}
	}
}
