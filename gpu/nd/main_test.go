package nd_test

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/device/devicetest"
)

func TestMain(m *testing.M) { devicetest.Main(m) }
