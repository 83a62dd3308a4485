package sim

import (
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/include"
)

// hostOptions are what nvcc has for whole programs beside NVRTC's options: for the host's compiler, which here compiles all, for
// the linker, and for code that is not made here.
var hostOptions = []option{
	{[]string{"-Xcompiler", "--compiler-options"}, true, func(v string) []string { return strings.Split(strings.Trim(v, "\"'"), ",") }},
	{[]string{"-Xlinker", "--linker-options"}, true, func(v string) []string { return []string{"-Wl," + v} }},
	{[]string{"-isystem", "--system-include"}, true, func(v string) []string { return []string{"-I" + include.Absolute(v)} }},
	{[]string{"-fopenmp"}, false, func(string) []string { return []string{"-fopenmp"} }},
	{[]string{"-pthread"}, false, nothing},
	{[]string{"-g", "--debug"}, false, func(string) []string { return []string{"-g"} }},
	{[]string{"-l", "--library"}, true, put("-l")},
	{[]string{"-L", "--library-path"}, true, func(v string) []string { return []string{"-L" + include.Absolute(v)} }},
	{[]string{"-W"}, true, func(v string) []string {
		if v == "no-deprecated-gpu-targets" {
			return nil
		}
		return []string{"-W" + v}
	}},
	{[]string{"-gencode", "--generate-code"}, true, func(v string) []string {
		v, _, _ = strings.Cut(strings.TrimPrefix(v, "arch="), ",")
		return arch(v)
	}},

	{[]string{"-O", "--optimize"}, true, nothing}, // of host code
	{[]string{"-m", "--machine"}, true, nothing},
	{[]string{"-code", "--gpu-code"}, true, nothing},
	{[]string{"-x", "--x"}, true, nothing},
	{[]string{"-ccbin", "--compiler-bindir"}, true, nothing},
	{[]string{"-cudart", "--cudart"}, true, nothing},
	{[]string{"-default-stream", "--default-stream"}, true, nothing},
	{[]string{"-t", "--threads"}, true, nothing},
	{[]string{"-Xcudafe"}, true, nothing},
	{[]string{"-Xnvlink", "--nvlink-options"}, true, nothing},
	{[]string{"-expt-relaxed-constexpr", "--expt-relaxed-constexpr"}, false, nothing},
	{[]string{"-expt-extended-lambda", "--expt-extended-lambda", "-extended-lambda", "--extended-lambda"}, false, nothing},
	{[]string{"-allow-unsupported-compiler", "--allow-unsupported-compiler"}, false, nothing},
	{[]string{"-res-usage", "--resource-usage"}, false, nothing},
	{[]string{"-dc", "--device-c"}, false, nothing},
}

// relocatable reports whether nvcc's options let files use device functions and variables of each other.
func relocatable(options []string) bool {
	for i, o := range options {
		switch name, value, given := strings.Cut(o, "="); name {
		case "-rdc", "--relocatable-device-code":
			if !given && i+1 < len(options) {
				value = options[i+1]
			}
			if value == "true" {
				return true
			}
		case "-dc", "--device-c":
			return true
		}
	}
	return false
}

// translateProgram turns nvcc's options into those of g++, apart for the linker.
func translateProgram(options []string) (compiler, linker []string, err error) {
	all, err := translateBy("nvcc", options, knownOptions, hostOptions)
	for _, o := range all {
		library, isLibrary := strings.CutPrefix(o, "-l")
		switch {
		case isLibrary && ownLibraries[library]:
		case isLibrary && libraryOf(library) != nil:
			return nil, nil, fmt.Errorf("-l%s: %s", library, libraryOf(library))
		case isLibrary, strings.HasPrefix(o, "-L"), strings.HasPrefix(o, "-Wl,"):
			linker = append(linker, o)
		case o == "-fopenmp":
			compiler, linker = append(compiler, o), append(linker, o)
		default:
			compiler = append(compiler, o)
		}
	}
	return compiler, linker, err
}

