package gokernel

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// call translates a call. statement reports whether its value is not used.
func (f *function) call(call *ast.CallExpr, statement bool) string {
	if f.src.Info.Types[call.Fun].IsType() {
		return f.conversion(call)
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := f.src.Info.Uses[id].(*types.Builtin); ok {
			return f.builtin(call, b.Name())
		}
	}
	if code, ok := f.mathCall(call); ok {
		return code
	}
	if code, ok := f.viewCall(call); ok {
		return code
	}
	if code, ok := f.textureCall(call); ok {
		return code
	}
	if code, ok := f.halfCall(call); ok {
		return code
	}
	if code, effect, ok := f.groupCall(call); ok {
		return f.ordered(call, code, effect && !statement)
	}
	if name := f.gpuName(call.Fun); name != "" {
		code, effect := f.deviceCall(call, name)
		return f.ordered(call, code, effect && !statement)
	}
	code, effect := f.userCall(call)
	if r, ok := f.typeOf(call.Fun).Underlying().(*types.Signature); ok && r.Results().Len() != 1 {
		return code
	}
	return f.ordered(call, code, effect && !statement)
}

// ordered returns the value of a call. In an expression with several calls each has a statement of its own, since C++ does not call them in
// the order of the text.
func (f *function) ordered(call *ast.CallExpr, code string, effect bool) string {
	if !effect || !f.several {
		return code
	}
	name := f.temp()
	f.write("const %s = %s;", f.declare(call, f.typeOf(call), name), bare(code))
	return name
}

// hoisting prepares the translation of a statement's expressions: whether several calls in them may have effects.
func (f *function) hoisting(list ...ast.Expr) {
	n := 0
	for _, e := range list {
		ast.Inspect(e, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				_, builtin := f.src.Info.Uses[nameOf(node.Fun)].(*types.Builtin)
				if !builtin && !f.src.Info.Types[node.Fun].IsType() && f.mathFunction(node.Fun) == "" {
					n++
				}
			}
			return true
		})
	}
	f.several = n > 1
}

func nameOf(fun ast.Expr) *ast.Ident {
	id, _ := ast.Unparen(fun).(*ast.Ident)
	return id
}

// callResults translates a call with several results, and returns its variable and the code of each result.
func (f *function) callResults(e ast.Expr) (name string, values []string) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		refuse(e, "%s", whyNot(f.okOperand(e)))
	}
	results, _ := f.typeOf(call).(*types.Tuple)
	switch {
	case f.nameIn("math", call.Fun) == "Sincos":
		x := f.temp()
		f.write("const double %s = %s;", x, bare(f.value(call.Args[0], types.Typ[types.Float64])))
		return "", []string{"sin(" + x + ")", "cos(" + x + ")"}
	case f.gpuName(call.Fun) == "GlobalID2D":
		return "", []string{"go::global_x()", "go::global_y()"}
	}
	code, _ := f.userCall(call)
	name = f.temp()
	f.write("const auto %s = %s;", name, code)
	for i := range results.Len() {
		values = append(values, fmt.Sprintf("%s.r%d", name, i))
	}
	return name, values
}

// okOperand returns the type of what an expression with an ok reads: a map, a channel or an interface.
func (f *function) okOperand(e ast.Expr) types.Type {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return f.typeOf(e.X)
	case *ast.UnaryExpr:
		return f.typeOf(e.X)
	case *ast.TypeAssertExpr:
		return f.typeOf(e.X)
	}
	return f.typeOf(e)
}

func exprText(e ast.Expr) string { return types.ExprString(e) }

// uninstantiated returns a function without parentheses and type arguments.
func uninstantiated(fun ast.Expr) ast.Expr {
	fun = ast.Unparen(fun)
	switch ix := fun.(type) {
	case *ast.IndexExpr:
		return ix.X
	case *ast.IndexListExpr:
		return ix.X
	}
	return fun
}

