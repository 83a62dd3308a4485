package nd

import (
	"fmt"
	"math"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// fold is a way to make one value of many.
type fold uint8

const (
	foldSum fold = iota
	foldProd
	foldMin
	foldMax
	foldAny
	foldAll
	foldArgmin
	foldArgmax
	foldMean
)

// accumulator is the C type in which values of that type are brought together: sums of floats are
// in double precision, those of integers have 64 bits.
func (f fold) accumulator(dt DType) DType {
	switch f {
	case foldAny, foldAll:
		return Bool
	case foldSum, foldProd, foldMean:
		switch {
		case dt.is(kindComplex):
			return C128
		case dt.is(kindFloat):
			return F64
		case dt.is(kindUint):
			return Uint64
		}
		return Int64
	}
	if dt.half() {
		return F32
	}
	return dt
}

func (f fold) arg() bool { return f == foldArgmin || f == foldArgmax }

// worse says, in C, that value a gives way to x. NaN gives way to nothing.
func (f fold) worse(dt DType, a, x string) string {
	sign := "<"
	if f == foldMin || f == foldArgmin {
		sign = ">"
	}
	if dt.is(kindFloat) {
		return fmt.Sprintf("%[1]s == %[1]s && (%[1]s %[3]s %[2]s || %[2]s != %[2]s)", a, x, sign)
	}
	return a + " " + sign + " " + x
}

// source is what a kernel needs of the fold: the type nd_acc, and how two of them become one.
func (f fold) source(acc DType) (text string, need sections) {
	held := acc.info().held
	value := "struct nd_acc { " + held + " value;"
	const head = "static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {\n"
	switch f {
	case foldSum, foldMean:
		text = value + " };\n" + head + "    a.value = a.value + b.value;\n    return a;\n}\n"
	case foldProd:
		text = value + " };\n" + head + "    a.value = a.value * b.value;\n    return a;\n}\n"
	case foldAny:
		text = value + " };\n" + head + "    a.value = a.value || b.value;\n    return a;\n}\n"
	case foldAll:
		text = value + " };\n" + head + "    a.value = a.value && b.value;\n    return a;\n}\n"
	case foldMin, foldMax:
		// Whether there is a value yet is told beside it: not all types have one that gives way to all.
		text = value + " bool some; };\n" + head +
			"    if (b.some && (!a.some || (" + f.worse(acc, "a.value", "b.value") + ")))\n        return b;\n    return a;\n}\n"
	default:
		// Of equal values the first counts, whichever order they come in. NaNs are equal here.
		same := "a.value == b.value"
		if acc.is(kindFloat) {
			same = "(a.value == b.value || (a.value != a.value && b.value != b.value))"
		}
		text = value + " long long at; };\n" + head +
			"    if (b.at >= 0 && (a.at < 0 || (" + f.worse(acc, "a.value", "b.value") + ") || (" + same + " && b.at < a.at)))\n        return b;\n    return a;\n}\n"
	}
	return text, acc.needs()
}

// none is the value of nothing, in C.
func (f fold) none(acc DType) string {
	zero, one := "0", "1"
	if acc.is(kindComplex) {
		zero, one = acc.info().held+"(0, 0)", acc.info().held+"(1, 0)"
	}
	switch f {
	case foldProd:
		return "{" + one + "}"
	case foldAll:
		return "{true}"
	case foldMin, foldMax:
		return "{" + zero + ", false}"
	case foldArgmin, foldArgmax:
		return "{" + zero + ", -1}"
	}
	return "{" + zero + "}"
}

// lift makes a value, in C, one to be joined.
func (f fold) lift(acc, dt DType, x, at string) string {
	x, _ = castExpr(acc, dt, x)
	switch {
	case f == foldMin, f == foldMax:
		return "nd_acc{" + x + ", true}"
	case f.arg():
		return "nd_acc{" + x + ", (long long)(" + at + ")}"
	}
	return "nd_acc{" + x + "}"
}

// accBytes is the size of an nd_acc.
func (f fold) accBytes(acc DType) int {
	switch size := acc.Size(); {
	case f == foldMin, f == foldMax:
		return 2 * size
	case f.arg():
		return 8 + max(size, 8)
	default:
		return size
	}
}

// reduction is all that the code of a reducing kernel depends on, beside the expression.
type reduction struct {
	fold    fold
	acc     DType
	kept    int  // loops over what is kept
	reduced int  // loops over what is folded
	down    bool // threads that are neighbours keep neighbours, instead of folding them
	width   int  // elements loaded at once
	wide    bool
	first   bool // makes an accumulator for each segment, instead of the result
	second  bool // reads such accumulators, instead of the operands
	dt      DType
}

const (
	reduceBlock  = 256
	reduceBlocks = 132 * 32 // so many keep a large GPU busy, and read memory that lies close together
)

// reduceTo folds the axes of n into out, whose axes are those that are left. The sizes alone decide how
// the work is divided, so that sums are the same on all devices.
func (e *engine) reduceTo(f fold, n *node, axes []int, out *node) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n.lazy() {
		e.settle(n)
	}
	p := &e.plan
	defer p.drop()
	p.trace(n)
	shape := n.lay.shape
	var keptShape, reducedShape []int
	for i, length := range shape {
		if slices.Contains(axes, i) {
			reducedShape = append(reducedShape, length)
		} else {
			keptShape = append(keptShape, length)
		}
	}
	keptStrides, reducedStrides := make([][]int, len(p.leaves)), make([][]int, len(p.leaves))
	for k := range p.leaves {
		for i, s := range p.leaves[k].lay.stretched(shape, nil) {
			if slices.Contains(axes, i) {
				reducedStrides[k] = append(reducedStrides[k], s)
			} else {
				keptStrides[k] = append(keptStrides[k], s)
			}
		}
	}
	kept, reduced := nest(keptShape, keptStrides), nest(reducedShape, reducedStrides)
	keeps, folds := product(keptShape), product(reducedShape)
	r := reduction{fold: f, acc: f.accumulator(n.dt), kept: len(kept.lens), reduced: len(reduced.lens), width: 1, dt: out.dt}
	votes := 0
	reach := keeps * folds
	for k := range p.leaves {
		l := &p.leaves[k]
		sk, sr := kept.strides[k], reduced.strides[k]
		far := 0
		for d, n := range kept.lens {
			far += abs(sk[d]) * (n - 1)
		}
		for d, n := range reduced.lens {
			far += abs(sr[d]) * (n - 1)
		}
		reach = max(reach, far)
		if l.buf == nil {
			continue
		}
		inner, outer := abs(sr[len(sr)-1]), abs(sk[len(sk)-1])
		if outer != 0 && (inner == 0 || outer < inner) {
			votes++
		} else if inner != 0 {
			votes--
		}
	}
	r.down = votes > 0 && keeps > 1
	r.wide = reach > math.MaxInt32-1<<16
	if !r.down && r.reduced == 1 && folds >= 1024 {
		r.width = p.vectorWidth(kept, reduced)
	}
	for k := range p.leaves {
		l := &p.leaves[k]
		switch s := reduced.strides[k][r.reduced-1]; {
		case l.buf == nil:
			l.class = classIndex
		case r.width > 1 && s == 1:
			l.class = classVector
		case r.width > 1 && s == 0:
			l.class = classSame
		default:
			l.class = classStrided
		}
	}
	e.fold(p, r, kept, reduced, keeps, folds, out)
}

