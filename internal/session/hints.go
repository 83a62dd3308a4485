package session

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/spelling"
)

// Hints are remedies for common mistakes of people who are new to Go, or come from C or Python.
// They are separate from the messages, which are those of the Go tools and can be searched for.

// A rule has a hint for messages that match. The hint may refer to groups of the pattern.
type rule struct {
	pattern *regexp.Regexp
	hint    string
}

func rules(pairs ...string) []rule {
	var all []rule
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, rule{regexp.MustCompile(pairs[i]), pairs[i+1]})
	}
	return all
}

func ruled(all []rule, msg string) string {
	for _, r := range all {
		if m := r.pattern.FindStringSubmatchIndex(msg); m != nil {
			return string(r.pattern.ExpandString(nil, r.hint, msg, m))
		}
	}
	return ""
}

// checkRules are rules for messages of go/types that need no other information.
var checkRules = rules(
	`^missing return`, "a func with results must end in return, or panic, on every path",
	`^no new variables on left side of :=`, "all of these names are declared already: use = to assign to them",
	`^label (\w+) declared and not used`, "remove it, or name it in a break, continue or goto",
	`^cannot assign to struct field .* in map`, "what is in a map can't be changed in place: take it out, change it, put it back; or keep pointers in the map",
	`^cannot use .* as .*\(method \w+ has pointer receiver\)`, "the methods belong to the pointer: write & before the value",
	`^non-boolean condition in`, "write a comparison, such as != 0 or != nil",
	`^multiple-value .*, error\)\)`, "the last value is an error: write v, err := …, or must(…) around the call for the value alone",
	`^multiple-value`, "give each value a name, or _ to those that you do not need",
	`^cannot assign to (nil|true|false|iota) `, "$1 is Go's own and can't be changed",
	`^cannot assign to .*neither addressable nor a map index`, "it is not a variable",
	`^invalid operation: (.+) \* (.+) \(mismatched types (?:untyped )?string and`, "text is repeated by strings.Repeat($1, $2)",
	`^invalid operation: (.+) \* (.+) \(mismatched types \S+(?: int)? and (?:untyped )?string\)`, "text is repeated by strings.Repeat($2, $1)",
	`\(mismatched types (?:byte|rune) and untyped string\)`, "one character stands in single quotes: 'a'",
	`^invalid operation: (\w+) \* (time\.\w+) \(mismatched types \w+ and time\.Duration\)`, "Go converts no numbers by itself: write time.Duration($1) * $2, or with fractions time.Duration($1 * float64($2))",
	`^[\d.]+ \(untyped float constant\) truncated to int$`, "whole numbers are wanted on both sides: convert the other one by float64(…), or math.Mod(x, y) for a remainder",
	`^[\d.]+ \(untyped float constant\) truncated`, "a whole number is wanted here: for times use a smaller unit, such as 500 * time.Millisecond",
	`^cannot convert (".*") \(untyped string constant\) to type time\.Duration`, "text is read by time.ParseDuration($1)",
	`^cannot convert (".*") \(untyped string constant\) to type (?:u?int\d*|float\d+)`, "text is read by strconv.Atoi($1), or strconv.ParseFloat($1, 64)",
	`^invalid operation: shifted operand (\w+) .* must be integer`, "<< and >> move the bits of whole numbers: to double $1 write $1 * 2",
	`^(\w+) \(built-in\) must be called`, "$1 is a func of Go's own and can't be set: take another name",
	`^(?:int|string|bool|float64) \(type\) is not an expression`, "a type comes after the name of a variable, without a colon: var x int = 5",
	`^initialization cycle`, "it is made of what is made of it: one of them needs a value of its own",
	`^use of untyped nil`, "nil alone has no type: var x *T = nil, or the type of a slice, map, func, channel or interface",
	`^invalid operation: operator \+ not defined on (\w+) \(variable of type \[\]`, "slices are joined by append($1, other...)",
	`^invalid operation: (\w+) \+ (.+) \(mismatched types \[\]`, "a slice is made longer by append($1, $2)",
	`slice can only be compared to nil`, "slices are compared by slices.Equal",
	`map can only be compared to nil`, "maps are compared by maps.Equal",
	`^invalid operation: operator % not defined on (\w+) \(.*float`, "of fractions it is math.Mod($1, …)",
	`^invalid operation: operator ! not defined on (\w+)`, "! is for bool: write $1 == 0, or nil",
	`^invalid operation: operator (?:&&|\|\|) not defined|mismatched types \S+ and untyped bool`, "conditions are of type bool: write a comparison, such as != 0",
	`^invalid operation: operator \S+ not defined on \w+ \(.* constrained by any\)`, "any allows no operators: constrain the type by cmp.Ordered, or ~int | ~float64",
	`^invalid operation: operator - not defined on (\w+) \(.*string`, "text has no -: strings.ReplaceAll($1, …, \"\") takes parts out",
	`^invalid argument: index -\d+ .* must not be negative`, "count from the end by len(x)-1",
	`^invalid argument: index .* must be integer`, "slices and strings have places that are ints; a map has keys of other types",
	`^invalid operation: cannot indirect`, "* takes what a pointer points to, and this is none. A power is math.Pow(x, y)",
	`^invalid operation: cannot take address of`, "only variables have an address: p := new(T), or give the value a name first",
	`\(no value\) used as value`, "it returns nothing",
	`^extra init expr|^assignment mismatch: \d+ variables? but \d+ values?`, "there must be as many names as values",
	`^cannot use _ as value`, "_ only takes values; it has none",
	`^unknown field (\w+) in struct literal of type (\w+)`, "fields are written as the type declares them",
	`^mixture of field:value`, "name all the fields, or none of them",
	`^too (?:few|many) values in struct literal of type (\w+)`, "without names all fields of $1 must be there, in their order; with names only those that are set: $1{name: value}",
	`^too many arguments in conversion to (\w+)`, "a value of a struct is written $1{…}",
	`is not an interface$`, "x.(T) takes a value out of an interface; to convert, write T(x)",
	`mismatched types any and|\(type any has no field or method`, "take the value out of the interface first: x.(int), or the type that it has",
	`^invalid array length (\w+)`, "the length of an array is a constant: make([]T, $1) makes a slice",
	`permits only one iteration variable`, "there is one: for i := range 3 { … }",
	`^missing type constraint`, "say which types are allowed: [T any]",
	`^invalid operation: make\((\[\]\w+)\) expects`, "a slice has a length: make($1, 3)",
	`^invalid argument: cannot make`, "make is for slices, maps and channels; var x T declares any variable",
	`^invalid argument: (\w+) .*for built-in len`, "len is for text, slices, arrays, maps and channels",
	`^string\.(\w+) undefined`, "string is a type; the package is strings: strings.$1",
	`^cannot use (\w+) \(variable of type (?:u?int\w*|float\d+)\) as bool value`, "write a comparison: $1 != 0",
	`as bool value`, "a bool is true or false",
	`^fallthrough statement out of place`, "fallthrough is the last statement of a case, and not in the last case",
	`^label (\w+) not declared`, "a label stands before a statement of the same func: $1:",
	`^duplicate case`, "each value has one case",
	`^(?:too many|not enough) return values`, "return gives as many values as the func has results",
	`^(?:too many|not enough) arguments in call`, "have is what the call gives, want is what the func takes",
	`^cannot receive from non-channel|^invalid operation: cannot receive from non-channel`, "<- takes a value from a channel",
	`^invalid operation: .*mismatched types (untyped )?string and `, "make text of the number: fmt.Sprint(n), or strconv.Itoa(n) for an int",
	`^invalid operation: .*mismatched types \S+ and (untyped )?string\)`, "make text of the number: fmt.Sprint(n), or strconv.Itoa(n) for an int",
	`^cannot use (\d+) \(untyped int constant\) as string value`, `text stands in double quotes: "$1"`,
	`^cannot use "([\d.]+)" \(untyped string constant\) as \w+ value`, "numbers stand without quotes: $1",
	`^cannot use (.+) \(.*string\) as error value`, "make an error of it: errors.New($1)",
	`^cannot use nil as (\S+) value`, "$1 has no nil; its empty value is that of *new($1)",
	`^break not in|^continue not in`, "it works only in a loop of the same func",
	`^cannot use .*\(.*constant.* as (\w+) value .*\(truncated\)`, "$1 holds no fractions: round the value, or use float32 or float64",
	`^cannot use .*\(.*constant.* as (\w+) value .*overflows\)`, "the number is too large for $1",
	`does not implement (\w+) \(missing method (\w+)\)`, "$1 wants a method $2: declare it, with the parameters and results that $1 says",
	`^missing function body`, "the brace stands on the line of the func: func f() {",
)

