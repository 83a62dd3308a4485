package driver

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// nvrtcCandidates returns the files to open, best first: of the driver's own major version, then of older ones, whose code it
// also runs, and of a newer one last.
func nvrtcCandidates(places []string, driverMajor int) []string {
	majors := []int{driverMajor}
	for m := driverMajor - 1; m >= 11; m-- {
		majors = append(majors, m)
	}
	majors = append(majors, driverMajor+1)

	var names []string
	for _, m := range majors {
		if m == 11 {
			names = append(names, "libnvrtc.so.11.2") // CUDA 11's name from 11.2 on
		} else {
			names = append(names, fmt.Sprintf("libnvrtc.so.%d", m))
		}
	}
	return candidates(places, names)
}

// candidates returns possible paths of files: for each name the linker's own search, which includes LD_LIBRARY_PATH, and then the
// places.
func candidates(places, names []string) []string {
	var list []string
	for _, name := range names {
		list = append(list, name)
		for _, place := range places {
			for _, sub := range []string{"lib64", "lib", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"} {
				if path := filepath.Join(place, sub, name); exists(path) {
					list = append(list, path)
				}
			}
		}
	}
	return list
}

// loadedFrom returns the path of a loaded library, which the dynamic linker may have found by its name. It is "" if unknown.
func loadedFrom(name string) string {
	if strings.Contains(name, "/") {
		return name
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return ""
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		if i := strings.IndexByte(lines.Text(), '/'); i >= 0 {
			if path := lines.Text()[i:]; strings.HasPrefix(filepath.Base(path), "libnvrtc.so") {
				return path
			}
		}
	}
	return ""
}

// headerDirectories returns the directories of CUDA's device headers (half precision, cooperative groups) and of its C++ library
// within them. Those installed with the NVRTC at path are preferred, since headers and compiler should have the same version.
func headerDirectories(places []string, path string) []string {
	roots := places
	if path != "" {
		lib := filepath.Dir(path)
		roots = append([]string{
			filepath.Dir(lib), // toolkit, conda, pip's cu13
			filepath.Join(lib, "..", "..", "cuda_runtime"), // pip's cu12
		}, places...)
	}
	for _, root := range roots {
		dir := filepath.Join(root, "include")
		if !exists(filepath.Join(dir, "cuda_fp16.h")) {
			continue
		}
		directories := []string{filepath.Clean(dir)}
		if cccl := filepath.Join(dir, "cccl"); exists(cccl) {
			directories = append(directories, filepath.Clean(cccl))
		}
		return append(directories, wheelHeaders(places, directories)...)
	}
	return nil
}

// wheelHeaders returns the directories of headers for kernels that wheels of CUDA 12 install apart, unless those given have them.
func wheelHeaders(places, have []string) []string {
	var more []string
	for _, header := range []string{"curand_kernel.h", "cub/cub.cuh"} {
		dirs := slices.Clone(have)
		for _, place := range places {
			dirs = append(dirs, filepath.Join(place, "include"))
		}
		i := slices.IndexFunc(dirs, func(dir string) bool { return exists(filepath.Join(dir, header)) })
		if i >= len(have) {
			more = append(more, dirs[i])
		}
	}
	return more
}

// libraryFile returns the path of a shared library of a wheel, which has a version in its name and no link without one, so that the
// linker does not find it. It is "" where there is none, or where the linker finds it.
func libraryFile(places []string, name string) string {
	for _, place := range places {
		for _, sub := range []string{"lib64", "lib"} {
			base := filepath.Join(place, sub, "lib"+name+".so")
			if exists(base) {
				return ""
			}
			if found, _ := filepath.Glob(base + ".*"); len(found) > 0 {
				return found[0]
			}
		}
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
