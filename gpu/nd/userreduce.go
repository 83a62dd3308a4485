package nd

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// ReductionKernel is CUDA C that reduces elements of arrays to one, as CuPy's. Reduction1 and 2 return a function that runs it.
//
//	l2norm := nd.Reduction1[float32, float32](nd.ReductionKernel{
//		Name: "l2norm", In: "x", Out: "y",
//		Map: "x * x", Reduce: "a + b", Post: "y = sqrtf(a)", Identity: "0",
//	})
//	n := l2norm(v, 1) // along axis 1
type ReductionKernel struct {
	Name string // of the kernel: a C identifier
	In   string // the names that the elements of the arguments have in Map, with commas between them
	Out  string // that of the result's element in Post
	// Map is an expression that maps elements to the value that is reduced.
	Map string
	// Reduce is an expression that combines a and b into one value. The order in which values are combined is undefined, so the result
	// must not depend on it except for rounding.
	Reduce string
	// Identity is an expression for the identity of Reduce, which is also the result if there are no elements.
	Identity string
	// Post computes Out from the reduced value a. By default Out is a.
	Post string
	// Type is the C type of a and b, of at most 16 bytes; by default that of the result. A struct must be declared in the Preamble.
	Type string
	// Preamble is inserted before the kernel: functions, types, or includes.
	Preamble string
}

// Reduction1 returns the function that a kernel computes: it reduces an array over the given axes, by default all. It is compiled when it
// is first called; errors are as for Elementwise1.
func Reduction1[R, A Elem](k ReductionKernel) func(a *Array[A], axes ...int) *Array[R] {
	u := k.user("Reduction1", DTypeOf[R](), DTypeOf[A]())
	return func(a *Array[A], axes ...int) *Array[R] { return userReduce[R](u, axes, nodeOf(a)) }
}

// Reduction2 is like Reduction1 but for two arrays, which are broadcast.
func Reduction2[R, A, B Elem](k ReductionKernel) func(a *Array[A], b *Array[B], axes ...int) *Array[R] {
	u := k.user("Reduction2", DTypeOf[R](), DTypeOf[A](), DTypeOf[B]())
	return func(a *Array[A], b *Array[B], axes ...int) *Array[R] {
		return userReduce[R](u, axes, nodeOf(a), nodeOf(b))
	}
}

// reductionKernel has the two kernels of a reduction, and the functions that they call.
//
//go:embed kernels/reduction.cu
var reductionKernel string

const (
	foldBlock = 256     // threads that fold together
	foldRun   = 1 << 14 // elements of a block, if there are enough of them
	foldParts = 1 << 10 // blocks of one result at most
	foldBytes = 16      // of what is folded
)

func (k ReductionKernel) user(op string, result DType, args ...DType) *userKernel {
	identifiers(op, "Name", k.Name, 1)
	in := identifiers(op, "In", k.In, len(args))
	out := identifiers(op, "Out", k.Out, 1)[0]
	for what, text := range map[string]string{"Map": k.Map, "Reduce": k.Reduce, "Identity": k.Identity} {
		if strings.TrimSpace(text) == "" {
			fail(op, "%s is missing: it must be an expression", what)
		}
	}
	post, acc := k.Post, k.Type
	if post == "" {
		post = out + " = a"
	}
	if acc == "" {
		acc = result.info().held
	}
	var b strings.Builder
	b.WriteString(userPrelude(k.Preamble, append(args, result)...))
	fmt.Fprintf(&b, "typedef %s nd_acc;\nstatic_assert(sizeof(nd_acc) <= %d, \"what is folded has more than %d bytes\");\n", acc, foldBytes, foldBytes)
	b.WriteString("union nd_part { nd_acc v; long long room[2]; };\n")
	line := func(what, head, text string) {
		fmt.Fprintf(&b, "static __device__ __forceinline__ %s {\n#line 1 \"%s of %s\"\n%s;\n}\n", head, what, k.Name, text)
	}
	line("Map", "nd_acc nd_map("+strings.TrimSuffix(parameters(args, in), ", ")+")", "return (nd_acc)("+k.Map+")")
	line("Reduce", "nd_acc nd_join(const nd_acc a, const nd_acc b)", "return (nd_acc)("+k.Reduce+")")
	line("Identity", "nd_acc nd_identity()", "return (nd_acc)("+k.Identity+")")
	line("Post", "void nd_post(const nd_acc a, "+result.info().held+" &"+out+")", post)
	var params strings.Builder
	var values []string
	for i, dt := range args {
		fmt.Fprintf(&params, ", const %s *p%d", dt.info().stored, i)
		values = append(values, dt.load(fmt.Sprintf("p%d[at[%d]]", i, i)))
	}
	b.WriteString(fill(reductionKernel, holes{
		"name": k.Name, "threads": foldBlock, "T": result.info().stored, "R": result.info().held, "result": result.store("r"),
		"params": params.String(), "args": strings.Join(values, ", "),
	}))
	return &userKernel{op: op, name: k.Name, source: b.String(), names: []string{k.Name, k.Name + "_last"}}
}

func userReduce[R Elem](u *userKernel, axes []int, nodes ...*node) *Array[R] {
	a := u.arguments(nodes...)
	fold := axesOf(u.name, axes, len(a.shape))
	var keep, shape []int
	folds := 1
	for i, n := range a.shape {
		if slices.Contains(fold, i) {
			folds *= n
		} else {
			keep, shape = append(keep, i), append(shape, n)
		}
	}
	out := newArray[R](a.eng, contiguous(u.name, shape))
	if nodeOf(out).lay.size == 0 {
		return out
	}
	outer, inner := a.loops(keep), a.loops(fold)
	if max(len(outer.lens), len(inner.lens)) > maxLoops {
		a.flatten(u.name)
		outer, inner = a.loops(keep), a.loops(fold)
	}
	if max(len(outer.lens), len(inner.lens)) > maxLoops {
		fail(u.name, "the axes %v of shape %s are in too many places: bring those that are folded together with Transpose", fold, shapeString(a.shape))
	}
	parts := min(max((folds+foldRun-1)/foldRun, 1), foldParts)
	run := (folds + parts - 1) / parts
	room := bufferOf(a.eng.alloc(nodeOf(out).lay.size * parts * foldBytes))
	kernels := u.on(a.eng.dev)
	c := kernels[0].Begin(gpu.Launch{Grid: gpu.Dim(nodeOf(out).lay.size * parts), Block: gpu.Dim(foldBlock)})
	gpu.PassPointer(c, bufferOf(nodeOf(out).mem.now.buf))
	gpu.PassPointer(c, room)
	a.pass(c)
	c.Bytes(words(nil).put(folds).put(parts).put(run).from(a).walk(outer).walk(inner))
	if err := c.Do(); err != nil {
		panic(err)
	}
	a.eng.count(a.bytes() + int64(nodeOf(out).lay.size*nodeOf(out).dt.Size()))
	if parts == 1 {
		return out
	}
	c = kernels[1].Begin(gpu.Launch{Grid: gpu.Dim(nodeOf(out).lay.size), Block: gpu.Dim(foldBlock)})
	gpu.PassPointer(c, bufferOf(nodeOf(out).mem.now.buf))
	gpu.PassPointer(c, room)
	c.Int(parts)
	if err := c.Do(); err != nil {
		panic(err)
	}
	a.eng.count(int64(room.Bytes()))
	return out
}
