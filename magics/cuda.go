package magics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/gpuhost"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
	"github.com/gopherwarp/gopherwarp/internal/include"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

func cudaMagic() *Magic {
	return &Magic{
		Name: "cuda", Code: "cuda", Again: true, Cell: true, Usage: "[--include PATH] [--go NAME,NAME] [--check [--json]] [--info [--shared=BYTES]] [--ptx] [--sass] [--arch=sm_90] [NVRTC OPTIONS]",
		Summary: "compiles CUDA C++; each __global__ function becomes a Go value to launch: name.Launch(gpu.For(n, 256), args…), and each template one to ask for instances: name.Of(\"float\"); --go adds functions of Go cells for it to call; a cell with a main is a program, which is run; --check looks for defects; --info shows registers, memory and occupancy, --ptx and --sass the code of each line, also for another --arch",
		Run:     runCUDA,
	}
}

// The names of a cell's CUDA program and of the Go code that binds its kernels.
const (
	programSuffix = ".cu"
	kernelSuffix  = ".cu.go"
)

// runCUDA compiles the cell on the current device and binds its kernels. Nothing is bound unless the whole cell compiles.
func runCUDA(ctx context.Context, c *Call) error {
	request, err := cudaOptions(c.Args)
	if err != nil {
		return err
	}
	if err := c.includeFlags(ctx, &request); err != nil {
		return err
	}
	program := cellName(c.Cell) + programSuffix
	search, defines, _ := include.FromOptions(request.Flags)
	if strings.Contains(c.Body, "include") {
		search.Own = c.surroundings(ctx).Dir
	}
	file, err := cudac.ParseFiles(c.Body, search, defines...)
	if err != nil {
		var at *cudac.Error
		if errors.As(err, &at) {
			return c.cudaError(&kernel.CellError{Name: cudaErrorName, Value: fmt.Sprintf("%s:%d: error: %s", program, at.Line, at.Msg)})
		}
		return err
	}
	if file.HasMain {
		return c.runCUDAProgram(ctx, request, program)
	}
	bindings, left, err := bind(shelved(program), file)
	if err != nil {
		return err
	}
	functions, err := c.goFunctions(ctx, goNames(request.Go), program)
	if err != nil {
		return err
	}
	request.Name, request.Source, request.Go = program, functions+c.Body, nil
	if functions != "" {
		request.Shown = c.Body
	}
	for _, k := range file.Kernels {
		if k.IsTemplate() && k.Defined {
			request.Templates = append(request.Templates, k.QualifiedName())
		}
	}
	var reply gpuhost.CompileReply
	err = c.compile(ctx, request, &reply)
	if err != nil {
		return c.cudaError(err)
	}
	if c.debugger != nil {
		c.debugger.Program(cellName(c.Cell), program)
	}
	c.showWarnings(reply.Log)
	if left != "" {
		c.Out.Display(kernel.MIMEBundle{"text/plain": left}, nil, "")
	}
	if reply.Built != nil {
		c.Out.Display(showBuilt(reply.Built, request.Show, c.Body), nil, "")
	}
	if note := unlaunched(c.Body); note != "" {
		c.Out.Display(kernel.MIMEBundle{"text/plain": note}, nil, "")
	}
	if bindings == "" {
		return nil
	}
	return c.session.Run(ctx, session.Source{Name: cellName(c.Cell) + kernelSuffix, Text: bindings, Made: true}, c.Out)
}

// includeFlags returns compiler flags for --include: a directory is searched for headers, a file is included first.
func (c *Call) includeFlags(ctx context.Context, q *gpuhost.CompileRequest) error {
	if len(q.Include) == 0 {
		return nil
	}
	around := c.surroundings(ctx)
	for _, name := range q.Include {
		path, err := around.path(name)
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return fmt.Errorf("--include: %w", err)
		case info.IsDir():
			q.Flags = append(q.Flags, "-I"+path)
		default:
			q.Flags = append(q.Flags, "--pre-include="+path)
		}
	}
	q.Include = nil
	return nil
}

// A source says where the Go code that binds kernels gets them from.
type source struct {
	imports, begin   string                   // text above the kernels
	kernel, template func(name string) string // expressions
}

// shelved is the source of a program that the session process has compiled.
func shelved(program string) source {
	get := func(typ string) func(string) string {
		return func(name string) string {
			return fmt.Sprintf("boundcell.Get[*gpu.%s](%q)", typ, gpuhost.KernelKey(program, name))
		}
	}
	return source{imports: fmt.Sprintf("import boundcell %q\n", session.CellImport), kernel: get("Kernel"), template: get("Template")}
}

