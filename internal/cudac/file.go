package cudac

import (
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A File holds what a CUDA C++ source declares, as far as this package looks.
type File struct {
	// Kernels are the __global__ functions in the order of their first declaration.
	Kernels []*Kernel
	// DynamicShared are the `extern __shared__` arrays. All of them are the same memory.
	DynamicShared []Shared
	// HasMain: there is a host function main, so the source is a whole program.
	HasMain bool

	typedefs map[string][]cxx.Token
	structs  map[string]*Layout // nil where the name means several
	toks     []cxx.Token
	macros   map[string][]cxx.Token
	special  map[string]bool
	bodies   []Body
}

// Tokens are the source's, after the preprocessor.
func (f *File) Tokens() []cxx.Token { return f.toks }

// Macros are the bodies of the macros with parameters, which Tokens still calls.
func (f *File) Macros() map[string][]cxx.Token { return f.macros }

// IsSpecialised reports whether a template of that name has specialisations or explicit instantiations.
func (f *File) IsSpecialised(name string) bool { return f.special[name] }

// Kernel is one __global__ function.
type Kernel struct {
	Name      string // as declared, without namespaces
	Namespace string // "a::b", or "" at the top
	Path      string // of the included file that it stands in, "" for the source itself
	Line      int    // of the name
	ExternC   bool
	// Template holds the template parameters, nil for an ordinary kernel. Params
	// is nil for a template: File.Resolve gives the parameters for its arguments.
	Template []TemplateParam
	Params   []Param
	// LaunchBounds is what stands between the parentheses of __launch_bounds__.
	LaunchBounds string
	// ClusterDims is what stands between those of __cluster_dims__.
	ClusterDims string
	// Defined: the source has the body, not only the declaration.
	Defined bool

	params [][]cxx.Token
	types  map[string][]cxx.Token

	structs map[string]*Layout
	source  Definition
}

// A Definition is the text of a kernel.
type Definition struct {
	Template []cxx.Token // template <...>, with the words
	Params   []cxx.Token // with the parentheses
	Body     []cxx.Token // without the braces
	Begin    int         // the offset after the opening brace, in bytes
	End      int         // and after the closing one
}

// Definition returns the text of a kernel that the source itself defines. Others have an empty one.
func (k *Kernel) Definition() Definition { return k.source }

// Declared returns the parameters as they are declared, those of a template without its arguments.
func (k *Kernel) Declared() []Param { return k.describe(nil) }

// QualifiedName is the kernel's name with its namespaces: what a program is asked for.
func (k *Kernel) QualifiedName() string {
	if k.Namespace == "" {
		return k.Name
	}
	return k.Namespace + "::" + k.Name
}

// IsTemplate reports whether the kernel needs template arguments to be launched.
func (k *Kernel) IsTemplate() bool { return k.Template != nil }

// Wanted reports whether a program that is asked for none of its kernels by name has this one: it is defined, is no template,
// and if it is an included file's there is a way to pass what it takes. What the source's own kernels take is
// somebody's mistake, to be told.
func (k *Kernel) Wanted() bool {
	return k.Defined && !k.IsTemplate() &&
		(k.Path == "" || !slices.ContainsFunc(k.Params, func(p Param) bool { return p.Kind == Unsupported }))
}

// TemplateParam is one parameter of a template.
type TemplateParam struct {
	Kind    string // "typename", "class", or the type of a value: "int"
	Name    string // may be empty
	Default string // may be empty
	Pack    bool   // typename... T
}

// Shared is an `extern __shared__` array.
type Shared struct {
	Name      string
	Namespace string
	Type      string // of an element
	Line      int
}

// Kind says how a parameter is passed.
type Kind uint8

// The kinds of parameters.
const (
	Unsupported Kind = iota // Param.Problem says why
	Bool
	Int
	Uint
	Float
	Pointer
	Struct  // passed as its bytes
	Texture // a texture object
	Surface // a surface object
)

func (k Kind) String() string {
	return [...]string{"unsupported", "bool", "int", "uint", "float", "pointer", "struct", "texture", "surface"}[k]
}

// Param is one parameter of a kernel.
type Param struct {
	Name string // may be empty
	Type string // as written: "const float *__restrict__"
	Line int

	Kind Kind
	// Base is the C type of the value or, for a pointer, of what it points to, in one
	// spelling for all: "unsigned int" for unsigned and uint32_t's relatives.
	Base string
	// GoElem is the Go type of the value or of what the pointer points to: "float32".
	// It is empty where Go has no such type (void, structs, pointers to pointers).
	GoElem   string
	Const    bool // the value, or what the pointer points to, is const
	Restrict bool
	// Size and Align in bytes in the parameter buffer; 0 if Kind is Unsupported.
	Size, Align int
	// Struct is the layout of a Struct that is the program's own; for others GoElem is set.
	Struct *Layout
	// Problem says why the parameter cannot be passed, and what to do instead.
	Problem string
}

// Kernel finds a kernel by its name, or by the last part of its qualified name where
// only one has it. It returns nil if there is none.
func (f *File) Kernel(name string) *Kernel {
	var found *Kernel
	for _, k := range f.Kernels {
		if k.QualifiedName() == strings.TrimPrefix(name, "::") {
			return k
		}
		if k.Name == name {
			if found != nil {
				return nil
			}
			found = k
		}
	}
	return found
}
