#include "textflag.h"

// callC is called by the C calling convention with a *call in DI, on a thread's system stack:
// that is what runtime.cgocall does. It hands the arguments on as System V's ABI for AMD64
// (section 3.2.3) wants them: six in registers, five on a stack that is aligned to 16 bytes.
TEXT callC<>(SB), NOSPLIT|NOFRAME, $0
	PUSHQ BP
	MOVQ  SP, BP
	PUSHQ BX
	SUBQ  $40, SP
	MOVQ  DI, BX
	MOVQ  56(BX), AX
	MOVQ  64(BX), CX
	MOVQ  72(BX), DX
	MOVQ  80(BX), SI
	MOVQ  88(BX), DI
	MOVQ  AX, 0(SP)
	MOVQ  CX, 8(SP)
	MOVQ  DX, 16(SP)
	MOVQ  SI, 24(SP)
	MOVQ  DI, 32(SP)
	MOVQ  8(BX), DI
	MOVQ  16(BX), SI
	MOVQ  24(BX), DX
	MOVQ  32(BX), CX
	MOVQ  40(BX), R8
	MOVQ  48(BX), R9
	MOVQ  0(BX), R10
	XORL  AX, AX
	CALL  R10
	MOVL  AX, 96(BX)
	XORL  AX, AX
	ADDQ  $40, SP
	POPQ  BX
	POPQ  BP
	RET

GLOBL ·callCAddress(SB), NOPTR|RODATA, $8
DATA ·callCAddress(SB)/8, $callC<>(SB)
