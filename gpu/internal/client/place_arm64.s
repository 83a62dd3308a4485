#include "textflag.h"

// As in place_amd64.s: the word at the frame pointer, R29, is the caller's frame pointer, the one above it the
// return address. That of this function, which has no frame, is in R30.
TEXT ·callerPCs(SB), NOSPLIT|NOFRAME, $0-16
	MOVD list+0(FP), R0
	MOVD R30, (R0)
	MOVD R29, R1
	MOVD $1, R2

next:
	MOVD 8(R1), R3
	MOVD R3, (R0)(R2<<3)
	ADD  $1, R2
	CMP  $16, R2 // placeDepth
	BGE  done
	MOVD (R1), R3
	SUBS R1, R3, R4
	BLS  done
	CMP  $(1<<20), R4
	BHI  done
	MOVD R3, R1
	B    next

done:
	MOVD R2, ret+8(FP)
	RET
