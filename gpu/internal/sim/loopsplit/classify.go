package loopsplit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// plainFunction are functions without side effects, whose value depends on their arguments only.
var plainFunction = map[string]bool{
	"min": true, "max": true, "abs": true, "fminf": true, "fmaxf": true, "fmin": true, "fmax": true, "umin": true, "umax": true,
	"__popc": true, "__clz": true, "__ffs": true, "__brev": true, "__mul24": true, "__umul24": true,
	"gw_tile_rank": true, "gw_tile_index": true, "gw_tile_count": true, "gw_tile_mask": true, "gw_lane_rank": true,
	"ceilf": true, "floorf": true, "sqrtf": true, "log2f": true, "exp2f": true, "ceil": true, "floor": true, "sqrt": true,
}

// builtinValue are values of CUDA C++ that are the same for all threads of a block.
var builtinValue = map[string]bool{
	"blockIdx": true, "blockDim": true, "gridDim": true, "warpSize": true, "true": true, "false": true, "nullptr": true,
}

// builtinType are types that may be part of an expression whose value is the same for all threads.
var builtinType = map[string]bool{
	"size_t": true, "uint": true, "dim3": true,
	"int8_t": true, "uint8_t": true, "int16_t": true, "uint16_t": true, "int32_t": true, "uint32_t": true, "int64_t": true, "uint64_t": true,
}

// same reports whether an expression reads only names that ok accepts, and neither writes nor
// loads from memory.
func (s *splitter) same(e *expr, ok func(*expr) bool) bool {
	if e == nil {
		return true
	}
	parts := e.list
	switch e.kind {
	case literalExpr, typeExpr, parenExpr, binaryExpr, condExpr, castExpr:
	case nameExpr:
		if e.qualifier != "" || !ok(e) {
			return false
		}
	case prefixExpr:
		if e.op == "++" || e.op == "--" || e.op == "*" || e.op == "&" {
			return false
		}
	case memberExpr:
		if e.op != "." {
			return false
		}
	case listExpr:
		if e.op != "(" {
			return false
		}
	case callExpr:
		if op, isOp := asWarpOp(e); isOp && op.form == countForm {
			return true
		}
		callee := e.list[0]
		if isOfBlock(e) {
			return true
		}
		if e.op != "(" || callee.kind != typeExpr && !s.isPlain(callee) {
			return false
		}
		if callee.kind == nameExpr {
			parts = append(callee.list[:len(callee.list):len(callee.list)], e.list[1:]...)
		}
	default:
		return false
	}
	return !slices.ContainsFunc(parts, func(c *expr) bool { return !s.same(c, ok) })
}

// agreed reports whether a condition is the same for all threads at a time when none of them runs, as when all have come to a barrier: it may read
// shared memory, which nobody else writes.
func (s *splitter) agreed(e *expr) bool {
	if s.same(e, s.uniformName) {
		return true
	}
	if s.code.clusters {
		return false
	}
	switch e.kind {
	case nameExpr, indexExpr:
		return s.isShared(e, 0)
	case memberExpr:
		return e.op == "." && s.agreed(e.list[0])
	case prefixExpr:
		return (e.op == "!" || e.op == "-" || e.op == "~" || e.op == "+") && s.agreed(e.list[0])
	case parenExpr, binaryExpr, condExpr, castExpr:
		return !slices.ContainsFunc(e.list, func(c *expr) bool { return !s.agreed(c) })
	}
	return false
}

// isShared reports whether an expression with that number of indices around it is a shared variable, or an element that is the same for all threads.
func (s *splitter) isShared(e *expr, indices int) bool {
	if e.kind == indexExpr {
		return s.isShared(e.list[0], indices+1) && s.agreed(e.list[1])
	}
	return e.kind == nameExpr && e.qualifier == "" && e.v != nil && e.v.has("__shared__") && !e.v.reference && e.v.rank() == indices
}

// isOfBlock reports whether an expression asks the group of all threads for what is the same for them.
func isOfBlock(e *expr) bool {
	callee := e.list[0]
	if e.op != "(" || len(e.list) != 1 || callee.kind != memberExpr || callee.op != "." {
		return false
	}
	switch callee.name {
	case "size", "num_threads", "group_dim", "dim_threads", "group_index":
		of := callee.list[0]
		return of.kind == nameExpr && of.v != nil && of.v.groupObject || isThisBlock(of)
	}
	return false
}

