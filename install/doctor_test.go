package install

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/goroot"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// These are programs of a machine without problems.
const (
	goodGo     = `echo go version go1.27.3 linux/amd64`
	goodGCC    = `echo 12.2.0`
	goodLab    = `echo 4.6.1`
	goodPython = `echo /nowhere`
	goodGopls  = `echo golang.org/x/tools/gopls v0.23.0`
	goodSelf   = `echo gopherwarp 1.2.3`
)

func goodPrograms() map[string]string {
	return map[string]string{
		"go": goodGo, "gcc": goodGCC, "g++": goodGCC, "mold": "", "gopls": goodGopls, "jupyter-lab": goodLab, "python3": goodPython,
		"gopherwarp": goodSelf,
	}
}

func without(names ...string) map[string]string {
	p := goodPrograms()
	for _, n := range names {
		delete(p, n)
	}
	return p
}

func with(name, script string) map[string]string {
	p := goodPrograms()
	p[name] = script
	return p
}

var h200 = gpu{driver: "CUDA 13.0, driver 580.65", cudaMajor: 13, devices: []string{"NVIDIA H200"}, nvrtc: "13.0 in libnvrtc.so.13"}

// goodSpec contains an existing program: {bin} stands for the directory of programs.
const goodSpec = `{"argv": ["{bin}/gopherwarp", "kernel"], "language": "go"}`