// vectorWidth is how many elements can be loaded at once along the axis that is folded.
func (p *plan) vectorWidth(kept, reduced loops) int {
	size := 0
	for k := range p.leaves {
		if l := &p.leaves[k]; l.buf != nil && reduced.strides[k][0] == 1 {
			size = max(size, l.dt.Size())
		}
	}
	if size == 0 {
		return 1
	}
	width := vector / size
	for k := range p.leaves {
		l := &p.leaves[k]
		if l.buf == nil || reduced.strides[k][0] != 1 {
			continue
		}
		if (int(l.buf.Address())+l.off*l.dt.Size())%(width*l.dt.Size()) != 0 {
			return 1
		}
		for _, s := range kept.strides[k] {
			if s%width != 0 {
				return 1
			}
		}
	}
	return width
}

// fold launches the kernel or, if there are few results of many values each, the two kernels.
func (e *engine) fold(p *plan, r reduction, kept, reduced loops, keeps, folds int, out *node) {
	// One side of a block goes along what is folded, the other along what is kept.
	tx, ty := reduceBlock, 1
	along, across := &tx, &ty
	if r.down {
		tx, ty = 32, reduceBlock/32
		along, across = &ty, &tx
		for ty > 1 && ty/2 >= folds {
			ty /= 2
			tx *= 2
		}
	} else {
		for tx > 1 && tx/2 >= folds {
			tx /= 2
			ty *= 2
		}
	}
	rows := (keeps + *across - 1) / *across
	segments := 1
	if most := folds / (*along * r.width * 8); rows < reduceBlocks && most > 1 {
		segments = min(most, (reduceBlocks+rows-1)/rows)
	}
	per := max((folds+segments-1)/segments, 1)
	per = (per + r.width - 1) / r.width * r.width
	segments = max((folds+per-1)/per, 1)

	w := e.words[:0].put(keeps).put(folds).put(per).put(segments)
	for i := range p.leaves {
		w = w.put(p.leaves[i].off)
	}
	for _, n := range kept.lens {
		w = w.put(n)
	}
	for _, n := range reduced.lens {
		w = w.put(n)
	}
	for i := range p.leaves {
		for _, s := range kept.strides[i] {
			w = w.put(s)
		}
		for _, s := range reduced.strides[i] {
			w = w.put(s)
		}
	}
	for _, c := range p.consts {
		w = w.constant(c)
	}
	e.words = w
	r.first = segments > 1
	dst := out.mem.now.buf
	bytes := out.lay.size * out.dt.Size()
	if r.first {
		temp := scratch{e: e}
		defer temp.free()
		dst = temp.alloc(keeps * segments * r.fold.accBytes(r.acc))
	}
	e.key = p.key(append(e.key[:0], 'r', byte(r.fold), byte(r.kept), byte(r.reduced), boolByte(r.down), byte(r.width), boolByte(r.wide), boolByte(r.first), byte(r.dt)))
	e.launch(p, &request{
		key: e.key, words: w, write: func() source { return p.reduceSource(r) },
		cfg: gpu.Launch{Grid: gpu.Dim3{X: rows * segments, Y: 1, Z: 1}, Block: gpu.Dim3{X: tx, Y: ty, Z: 1}},
	}, dst, bytes)
	if !r.first {
		return
	}
	// The accumulators of each result lie next to each other.
	r.first, r.second, r.down, r.width, r.kept, r.reduced = false, true, false, 1, 0, 0
	e.joinSegments(r, dst, keeps, segments, folds, out)
}

