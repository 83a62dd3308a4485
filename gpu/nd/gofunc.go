package nd

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// goFunc is a Go function that kernels call in its translation to CUDA C++.
type goFunc struct {
	name   string // of the function in the source
	source string
	number int // in goFuncs
}

// goFuncs are the functions that have been translated. Like the kernels they belong to the process.
var goFuncs struct {
	sync.RWMutex
	list     []*goFunc
	byCode   map[uintptr]*goFunc
	bySource map[string]*goFunc
}

// maxGoFuncs bounds goFuncs, whose numbers follow those of the operations.
const maxGoFuncs = math.MaxUint16 - int(opcodes)

// Translated declares that the CUDA C++ source has the function f, under the given name, and returns f. Map, Map2, Map3, Reduce and
// Accumulate then call it on the device. Cells of notebooks and the files that "gopherwarp kernels" writes call Translated; other programs
// need not.
func Translated[F any](f F, name, source string) F {
	code := codeOf(f)
	if known := translation(code); known != nil && known.source == source && known.name == name {
		return f
	}
	goFuncs.Lock()
	defer goFuncs.Unlock()
	key := name + "\n" + source
	made := goFuncs.bySource[key]
	if made == nil {
		if len(goFuncs.list) == maxGoFuncs {
			return f
		}
		made = &goFunc{name, source, len(goFuncs.list)}
		goFuncs.list = append(goFuncs.list, made)
		if goFuncs.byCode == nil {
			goFuncs.byCode, goFuncs.bySource = map[uintptr]*goFunc{}, map[string]*goFunc{}
		}
		goFuncs.bySource[key] = made
	}
	goFuncs.byCode[code] = made
	return f
}

// codeOf returns the address of a function's code, which identifies a function that is no closure.
func codeOf(f any) uintptr {
	if v := reflect.ValueOf(f); v.Kind() == reflect.Func {
		return v.Pointer()
	}
	return 0
}

// translation returns the function with that code, or nil if it has not been translated.
func translation(code uintptr) *goFunc {
	goFuncs.RLock()
	defer goFuncs.RUnlock()
	return goFuncs.byCode[code]
}

// translated returns the translation of f, or nil. It panics if f is nil.
func translated(op string, f any) *goFunc {
	code := codeOf(f)
	if code == 0 {
		fail(op, "the function is nil")
	}
	return translation(code)
}

// op returns the operation that calls the function.
func (g *goFunc) op() op { return opcodes + op(g.number) }

// fold returns the fold that joins values by the function.
func (g *goFunc) fold() fold { return foldGo + fold(g.number) }

// goFunc returns the function that the operation calls, or nil.
func (o op) goFunc() *goFunc {
	if o < opcodes {
		return nil
	}
	goFuncs.RLock()
	defer goFuncs.RUnlock()
	return goFuncs.list[o-opcodes]
}

// goFunc returns the function that the fold calls, or nil.
func (f fold) goFunc() *goFunc {
	if f < foldGo {
		return nil
	}
	return (opcodes + op(f-foldGo)).goFunc()
}

// call returns a call of the function. Go's 16-bit floats are their bits, and kernels hold them as float32s.
func (g *goFunc) call(result DType, of []DType, values []string) (text string, need sections) {
	args := make([]string, len(values))
	for i, v := range values {
		args[i] = v
		if of[i].half() {
			args[i] = of[i].store(v) + ".bits"
		}
		need |= of[i].needs()
	}
	text = fmt.Sprintf("nd_go%d::%s(%s)", g.number, g.name, strings.Join(args, ", "))
	if result.half() {
		text = result.load(result.info().stored + "{" + text + "}")
	}
	return text, need | result.needs()
}

// goCalls matches calls of such functions in the text of a kernel.
var goCalls = regexp.MustCompile(`\bnd_go(\d+)::`)

// goSources returns the sources of the functions that kernels call, each in a namespace of its own, since all have the names of Go's
// functions and of what these need.
func goSources(kernels ...string) string {
	var b strings.Builder
	done := map[string]bool{}
	for _, text := range kernels {
		for _, m := range goCalls.FindAllStringSubmatch(text, -1) {
			if done[m[1]] {
				continue
			}
			done[m[1]] = true
			number, _ := strconv.Atoi(m[1])
			fmt.Fprintf(&b, "\nnamespace nd_go%d {\n%s}\n#line 1 \"expression.cu\"\n", number, (opcodes + op(number)).goFunc().source)
		}
	}
	return b.String()
}
