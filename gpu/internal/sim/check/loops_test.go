package check

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

func TestWaitingReads(t *testing.T) {
	const assembly = `	.cfi_startproc
.L2:
	call	__tsan_volatile_read4@PLT
	call	_Z1fv@PLT
	testl	%eax, %eax
	je	.L2
.L3:
	call	__tls_get_addr@PLT
	call	__tsan_volatile_read8@PLT
	je	.L3
	call	__tsan_volatile_read4@PLT
	call	__tsan_write4@PLT
	jmp	.L3
	.cfi_startproc
	call	__tsan_volatile_read4@PLT
	jmp	.L3
`
	if got := fmt.Sprint(slices.Sorted(maps.Keys(waitingReads([]byte(assembly))))); got != "[8]" {
		t.Errorf("lines %s wait, want [8]", got)
	}
}

func TestStraightAccesses(t *testing.T) {
	const assembly = `	.cfi_startproc
	call	__tsan_volatile_read4@PLT
.L2:
	call	__tsan_volatile_read4@PLT
	jmp	.L4
.L3:
	call	__tsan_volatile_write4@PLT
.L4:
	jne	.L3
	call	_Z1fv@PLT
	je	.L2
	call	__tsan_volatile_write8@PLT
	je	.L5
.L5:
	ret
	.cfi_endproc
	.cfi_startproc
	call	__tsan_volatile_read4@PLT
	jmp	.L3
	.cfi_endproc
`
	if got := fmt.Sprint(slices.Sorted(maps.Keys(straightAccesses([]byte(assembly))))); got != "[1 11 17]" {
		t.Errorf("lines %s stand in no loop, want [1 11 17]", got)
	}
}
