package gokernel

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// gpuName returns the name of a function of package gpu that is called, or "".
func (f *function) gpuName(fun ast.Expr) string { return f.nameIn(GPUPath, fun) }

// dimensions are the functions that return a Dim3.
var dimensions = map[string]string{"ThreadIdx": "threadIdx", "BlockIdx": "blockIdx", "BlockDim": "blockDim", "GridDim": "gridDim"}

// A deviceFunction is how a function of package gpu is called in CUDA.
type deviceFunction struct {
	name     string
	together bool // threads wait for each other or exchange values
	effect   bool // the order of calls matters
}

var deviceFunctions = map[string]deviceFunction{
	"GlobalID":    {name: "go::global_x"},
	"GlobalSize":  {name: "go::global_size"},
	"LaneID":      {name: "go::lane"},
	"SyncThreads": {"__syncthreads", true, true},
	"SyncWarp":    {"__syncwarp", true, true},
	"SyncGrid":    {"go::sync_grid", true, true},

	"AtomicAdd":            {name: "go::atomic_add", effect: true},
	"AtomicMin":            {name: "go::atomic_min", effect: true},
	"AtomicMax":            {name: "go::atomic_max", effect: true},
	"AtomicExchange":       {name: "go::atomic_exchange", effect: true},
	"AtomicCompareAndSwap": {name: "go::atomic_compare_and_swap", effect: true},

	"RandomUint32":        {name: "go::random_word"},
	"RandomUint64":        {name: "go::random_wide"},
	"RandomUint64N":       {name: "go::random_below"},
	"RandomFloat32":       {name: "go::random_single"},
	"RandomFloat64":       {name: "go::random_double"},
	"RandomNormal32":      {name: "go::random_normal_single"},
	"RandomNormal64":      {name: "go::random_normal_double"},
	"RandomExponential32": {name: "go::random_exponential_single"},
	"RandomExponential64": {name: "go::random_exponential_double"},

	"Shuffle":     {"go::shuffle", true, true},
	"ShuffleDown": {"go::shuffle_down", true, true},
	"ShuffleUp":   {"go::shuffle_up", true, true},
	"ShuffleXor":  {"go::shuffle_xor", true, true},
	"Ballot":      {"go::ballot", true, true},
	"All":         {"go::all", true, true},
	"Any":         {"go::any", true, true},
	"WarpSum":     {"go::warp_sum", true, true},
	"WarpMin":     {"go::warp_min", true, true},
	"WarpMax":     {"go::warp_max", true, true},

	"TileShuffle":     {"go::tile_shuffle", true, true},
	"TileShuffleDown": {"go::tile_shuffle_down", true, true},
	"TileShuffleUp":   {"go::tile_shuffle_up", true, true},
	"TileShuffleXor":  {"go::tile_shuffle_xor", true, true},
	"TileSum":         {"go::tile_sum", true, true},
	"TileMin":         {"go::tile_min", true, true},
	"TileMax":         {"go::tile_max", true, true},

	"MultiplyAdd": {"go::multiply_add", true, true},
}

// deviceCall translates a call of a function of package gpu.
func (f *function) deviceCall(call *ast.CallExpr, name string) (code string, effect bool) {
	if d := dimensions[name]; d != "" {
		return fmt.Sprintf("%s{%s.x, %[2]s.y, %[2]s.z}", f.cType(call, f.typeOf(call)), d), false
	}
	switch name {
	case "Printf":
		f.effects = true
		return f.printf(call), true
	case "DynamicShared":
		elem := f.typeOf(call).(*types.Slice).Elem()
		f.flat(call, elem)
		return "go::dynamic_shared<" + f.cType(call, elem) + ">()", false
	case "TiledPartition":
		return f.partition(call), false
	case "LoadMatrixA", "LoadMatrixB", "LoadAccumulator":
		return f.loadMatrix(call, name), true
	case "Shared":
		refuse(call, "gpu.Shared is called in a declaration of the kernel itself: tile := gpu.Shared[[256]float32]()")
	}
	d, ok := deviceFunctions[name]
	if !ok {
		refuse(call, "gpu.%s is not for kernels", name)
	}
	f.together = f.together || d.together
	f.effects = f.effects || d.effect
	sig := f.typeOf(call.Fun).(*types.Signature)
	return fmt.Sprintf("%s(%s)", d.name, strings.Join(f.arguments(call, sig), ", ")), d.effect
}

// printf translates gpu.Printf to CUDA's, whose verbs say the types of the values.
func (f *function) printf(call *ast.CallExpr) string {
	v := f.src.Info.Types[call.Args[0]].Value
	if v == nil || v.Kind() != constant.String {
		refuse(call, "the format of gpu.Printf must be a constant")
	}
	format, args := constant.StringVal(v), call.Args[1:]
	var out strings.Builder
	var values []string
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			out.WriteByte(format[i])
			continue
		}
		end := i + 1
		for end < len(format) && strings.IndexByte("+-# 0123456789.", format[end]) >= 0 {
			end++
		}
		if end == len(format) {
			refuse(call, "the format of gpu.Printf ends after %%")
		}
		flags, verb := format[i+1:end], format[end]
		i = end
		if verb == '%' {
			out.WriteString("%%")
			continue
		}
		if len(args) == 0 {
			refuse(call, "gpu.Printf has more verbs than values")
		}
		spec, value := f.verb(args[0], flags, verb)
		out.WriteString("%" + flags + spec)
		values, args = append(values, ", "+value), args[1:]
	}
	if len(args) > 0 {
		refuse(args[0], "gpu.Printf has more values than verbs")
	}
	return "printf(" + cString(out.String()) + strings.Join(values, "") + ")"
}

// verb returns C's verb for a value, and the value.
func (f *function) verb(arg ast.Expr, flags string, verb byte) (spec, value string) {
	typ := defaultType(f.typeOf(arg))
	code := bare(f.value(arg, typ))
	info := basicInfo(typ)
	switch {
	case info&types.IsBoolean != 0 && (verb == 't' || verb == 'v'):
		return "s", "(" + code + `) ? "true" : "false"`
	case info&types.IsUnsigned != 0 && (verb == 'd' || verb == 'v') && sizes.Sizeof(typ) == 8:
		if strings.ContainsAny(flags, "+ ") {
			refuse(arg, "gpu.Printf cannot print a %s with %%%s%c: C has signs for signed integers only, so leave the flag out", typ, flags, verb)
		}
		return "llu", "(unsigned long long)(" + code + ")"
	case info&types.IsInteger != 0 && (verb == 'd' || verb == 'v'):
		return "lld", "(long long)(" + code + ")"
	case info&types.IsUnsigned != 0 && (verb == 'x' || verb == 'X' || verb == 'o'):
		return "ll" + string(verb), "(unsigned long long)(" + code + ")"
	case info&types.IsFloat != 0 && strings.IndexByte("efgEG", verb) >= 0:
		return string(verb), "(double)(" + code + ")"
	case info&types.IsFloat != 0 && verb == 'v':
		return "g", "(double)(" + code + ")"
	}
	refuse(arg, "gpu.Printf cannot print a %s with %%%c: it has %%d and %%v for integers, %%x for unsigned ones, %%g, %%e, %%f and %%v for floats, %%t for bools", typ, verb)
	return "", ""
}

// cString returns a text as a C++ string literal.
func cString(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < 0x20 || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
