package session

import (
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
)

// syntaxRules are rules for messages of the parser. Some also match the line, which follows a tab.
var syntaxRules = rules(
	`^raw string literal not terminated`, "the closing ` is missing",
	`^rune literal not terminated`, "the closing ' is missing; text stands in double quotes",
	`string literal not terminated|newline in string`, "the closing \" is missing; text over several lines stands in back quotes: `…`",
	`^comment not terminated`, "the closing */ is missing",
	`^unknown escape`, "a backslash itself is written \\\\; text in back quotes stands as it is",
	`found '--'\t--`, "comments begin with //",
	`\tfor \w+ := [^;]+,.*(<|>)`, "the three parts of a for are divided by ; : for i := 0; i < 3; i++ { … }",
	`found '(\+\+|--)'`, "x++ and x-- are statements and have no value",
	`found '~'`, "all bits of a number are turned over by ^n",
	`found '\}'\t.*\b(defer|go) *\}`, "$1 stands before a call: $1 f()",
	`\t\d+[\pL_]\w* *:?=`, "names begin with a letter or _",
	`^expected ';', found \w+\t[\pL_]\w* [\pL_]\w* *:=`, "a name is one word: write myName, or my_name",
	`^expected ';', found main\t(int|void)`, "a program begins with func main() { … }, without a result",
	`^expected ';', found 'return'\tfunc `, "the body of a func stands in braces: func f(x int) int { return x }",
	`^expected 1 expression`, "one value is shown; for several write fmt.Println(a, b)",
	`^expected a name, found \d`, "names begin with a letter or _",
	`^expected a name, found (\w+), `, "another name is needed",
	`^expected a name, found .*\t(type|func|var|const) `, "$1 begins a declaration and can't be a name",
	`\tlet |\t(val|auto|final) `, "a variable is declared by x := 5, or var x int = 5",
	`\t(const|var) \w+ :=`, "$1 takes =; x := 5 stands alone",
	`found '\{'\t.*(:?=|return) *\{`, "the type stands before the braces: []int{1, 2}, map[string]int{\"a\": 1}",
	`^unexpected comma; expecting \]`, "a slice is written []int{1, 2, 3}",
	`^expected '\[', found '\{'`, "a map is written map[string]int{\"a\": 1}",
	`\ttype \w+ \{`, "say what kind of type: type name struct { … }",
	`\tinterface \w`, "a type is declared by type name interface { … }",
	`\tenum `, "Go has no enum: type Color int, and const ( Red Color = iota; Green; Blue )",
	`found ','\ttype .*struct`, "fields are divided by ; or stand on lines of their own",
	`found ':'\ttype .*struct`, "a field is its name and its type, without a colon",
	`found (and|or)\b`, "and is &&, or is ||",
	`\t.*\bnot \w`, "not is !",
	`\t(try|catch|except)\b`, "Go has no exceptions: a func returns an error, which its caller looks at",
	`\t(throw|raise)\b`, "return an error, or call panic",
	`\tfor \w+ (in|of) |\tforeach `, "for i := range 3 { … } counts, for i, x := range list { … } goes through a list",
	`\tdo \{`, "Go's only loop is for: for { …; if !condition { break } }",
	`found assignment`, "compare with ==",
	`^expected '==', found '='`, "an assignment has no value: x, y = 3, 3 sets both",
	`found elif`, "it is called else if",
	`found then\b`, "there is no then: if n == 3 { … }",
	`\t.*===`, "compare with ==",
	`\t.*(<>|!= =)`, "unequal is !=",
	`\tfunc .*(->|\): *\w)`, "the result comes right after the parameters: func f(x int) int { … }",
	`\t.*\w->\w`, "fields and methods are reached by a dot, also through pointers: p.x",
	`\t(def|fn|fun|function) `, "a function begins with func: func name(x int) int { … }",
	`\tlambda |\t.*(=>|->)`, "a func without a name is written func(x int) int { return x + 1 }",
	`\t(public|private|static|void|async) `, "a function is func name(x int) int { … }; names that begin with a capital are public",
	`^missing type constraint`, "say which types are allowed: [T any]",
	`^missing function body`, "the brace stands on the line of the func: func f() {",
	`^illegal label declaration`, "the body stands in braces: if n == 3 { … }",
	`^import path must be a string|\timport \w+ as `, "another name stands before the path: import s \"strings\"",
	`^missing import path`, "the path stands in double quotes: import \"fmt\"",
	`\tusing `, "packages are imported by import \"path\"",
	`illegal character U\+00(24|40)`, "names are made of letters, digits and _",
	`\t.*\bnew \w+\[`, "make([]int, 3) makes a slice of that length",
	`\t.*\bnew [\pL]`, "write new(T), or &T{…} with its fields",
	`found '!'\t\w+!`, "Go has no macros: fmt.Println(…)",
	`^expected ';', found ".*\t\w[\w.]* "`, "arguments of a call stand in parentheses: fmt.Println(\"a\")",
	`^missing ',' in argument list`, "a , between the arguments is missing, or a )",
	`found '\{'\tfor [^;]*;[^;]*\{`, "for has a condition alone, or three parts: for i := 0; i < 3; i++ { … }",
	`\tfor .*\d\.\.`, "for i := range 3 counts from 0 to 2",
	`found ','\t.*map\[`, "the type of the keys stands in the brackets, that of the values after them: map[int]string",
	`\tvar \w+ \w+\[\d`, "the length stands before the type: [3]int",
	`^missing ',' in parameter list\t.*=`, "parameters have no default values",
	`\tfunc .*\w\.\.\.\)`, "the dots stand before the type: args ...int",
	`\t(await|yield) `, "Go has goroutines and channels: go f() starts one; values go over ch <- x and <-ch",
	`\twith `, "what must be closed is closed by defer: defer f.Close()",
	`\tdel `, "delete(m, key) takes a key out of a map",
	`\ttypeof `, "fmt.Printf(\"%T\", x) prints a type; x.(type) in a switch tells them apart",
	`found (instanceof|is)\b`, "v, ok := x.(T) reports whether an interface holds a T; nil is compared with ==",
	`found in\b`, "slices.Contains(list, x), or _, ok := m[key]",
	`^expected selector or type assertion`, "keywords are no names of methods; slices have none: write a loop, or see package slices",
	`found 'case'`, "case stands in a switch or select",
	`^there is no`, "take it out, or put in what opens it",
	`expression in (go|defer) must be function call`, "put () after it",
	`found 'else'`, "else stands on the line of the brace before it: } else {",
	`expected '\{', found newline`, "the brace stands on the line of what it belongs to",
	`missing ',' before newline`, "a list that goes on in the next line needs a comma at the end of each, also the last",
	`(illegal rune literal|more than one character in rune literal)`, `strings stand in double quotes: "text"`,
	`illegal character U\+003F '\?'`, "Go has no ? : operator: use if",
	`^expected .*\twhile\b`, "Go's only loop is for: for condition { … }",
	`^expected .*\t(for|if|while)\s*\(`, "no parentheses: for i := 0; i < n; i++ { … }, if x > 0 { … }",
	`^expected .*\t(class|struct) `, "a type is declared by type name struct { … }",
	`^expected .*\t(from|#?include) `, "packages are imported by import \"path\"; those of the standard library need no import in a cell",
	`^expected .*\t(int|float|double|char|long|unsigned|float32|float64|string|String|bool) \w+`, "the type comes after the name: var x int = 1, or x := 1",
	`illegal character U\+0023 '#'`, "comments begin with //; #include belongs into a %%cuda cell or the comment above import \"C\"",
	`invalid digit '[89]' in octal literal`, "a number that begins with 0 is octal",
	`string literal not terminated|newline in string`, "text over several lines stands in back quotes: `…`",
	`^expected '\}', found`, "statements of a switch or select come after case …: or default:",
	`^missing ',' in composite literal`, "elements are divided by commas",
	`^expected ';', found`, "here the statement should have ended: begin a new line, or write ; between two statements",
)

