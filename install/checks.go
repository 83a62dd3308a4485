package install

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/completion"
	"github.com/gopherwarp/gopherwarp/internal/gorelease"
	"github.com/gopherwarp/gopherwarp/internal/goroot"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// machine has functions for information that is not in the environment's programs and
// files, which tests replace.
type machine struct {
	program  Program
	golang   func(context.Context) (session.GoState, error) // returns the Go that cells are compiled with
	cache    func() (session.CacheState, error)
	probe    func() gpu  // queries the driver; takes up to a second
	hardware func() bool // reports whether an NVIDIA GPU is installed, with or without a driver

	once sync.Once
	seen gpu
}

func (m *machine) gpu() gpu {
	m.once.Do(func() { m.seen = m.probe() })
	return m.seen
}

// apt returns the command that installs Debian packages.
func apt(packages string) string {
	return sudo("apt-get install -y " + packages)
}

// sudo returns the command with sudo, unless the user is root.
func sudo(command string) string {
	if os.Geteuid() != 0 {
		return "sudo " + command
	}
	return command
}

// output runs a program and returns the first line that it prints.
func output(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("run %s: %w", name, err)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line), nil
}

// getGo returns the commands that install Go: distributions often have an old one.
func getGo() string {
	return "curl -L https://go.dev/dl/" + gorelease.Newest().Toolchain + ".linux-" + runtime.GOARCH + ".tar.gz | " +
		sudo("tar -C /usr/local -xz") + "\nexport PATH=$PATH:/usr/local/go/bin"
}

func lookGo(ctx context.Context, m *machine) (string, *trouble) {
	golang, err := m.golang(ctx)
	switch {
	case err != nil && golang.Root != "":
		return "", &trouble{err.Error(), "unset CGO_ENABLED; go env -u CGO_ENABLED"}
	case err != nil:
		return "", &trouble{err.Error(), getGo()}
	case golang.Root == "":
		return golang.Version + ", when it was fetched", &trouble{golang.Notice, "gopherwarp install"}
	}
	tested := "the self-test has not run"
	if golang.Tested != "" {
		tested = "self-test: " + golang.Tested
	}
	found := fmt.Sprintf("%s in %s, %s", golang.Version, golang.Program(), tested)
	if golang.Notice != "" {
		return found, &trouble{golang.Notice, getGo()}
	}
	return found, nil
}

func compiler(name, why string) func(context.Context, *machine) (string, *trouble) {
	return func(ctx context.Context, _ *machine) (string, *trouble) {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", &trouble{"not found: " + why, apt(name)}
		}
		v, err := output(ctx, path, "-dumpfullversion", "-dumpversion")
		if err != nil {
			return "", &trouble{path + " does not run: " + err.Error(), apt("--reinstall " + name)}
		}
		return v + " in " + path, nil
	}
}

