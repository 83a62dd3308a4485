package spelling

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"encoding/asn1", "timeit", "time", "timeit_gpu", "encoding/json", "who"}
	for name, want := range map[string]string{
		"timit": "timeit", "TIME": "time", "tiemit_gpu": "timeit_gpu", "encodng/jsn": "encoding/json", "encoding/jsno": "encoding/json", "xyzzy": "", "wo": "who", "q": "", "": "",
	} {
		if got := Nearest(name, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}
