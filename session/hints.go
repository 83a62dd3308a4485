package session

import (
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

// Hints say what to do about the usual slips: those of people who are new to Go, or come from
// C or Python. They are kept apart from the messages, which are those of the Go tools and can
// be searched for.

// A rule gives a hint for messages that match. Its text may refer to groups of the pattern.
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

// Of go/types, where the message alone says enough.
var checkRules = rules(
	`^missing return`, "a func with results must end in return, or panic, on every path",
	`^no new variables on left side of :=`, "all of these names are declared already: use = to assign to them",
	`^label (\w+) declared and not used`, "remove it, or name it in a break, continue or goto",
	`^cannot assign to struct field .* in map`, "what is in a map can't be changed in place: take it out, change it, put it back; or keep pointers in the map",
	`^cannot use .* as .*\(method \w+ has pointer receiver\)`, "the methods belong to the pointer: write & before the value",
	`^non-boolean condition in`, "write a comparison, such as != 0 or != nil",
	`^multiple-value .*, error\)\)`, "the last value is an error: write v, err := …, or must(…) around the call for the value alone",
	`^multiple-value`, "give each value a name, or _ to those that you do not need",
	`^cannot assign to .*neither addressable nor a map index`, "it is not a variable",
	`^invalid operation: .*mismatched types (untyped )?string and `, "make text of the number: fmt.Sprint(n), or strconv.Itoa(n) for an int",
	`^invalid operation: .*mismatched types \S+ and (untyped )?string\)`, "make text of the number: fmt.Sprint(n), or strconv.Itoa(n) for an int",
	`^cannot use (\d+) \(untyped int constant\) as string value`, `text stands in double quotes: "$1"`,
	`^cannot use "([\d.]+)" \(untyped string constant\) as \w+ value`, "numbers stand without quotes: $1",
	`^cannot use (.+) \(.*string\) as error value`, "make an error of it: errors.New($1)",
	`^cannot use nil as (\S+) value`, "$1 has no nil; its empty value is that of *new($1)",
	`^break not in|^continue not in`, "it works only in a loop of the same func",
	`^cannot use .*\(.*constant.* as (\w+) value .*\(truncated\)`, "$1 holds no fractions: round the value, or use float32 or float64",
	`^cannot use .*\(.*constant.* as (\w+) value .*overflows\)`, "the number is too large for $1",
)

var (
	unusedMessage    = regexp.MustCompile(`^declared and not used: (\S+)$`)
	mismatchMessage  = regexp.MustCompile(`^assignment mismatch: (\d+) variables? but (.*) returns? (\d+) values?$`)
	mismatchedTypes  = regexp.MustCompile(`\(mismatched types (\S+) and (\S+)\)$`)
	cannotUse        = regexp.MustCompile(`^cannot use (.+) \((?:variable|value|constant|result)[^()]* of (?:\w+ )?type (.+?)\) as (.+?) value in`)
	missingMember    = regexp.MustCompile(`^undefined: (\w+)\.(\w+)$`)
	hiddenType       = regexp.MustCompile(`^(\w+) \(.*variable\) is not a type$|cannot call (\w+) \(variable of`)
	unexportedMember = regexp.MustCompile(`^name (\w+) not exported by package (\w+)$`)
)

// maxHints is how many problems of a cell get hints: looking for what was meant takes time.
const maxHints = 30

// addHints is for problems that are shown: most of those of a first check are solved by
// imports.
func (c *checked) addHints(list *CompileError) {
	for i := range list.Problems[:min(maxHints, len(list.Problems))] {
		p := &list.Problems[i]
		if e, ok := c.causes[p.String()]; ok && p.Hint == "" {
			p.Hint = c.hint(e)
		}
	}
}

// hint explains a problem that go/types has found, or is empty.
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
	if strings.HasPrefix(msg, "too many return values") && c.returnsFromCell(e.Pos) {
		return "a cell returns nothing: the value of its last expression is shown"
	}
	return ruled(checkRules, msg)
}

// unusedHint explains an unused variable, which may have been meant to be another.
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

// countHint explains an assignment of too many or few values.
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

