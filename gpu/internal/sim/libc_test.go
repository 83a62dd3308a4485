package sim

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// c23 declares functions of C23 as glibc 2.41 and 2.42 do.
const c23 = `#include_next <math.h>
#ifdef __cplusplus
extern "C" {
extern double sinpi(double) noexcept(true), cospi(double) noexcept(true), tanpi(double) noexcept(true), rsqrt(double) noexcept(true);
extern float sinpif(float) noexcept(true), cospif(float) noexcept(true), tanpif(float) noexcept(true), rsqrtf(float) noexcept(true);
}
#endif
`

// TestNewerLibC compiles with a C library that declares functions of CUDA's names itself.
func TestNewerLibC(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	check(t, os.WriteFile(filepath.Join(dir, "math.h"), []byte(c23), 0o644))
	found, err := findToolchain()
	check(t, err)
	wrapper := filepath.Join(dir, filepath.Base(found.gxx))
	check(t, os.WriteFile(wrapper, []byte("#!/bin/sh\nexec '"+found.gxx+"' -isystem '"+dir+"' \"$@\"\n"), 0o755))
	t.Setenv("CXX", wrapper)
	tools, err := findToolchain()
	check(t, err)
	p := backend.Program{Name: "a.cu", Source: `__global__ void k(float *x, double *y) {
    x[0] = sinpif(x[0]) + cospif(x[0]) + rsqrtf(x[0]) + rsqrt(x[0]);
    y[0] = sinpi(y[0]) + cospi(y[0]) + rsqrt(y[0]);
}
`}
	_, err = tools.compile(p)
	check(t, err)
	p.Check = true
	_, err = tools.compileChecked(p)
	check(t, err)
}
