package nd

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// ElementwiseKernel is CUDA C for each element of arrays, as CuPy's. Elementwise1, 2 and 3 return a function that runs it.
//
//	squaredDiff := nd.Elementwise2[float32, float32, float32](nd.ElementwiseKernel{
//		Name: "squared_diff", In: "x, y", Out: "z",
//		Code: "float d = x - y; z = d * d",
//	})
//	c := squaredDiff(a, b)
type ElementwiseKernel struct {
	Name string // of the kernel: a C identifier
	In   string // the names that the elements of the arguments have in the code, with commas between them
	Out  string // that of the result's element
	// Code computes Out. It can also read i, the index of the element in row-major order, and n, the number of elements. 16-bit numbers
	// are floats there.
	Code string
	// Preamble is inserted before the kernel: functions that the code calls, or includes.
	Preamble string
}

// Elementwise1 returns the function of one array that a kernel computes, R for each A. It is compiled when it is first called. A mistake
// in the ElementwiseKernel panics with an *Error, and code that does not compile with an error that has the compiler's messages.
func Elementwise1[R, A Elem](k ElementwiseKernel) func(a *Array[A]) *Array[R] {
	u := k.user("Elementwise1", DTypeOf[R](), DTypeOf[A]())
	return func(a *Array[A]) *Array[R] { return elementwise[R](u, nodeOf(a)) }
}

// Elementwise2 is like Elementwise1 but for two arrays, which are broadcast.
func Elementwise2[R, A, B Elem](k ElementwiseKernel) func(a *Array[A], b *Array[B]) *Array[R] {
	u := k.user("Elementwise2", DTypeOf[R](), DTypeOf[A](), DTypeOf[B]())
	return func(a *Array[A], b *Array[B]) *Array[R] { return elementwise[R](u, nodeOf(a), nodeOf(b)) }
}

// Elementwise3 is like Elementwise1 but for three arrays, which are broadcast.
func Elementwise3[R, A, B, C Elem](k ElementwiseKernel) func(a *Array[A], b *Array[B], c *Array[C]) *Array[R] {
	u := k.user("Elementwise3", DTypeOf[R](), DTypeOf[A](), DTypeOf[B](), DTypeOf[C]())
	return func(a *Array[A], b *Array[B], c *Array[C]) *Array[R] {
		return elementwise[R](u, nodeOf(a), nodeOf(b), nodeOf(c))
	}
}

// userKernel is a kernel that has been written for given types, and its compiled form on each device.
type userKernel struct {
	op, name string
	source   string
	names    []string // of the functions in it that are launched
	mu       sync.Mutex
	compiled map[*gpu.Device][]*gpu.Kernel
}

