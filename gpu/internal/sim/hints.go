package sim

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

var (
	// badAsm matches the compiler's message about operands that only NVIDIA's assembly has.
	badAsm   = regexp.MustCompile(`invalid 'asm'|in (an )?'asm'|<inline asm>|inline assembly`)
	textures = regexp.MustCompile(`'(tex[123]D\w*|texCubemap\w*|surf[123]D\w*|surfCubemap\w*|texture|surface)'`)
	// hostCalls matches functions for host code, except those that kernels may call.
	hostCalls = regexp.MustCompile(`'cuda(Malloc|Memcpy|Free|Memset|DeviceSynchronize|Stream|Event)\w*'`)
	// missingHeader is what g++ and clang++ say of a file that is not there.
	missingHeader = regexp.MustCompile(`fatal error: '?([^':\s]+)'?(?:: No such file or directory| file not found)`)
	// oldWarp is a warp operation without a mask.
	oldWarp = regexp.MustCompile(`'(__shfl|__shfl_up|__shfl_down|__shfl_xor|__ballot|__any|__all)'`)
	// unknownCall is a name of the runtime or driver API that is not there.
	unknownCall = regexp.MustCompile(`'((?:cuda[A-Z]|cu[A-Z]|CU)\w*)' (?:was not declared|has not been declared|does not name a type)|(?:unknown type name|use of undeclared identifier|no arguments to) '((?:cuda[A-Z]|cu[A-Z]|CU)\w*)'`)
	// unknownRoutine is one of a library that is not there.
	unknownRoutine = regexp.MustCompile(`'((?:cublas|cufft|curand|cusparse|CUBLAS|CUFFT|CURAND|CUSPARSE)[A-Z_]\w*)' (?:was not declared|has not been declared|does not name a type)|(?:unknown type name|use of undeclared identifier|no arguments to) '((?:cublas|cufft|curand|cusparse|CUBLAS|CUFFT|CURAND|CUSPARSE)[A-Z_]\w*)'`)
	// unknownOfCUB is a name of CUB that is not there.
	unknownOfCUB = regexp.MustCompile(`'(\w+)' (?:is not a member of|in namespace) 'cub'|no (?:member|template) named '(\w+)' in namespace 'cub'`)
	// multiGrid is a group of grids on several devices, which CUDA 13 has no longer.
	multiGrid = regexp.MustCompile(`'(this_multi_grid|multi_grid_group|cudaLaunchCooperativeKernelMultiDevice)'`)
	// usedElsewhere is what is said where device code of a file uses that of another.
	usedElsewhere = regexp.MustCompile(`undefined reference to |was declared 'extern' and later 'static'|static declaration of '\w+' follows non-static`)
	comments      = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
)

// hints returns notes about features that the simulator does not have and that a failed program
// seems to use.
func hints(u *unit, log string) string {
	p := u.program
	source := comments.ReplaceAllString(p.Source, " ")
	var b strings.Builder
	note := func(text string) { fmt.Fprintf(&b, "%s: note: %s\n", p.Name, text) }
	if !u.whole && strings.Contains(source, "<<<") {
		note("<<<grid, block>>> is for host code, which the simulator does not run, and kernels cannot launch others: launch kernels from Go")
	}
	if m := missingHeader.FindStringSubmatch(log); m != nil {
		if library := libraryOf(m[1]); library != nil {
			note(fmt.Sprintf("%s: %s", m[1], library))
		}
	}
	if m := oldWarp.FindStringSubmatch(log); m != nil {
		note(fmt.Sprintf("%[1]s() is not valid on compute capability 7.0 and above, and should be replaced with %[1]s_sync(), which is given the mask of the lanes that take part", m[1]))
	}
	if m := multiGrid.FindStringSubmatch(log); m != nil {
		note(m[1] + ": CUDA 13 has no groups of grids on several devices: launch a grid on each device, and wait for all of them in host code")
	}
	if m := unknownCall.FindStringSubmatch(log); u.whole && m != nil && !unknownRoutine.MatchString(m[0]) && !multiGrid.MatchString(m[0]) {
		name := m[1] + m[2]
		if strings.HasPrefix(name, "cuda") {
			note(name + " is not among what the simulator has of the CUDA runtime API: run the program on a GPU, or do without it")
		} else {
			note(name + ": of the driver API (cuda.h) the simulator has devices, contexts, memory, virtual addresses, streams and events, but no modules and textures: the runtime API has more")
		}
	}
	if m := unknownRoutine.FindStringSubmatch(log); m != nil {
		note(cmp.Or(m[1], m[2]) + " is not among what the simulator has of this library: docs/guide/programs.md lists it; run the program on a GPU, or write the routine as a kernel")
	}
	if m := unknownOfCUB.FindStringSubmatch(log); m != nil {
		note("cub::" + cmp.Or(m[1], m[2]) + " is not among what the simulator has of CUB: docs/guide/programs.md lists it; run the program on a GPU, or use another of its algorithms")
	}
	if strings.Contains(log, "undefined reference to `omp_") || strings.Contains(log, "undefined reference to `GOMP_") {
		note("OpenMP is for programs that are compiled with -Xcompiler -fopenmp (gopherwarp program -Xcompiler -fopenmp FILE.cu)")
	}
	if u.whole && len(u.parts) > 1 && !relocatable(p.Options) && usedElsewhere.MatchString(log) {
		note("files use device functions and variables of each other only with -rdc=true, for nvcc, too")
	}
	if badAsm.MatchString(log) {
		note("the simulator cannot run assembly for a GPU (PTX): CUDA C++ has functions for most of it")
	}
	if textures.MatchString(log) {
		note("textures and surfaces are objects on the simulator, as since CUDA 12: cudaTextureObject_t and cudaSurfaceObject_t, read with the element's type (tex2D<float>(t, x, y)). It has no sparse textures")
	}
	if !u.whole && hostCalls.MatchString(log) {
		note("functions of the CUDA runtime are for host code, which the simulator does not run: package gpu does that in Go")
	}
	return b.String()
}
