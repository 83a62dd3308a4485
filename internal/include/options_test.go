package include

import (
	"fmt"
	"testing"
)

func TestFromOptions(t *testing.T) {
	for _, tt := range []struct {
		options []string
		want    string
	}{
		{[]string{"-DA", "-D B=2", "--define-macro=C=3", "-D", "E", "--define-macro", "F", "-O3"}, `"" [] [] ["A" "B=2" "C=3" "E" "F"] true`},
		{[]string{"-Ia", "-I", "b", "--include-path=c", "-I=d", "--include-path", "e", "--device-debug"}, `"" ["a" "b" "c" "d" "e"] [] [] true`},
		{[]string{"--pre-include=a", "-include", "b", "-iquote", "own", "-arch=sm_90"}, `"own" [] ["a" "b"] [] true`},
		{[]string{"-DA", "-I"}, `"" [] [] ["A"] false`},
	} {
		s, defines, ok := FromOptions(tt.options)
		if got := fmt.Sprintf("%q %q %q %q %v", s.Own, s.Dirs, s.First, defines, ok); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.options, got, tt.want)
		}
	}
}
