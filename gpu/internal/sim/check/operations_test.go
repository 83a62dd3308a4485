package check

import (
	"runtime"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

func TestOperationOf(t *testing.T) {
	for text, want := range map[string]operation{
		"addss\t.LC0(%rip), %xmm0":             {backend.MetricFAdd, 1},
		"vsubsd\t%xmm1, %xmm0, %xmm0":          {backend.MetricDAdd, 1},
		"divss\t%xmm1, %xmm0":                  {backend.MetricFMul, 1},
		"sqrtsd\t%xmm1, %xmm0":                 {backend.MetricDMul, 1},
		"mulps\t%xmm1, %xmm0":                  {backend.MetricFMul, 4},
		"vaddpd\t%ymm1, %ymm0, %ymm0":          {backend.MetricDAdd, 4},
		"vfmadd231ss\t%xmm1, %xmm0, %xmm2":     {backend.MetricFFMA, 1},
		"vfnmsub132pd\t%zmm1, %zmm0, %zmm2":    {backend.MetricDFMA, 8},
		"call\tfmaf@PLT":                       {backend.MetricFFMA, 1},
		"jmp\tfma":                             {backend.MetricDFMA, 1},
		"addsd_of_mine\t%xmm0":                 {},
		"addq\t$1, %rax":                       {},
		"call\tfmax@PLT":                       {},
		"cvtss2sd\t%xmm0, %xmm0":               {},
		"rsqrtss\t%xmm0, %xmm0":                {},
		"xorps\t.LC1(%rip), %xmm0":             {},
		"ucomiss\t%xmm1, %xmm0":                {},
		"imulq\t%rdx, %rax":                    {},
		"addl\t%eax, %ebx # addss\t%xmm, %xmm": {},
	} {
		if got, ok := operationOf(text); got != want || ok != (want.n > 0) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestRewriteOperations(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("SKIPPED: operations are counted on amd64 alone")
	}
	got := string(Rewrite([]byte("\t.text\n\taddss\t%xmm1, %xmm0\n\tjne\t.L2\n\tmulpd\t%xmm1, %xmm0\n")))
	for _, want := range []string{
		".Lgw_site0:\n\tmovq\tgw_operations+0(%rip), %r11\n\tleaq\t1(%r11), %r11\n\tmovq\t%r11, gw_operations+0(%rip)\n\taddss\t%xmm1, %xmm0\n\tjne\t.L2\n",
		"\tleaq\t2(%r11), %r11\n\tmovq\t%r11, gw_operations+8(%rip)\n\tmulpd",
		"gw_operations:\n\t.zero\t16\n", "\t.long\t.Lgw_site1 - .\n\t.long\t4\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}