// userCall translates a call of a function of the program, a method, or a closure.
func (f *function) userCall(call *ast.CallExpr) (code string, effect bool) {
	fun := uninstantiated(call.Fun)
	var targs *types.TypeList
	var id *ast.Ident
	var method *types.Func
	var receiver []string
	switch fun := fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
		if s := f.src.Info.Selections[fun]; s != nil && s.Kind() == types.MethodExpr {
			return f.methodExpr(call, fun, s)
		} else if s != nil && s.Kind() == types.FieldVal {
			refuse(call, "%s", whyNot(s.Type()))
		} else if s != nil {
			receiver, targs, method = f.receiver(fun, s)
		}
	case *ast.FuncLit:
		name := f.temp()
		f.lambda(name, fun)
		return name + "(" + strings.Join(f.arguments(call, f.typeOf(fun).(*types.Signature)), ", ") + ")", true
	}
	if id == nil {
		refuse(call, "%s", whyNot(f.typeOf(call.Fun)))
	}
	if v, ok := f.src.Info.Uses[id].(*types.Var); ok {
		if name := f.closures[v]; name != "" {
			return name + "(" + strings.Join(f.arguments(call, v.Type().Underlying().(*types.Signature)), ", ") + ")", true
		}
		refuse(call, "%s", whyNot(v.Type()))
	}
	obj, ok := f.src.Info.Uses[id].(*types.Func)
	if !ok {
		refuse(call, "%s is no function that a kernel can call", id.Name)
	}
	if method != nil {
		obj = method
	}
	callee := f.callee(call, id, obj, targs)
	args := append(receiver, f.arguments(call, f.typeOf(call.Fun).(*types.Signature))...)
	return callee.name + "(" + strings.Join(args, ", ") + ")", callee.effects
}

// method returns the method of a type that a selector names, and the indices that lead to it. Where the type is a type parameter of Go,
// it is that of the type argument.
func (f *function) method(fun *ast.SelectorExpr, s *types.Selection, typ types.Type) (*types.Func, []int) {
	obj, path := s.Obj().(*types.Func), s.Index()
	if types.IsInterface(typ) {
		refuse(fun, "%s", whyNot(typ))
	}
	if types.IsInterface(obj.Signature().Recv().Type()) {
		found, index, _ := types.LookupFieldOrMethod(typ, true, obj.Pkg(), obj.Name())
		if found, ok := found.(*types.Func); ok {
			obj, path = found, index
		}
	}
	return obj, path
}

// receiver returns the receiver of a method that is called, the type arguments of its type, and the method.
func (f *function) receiver(fun *ast.SelectorExpr, s *types.Selection) ([]string, *types.TypeList, *types.Func) {
	typ := f.typeOf(fun.X)
	obj, path := f.method(fun, s, typ)
	path = path[:len(path)-1]
	code := ""
	if len(path) > 0 {
		code = f.field(typ, fun.X, path)
		typ = f.subst(embedded(typ, path))
	} else {
		code = f.place(fun.X)
	}
	_, have := typ.Underlying().(*types.Pointer)
	_, want := obj.Signature().Recv().Type().(*types.Pointer)
	switch {
	case want && !have:
		code = "(&" + code + ")"
	case have && !want:
		code = "(*" + code + ")"
	}
	if p, ok := typ.Underlying().(*types.Pointer); ok {
		typ = p.Elem()
	}
	var targs *types.TypeList
	if n, ok := types.Unalias(typ).(*types.Named); ok {
		targs = n.TypeArgs()
	}
	return []string{bare(code)}, targs, obj
}

// methodExpr translates a call of a method whose receiver is its first argument, as in T.Method(v).
func (f *function) methodExpr(call *ast.CallExpr, fun *ast.SelectorExpr, s *types.Selection) (code string, effect bool) {
	typ := types.Unalias(f.subst(s.Recv()))
	if types.IsInterface(typ) {
		refuse(fun, "a kernel cannot call %s: call the method %s of a variable", exprText(fun), fun.Sel.Name)
	}
	obj, path := f.method(fun, s, typ)
	if len(path) > 1 {
		refuse(fun, "a kernel cannot call %s: call the method %s of a variable", exprText(fun), fun.Sel.Name)
	}
	args := f.arguments(call, f.typeOf(fun).(*types.Signature))
	pointer, have := typ.(*types.Pointer)
	if have {
		typ = pointer.Elem()
		if _, want := obj.Signature().Recv().Type().(*types.Pointer); !want {
			args[0] = "*(" + args[0] + ")"
		}
	}
	var targs *types.TypeList
	if n, ok := types.Unalias(typ).(*types.Named); ok {
		targs = n.TypeArgs()
	}
	callee := f.callee(call, fun.Sel, obj, targs)
	return callee.name + "(" + strings.Join(args, ", ") + ")", callee.effects
}