// on returns the compiled kernels for a device.
func (u *userKernel) on(d *gpu.Device) []*gpu.Kernel {
	u.mu.Lock()
	defer u.mu.Unlock()
	if list, ok := u.compiled[d]; ok {
		return list
	}
	mod, err := d.Compile(u.source, gpu.WithName(u.name+".cu"))
	if err != nil {
		panic(fmt.Errorf("compiling the kernel %s: %w", u.name, err))
	}
	var list []*gpu.Kernel
	for _, name := range u.names {
		k, err := mod.Kernel(name)
		if err != nil {
			panic(err)
		}
		list = append(list, k)
	}
	if u.compiled == nil {
		u.compiled = map[*gpu.Device][]*gpu.Kernel{}
	}
	u.compiled[d] = list
	return list
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*$`)

// identifiers splits a list of names and checks them. There must be count names.
func identifiers(op, what, list string, count int) []string {
	names := strings.Split(list, ",")
	for i, n := range names {
		names[i] = strings.TrimSpace(n)
		if !identifier.MatchString(names[i]) {
			fail(op, "%s is %q: %q is no name in C", what, list, names[i])
		}
	}
	if len(names) != count {
		fail(op, "%s is %q, which are %d names: want %d", what, list, len(names), count)
	}
	return names
}

// parameters declares the arguments' elements, as they are held in registers.
func parameters(types []DType, names []string) string {
	var b strings.Builder
	for i, dt := range types {
		fmt.Fprintf(&b, "const %s %s, ", dt.info().held, names[i])
	}
	return b.String()
}

// userPrelude returns the declarations that the types and the user need before the kernel.
func userPrelude(preamble string, types ...DType) string {
	need := sections(0)
	for _, dt := range types {
		need |= dt.needs()
	}
	text := prelude(need)
	if preamble != "" {
		text += "#line 1 \"preamble\"\n" + preamble + "\n"
	}
	return text + walkText
}

// maxLoops is the number of loops, after merging, in the kernels of users. Arguments that need more are copied.
const maxLoops = 8

// walkText is the C++ of walk: nd_step adds the distances of element i of the loops to the operands' offsets.
var walkText = fmt.Sprintf(`
struct nd_walk { long long rank, lens[%d], strides[3][%d]; };
static __device__ __forceinline__ void nd_step(const nd_walk &w, long long i, long long *at) {
    for (int d = (int)w.rank - 1; d >= 0; d--) {
        long long r = i;
        if (d > 0) {
            i = r / w.lens[d];
            r -= i * w.lens[d];
        }
        at[0] += r * w.strides[0][d];
        at[1] += r * w.strides[1][d];
        at[2] += r * w.strides[2][d];
    }
}
`, maxLoops, maxLoops)

// walk appends loops over operands to a kernel's arguments.
func (w words) walk(l loops) words {
	w = w.put(len(l.lens))
	pad := func(list []int) {
		for d := range maxLoops {
			v := 0
			if d < len(list) {
				v = list[d]
			}
			w = w.put(v)
		}
	}
	pad(l.lens)
	for i := range 3 {
		if i < len(l.strides) {
			pad(l.strides[i])
		} else {
			pad(nil)
		}
	}
	return w
}

func (k ElementwiseKernel) user(op string, result DType, args ...DType) *userKernel {
	identifiers(op, "Name", k.Name, 1)
	in := identifiers(op, "In", k.In, len(args))
	out := identifiers(op, "Out", k.Out, 1)[0]
	var b strings.Builder
	b.WriteString(userPrelude(k.Preamble, append(args, result)...))
	fmt.Fprintf(&b, "static __device__ __forceinline__ void nd_body(%s%s &%s, const long long i, const long long n) {\n", parameters(args, in), result.info().held, out)
	fmt.Fprintf(&b, "#line 1 \"%s\"\n%s;\n}\n#line 1 \"%s.cu\"\n", k.Name, k.Code, k.Name)
	b.WriteString("struct nd_args { long long n, from[3]; nd_walk in; };\n")
	fmt.Fprintf(&b, "extern \"C\" __global__ void __launch_bounds__(%d) %s(%s *out", mapBlock, k.Name, result.info().stored)
	for i, dt := range args {
		fmt.Fprintf(&b, ", const %s *p%d", dt.info().stored, i)
	}
	fmt.Fprintf(&b, `, const nd_args a) {
    const long long i = blockIdx.x * %dll + threadIdx.x;
    if (i >= a.n)
        return;
    long long at[3] = {a.from[0], a.from[1], a.from[2]};
    nd_step(a.in, i, at);
    %s r;
    nd_body(`, mapBlock, result.info().held)
	for i, dt := range args {
		b.WriteString(dt.load(fmt.Sprintf("p%d[at[%d]]", i, i)) + ", ")
	}
	fmt.Fprintf(&b, "r, i, a.n);\n    out[i] = %s;\n}\n", result.store("r"))
	return &userKernel{op: op, name: k.Name, source: b.String(), names: []string{k.Name}}
}

// arguments are the arguments of a user's kernel: computed, and read as arrays of one shape.
type arguments struct {
	eng     *engine
	shape   []int
	nodes   []*node
	strides [][]int
}

func (u *userKernel) arguments(nodes ...*node) *arguments {
	var three [3]*node
	var shape []int
	for i, n := range nodes {
		three[i] = n.check(u.name)
		both, ok := broadcastShape(shape, n.lay.shape)
		if !ok {
			fail(u.name, "operands could not be broadcast together with shapes %s %s", shapeString(shape), shapeString(n.lay.shape))
		}
		shape = both
	}
	a := &arguments{eng: common(u.name, three[0], three[1], three[2]), shape: shape, nodes: nodes}
	for _, n := range nodes {
		a.strides = append(a.strides, n.ready().lay.broadcastStrides(shape, nil))
	}
	return a
}

// loops returns the loops over some axes of the arguments.
func (a *arguments) loops(axes []int) loops {
	lens := make([]int, len(axes))
	strides := make([][]int, len(a.nodes))
	for i, axis := range axes {
		lens[i] = a.shape[axis]
		for k := range strides {
			strides[k] = append(strides[k], a.strides[k][axis])
		}
	}
	return nest(lens, strides)
}

// flatten replaces the arguments by contiguous copies.
func (a *arguments) flatten(op string) {
	dense := contiguous(op, a.shape)
	for i, n := range a.nodes {
		view, c := new(node), new(node)
		view.view(n, strided(a.shape, a.strides[i]), n.off)
		c.init(op, opCopy, n.dt, n.eng, dense, view, nil, nil)
		a.nodes[i], a.strides[i] = c.ready(), dense.strides
	}
}

// from appends the offsets of the arguments' first elements.
func (w words) from(a *arguments) words {
	for i := range 3 {
		if i < len(a.nodes) {
			w = w.put(a.nodes[i].off)
		} else {
			w = w.put(0)
		}
	}
	return w
}

// bytes returns the number of bytes of the arguments, each counted once.
func (a *arguments) bytes() (sum int64) {
	for _, n := range a.nodes {
		sum += int64(n.lay.size * n.dt.Size())
	}
	return sum
}

// pass adds the arguments' memory to a launch.
func (a *arguments) pass(c *gpu.Call) {
	for _, n := range a.nodes {
		gpu.PassPointer(c, bufferOf(n.lent()))
	}
}

func elementwise[R Elem](u *userKernel, nodes ...*node) *Array[R] {
	a := u.arguments(nodes...)
	out := newArray[R](a.eng, contiguous(u.name, slices.Clone(a.shape)))
	if nodeOf(out).lay.size == 0 {
		return out
	}
	all := axesOf(u.name, nil, len(a.shape))
	l := a.loops(all)
	if len(l.lens) > maxLoops {
		a.flatten(u.name)
		l = a.loops(all)
	}
	c := u.on(a.eng.dev)[0].Begin(gpu.For(nodeOf(out).lay.size, mapBlock))
	gpu.PassPointer(c, bufferOf(nodeOf(out).mem.now.buf))
	a.pass(c)
	c.Bytes(words(nil).put(nodeOf(out).lay.size).from(a).walk(l))
	if err := c.Do(); err != nil {
		panic(err)
	}
	a.eng.count(a.bytes() + int64(nodeOf(out).lay.size*nodeOf(out).dt.Size()))
	return out
}
