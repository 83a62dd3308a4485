package magics

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/gpuhost"
)

func TestCUDAOptions(t *testing.T) {
	for _, tc := range []struct {
		args string
		want gpuhost.CompileRequest
	}{
		{"", gpuhost.CompileRequest{}},
		{"-DN=3 --use_fast_math", gpuhost.CompileRequest{Flags: []string{"-DN=3", "--use_fast_math"}}},
		{"--check --json -G", gpuhost.CompileRequest{Check: true, JSON: true, Flags: []string{"-G"}}},
		{"--include a.cuh --include=inc -w", gpuhost.CompileRequest{Include: []string{"a.cuh", "inc"}, Flags: []string{"-w"}}},
		{"--info --ptx --sass", gpuhost.CompileRequest{Show: gpuhost.Show{Info: true, PTX: true, SASS: true}}},
		{"--info --shared=100 --arch sm_80", gpuhost.CompileRequest{Show: gpuhost.Show{Info: true, Shared: 100, Arch: "sm_80"}}},
		{"--arch=sm_75 --shared 7 --info -arch=sm_80", gpuhost.CompileRequest{Show: gpuhost.Show{Info: true, Shared: 7, Arch: "sm_75"}, Flags: []string{"-arch=sm_80"}}},
	} {
		got, err := cudaOptions(tc.args)
		if err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: got %+v, %v", tc.args, got, err)
		}
	}
	for args, want := range map[string]string{
		"--include":          "needs a value",
		"--json":             "--check",
		"--arch=sm_80":       "--sass",
		"--info --arch":      "needs a value",
		"--info --shared=x":  "number of bytes",
		"--info --shared=-1": "number of bytes",
		"--shared=4 --ptx":   "--info",
	} {
		if _, err := cudaOptions(args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", args, err, want)
		}
	}
}
