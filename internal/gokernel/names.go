package gokernel

import (
	"fmt"
	"strings"
	"unicode"
)

// reserved are words that mean something in CUDA C++ but not in Go, names that the prelude uses, and functions that every CUDA program, or one of
// the simulator, has.
var reserved = func() map[string]bool {
	list := map[string]bool{}
	for _, w := range strings.Fields(`alignas alignof and and_eq asm auto bitand bitor bool catch char class compl concept const_cast
		decltype delete do double dynamic_cast enum explicit export extern float friend inline int long mutable namespace new noexcept
		not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires short signed sizeof static
		static_assert static_cast template this throw try typedef typeid typename union unsigned using virtual void volatile wchar_t
		while xor xor_eq main go kernel threadIdx blockIdx blockDim gridDim warpSize NULL INFINITY NAN assert printf structure
		true false dim3 half half2 char16_t char32_t char8_t constexpr consteval constinit const co_await co_return co_yield
		int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t linux unix i386 signbit isnan isinf isfinite std cuda
		min max umin umax abs labs llabs div clear copy clock clock64 time rand random srand srandom abort exit pause sync fork sleep usleep close dup
		read write open getpid wait isalpha isdigit isspace isupper islower tolower toupper index signal alarm nice
		drand48 lrand48 mrand48 atoi getchar putchar daylight timezone system puts
		gamma significand finite drem scalb gammaf significandf finitef dremf scalbf ffs ffsll lldiv ldiv`) {
		list[w] = true
	}
	for _, w := range strings.Fields(`acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp exp10
		exp2 expm1 fabs floor j0 j1 lgamma log log10 log1p log2 logb nearbyint normcdf normcdfinv rcbrt rint round rsqrt sin sinh sinpi
		sqrt tan tanh tgamma trunc y0 y1 atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder rhypot jn yn ldexp scalbn
		scalbln norm3d norm4d rnorm3d rnorm4d norm rnorm fma fdivide ilogb llrint llround lrint lround frexp modf remquo sincos
		sincospi nan`) {
		list[w], list[w+"f"] = true, true
	}
	return list
}()

// cName returns the name that a Go name has in C++. Names of ASCII letters that differ have different ones.
func cName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r < unicode.MaxASCII {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "_u%04x", r)
		}
	}
	made := b.String()
	if reserved[strings.TrimRight(made, "_")] || strings.HasPrefix(made, "__") || strings.HasPrefix(made, "make_") {
		return made + "_"
	}
	return made
}