// syntaxHint returns a hint for a message of the parser about a line of the cell, or "".
func syntaxHint(msg, line string) string { return ruled(syntaxRules, msg+"\t"+strings.TrimSpace(line)) }

var expectedName = regexp.MustCompile(`^expected 'IDENT', found '?([^']+)'?$`)

// plainWords returns a message of the parser without terms of Go's specification.
func plainWords(msg string) string {
	m := expectedName.FindStringSubmatch(msg)
	switch {
	case m == nil:
		return jargon.ReplaceAllString(msg, "")
	case token.IsKeyword(m[1]):
		return "expected a name, found " + m[1] + ", which is a word of Go's own"
	}
	return "expected a name, found " + m[1]
}

var closes = map[token.Token]token.Token{token.RPAREN: token.LPAREN, token.RBRACK: token.LBRACK, token.RBRACE: token.LBRACE}

// unbalanced returns the problem of an opening or closing bracket without its counterpart. It returns nil if there is none,
// or if a string or comment is not terminated, so that brackets can't be counted.
func unbalanced(src Source) *Problem {
	type bracket struct {
		token.Token
		token.Position
	}
	var open []bracket
	var s scanner.Scanner
	fset, unsure := token.NewFileSet(), false
	s.Init(fset.AddFile(src.Name, -1, len(src.Text)), []byte(src.Text), func(token.Position, string) { unsure = true }, 0)
	for {
		pos, tok, _ := s.Scan()
		at := fset.Position(pos)
		switch tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			open = append(open, bracket{tok, at})
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(open) == 0 {
				return &Problem{Pos: at, Message: "there is no " + closes[tok].String() + " for this " + tok.String()}
			}
			if open[len(open)-1].Token != closes[tok] {
				return nil
			}
			open = open[:len(open)-1]
		case token.EOF:
			if len(open) == 0 || unsure {
				return nil
			}
			last := open[len(open)-1]
			for closing, opening := range closes {
				if opening == last.Token {
					return &Problem{Pos: last.Position, Message: "this " + opening.String() + " is never closed", Hint: "a " + closing.String() + " is missing"}
				}
			}
		}
	}
}

// startsBlock matches a line whose { may be on the next line in other languages.
var startsBlock = regexp.MustCompile(`^\s*(\} *)?(if|for|switch|select|else|func)\b[^{]*$`)

// looseBrace reports whether line n, from 1, begins with the brace of the line above.
func looseBrace(lines []string, n int) bool {
	return n > 1 && strings.HasPrefix(strings.TrimSpace(lines[n-1]), "{") && startsBlock.MatchString(lines[n-2])
}
