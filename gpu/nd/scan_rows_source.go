package nd

import (
	"fmt"
	"slices"
)

// rowScan is a scan of a kernel for rows: the number of its fold among those of the kernel, whose accumulator's type it has.
type rowScan struct {
	rowFold
	number int
}

// findScans returns the scans of the phases, in the order of the plan's.
func (k *rowPlan) findScans() (list []rowScan) {
	number := 0
	for _, ph := range k.phases {
		for _, f := range ph.folds {
			if f.scan {
				list = append(list, rowScan{f, number})
			}
			number++
		}
	}
	return list
}

// scans reports whether a phase computes a scan.
func (ph *phase) scans() bool {
	return slices.ContainsFunc(ph.folds, func(f rowFold) bool { return f.scan })
}

// other reports whether a phase computes reductions, or stores values: whatever a scan alone does not do.
func (ph *phase) other() bool {
	return len(ph.folds) == 0 || slices.ContainsFunc(ph.folds, func(f rowFold) bool { return !f.scan })
}

// scanned returns the numbers of the scans that a phase uses.
func (ph *phase) scanned() (list []int) {
	for _, s := range ph.steps {
		if s.op == opScan {
			list = append(list, int(s.args[2]))
		}
	}
	return list
}

// scanFunction returns the function that returns the next element of scan i. The accumulator has the elements before.
func (f rowFold) scanFunction(i int) (text string, need sections) {
	value, need := castExpr(f.dt, f.acc, "c.value")
	_, lifted := castExpr(f.acc, f.dt, "")
	text = fill("static __device__ __forceinline__ {{T}} nd_scan{{i}}(nd_acc &c, {{T}} x) {\n    c = nd_join(c, {{next}});\n    return {{value}};\n}\n", holes{
		"T": f.dt.info().held, "i": i, "next": f.fold.lift(f.acc, f.dt, "x", ""), "value": value,
	})
	return text, need | lifted | f.dt.needs()
}

// scanRoom writes the memory of a scan: in it are, for each vector, the accumulator of what the warp has before it, and then those of the parts
// before each warp's vectors. If a warp has the whole row, its threads keep the latter in registers.
func (c *rowCode) scanRoom(number int, f rowFold) {
	k := c.k
	fmt.Fprintf(c, "    const nd_acc%[1]d none%[1]d = %[2]s;\n    __shared__ nd_acc%[1]d before%[1]d[%[3]d];\n", number, f.fold.before(f.acc), k.vectors*k.threads*k.rowsInBlock())
	if k.threads > 32 {
		fmt.Fprintf(c, "    __shared__ nd_acc%[1]d parts%[1]d[%[2]d];\n", number, k.totals()+1)
	} else {
		fmt.Fprintf(c, "    nd_acc%[1]d all%[1]d = none%[1]d;\n", number)
	}
}

// vectorPlace returns the place of vector v of the thread in the memory of a scan.
func (c *rowCode) vectorPlace() string {
	return fmt.Sprintf("(v * %d + (int)threadIdx.y) * %d + (int)threadIdx.x", c.k.rowsInBlock(), c.k.threads)
}

// warpPlace returns the place of vector v of the warp among the parts of a scan.
func (c *rowCode) warpPlace() string {
	return fmt.Sprintf("v * %d + (int)threadIdx.x / 32", c.k.threads/32)
}

// scanVector writes the code that scans the threads' vectors with the same number: each has folded its own.
func (c *rowCode) scanVector(number int) {
	fmt.Fprintf(c, "            nd_acc%[1]d whole%[1]d;\n            sum%[1]d = nd_before<nd_acc%[1]d, nd_join%[1]d>(sum%[1]d, none%[1]d, whole%[1]d);\n", number)
	if c.k.threads > 32 {
		fmt.Fprintf(c, "            before%[1]d[%[2]s] = sum%[1]d;\n            if (threadIdx.x %% 32 == 0)\n                parts%[1]d[%[3]s] = whole%[1]d;\n", number, c.vectorPlace(), c.warpPlace())
		return
	}
	fmt.Fprintf(c, "            before%[1]d[%[2]s] = nd_join%[1]d(all%[1]d, sum%[1]d);\n            all%[1]d = nd_join%[1]d(all%[1]d, whole%[1]d);\n", number, c.vectorPlace())
}

// scanParts writes the code that scans the parts of the warps.
func (c *rowCode) scanParts(i int) {
	var numbers []int
	for j, f := range c.k.phases[i].folds {
		if f.scan {
			numbers = append(numbers, c.number(i, j))
		}
	}
	if len(numbers) == 0 || c.k.threads == 32 {
		return
	}
	c.WriteString("    __syncthreads();\n    if (threadIdx.x < 32) {\n")
	for _, n := range numbers {
		fmt.Fprintf(c, "        nd_parts<nd_acc%[1]d, %[2]d, nd_join%[1]d>(parts%[1]d, none%[1]d);\n", n, c.k.totals())
	}
	c.WriteString("    }\n    __syncthreads();\n")
}

// carries writes the accumulators of the scans that a phase uses: before the thread's vector v, or before what remains after all vectors.
func (c *rowCode) carries(i int, vector bool, indent string) {
	for _, s := range c.k.phases[i].scanned() {
		n := c.scans[s].number
		var value string
		switch {
		case !vector && c.k.threads > 32:
			value = fmt.Sprintf("parts%d[%d]", n, c.k.totals())
		case !vector:
			value = fmt.Sprintf("all%d", n)
		case c.k.threads > 32:
			value = fmt.Sprintf("nd_join%[1]d(parts%[1]d[%[2]s], before%[1]d[%[3]s])", n, c.warpPlace(), c.vectorPlace())
		default:
			value = fmt.Sprintf("before%d[%s]", n, c.vectorPlace())
		}
		fmt.Fprintf(c, "%snd_acc%d c%d = %s;\n", indent, n, s, value)
	}
}