func TestExamine(t *testing.T) {
	for _, tt := range []struct {
		name     string
		programs map[string]string
		spec     string // kernel.json of this user; empty for none
		gpu      gpu
		hardware bool
		check    string
		state    State
		parts    []string // parts of what was found, the problem and the remedy
		ok       bool     // whether the whole report is OK
	}{
		{"gcc", goodPrograms(), goodSpec, gpu{}, false, "gcc", OK, []string{"12.2.0 in /"}, true},
		{"no gcc", without("gcc"), goodSpec, gpu{}, false, "gcc", Failed, []string{"not found", "apt-get install -y gcc"}, false},
		{"no g++", without("g++"), goodSpec, gpu{}, false, "g++", Failed, []string{"simulator", "apt-get install -y g++"}, false},
		{"broken g++", with("g++", "exit 1"), goodSpec, gpu{}, false, "g++", Failed, []string{"does not run", "--reinstall g++"}, false},
		{"mold", goodPrograms(), goodSpec, gpu{}, false, "linker", OK, []string{"/mold"}, true},
		{"only ld", func() map[string]string { p := without("mold"); p["ld"] = ""; return p }(), goodSpec, gpu{}, false, "linker", Warning, []string{"/ld", "apt-get install -y mold"}, true},
		{"no linker", without("mold"), goodSpec, gpu{}, false, "linker", Failed, []string{"not found", "binutils"}, false},
		{"gopls", goodPrograms(), goodSpec, gpu{}, false, "gopls", OK, []string{"v0.23.0 in /"}, true},
		{"no gopls", without("gopls"), goodSpec, gpu{}, false, "gopls", Warning, []string{"have less information", "gopherwarp install"}, true},
		{"broken gopls", with("gopls", "exit 1"), goodSpec, gpu{}, false, "gopls", Warning, []string{"does not run", "rm /"}, true},
		{"JupyterLab", goodPrograms(), goodSpec, gpu{}, false, "Jupyter", OK, []string{"JupyterLab 4.6.1 in /"}, true},
		{"no Jupyter", without("jupyter-lab"), goodSpec, gpu{}, false, "Jupyter", Warning, []string{"gopherwarp run", "pip install jupyterlab"}, true},
		{"Jupyter without Lab", func() map[string]string { p := without("jupyter-lab"); p["jupyter"] = ""; return p }(), goodSpec, gpu{}, false, "Jupyter", Warning, []string{"JupyterLab is not there", "pip install jupyterlab"}, true},
		{"kernelspec", goodPrograms(), goodSpec, gpu{}, false, "kernelspec", OK, []string{"kernels/gopherwarp"}, true},
		{"no kernelspec", goodPrograms(), "", gpu{}, false, "kernelspec", Warning, []string{"not installed", "gopherwarp install"}, true},
		{"damaged kernelspec", goodPrograms(), "{", gpu{}, false, "kernelspec", Warning, []string{"is damaged", "gopherwarp install"}, true},
		{"kernelspec of a program that went", goodPrograms(), `{"argv": ["/nowhere/gopherwarp"]}`, gpu{}, false, "kernelspec", Warning, []string{"names /nowhere/gopherwarp, which is not there"}, true},
		{"kernelspec of another version", with("other", `echo gopherwarp 1.2.2`), `{"argv": ["{bin}/other"]}`, gpu{}, false, "kernelspec", Warning, []string{"/other is version 1.2.2", "/here/gopherwarp install"}, true},
		{"kernelspec of what does not run", with("other", `exit 1`), `{"argv": ["{bin}/other"]}`, gpu{}, false, "kernelspec", Warning, []string{"/other does not run"}, true},
		{"one program", goodPrograms(), goodSpec, gpu{}, false, "gopherwarp", OK, []string{"1.2.3 in /here/gopherwarp"}, true},
		{"two programs", with("gopherwarp", `echo gopherwarp 1.2.2`), "", gpu{}, false, "gopherwarp", Warning, []string{"another gopherwarp", "/gopherwarp is version 1.2.2", "which -a"}, true},
		{"no GPU", goodPrograms(), goodSpec, gpu{problem: "no library"}, false, "NVIDIA driver", OK, []string{"no NVIDIA GPU"}, true},
		{"GPU without driver", goodPrograms(), goodSpec, gpu{problem: "no library"}, true, "NVIDIA driver", Warning, []string{"no library", "nvidia-driver"}, true},
		{"driver", goodPrograms(), goodSpec, h200, true, "NVIDIA driver", OK, []string{"CUDA 13.0, driver 580.65"}, true},
		{"driver that fails", goodPrograms(), goodSpec, gpu{driver: "CUDA 12.4", cudaMajor: 12, problem: "cuInit fails with error 999"}, true, "NVIDIA driver", Warning, []string{"CUDA 12.4", "error 999", "nvidia-smi"}, true},
		{"NVRTC", goodPrograms(), goodSpec, h200, true, "NVRTC", OK, []string{"libnvrtc.so.13"}, true},
		{"NVRTC of 13 missing", goodPrograms(), goodSpec, gpu{driver: "CUDA 13.0", cudaMajor: 13, devices: []string{"x"}}, true, "NVRTC", Warning, []string{"pip install nvidia-cuda-nvrtc"}, true},
		{"NVRTC of 12 missing", goodPrograms(), goodSpec, gpu{driver: "CUDA 12.4", cudaMajor: 12, devices: []string{"x"}}, true, "NVRTC", Warning, []string{"pip install nvidia-cuda-nvrtc-cu12"}, true},
		{"device", goodPrograms(), goodSpec, h200, true, "device", OK, []string{"NVIDIA H200"}, true},
		{"simulator", goodPrograms(), goodSpec, gpu{}, false, "device", OK, []string{"simulator"}, true},
		{"simulator for want of NVRTC", goodPrograms(), goodSpec, gpu{driver: "CUDA 12.4", cudaMajor: 12, devices: []string{"x"}}, true, "device", OK, []string{"simulator"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bin, home := t.TempDir(), t.TempDir()
			for name, script := range tt.programs {
				program(t, bin, name, script)
			}
			t.Setenv("PATH", bin)
			t.Setenv("HOME", home)
			for _, name := range []string{"JUPYTER_PATH", "JUPYTER_DATA_DIR", "XDG_DATA_HOME", "VIRTUAL_ENV", "GOROOT", "XDG_CACHE_HOME", "GOPHERWARP_GOPLS"} {
				t.Setenv(name, "")
			}
			if tt.spec != "" {
				file := filepath.Join(home, ".local/share/jupyter/kernels/gopherwarp/kernel.json")
				writeFile(t, file, strings.ReplaceAll(tt.spec, "{bin}", bin), 0o644)
			}
			r := examine(t.Context(), &machine{
				program:  Program{"/here/gopherwarp", "1.2.3"},
				golang:   func(context.Context) (session.GoState, error) { return goodState, nil },
				cache:    goodCache,
				probe:    func() gpu { return tt.gpu },
				hardware: func() bool { return tt.hardware },
			})
			if r.OK != tt.ok {
				t.Errorf("report OK is %v: %+v", r.OK, r)
			}
			f := find(t, r, tt.check)
			if f.State != tt.state {
				t.Errorf("%+v, want state %s", f, tt.state)
			}
			for _, part := range tt.parts {
				if all := f.Found + "\n" + f.Problem + "\n" + f.Remedy; !strings.Contains(all, part) {
					t.Errorf("%+v lacks %q", f, part)
				}
			}
			if (f.Problem == "") != (f.Remedy == "") {
				t.Errorf("%+v: a problem wants a remedy", f)
			}
		})
	}
}

var goodState = session.GoState{Toolchain: goroot.Toolchain{Root: "/go", Version: "go1.27.3"}, Tested: "go1.27.3 passed on 2026-11-22"}

func goodCache() (session.CacheState, error) {
	return session.CacheState{Dir: "/cache", Size: 250e6, Toolchains: 3, ToolchainsSize: 90e6}, nil
}

func TestCache(t *testing.T) {
	for _, tt := range []struct {
		name  string
		cache func() (session.CacheState, error)
		state State
		parts []string
	}{
		{"good", goodCache, OK, []string{"250 MB in /cache", "3 Go sessions take 90 MB"}},
		{"not readable", func() (session.CacheState, error) { return session.CacheState{}, errors.New("permission denied") }, Warning, []string{"permission denied", "XDG_CACHE_HOME"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, problem := lookCache(t.Context(), &machine{cache: tt.cache})
			f := Finding{State: OK, Found: found}
			if problem != nil {
				f.State, f.Problem, f.Remedy = Warning, problem.problem, problem.remedy
			}
			if f.State != tt.state {
				t.Errorf("%+v, want state %s", f, tt.state)
			}
			for _, part := range tt.parts {
				if !strings.Contains(f.Found+f.Problem+f.Remedy, part) {
					t.Errorf("%+v lacks %q", f, part)
				}
			}
		})
	}
}

