//go:build amd64 || arm64

#include "textflag.h"

// func addModule()
TEXT ·addModule(SB), NOSPLIT|NOFRAME, $0-0
	JMP runtime·addmoduledata(SB)
