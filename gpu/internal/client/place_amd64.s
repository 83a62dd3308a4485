#include "textflag.h"

// The word at the frame pointer is the caller's frame pointer, the one above it the return address. No
// goroutine is moved to another stack within this function. Frames lie ever further up; where one does not, or
// is far away, that is the stack's end or not one of Go's.
TEXT ·callerPCs(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ list+0(FP), DI
	MOVQ 0(SP), AX
	MOVQ AX, 0(DI)
	MOVQ BP, BX
	MOVQ $1, CX

next:
	MOVQ 8(BX), AX
	MOVQ AX, (DI)(CX*8)
	INCQ CX
	CMPQ CX, $16 // placeDepth
	JGE  done
	MOVQ 0(BX), DX
	MOVQ DX, AX
	SUBQ BX, AX
	JLS  done
	CMPQ AX, $(1<<20)
	JHI  done
	MOVQ DX, BX
	JMP  next

done:
	MOVQ CX, ret+8(FP)
	RET
