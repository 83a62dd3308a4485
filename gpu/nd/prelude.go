package nd

import (
	_ "embed"
	"strings"
)

// sections are the parts of the prelude that a kernel needs. Kernels get no others, since most of the compile time of a small kernel
// would be spent on unused declarations.
type sections uint16

const (
	needF16 sections = 1 << iota
	needBF16
	needComplex
	needInteger
	needDivmod
	needNext
	needLogadd
	needOdd
	needErfinv
	needBessel
	needHypot
	needVector
	needWords // and needVector
	needRows
	needScan // and needRows
)

// The text of each section.
var (
	//go:embed kernels/prelude_f16.cu
	preludeF16 string
	//go:embed kernels/prelude_bf16.cu
	preludeBF16 string
	//go:embed kernels/prelude_odd.cu
	preludeOdd string
	//go:embed kernels/prelude_complex.cu
	preludeComplex string
	//go:embed kernels/prelude_integer.cu
	preludeInteger string
	//go:embed kernels/prelude_divmod.cu
	preludeDivmod string
	//go:embed kernels/prelude_next.cu
	preludeNext string
	//go:embed kernels/prelude_logadd.cu
	preludeLogadd string
	//go:embed kernels/prelude_erfinv.cu
	preludeErfinv string
	//go:embed kernels/prelude_bessel.cu
	preludeBessel string
	//go:embed kernels/prelude_hypot.cu
	preludeHypot string
	//go:embed kernels/prelude_vector.cu
	preludeVector string
	//go:embed kernels/prelude_words.cu
	preludeWords string
	//go:embed kernels/prelude_rows.cu
	preludeRows string
	//go:embed kernels/prelude_scan.cu
	preludeScan string
)

var preludes = []struct {
	need sections
	text *string
}{
	{needF16, &preludeF16},
	{needBF16, &preludeBF16},
	{needOdd, &preludeOdd},
	{needComplex, &preludeComplex},
	{needInteger, &preludeInteger},
	{needDivmod, &preludeDivmod},
	{needNext, &preludeNext},
	{needLogadd, &preludeLogadd},
	{needErfinv, &preludeErfinv},
	{needBessel, &preludeBessel},
	{needHypot, &preludeHypot},
	{needVector, &preludeVector},
	{needWords, &preludeWords},
	{needRows, &preludeRows},
	{needScan, &preludeScan},
}

// prelude returns the text of the sections.
func prelude(need sections) string {
	if need&needOdd != 0 && need&(needF16|needBF16) == 0 {
		need |= needF16
	}
	var b strings.Builder
	for _, p := range preludes {
		if need&p.need != 0 {
			b.WriteString(*p.text)
		}
	}
	return b.String()
}

// needs returns the sections that a type needs.
func (d DType) needs() sections {
	switch d {
	case F16:
		return needF16
	case BF16:
		return needBF16
	case C64, C128:
		return needComplex
	}
	return 0
}

// load returns the number in memory as it is held in registers.
func (d DType) load(x string) string {
	if d.half() {
		return "nd_load(" + x + ")"
	}
	return x
}

// store is the opposite of load.
func (d DType) store(x string) string {
	if d.half() {
		return "nd_store_" + d.info().stored + "(" + x + ")"
	}
	return x
}
