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

// Program compiles p for the compute capability cc (10*major+minor), unless its options name an
// architecture, and says what came of it. SASS is only looked at if it is wanted.
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
		if !ok { // PTX only: the driver allots registers when it loads it
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

// sourceFile is the name of a file as people know it: the program's own without the directory that
// compilers put before it.
func sourceFile(file, program string) string {
	if path.Base(file) == path.Base(program) {
		return program
	}
	return file
}

// labelsBeforeCode gives each label the line of what comes after it, since that is where it leads.
func labelsBeforeCode(code []backend.Instruction) {
	for i := len(code) - 2; i >= 0; i-- {
		if strings.HasSuffix(code[i].Text, ":") {
			code[i].File, code[i].Line = code[i+1].File, code[i+1].Line
		}
	}
}

// target is the compute capability that an architecture's name says, or 0.
func target(arch string) int {
	_, number, _ := strings.Cut(arch, "_")
	cc, _ := strconv.Atoi(strings.TrimRight(number, "af"))
	return cc
}
