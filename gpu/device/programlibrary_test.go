package device

import (
	"embed"
	"os"
	"regexp"
	"strings"
	"testing"
)

//go:embed testdata/libraries
var libraryPrograms embed.FS

// missingLibrary is what compilers and linkers say of a library that is not installed.
var missingLibrary = regexp.MustCompile(`(cu\w+\.h|thrust/\S+|cub/\S+): No such file|cannot open source file|cannot find -lcu`)

// TestLibraryPrograms runs programs that call CUDA's libraries, in check mode, too, where they are accused of nothing.
func TestLibraryPrograms(t *testing.T) {
	eachFile(t, libraryPrograms, "testdata/libraries", func(t *testing.T, _, text string) {
		flags := libraryFlags(text)
		wantStatus, args, want := expected(t, text)
		status, stdout, stderr := runProgram(t, flags, append([]string{source(t, text)}, args...)...)
		if onGPU := strings.HasPrefix(os.Getenv("GOPHERWARP_DEVICE"), "cuda"); onGPU && status == exitSource && missingLibrary.MatchString(stderr) {
			t.Skip("SKIPPED: the library is not installed beside nvcc: install its wheel (nvidia-curand, nvidia-cublas, nvidia-cufft, nvidia-cusparse)")
		}
		stdout = complaints.ReplaceAllString(stdout, "")
		if status != wantStatus || stdout != want {
			t.Errorf("status %d, want %d; printed\n%s\nwant\n%s\nstandard error:\n%s", status, wantStatus, stdout, want, stderr)
		}
		status, stdout, stderr = runProgramOn(t, "sim", append([]string{"--check"}, flags...), append([]string{source(t, text)}, args...)...)
		if status != wantStatus || stdout != want || !strings.Contains(stderr, "no defects") {
			t.Errorf("in check mode: status %d, want %d; printed\n%s\nwant\n%s\nstandard error:\n%s", status, wantStatus, stdout, want, stderr)
		}
	})
}

// complaints matches what cuBLAS and cuSPARSE print about invalid arguments, in addition to their status.
var complaints = regexp.MustCompile(`(?m)^ \*\* On entry to .*\n+`)

// libraryFlags returns the options that link the libraries whose headers a program includes.
func libraryFlags(text string) (flags []string) {
	for header, library := range map[string]string{"curand.h": "-lcurand", "cublas_v2.h": "-lcublas", "cufft.h": "-lcufft", "cusparse.h": "-lcusparse"} {
		if strings.Contains(text, "#include <"+header+">") {
			flags = append(flags, "--flag", library)
		}
	}
	return flags
}