// isPlain reports whether the value of a call is the same for all threads if its arguments are.
func (s *splitter) isPlain(callee *expr) bool {
	if callee.kind != nameExpr || callee.qualifier != "" || callee.v != nil {
		return false
	}
	n := callee.name
	if builtinType[n] || s.names[n] {
		return true
	}
	// The source may define a function or a macro of that name.
	_, own := s.code.functions[n]
	return plainFunction[n] && !own && !s.code.classes[n] && !s.code.assigns(n)
}

// uniformName reports whether the value of a name is the same for all threads.
func (s *splitter) uniformName(e *expr) bool {
	if e.v != nil {
		return e.v.uniform
	}
	return builtinValue[e.name] || builtinType[e.name] || s.names[e.name] || s.code.constants[e.name]
}

// indexName reports whether the value of a name depends only on the thread's index and on fixed values.
func (s *splitter) indexName(e *expr) bool {
	if e.name == "threadIdx" {
		return true
	}
	if e.v != nil {
		return e.v.index || e.v.fixed
	}
	return s.uniformName(e)
}

// classify determines which variables are the same for all threads, and which depend on the
// thread's index only.
func (s *splitter) classify() {
	for _, v := range s.vars {
		scalar := len(v.dims) == 0 && !v.reference && !cxx.Has(v.spec, "volatile")
		// The name of a shared array is its address, which is the same for all threads.
		v.uniform = v.atBlock && (!v.has("__shared__") || len(v.dims) > 0) || scalar && !v.written && !v.atBlock && !v.groupObject && !strings.HasPrefix(v.name, tileName)
		v.index = scalar && !v.written && len(v.changes) == 0 && !v.param && !v.atBlock && !v.groupObject && v.value != nil && !v.operand
	}
	s.settle(func(v *variable) bool {
		v.uniform = v.uniform && (v.atBlock || s.isUniform(v))
		return v.uniform
	})
	for _, v := range s.vars {
		v.fixed = v.uniform && !v.updated
	}
	s.settle(func(v *variable) bool {
		v.value.variables(func(of *variable) { v.fixed = v.fixed && of.fixed })
		return v.fixed
	})
	s.settle(func(v *variable) bool {
		v.index = v.index && s.same(v.value, s.indexName)
		return v.index
	})
}

// isUniform reports whether all values assigned to a variable are the same for all threads.
func (s *splitter) isUniform(v *variable) bool {
	if !v.param && v.value == nil && len(v.changes) == 0 {
		return false
	}
	if !s.same(v.value, s.uniformName) {
		return false
	}
	return !slices.ContainsFunc(v.changes, func(c change) bool {
		// Only some threads may come to a change within a branch.
		return !s.same(c.value, s.uniformName) || slices.ContainsFunc(c.around, func(n *node) bool { return !s.same(n.expr, s.uniformName) })
	})
}

// settle calls keep for all variables for which it returned true, until it returns true for all of them.
func (s *splitter) settle(keep func(*variable) bool) {
	kept := slices.Clone(s.vars)
	for {
		n := len(kept)
		kept = slices.DeleteFunc(kept, func(v *variable) bool { return !keep(v) })
		if len(kept) == n {
			return
		}
	}
}

// place determines which variables need an array with an element for each thread.
func (s *splitter) place() error {
	for placed := true; placed; {
		placed = false
		for _, v := range s.vars {
			if v.storage != inRegion || v.atBlock || v.uniform || !v.operand && !v.param && len(v.regions) < 2 && !s.isHeld(v) {
				continue
			}
			v.storage, placed = perThread, true
			if err := v.keepable(); err != nil {
				return err
			}
		}
	}
	return nil
}

// isHeld reports whether another region may have the address of a variable.
func (s *splitter) isHeld(v *variable) bool {
	seen := map[*variable]bool{v: true}
	var escapes func(h *variable) bool
	escapes = func(h *variable) bool {
		switch {
		case h == nil:
			return true
		case seen[h]:
			return false
		case h.storage != inRegion:
			return true
		}
		seen[h] = true
		return slices.ContainsFunc(h.copies, escapes)
	}
	return slices.ContainsFunc(v.holders, escapes)
}

// keepable returns an error if the variable cannot be an array with an element for each thread.
func (v *variable) keepable() error {
	switch {
	case v.reference:
		return fmt.Errorf("the reference %s is used on both sides of a barrier", v.name)
	case cxx.Has(v.spec, "auto") && (v.value == nil || v.value.kind == listExpr || v.value.kind == opaqueExpr || len(v.dims) > 0):
		return fmt.Errorf("the variable %s, which is auto, is used on both sides of a barrier", v.name)
	}
	return nil
}
