package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ebitengine/purego"
)

// gpu describes the CUDA driver and NVRTC.
type gpu struct {
	driver    string // version; empty if there is none
	cudaMajor int
	devices   []string // names
	nvrtc     string   // version and path; empty if there is none
	problem   string   // why the driver or devices are missing
}

// probeGPU loads the driver's library, as cells do.
func probeGPU() gpu {
	var g gpu
	lib, err := purego.Dlopen("libcuda.so.1", purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		g.problem = err.Error()
		return g
	}
	var (
		cuInit             func(flags uint32) int32
		cuDriverGetVersion func(v *int32) int32
		cuDeviceGetCount   func(n *int32) int32
		cuDeviceGet        func(dev *int32, ordinal int32) int32
		cuDeviceGetName    func(name *byte, size, dev int32) int32
	)
	for name, fn := range map[string]any{
		"cuInit": &cuInit, "cuDriverGetVersion": &cuDriverGetVersion, "cuDeviceGetCount": &cuDeviceGetCount,
		"cuDeviceGet": &cuDeviceGet, "cuDeviceGetName": &cuDeviceGetName,
	} {
		if err := bind(lib, name, fn); err != nil {
			g.problem = err.Error()
			return g
		}
	}
	var v int32
	if r := cuDriverGetVersion(&v); r != 0 {
		g.problem = fmt.Sprintf("cuDriverGetVersion fails with error %d", r)
		return g
	}
	g.cudaMajor = int(v / 1000)
	g.driver = fmt.Sprintf("CUDA %d.%d", v/1000, v%1000/10)
	if module, err := os.ReadFile("/sys/module/nvidia/version"); err == nil {
		g.driver += ", driver " + strings.TrimSpace(string(module))
	}
	g.nvrtc = findNVRTC(g.cudaMajor)
	if r := cuInit(0); r != 0 {
		g.problem = fmt.Sprintf("cuInit fails with error %d", r)
		return g
	}
	var n int32
	if r := cuDeviceGetCount(&n); r != 0 || n == 0 {
		g.problem = fmt.Sprintf("the driver shows no device (error %d)", r)
		return g
	}
	for i := range n {
		var dev int32
		name := make([]byte, 256)
		if cuDeviceGet(&dev, i) == 0 && cuDeviceGetName(&name[0], int32(len(name)), dev) == 0 {
			text, _, _ := strings.Cut(string(name), "\x00")
			g.devices = append(g.devices, text)
		}
	}
	return g
}

// bind sets the function that fn points to; purego.RegisterLibFunc would panic if
// it is missing.
func bind(lib uintptr, name string, fn any) error {
	sym, err := purego.Dlsym(lib, name)
	if err != nil {
		return fmt.Errorf("find %s: %w", name, err)
	}
	purego.RegisterFunc(fn, sym)
	return nil
}

// findNVRTC returns the version and path of NVRTC, of the driver's version or an older
// one, as found by the dynamic linker, in a CUDA toolkit or in Python's packages.
func findNVRTC(cudaMajor int) string {
	for major := cudaMajor; major >= 11; major-- {
		name := fmt.Sprintf("libnvrtc.so.%d", major)
		if major == 11 {
			name = "libnvrtc.so.11.2" // the name of all versions since 11.2
		}
		candidates := []string{name}
		for _, pattern := range nvrtcPlaces() {
			found, _ := filepath.Glob(filepath.Join(pattern, name)) // an invalid pattern matches nothing
			candidates = append(candidates, found...)
		}
		for _, file := range candidates {
			if v := nvrtcVersion(file); v != "" {
				return v + " in " + file
			}
		}
	}
	return ""
}

func nvrtcPlaces() []string {
	var places []string
	for _, v := range []string{"CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"} {
		if dir := os.Getenv(v); dir != "" {
			places = append(places, filepath.Join(dir, "lib64"), filepath.Join(dir, "lib"))
		}
	}
	prefixes := []string{os.Getenv("VIRTUAL_ENV"), os.Getenv("CONDA_PREFIX")}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		prefixes = append(prefixes, filepath.Dir(dir))
	}
	for _, prefix := range append(prefixes, "/usr/local", "/usr") {
		if prefix != "" {
			places = append(places, filepath.Join(prefix, "lib", "python3*", "*-packages", "nvidia", "*", "lib"))
		}
	}
	return append(places, "/usr/local/cuda*/lib64", "/usr/local/cuda*/targets/*/lib", "/opt/cuda/lib64")
}

func nvrtcVersion(file string) string {
	lib, err := purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return ""
	}
	var get func(major, minor *int32) int32
	var major, minor int32
	if bind(lib, "nvrtcVersion", &get) != nil || get(&major, &minor) != 0 {
		return ""
	}
	return fmt.Sprintf("%d.%d", major, minor)
}