// joinSegments makes the results of several accumulators for each.
func (e *engine) joinSegments(r reduction, acc *gpu.Buffer[byte], keeps, segments, folds int, out *node) {
	w := e.words[:0].put(keeps).put(segments).put(segments).put(1).put(folds)
	e.words = w
	e.key = append(e.key[:0], 'j', byte(r.fold), byte(r.acc), boolByte(r.wide), byte(r.dt))
	e.submit(&request{
		key: e.key, words: w, write: func() source { return new(plan).reduceSource(r) },
		cfg: gpu.Launch{Grid: gpu.Dim3{X: keeps, Y: 1, Z: 1}, Block: gpu.Dim3{X: reduceBlock, Y: 1, Z: 1}},
	}, out.lay.size*out.dt.Size(), out.mem.now.buf, acc)
}

func product(list []int) int {
	n := 1
	for _, v := range list {
		n *= v
	}
	return n
}

// reduceSource writes the kernel that folds the expression.
func (p *plan) reduceSource(r reduction) source {
	w := writer{index: "int"}
	if r.wide {
		w.index = "long long"
	}
	in := w.index
	keeps, folds, per, segments := w.word(), w.word(), w.word(), w.word()
	total := folds // of values, for means
	if r.second {
		total = w.word()
	}
	offsets := make([]string, len(p.leaves))
	for i := range offsets {
		offsets[i] = w.word()
	}
	keptLens, reducedLens := make([]string, r.kept), make([]string, r.reduced)
	for d := range keptLens {
		keptLens[d] = w.word()
	}
	for d := range reducedLens {
		reducedLens[d] = w.word()
	}
	keptStrides, reducedStrides := make([][]string, len(offsets)), make([][]string, len(offsets))
	for i := range offsets {
		for range r.kept {
			keptStrides[i] = append(keptStrides[i], w.word())
		}
		for range r.reduced {
			reducedStrides[i] = append(reducedStrides[i], w.word())
		}
	}
	name := fmt.Sprintf("join_%s_%s", r.fold.name(), r.acc)
	var f string
	var need sections
	params := ", const nd_acc *p"
	if !r.second {
		name = p.name("reduce_" + r.fold.name())
		f, need = p.element(w.words)
		params = p.pointers()
	}
	for _, c := range p.consts {
		w.words += constWords(c.dt)
	}
	joins, more := r.fold.source(r.acc)
	need |= more | r.dt.needs()
	if r.width > 1 {
		need |= needVector
	}
	fmt.Fprintf(&w, "struct nd_args { long long v[%d]; };\n%s%s", w.words, joins, f)
	result, none := r.dt.info().stored, r.fold.none(r.acc)
	if r.first {
		result = "nd_acc"
	}
	fmt.Fprintf(&w, "extern \"C\" __global__ void __launch_bounds__(%d) %s(%s *out%s, const nd_args a) {\n", reduceBlock, name, result, params)
	fmt.Fprintf(&w, "    __shared__ nd_acc shared[%d];\n", reduceBlock)
	fmt.Fprintf(&w, "    const %s segments = %s, segment = blockIdx.x %% segments;\n", in, segments)
	along, across := "x", "y"
	if r.down {
		along, across = across, along
	}
	fmt.Fprintf(&w, "    const %s row = (%s)(blockIdx.x / segments) * blockDim.%s + threadIdx.%s;\n", in, in, across, across)
	fmt.Fprintf(&w, "    const %s begin = segment * %s, end = min(%s, begin + %s);\n", in, per, folds, per)
	fmt.Fprintf(&w, "    nd_acc acc = %s;\n    if (row < %s) {\n", none, keeps)
	if len(offsets) > 0 {
		fmt.Fprintf(&w, "    %s k = row", in)
		for i, o := range offsets {
			fmt.Fprintf(&w, ", o%d = %s", i, o)
		}
		w.WriteString(";\n")
		w.decompose("k", keptLens, p.offsetNames(), keptStrides)
	}
	p.foldLoop(&w, r, along, reducedLens, reducedStrides)
	w.WriteString("    }\n")
	w.foldBlock(along)
	fmt.Fprintf(&w, "    if (threadIdx.%s == 0 && row < %s)\n", along, keeps)
	switch {
	case r.first:
		w.WriteString("        out[row * segments + segment] = acc;\n}\n")
	case r.fold.arg():
		w.WriteString("        out[row] = acc.at;\n}\n")
	default:
		x := "acc.value"
		if r.fold == foldMean {
			x = "nd_mean"
			scale := "acc.value / (double)(" + total + ")"
			if r.acc == C128 {
				scale = fmt.Sprintf("complex<double>(acc.value.re / (double)(%s), acc.value.im / (double)(%s))", total, total)
			}
			fmt.Fprintf(&w, "    {\n        const %s nd_mean = %s;\n", r.acc.info().held, scale)
		}
		x, more = castExpr(r.dt, r.acc, x)
		need |= more
		fmt.Fprintf(&w, "        out[row] = %s;\n}\n", r.dt.store(x))
		if r.fold == foldMean {
			w.WriteString("}\n")
		}
	}
	return source{name, need, w.String()}
}