var (
	unusedMessage    = regexp.MustCompile(`^declared and not used: (\S+)$`)
	mismatchMessage  = regexp.MustCompile(`^assignment mismatch: (\d+) variables? but (.*) returns? (\d+) values?$`)
	mismatchedTypes  = regexp.MustCompile(`\(mismatched types (\S+) and (\S+)\)$`)
	cannotUse        = regexp.MustCompile(`^cannot use (.+) \((?:variable|value|constant|result)[^()]* of (?:\w+ )?type (.+?)\) as (.+?) value in`)
	missingMember    = regexp.MustCompile(`^undefined: (\w+)\.(\w+)$`)
	hiddenType       = regexp.MustCompile(`^(\w+) \(.*variable\) is not a type$|cannot call (\w+) \(variable of`)
	noMember         = regexp.MustCompile(`^(.+)\.\w+ undefined \(type (.+) has no field or method (\w+)\)$`)
	notConverted     = regexp.MustCompile(`^cannot convert (".*") \(untyped string constant\) to type (\w+)$`)
	unexportedMember = regexp.MustCompile(`^name (\w+) not exported by package (\w+)$`)
)

// maxHints is the maximum number of problems of a cell that get hints: finding similar
// names takes time.
const maxHints = 30

// addHints adds hints to problems that are shown: most problems of a first check are
// solved by imports. advice is the hint for names that were lost with their session.
func (c *checked) addHints(list *CompileError, advice string) {
	for i := range list.Problems[:min(maxHints, len(list.Problems))] {
		p := &list.Problems[i]
		e, ok := c.causes[p.String()]
		if !ok || p.Hint != "" {
			continue
		}
		if m := undefined.FindStringSubmatch(inMain.ReplaceAllString(e.Msg, "$1")); m != nil && c.base.hadEnded(m[1]) {
			p.Hint = advice
		} else {
			p.Hint = c.hint(e)
		}
	}
}

