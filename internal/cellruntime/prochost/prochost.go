package prochost

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/extension"
)

// Extension returns the session program's extension for magics that are not about the GPU.
func Extension() extension.Extension {
	var c clock
	return extension.Extension{
		Start: func() {
			cell.Put(ClockKey, c.start)
			cell.Put(BenchKey, bench)
		},
		CellEnd: c.cellEnd,
		Handlers: map[string]func(context.Context, []byte) ([]byte, error){
			CallState: Answer(state),
			CallCd:    Answer(cd),
			CallEnv:   Answer(setEnv),
			CallArgs:  Answer(setArgs),
			CallFlags: Answer(parseFlags),

			CallDescribe: Answer(describe),
			CallClear:    Answer(clearAll),
			CallParts:    Answer(parts),
		},
	}
}

// Answer converts a function over JSON values to a handler.
func Answer[Q, A any](f func(Q) (A, error)) func(context.Context, []byte) ([]byte, error) {
	return func(_ context.Context, data []byte) ([]byte, error) {
		var q Q
		if err := json.Unmarshal(data, &q); err != nil {
			return nil, fmt.Errorf("read a magic's request: %w", err)
		}
		a, err := f(q)
		if err != nil {
			return nil, err
		}
		return json.Marshal(a)
	}
}