// ownLibraries are those that the simulator takes the place of.
var ownLibraries = map[string]bool{"cuda": true, "cudart": true, "curand": true, "curand_static": true, "cublas": true, "cublas_static": true, "cublasLt": true, "cufft": true, "cufft_static": true, "cusparse": true, "culibos": true, "cudart_static": true, "cudadevrt": true, "nvToolsExt": true, "cudart_shared": true}

// A vendorLibrary is one of NVIDIA's, or what comes with its toolkit.
type vendorLibrary struct {
	prefixes []string // of its headers and of its -l
	name     string
	instead  string
}

// String says what it is, that it is not there, and what to use.
func (l *vendorLibrary) String() string {
	return l.name + " is not on the simulator: " + l.instead + ", or run on a GPU"
}

var vendorLibraries = []vendorLibrary{
	{[]string{"cusolver"}, "cuSOLVER, NVIDIA's library of solvers,", "write the solver as a kernel or use package gpu/nd of Go (Solve)"},
	{[]string{"cublasXt"}, "cuBLASXt, NVIDIA's library of matrix products on several devices,", "include cublas_v2.h and copy the matrices to a device"},
	{[]string{"curand_mtgp32", "curand_discrete", "curand_precalc"}, "This part of cuRAND, NVIDIA's library of random numbers,", "include curand_kernel.h and use XORWOW, Philox or MRG32k3a"},
	{[]string{"cudnn"}, "cuDNN, NVIDIA's library of neural networks,", "write the layer as a kernel"},
	{[]string{"nccl"}, "NCCL, NVIDIA's library of collectives,", "copy between devices with cudaMemcpyPeer"},
	{[]string{"nvml"}, "NVML, NVIDIA's library for managing devices,", "ask cudaGetDeviceProperties"},
	{[]string{"nvrtc"}, "NVRTC, NVIDIA's compiler for programs that run,", "compile the kernel with the program"},
	{[]string{"cupti"}, "CUPTI, NVIDIA's library for profilers,", "take times with events"},
	{[]string{"npp"}, "NPP, NVIDIA's library of image processing,", "write the operation as a kernel"},
	{[]string{"nvjpeg", "nvJPEG"}, "nvJPEG, NVIDIA's library for pictures,", "decode the picture on the host"},
	{[]string{"nvJitLink"}, "nvJitLink, NVIDIA's linker for programs that run,", "compile the kernels with the program"},
	{[]string{"thrust/"}, "Thrust, the library of parallel algorithms, is for whole programs, and this part of it", "use its other algorithms, in a program (a cell with a main), or write the loop as a kernel"},
	{[]string{"cub/"}, "This part of CUB, NVIDIA's library of block, warp and device algorithms,", "use its other algorithms (docs/guide/programs.md lists them) or cooperative groups (reduce, scan)"},
	{[]string{"cutlass/", "cute/"}, "CUTLASS, the templates for matrix products,", "write the product as a kernel (mma.h is there)"},
	{[]string{"cuda_gl_interop", "cuda_egl", "cudaGL", "cudaEGL", "GL/", "GLFW/", "EGL/", "GLES", "vulkan/", "helper_gl"}, "The interface to OpenGL and other graphics", "write the picture to a file"},
	{[]string{"mpi.h"}, "MPI, the library of message passing,", "use several devices in one program (sim:h200x2)"},
	{[]string{"nvsci", "cudla", "cuda_nvsci"}, "The interface to NVIDIA's embedded systems", "use memory of the runtime API"},
}

// libraryOf returns the library that a header or an -l belongs to, or nil.
func libraryOf(name string) *vendorLibrary {
	for i := range vendorLibraries {
		for _, p := range vendorLibraries[i].prefixes {
			if strings.HasPrefix(name, p) || strings.HasPrefix(name+"/", p) {
				return &vendorLibraries[i]
			}
		}
	}
	return nil
}