// bind returns Go code that declares a variable for each kernel: a struct with the compiled kernel and a Launch method whose parameters
// are the kernel's. Kernels with the same parameters have the same type, so that functions that launch the kernels of a cell launch the
// new ones when a changed cell runs again.
//
// A kernel of an included file that Go cannot launch is not an error, since the file may be a third party's: left describes it.
func bind(from source, file *cudac.File) (bindings, left string, err error) {
	var b, notes strings.Builder
	structs := &structTypes{seen: map[*cudac.Layout]bool{}}
	bound := map[string]bool{} // names; an ordinary kernel has priority over a template of its name
	for _, k := range file.Kernels {
		bound[k.Name] = bound[k.Name] || k.Defined && !k.IsTemplate()
	}
	for _, k := range file.Kernels {
		if !k.Defined {
			continue
		}
		usable := token.IsIdentifier(k.Name) && types.Universe.Lookup(k.Name) == nil
		if k.IsTemplate() {
			if usable && !bound[k.Name] {
				bound[k.Name] = true
				fmt.Fprintf(&b, "var %s = %s\n", k.Name, from.template(k.QualifiedName()))
			}
			continue
		}
		params, passes, err := structs.kernel(k, usable)
		if err != nil && k.Path != "" {
			fmt.Fprintf(&notes, "Kernel %s of %s is not there in Go: %v\n", k.Name, filepath.Base(k.Path), err)
			continue
		}
		if err != nil {
			return "", "", err
		}
		fmt.Fprintf(&b, `var %[1]s struct {
	*gpu.Kernel
	Launch func(cfg gpu.Launch%[2]s) error
}
%[1]s.Kernel = %[3]s
%[1]s.Launch = func(cfg gpu.Launch%[2]s) error {
	call := %[1]s.Begin(cfg)
%[4]s	return call.Do()
}
`, k.Name, params, from.kernel(k.QualifiedName()), passes)
	}
	if b.Len() == 0 {
		return "", notes.String(), nil
	}
	text := structs.text.String() + from.begin + b.String()
	imports := from.imports
	if strings.Contains(text, vectors) {
		imports += fmt.Sprintf("import %s %q\n", strings.TrimSuffix(vectors, "."), session.ModulePath+"/gpu/vec")
	}
	return imports + text, notes.String(), nil
}

// vectors is the prefix of the names of package vec's types in bindings, where vec may be a variable of the program.
const vectors = "boundvec."

// goType returns the name in bindings of one of cudac's types.
func goType(name string) string {
	if of, ok := strings.CutPrefix(name, "vec."); ok {
		return vectors + of
	}
	return name
}

// kernel returns the parameters of a kernel as Go code, and declares the structs among them.
func (s *structTypes) kernel(k *cudac.Kernel, usable bool) (params, passes string, err error) {
	if !usable {
		return "", "", fmt.Errorf("line %d: a kernel can't be called %s, which means something else in Go: rename it", k.Line, k.Name)
	}
	for _, p := range k.Params {
		if err := s.declare(p.Struct); err != nil {
			return "", "", err
		}
	}
	return parameters(k)
}

// parameters returns a kernel's parameters as Go code, and the calls that pass them on. The Go type for C integers is int, so that len(x)
// can be passed; the call checks the range.
func parameters(k *cudac.Kernel) (params, passes string, err error) {
	used := map[string]bool{"cfg": true, "call": true, "gpu": true, k.Name: true}
	for i, p := range k.Params {
		name := p.Name
		if name == "" || used[name] || !token.IsIdentifier(name) || types.Universe.Lookup(name) != nil {
			name = fmt.Sprintf("%s_%d", cmp.Or(p.Name, "arg"), i)
		}
		used[name] = true
		var typ, pass string
		switch p.Kind {
		case cudac.Pointer:
			elem := goType(p.GoElem)
			if elem == "" {
				elem = "byte" // void, structs: memory as bytes
			}
			typ, pass = "gpu.Ptr["+elem+"]", "gpu.PassPointer(call, "+name+")"
		case cudac.Float:
			typ = p.GoElem
			pass = map[string]string{"float32": "call.Float32(", "float64": "call.Float64("}[typ] + name + ")"
		case cudac.Bool:
			typ, pass = "bool", "call.Bool("+name+")"
		case cudac.Int, cudac.Uint:
			typ, pass = "int", "call.Int("+name+")"
		case cudac.Struct:
			typ, pass = goType(p.GoElem), "gpu.PassValue(call, "+name+")"
			if p.Struct != nil {
				typ = p.Struct.Name
			}
		case cudac.Texture, cudac.Surface:
			typ, pass = "*gpu.Texture", "call.Texture("+name+")"
		default:
			return "", "", fmt.Errorf("line %d: parameter %s of %s: %s", p.Line, p.Name, k.Name, p.Problem)
		}
		params += ", " + name + " " + typ
		passes += "\t" + pass + "\n"
	}
	return params, passes, nil
}
