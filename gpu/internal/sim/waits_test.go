package sim

import "testing"

func TestWaitsInLoops(t *testing.T) {
	tests := []struct {
		text string
		want bool
	}{
		{"while (*flag == 0);", true},
		{"volatile int *p; while (*p < n) { }", true},
		{"while (atomicAdd(turn, 0) != 3) { __nanosleep(100); }", true},
		{"while (load(p) == 0) __nanosleep(20);", true},
		{"volatile int *p; for (;;) { if (*p) break; }", true},
		{"volatile int *p; do { v = *p; } while (v == 0);", true},
		{"volatile int *p; do { old = atomicCAS(p, a, b); } while (old != a);", false},
		{"do { old = atomicCAS(p, a, b); } while (old != a);", false},
		{"while (true) { if (atomicAdd(&flag, 0) > 0) break; }", true},
		{"do { v = atomicOr(flag, 0); } while (v == 0);", true},
		{"for (;;) { if (flag.load(cuda::memory_order_acquire)) break; }", true},
		{"while (true) { if (atomicCAS(&lock, 0, 1) == 0) break; }", false},
		{"for (int i = 0; i < n; i++);", false},
		{"volatile float *s; for (int d = 16; d > 0; d /= 2) { s[t] += s[t + d]; }", false},
		{"for (;;) { if (i > n) break; i++; }", false},
		{"while (i < n) { sum += x[i]; i += 32; }", false},
		{"asm volatile(\"\"); for (;;) { break; }", false},
		{"while", false},
		{"x = 1; while (", false},
	}
	for _, tt := range tests {
		if got := waitsInLoops(tt.text); got != tt.want {
			t.Errorf("%s: got %t", tt.text, got)
		}
	}
}