// hint returns a hint for a problem that go/types has found, or "".
func (c *checked) hint(e types.Error) string {
	msg := inMain.ReplaceAllString(e.Msg, "$1")
	if m := unusedMessage.FindStringSubmatch(msg); m != nil {
		return c.unusedHint(e.Pos, m[1])
	}
	if m := mismatchMessage.FindStringSubmatch(msg); m != nil {
		return c.countHint(e.Pos, m[1], m[3])
	}
	if m := mismatchedTypes.FindStringSubmatch(msg); m != nil {
		if h := c.numbersHint(e.Pos, m[1], m[2]); h != "" {
			return h
		}
	}
	if m := cannotUse.FindStringSubmatch(msg); m != nil {
		if h := convertHint(m[1], m[2], m[3]); h != "" {
			return h
		}
	}
	if m := hiddenType.FindStringSubmatch(msg); m != nil && types.Universe.Lookup(m[1]+m[2]) != nil && c.base.names[m[1]+m[2]] != nil {
		return fmt.Sprintf("a variable of %s has this name and hides what Go calls so", c.base.names[m[1]+m[2]].cell)
	}
	if m := missingMember.FindStringSubmatch(msg); m != nil {
		return c.memberHint(e.Pos, m[1], m[2])
	}
	if m := unexportedMember.FindStringSubmatch(msg); m != nil {
		return c.memberHint(e.Pos, m[2], m[1])
	}
	if m := undefined.FindStringSubmatch(msg); m != nil && c.laterHint(e.Pos, m[1]) != "" {
		return c.laterHint(e.Pos, m[1])
	}
	if m := undefined.FindStringSubmatch(msg); m != nil && c.lossOf(m[1]) == "" && m[1] != cgoPackage {
		return c.nameHint(e.Pos, m[1])
	}
	if h := c.assignHint(e); h != "" {
		return h
	}
	if m := noMember.FindStringSubmatch(msg); m != nil {
		if h := cmp.Or(memberOf(m[1], m[2], m[3]), c.ownMembers(e.Pos, m[3])); h != "" {
			return h
		}
	}
	if m := notConverted.FindStringSubmatch(msg); m != nil && !c.isConverted(e.Pos) {
		return fmt.Sprintf("%s is text, and this takes a value of type %s", m[1], m[2])
	}
	if strings.HasPrefix(msg, "too many return values") && c.returnsFromCell(e.Pos) {
		return "a cell returns nothing: the value of its last expression is shown"
	}
	return ruled(checkRules, msg)
}