// lookCXX checks the compiler of the simulator: CXX, or else g++ or clang++.
func lookCXX(ctx context.Context, m *machine) (string, *trouble) {
	const why = "the GPU simulator compiles CUDA C with it"
	name := os.Getenv("CXX")
	if name == "" {
		name = "g++"
		if _, err := exec.LookPath(name); err != nil {
			name = "clang++"
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", &trouble{"not found: " + why, apt("g++")}
	}
	v, err := output(ctx, path, "-dumpversion")
	if err != nil {
		return "", &trouble{path + " does not run: " + err.Error(), apt("--reinstall g++")}
	}
	return v + " in " + path, nil
}

func lookLinker(context.Context, *machine) (string, *trouble) {
	for _, name := range []string{"mold", "ld.gold", "ld.lld"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	if path, err := exec.LookPath("ld"); err == nil {
		return path, &trouble{"works, but mold links cells faster", apt("mold")}
	}
	return "", &trouble{"not found: cells are linked with it", apt("binutils")}
}

func lookGopls(ctx context.Context, _ *machine) (string, *trouble) {
	const less = "completion and help in cells have less information without it"
	if os.Getenv(completion.GoplsEnv) == "off" {
		return "switched off by " + completion.GoplsEnv, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", &trouble{"no folder for caches: " + err.Error(), "export HOME=~"}
	}
	cache = filepath.Join(cache, "gopherwarp")
	path := completion.FindGopls(cache, goroot.Guess(cache))
	if path == "" {
		return "", &trouble{"not built: " + less, "gopherwarp install"}
	}
	v, err := output(ctx, path, "version")
	if err != nil {
		return "", &trouble{path + " does not run: " + err.Error(), "rm " + path + " && gopherwarp install"}
	}
	return v[strings.LastIndexByte(v, ' ')+1:] + " in " + path, nil
}

func lookJupyter(ctx context.Context, _ *machine) (string, *trouble) {
	const get = "python3 -m venv ~/jupyter && ~/jupyter/bin/pip install jupyterlab"
	for _, p := range []struct{ file, name string }{{"jupyter-lab", "JupyterLab"}, {"jupyter-notebook", "Jupyter Notebook"}} {
		path, err := exec.LookPath(p.file)
		if err != nil {
			continue
		}
		v, err := output(ctx, path, "--version")
		if err != nil {
			return "", &trouble{path + " does not run: " + err.Error(), get}
		}
		return fmt.Sprintf("%s %s in %s", p.name, v, path), nil
	}
	if path, err := exec.LookPath("jupyter"); err == nil {
		return path, &trouble{"JupyterLab is not there", "pip install jupyterlab"}
	}
	return "", &trouble{"not on the PATH: 'gopherwarp run' works without it; to edit notebooks:", get}
}

func lookKernelspec(ctx context.Context, m *machine) (string, *trouble) {
	for _, dataDir := range dataDirs(ctx) {
		dir := filepath.Join(dataDir, "kernels", KernelName)
		data, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
		if err != nil {
			continue
		}
		var spec kernelJSON
		if err := json.Unmarshal(data, &spec); err != nil || len(spec.Argv) == 0 {
			return "", &trouble{dir + " is damaged", "gopherwarp install"}
		}
		path, err := exec.LookPath(spec.Argv[0])
		if err != nil {
			return "", &trouble{fmt.Sprintf("%s names %s, which is not there", dir, spec.Argv[0]), "gopherwarp install"}
		}
		if problem := m.program.differs(ctx, path); problem != "" {
			return dir, &trouble{"notebooks use another gopherwarp: " + problem, m.program.Path + " install"}
		}
		return dir, nil
	}
	return "", &trouble{"the kernel is not installed for Jupyter", "gopherwarp install"}
}

func lookDriver(_ context.Context, m *machine) (string, *trouble) {
	g := m.gpu()
	switch {
	case g.driver != "" && g.problem == "":
		return g.driver, nil
	case g.driver != "":
		return g.driver, &trouble{g.problem, "nvidia-smi"}
	case m.hardware():
		return "", &trouble{"there is an NVIDIA GPU but no driver that can be loaded: " + g.problem, apt("nvidia-driver libcuda1")}
	}
	return "none, and no NVIDIA GPU to need one", nil
}

func lookNVRTC(_ context.Context, m *machine) (string, *trouble) {
	g := m.gpu()
	switch {
	case g.nvrtc != "":
		return g.nvrtc, nil
	case len(g.devices) == 0:
		return "none, and no GPU to compile for", nil
	}
	// Since CUDA 13 the package's name has no version.
	name := "nvidia-cuda-nvrtc"
	if g.cudaMajor < 13 {
		name = fmt.Sprintf("nvidia-cuda-nvrtc-cu%d", g.cudaMajor)
	}
	return "", &trouble{"not found: CUDA C is compiled for the GPU with it", "pip install " + name}
}

func lookDevice(_ context.Context, m *machine) (string, *trouble) {
	g := m.gpu()
	if len(g.devices) == 0 || g.nvrtc == "" {
		return "simulator", nil
	}
	return strings.Join(g.devices, ", "), nil
}

// nvidiaHardware reports whether a display or 3-D controller of NVIDIA is on the PCI bus.
func nvidiaHardware() bool {
	devices, _ := filepath.Glob("/sys/bus/pci/devices/*") // the pattern is well-formed
	for _, dir := range devices {
		vendor, err := os.ReadFile(filepath.Join(dir, "vendor"))
		if err != nil || strings.TrimSpace(string(vendor)) != "0x10de" {
			continue
		}
		if class, err := os.ReadFile(filepath.Join(dir, "class")); err == nil && strings.HasPrefix(string(class), "0x03") {
			return true
		}
	}
	return false
}

// lookCache returns the size of the cache.
func lookCache(_ context.Context, m *machine) (string, *trouble) {
	c, err := m.cache()
	if err != nil {
		return "", &trouble{err.Error(), "set XDG_CACHE_HOME to a directory that can be read and written to"}
	}
	return fmt.Sprintf("%d MB in %s, of which %d Go sessions take %d MB", c.Size/1e6, c.Dir, c.Toolchains, c.ToolchainsSize/1e6), nil
}
