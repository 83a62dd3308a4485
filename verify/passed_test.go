package verify

import "os"

// Lines that are too long are broken at spaces, since front ends break them in the middle of a word.
func Example_passed() {
	before, set := os.LookupEnv("NO_COLOR")
	os.Setenv("NO_COLOR", "1")
	defer func() {
		if os.Unsetenv("NO_COLOR"); set {
			os.Setenv("NO_COLOR", before)
		}
	}()
	passed("squares", "right for %d sizes from n = 0 to 65 921, 3 runs each, no defect in check mode, the work shared among the threads", 9)
	passed("one", "its element is equal")
	// Output:
	// ✓ PASS squares: right for 9 sizes from n = 0 to 65 921, 3 runs each, no defect in check mode, the work
	// shared among the threads
	// ✓ PASS one: its element is equal
}