// unusedHint returns a hint for an unused variable, which may have been declared instead
// of setting another.
func (c *checked) unusedHint(pos token.Pos, name string) string {
	const plain = "Go wants each variable of a func or block to be used: use it, remove it, or write _ for it"
	for id, obj := range c.info.Defs {
		if id.Pos() != pos || obj == nil || obj.Parent() == nil || obj.Parent().Parent() == nil {
			continue
		}
		_, outer := obj.Parent().Parent().LookupParent(name, pos)
		if _, ok := outer.(*types.Var); !ok {
			return plain
		}
		where := "the one of line " + strconv.Itoa(c.fset.Position(outer.Pos()).Line)
		if e := c.base.names[name]; e != nil && e.obj == outer {
			where = "that of " + e.cell
		}
		return fmt.Sprintf("this makes another %s, which hides %s: write = instead of := to set that one", name, where)
	}
	return plain
}

// countHint returns a hint for an assignment of too many or few values.
func (c *checked) countHint(pos token.Pos, names, values string) string {
	for _, ch := range c.chunks {
		fails := false
		ast.Inspect(ch.node(), func(n ast.Node) bool {
			if s, ok := n.(*ast.AssignStmt); ok && len(s.Rhs) == 1 && s.Pos() <= pos && pos < s.End() {
				t, ok := c.info.TypeOf(s.Rhs[0]).(*types.Tuple)
				fails = ok && t.Len() > 0 && isError(t.At(t.Len()-1).Type()) && strconv.Itoa(t.Len()-1) == names
			}
			return true
		})
		if fails {
			return "the last value is an error: give it a name too (v, err := …), or write must(…) around the call for the rest"
		}
	}
	return fmt.Sprintf("write %s names on the left, _ for values that you do not need", values)
}

// numberRank orders the numeric types by the range of their values.
var numberRank = map[string]int{
	"int8": 1, "uint8": 1, "byte": 1, "int16": 2, "uint16": 2, "int32": 3, "uint32": 3, "rune": 3, "int": 4, "uint": 4, "int64": 5, "uint64": 5,
	"uintptr": 5, "float32": 6, "float64": 7, "complex64": 8, "complex128": 9,
}

