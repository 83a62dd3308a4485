package nd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// ReductionKernel is CUDA C that folds elements of arrays into one, as CuPy's. Reduction1 and 2 make a function
// of it.
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
	// Map is an expression that makes of elements what is folded.
	Map string
	// Reduce is an expression that makes one of a and b. The order in which it gets them is not defined, so it must
	// not matter but for rounding.
	Reduce string
	// Identity is an expression for what changes nothing, and for the result if there are no elements.
	Identity string
	// Post sets Out to what becomes of a in the end. Without it that is a itself.
	Post string
	// Type is the C type of a and b, of at most 16 bytes; the result's unless it is given. A struct must be
	// declared in the Preamble.
	Type string
	// Preamble stands before the kernel: functions, types, or includes.
	Preamble string
}

// Reduction1 is the function that a kernel computes: it folds an array along those axes, or all. It is compiled
// when it is first called; errors are as for Elementwise1.
func Reduction1[R, A Elem](k ReductionKernel) func(a *Array[A], axes ...int) *Array[R] {
	u := k.user("Reduction1", DTypeOf[R](), DTypeOf[A]())
	return func(a *Array[A], axes ...int) *Array[R] { return userReduce[R](u, axes, a.core()) }
}

// Reduction2 is Reduction1 of two arrays, which are stretched to a common shape.
func Reduction2[R, A, B Elem](k ReductionKernel) func(a *Array[A], b *Array[B], axes ...int) *Array[R] {
	u := k.user("Reduction2", DTypeOf[R](), DTypeOf[A](), DTypeOf[B]())
	return func(a *Array[A], b *Array[B], axes ...int) *Array[R] {
		return userReduce[R](u, axes, a.core(), b.core())
	}
}

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
	fmt.Fprintf(&b, `#line 1 "%[1]s.cu"
struct nd_args { long long folds, parts, run, from[3]; nd_walk keep, fold; };

// Folds what the block's threads have; thread 0 gets it.
static __device__ nd_acc nd_block(nd_acc v) {
    __shared__ longlong2 room[%[2]d]; // as what needs constructing cannot be shared
    nd_part *const s = (nd_part *)room;
    s[threadIdx.x].v = v;
    __syncthreads();
    for (int k = %[2]d / 2; k > 0; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x].v = nd_join(s[threadIdx.x].v, s[threadIdx.x + k].v);
        __syncthreads();
    }
    return s[0].v;
}
static __device__ __forceinline__ void nd_finish(%[3]s *out, nd_part *parts, const nd_acc v, bool last) {
    if (threadIdx.x != 0)
        return;
    if (!last) {
        parts[blockIdx.x].v = v;
        return;
    }
    %[4]s r;
    nd_post(v, r);
    out[blockIdx.x] = %[5]s;
}
extern "C" __global__ void __launch_bounds__(%[2]d) %[1]s(%[3]s *out, nd_part *parts`,
		k.Name, foldBlock, result.info().stored, result.info().held, result.store("r"))
	for i, dt := range args {
		fmt.Fprintf(&b, ", const %s *p%d", dt.info().stored, i)
	}
	fmt.Fprintf(&b, `, const nd_args a) {
    const long long first = blockIdx.x %% a.parts * a.run, last = first + a.run < a.folds ? first + a.run : a.folds;
    long long from[3] = {a.from[0], a.from[1], a.from[2]};
    nd_step(a.keep, blockIdx.x / a.parts, from);
    nd_acc v = nd_identity();
    for (long long i = first + threadIdx.x; i < last; i += %d) {
        long long at[3] = {from[0], from[1], from[2]};
        nd_step(a.fold, i, at);
        v = nd_join(v, nd_map(`, foldBlock)
	for i, dt := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(dt.load(fmt.Sprintf("p%d[at[%d]]", i, i)))
	}
	fmt.Fprintf(&b, `));
    }
    nd_finish(out, parts, nd_block(v), a.parts == 1);
}
extern "C" __global__ void __launch_bounds__(%[2]d) %[1]s_last(%[3]s *out, nd_part *parts, long long n) {
    nd_acc v = nd_identity();
    for (long long i = threadIdx.x; i < n; i += %[2]d)
        v = nd_join(v, parts[blockIdx.x * n + i].v);
    nd_finish(out, parts, nd_block(v), true);
}
`, k.Name, foldBlock, result.info().stored)
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
	if out.lay.size == 0 {
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
	room := gpu.Alloc[byte](max(out.lay.size*parts*foldBytes, 1), a.eng.dev)
	kernels := u.on(a.eng.dev)
	c := kernels[0].Begin(gpu.Launch{Grid: gpu.Dim(out.lay.size * parts), Block: gpu.Dim(foldBlock)})
	gpu.Pointer(c, out.mem.now.buf)
	gpu.Pointer(c, room)
	a.pass(c)
	c.Bytes(words(nil).put(folds).put(parts).put(run).from(a).walk(outer).walk(inner))
	if err := c.Do(); err != nil {
		panic(err)
	}
	a.eng.count(a.bytes() + int64(out.lay.size*out.dt.Size()))
	if parts == 1 {
		return out
	}
	c = kernels[1].Begin(gpu.Launch{Grid: gpu.Dim(out.lay.size), Block: gpu.Dim(foldBlock)})
	gpu.Pointer(c, out.mem.now.buf)
	gpu.Pointer(c, room)
	c.Int(parts)
	if err := c.Do(); err != nil {
		panic(err)
	}
	a.eng.count(int64(room.Bytes()))
	return out
}