func TestConnections(t *testing.T) {
	const good = `{"transport":"tcp","ip":"127.0.0.1","key":"k","kernel_name":"gopherwarp"}`
	for _, tt := range []struct {
		name  string
		files map[string]string
		parts []string // parts of what was found or the problem
		state State
	}{
		{"none", nil, []string{"0 connection files"}, OK},
		{"good", map[string]string{"kernel-1.json": good}, []string{"1 connection files"}, OK},
		{"no key", map[string]string{"kernel-1.json": good, "kernel-2.json": strings.Replace(good, `"k"`, `""`, 1)}, []string{"kernel-2.json", "not signed"}, Warning},
		{"all interfaces", map[string]string{"kernel-1.json": strings.Replace(good, "127.0.0.1", "0.0.0.0", 1)}, []string{"listens on 0.0.0.0"}, Warning},
		{"another kernel's", map[string]string{"kernel-1.json": `{"key":"","kernel_name":"python3"}`, "kernel-2.json": "{"}, []string{"0 connection files"}, OK},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("JUPYTER_RUNTIME_DIR", dir)
			for name, text := range tt.files {
				writeFile(t, filepath.Join(dir, name), text, 0o600)
			}
			r := examine(t.Context(), &machine{
				program:  Program{"/here/gopherwarp", "1.2.3"},
				golang:   func(context.Context) (session.GoState, error) { return goodState, nil },
				cache:    goodCache,
				probe:    func() gpu { return gpu{} },
				hardware: func() bool { return false },
			})
			f := find(t, r, "connections")
			if f.State != tt.state || (f.Problem == "") != (f.Remedy == "") {
				t.Errorf("%+v, want state %s", f, tt.state)
			}
			for _, part := range tt.parts {
				if !strings.Contains(f.Found+f.Problem, part) {
					t.Errorf("%+v lacks %q", f, part)
				}
			}
		})
	}
}

func TestExamineGo(t *testing.T) {
	const notice = "go1.99.0 in /usr/local/go is not one of the releases that this gopherwarp supports: cells use go1.27.3 in /go"
	for _, tt := range []struct {
		name  string
		found session.GoState
		err   error
		state State
		parts []string
		ok    bool
	}{
		{"good", goodState, nil, OK, []string{"go1.27.3 in /go/bin/go", "self-test: go1.27.3 passed on 2026-11-22"}, true},
		{"not tested yet", session.GoState{Toolchain: goodState.Toolchain}, nil, OK, []string{"the self-test has not run"}, true},
		{"another", session.GoState{Toolchain: goroot.Toolchain{Root: "/go", Version: "go1.27.3", Notice: notice}}, nil, Warning, []string{notice, "go.dev/dl"}, true},
		{"to be fetched", session.GoState{Toolchain: goroot.Toolchain{Version: "go1.27.3", Notice: "there is no Go"}}, nil, Warning, []string{"when it was fetched", "there is no Go", "gopherwarp install"}, true},
		{"none", session.GoState{}, errors.New("there is none to be had"), Failed, []string{"there is none to be had", "go.dev/dl"}, false},
		{"no cgo", session.GoState{Toolchain: goodState.Toolchain}, errors.New("cells need cgo, which is off"), Failed, []string{"cgo, which is off", "unset CGO_ENABLED"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := examine(t.Context(), &machine{
				program:  Program{"/here/gopherwarp", "1.2.3"},
				golang:   func(context.Context) (session.GoState, error) { return tt.found, tt.err },
				cache:    goodCache,
				probe:    func() gpu { return gpu{} },
				hardware: func() bool { return false },
			})
			f := find(t, r, "Go")
			if f.State != tt.state || (f.State == Failed) == tt.ok {
				t.Errorf("%+v, want state %s", f, tt.state)
			}
			for _, part := range tt.parts {
				if all := f.Found + "\n" + f.Problem + "\n" + f.Remedy; !strings.Contains(all, part) {
					t.Errorf("%+v lacks %q", f, part)
				}
			}
		})
	}
}

func find(t *testing.T, r Report, name string) Finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no finding for %s", name)
	return Finding{}
}

func TestWriteText(t *testing.T) {
	r := Report{Findings: []Finding{
		{Name: "Go", State: OK, Found: "go1.26.8"},
		{Name: "linker", State: Warning, Found: "/bin/ld", Problem: "slow", Remedy: "get mold"},
		{Name: "g++", State: Failed, Problem: "not found", Remedy: "one\ntwo"},
	}}
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/report.txt")
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestProbeGPU runs the real probe, which must return on any machine.
func TestProbeGPU(t *testing.T) {
	g := probeGPU()
	if (len(g.devices) == 0) != (g.problem != "") {
		t.Errorf("devices %q with problem %q", g.devices, g.problem)
	}
	t.Logf("%+v", g)
}
