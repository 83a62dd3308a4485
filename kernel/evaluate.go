package kernel

import (
	"context"
	"maps"
	"slices"
)

// An Evaluator is an Engine that can tell the value of an expression beside a cell: what a
// request's user_expressions ask for. Other engines have each of them answered by an error.
type Evaluator interface {
	// Evaluate is called after the cell has run, and as Execute is: for one at a time.
	// Nothing that the expression shows is seen.
	Evaluate(ctx context.Context, cell Cell, expression string) (MIMEBundle, error)
}

// evaluate answers the user_expressions of a request. One that fails is no failure of the
// cell.
func (s *server) evaluate(ctx context.Context, cell Cell, out *output, expressions map[string]string) map[string]any {
	answers := make(map[string]any, len(expressions))
	for _, name := range slices.Sorted(maps.Keys(expressions)) {
		answer, err := s.call(ctx, func(*server, context.Context, *request) (any, error) {
			e, ok := s.eng.(Evaluator)
			if !ok {
				return nil, &CellError{Name: "NotSupported", Value: "this kernel does not evaluate user_expressions"}
			}
			data, err := e.Evaluate(ctx, cell, expressions[name])
			return map[string]any{"status": "ok", "data": out.encoded(data), "metadata": map[string]any{}}, err
		}, out.req)
		if err != nil {
			answer = errorReply(err)
		}
		answers[name] = answer
	}
	return answers
}