// embedded returns the type of a field of a field.
func embedded(typ types.Type, path []int) types.Type {
	for _, n := range path {
		if p, ok := typ.Underlying().(*types.Pointer); ok {
			typ = p.Elem()
		}
		typ = typ.Underlying().(*types.Struct).Field(n).Type()
	}
	return typ
}

// functionValue returns a function that is an argument: a closure, or a lambda that calls a declared function.
func (f *function) functionValue(e ast.Expr, sig *types.Signature) string {
	e = ast.Unparen(e)
	if lit, ok := e.(*ast.FuncLit); ok {
		name := f.temp()
		f.lambda(name, lit)
		return name
	}
	name := uninstantiated(e)
	id, _ := name.(*ast.Ident)
	if s, ok := name.(*ast.SelectorExpr); ok && f.src.Info.Selections[s] == nil {
		id = s.Sel
	}
	v, isVar := f.src.Info.Uses[id].(*types.Var)
	if isVar && f.closures[v] != "" {
		return f.closures[v]
	}
	obj, ok := f.src.Info.Uses[id].(*types.Func)
	if id == nil || !ok || sig.Variadic() {
		refuse(e, "%s", whyNot(f.typeOf(e)))
	}
	var params, args []string
	for i := range sig.Params().Len() {
		params = append(params, f.declare(e, sig.Params().At(i).Type(), fmt.Sprint("a", i)))
		args = append(args, fmt.Sprint("a", i))
	}
	return fmt.Sprintf("[](%s) { return %s(%s); }", strings.Join(params, ", "), f.callee(e, id, obj, nil).name, strings.Join(args, ", "))
}

// callee returns the translation of a declared function that is called or passed.
func (f *function) callee(at ast.Node, id *ast.Ident, obj *types.Func, targs *types.TypeList) *function {
	if inst, ok := f.src.Info.Instances[id]; ok {
		targs = inst.TypeArgs
	}
	obj = obj.Origin()
	if d, ok := f.t.find(at, obj).decl.(*ast.FuncDecl); ok && directiveOf(d) != nil {
		refuse(at, "%s is a kernel, and a kernel cannot launch another: move what both need to a function", id.Name)
	}
	callee := f.t.function(at, obj, targs, f.unchecked, f)
	f.callees = append(f.callees, callee)
	f.together = f.together || callee.together
	f.effects = f.effects || callee.effects
	return callee
}

// closure declares a function literal that a variable gets, as a C++ lambda. It reports whether the value is one.
func (f *function) closure(lhs, value ast.Expr) bool {
	lit, ok := ast.Unparen(value).(*ast.FuncLit)
	if !ok {
		return false
	}
	id, ok := lhs.(*ast.Ident)
	v, _ := f.src.Info.Defs[id].(*types.Var)
	if !ok || v == nil {
		refuse(value, "%s", whyNot(f.typeOf(value)))
	}
	name := f.local(v)
	f.lambda(name, lit)
	f.closures[v] = name
	return true
}

// lambda writes a function literal.
func (f *function) lambda(name string, lit *ast.FuncLit) {
	sig := f.typeOf(lit).(*types.Signature)
	var params []string
	for v := range sig.Params().Variables() {
		params = append(params, f.declare(objectNode{v}, v.Type(), f.local(v)))
	}
	result := f.resultsOf(lit, sig, name)
	f.write("auto %s = [&](%s) -> %s {", name, strings.Join(params, ", "), result)
	outer, named, targets := f.sig, f.named, f.targets
	f.sig, f.named, f.targets = sig, nil, nil
	f.indent++
	f.declareResults()
	f.block(lit.Body)
	f.indent--
	f.sig, f.named, f.targets = outer, named, targets
	f.mark(rbrace(lit.Body.Rbrace))
	f.write("};")
}