// numbersHint returns the conversion that an operation on two numbers needs.
func (c *checked) numbersHint(pos token.Pos, a, b string) string {
	if numberRank[a] == 0 || numberRank[b] == 0 {
		return ""
	}
	hint := ""
	for _, ch := range c.chunks {
		ast.Inspect(ch.node(), func(n ast.Node) bool {
			x, ok := n.(*ast.BinaryExpr)
			if !ok || pos < x.Pos() || x.End() <= pos || typeName(c.info.TypeOf(x.X)) != a || typeName(c.info.TypeOf(x.Y)) != b {
				return true
			}
			left, right := ch.textOf(x.X), ch.textOf(x.Y)
			if numberRank[a] < numberRank[b] {
				left = fmt.Sprintf("%s(%s)", b, left)
			} else {
				right = fmt.Sprintf("%s(%s)", a, right)
			}
			hint = fmt.Sprintf("Go converts no numbers by itself: write %s %s %s", left, x.Op, right)
			return true
		})
	}
	return hint
}

func typeName(t types.Type) string {
	if t == nil {
		return ""
	}
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == mainPath {
			return ""
		}
		return p.Name()
	})
}

func (c *chunk) textOf(n ast.Node) string {
	return c.src.Text[c.offset(n.Pos()):c.offset(n.End())]
}

// convertHint returns a hint for converting x from one type to another, or "".
func convertHint(x, from, to string) string {
	isNumber := func(t string) bool { return numberRank[t] > 0 }
	switch {
	case isNumber(from) && isNumber(to):
		return fmt.Sprintf("Go converts no numbers by itself: write %s(%s)", to, x)
	case isNumber(from) && to == "string":
		return fmt.Sprintf("write fmt.Sprint(%s)", x)
	case from == "string" && isNumber(to):
		return fmt.Sprintf("write strconv.Atoi(%s) for an int, strconv.ParseFloat(%[1]s, 64) for a float64; both return an error too", x)
	case from == "string" && (to == "[]byte" || to == "[]rune"), to == "string" && (from == "[]byte" || from == "[]rune"):
		return fmt.Sprintf("write %s(%s)", to, x)
	case from == "*"+to && strings.HasPrefix(x, "&"):
		return "& makes a pointer to it: write " + strings.TrimPrefix(x, "&")
	case from == "*"+to:
		return fmt.Sprintf("take what it points to: *%s", x)
	case to == "*"+from:
		return fmt.Sprintf("take its address: &%s", x)
	}
	return ""
}

// memberHint returns a hint at a name of a package that is similar to the
// undefined one, or "".
func (c *checked) memberHint(pos token.Pos, pkg, member string) string {
	for id, obj := range c.info.Uses {
		name, ok := obj.(*types.PkgName)
		if !ok || id.Name != pkg {
			continue
		}
		scope := name.Imported().Scope()
		known := slices.DeleteFunc(scope.Names(), func(n string) bool { return !scope.Lookup(n).Exported() })
		for _, n := range known {
			if strings.EqualFold(n, member) {
				return fmt.Sprintf("packages show only names that begin with a capital: %s.%s", pkg, n)
			}
		}
		if f := functionsOf[pkg+"."+member]; f != "" {
			return "in Go that is " + f
		}
		if near := spelling.Nearest(member, known); near != "" {
			return fmt.Sprintf("did you mean %s.%s?", pkg, near)
		}
	}
	return ""
}

