package cudac

import (
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A File has the declarations of a CUDA C++ source that this package supports.
type File struct {
	// Kernels are the __global__ functions in the order of their first declaration.
	Kernels []*Kernel
	// DynamicShared are the `extern __shared__` arrays. All of them are the same memory.
	DynamicShared []Shared
	// HasMain reports whether there is a host function main, so that the source is a whole program.
	HasMain bool
	// IncludesMain: there is one in an included file.
	IncludesMain bool
	// Files are the paths of the included files that were read.
	Files map[string]bool
	// Undecided: a condition of the preprocessor depends on macros that only the compiler knows. Decide answers it.
	Undecided bool

	input    input
	typedefs map[string][]cxx.Token
	structs  map[string]*Layout // nil if several structs have the name
	toks     []cxx.Token
	macros   map[string][]cxx.Token
	places   map[string][]place
	special  map[string]bool
	bodies   []Body
}

// Decide parses the source again, with conditions as the compiler has taken them.
func (f *File) Decide(seen Seen) (*File, error) {
	in := f.input
	in.seen = seen
	return parse(in)
}

// Tokens returns the source's tokens after preprocessing.
func (f *File) Tokens() []cxx.Token { return f.toks }

// Macros returns the bodies of macros with parameters, which are not expanded in Tokens.
func (f *File) Macros() map[string][]cxx.Token { return f.macros }

// ChangesMacro reports whether a kernel's definition has a directive that defines or undefines a macro with parameters of that name. Of
// its tokens it is then not known what the macro is.
func (f *File) ChangesMacro(k *Kernel, name string) bool {
	begin := k.source.Begin
	if len(k.source.Template) > 0 {
		begin = k.source.Template[0].Begin
	}
	return slices.ContainsFunc(f.places[name], func(p place) bool { return p.file == k.Path && begin <= p.at && p.at < k.source.End })
}

// IsSpecialised reports whether a template of that name has specialisations or explicit instantiations.
func (f *File) IsSpecialised(name string) bool { return f.special[name] }

// Kernel is one __global__ function.
type Kernel struct {
	Name      string // as declared, without namespaces
	Namespace string // "a::b", or "" outside namespaces
	Path      string // of the included file that declares it, "" for the source itself
	Line      int    // of the name
	ExternC   bool
	// Template are the template parameters, nil for an ordinary kernel. Params is nil for a
	// template: File.Resolve returns the parameters for its arguments.
	Template []TemplateParam
	Params   []Param
	// LaunchBounds is the text in the parentheses of __launch_bounds__.
	LaunchBounds string
	// ClusterDims is the text in the parentheses of __cluster_dims__.
	ClusterDims string
	// Defined reports whether the source has the body, not only a declaration.
	Defined bool

	params [][]cxx.Token
	types  map[string][]cxx.Token

	structs map[string]*Layout
	source  Definition
}

// A Definition is the text of a kernel.
type Definition struct {
	Template []cxx.Token // template <...>, including the words
	Params   []cxx.Token // including the parentheses
	Body     []cxx.Token // without the braces
	Begin    int         // the offset after the opening brace, in bytes
	End      int         // the offset after the closing brace
}

// Definition returns the text of a kernel, with its offsets in the file of k.Path. It is empty for a kernel that is not defined.
func (k *Kernel) Definition() Definition { return k.source }

// Declared returns the parameters as declared, those of a template with its own parameters.
func (k *Kernel) Declared() []Param { return k.describe(nil) }

// QualifiedName returns the kernel's name with its namespaces, which identifies it in a program.
func (k *Kernel) QualifiedName() string {
	if k.Namespace == "" {
		return k.Name
	}
	return k.Namespace + "::" + k.Name
}

// IsTemplate reports whether the kernel needs template arguments to be launched.
func (k *Kernel) IsTemplate() bool { return k.Template != nil }

// Wanted reports whether the kernel is part of a program for which no kernels are named: it is defined, is not a template,
// and, if an included file defines it, all its parameters are supported. Unsupported parameters of the source's own kernels
// are the user's errors, which must be reported.
func (k *Kernel) Wanted() bool {
	return k.Defined && !k.IsTemplate() &&
		(k.Path == "" || !slices.ContainsFunc(k.Params, func(p Param) bool { return p.Kind == Unsupported }))
}

// TemplateParam is one parameter of a template.
type TemplateParam struct {
	Kind    string // "typename", "class", or the type of a non-type parameter: "int"
	Name    string // may be empty
	Default string // may be empty
	Pack    bool   // typename... T
}

// Shared is an `extern __shared__` array.
type Shared struct {
	Name      string
	Namespace string
	Type      string // element type
	Line      int
}

// Kind is how a parameter is passed.
type Kind uint8

// The kinds of parameters.
const (
	Unsupported Kind = iota // Param.Problem has the reason
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
	// Base is the C type of the value or, for a pointer, of its element, in a canonical spelling:
	// "unsigned int" for unsigned and uint32_t.
	Base string
	// GoElem is the Go type of the value or of the pointer's element: "float32". It is empty if Go has
	// no such type (void, structs, pointers to pointers).
	GoElem   string
	Const    bool // the value, or the pointer's element, is const
	Restrict bool
	// Size and Align are in bytes in the parameter buffer; 0 if Kind is Unsupported.
	Size, Align int
	// Struct is the layout of a Struct that the program defines; for others GoElem is set.
	Struct *Layout
	// Problem is why the parameter cannot be passed, and what to do instead.
	Problem string
}

// Kernel returns the kernel with that name, or with that last part of the qualified name if it is
// unique. It returns nil if there is none.
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
