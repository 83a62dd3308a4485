package driver

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// touch creates empty files, and their directories, under root.
func touch(t *testing.T, root string, files ...string) {
	t.Helper()
	for _, f := range files {
		path := filepath.Join(root, f)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// pip installs programs of the toolkit next to its libraries.
func TestFindToolOfPip(t *testing.T) {
	site := t.TempDir()
	t.Setenv("PATH", t.TempDir())
	t.Setenv("PYTHONPATH", site)
	const name = "a-tool-of-the-toolkit"
	path := filepath.Join(site, "nvidia", "cu13", "bin", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := FindTool(name); got != "" {
		t.Errorf("found %s, which is not executable", got)
	}
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := FindTool(name); got != path {
		t.Errorf("found %q, want %q", got, path)
	}
}

func TestNVRTCCandidates(t *testing.T) {
	root := t.TempDir()
	touch(t, root, "a/lib/libnvrtc.so.12", "b/lib64/libnvrtc.so.13", "b/lib64/libnvrtc.so.12", "c/lib/libnvrtc.so.14")
	a, b, c := filepath.Join(root, "a"), filepath.Join(root, "b"), filepath.Join(root, "c")
	for _, tt := range []struct {
		major int
		want  []string
	}{
		{13, []string{
			"libnvrtc.so.13", b + "/lib64/libnvrtc.so.13", "libnvrtc.so.12", a + "/lib/libnvrtc.so.12", b + "/lib64/libnvrtc.so.12",
			"libnvrtc.so.11.2", "libnvrtc.so.14", c + "/lib/libnvrtc.so.14",
		}},
		{12, []string{
			"libnvrtc.so.12", a + "/lib/libnvrtc.so.12", b + "/lib64/libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so.13", b + "/lib64/libnvrtc.so.13",
		}},
	} {
		if got := nvrtcCandidates([]string{a, b, c}, tt.major); !slices.Equal(got, tt.want) {
			t.Errorf("driver %d: got %q\nwant %q", tt.major, got, tt.want)
		}
	}
}

func TestHeaderDirectories(t *testing.T) {
	root := t.TempDir()
	touch(t, root,
		"toolkit/include/cuda_fp16.h", "toolkit/include/cccl/x",
		"site/nvidia/cuda_runtime/include/cuda_fp16.h", "site/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "site/nvidia/cuda_nvrtc/include/nvrtc.h",
		"site/nvidia/curand/include/curand_kernel.h", "site/nvidia/cuda_cccl/include/cub/cub.cuh", "complete/include/curand_kernel.h", "complete/include/cuda_fp16.h",
		"complete/include/cub/cub.cuh",
	)
	toolkit := []string{root + "/toolkit/include", root + "/toolkit/include/cccl"}
	for _, tt := range []struct {
		name   string
		places []string
		nvrtc  string
		want   []string
	}{
		{"beside NVRTC", nil, root + "/toolkit/lib64/libnvrtc.so.13", toolkit},
		{"pip's other package", []string{root + "/toolkit"}, root + "/site/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", []string{root + "/site/nvidia/cuda_runtime/include"}},
		{"elsewhere", []string{root + "/site", root + "/toolkit"}, "/nowhere/lib/libnvrtc.so.13", toolkit},
		{"nowhere", []string{root + "/site"}, "", nil},
		{
			"pip's libraries",
			[]string{root + "/site/nvidia/cuda_cccl", root + "/site/nvidia/curand"},
			root + "/site/nvidia/cuda_nvrtc/lib/libnvrtc.so.12",
			[]string{root + "/site/nvidia/cuda_runtime/include", root + "/site/nvidia/curand/include", root + "/site/nvidia/cuda_cccl/include"},
		},
		{"with the libraries", []string{root + "/site/nvidia/curand"}, root + "/complete/lib/libnvrtc.so.13", []string{root + "/complete/include"}},
	} {
		if got := headerDirectories(tt.places, tt.nvrtc); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestWithLibraries links what wheels have installed by its path, since there is no name without a version.
func TestWithLibraries(t *testing.T) {
	root := t.TempDir()
	touch(t, root, "wheel/lib/libcurand.so.10", "toolkit/lib64/libcublas.so", "toolkit/lib64/libcublas.so.13")
	lib := filepath.Join(root, "wheel", "lib")
	want := []string{
		"-Xlinker", lib + "/libcurand.so.10", "-Xlinker", "-rpath=" + lib, "-I", filepath.Join(root, "wheel", "include"),
		"-lcublas", "-lcufft", "-lm", "-O2",
	}
	places := []string{filepath.Join(root, "toolkit"), filepath.Join(root, "wheel")}
	if got := withLibraries([]string{"-lcurand", "-lcublas", "-lcufft", "-lm", "-O2"}, places); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
