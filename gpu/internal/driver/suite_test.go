package driver

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend/backendtest"
)

func TestBackend(t *testing.T) { backendtest.Run(t, New()) }
