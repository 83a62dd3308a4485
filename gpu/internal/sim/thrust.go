package sim

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/include"
	"github.com/gopherwarp/gopherwarp/internal/toolkit"
)

// includesThrust returns the line of the first directive that includes a header of Thrust, or 0.
func includesThrust(text string) int {
	for d := range include.Directives(text) {
		if strings.HasPrefix(d.Name, "thrust/") {
			return d.Line
		}
	}
	return 0
}

// cccl returns the directory of the headers of CCCL, of which Thrust is a part, or "". Wheels for CUDA 13 and toolkits have it beside
// their other headers, wheels for CUDA 12 among them.
func cccl() string {
	for _, dir := range toolkit.Directories() {
		for _, sub := range []string{"include/cccl", "include"} {
			dir := filepath.Join(dir, sub)
			if _, err := os.Stat(filepath.Join(dir, "thrust", "version.h")); err == nil {
				return dir
			}
		}
	}
	return ""
}

const noThrust = "Thrust, the library of parallel algorithms, is not installed: pip install nvidia-cuda-cccl (for the Python whose python3 is first in PATH)"

// findThrust makes the headers of Thrust part of a program. The user's own, by -I, come first.
func (u *unit) findThrust() error {
	if _, _, own := userSearch(u.options).FindLibrary("thrust/version.h"); own {
		u.thrust = true
		return nil
	}
	dir := cccl()
	if dir == "" {
		return fmt.Errorf("%s", noThrust)
	}
	version, err := os.ReadFile(filepath.Join(dir, "thrust", "version.h"))
	if err != nil {
		return fmt.Errorf("read the version of Thrust: %w", err)
	}
	u.thrust, u.cccl, u.ccclVersion = true, dir, string(version)
	return nil
}

// headers returns the options for the simulator's own headers, and for Thrust's if the program includes them: some of Thrust's are
// replaced, and some of the simulator's stand for a part of CCCL only, which comes first.
func (t *toolchain) headers(u *unit) []string {
	out := []string{"-isystem", filepath.Join(t.shim, "cub")}
	if u.thrust {
		out = append(out, "-I", filepath.Join(t.shim, "cccl"))
	}
	if u.cccl != "" {
		out = append(out, "-isystem", u.cccl)
	}
	return append(out, "-isystem", filepath.Join(t.shim, "include"))
}
