package inspect

import (
	"cmp"
	"context"
	"path"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
)

// Program compiles p for the compute capability cc (10*major+minor), unless its options name an architecture. It disassembles the
// machine code only if sass is set.
func Program(ctx context.Context, t *driver.Translator, p backend.Program, cc int, sass bool) (*backend.Build, error) {
	p.Name = cmp.Or(p.Name, "program.cu")
	code, err := t.Translate(p, cc)
	if err != nil {
		return nil, err
	}
	b := &backend.Build{Arch: code.Arch, Compiler: code.Compiler}
	logged, inCubin := usage(code.Log), used(code.Cubin, target(code.Arch))
	ptx := readPTX(code.PTX, p.Name)
	constants := constantBytes(code.Cubin)
	var machine map[string][]backend.Instruction
	if sass {
		machine, err = disassemble(ctx, code.Cubin, p.Name)
		if err != nil {
			b.SASSProblem = err.Error()
		}
	}
	for name, symbol := range code.Lowered {
		r, ok := logged[symbol]
		if !ok {
			r, ok = inCubin[symbol]
		}
		if !ok { // PTX only: the driver allocates registers when it loads it
			r = backend.Resources{Registers: backend.Unknown, Shared: backend.Unknown, Stack: backend.Unknown, SpillStores: backend.Unknown, SpillLoads: backend.Unknown}
		}
		r.Constant = backend.Unknown
		if n, ok := constants[symbol]; ok {
			r.Constant = n
		}
		r.MaxThreads = ptx[symbol].maxThreads
		b.Kernels = append(b.Kernels, backend.BuiltKernel{
			Name: name, Symbol: symbol, Resources: r, PTX: ptx[symbol].code, SASS: machine[symbol],
		})
	}
	return b, nil
}

// sourceFile returns the name of a file for the user: the program's own name is without the directory that compilers add.
func sourceFile(file, program string) string {
	if path.Base(file) == path.Base(program) {
		return program
	}
	return file
}

// labelsBeforeCode sets the line of each label to that of the next instruction, which is its target.
func labelsBeforeCode(code []backend.Instruction) {
	for i := len(code) - 2; i >= 0; i-- {
		if strings.HasSuffix(code[i].Text, ":") {
			code[i].File, code[i].Line = code[i+1].File, code[i+1].Line
		}
	}
}

// target returns the compute capability of an architecture, or 0 if its name has none.
func target(arch string) int {
	_, number, _ := strings.Cut(arch, "_")
	cc, _ := strconv.Atoi(strings.TrimRight(number, "af"))
	return cc
}
