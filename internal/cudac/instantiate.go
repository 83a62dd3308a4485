package cudac

import (
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// Resolve returns the kernel with that name, which may be a template with its arguments
// ("scale<float, 4>"), and its parameters for those arguments.
func (f *File) Resolve(expr string) (*Kernel, []Param, error) {
	toks, err := cxx.Lex(expr)
	if err != nil {
		return nil, nil, fmt.Errorf("kernel name %q: %w", expr, err)
	}
	angle := len(toks)
	for i, t := range toks {
		if t.Is("<") {
			angle = i
			break
		}
	}
	name := strings.ReplaceAll(cxx.Join(toks[:angle]), " ", "")
	k := f.Kernel(name)
	if k == nil {
		return nil, nil, fmt.Errorf("there is no kernel %q; the source has %s", name, f.names())
	}
	if !k.IsTemplate() {
		if angle < len(toks) {
			return nil, nil, fmt.Errorf("kernel %s is no template: use its plain name", name)
		}
		return k, k.Params, nil
	}
	var args [][]cxx.Token
	if angle < len(toks) {
		end := cxx.SkipAngles(toks, angle)
		if end != len(toks) || !toks[end-1].Is(">") {
			return nil, nil, fmt.Errorf("kernel name %q: the template arguments have no closing >", expr)
		}
		if list := toks[angle+1 : end-1]; len(list) > 0 {
			args = cxx.Split(list)
		}
	}
	params, err := k.instantiate(args)
	return k, params, err
}

// instantiate returns the parameters of a template for its first arguments; the other template
// parameters must have defaults.
func (k *Kernel) instantiate(args [][]cxx.Token) ([]Param, error) {
	pack := len(k.Template) > 0 && k.Template[len(k.Template)-1].Pack
	if len(args) > len(k.Template) && !pack {
		return nil, fmt.Errorf("kernel %s takes %d template arguments, not %d", k.QualifiedName(), len(k.Template), len(args))
	}
	types := map[string][]cxx.Token{}
	for i, tp := range k.Template {
		var value []cxx.Token
		switch {
		case i < len(args):
			value = args[i]
		case tp.Default != "":
			value, _ = cxx.Lex(tp.Default) // the lexer made it
		case tp.Pack:
		default:
			return nil, fmt.Errorf("kernel %s is a template: name it with its arguments, as in %s", k.QualifiedName(), k.example())
		}
		// An argument with the same name as its parameter would be replaced by itself without end.
		if tp.Name != "" && len(value) > 0 && !(len(value) == 1 && value[0].Is(tp.Name)) {
			types[tp.Name] = value
		}
	}
	return k.describe(types), nil
}

// example returns an example of the template's name with arguments.
func (k *Kernel) example() string {
	var args []string
	for _, tp := range k.Template {
		switch {
		case tp.Pack:
		case tp.Kind == "typename" || tp.Kind == "class":
			args = append(args, "float")
		default:
			args = append(args, "4")
		}
	}
	return k.QualifiedName() + "<" + strings.Join(args, ", ") + ">"
}

func (f *File) names() string {
	if len(f.Kernels) == 0 {
		return "no __global__ function"
	}
	var names []string
	for _, k := range f.Kernels {
		names = append(names, k.QualifiedName())
	}
	return strings.Join(names, ", ")
}