// inGo are the names in Go of concepts in other languages.
var inGo = map[string]string{
	"None": "nil", "null": "nil", "NULL": "nil", "nullptr": "nil", "True": "true", "False": "false", "TRUE": "true", "FALSE": "false",
	"float": "float64, or float32, which is what CUDA calls float", "double": "float64", "long": "int64", "short": "int16", "char": "byte, or rune",
	"unsigned": "uint32", "size_t": "int", "str": "string; text is made of a value by fmt.Sprint(x)", "object": "any", "list": "a slice such as []int", "dict": "a map such as map[string]int",
	"printf": "fmt.Printf", "sizeof": "unsafe.Sizeof", "malloc": "make or new", "self": "the receiver's name", "this": "the receiver's name",
	"undefined": "nil", "cout": "fmt.Print", "console": "fmt.Println", "System": "fmt.Println", "Println": "fmt.Println", "Printf": "fmt.Printf", "println": "fmt.Println",
	"input": "bufio.NewScanner(os.Stdin), or fmt.Scan", "require": "import \"path\"", "loop": "for { … }", "pass": "an empty block, { }", "sqrt": "math.Sqrt", "pow": "math.Pow", "abs": "math.Abs",
	"try": "a func that returns an error, which its caller looks at", "function": "func", "String": "string", "Integer": "int", "boolean": "bool",
	"elif": "else if", "raise": "panic, or return an error", "throw": "panic, or return an error", "int32_t": "int32", "uint32_t": "uint32", "uint8_t": "uint8", "int64_t": "int64",
}

// nameHint returns a hint for an undefined name.
func (c *checked) nameHint(pos token.Pos, name string) string {
	if in := inGo[name]; in != "" {
		return "in Go that is " + in
	}
	if c.isSet(pos) {
		return "write := instead of = to declare it"
	}
	known := slices.Collect(maps.Keys(c.base.names))
	known = append(append(known, c.pkg.Scope().Names()...), "true", "false", "nil", "len", "append", "make", "panic", "copy", "delete",
		"string", "bool", "byte", "rune", "error", "int", "int32", "int64", "uint32", "uint64", "float32", "float64", "complex128")
	for n := range c.selected() {
		if n == name {
			known = append(known, slices.Collect(maps.Keys(c.base.imports))...)
			known = append(known, "fmt", "strings", "strconv", "math", "time", "os", "errors", "sort", "slices", "maps", "sync", "rand", "json", "bytes", "bufio")
		}
	}
	// Short names with different first letters are similar by chance.
	known = slices.DeleteFunc(known, func(n string) bool {
		return n == name || c.lossOf(n) != "" || len(name) < 5 && !strings.EqualFold(n[:1], name[:1])
	})
	slices.Sort(known)
	if near := spelling.Likely(name, slices.Compact(known)); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	if len(c.selected()[name]) > 0 {
		return "no cell declares it and no package of the standard library has this name: import a package of another module by its whole path"
	}
	if c.calledInFunc(pos) {
		return "no cell has declared it: funcs that call each other stand in one cell"
	}
	if h := c.parameterHint(pos, name); h != "" {
		return h
	}
	return "no cell that has run declares it"
}

// calledInFunc reports whether the name at pos is that of a func which a func of
// the cell calls.
func (c *checked) calledInFunc(pos token.Pos) bool {
	found := false
	for _, ch := range c.chunks {
		if f, ok := ch.decl.(*ast.FuncDecl); ok {
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				found = found || ok && call.Fun.Pos() == pos
				return true
			})
		}
	}
	return found
}

// isSet reports whether an assignment sets the name at pos.
func (c *checked) isSet(pos token.Pos) bool {
	found := false
	for _, ch := range c.chunks {
		ast.Inspect(ch.node(), func(n ast.Node) bool {
			if s, ok := n.(*ast.AssignStmt); ok && s.Tok == token.ASSIGN {
				found = found || slices.ContainsFunc(s.Lhs, func(x ast.Expr) bool {
					_, name := x.(*ast.Ident)
					return name && x.Pos() == pos
				})
			}
			return true
		})
	}
	return found
}

// returnsFromCell reports whether pos is in a return statement outside of funcs.
func (c *checked) returnsFromCell(pos token.Pos) bool {
	found := false
	for _, ch := range c.chunks {
		if ch.stmt == nil {
			continue
		}
		ast.Inspect(ch.stmt, func(n ast.Node) bool {
			if s, ok := n.(*ast.ReturnStmt); ok && s.Pos() <= pos && pos < s.End() {
				found = true
			}
			_, isFunc := n.(*ast.FuncLit)
			return !isFunc
		})
	}
	return found
}
