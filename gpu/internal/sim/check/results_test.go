package check

import (
	"bytes"
	"strings"
	"testing"
)

// Only stores between the call of a function and the next jump, label or call of the sanitizer's are announced.
func TestResults(t *testing.T) {
	const in = `	.cfi_startproc
	movq	%rsp, %rbp
	vmovss	%xmm0, (%rax)
	call	_Z1fv@PLT
	movq	-144(%rbp), %rcx
	movq	%rax, 8(%rsp)
	movq	%rax, -8(%rbp)
.LVL3:
	vmovq	%xmm0, (%r14,%rax,8)
	vmovdqa	%ymm1, 16(%r14)
	vpextrq	$1, %xmm0, 8(%rcx)
	movl	%eax, result(%rip)
	rep movsq
	call	__tsan_write4@PLT
	movl	%eax, (%rcx)
	call	*%rax
	je	.L2
	movl	%eax, (%rcx)
	call	*%rax
.L2:
	movl	%eax, (%rcx)
	.cfi_startproc
	call	_Z1fv@PLT
	movw	%ax, -8(%rbp)
`
	const want = `	leaq	(%r14,%rax,8), %r11
	call	*gw_write8@GOTPCREL(%rip)
	leaq	16(%r14), %r11
	call	*gw_write32@GOTPCREL(%rip)
	leaq	8(%rcx), %r11
	call	*gw_write8@GOTPCREL(%rip)
	leaq	result(%rip), %r11
	call	*gw_write4@GOTPCREL(%rip)
	movq	%rdi, %r11
	call	*gw_write0@GOTPCREL(%rip)
	leaq	-8(%rbp), %r11
	call	*gw_write2@GOTPCREL(%rip)
`
	var out bytes.Buffer
	w := resultWriter{out: &out}
	for line := range strings.Lines(in) {
		w.before(strings.TrimSpace(line))
	}
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