// numberRank orders the types of numbers by what they can hold.
var numberRank = map[string]int{
	"int8": 1, "uint8": 1, "byte": 1, "int16": 2, "uint16": 2, "int32": 3, "uint32": 3, "rune": 3, "int": 4, "uint": 4, "int64": 5, "uint64": 5,
	"uintptr": 5, "float32": 6, "float64": 7, "complex64": 8, "complex128": 9,
}

// numbersHint writes out the conversion that an operation on two numbers lacks.
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

// convertHint says how to get from one type to another.
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
	case from == "*"+to:
		return fmt.Sprintf("take what it points to: *%s", x)
	case to == "*"+from:
		return fmt.Sprintf("take its address: &%s", x)
	}
	return ""
}

// memberHint looks for what a package has in place of something that it has not.
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
		if near := spelling.Nearest(member, known); near != "" {
			return fmt.Sprintf("did you mean %s.%s?", pkg, near)
		}
	}
	return ""
}

// inGo is how Go calls what other languages call otherwise.
var inGo = map[string]string{
	"None": "nil", "null": "nil", "NULL": "nil", "nullptr": "nil", "True": "true", "False": "false", "TRUE": "true", "FALSE": "false",
	"float": "float64, or float32, which is what CUDA calls float", "double": "float64", "long": "int64", "short": "int16", "char": "byte, or rune",
	"unsigned": "uint32", "size_t": "int", "str": "string", "object": "any", "list": "a slice such as []int", "dict": "a map such as map[string]int",
	"printf": "fmt.Printf", "sizeof": "unsafe.Sizeof", "malloc": "make or new", "self": "the receiver's name", "this": "the receiver's name",
	"elif": "else if", "raise": "panic, or return an error", "throw": "panic, or return an error", "int32_t": "int32", "uint32_t": "uint32", "uint8_t": "uint8", "int64_t": "int64",
}

// nameHint says what may have been meant by a name that nobody has declared.
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
	// Short names that begin otherwise are near each other by chance.
	known = slices.DeleteFunc(known, func(n string) bool {
		return n == name || c.lossOf(n) != "" || len(name) < 5 && !strings.EqualFold(n[:1], name[:1])
	})
	slices.Sort(known)
	if near := spelling.Nearest(name, slices.Compact(known)); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	if len(c.selected()[name]) > 0 {
		return "no cell declares it and no package of the standard library has this name: import a package of another module by its whole path"
	}
	return ""
}

// isSet says whether an assignment sets the name at pos.
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

// returnsFromCell says whether pos lies in a return statement that stands in no func.
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

// Of the parser. Some look at the line as well, which stands behind a tab.
var syntaxRules = rules(
	`expression in (go|defer) must be function call`, "put () behind it",
	`found 'else'`, "else stands on the line of the brace before it: } else {",
	`expected '\{', found newline`, "the brace stands on the line of what it belongs to",
	`missing ',' before newline`, "a list that goes on in the next line needs a comma at the end of each, also the last",
	`(illegal rune literal|more than one character in rune literal)`, `strings stand in double quotes: "text"`,
	`illegal character U\+003F '\?'`, "Go has no ? : operator: use if",
	`^expected .*\twhile\b`, "Go's only loop is for: for condition { … }",
	`^expected .*\t(for|if|while)\s*\(`, "no parentheses: for i := 0; i < n; i++ { … }, if x > 0 { … }",
	`^expected .*\t(def|fn|function) `, "a function begins with func: func name(x int) int { … }",
	`^expected .*\t(class|struct) `, "a type is declared by type name struct { … }",
	`^expected .*\t(from|#?include) `, "packages are imported by import \"path\"; those of the standard library need no import in a cell",
	`^expected .*\t(int|float|double|char|float32|float64|string|bool) \w+`, "the type stands behind the name: var x int = 1, or x := 1",
	`illegal character U\+0023 '#'`, "comments begin with //; #include belongs into a %%cuda cell or the comment above import \"C\"",
	`invalid digit '[89]' in octal literal`, "a number that begins with 0 is octal",
	`^expected .*\t.*\+\+.*`, "x++ is a statement and has no value",
	`string literal not terminated|newline in string`, "text over several lines stands in back quotes: `…`",
)

// syntaxHint explains a message of the parser about a line of the cell.
func syntaxHint(msg, line string) string { return ruled(syntaxRules, msg+"\t"+strings.TrimSpace(line)) }
