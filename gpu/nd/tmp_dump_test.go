package nd_test

import (
	"os"
	"fmt"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

func TestDumpTmp(t *testing.T) {
	for i, f := range []func() *nd.Array[float32]{
		func() *nd.Array[float32] { return nd.Cumsum(nd.Where(nd.Empty[float32](64, 16384).LessScalar(0.5), nd.Scalar[float32](-1), nd.Scalar[float32](1)), 1).Max(1) },
		func() *nd.Array[float32] { return nd.Cumsum(nd.Exp(nd.Empty[float32](64, 16384)), 1) },
		func() *nd.Array[float32] { return nd.Cumsum(nd.Exp(nd.Empty[float32](64, 8192)), 1) },
		func() *nd.Array[float32] { return nd.Cumsum(nd.Exp(nd.Empty[float32](64, 1024)), 1) },
	} {
		for _, text := range nd.Sources(func() { f().Eval() }) {
			os.WriteFile(fmt.Sprintf("/tmp/dump%d.cu", i), []byte(text), 0o644)
		}
	}
}
