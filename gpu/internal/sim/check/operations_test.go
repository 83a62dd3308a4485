package check

import (
	"bytes"
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

func TestOperationOfARM(t *testing.T) {
	for text, want := range map[string]operation{
		"fadd\ts0, s0, s1":                    {backend.MetricFAdd, 1},
		"fsub\td0, d1, d2":                    {backend.MetricDAdd, 1},
		"fnmul\ts0, s1, s2":                   {backend.MetricFMul, 1},
		"fsqrt\td0, d0":                       {backend.MetricDMul, 1},
		"fmul\tv0.4s, v1.4s, v2.s[0]":         {backend.MetricFMul, 4},
		"fadd\tv0.2d, v1.2d, v2.2d":           {backend.MetricDAdd, 2},
		"fmadd\ts0, s1, s2, s3":               {backend.MetricFFMA, 1},
		"fnmsub\td0, d1, d2, d3":              {backend.MetricDFMA, 1},
		"fmla\tv0.2s, v1.2s, v2.2s":           {backend.MetricFFMA, 2},
		"bl\tfmaf":                            {backend.MetricFFMA, 1},
		"b\tfma":                              {backend.MetricDFMA, 1},
		"bl\tfmax":                            {},
		"add\tx0, x0, 1":                      {},
		"fmov\ts0, 1.0e+0":                    {},
		"fcmpe\ts0, s1":                       {},
		"fadd\th0, h0, h1":                    {},
		"add\tx0, x1, x2 // fadd\ts0, s0, s1": {},
		"fmaxnm\ts0, s1, s2":                  {},
	} {
		if got, ok := operationOfARM(text); got != want || ok != (want.n > 0) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestRewriteOperations(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"amd64": {"\t.text\n\taddss\t%xmm1, %xmm0\n\tjne\t.L2\n\tmulpd\t%xmm1, %xmm0\n", []string{
			".Lgw_site0:\n\tmovq\tgw_operations+0(%rip), %r11\n\tleaq\t1(%r11), %r11\n\tmovq\t%r11, gw_operations+0(%rip)\n\taddss\t%xmm1, %xmm0\n\tjne\t.L2\n",
			"\tleaq\t2(%r11), %r11\n\tmovq\t%r11, gw_operations+8(%rip)\n\tmulpd",
			"gw_operations:\n\t.zero\t16\n", "\t.long\t.Lgw_site1 - .\n\t.long\t4\n",
		}},
		"arm64": {"\t.text\n\tfadd\ts0, s0, s1\n\tfmul\tv0.2d, v1.2d, v2.2d\n", []string{
			".Lgw_site0:\n\tadrp\tx14, gw_operations+0\n\tldr\tx15, [x14, :lo12:gw_operations+0]\n\tadd\tx15, x15, 1\n\tstr\tx15, [x14, :lo12:gw_operations+0]\n\tfadd\ts0, s0, s1\n",
			"\tadd\tx15, x15, 2\n", "gw_operations:\n\t.zero\t16\n", "\t.long\t.Lgw_site1 - .\n\t.long\t4\n",
		}},
	} {
		var out bytes.Buffer
		w := operationWriter{out: &out, counter: counterKinds[name]}
		for line := range strings.Lines(c.in) {
			w.before(strings.TrimSpace(line))
			out.WriteString(line)
		}
		w.end()
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: %q is missing in\n%s", name, want, out.String())
			}
		}
	}
}