func (f fold) name() string {
	return [...]string{"sum", "prod", "min", "max", "any", "all", "argmin", "argmax", "mean"}[f]
}

// foldLoop writes the loop in which a thread folds its values into acc.
func (p *plan) foldLoop(w *writer, r reduction, along string, lens []string, strides [][]string) {
	in := w.index
	if r.second {
		fmt.Fprintf(w, "        for (%s j = begin + threadIdx.x; j < end; j += blockDim.x)\n            acc = nd_join(acc, p[row * end + j]);\n", in)
		return
	}
	call := func(value func(i int) string) string {
		text := "nd_f("
		for i, l := range p.leaves {
			x := value(i)
			if l.class == classIndex {
				text += "(long long)(" + x + "), "
			} else {
				text += l.dt.load(x) + ", "
			}
		}
		return text + "a)"
	}
	join := func(x, at string) string { return "acc = nd_join(acc, " + r.fold.lift(r.acc, p.last(), x, at) + ");" }
	if r.width == 1 {
		if r.reduced == 1 {
			w.WriteString("#pragma unroll 8\n")
		}
		fmt.Fprintf(w, "        for (%s j = begin + threadIdx.%s; j < end; j += blockDim.%s) {\n", in, along, along)
		names := make([]string, len(p.leaves))
		if r.reduced > 1 {
			fmt.Fprintf(w, "            %s left = j;\n", in)
			for i := range p.leaves {
				fmt.Fprintf(w, "            %s q%d = o%d;\n", in, i, i)
				names[i] = fmt.Sprintf("q%d", i)
			}
			w.decompose("left", lens, names, strides)
		}
		x := call(func(i int) string {
			at := names[i]
			if r.reduced == 1 {
				at = fmt.Sprintf("o%d + j * %s", i, strides[i][0])
			}
			if p.leaves[i].class == classIndex {
				return at
			}
			return fmt.Sprintf("p%d[%s]", i, at)
		})
		fmt.Fprintf(w, "            const %s x = %s;\n            %s\n        }\n", p.last().info().held, x, join("x", "j"))
		return
	}
	for i, l := range p.leaves {
		if l.class == classSame {
			fmt.Fprintf(w, "        const %s s%d = p%d[o%d];\n", l.dt.info().stored, i, i, i)
		}
	}
	// Whole vectors, four under way at a time, then the rest. Each place of a vector has its own
	// accumulator, so that additions need not wait for each other.
	fmt.Fprintf(w, "        nd_acc part[%d];\n#pragma unroll\n        for (int k = 0; k < %d; k++)\n            part[k] = acc;\n", r.width, r.width)
	fmt.Fprintf(w, "        const %s whole = begin + (end - begin) / %d * %d;\n#pragma unroll 4\n", in, r.width, r.width)
	fmt.Fprintf(w, "        for (%s j = begin + threadIdx.x * %d; j < whole; j += %d) {\n", in, r.width, reduceBlock*r.width)
	for i, l := range p.leaves {
		if l.class == classVector {
			t := fmt.Sprintf("nd_vector<%s, %d>", l.dt.info().stored, r.width)
			fmt.Fprintf(w, "            const %s q%d = *(const %s *)(p%d + o%d + j);\n", t, i, t, i, i)
		}
	}
	at := func(element string, loaded bool) string {
		return call(func(i int) string {
			switch p.leaves[i].class {
			case classSame:
				return fmt.Sprintf("s%d", i)
			case classIndex:
				return fmt.Sprintf("o%d + (%s) * %s", i, element, strides[i][0])
			case classVector:
				if loaded {
					return fmt.Sprintf("q%d.at[k]", i)
				}
			}
			return fmt.Sprintf("p%d[o%d + (%s) * %s]", i, i, element, strides[i][0])
		})
	}
	fmt.Fprintf(w, "#pragma unroll\n            for (int k = 0; k < %d; k++) {\n                const %s x = %s;\n                part[k] = nd_join(part[k], %s);\n            }\n        }\n",
		r.width, p.last().info().held, at("j + k", true), r.fold.lift(r.acc, p.last(), "x", "j + k"))
	fmt.Fprintf(w, "#pragma unroll\n        for (int k = 0; k < %d; k++)\n            acc = nd_join(acc, part[k]);\n", r.width)
	fmt.Fprintf(w, "        for (%s j = whole + threadIdx.x; j < end; j += %d) {\n            const %s x = %s;\n            %s\n        }\n",
		in, reduceBlock, p.last().info().held, at("j", false), join("x", "j"))
}

// last is the type of the expression's value.
func (p *plan) last() DType { return p.steps[len(p.steps)-1].dt }

// foldBlock writes how the accumulators of a block's threads become one along one side.
func (w *writer) foldBlock(along string) {
	step := ""
	if along == "y" {
		step = " * blockDim.x"
	}
	fmt.Fprintf(w, `    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    shared[me] = acc;
    __syncthreads();
    for (int half = blockDim.%[1]s / 2; half > 0; half /= 2) {
        if (threadIdx.%[1]s < half)
            shared[me] = nd_join(shared[me], shared[me + half%[2]s]);
        __syncthreads();
    }
    acc = shared[me];
`, along, step)
}
