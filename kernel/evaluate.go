package kernel

import (
	"context"
	"maps"
	"slices"
)

// An Evaluator is an Engine that can evaluate an expression: a request's user_expressions. For other engines each of them is answered by
// an error.
type Evaluator interface {
	// Evaluate is called after the cell has run, and like Execute for one expression at a time. Output of the expression is dropped.
	Evaluate(ctx context.Context, cell Cell, expression string) (MIMEBundle, error)
}

// evaluate returns the values of a request's user_expressions. One that fails does not fail the cell.
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
