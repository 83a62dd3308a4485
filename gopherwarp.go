// Package gopherwarp embeds the sources that cells are compiled against, so that the binary can set up sessions
// without other files.
package gopherwarp

import "embed"

// Sources are the packages that cells and the session program import, by their directory in the module, and go.mod with the
// versions of their dependencies.
//
//go:embed go.mod
//go:embed internal/cellruntime internal/gorelease internal/slim internal/session/ld
//go:embed gpu/*.go gpu/nd/*.go gpu/nd/kernels gpu/nd/images/*.go gpu/nd/npy/*.go gpu/nd/random/*.go gpu/internal/backend/*.go gpu/internal/client/*.go gpu/internal/client/*.s gpu/internal/eigenvalues gpu/internal/expression gpu/internal/gothread gpu/internal/half gpu/internal/hook gpu/internal/heap gpu/internal/philox gpu/internal/pointer/*.go gpu/internal/routine gpu/internal/ring gpu/internal/spin gpu/internal/trace/*.go gpu/internal/wire gpu/check gpu/lens gpu/prof gpu/rank/*.go gpu/vec
//go:embed gpu/nd/arrowio/*.go gpu/nd/dlpack/*.go gpu/nd/xla/*.go gpu/nd/internal/dynamic gpu/nd/internal/mapped gpu/nd/internal/fresh gpu/nd/internal/pjrt
//go:embed display verify internal/gpuhooks internal/logging internal/memfd internal/memory internal/render internal/statusfile internal/waiting internal/include internal/cxx
var Sources embed.FS

// Sums is go.sum, for programs that are exported from notebooks.
//
//go:embed go.sum
var Sums []byte
