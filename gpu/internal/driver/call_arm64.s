#include "textflag.h"

// callC is called by the C calling convention with a *call in R0, on a thread's system stack:
// that is what runtime.cgocall does. It hands the arguments on as the procedure call standard for
// AArch64 (section 6.8) wants them: eight in registers, three on a stack that is aligned to 16 bytes.
TEXT callC<>(SB), NOSPLIT|NOFRAME, $0
	SUB  $64, RSP
	STP  (R29, R30), 32(RSP)
	MOVD R19, 48(RSP)
	ADD  $32, RSP, R29
	MOVD R0, R19
	MOVD 0(R19), R9
	LDP  72(R19), (R10, R11)
	MOVD 88(R19), R12
	STP  (R10, R11), 0(RSP)
	MOVD R12, 16(RSP)
	LDP  8(R19), (R0, R1)
	LDP  24(R19), (R2, R3)
	LDP  40(R19), (R4, R5)
	LDP  56(R19), (R6, R7)
	CALL (R9)
	MOVW R0, 96(R19)
	MOVD $0, R0
	MOVD 48(RSP), R19
	LDP  32(RSP), (R29, R30)
	ADD  $64, RSP
	RET

GLOBL ·callCAddress(SB), NOPTR|RODATA, $8
DATA ·callCAddress(SB)/8, $callC<>(SB)