// builtin translates a call of one of Go's own functions.
func (f *function) builtin(call *ast.CallExpr, name string) string {
	typ := f.typeOf(call)
	switch name {
	case "len":
		return f.length(call.Args[0])
	case "min", "max":
		noHalf(call, name, typ)
		code := f.value(call.Args[0], typ)
		function := map[string]string{"min": "go::smaller", "max": "go::larger"}[name]
		for _, arg := range call.Args[1:] {
			code = fmt.Sprintf("%s(%s, %s)", function, bare(code), bare(f.value(arg, typ)))
		}
		return code
	case "copy":
		if text, n := f.constantText(call.Args[1]); text != "" {
			return fmt.Sprintf("go::copy(%s, go::slice<unsigned char>{(unsigned char *)%s, %d})", bare(f.expr(call.Args[0])), text, n)
		}
		return fmt.Sprintf("go::copy(%s, %s)", bare(f.expr(call.Args[0])), bare(f.expr(call.Args[1])))
	case "clear":
		if _, ok := f.typeOf(call.Args[0]).Underlying().(*types.Slice); ok {
			return fmt.Sprintf("go::clear(%s)", bare(f.expr(call.Args[0])))
		}
	case "panic":
		if v := f.src.Info.Types[call.Args[0]].Value; v != nil {
			text := v.ExactString()
			if v.Kind() == constant.String {
				text = constant.StringVal(v)
			}
			return fmt.Sprintf("go::panic(%s, %s)", cString(text), f.at(call))
		}
		if f.src != f.t.Program {
			return fmt.Sprintf("go::panic(%s, %s)", cString(exprText(call.Args[0])), f.at(call))
		}
		refuse(call, "a kernel panics with a constant text: use gpu.Printf for values")
	}
	refuse(call, "%s", builtinRefusals[name])
	return ""
}

var builtinRefusals = map[string]string{
	"append":  "a kernel cannot append, since it cannot allocate: pass a slice that is long enough, and count with gpu.AtomicAdd",
	"make":    "a kernel cannot allocate: pass a slice, or use an array or gpu.Shared",
	"new":     "a kernel cannot allocate: declare a variable and take its address",
	"cap":     "a slice has no capacity in a kernel: use len",
	"delete":  whyNot(&types.Map{}),
	"clear":   whyNot(&types.Map{}),
	"close":   whyNot(&types.Chan{}),
	"print":   "a kernel prints with gpu.Printf",
	"println": "a kernel prints with gpu.Printf",
	"recover": "a kernel cannot recover: a panic ends the launch",
	"complex": "complex numbers are not there for kernels: use two floats",
	"real":    "complex numbers are not there for kernels: use two floats",
	"imag":    "complex numbers are not there for kernels: use two floats",
}

// length translates len.
func (f *function) length(x ast.Expr) string {
	typ := f.typeOf(x).Underlying()
	if p, ok := typ.(*types.Pointer); ok {
		typ = p.Elem().Underlying()
	}
	switch u := typ.(type) {
	case *types.Array:
		if calls(x) {
			f.write("(void)%s;", f.expr(x))
		}
		return fmt.Sprint(u.Len(), "ll")
	case *types.Slice:
		return f.expr(x) + ".n"
	}
	refuse(x, "%s", whyNot(typ))
	return ""
}

// sharedVar declares shared memory: tile := gpu.Shared[T](). It reports whether the value is that.
func (f *function) sharedVar(lhs, value ast.Expr) bool {
	call, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok || f.gpuName(call.Fun) != "Shared" {
		return false
	}
	id, _ := lhs.(*ast.Ident)
	v, _ := f.src.Info.Defs[id].(*types.Var)
	atTop := false
	for _, s := range f.decl.Body.List {
		atTop = atTop || s.Pos() <= call.Pos() && call.End() <= s.End() && (isDefine(s) || isVar(s))
	}
	if v == nil || !f.kernel || !atTop {
		refuse(call, "gpu.Shared is called in a declaration of the kernel itself, outside of loops and conditions: tile := gpu.Shared[[256]float32]()")
	}
	elem := f.typeOf(value).(*types.Pointer).Elem()
	f.write("__shared__ %s;", f.declare(value, elem, f.local(v)))
	f.shared[v] = true
	return true
}

func isDefine(s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	return ok && a.Tok == token.DEFINE
}

func isVar(s ast.Stmt) bool {
	_, ok := s.(*ast.DeclStmt)
	return ok
}

// isShared reports whether a variable is the address of shared memory.
func (f *function) isShared(id *ast.Ident) bool {
	v, ok := f.src.Info.ObjectOf(id).(*types.Var)
	return ok && f.shared[v]
}
